"""Files of LangGraph as events of a stream, or as saved states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name, pieces, text_of_file
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.loose import Damage, values
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace

MODES = frozenset("values updates messages custom checkpoints tasks debug events messages-tuple metadata error end".split())


class Event(NamedTuple):
    """One event of a stream."""

    mode: str
    ns: tuple[str, ...]
    """Names of the nodes whose graphs it comes from, outermost first: ``("researcher:t2",)``; empty: the graph itself."""
    data: Any
    part: str | None = None
    """What stands behind the mode's slash: ``partial``, ``metadata``, ``complete``."""


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The run of a file.

    Raises:
        FormatError: Nothing of LangGraph is in it.
    """
    from seamwise.importers.langgraph._history import history, is_saved
    from seamwise.importers.langgraph._plain import is_update, updates
    from seamwise.importers.langgraph._stream import Stream

    if outline(source.head).start not in ("{", "["):
        events = list(_sse(text_of_file(source, sink), source, sink))
        if not events:
            raise FormatError("expected events of a stream, got none", where=source.path)
        yield Stream(_name(events, source), source.path, sink).trace(events)
        return
    events = []
    saved: list[Any] = []
    by_node = bool(updates(source.head))
    for piece in pieces(source, sink):
        whole = _event(piece.value) is not None or not isinstance(piece.value, list)
        for entry in [piece.value] if whole else piece.value:
            told = _event(entry)
            if told is not None:
                events.append(told)
            elif by_node and is_update(entry):
                events.append(Event("updates", (), entry))
            elif is_saved(entry):
                saved.append(entry)
            else:
                sink.report.records += 1
                sink.report.drop("no event")
                sink.report.note("no_event", f"{source.path}, line {piece.line}", "a value that is neither an event nor a saved state")
    if saved:
        yield history(saved, named("thread", saved), source.path, sink)
    if events:
        yield Stream(_name(events, source), source.path, sink).trace(events)
    if not events and not saved:
        raise FormatError("expected events of a stream, checkpoints or states, got none", where=source.path)


def _name(events: list[Event], source: Source) -> str:
    """The run's own id, or its thread's with a fingerprint of the content: a thread may have several runs, in several files."""
    word = "run"
    for event in events:
        data = event.data if isinstance(event.data, dict) else {}
        if event.mode == "metadata" and isinstance(data.get("run_id"), str) and data["run_id"]:
            return str(data["run_id"])
        payload = data.get("payload", data)
        config = payload.get("config") if isinstance(payload, dict) else None
        configured = config.get("configurable") if isinstance(config, dict) else None
        thread = configured.get("thread_id") if isinstance(configured, dict) else None
        if isinstance(thread, str) and thread and word == "run":
            word = thread
    return content_name(word, source)


def _event(value: Any) -> Event | None:
    """The event that a value is: a tuple, an object of the newer form, or a debug event."""
    if isinstance(value, list):
        if len(value) == 2 and isinstance(value[0], str) and value[0] in MODES:
            return Event(value[0], (), value[1])
        if len(value) == 3 and isinstance(value[1], str) and value[1] in MODES and (ns := _ns(value[0])) is not None:
            return Event(value[1], ns, value[2])
        return None
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return None
    if "data" in value and value["type"] in MODES and (ns := _ns(value.get("ns"))) is not None:
        return Event(value["type"], ns, value["data"])
    if "payload" in value and value["type"] in ("task", "task_result", "checkpoint"):
        return Event("debug", (), value)
    return None


def _ns(value: Any) -> tuple[str, ...] | None:
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return tuple(value.split("|"))
    return tuple(value) if isinstance(value, list) and all(isinstance(part, str) for part in value) else None


def _sse(text: str, source: Source, sink: Sink) -> Iterator[Event]:
    """Server-sent events; the last one may break off."""
    damage = Damage(sink.report, source.path, sink.limits.depth)
    blocks = [block for block in text.split("\n\n") if block.strip()]
    for number, block in enumerate(blocks, 1):
        name, data = "message", []
        for line in block.split("\n"):
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value.strip()
            elif field == "data":
                data.append(value)
        if not data and name == "message":
            continue  # A comment keeps the connection alive and is no event.
        mode, *ns = name.split("|")
        mode, _, part = mode.partition("/")
        content: Any = None
        if written := "\n".join(data):
            try:
                content = msgspec.json.decode(written)
            except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
                before = sink.report.records
                found = [] if number == len(blocks) else list(values(written.encode("utf-8", "replace"), damage))
                if not found:
                    if sink.report.records == before:
                        sink.report.records += 1
                        sink.report.drop("cut off" if number == len(blocks) else "unreadable")
                    if number == len(blocks):
                        sink.report.note("cut_off", f"{source.path}, event {number}", "the stream breaks off inside its last event")
                    continue
                content = found[0]
        yield Event(mode, tuple(ns), content, part or None)
