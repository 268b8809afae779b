"""Langfuse: types of older SDKs, nodes of LangGraph, batch rows, labels; and its own parsing of messages as an oracle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes

Fields = dict[str, Any]
NS = 1_700_000_000_000_000_000


def at(ms: int) -> str:
    return f"2023-11-14T22:13:{20 + ms // 1000:02d}.{ms % 1000:03d}Z"


def observation(
    number: int, type: str, name: str, parent: int | None = None, when: tuple[int, int | None] = (0, 10), **more: Any
) -> Fields:
    return {
        "id": f"o-{number}",
        "traceId": "t-1",
        "parentObservationId": None if parent is None else f"o-{parent}",
        "type": type,
        "name": name,
        "startTime": at(when[0]),
        "endTime": None if when[1] is None else at(when[1]),
        "level": "DEFAULT",
    } | more


ASK = {"role": "user", "content": "price?"}
CALLS = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "price", "arguments": '{"of": "tea"}'}}]}

OLD: list[Fields] = [
    observation(1, "AGENT", "clerk", when=(0, 900)),
    observation(2, "GENERATION", "llm", 1, (10, 20), input=[ASK], output=CALLS, model="m-1", usageDetails={"input": 5, "output": 2}),
    observation(3, "TOOL", "price", 1, (30, 40), input='{"of": "tea"}', output='{"eur": 12}'),
    observation(
        4, "GENERATION", "llm", 1, (50, 60), input=[ASK, CALLS, {"role": "tool", "tool_call_id": "c1", "content": "12"}], output='"12 EUR"'
    ),
    observation(5, "RETRIEVER", "docs", 1, (61, 62), input="tea", output=["tea is 12 EUR"]),
    observation(6, "EVENT", "noticed", 1, (63, None), input={"what": "it"}),
    observation(7, "TOOL", "notify", 1, (70, 80), input={"to": "x"}, level="ERROR", statusMessage="connection reset"),
    observation(8, "EVALUATOR", "grader", 1, (81, 82), input="12 EUR", output="0.9"),
    observation(9, "SPAN", "step", None, (83, None)),
]
TRACE: Fields = {
    "id": "t-1",
    "projectId": "p",
    "name": "desk",
    "timestamp": at(0),
    "sessionId": "s-1",
    "userId": "u",
    "tags": ["a"],
    "input": "price?",
    "metadata": json.dumps({"customer": "c7", "ground_truth": "12 EUR"}),
    "scores": [{"id": "x", "name": "helpful", "value": 1, "traceId": "t-1", "observationId": "o-4", "comment": "right"}],
}
EXPORT = {"trace": TRACE | {"observations": OLD}, "observations": OLD}


def imported(folder: Path, value: Any) -> Got:
    got = read_bytes(folder, json.dumps(value).encode())
    assert got.report.format == "langfuse"
    return got


def test_what_an_observation_is_its_type_says(tmp_path: Path) -> None:
    got = imported(tmp_path, EXPORT)
    assert (got.report.records, got.report.kept, got.report.merged) == (19, 10, 9)
    assert [trace.id for trace in got.traces] == ["t-1"]
    assert got.traces[0].header.origin["conversations"] == ["s-1"]
    assert got.traces[0].header.clocks == {}  # Nobody says that one process wrote this.
    assert got.one("agent_start").actor == "clerk"
    price, notify = got.of("tool_call")
    assert (price.tool, price.actor, price.call, price.data) == ("price", "clerk", "o-3", {"arguments": {"of": "tea"}} | (_type("tool")))
    assert [(s.tool, s.status, s.text) for s in got.of("tool_result")] == [("price", "ok", '{"eur": 12}'), ("notify", "timeout", None)]
    assert notify.time_ns == NS + 70_000_000
    model, again = got.of("model_result")
    assert (model.data or {})["usage"] == {"input_tokens": 5, "output_tokens": 2}
    assert (model.data or {})["messages"][0]["parts"] == [{"type": "tool_call", "id": "c1", "name": "price", "arguments": {"of": "tea"}}]
    assert again.text == "12 EUR"
    assert [(s.text, (s.data or {})["role"]) for s in got.of("message")] == [("price?", "user"), ("12", "tool")]
    assert all("whole" not in (s.data or {}) for s in got.of("input"))
    assert got.traces[0].header.claims == ()
    assert {(s.data or {}).get("name") for s in got.of("span")} >= {"noticed", "step"}


def _type(kind: str) -> Fields:
    return {"attributes": {"langfuse.observation.type": kind}}


def test_labels_are_sealed(tmp_path: Path) -> None:
    got = imported(tmp_path, EXPORT)
    sealed = {(label.step, label.key) for label in got.labels}
    assert sealed == {
        ("o-4", "scores.helpful"),
        ("log/1", "metadata.ground_truth"),
        ("o-8", "langfuse.observation.input"),
        ("o-8", "langfuse.observation.output"),
    }
    note = got.one("note")
    assert (note.data or {})["attributes"]["metadata"] == {"customer": "c7"}
    assert "0.9" not in str(got.traces)


def test_a_tool_result_that_is_not_in_the_export_is_not_made_up(tmp_path: Path) -> None:
    """Bug case 31: the answer names a price, the call of the tool is in it, and what the tool said is nowhere."""
    one = observation(1, "GENERATION", "agent", input=json.dumps([ASK]), output=json.dumps(CALLS | {"content": "It is 12 EUR"}))
    got = imported(tmp_path, {"trace": {"id": "t-1", "name": "x", "observations": [one]}, "observations": [one]})
    assert (got.report.kept, got.report.merged) == (2, 1)
    assert got.of("tool_call") == got.of("tool_result") == []
    assert got.one("model_result").text == "It is 12 EUR"
    path = SHARED / "bugcases" / "31_missing_tool_outputs.json"
    if path.is_file():
        assert [s.kind for s in read(path).steps if s.kind.startswith("tool")] == []


def test_other_shapes_of_the_same(tmp_path: Path) -> None:
    expected = [s.id for s in imported(tmp_path, EXPORT).steps if s.kind != "note"]
    rows = [
        {
            "id": o["id"],
            "trace_id": o["traceId"],
            "parent_observation_id": o["parentObservationId"],
            "start_time": o["startTime"].replace("T", " ").removesuffix("Z"),
            "end_time": o["endTime"],
            "status_message": o.get("statusMessage"),
            **{k: v for k, v in o.items() if k not in ("traceId", "parentObservationId", "startTime", "endTime", "statusMessage")},
        }
        for o in OLD
    ]
    lines = read_bytes(tmp_path, "".join(json.dumps(row) + "\n" for row in rows).encode())
    assert lines.report.format == "langfuse"
    for got in (
        imported(tmp_path, OLD),
        imported(tmp_path, {"data": OLD, "meta": {"page": 1}}),
        imported(tmp_path, TRACE | {"observations": OLD}),
        imported(tmp_path, {"data": [TRACE | {"observations": OLD}]}),
        imported(tmp_path, rows),
        lines,
    ):
        assert [s.id for s in got.steps if s.kind != "note"] == expected


def test_a_trace_whose_observations_are_only_named(tmp_path: Path) -> None:
    got = imported(tmp_path, {"data": [TRACE | {"observations": ["o-1", "o-2"], "bookmarked": False}]})
    assert [s.kind for s in got.steps] == ["note"]
    assert got.report.dropped == {"an observation that is only named": 2}


def test_copies_that_contradict_each_other_are_both_kept(tmp_path: Path) -> None:
    other = OLD[2] | {"output": '{"eur": 13}'}
    got = imported(tmp_path, {"trace": TRACE | {"observations": [OLD[2]]}, "observations": [other]})
    assert got.codes["same_id"] == 1
    assert sorted(s.text or "" for s in got.of("tool_result")) == ['{"eur": 12}', '{"eur": 13}']


def test_nodes_of_langgraph(tmp_path: Path) -> None:
    def ns(*nodes: str) -> Fields:
        return {"langgraph_node": nodes[-1], "langgraph_checkpoint_ns": "|".join(f"{n}:1" for n in nodes)}

    message = {
        "lc": 1,
        "type": "constructor",
        "id": ["x", "ToolMessage"],
        "kwargs": {"content": "12", "tool_call_id": "c1", "name": "price"},
    }
    human = {"lc": 1, "type": "constructor", "id": ["x", "HumanMessage"], "kwargs": {"content": "price?"}}
    graph = [
        observation(1, "SPAN", "LangGraph", when=(0, 100)),
        observation(2, "SPAN", "researcher", 1, (1, 50), metadata=ns("researcher")),
        observation(3, "SPAN", "agent", 2, (2, 20), metadata=ns("researcher", "agent")),
        observation(4, "GENERATION", "ChatX", 3, (3, 19), metadata=ns("researcher", "agent"), input={"messages": [[human]]}),
        observation(5, "SPAN", "price", 2, (21, 30), metadata=ns("researcher", "tools"), input='{"of": "tea"}', output=json.dumps(message)),
        observation(6, "SPAN", "writer", 1, (51, 90), metadata=json.dumps(ns("writer"))),
        observation(
            7, "GENERATION", "ChatX", 6, (52, 80), metadata=ns("writer"), input=[human, ["ai", "hm"]], output={"type": "ai", "content": "x"}
        ),
        observation(8, "GENERATION", "ChatX", 1, (91, 95), metadata=ns("agent"), input="?"),
    ]
    got = imported(tmp_path, graph)
    assert [(s.id, s.actor) for s in got.of("agent_start")] == [("o-2", "researcher"), ("o-6", "writer")]
    assert [(s.id, s.actor) for s in got.of("model_call")] == [("o-4", "researcher"), ("o-7", "writer"), ("o-8", None)]
    call, answer = got.one("tool_call"), got.one("tool_result")
    assert (call.tool, call.actor, call.call) == ("price", "researcher", "c1")
    assert (answer.text, answer.status) == ("12", "ok")
    assert [s.text for s in got.of("message")] == ["price?", "price?", "hm", "?"]
    assert got.of("model_result")[1].text == "x"


# ---- the oracle ----

FOLDERS = SHARED / "corpus" / "langfuse-traces", SHARED / "corpus" / "langfuse-chatml"
PAIRS = [
    (trace, chatml)
    for trace in sorted(FOLDERS[0].glob("*.trace.json"))
    if (chatml := FOLDERS[1] / trace.name.replace(".trace.", ".chatml.")).is_file()
]


def normal(messages: list[Fields]) -> list[Any]:
    """Role, words and calls of messages in Langfuse's normal form; None for each that it keeps as JSON only."""
    made = []
    for m in messages:
        content = m.get("content")
        if "role" not in m or (content in (None, "") and not m.get("tool_calls")):
            made.append(None)
            continue
        words = content if isinstance(content, str) else "\n".join(str(p.get("text")) for p in content if p.get("type") == "text")
        blocks = [p for p in content if p.get("type") == "tool_use"] if isinstance(content, list) else []  # It leaves these unread.
        calls = [(c.get("id"), c.get("name")) for c in (*blocks, *(m.get("tool_calls") or ()))]
        made.append((words, calls))
    return made


def ours(messages: list[Fields]) -> list[Any]:
    made = []
    for m in messages:
        words = [str(p.get("content", p.get("response"))) for p in m["parts"] if p.get("type") in ("text", "tool_call_response")]
        made.append(("\n".join(words), [(p.get("id"), p.get("name")) for p in m["parts"] if p.get("type") == "tool_call"]))
    return made


@pytest.mark.skipif(not PAIRS, reason=f"{SHARED} holds no messages normalised by Langfuse on this machine")
def test_messages_are_read_as_langfuse_reads_them() -> None:
    compared = 0
    for path, chatml in PAIRS:
        steps = {step.id: step for step in read(path).steps}
        for identifier, sides in json.loads(chatml.read_bytes()).items():
            for side, step in (("input", steps.get(f"{identifier}/input")), ("output", steps.get(f"{identifier}/end"))):
                told = sides.get(side, {})
                if not told.get("success") or step is None or step.kind not in ("input", "model_result"):
                    continue
                expected = normal(told["data"])
                got = ours((step.data or {}).get("messages", []))
                if None in expected:
                    continue
                assert got == expected, f"{path.name}: {identifier} {side}"
                compared += 1
    assert compared >= 8
