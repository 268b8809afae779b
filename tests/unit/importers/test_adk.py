"""Google ADK: sessions in both spellings, events without ids, what only an evaluation expects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.importers import recordings
from seamwise.record import encode_trace
from unit.importers.adk_fixtures import DESK, RESULT, SET, T0, call, camel, event, response, session, text
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes


def imported(folder: Path, value: Any) -> Got:
    got = read_bytes(folder, json.dumps(value).encode())
    assert got.report.format == "adk"
    return got


def test_a_session(tmp_path: Path) -> None:
    got = imported(tmp_path, DESK)
    assert got.traces[0].id == "s1"
    assert [(s.actor, s.text) for s in got.of("message")] == [("user", "cancel order 7"), ("billing", "Order 7 is cancelled.")]
    assert got.of("message")[0].time_ns == int((T0 + 1) * 1000) * 1_000_000
    assert (got.report.records, got.report.kept, got.report.merged) == (10, 8, 2)
    handoff = got.one("handoff")
    assert (handoff.actor, handoff.recipients) == ("triage", ("billing",))
    assert {(s.data or {})["object"] for s in got.of("state")} == {"session/s1", "user/u7", "temp/i1", "artifact/bill.pdf"}
    assert "hush" not in encode_trace(got.traces[0]).decode()


@pytest.mark.parametrize(
    "same", [camel(DESK), {**camel(DESK), "events": [*DESK["events"][:4], *camel(DESK["events"][4:])]}], ids=["camel", "mixed"]
)
def test_both_spellings_say_the_same(tmp_path: Path, same: dict[str, Any]) -> None:
    one, other = imported(tmp_path, DESK), imported(tmp_path, json.loads(json.dumps(same).replace("agentName", "agent_name")))
    assert [(s.kind, s.actor, s.tool, s.call, s.status, s.text) for s in one.steps] == [
        (s.kind, s.actor, s.tool, s.call, s.status, s.text) for s in other.steps
    ]


def test_responses_without_ids_are_paired_by_order_and_name_in_an_invocation(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        session(
            event(1, "a", call("f", n=1), call("g", n=2), call("f", n=3)),
            event(2, "a", call("f", n=9), invocation="i2"),
            event(3, "a", response("f", {"r": 9}), invocation="i2"),
            event(4, "a", response("g", {"r": 2}), response("f", {"r": 1}), response("f", {"r": 3})),
        ),
    )
    asked = {s.call: (s.data or {})["arguments"]["n"] for s in got.of("tool_call")}
    assert [(asked[s.call], (s.data or {})["result"]["r"]) for s in got.of("tool_result")] == [(9, 9), (2, 2), (1, 1), (3, 3)]
    assert got.codes["paired_by_order"] == 1


def test_a_response_that_names_the_event_of_its_call(tmp_path: Path) -> None:
    events = [event(1, "a", call("f", n=1)), event(2, "a", call("f", n=2))]
    events.append(event(3, "a", response("f", {"r": 2}), options={"function_call_event_id": "e2"}))
    assert imported(tmp_path, session(*events)).one("tool_result").call == "e2.0"


def test_the_answer_of_a_long_running_tool_is_no_ending(tmp_path: Path) -> None:
    asked = event(1, "a", call("ask_boss", "c1"), long_running_tool_ids=["c1"])
    got = imported(tmp_path, session(asked, event(2, "a", response("ask_boss", {"status": "pending"}, "c1"))))
    assert got.one("tool_result").status is None


def test_streamed_text_without_a_whole_event_is_an_incomplete_message(tmp_path: Path) -> None:
    got = imported(tmp_path, session(event(1, "a", text("Hel"), partial=True), event(2, "a", text("lo"), partial=True)))
    message = got.one("message")
    assert (message.text, (message.data or {})["partial"]) == ("Hello", True)
    assert got.codes["incomplete_message"] == 1


def test_the_same_event_twice_is_merged_and_another_of_its_id_is_kept(tmp_path: Path) -> None:
    got = imported(tmp_path, session(event(1, "a", text("x")), event(1, "a", text("x")), event(1, "a", text("y"))))
    assert [s.text for s in got.of("message")] == ["x", "y"]
    assert got.report.merged == 1


def test_a_bare_list_of_events(tmp_path: Path) -> None:
    assert len(imported(tmp_path, DESK["events"]).of("tool_call")) == 3


def test_old_sessions_tell_a_transfer_in_its_response(tmp_path: Path) -> None:
    answered = response("transfer_to_other_agent", {"status": "ok", "target_agent_name": "b"})
    got = imported(
        tmp_path, {"id": "s", "events": [event(1, "a", call("transfer_to_other_agent", agent_name="b")), event(2, "a", answered)]}
    )
    assert got.one("handoff").recipients == ("b",)


def test_the_result_of_an_evaluation_is_a_run_with_everything_else_sealed(tmp_path: Path) -> None:
    for content in (RESULT, json.dumps(RESULT)):
        got = imported(tmp_path, content)
        assert [(s.kind, s.actor, s.text) for s in got.steps if s.kind == "message"] == [
            ("message", "user", "hello"),
            ("message", "helper", "well"),
            ("message", None, "hi"),
        ]
        assert "MARK" not in encode_trace(got.traces[0]).decode()
        assert set(got.report.sealed) == {
            "final_eval_status",
            "overall_eval_metric_results",
            "expected_invocation",
            "eval_metric_results",
        }


@pytest.mark.parametrize(
    "value",
    [SET, [{"query": "q", "expected_tool_use": [], "reference": "r"}], [{"name": "n", "data": [{"query": "q", "expected_tool_use": []}]}]],
)
def test_expectations_are_no_run(tmp_path: Path, value: Any) -> None:
    with pytest.raises(FormatError, match="holds only expectations"):
        imported(tmp_path, value)


CORPUS = {"flow_complex_spark__sample.session.json": (9, 11), "eval__sessions__123.session.json": (34, 40)}


@pytest.mark.parametrize("folder", ["google-adk", "google-adk-samples"])
def test_the_corpus(folder: str) -> None:
    path = SHARED / "corpus" / folder
    if not path.is_dir():
        pytest.skip(f"../shared/{path.relative_to(SHARED)} is not on this machine")
    for found in recordings([path]):
        assert found.format == "adk"
        expected = next((counts for name, counts in CORPUS.items() if found.path.endswith(name)), None)
        if expected is None:
            with pytest.raises(FormatError, match="holds only expectations"):
                read(Path(found.path))
        else:
            got = read(Path(found.path))
            assert (got.report.kept, got.report.steps) == expected


def test_a_piece_of_a_streamed_call_is_no_call(tmp_path: Path) -> None:
    def asked(identifier: str, amount: int, **more: Any) -> dict[str, Any]:
        part = {"functionCall": {"id": "c1", "name": "pay", "args": {"amount": amount}}}
        return {"id": identifier, "invocationId": "i", "author": "a", "content": {"role": "model", "parts": [part]}, **more}

    answer = {"functionResponse": {"id": "c1", "name": "pay", "response": {"status": "done"}}}
    told = {"id": "e3", "invocationId": "i", "author": "a", "content": {"role": "user", "parts": [answer]}}
    events = [asked("e1", 1, partial=True), asked("e2", 15), told]
    got = imported(tmp_path, {"id": "s", "appName": "x", "userId": "u", "state": {}, "events": events})
    call = got.one("tool_call")
    assert (call.id, (call.data or {})["arguments"]) == ("e2.0", {"amount": 15})
    assert got.one("tool_result").call == call.call == "c1"
    assert got.report.note_counts == {"call_in_pieces": 1}
