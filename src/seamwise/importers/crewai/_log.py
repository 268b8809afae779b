"""CrewAI's log file: which task was begun by whom, and with what it was completed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name, text_of_file
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.turns import kept
from seamwise.importers._source import Source
from seamwise.record import Trace

_ENTRY = re.compile(r'^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d): (?=(?:task_name|task|agent|status|output)=")', re.MULTILINE)
_KEYS = ("task_name", "task", "agent", "status", "output")


def is_entry(value: Any) -> bool:
    """Whether a value is an entry of the log."""
    return isinstance(value, dict) and "type" not in value and "agent" in value and ("status" in value or "task" in value)


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The run of a log in text.

    Raises:
        FormatError: No line is an entry.
    """
    text = text_of_file(source, sink)
    found = list(_ENTRY.finditer(text))
    if not found:
        raise FormatError('expected lines `date time: task_name="..."`, got none', where=source.path)
    entries: list[Any] = []
    if before := text[: found[0].start()].strip():
        entries.append({"text": before})
    for i, entry in enumerate(found):
        body = text[entry.end() : found[i + 1].start() if i + 1 < len(found) else len(text)].rstrip("\n")
        entries.append({"timestamp": entry[1], **_fields(body)})
    yield trace(entries, content_name("run", source), source.path, sink)


def _fields(body: str) -> dict[str, str]:
    """The values of an entry. They are not escaped: each ends where the next key begins, the last at the end."""
    starts: list[tuple[str, int, int]] = []
    at = 0
    for key in _KEYS:
        mark = f'{key}="'
        place = body.find(mark, at) if at == 0 and not starts else body.find(f", {mark}", at)
        if place < 0:
            continue
        start = place + len(mark) + (2 if starts else 0)
        starts.append((key, place, start))
        at = start
    made = {}
    for i, (key, _, start) in enumerate(starts):
        end = starts[i + 1][1] if i + 1 < len(starts) else len(body)
        made[key] = body[start:end].removesuffix('"')
    return made


def trace(entries: list[Any], name: str, where: str, sink: Sink) -> Trace:
    """The trace of a log."""
    talk = Talk(name, sink, where=where)
    for number, entry in enumerate(entries):
        talk.arrived(f"entry {number}")
        if not isinstance(entry, dict) or not is_entry(entry):
            kept(talk, entry, str(number), "text that is no entry; it was kept as a note")
            continue
        agent, status, output = somebody(entry.get("agent")), entry.get("status"), entry.get("output")
        data = {key: entry[key] for key in ("task_name", "task", "status") if entry.get(key) not in (None, "")}
        if entry.get("timestamp"):
            data["logged"] = entry["timestamp"]
            talk.report.not_known("the moment of a record, whose zone is not recorded")
        if status == "started" and agent is not None:
            talk.put("route", id=str(number), data={**data, "to": [agent]})
        elif isinstance(output, str) or status == "completed":
            talk.say(output if isinstance(output, str) else None, actor=agent, data=data, id=str(number))
        else:
            talk.put("note", id=str(number), actor=agent, data={**data, **({"output": output} if output is not None else {})})
    return talk.trace()
