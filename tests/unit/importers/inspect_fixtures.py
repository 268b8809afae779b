"""Logs of Inspect for tests. Whatever grades bears the word MARK."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from typing import Any

import zstandard

START = {"version": 2, "eval": {"task": "desk", "model": "m-1", "eval_id": "ev1", "run_id": "r1"}, "plan": {}}


def at(second: float) -> str:
    return f"2026-01-01T00:00:{second:09.6f}+01:00"


def begin(id: str, name: str, type: str, second: float, parent: str | None = None) -> dict[str, Any]:
    return {"event": "span_begin", "uuid": f"b-{id}", "id": id, "name": name, "type": type, "parent_id": parent, "timestamp": at(second)}


def end(id: str, second: float) -> dict[str, Any]:
    return {"event": "span_end", "uuid": f"e-{id}", "id": id, "timestamp": at(second)}


def model(id: str, span: str | None, second: float, told: list[Any], answer: str, done: float | None = None, **more: Any) -> dict[str, Any]:
    made = {
        "event": "model",
        "uuid": id,
        "span_id": span,
        "timestamp": at(second),
        "model": "m-1",
        "input": told,
        "tools": [{"name": "look", "description": "d"}],
        "output": {
            "choices": [{"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}],
            "usage": {"input_tokens": 3},
        },
        **more,
    }
    return made if done is None else {**made, "completed": at(done)}


def tool(
    id: str, span: str | None, second: float, name: str, result: Any = "found", done: float | None = None, **more: Any
) -> dict[str, Any]:
    made = {
        "event": "tool",
        "uuid": f"t-{id}",
        "span_id": span,
        "timestamp": at(second),
        "id": id,
        "function": name,
        "arguments": {"q": 1},
        "result": result,
        **more,
    }
    return made if done is None else {**made, "completed": at(done)}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text, "source": "input"}


EVENTS: list[Any] = [
    begin("i", "init", "init", 0),
    {
        "event": "sample_init",
        "span_id": "i",
        "timestamp": at(0.1),
        "sample": {"input": "attachment://a1", "target": "TARGET-MARK", "metadata": {"x": "META-MARK"}},
        "state": {"metadata": "META-MARK"},
    },
    end("i", 0.2),
    begin("s", "chain", "solver", 1),
    begin("A", "planner", "agent", 2, "s"),
    model("m1", "A", 3, [user("attachment://a1")], "I hand over", 4),
    tool("c1", "A", 5, "transfer_to_clerk", "ok", 6, agent="clerk"),
    begin("B", "clerk", "agent", 7, "A"),
    tool("c2", "B", 8, "look", "found", 8.5),
    tool("c3", "B", 9, "look", None, error={"type": "timeout", "message": "slow"}),
    {"event": "state", "span_id": "B", "timestamp": at(9.5), "changes": [{"op": "add", "path": "/messages/2", "value": "x"}]},
    {"event": "state", "span_id": "B", "timestamp": at(9.6), "changes": [{"op": "add", "path": "/scores", "value": "SCORE-MARK"}]},
    {"event": "store", "span_id": "B", "timestamp": at(9.7), "changes": [{"op": "add", "path": "/k", "value": 1}]},
    {"event": "info", "span_id": "B", "timestamp": at(9.8), "data": {"score": "SCORE-MARK", "seen": 1}},
    {"event": "approval", "timestamp": at(9.9), "call": {"id": "c2"}, "approver": "boss", "decision": "approve", "explanation": "fine"},
    end("B", 10),
    end("A", 11),
    end("s", 12),
    begin("S", "scorers", "scorers", 13),
    begin("S1", "judge", "agent", 13, "S"),
    model("g", "S1", 14, [user("TARGET-MARK")], "GRADE-MARK", 15),
    {"event": "score", "span_id": "S1", "timestamp": at(16), "score": {"value": "SCORE-MARK"}, "target": "TARGET-MARK"},
    end("S1", 17),
    end("S", 18),
]

SAMPLE: dict[str, Any] = {
    "id": 1,
    "epoch": 2,
    "input": "attachment://a1",
    "target": "TARGET-MARK",
    "scores": {"judge": {"value": "SCORE-MARK"}},
    "metadata": {"x": "META-MARK"},
    "messages": [],
    "events": EVENTS,
    "attachments": {"a1": "a long question"},
    "uuid": "u1",
}

MESSAGES: dict[str, Any] = {
    "id": "b",
    "epoch": 1,
    "target": "TARGET-MARK",
    "messages": [
        user("q"),
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": "look", "arguments": {"q": 1}}]},
        {"role": "tool", "tool_call_id": "c1", "function": "look", "content": "no", "error": {"type": "permission", "message": "no"}},
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "cannot"}]},
    ],
    "events": [],
}

LOG = {**START, "status": "success", "results": {"scores": ["RESULT-MARK"]}, "samples": [SAMPLE, MESSAGES]}


def archive(members: list[tuple[str, Any]], method: int = zipfile.ZIP_DEFLATED, *, directory: bool = True) -> bytes:
    """A ZIP archive of JSON members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, value in members:
            made.writestr(name, value if isinstance(value, (str, bytes)) else json.dumps(value))
    content = out.getvalue()
    return content if directory else content[: content.index(b"PK\x01\x02")]


def zstd_archive(members: list[tuple[str, Any]]) -> bytes:
    """A ZIP archive whose members are packed with zstd, written by hand."""
    out, entries = b"", b""
    for name, value in members:
        content = json.dumps(value).encode()
        packed = zstandard.ZstdCompressor().compress(content)
        fields = (20, 0, 93, 0, 0, zlib.crc32(content), len(packed), len(content), len(name), 0)
        entries += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, *fields, 0, 0, 0, 0, len(out)) + name.encode()
        out += struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", *fields) + name.encode() + packed
    return out + entries + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(members), len(members), len(entries), len(out), 0)


MEMBERS: list[tuple[str, Any]] = [
    ("_journal/start.json", START),
    ("samples/1_epoch_2.json", SAMPLE),
    ("samples/b_epoch_1.json", MESSAGES),
    ("summaries.json", ["SUMMARY-MARK"]),
    ("reductions.json", ["REDUCTION-MARK"]),
    ("header.json", {**START, "status": "success", "results": {"scores": ["RESULT-MARK"]}}),
]

SEEDS = [json.dumps(LOG).encode(), archive(MEMBERS), zstd_archive(MEMBERS), archive(MEMBERS, directory=False), json.dumps(EVENTS).encode()]
