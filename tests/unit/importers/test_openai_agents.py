"""The OpenAI Agents SDK: every sort of span, handoffs without a target, and states of runs that were stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes

Fields = dict[str, Any]


def at(ms: int) -> str:
    return f"2025-05-01T10:00:{ms // 1000:02d}.{ms % 1000:03d}000+00:00"


def span(number: int, parent: int | None, when: tuple[int, int | None], error: Any = None, **data: Any) -> Fields:
    return {
        "object": "trace.span",
        "id": f"span_{number:024x}",
        "trace_id": "trace_1",
        "parent_id": None if parent is None else f"span_{parent:024x}",
        "started_at": at(when[0]),
        "ended_at": None if when[1] is None else at(when[1]),
        "span_data": data,
        "error": error,
    }


ASK = {"role": "user", "content": "refund order 7"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
}
ITEMS: list[Fields] = [
    {
        "object": "trace",
        "id": "trace_1",
        "workflow_name": "desk",
        "group_id": "g-1",
        "metadata": {"customer": "c7", "expected_output": "x"},
    },
    span(
        2,
        1,
        (10, 20),
        type="generation",
        input=[ASK],
        output=[CALL],
        model="m-1",
        model_config={"temperature": 0},
        usage={"input_tokens": 4},
    ),
    span(3, 1, (30, 40), type="function", name="look", input='{"order": 7}', output="{'paid': True}", mcp_data=None),
    span(4, 1, (50, 51), type="handoff", from_agent="Router", to_agent="Billing"),
    span(1, None, (0, 60), type="agent", name="Router", handoffs=["Billing", "Tech"], tools=["look"], output_type="str"),
    span(6, 5, (70, 80), type="response", response_id="resp_1", usage={"input_tokens": 9, "output_tokens": 1}),
    span(7, 5, (81, 90), {"message": "boom", "data": {"tool": "pay"}}, type="function", name="pay", input='{"cents": 1}', output=None),
    span(8, 5, (91, 92), type="guardrail", name="polite", triggered=False),
    span(9, 5, (93, 94), type="custom", name="turn", data={"sdk_span_type": "turn", "turn": 1, "agent_name": "Billing"}),
    span(10, 5, (95, None), type="handoff", from_agent="Billing", to_agent=None),
    span(5, None, (65, 100), type="agent", name="Billing", handoffs=["Tech"], tools=["pay"], output_type="str"),
    span(11, None, (110, 120), type="agent", name="Tech", handoffs=[], tools=[], output_type="str"),
]


def lines(items: list[Fields]) -> bytes:
    return "".join(json.dumps(item) + "\n" for item in items).encode()


def imported(folder: Path, content: bytes, format: str = "openai_agents") -> Got:
    got = read_bytes(folder, content)
    assert got.report.format == format
    return got


def test_every_sort_of_span(tmp_path: Path) -> None:
    got = imported(tmp_path, lines(ITEMS))
    assert (got.report.records, got.report.kept, [t.id for t in got.traces]) == (12, 12, ["trace_1"])
    header = got.traces[0].header
    assert header.origin["conversations"] == ["g-1"]
    assert header.clocks == {}
    assert list(header.organization.agents) == ["Router", "Billing", "Tech"]
    router = got.of("agent_start")[0]
    assert (router.data or {})["tool_names"] == ["look"]
    generation, response = got.of("model_call")
    assert (generation.actor, (generation.data or {})["model"]) == ("Router", "m-1")
    assert (got.one("input").data or {})["whole"] is True
    assert [c.stream for c in header.claims] == ["input/Router"]
    assert got.report.unknown["the input of a model call"] == 1
    assert (got.of("model_result")[1].data or {})["usage"] == {"input_tokens": 9, "output_tokens": 1}
    assert response.actor == "Billing"
    look, pay = got.of("tool_call")
    assert (look.tool, look.actor, (look.data or {})["arguments"]) == ("look", "Router", {"order": 7})
    assert [(s.status, s.text) for s in got.of("tool_result")] == [("ok", "{'paid': True}"), ("failed", None)]
    assert {(s.data or {})["name"] for s in got.of("span")} == {"polite", "turn"}
    assert [(label.key, label.value) for label in got.labels] == [("metadata.expected_output", "x")]
    assert pay.call == f"span_{7:024x}"


def test_a_handoff_without_a_target_has_none(tmp_path: Path) -> None:
    """Bug case 04: who it may have gone to is an inference, and stands beside the record."""
    got = imported(tmp_path, lines(ITEMS))
    known, unknown = got.of("handoff")
    assert (known.actor, known.recipients, known.time_ns is not None) == ("Router", ("Billing",), True)
    assert (unknown.actor, unknown.recipients) == ("Billing", None)
    assert (unknown.data or {})["attributes"]["openai_agents.handoff_candidate"] == "Tech"
    assert got.codes == {"handoff_candidate": 1}
    assert got.report.unknown["the target of a handoff"] == 1
    billing = got.of("agent_start")[1]
    assert [(ref.kind, ref.step) for ref in billing.refs] == [("handoff_of", known.id)]
    assert got.of("agent_start")[2].refs == ()
    path = SHARED / "bugcases" / "04_handoff_to_unknown.openai.jsonl"
    if path.is_file():
        case = read(path)
        assert case.one("handoff").recipients is None
        assert case.codes == {"handoff_candidate": 1}


def test_two_candidates_are_none(tmp_path: Path) -> None:
    first = [item for item in ITEMS if item.get("id") != f"span_{4:024x}"]
    first.append(span(4, 1, (50, None), type="handoff", from_agent="Router", to_agent=None))
    got = imported(tmp_path, lines(first))
    assert got.codes == {"handoff_candidate": 1}  # Of Billing's handoff; Router's may have gone to either.


def test_other_shapes_of_the_same(tmp_path: Path) -> None:
    expected = [s.id for s in imported(tmp_path, lines(ITEMS)).steps]
    for value in (ITEMS, {"data": ITEMS}, [{"data": ITEMS[:3]}, {"data": ITEMS[3:]}]):
        assert [s.id for s in imported(tmp_path, json.dumps(value, indent=1).encode()).steps] == expected


def test_a_response_with_what_a_user_added(tmp_path: Path) -> None:
    reply = {
        "id": "resp_2",
        "model": "m-2",
        "instructions": "Be brief.",
        "output": [{"type": "message", "role": "assistant", "content": "Hi"}],
    }
    got = imported(tmp_path, lines([span(1, None, (0, 1), type="response", response_id="resp_2", input="hello", response=reply)]))
    assert [m["role"] for m in (got.one("input").data or {})["messages"]] == ["system", "user"]
    assert got.one("model_result").text == "Hi"
    assert (got.one("model_call").data or {})["model"] == "m-2"


# ---- RunState ----


def item(sort: str, agent: str, raw: Fields, **more: Any) -> Fields:
    return {"type": sort, "agent": {"name": agent}, "raw_item": raw, **more}


SAID = item(
    "message_output_item", "Router", {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One moment."}]}
)
GIVEN: list[Fields] = [
    SAID,
    item("handoff_call_item", "Router", {"type": "function_call", "call_id": "h1", "name": "transfer_to_billing", "arguments": "{}"}),
    item(
        "handoff_output_item",
        "Router",
        {"type": "function_call_output", "call_id": "h1", "output": '{"assistant": "Billing"}'},
        source_agent={"name": "Router"},
        target_agent={"name": "Billing"},
    ),
    item("reasoning_item", "Billing", {"type": "reasoning", "summary": []}),
    item("tool_call_item", "Billing", {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"order": 7}'}),
    item("tool_call_output_item", "Billing", {"type": "function_call_output", "call_id": "c1", "output": "paid"}, output="paid"),
    item("tool_call_item", "Billing", {"type": "mcp_call", "id": "m1", "name": "find", "arguments": "{}", "output": None, "error": None}),
    item("tool_call_item", "Billing", {"type": "web_search_call", "id": "w1", "action": {"query": "x"}, "status": "completed"}),
    item("tool_call_item", "Billing", {"type": "function_call", "call_id": "c2", "name": "pay", "arguments": '{"cents": 5}'}),
    item(
        "tool_approval_item",
        "Billing",
        {"type": "function_call", "call_id": "c2", "name": "pay", "arguments": '{"cents": 5}'},
        tool_name="pay",
    ),
]
STATE: Fields = {
    "$schemaVersion": "1.16",
    "conversation_id": None,
    "current_agent": {"name": "Billing", "identity": "Billing#2"},
    "current_turn": 2,
    "max_turns": 10,
    "original_input": [{"role": "user", "content": "refund order 7"}, SAID["raw_item"]],
    "generated_items": GIVEN[5:],
    "session_items": GIVEN[:9],
    "model_responses": [{"output": [SAID["raw_item"]], "usage": {"input_tokens": 1}, "response_id": "resp_1"}],
    "input_guardrail_results": [{"guardrail": {"type": "input", "name": "polite"}, "output": {"tripwire_triggered": False}}],
    "context": {
        "approvals": {
            "pay": {"approved": ["c2"], "rejected": ["c0"], "rejection_messages": {"c0": "too much"}},
            "look": {"approved": True},
        },
        "context": {"secret": "hush"},
    },
    "current_step": {"type": "next_step_interruption"},
    "trace": {"object": "trace", "id": "trace_9", "workflow_name": "desk"},
}


def test_a_state_of_a_run(tmp_path: Path) -> None:
    got = imported(tmp_path, json.dumps(STATE).encode(), "openai_runstate")
    assert got.traces[0].id == "trace_9"
    # 2 inputs, 5 + 9 items, 1 response, 1 guardrail, 3 approvals, the state
    assert (got.report.records, got.report.kept, got.report.merged) == (22, 17, 5)
    assert [(s.actor, s.text, (s.data or {}).get("role")) for s in got.of("message")][:2] == [
        (None, "refund order 7", "user"),
        ("Router", "One moment.", "assistant"),
    ]
    handoff = got.one("handoff")
    assert (handoff.actor, handoff.recipients) == ("Router", ("Billing",))
    assert [(s.tool, s.call, s.actor) for s in got.of("tool_call")] == [
        ("transfer_to_billing", "h1", "Router"),
        ("look", "c1", "Billing"),
        ("find", "m1", "Billing"),
        ("web_search_call", "w1", "Billing"),
        ("pay", "c2", "Billing"),
    ]
    assert [(s.tool, s.call, s.status) for s in got.of("tool_result")] == [("transfer_to_billing", "h1", "ok"), ("look", "c1", "ok")]
    approvals = {((s.data or {}).get("subject"), (s.data or {})["status"], s.tool, s.text) for s in got.of("approval")}
    assert approvals == {("c2", "approved", "pay", None), ("c0", "rejected", "pay", "too much"), (None, "approved", "look", None)}
    assert all(s.seq is None for kind in ("approval", "check") for s in got.of(kind))
    assert [s.seq for s in got.of("tool_call")] == sorted(s.seq or 0 for s in got.of("tool_call"))
    assert {(s.data or {})["name"] for s in got.of("note")} == {"approval_asked", "model_response", "run_state"}
    assert "Billing#2" in got.traces[0].header.organization.agents
    assert "hush" not in str(got.traces)


def test_a_state_without_an_id_is_named_after_its_content(tmp_path: Path) -> None:
    bare = STATE | {"trace": None}
    one, same = (imported(tmp_path, json.dumps(bare).encode(), "openai_runstate").traces[0].id for _ in range(2))
    other = imported(tmp_path, json.dumps(bare | {"current_turn": 3}).encode(), "openai_runstate").traces[0].id
    assert one == same != other


def test_no_state_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text('{"$schemaVersion": "1.0"}')
    with pytest.raises(FormatError, match="RunState"):
        read(path, format="openai_runstate")
