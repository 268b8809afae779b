"""A model's input is claimed only where nothing says that a part of it is missing: no mask, no cut, nothing that the service keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.importers import open_recording

USER = [{"role": "user", "content": "and the other one?"}]
MARKS = (
    "[REDACTED]",
    "[redacted]",
    "<redacted by policy>",
    "REDACTED",
    "***",
    "***REDACTED***",
    "<PII_MASKED>",
    "the key is [masked token], use it",
    "abc... [truncated 400 chars]",
    "abc (12345 chars omitted)",
    "abc (12345 chars omitted) xyz",
    "abc [... 1,200 lines omitted ...] xyz",
    "abc <512 bytes elided>",
    "abc \u2026 +123 more characters",
    "abc ...(1234 more bytes)",
    "abc\u20262041 tokens truncated\u2026xyz",
    "abc {42 messages were removed}",
    "abc (3 lines not shown)",
)
PLAIN = (
    "he asked whether it is masked",
    "**bold** and *** stars",
    "the text was redacted by us",
    "[a list] of (things)",
    "he omitted 3 lines (of 12)",
    "42 lines removed, 3 more lines added (see below)",
    "one more line ... and 5 more lines of code",
    "(5 lines)",
    "... 3 tokens of gratitude",
)


def claims(path: Path, value: Any) -> int:
    path.write_text(json.dumps(value))
    return sum(len(trace.header.claims) for trace in open_recording(path).traces)


def langsmith(inputs: dict[str, Any], **parameters: Any) -> list[dict[str, Any]]:
    run = {"id": "r1", "trace_id": "r1", "name": "ChatOpenAI", "run_type": "llm", "start_time": "2026-01-01T00:00:00", "inputs": inputs}
    about = {"metadata": {"ls_provider": "openai", "ls_model_type": "chat"}, "invocation_params": {"model": "m", **parameters}}
    return [{**run, "outputs": {"choices": [{"message": {"role": "assistant", "content": "yes"}}]}, "extra": about}]


def agents(messages: list[Any], **response: Any) -> dict[str, Any]:
    data = {"type": "response", "input": messages, "response": {"id": "r2", "model": "m", "output": [], **response}}
    span = {"object": "trace.span", "id": "span_b", "trace_id": "trace_1", "parent_id": None, "span_data": data}
    return {"data": [{"object": "trace", "id": "trace_1", "workflow_name": "w"}, span]}


def otlp(messages: list[Any], **more: str) -> dict[str, Any]:
    said = [{"role": m["role"], "parts": [{"type": "text", "content": m["content"]}]} for m in messages]
    told = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(said), **more}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in told.items()]
    span = {"traceId": "0" * 31 + "1", "spanId": "0" * 15 + "1", "name": "chat m", "startTimeUnixNano": "1", "attributes": attributes}
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": [span]}]}]}


def inspect_log(messages: list[Any]) -> dict[str, Any]:
    event = {"event": "model", "uuid": "e1", "timestamp": "2026-01-01T00:00:00+00:00", "model": "m", "input": messages, "output": {}}
    head = {"task": "t", "task_id": "t", "run_id": "r", "created": "2026-01-01T00:00:00+00:00", "model": "m"}
    return {"version": 2, "status": "success", "eval": head, "samples": [{"id": 1, "epoch": 1, "input": "q", "events": [event]}]}


SHAPES = {
    "langsmith": lambda messages: langsmith({"messages": messages}),
    "openai_agents": agents,
    "otlp": otlp,
    "inspect": inspect_log,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_bears_no_mark_is_claimed(shape: str, tmp_path: Path) -> None:
    for words in PLAIN:
        assert claims(tmp_path / "r.json", SHAPES[shape]([{"role": "user", "content": words}])) == 1, words


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("words", MARKS)
def test_what_bears_a_mark_is_not_claimed(shape: str, words: str, tmp_path: Path) -> None:
    assert claims(tmp_path / "r.json", SHAPES[shape]([{"role": "user", "content": words}, *USER])) == 0


def test_instructions_count_as_part_of_the_input(tmp_path: Path) -> None:
    assert claims(tmp_path / "r.json", agents(USER, instructions="be kind")) == 1
    assert claims(tmp_path / "r.json", agents(USER, instructions="[REDACTED]")) == 0
    masked = json.dumps([{"type": "text", "content": "[REDACTED]"}])
    assert claims(tmp_path / "r.json", otlp(USER, **{"gen_ai.system_instructions": masked})) == 0


@pytest.mark.parametrize(
    "kept",
    [{"previous_response_id": "r1"}, {"conversation": {"id": "c1"}}, {"prompt": {"id": "p1", "version": "2"}}],
    ids=lambda k: next(iter(k)),
)
def test_what_the_service_keeps_is_not_in_the_record(kept: dict[str, Any], tmp_path: Path) -> None:
    assert claims(tmp_path / "r.json", agents(USER, **kept)) == 0
    assert claims(tmp_path / "r.json", langsmith({"input": USER, **kept})) == 0
    assert claims(tmp_path / "r.json", langsmith({"input": USER}, **kept)) == 0
    assert claims(tmp_path / "r.json", otlp(USER, **{"llm.invocation_parameters": json.dumps(kept)})) == 0
    nothing = dict.fromkeys(kept)
    assert claims(tmp_path / "r.json", agents(USER, **nothing)) == 1
    assert claims(tmp_path / "r.json", otlp(USER, **{"llm.invocation_parameters": json.dumps(nothing)})) == 1
