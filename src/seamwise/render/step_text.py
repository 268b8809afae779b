"""One step in words: who, what it is about, and everything that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

import msgspec
from rich.text import Text

from seamwise.record import Step
from seamwise.render.plain import cells, cut, one_line, visible, wrap

COLOURS = ("cyan", "green", "magenta", "yellow", "blue", "bright_red", "bright_cyan", "bright_green", "bright_magenta", "bright_yellow")
STATUS_STYLES = {"ok": "green", "failed": "bold red", "timeout": "bold yellow"}
DIRECTED = frozenset({"message", "handoff", "delivery", "route"})
"""Kinds that go to somebody: an unknown recipient is shown as unknown."""

_NAME_CELLS = 16
WHO_CELLS = 30
"""Most columns of actor and recipients."""


def colour_of(name: str) -> str:
    """The colour of an agent: the same in every trace and every run."""
    return COLOURS[crc32(name.encode("utf-8", "surrogatepass")) % len(COLOURS)]


def shown_name(name: str | None, width: int = _NAME_CELLS) -> str:
    """A name on few columns; ``?`` where it is not recorded."""
    return "?" if name is None else cut(one_line(name), width) or '""'


def gist(step: Step, width: int) -> Text:
    """What a step is about: tool, call, status, the first line of its text or its data."""
    line = Text(no_wrap=True)
    if step.tool is not None:
        line.append(cut(one_line(step.tool), 32), "bold")
    if step.call is not None:
        line.append(f"{' ' * bool(line)}[{cut(one_line(step.call), 12)}]", "dim")
    if step.status is not None:
        line.append(f"{' ' * bool(line)}{step.status}", STATUS_STYLES.get(step.status, ""))
    room = width - cells(line.plain) - bool(line)
    text, style = _said(step)
    if text and room > 8:
        line.append(f"{' ' * bool(line)}{cut(text, room)}", style)
    return line


def who(step: Step) -> Text:
    """Actor and recipients, on at most ``WHO_CELLS`` columns."""
    alone = not step.recipients and not (step.recipients is None and step.kind in DIRECTED) and step.recipients != ()
    room = WHO_CELLS if alone else (WHO_CELLS - 4) // 2
    line = Text(no_wrap=True)
    line.append(shown_name(step.actor, room), "dim" if step.actor is None else colour_of(step.actor))
    if alone:
        return line
    line.append(" -> ", "dim")
    if step.recipients is None:
        line.append("?", "dim")
    elif not step.recipients:
        line.append("nobody", "dim")
    else:
        names = list(step.recipients)
        more = f" +{len(names) - 1}" if len(names) > 1 else ""
        line.append(shown_name(names[0], room - len(more)), colour_of(names[0]))
        line.append(more, "dim")
    return line


def _said(step: Step) -> tuple[str, str]:
    if step.text is not None:
        lines = [one_line(line) for line in step.text.splitlines() if line.strip()]
        first = lines[0] if lines else '""'
        return (first if len(lines) < 2 else f"{first} (+{counted(len(lines) - 1, 'line')})"), ""
    if step.data:
        return one_line(_data_gist(step.data)), "dim"
    return "", ""


def _data_gist(data: dict[str, Any]) -> str:
    """What of the data stands on the one line of a step; all of it where nothing is known to be the gist."""
    for key in ("arguments", "result"):
        if data.get(key) is not None:
            return _json(data[key])
    for key in ("name", "model"):
        if isinstance(data.get(key), str):
            return str(data[key])
    messages = data.get("messages")
    return counted(len(messages), "message") if isinstance(messages, list) else _json(data)


def details(step: Step, width: int) -> Iterator[Text]:
    """Everything else that a step holds, indented beneath it."""
    indent = " " * 6
    if step.text is not None:
        for paragraph in visible(step.text).splitlines() or [""]:
            for line in wrap(paragraph.expandtabs(4), width, first=indent, rest=indent):
                yield Text(line, no_wrap=True)
    if step.data is not None:
        for line in visible(_json(step.data, indent=2)).splitlines():
            for piece in _pieces(line, width - len(indent)):
                yield Text(indent + piece, "dim", no_wrap=True)
    facts: list[tuple[str, Iterable[str]]] = [
        ("id", [step.id]),
        ("recipients", step.recipients if step.recipients and len(step.recipients) > 1 else ()),
        ("channel", [step.channel] if step.channel is not None else ()),
        ("streams", step.streams),
        ("refs", (f"{ref.kind} {ref.step}" for ref in step.refs)),
        ("follows", (f"{after.step} ({after.basis})" for after in step.order)),
        ("source", [step.source] if step.source is not None else ()),
        ("seq", [str(step.seq)] if step.seq is not None else ()),
    ]
    for name, values in facts:
        if told := ", ".join(map(one_line, values)):
            yield Text(cut(f"{indent}{name}: {told}", width), "dim", no_wrap=True)


def _pieces(line: str, width: int) -> Iterator[str]:
    """A line broken wherever the terminal ends; nothing is left out."""
    piece, used = "", 0
    for char in line:
        size = cells(char)
        if used + size > width:
            yield piece
            piece, used = "", 0
        piece, used = piece + char, used + size
    yield piece


def _json(value: object, indent: int = 0) -> str:
    """JSON for eyes. Falls back to Python's notation for what JSON does not have."""
    try:
        text = msgspec.json.encode(value).decode()
        return msgspec.json.format(text, indent=indent) if indent else text
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def counted(n: int, noun: str) -> str:
    """A number and its noun: ``1 step``, ``2 steps``."""
    return f"{n} {noun}{'' if n == 1 else 's'}"
