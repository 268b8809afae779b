"""LangGraph: several modes tell the same, pieces and states repeat messages, and what happens in a graph below a node is that node's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.seeds_langgraph import LG_CHECKPOINT, LG_HISTORY, LG_SSE, LG_STATE, LG_TUPLES, ai, human, lg_checkpoint, lg_debug
from unit.importers.writing import lines


def got(folder: Path, value: Any, **more: Any) -> Got:
    content = value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else json.dumps(value).encode()
    made = read_bytes(folder, content, **more)
    assert made.report.format == "langgraph"
    return made


def told(made: Got) -> list[tuple[Any, ...]]:
    return [(s.kind, s.actor, s.text or s.tool or (s.data or {}).get("items")) for s in made.steps]


def test_what_several_modes_tell_is_told_once(tmp_path: Path) -> None:
    made = got(tmp_path, lines(*LG_TUPLES))
    assert [(s.kind, s.actor) for s in made.steps] == [
        ("message", None),
        ("state", None),
        ("agent_start", "supervisor"),
        ("input", None),
        ("state", "supervisor"),
        ("agent_end", "supervisor"),
        ("agent_start", "researcher"),
        ("input", None),
        ("agent_start", "researcher"),
        ("input", None),
        ("tool_call", "researcher"),
        ("agent_end", "researcher"),
        ("tool_result", "researcher"),
        ("message", "researcher"),
        ("agent_end", "researcher"),
        ("state", None),
        ("note", None),
    ]
    assert (made.report.records, made.report.kept, made.report.merged) == (12, 11, 1)
    assert [t.steps for t in got(tmp_path, LG_TUPLES).traces] == [t.steps for t in made.traces], "a list of tuples and their lines are one"


def test_the_graph_below_a_node_is_its_work(tmp_path: Path) -> None:
    made = got(tmp_path, lines(*LG_TUPLES))
    steps = {s.id: s for s in made.steps}
    below = steps["t3"]
    assert below.actor == "researcher"
    assert below.data == {"ns": ["researcher:t2"], "task": "t3", "node": "model"}
    assert [(ref.kind, ref.step) for ref in below.refs] == [("part_of", "t2")]
    assert [(after.step, after.basis) for after in below.order] == [("t2", "parent")]
    call, answer = made.one("tool_call"), made.one("tool_result")
    assert (call.call, answer.call, answer.status) == ("c1", "c1", "ok")
    assert call.data == {"ns": ["researcher:t2"], "task": "t3", "node": "model", "arguments": {"q": "lamps"}}


def test_what_a_node_received_wrote_and_how_it_ended(tmp_path: Path) -> None:
    steps = {s.id: s for s in got(tmp_path, lines(*LG_TUPLES)).steps}
    assert steps["t1/input"].data == {
        "for": "supervisor",
        "messages": [{"role": "user", "parts": [{"type": "text", "content": "find lamps"}]}],
        "items": {"n": 1},
        "whole": True,
    }
    wrote = next(s for s in steps.values() if s.kind == "state" and s.actor == "supervisor")
    assert wrote.data == {"object": "state", "items": {"facts": ["go"]}, "whole": False}
    assert (steps["t2/end"].status, (steps["t2/end"].data or {})["error"]) == ("failed", "boom")
    assert (steps["t1/end"].status, (steps["k1"].data or {})["version"]) == (None, "k1")


def test_server_sent_events(tmp_path: Path) -> None:
    made = got(tmp_path, LG_SSE)
    assert made.traces[0].id == "run-9"
    assert [(s.kind, s.actor, s.text) for s in made.steps] == [
        ("agent_start", "writer", None),
        ("input", None, None),
        ("message", None, "I was"),
        ("state", None, None),
        ("message", "writer", "Hello"),
        ("agent_end", "writer", None),
    ]
    partial = made.steps[2]
    assert (partial.id, partial.data) == ("m9", {"role": "assistant", "partial": True})
    assert made.codes == {"streamed_piece": 2, "broke_off": 1, "headers_left_out": 1, "cut_off": 1}
    assert made.report.dropped == {"cut off": 1}
    assert (made.report.records, made.report.kept, made.report.merged) == (9, 6, 2)
    assert "SEALED" not in str(encode_trace(made.traces[0]))
    assert made.steps[0].time_ns == 1_735_689_600_000_000_000


def test_pieces_that_are_added_to_one_another(tmp_path: Path) -> None:
    def piece(text: str) -> list[Any]:
        return ["messages", [{"content": text, "type": "AIMessageChunk", "id": "m1"}, {"langgraph_node": "writer"}]]

    whole = got(tmp_path, lines(piece("Hel"), piece("lo"), ["updates", {"writer": {"messages": [ai("Hello", "m1")]}}]))
    assert [(s.actor, s.text, s.data) for s in whole.of("message")] == [("writer", "Hello", {"role": "assistant"})]
    broken = got(tmp_path, lines(piece("Hel"), piece("lo")))
    assert [(s.actor, s.text, s.data) for s in broken.of("message")] == [("writer", "Hello", {"role": "assistant", "partial": True})]


def test_a_changed_message_is_told_again_and_a_removed_one_is_noted(tmp_path: Path) -> None:
    made = got(
        tmp_path,
        lines(
            ["updates", {"a": {"messages": [ai("one", "1")]}}],
            ["updates", {"b": {"messages": [ai("two", "1"), {"type": "remove", "id": "0", "content": ""}]}}],
        ),
    )
    assert [(s.id, s.actor, s.text) for s in made.of("message")] == [("1", "a", "one"), ("1~changed", "b", "two")]
    assert made.one("note").data == {"removes": "0"}
    assert made.codes["message_changed"] == 1


def test_messages_without_ids_are_known_by_their_place(tmp_path: Path) -> None:
    again = [human("again"), human("again")]
    made = got(
        tmp_path,
        lines(
            ["values", {"messages": again[:1]}],
            ["updates", {"n": {"messages": again[1:]}}],
            ["values", {"messages": again}],
            ["values", {"messages": [*again, ai("yes")]}],
        ),
    )
    assert [s.text for s in made.of("message")] == ["again", "again", "yes"], "a person who says it twice has said it twice"


def test_a_result_without_its_beginning_is_noted_and_branches_are_routes(tmp_path: Path) -> None:
    result = lg_debug("task_result", 1, id="t9", name="router", error=None, result=[["branch:to:desk", None]], interrupts=[])
    made = got(tmp_path, lines(result))
    assert made.codes["no_task"] == 1
    assert (made.one("route").actor, (made.one("route").data or {})["to"]) == ("router", ["desk"])


def test_the_history_of_a_thread_is_in_the_order_of_parents(tmp_path: Path) -> None:
    made = got(tmp_path, LG_HISTORY)
    assert [s.id for s in made.steps] == ["k1", "1", "k2", "2", "k3"]
    assert [s.seq for s in made.steps] == list(range(5))
    assert made.of("message")[1].actor == "writer"


def test_branches_of_a_fork_are_ordered_by_their_parents_alone(tmp_path: Path) -> None:
    made = got(tmp_path, [lg_checkpoint("b", "root", x=2), lg_checkpoint("a", "root", x=1), lg_checkpoint("root", None, x=0)])
    assert [s.seq for s in made.steps] == [None] * 3
    assert {s.id: [after.step for after in s.order] for s in made.steps} == {"root": [], "a": ["root"], "b": ["root"]}
    assert made.codes == {"fork": 1}
    cycle = got(tmp_path, [lg_checkpoint("a", "b", x=1), lg_checkpoint("b", "a", x=2)])
    assert {s.id for s in cycle.steps} == {"a", "b"}
    assert [s.seq for s in cycle.steps] == [None, None]


@pytest.mark.parametrize("file", [LG_CHECKPOINT, LG_STATE])
def test_one_saved_state(tmp_path: Path, file: Any) -> None:
    made = got(tmp_path, file)
    assert made.one("state").data is not None
    assert [s.text for s in made.of("message")] == (["x"] if file is LG_CHECKPOINT else ["a", "b"])


def test_what_is_nothing_of_langgraph_is_refused(tmp_path: Path) -> None:
    for content in ("words\n\nmore", '{"a": 1}', "[[1, 2]]"):
        with pytest.raises(FormatError):
            got(tmp_path, content, format="langgraph")


def test_a_recorded_stream_of_the_platform() -> None:
    path = SHARED / "corpus" / "langgraph" / "sdk_sse_response.redacted.txt"
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    made = read(path)
    assert made.report.records == 79
    research = [s for s in made.of("agent_start") if s.actor == "conduct_research"]
    assert len(research) == 5, "one task and four in the graph below it"
    assert next(s.text for s in made.of("message")) == "hi"
    plan = next(s for s in made.of("tool_call") if s.tool == "Plan")
    assert list((plan.data or {})["arguments"]) == ["steps"], "the arguments of a streamed call stand beside its block"
    assert "authorization" not in str(made.traces)


def test_the_same_run_by_each_mode_tells_the_same(tmp_path: Path) -> None:
    call = {"name": "search", "args": {"q": "lamps"}, "id": "c1", "type": "tool_call"}
    hit = {"content": "hit", "type": "tool", "name": "search", "id": "3", "tool_call_id": "c1"}
    ask, said, found = human("find", "1"), ai("", "2", "finder", [call]), ai("found", "4", "finder")
    wrote: list[tuple[str, Any]] = [("model", said), ("tools", hit), ("model", found)]
    states = [[ask], [ask, said], [ask, said, hit], [ask, said, hit, found]]
    files: dict[str, Any] = {
        "values": lines(*(["values", {"messages": state}] for state in states)),
        "updates": lines(["values", {"messages": [ask]}], *(["updates", {node: {"messages": [m]}}] for node, m in wrote)),
        "tasks": lines(
            ["values", {"messages": [ask]}],
            *(["tasks", {"id": f"t{n}", "name": node, "result": {"messages": [m]}, "error": None}] for n, (node, m) in enumerate(wrote)),
        ),
        "history": [lg_checkpoint(f"k{n}", f"k{n - 1}" if n else None, messages=state) for n, state in reversed(list(enumerate(states)))],
        "state": {"messages": states[-1]},
    }
    told = {
        name: [
            (s.id, s.kind, s.actor, s.tool, s.call, s.text)
            for s in got(tmp_path, file).steps
            if s.kind in ("message", "tool_call", "tool_result")
        ]
        for name, file in files.items()
    }
    assert told["values"] == [
        ("1", "message", None, None, None, "find"),
        ("2", "tool_call", "finder", "search", "c1", None),
        ("3", "tool_result", "finder", "search", "c1", "hit"),
        ("4", "message", "finder", None, None, "found"),
    ]
    assert all(steps == told["values"] for steps in told.values())


def test_updates_by_node_without_a_mode(tmp_path: Path) -> None:
    asked = {"type": "ai", "id": "m1", "content": "", "tool_calls": [{"name": "book", "args": {"eur": 7}, "id": "t1", "type": "tool_call"}]}
    answer = {"type": "tool", "id": "m2", "tool_call_id": "t1", "name": "book", "content": "done", "status": "success"}
    chunks = {"booker": {"messages": [asked], "plan": "LIS"}}, {"tools": {"messages": [answer]}}, {"quiet": None}
    made = got(tmp_path, lines(*chunks))
    assert [(s.kind, s.actor) for s in made.steps] == [("tool_call", "booker"), ("state", "booker"), ("tool_result", "booker")]
    assert made.steps[0].call == made.steps[2].call


@pytest.mark.parametrize(
    "content",
    [
        lines({"a": {"x": 1}}, {"b": {"x": 2}}),  # by name, and no message
        lines({"a": {"messages": [{"type": "ai", "content": "x"}]}}),  # one line may be any document
        lines({"a": {"messages": [{"type": "ai", "content": "x"}]}, "n": 1}, {"b": {}}),  # a number is no update
        lines({"a": {"messages": [{"role": "user", "content": "x"}]}}, {"b": {}}),  # another's messages
    ],
)
def test_lines_that_may_be_anything_are_not_taken(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(FormatError):
        got(tmp_path, content)
