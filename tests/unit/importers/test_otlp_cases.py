"""What public bug reports taught importers of OpenTelemetry traces, each as a case of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamwise.record import Ref
from unit.importers.otlp_fixtures import SHARED, T0, TRACE, Got, agent, chat, imported, read, read_bytes, request, said, span, tool

OTHER = "b2" * 16


# ---- the target of a handoff is a sibling of its source, a child of the tool, or in another trace ----


def handing_over(*, target_parent: int) -> list[dict[str, object]]:
    return [
        span(1, "workflow", at=(0, 900)),
        agent(2, "intake", 1, (0, 300)),
        tool(4, "transfer_to_parcel_desk", 2, (210, 220), call="c1"),
        agent(5, "parcel_desk", target_parent, (310, 890)),
    ]


@pytest.mark.parametrize("target_parent", [1, 4], ids=["sibling", "below the tool"])
def test_a_transfer_tool_is_one_handoff(tmp_path: Path, target_parent: int) -> None:
    got = imported(tmp_path, *handing_over(target_parent=target_parent))
    handoff = got.one("handoff")
    assert (handoff.actor, handoff.recipients) == ("intake", ("parcel_desk",))
    assert handoff.refs == (Ref(kind="handoff_of", step=got.one("tool_call").id),)
    start = next(step for step in got.of("agent_start") if step.actor == "parcel_desk")
    assert start.refs == (Ref(kind="handoff_of", step=handoff.id),)


def test_a_tool_that_only_sounds_like_a_handoff_is_none(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "teller"), tool(2, "transfer_to_savings", 1, arguments={"amount": 5}))
    assert got.of("handoff") == []
    assert got.codes == {"possible_handoff": 1}


def test_work_is_tied_to_a_handoff_only_where_there_is_no_choice(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        span(1, at=(0, 900)),
        agent(2, "a", 1, (0, 300)),
        tool(3, "transfer_to_b", 2, (10, 20)),
        tool(4, "transfer_to_b", 2, (30, 40)),
        agent(5, "b", 1, (310, 400)),
    )
    assert len(got.of("handoff")) == 2
    assert next(s for s in got.of("agent_start") if s.actor == "b").refs == ()


def test_handoff_spans_of_other_shapes(tmp_path: Path) -> None:
    kind = {"openinference.span.kind": "TOOL"}
    named = imported(tmp_path, agent(1, "a"), span(2, "handoff to Billing", 1, attrs=kind), agent(3, "Billing", 1, (20, 30))).one("handoff")
    assert (named.actor, named.recipients) == ("a", ("Billing",))
    both = imported(tmp_path, span(1, "Handoff: Sales → Support")).one("handoff")
    assert (both.actor, both.recipients) == ("Sales", ("Support",))
    attrs = {"gen_ai.agent.handoff.source.name": "x", "gen_ai.agent.handoff.target.name": "y"}
    stated = imported(tmp_path, span(1, "anything", attrs=attrs)).one("handoff")
    assert (stated.actor, stated.recipients) == ("x", ("y",))


def test_a_handoff_without_a_target_has_none(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "a"), span(2, "handoff to unknown", 1, openinference__span__kind="TOOL"))
    assert got.one("handoff").recipients is None
    assert got.report.unknown["the target of a handoff"] == 1


def test_two_trace_ids_of_one_conversation_are_kept_apart_and_named(tmp_path: Path) -> None:
    talk = {"gen_ai.conversation.id": "conv-7"}
    got = imported(
        tmp_path,
        agent(2, "intake", at=(0, 300), attrs=talk),
        tool(4, "transfer_to_desk", 2, (210, 220), call="c1"),
        agent(5, "desk", at=(310, 890), trace=OTHER, attrs=talk),
    )
    assert [trace.header.origin["conversations"] for trace in got.traces] == [["conv-7"], ["conv-7"]]
    assert got.codes["one_conversation"] == 1
    assert got.codes["may_belong_together"] == 1


def test_nothing_is_merged_on_time_alone(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "a"), agent(2, "b", trace=OTHER))
    assert len(got.traces) == 2
    assert got.codes == {}


# ---- the tree is wrong ----


def test_work_after_its_parent_ended_is_nobodys(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "A", at=(0, 100)), agent(2, "B", 1, (500, 700)), tool(3, "t", 1, (510, 520), call="c9"))
    assert got.one("tool_call").actor is None
    assert got.codes["outside_parent"] == 2
    assert got.report.unknown["which agent a call or handoff belongs to"] == 1


def test_work_below_late_work_is_nobodys_either(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "A", at=(0, 100)), span(2, "chain", 1, (500, 700)), tool(3, "t", 2, (510, 520)))
    assert got.one("tool_call").actor is None
    below = imported(tmp_path, agent(1, "A", at=(0, 100)), agent(2, "B", 1, (500, 700)), tool(3, "t", 2, (510, 520)))
    assert below.one("tool_call").actor == "B"


def test_work_below_a_span_that_outlives_its_agent_is_nobodys(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "A", at=(0, 100)), span(2, "background", 1, (50, 700)), tool(3, "t", 2, (510, 520)))
    assert got.one("tool_call").actor is None


def test_cycles_and_self_parents_are_cut_and_noted(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "A", 2), agent(2, "B", 1), span(3, "chat m", 3))
    assert got.codes == {"parent_cycle": 1, "self_parent": 1}
    assert got.report.kept == 3
    assert all(after.basis != "parent" for step in got.steps for after in step.order)


def test_a_long_cycle_and_what_hangs_on_it(tmp_path: Path) -> None:
    ring = [span(i, parent=i % 400 + 1) for i in range(1, 401)]
    tail = [span(i, parent=i - 1) for i in range(401, 1500)]
    got = imported(tmp_path, *ring, *tail)
    assert got.report.kept == 1499
    assert got.codes["parent_cycle"] == 1


def test_an_orphan_stands_as_a_root(tmp_path: Path) -> None:
    got = imported(tmp_path, tool(1, "t", 99))
    assert got.codes == {"orphan": 1}
    assert got.one("tool_call").order == ()


@pytest.mark.parametrize("parent", ["", "0" * 16, "AAAAAAAAAAA="])
def test_no_parent_is_written_in_several_ways(tmp_path: Path, parent: str) -> None:
    assert imported(tmp_path, span(1, more={"parentSpanId": parent})).codes == {}


# ---- times ----


def test_end_before_start_and_a_missing_end(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        agent(1, "A", at=(100, 200)),
        tool(2, "t", 1, (90, 80), call="c1"),
        span(3, "chat m", 1, (150, None), more={"endTimeUnixNano": "0"}),
    )
    result = got.one("tool_result")
    assert result.time_ns is None
    assert result.order[0].step == got.one("tool_call").id
    assert set(got.codes) == {"negative_duration", "clock_contradicts"}
    assert got.traces[0].header.clocks == {}
    assert "end_ns" not in (got.one("span").data or {})


def test_times_are_exact(tmp_path: Path) -> None:
    text = json.dumps(request(span(1, more={"startTimeUnixNano": 0})))
    exact = 1_777_555_053_780_274_713
    for written in (str(exact), f'"{exact}"'):
        got = read_bytes(tmp_path, text.replace('"startTimeUnixNano": 0', f'"startTimeUnixNano": {written}').encode())
        assert got.steps[0].time_ns == exact


def test_a_clock_is_stated_only_for_one_process(tmp_path: Path) -> None:
    def clocks(*resources: dict[str, object]) -> dict[str, str]:
        lines = [json.dumps(request(span(i), resource=resource)) for i, resource in enumerate(resources, 1)]
        got = read_bytes(tmp_path, "\n".join(lines).encode())
        return {source: clock.basis for source, clock in got.traces[0].header.clocks.items()}

    assert clocks({"service.name": "a", "service.instance.id": "1"}) == {
        "a/1": "one process's clock (its resource has a service.instance.id)"
    }
    assert clocks({"service.name": "a", "process.pid": 7}) == {"a/#7": "one process's clock (its resource has a process.pid)"}
    assert clocks({"service.name": "a"}) == {"a": "one process's clock (the file holds exactly one resource)"}
    assert clocks({"service.name": "a"}, {"service.name": "b"}) == {}
    assert list(clocks({"service.name": "a", "service.instance.id": "1"}, {"service.name": "b"})) == ["a/1"]
    assert clocks({"service.name": "a", "process.pid": 1}, {"service.name": "a", "process.pid": 1}) == {}
    assert list(clocks({"process.pid": 1, "container.id": "c"}, {"process.pid": 1, "container.id": "d"})) == [
        "resource/c#1",
        "resource/d#1",
    ]


# ---- copies ----


def test_a_span_exported_three_times_counts_once(tmp_path: Path) -> None:
    model = chat(3, 1, told=[said("user", "hi")], answered=[said("assistant", "hello")], gen_ai__usage__input_tokens=10)
    lines = [request(model), request(agent(1, "A"), model), request(model)]
    got = read_bytes(tmp_path, "\n".join(map(json.dumps, lines)).encode())
    assert (got.report.records, got.report.kept, got.report.merged) == (4, 2, 2)
    assert got.codes == {"duplicate": 2}
    assert [(step.data or {})["usage"] for step in got.of("model_result")] == [{"input_tokens": 10}]


def test_a_copy_in_another_notation_is_a_copy(tmp_path: Path) -> None:
    one, two = span(1, a=1), span(1, a=1)
    two["spanId"] = "AAAAAAAAAAE="
    two["startTimeUnixNano"] = int(two["startTimeUnixNano"])
    assert imported(tmp_path, one, two).report.merged == 1


@pytest.mark.parametrize("fuller_first", [True, False])
def test_a_fuller_copy_replaces_a_poorer_one(tmp_path: Path, fuller_first: bool) -> None:
    begun, done = tool(1, "t", at=(0, None), call="c"), tool(1, "t", call="c", result="done")
    got = imported(tmp_path, *([done, begun] if fuller_first else [begun, done]))
    assert got.codes == {"fuller_copy": 1}
    assert got.one("tool_result").text == "done"


def test_one_id_with_two_contents_is_two_spans(tmp_path: Path) -> None:
    got = imported(tmp_path, tool(1, "t", result="a"), tool(1, "t", result="b"))
    assert got.codes == {"same_id": 1}
    assert sorted(step.text or "" for step in got.of("tool_result")) == ["a", "b"]
    assert got.report.kept == 2


def test_two_instrumentations_of_one_model_call(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        agent(1, "A", attrs={"gen_ai.usage.input_tokens": 10}),
        span(2, "ChatOpenAI", 1, (5, 95), openinference__span__kind="LLM", llm__token_count__prompt=10),
        chat(3, 2, (6, 94), told=[said("user", "hi")], answered=[said("assistant", "hello")], attrs={"gen_ai.usage.input_tokens": 10}),
    )
    assert [step.id for step in got.of("model_call")] == [f"{3:016x}"]
    assert (got.one("model_result").data or {})["usage"] == {"input_tokens": 10}
    assert got.one("span").refs == (Ref(kind="duplicate_of", step=f"{3:016x}"),)


def test_what_only_the_wrapper_recorded_is_not_lost(tmp_path: Path) -> None:
    outer = {"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "hi"}
    got = imported(tmp_path, span(2, "wrapper", attrs=outer), chat(3, 2))
    data = got.one("input").data or {}
    assert data["messages"] == [said("user", "hi")]
    assert "whole" not in data
    assert got.traces[0].header.claims == ()


def test_two_spans_of_one_response_are_one_call(tmp_path: Path) -> None:
    same = {"gen_ai.response.id": "r1"}
    got = imported(tmp_path, chat(1, at=(0, 10), attrs=same), chat(2, at=(1, 9), attrs=same))
    assert len(got.of("model_call")) == 1
    assert got.codes == {"model_call_twice": 1}


def test_a_tool_call_recorded_from_outside_and_inside_is_one_call(tmp_path: Path) -> None:
    got = imported(tmp_path, tool(1, "pay", call="c1"), tool(2, "pay", 1, (1, 9), arguments={"amount": 5}, result="paid"))
    assert (got.one("tool_call").data or {})["arguments"] == {"amount": 5}
    assert got.one("tool_result").text == "paid"
    assert got.codes == {"tool_call_twice": 1}


def test_two_calls_of_one_tool_stay_two(tmp_path: Path) -> None:
    nested = imported(tmp_path, tool(1, "pay", call="c1"), tool(2, "pay", 1, (1, 9), call="c2"))
    assert len(nested.of("tool_call")) == 2
    beside = imported(tmp_path, tool(1, "pay"), tool(2, "pay"))
    assert len({step.call for step in beside.of("tool_call")}) == 2


# ---- conversations ----


def test_history_is_told_from_genuine_repeats(tmp_path: Path) -> None:
    system, again, one, two = said("system", "S"), said("user", "again"), said("assistant", "one"), said("assistant", "two")
    got = imported(
        tmp_path,
        agent(1, "A"),
        chat(2, 1, (1, 10), told=[system, again], answered=[{**one, "finish_reason": "stop"}]),
        chat(3, 1, (11, 20), told=[system, again, one, again], answered=[two]),
        chat(4, 1, (21, 30), told=[system, again], answered=[said("assistant", "three")]),
    )
    assert [(step.id, step.text) for step in got.of("message")] == [
        (f"{2:016x}/in/0", "S"),
        (f"{2:016x}/in/1", "again"),
        (f"{3:016x}/in/3", "again"),
    ]
    assert got.codes == {"context_reset": 1}
    assert [len((step.data or {})["messages"]) for step in got.of("input")] == [2, 4, 2]
    assert all((step.data or {})["whole"] for step in got.of("input"))


# ---- dialects ----


def test_dialects_of_one_file(tmp_path: Path) -> None:
    lines = [
        request({**span(1, "hex UPPER", openinference__span__kind="AGENT"), "traceId": TRACE.upper()}),
        {
            "resource_spans": [
                {
                    "scope_spans": [
                        {
                            "spans": [
                                {
                                    "trace_id": "oaGhoaGhoaGhoaGhoaGhoQ==",
                                    "span_id": "AAAAAAAAAAI=",
                                    "parent_span_id": "AAAAAAAAAAE=",
                                    "name": "base64 snake",
                                    "kind": "SPAN_KIND_INTERNAL",
                                    "start_time_unix_nano": T0,
                                    "end_time_unix_nano": T0 + 10,
                                    "attributes": [
                                        {"key": "n", "value": {"Value": {"IntValue": 3}}},
                                        {"key": "s", "value": {"string_value": "x"}},
                                    ],
                                    "status": {"code": "STATUS_CODE_ERROR"},
                                }
                            ]
                        }
                    ]
                }
            ]
        },
        {
            "batches": [
                {
                    "instrumentationLibrarySpans": [
                        {
                            "instrumentationLibrary": {"name": "old"},
                            "spans": [
                                {
                                    "traceId": TRACE,
                                    "spanId": f"{3:016x}",
                                    "parentSpanId": f"{1:016x}",
                                    "name": "tempo",
                                    "startTimeUnixNano": T0,
                                    "endTimeUnixNano": T0 + 5,
                                    "links": [{"traceId": [10, 247], "spanId": [1]}],
                                }
                            ],
                        }
                    ]
                }
            ]
        },
        {"partialSuccess": {}},
    ]
    got = read_bytes(tmp_path, "\n".join(map(json.dumps, lines)).encode())
    assert [trace.id for trace in got.traces] == [TRACE]
    assert got.report.kept == 3
    assert got.report.dropped == {"not OTLP": 1}
    assert got.codes == {"bad_link": 1, "foreign": 1}
    snake = next(step for step in got.of("span") if (step.data or {})["name"] == "base64 snake")
    assert snake.status == "failed"
    assert (snake.data or {})["attributes"] == {"n": 3, "s": "x"}
    assert snake.order[0].step == f"{1:016x}"


# ---- failures ----


def test_a_failure_in_the_result_is_suspected_and_one_in_the_status_is_recorded(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        agent(1, "A"),
        tool(2, "q", 1, call="c1", status=1, result={"success": 0, "error": "table missing"}),
        tool(3, "r", 1, call="c2", status=2, more={"status": {"code": 2, "message": "boom"}}),
    )
    assert [(step.tool, step.status) for step in got.of("tool_result")] == [("q", "ok"), ("r", "failed")]
    assert got.codes == {"suspected_failure": 1}
    assert got.one("agent_end").status is None


# ---- the public cases themselves ----

EXPECTED: dict[str, tuple[int, dict[str, int]]] = {
    "01_handoff_sibling.otlp.json": (1, {}),
    "02_handoff_target_new_trace.otlp.json": (2, {"possible_handoff": 1, "one_conversation": 1, "may_belong_together": 1}),
    "05_ended_parent.otlp.json": (1, {"outside_parent": 2}),
    "07_same_span_twice.otlp.jsonl": (1, {"duplicate": 2}),
    "08_double_instrumentation.otlp.json": (1, {"model_call_twice": 1}),
    "10_parent_cycle.otlp.json": (1, {"self_parent": 1, "parent_cycle": 1}),
    "11_negative_duration.otlp.json": (1, {"negative_duration": 1, "clock_contradicts": 1}),
    "20_cumulative_history.otlp.json": (1, {"context_reset": 1}),
    "22_otlp_dialects.jsonl": (1, {"bad_link": 1, "foreign": 1}),
    "32_tool_error_as_success.otlp.json": (1, {"suspected_failure": 1}),
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_public_cases(name: str) -> None:
    path = SHARED / "bugcases" / name
    if not path.is_file():
        pytest.skip(f"../shared/{path.relative_to(SHARED)} is not on this machine")
    got: Got = read(path)
    assert (len(got.traces), got.codes) == EXPECTED[name]
