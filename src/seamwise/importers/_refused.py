"""What a file is that no importer reads: some sorts of files lie beside recordings so often that they are refused by name.

One line of :data:`_KNOWN` is one sort: what it is, what to do instead (if there is something), and how its first bytes tell it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from seamwise.importers._shared.sniff import Outline, outline
from seamwise.importers._source import HEAD_BYTES, plain_text


class Refusal(NamedTuple):
    """Why a file is no recording that can be read."""

    what: str
    """What it is, in words that follow "got"."""
    hint: str | None = None
    """What could be read instead."""


_BYTES: tuple[tuple[bytes, Refusal], ...] = (
    (b"SQLite format 3\0", Refusal("an SQLite database", "a rule of org.yaml may read a table of it, if it is a system of record")),
    (b"PAR1", Refusal("a Parquet file", "a rule of org.yaml may read it, if it is a system of record")),
    (b"%PDF", Refusal("a PDF document")),
    (b"\x89PNG", Refusal("a picture")),
    (b"\xff\xd8\xff", Refusal("a picture")),
    (b"\x80\x04", Refusal("a Python pickle, which is never opened: loading one runs what its writer wanted")),
)

_MANAGED = re.compile(rb'\A\s*\["client\.[\w.]+",')
_TABLE = re.compile(rb"\A[A-Za-z_][\w .-]*(?:,\w[\w .-]*){2,}\r?\n")
_PROSE = re.compile(rb"\A\s*#{1,3} \w[^\n]*\n")
_PAGE = re.compile(rb"\A\s*(?:<!doctype html|<html)", re.IGNORECASE)

_KNOWN: tuple[tuple[tuple[str, ...], Refusal], ...] = (
    (("$defs", "type"), Refusal("a JSON Schema: it describes records and holds none")),
    (("$schema", "properties"), Refusal("a JSON Schema: it describes records and holds none")),
    (
        ("traces[].trace_id", "traces[].span_count"),
        Refusal("a list of traces without their spans", "export the traces themselves"),
    ),
    (
        ("final_output", "raw_responses"),
        Refusal("a result of the OpenAI Agents SDK (RunResult): the last words of a run, not the run", "export its trace, or its RunState"),
    ),
    (
        ("events[].type", "events[].item.type"),
        Refusal("events of a coding agent in a list around them", "read the lines as the agent wrote them"),
    ),
    (
        ("items[].call_id", "items[].type"),
        Refusal("items of a session without its head", "read the session as the agent wrote it"),
    ),
    (
        ("attributeSummary", "captureDate"),
        Refusal("a summary of which attributes were captured, without the spans", "read the spans themselves"),
    ),
)
"""Paths that stand in it -> what it is."""


def refusal(head: bytes) -> Refusal | None:
    """What a file that begins so is, where it is of a sort that is known and not read; it never raises."""
    for magic, what in _BYTES:
        if head.startswith(magic):
            return what
    text = plain_text(head)[0]
    if _MANAGED.match(text):
        return Refusal("a log of calls of Anthropic's managed agents, one array a line", "export the runs themselves from LangSmith")
    if _PAGE.match(text):
        return Refusal("a web page")
    if _TABLE.match(text):
        return Refusal("a table (CSV)", "a rule of org.yaml may read it, if it is a system of record")
    if _PROSE.match(text):
        return Refusal("a page of prose (Markdown)")
    seen = outline(head)
    for paths, what in _KNOWN:
        if seen.has(*paths):
            return what
    return _by_shape(seen) or _lines(text, len(head) < HEAD_BYTES) or _broken(text, len(head) < HEAD_BYTES)


_NO_KNOWN = Refusal(
    "JSON Lines that no importer knows",
    "`seamwise formats` lists what can be read; `--format chat:FILE.yaml` reads lists of messages by a mapping",
)
_BY_NODE = Refusal(
    "JSON Lines by name, as LangGraph's updates are, with no message of it",
    '`--format langgraph` reads them; a stream says more with stream_mode=["values", "updates", "messages", "tasks"] and subgraphs=True',
)


def _lines(text: bytes, whole: bool) -> Refusal | None:
    """JSON Lines: every line is sound by itself, whatever the file as one document would be."""
    lines = [line for line in text.split(b"\n") if line.strip()]
    if not whole and lines:
        lines.pop()
    if len(lines) < 2 or lines[0].lstrip()[:1] not in (b"{", b"["):
        return None
    try:
        for line in lines:
            msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    from seamwise.importers.langgraph._plain import updates

    return _BY_NODE if updates(text) else _NO_KNOWN


def _broken(text: bytes, whole: bool) -> Refusal | None:
    """JSON that breaks off before an importer sees anything that it knows."""
    if whole and text.lstrip()[:1] in (b"{", b"["):
        try:
            msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            return Refusal("JSON that is broken or breaks off, and nothing before that which an importer knows", "`--format NAME` reads it")
    return None


def _by_shape(seen: Outline) -> Refusal | None:
    if seen.says("object", "response") and seen.has("output"):
        return Refusal("one reply of a model (OpenAI Responses), without the run around it")
    if seen.says("object", "chat.completion", "chat.completion.chunk"):
        return Refusal("one reply of a model (chat completion), without the run around it")
    if any(path.endswith(".contents[].parts") and path.count(".") == 2 for path in seen.paths):
        return Refusal("contents of Google's models by the name of a case, no run")
    if any(path.endswith((".input.success", ".output.success")) and path.count(".") == 2 for path in seen.paths):
        return Refusal("messages as Langfuse normalises them for its own tests, by span", "read the trace that they were taken from")
    return None
