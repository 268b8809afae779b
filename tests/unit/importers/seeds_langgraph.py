"""Sound files of LangGraph: streams, histories, checkpoints, states."""

from __future__ import annotations

import json
from typing import Any

from unit.importers.writing import encoded, lines

SEEDS: dict[str, list[bytes]] = {}


def human(text: str, id: str | None = None) -> dict[str, Any]:
    return {"content": text, "additional_kwargs": {}, "response_metadata": {}, "type": "human", "name": None, "id": id}


def ai(text: str, id: str | None = None, name: str | None = None, calls: list[Any] | None = None) -> dict[str, Any]:
    return {
        "content": text,
        "additional_kwargs": {},
        "response_metadata": {},
        "type": "ai",
        "name": name,
        "id": id,
        "tool_calls": calls or [],
    }


LG_SEARCH = {"name": "search", "args": {"q": "lamps"}, "id": "c1", "type": "tool_call"}
LG_ASK = ai("", "m2", None, [LG_SEARCH])
LG_FOUND = ai("found", "m4", "researcher")
LG_HIT = {"content": "hit", "type": "tool", "name": "search", "id": "m3", "tool_call_id": "c1", "status": "success"}


def lg_debug(sort: str, step: int, **payload: Any) -> dict[str, Any]:
    return {"step": step, "timestamp": f"2025-01-01T00:00:0{max(step, 0)}+00:00", "type": sort, "payload": payload}


def lg_checkpoint(identifier: str, parent: str | None, **values: Any) -> dict[str, Any]:
    return {
        "config": {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": identifier}},
        "parent_config": None if parent is None else {"configurable": {"checkpoint_id": parent}},
        "values": values,
        "metadata": {"source": "loop", "step": 1},
        "next": [],
        "tasks": [],
    }


LG_BELOW = ["researcher:t2"]

LG_TUPLES: list[Any] = [
    [[], "values", {"messages": [human("find lamps", "m1")]}],
    [[], "tasks", {"id": "t1", "name": "supervisor", "input": {"messages": [human("find lamps", "m1")], "n": 1}, "triggers": ["start"]}],
    [[], "updates", {"supervisor": {"facts": ["go"]}}],
    [[], "tasks", {"id": "t1", "name": "supervisor", "error": None, "result": {"facts": ["go"]}, "interrupts": []}],
    [[], "tasks", {"id": "t2", "name": "researcher", "input": {"messages": []}, "triggers": []}],
    [LG_BELOW, "tasks", {"id": "t3", "name": "model", "input": {"messages": []}, "triggers": []}],
    [LG_BELOW, "messages", [LG_ASK, {"langgraph_node": "model"}]],
    [LG_BELOW, "tasks", {"id": "t3", "name": "model", "error": None, "result": [["messages", [LG_ASK]]]}],
    [LG_BELOW, "updates", {"tools": {"messages": [LG_HIT]}}],
    [[], "tasks", {"id": "t2", "name": "researcher", "error": "boom", "result": {"messages": [LG_ASK, LG_HIT, LG_FOUND]}}],
    [[], "checkpoints", lg_checkpoint("k1", None, facts=["go"], messages=[human("find lamps", "m1"), LG_HIT])],
    [[], "custom", {"progress": 1}],
]

LG_EVENTS: list[tuple[str, Any]] = [
    ("metadata", {"run_id": "run-9", "attempt": 1}),
    ("debug", lg_debug("task", 0, id="t1", name="writer", input={"messages": []}, triggers=[])),
    ("messages/metadata", {"m1": {"metadata": {"langgraph_node": "writer", "langgraph_checkpoint_ns": "writer:t1"}}}),
    ("messages/partial", [{"id": "m1", "type": "ai", "content": "Hel"}]),
    ("messages/partial", [{"id": "m1", "type": "ai", "content": "Hello"}]),
    ("messages/partial", [{"id": "m9", "type": "ai", "content": "I was"}]),
    (
        "debug|writer:t1",
        lg_debug("checkpoint", 0, config={"configurable": {"authorization": "SEALED", "checkpoint_id": "k0"}}, values={"x": 1}),
    ),
    ("debug", lg_debug("task_result", 1, id="t1", name="writer", error=None, result=[["messages", [ai("Hello", "m1")]]], interrupts=[])),
]

LG_SSE = (
    ": connected\n\n"
    + "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in LG_EVENTS)
    + 'event: debug\ndata: {"step":1,"type":"task_res'
)

LG_HISTORY = [
    lg_checkpoint("k3", "k2", messages=[human("a", "1"), ai("b", "2", "writer")]),
    lg_checkpoint("k2", "k1", messages=[human("a", "1")]),
    lg_checkpoint("k1", None, messages=[]),
]

LG_CHECKPOINT = {
    "v": 4,
    "id": "k9",
    "ts": "2025-01-01T00:00:00+00:00",
    "channel_values": {
        "messages": [{"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": "x", "id": "1"}}]
    },
    "channel_versions": {},
    "versions_seen": {},
}

LG_STATE = {"messages": [human("a", "1"), ai("b", "2")], "facts": ["f"]}

SEEDS["langgraph"] = encoded(
    lines(*LG_TUPLES),
    LG_TUPLES,
    LG_SSE,
    lines(*(lg_debug("task", 0, id="t", name="n", input={}, triggers=[]) for _ in range(2))),
    lines({"type": "updates", "ns": [], "data": {"n": {"x": 1}}}),
    lines(["updates", {"n": {"messages": [ai("x", "1")]}}]),
    LG_HISTORY,
    LG_CHECKPOINT,
    LG_STATE,
)
