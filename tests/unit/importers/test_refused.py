"""Files that lie beside recordings and are none are refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.importers import open_recording, recordings

REFUSED: list[tuple[bytes | Any, str]] = [
    ({"$defs": {"A": {"type": "object"}}, "type": "array"}, "a JSON Schema"),
    ({"traces": [{"trace_id": "t", "span_count": 3}], "total": 1}, "a list of traces without their spans"),
    ({"final_output": "x", "input": "y", "raw_responses": []}, "a result of the OpenAI Agents SDK"),
    ({"id": "resp_1", "object": "response", "output": [{"type": "message"}]}, "one reply of a model (OpenAI Responses)"),
    ({"id": "c", "object": "chat.completion", "choices": []}, "one reply of a model (chat completion)"),
    ({"0123456789abcdef": {"input": {"success": True, "data": []}}}, "messages as Langfuse normalises them"),
    (
        b'["client.beta.sessions.create",{"id":"s"}]\n["client.beta.sessions.events.stream",{}]\n',
        "a log of calls of Anthropic's managed agents",
    ),
    ({"events": [{"type": "item.completed", "item": {"type": "agent_message"}}]}, "events of a coding agent"),
    ({"items": [{"type": "function_call", "call_id": "c1"}]}, "items of a session without its head"),
    (b"id,customer,amount\n1,c7,15.00\n", "a table (CSV)"),
    (b"# Notes\n\nWhat we did.\n", "a page of prose"),
    (b"<!DOCTYPE html>\n<html></html>", "a web page"),
    (b"SQLite format 3\0" + b"\0" * 100, "an SQLite database"),
    (b"PAR1\x15\x04", "a Parquet file"),
    (b"%PDF-1.7\n", "a PDF document"),
    (b'{"version": 1, "status": ', "JSON that is broken or breaks off"),
    (b'{"a": 1}\n{"a": 2}\n', "JSON Lines that no importer knows"),
    (b'{"planner": {"plan": "LIS"}}\n{"booker": {"done": true}}\n', "JSON Lines by name, as LangGraph's updates are"),
    (b'{"a": 1}\n{"a": ', "JSON that is broken or breaks off"),
    (b"\x89PNG\r\n\x1a\n", "a picture"),
    (b"\x80\x04\x95\x10\x00", "a Python pickle"),
]


@pytest.mark.parametrize(("content", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_a_known_sort_of_file_is_refused_by_name(tmp_path: Path, content: bytes | Any, words: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(FormatError) as caught:
        open_recording(path)
    assert caught.value.message.startswith(f"expected a recording, got {words}")
    (found,) = recordings([path])
    assert found.refused == caught.value.message


def test_others_are_not_guessed_at(tmp_path: Path) -> None:
    for content in (b"hello", b"{}", b"[]", b'{"a": 1}', b"\xff\xfe", b"1,2,3\n", b"#comment\n"):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(FormatError, match="no importer recognises the content"):
            open_recording(tmp_path / "file")
