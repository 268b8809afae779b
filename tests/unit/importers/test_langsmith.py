"""LangSmith: posts and patches, parts, nested exports, LangChain's messages, LangGraph's nodes and handoffs, labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unit.importers.otlp_fixtures import Got, read_bytes

Fields = dict[str, Any]


def name(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def at(ms: int) -> str:
    return f"2024-10-11T20:58:{ms // 1000:02d}.{ms % 1000:03d}000"


def order(*numbers: int) -> str:
    return ".".join(f"20241011T2058{n:02d}000000Z{name(n)}" for n in numbers)


def run(
    number: int, run_type: str, called: str, above: tuple[int, ...] = (), when: tuple[int, int | None] = (0, 10), **more: Any
) -> Fields:
    metadata = more.pop("metadata", {})
    return {
        "id": name(number),
        "name": called,
        "run_type": run_type,
        "start_time": at(when[0]),
        "end_time": None if when[1] is None else at(when[1]),
        "trace_id": name((*above, number)[0]),
        "parent_run_id": name(above[-1]) if above else None,
        "dotted_order": order(*above, number),
        "extra": {"metadata": metadata, "runtime": {"sdk": "langsmith-py"}} | more.pop("extra", {}),
        "error": None,
        "inputs": {},
        "outputs": None,
        "status": "success",
    } | more


def lc(kind: str, **kwargs: Any) -> Fields:
    return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", kind], "kwargs": kwargs}


def ns(*nodes: str) -> Fields:
    return {"langgraph_node": nodes[-1], "langgraph_checkpoint_ns": "|".join(f"{n}:1" for n in nodes), "thread_id": "th-1"}


CALL = {"id": "c1", "name": "price", "args": {"of": "tea"}, "type": "tool_call"}
GRAPH: list[Fields] = [
    run(1, "chain", "LangGraph", when=(0, 900), inputs={"messages": [["user", "price?"]]}, metadata={"thread_id": "th-1"}),
    run(2, "chain", "researcher", (1,), (1, 400), metadata=ns("researcher")),
    run(3, "chain", "agent", (1, 2), (2, 90), metadata=ns("researcher", "agent")),
    run(
        4,
        "llm",
        "ChatX",
        (1, 2, 3),
        (3, 80),
        metadata=ns("researcher", "agent") | {"ls_model_name": "m-1"},
        extra={"invocation_params": {"tools": [{"type": "function", "function": {"name": "price"}}]}},
        inputs={"messages": [[lc("SystemMessage", content="Be brief."), lc("HumanMessage", content="price?")]]},
        outputs={"generations": [[{"text": "", "message": lc("AIMessage", content="", tool_calls=[CALL])}]]},
        events=[{"name": "start", "time": at(3)}, *({"name": "new_token", "time": at(9), "kwargs": {"token": "a"}} for _ in range(3))],
    ),
    run(
        5,
        "tool",
        "price",
        (1, 2),
        (100, 120),
        metadata=ns("researcher", "tools"),
        inputs={"input": "{'of': 'tea', 'left': None}"},
        outputs={"output": lc("ToolMessage", content="12 EUR", tool_call_id="c1", name="price")},
    ),
    run(
        6,
        "tool",
        "give_to_writer",
        (1, 2),
        (130, 140),
        metadata=ns("researcher", "tools"),
        inputs={"why": "done"},
        error="ParentCommand(Command(graph='__parent__', goto='writer', update={}))",
        status="error",
    ),
    run(7, "chain", "writer", (1,), (410, 800), metadata=ns("writer")),
    run(8, "tool", "send", (1, 7), (500, 510), metadata=ns("writer"), inputs={"to": "x"}, error="ReadTimeout: timed out", status="error"),
    run(
        9,
        "retriever",
        "docs",
        (1, 7),
        (520, 530),
        metadata=ns("writer") | {"reference_output": "12"},
        feedback_stats={"helpful": {"avg": 1}},
    ),
    run(10, "tool", "slow", (1, 7), (540, None), metadata=ns("writer"), inputs={"a": 1}, status="pending"),
]


def imported(folder: Path, value: Any) -> Got:
    got = read_bytes(folder, value if isinstance(value, bytes) else json.dumps(value).encode())
    assert got.report.format == "langsmith"
    return got


def test_runs_of_a_graph(tmp_path: Path) -> None:
    got = imported(tmp_path, GRAPH)
    assert (got.report.records, got.report.kept) == (10, 10)
    assert got.traces[0].id == name(1)
    assert got.traces[0].header.origin["conversations"] == ["th-1"]
    assert got.traces[0].header.clocks == {}
    assert [(s.id, s.actor) for s in got.of("agent_start")] == [(name(2), "researcher"), (name(7), "writer")]
    model, answer = got.one("model_call"), got.one("model_result")
    assert (model.actor, (model.data or {})["model"], (model.data or {})["tool_names"]) == ("researcher", "m-1", ["price"])
    assert (model.data or {})["attributes"]["langsmith.streamed_tokens"] == 3
    assert [s.text for s in got.of("message")] == ["Be brief.", "price?"]
    assert (got.one("input").data or {})["whole"] is True
    assert [c.stream for c in got.traces[0].header.claims] == ["input/researcher"]
    assert (answer.data or {})["messages"][0]["parts"][-1] == {"type": "tool_call", "id": "c1", "name": "price", "arguments": {"of": "tea"}}
    calls = {s.tool: s for s in got.of("tool_call")}
    assert (calls["price"].call, calls["price"].actor) == ("c1", "researcher")
    assert (calls["price"].data or {})["arguments"] == {"of": "tea", "left": None}
    assert {s.tool: (s.status, s.text) for s in got.of("tool_result")} == {
        "price": ("ok", "12 EUR"),
        "give_to_writer": (None, None),
        "send": ("timeout", None),
    }
    handoff = got.one("handoff")
    assert (handoff.actor, handoff.recipients, handoff.tool) == ("researcher", ("writer",), "give_to_writer")
    assert got.of("agent_start")[1].refs[0].step == handoff.id
    assert {(label.step, label.key) for label in got.labels} == {(name(9), "feedback_stats"), (name(9), "metadata.reference_output")}
    assert got.codes == {"control_passed": 1}


def batch(runs: list[Fields]) -> Fields:
    post = [{k: v for k, v in r.items() if k not in ("end_time", "outputs", "error")} | {"outputs": {}} for r in runs]
    patch = [
        {"id": r["id"], "trace_id": r["trace_id"], "dotted_order": r["dotted_order"], "end_time": r["end_time"], "outputs": r["outputs"]}
        | ({"error": r["error"]} if r["error"] else {})
        for r in runs
        if r["end_time"]
    ]
    del patch[0]["id"]  # As the JavaScript SDK sends it.
    return {"post": post, "patch": patch}


def nested(runs: list[Fields]) -> Fields:
    by_id: dict[str, Fields] = {r["id"]: {**r, "child_runs": []} for r in runs}
    for r in by_id.values():
        parent = by_id.get(r.pop("parent_run_id") or "")
        if parent is not None:
            parent["child_runs"].append(r)
            del r["dotted_order"]
    return by_id[runs[0]["id"]]


def parts(runs: list[Fields]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for sort, listed in batch(runs).items():
        for r in listed:
            identifier = r.get("id", name(1))
            made[f"{sort}.{identifier}"] = {k: v for k, v in r.items() if k not in ("inputs", "outputs")}
            for side in ("inputs", "outputs"):
                if r.get(side):
                    made[f"{sort}.{identifier}.{side}"] = r[side]
    return made


def body(runs: list[Fields]) -> bytes:
    mark = b"--abc123"
    listed = [
        f'Content-Disposition: form-data; name="{key}"\r\nContent-Type: application/json\r\n\r\n{json.dumps(value)}\r\n'.encode()
        for key, value in [*parts(runs).items(), ("feedback.x", {"score": 1})]
    ]
    return b"".join(mark + b"\r\n" + part for part in listed) + mark + b"--\r\n"


def test_other_shapes_of_the_same(tmp_path: Path) -> None:
    expected = imported(tmp_path, GRAPH)
    n_patched = sum(1 for r in GRAPH if r["end_time"])
    lines = "".join(json.dumps(r) + "\n" for r in reversed(GRAPH)).encode()
    for value, merged in (
        (lines, 0),
        ({"runs": GRAPH}, 0),
        (nested(GRAPH), 0),
        (batch(GRAPH), n_patched),
        ([batch(GRAPH[:4]), batch(GRAPH[4:])], n_patched),
        (parts(GRAPH), n_patched),
        (body(GRAPH), n_patched),
    ):
        got = imported(tmp_path, value)
        assert got.report.merged == merged
        assert {s.id: (s.kind, s.status, s.text, s.actor, s.time_ns) for s in got.steps} == {
            s.id: (s.kind, s.status, s.text, s.actor, s.time_ns) for s in expected.steps
        }
    assert got.report.dropped == {"a part that is no run": 1}


def test_a_patch_without_its_post(tmp_path: Path) -> None:
    got = imported(tmp_path, {"post": [], "patch": batch(GRAPH[4:5])["patch"] + batch(GRAPH[7:8])["patch"]})
    assert got.codes["patch_only"] == 2
    assert [s.time_ns for s in got.of("span")] == [None, None]  # What it was, its post would have said.


def test_runs_that_contradict_each_other_are_both_kept(tmp_path: Path) -> None:
    other = GRAPH[4] | {"outputs": {"output": "13 EUR"}}
    got = imported(tmp_path, [GRAPH[4], other, GRAPH[4]])
    assert got.codes["same_id"] == 1
    assert sorted(s.text or "" for s in got.of("tool_result")) == ["12 EUR", "13 EUR"]
    assert len({s.call for s in got.of("tool_call")}) == 1  # one call, of which two things are said: it does not count twice


def test_a_command_of_a_tool_is_a_handoff(tmp_path: Path) -> None:
    command = {"lg_name": "Command", "update": {"messages": []}, "goto": "writer", "graph": "__parent__"}
    tool = run(6, "tool", "escalate", (1, 2), metadata=ns("researcher", "tools"), inputs={"a": 1}, outputs={"output": command})
    got = imported(tmp_path, [*GRAPH[:2], tool])
    handoff = got.one("handoff")
    assert (handoff.actor, handoff.recipients) == ("researcher", ("writer",))
    ended = imported(tmp_path, [*GRAPH[:2], tool | {"outputs": {"output": command | {"goto": "__end__"}}}])
    assert ended.of("handoff") == []


def test_items_of_the_responses_api(tmp_path: Path) -> None:
    items = [
        {"role": "user", "content": "price?"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "c1", "name": "price", "arguments": '{"of": "tea"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "12 EUR"},
    ]
    reply = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "12 EUR."}]}
    wrapped = {"ls_provider": "openai", "ls_model_type": "chat"}
    given = {"inputs": {"input": items, "instructions": "Be brief."}, "outputs": {"output": [reply]}}
    got = imported(tmp_path, [run(1, "llm", "R", metadata=wrapped, **given)])
    told = (got.one("input").data or {})["messages"]
    assert [m["role"] for m in told] == ["system", "user", "assistant", "assistant", "tool"]
    assert told[3]["parts"] == [{"type": "tool_call", "id": "c1", "name": "price", "arguments": {"of": "tea"}}]
    assert told[4]["parts"] == [{"type": "tool_call_response", "id": "c1", "response": "12 EUR"}]
    assert (got.one("input").data or {})["whole"] is True
    assert got.one("model_result").text == "12 EUR."
    traced = imported(tmp_path, [run(1, "llm", "my_function", **given)])
    assert "whole" not in (traced.one("input").data or {})  # What the function sent on is not recorded.
    assert traced.traces[0].header.claims == ()


def test_prompts_and_hidden_inputs(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        [
            run(1, "llm", "LLM", inputs={"prompts": ["price?"]}, outputs={"generations": [[{"text": "12"}]]}, prompt_tokens=3),
            run(2, "llm", "LLM", inputs={}, outputs={}),
        ],
    )
    first, second = got.traces
    assert [s.text for s in first.steps if s.kind in ("message", "model_result")] == ["price?", "12"]
    assert [s.kind for s in second.steps] == ["model_call", "model_result"]
    assert got.report.unknown["the input of a model call"] == 1
