"""A trace as a person reads it on a terminal: one line a step, colours per agent, nothing that a record says can act."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple
from zlib import crc32

import msgspec
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from seamwise.record import Claim, Step, Trace
from seamwise.render.plain import cells, cut, one_line, pad, visible, wrap

COLOURS = ("cyan", "green", "magenta", "yellow", "blue", "bright_red", "bright_cyan", "bright_green", "bright_magenta", "bright_yellow")
STATUS_STYLES = {"ok": "green", "failed": "bold red", "timeout": "bold yellow"}
DIRECTED = frozenset({"message", "handoff", "delivery", "route"})
"""Kinds that go to somebody: an unknown recipient is shown as unknown."""

_NAME_CELLS = 16
_WHO_CELLS = 30
_LEAST_CELLS = 60
"""Narrower terminals are written as if they had so many columns."""


class Numbered(NamedTuple):
    """A step and its place in the trace, from 1."""

    place: int
    step: Step


def select_steps(
    trace: Trace, *, agents: Collection[str] = (), kinds: Collection[str] = (), streams: Collection[str] = ()
) -> list[Numbered]:
    """The steps that fit every filter given; a filter that is empty fits all.

    Args:
        trace: Where from.
        agents: Names; a step fits as actor or recipient.
        kinds: Kinds of step.
        streams: Streams, or patterns that end in ``/*``. A step that names no stream is in that of its channel.
    """

    def fits(step: Step) -> bool:
        if kinds and step.kind not in kinds:
            return False
        if agents and step.actor not in agents and not any(name in agents for name in step.recipients or ()):
            return False
        return not streams or any(_in_stream(own, streams) for own in step.streams or ((step.channel,) if step.channel else ()))

    return [Numbered(place, step) for place, step in enumerate(trace.steps, 1) if fits(step)]


def colour_of(name: str) -> str:
    """The colour of an agent: the same in every trace and every run."""
    return COLOURS[crc32(name.encode("utf-8", "surrogatepass")) % len(COLOURS)]


def shown_name(name: str | None, width: int = _NAME_CELLS) -> str:
    """A name on few columns; ``?`` where it is not recorded."""
    return "?" if name is None else cut(one_line(name), width) or '""'


class TraceView:
    """A rich renderable of one trace. Made by :func:`trace_view`."""

    def __init__(self, trace: Trace, chosen: list[Numbered], n_hidden: int, full: bool) -> None:
        self._trace = trace
        self._chosen = chosen
        self._n_hidden = n_hidden
        self._full = full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width, _LEAST_CELLS)
        finish = _finisher(options.ascii_only)
        for line in heading(self._trace, len(self._chosen) + self._n_hidden, width):
            yield finish(line)
        times = _times(self._trace.steps)
        columns = _Columns(
            place=len(str(len(self._trace.steps))) + 1,
            time=max((cells(_moment(s, times)) for _, s in self._chosen), default=0),
            kind=min(max((cells(one_line(s.kind)) for _, s in self._chosen), default=0), _NAME_CELLS),
            who=min(max((cells(_who(s).plain) for _, s in self._chosen), default=0), _WHO_CELLS),
        )
        for place, step in self._chosen:
            yield finish(_row(place, step, columns, times, width, full=self._full))
            if self._full:
                for line in _details(step, width):
                    yield finish(line)
        for line in ending(len(self._chosen), self._n_hidden):
            yield finish(line)


def trace_view(
    trace: Trace,
    *,
    agents: Collection[str] = (),
    kinds: Collection[str] = (),
    streams: Collection[str] = (),
    limit: int | None = None,
    full: bool = False,
) -> TraceView:
    """A trace to print with rich: place, time, kind, actor -> recipients, tool and call, status, first line of text.

    Steps stand in file order, which means nothing by itself. Text is shown with control characters as escapes, so that nothing recorded
    can move a cursor or colour a line.

    Args:
        trace: What to show.
        agents: See :func:`select_steps`.
        kinds: See :func:`select_steps`.
        streams: See :func:`select_steps`.
        limit: Most steps shown; the rest is counted.
        full: Whole texts, data and references beneath each step.
    """
    chosen = select_steps(trace, agents=agents, kinds=kinds, streams=streams)
    shown = chosen if limit is None else chosen[:limit]
    return TraceView(trace, shown, len(chosen) - len(shown), full)


def heading(trace: Trace, n_chosen: int, width: int) -> Iterator[Text]:
    """The lines above the steps: the trace, how much of it is shown, from when it is, what it claims."""
    n = len(trace.steps)
    line = Text.assemble(("trace ", "dim"), (cut(one_line(trace.id), width // 2), "bold"))
    line.append(f"  {_count(n, 'step')}" if n_chosen == n else f"  {n_chosen} of {_count(n, 'step')}")
    line.append(f"  {_count(len({s.actor for s in trace.steps if s.actor is not None}), 'agent')}")
    known = [s.time_ns for s in trace.steps if s.time_ns is not None]
    if known and (start := _utc(min(known))) is not None:
        line.append(f"  {start:%Y-%m-%d} UTC", "dim")
    origin = trace.header.origin.get("format")
    if isinstance(origin, str):
        line.append(f"  from {cut(one_line(origin), _NAME_CELLS)}", "dim")
    yield line
    for claim in trace.header.claims:
        yield Text(cut(f"  claim: {_claim(claim)}", width), "dim")


def ending(n_shown: int, n_hidden: int) -> Iterator[Text]:
    """The lines below the steps, where something is to be said."""
    if n_hidden:
        yield Text(f"  {_count(n_hidden, 'more step')}", "dim")
    elif not n_shown:
        yield Text("  no step to show", "dim")


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


class _Columns(NamedTuple):
    place: int
    time: int
    kind: int
    who: int


def _row(place: int, step: Step, columns: _Columns, times: str, width: int, *, full: bool) -> Text:
    line = Text(no_wrap=True)
    line.append(pad(f"#{place}", columns.place, right=True), "dim")
    if columns.time:
        line.append("  " + pad(_moment(step, times), columns.time), "dim")
    line.append("  " + pad(cut(one_line(step.kind), columns.kind), columns.kind) + "  ")
    who = _who(step)
    line.append_text(who)
    line.append(" " * (columns.who - cells(who.plain) + 2))
    line.append_text(gist(step, width - cells(line.plain)))
    line.rstrip()
    return line


def _who(step: Step) -> Text:
    """Actor and recipients, on at most ``_WHO_CELLS`` columns."""
    alone = not step.recipients and not (step.recipients is None and step.kind in DIRECTED) and step.recipients != ()
    room = _WHO_CELLS if alone else (_WHO_CELLS - 4) // 2
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
        return (first if len(lines) < 2 else f"{first} (+{_count(len(lines) - 1, 'line')})"), ""
    if step.data:
        arguments = step.data.get("arguments", step.data.get("result", step.data))
        return one_line(_json(arguments if arguments is not None else step.data)), "dim"
    return "", ""


def _details(step: Step, width: int) -> Iterator[Text]:
    """Everything else that a step holds, indented beneath it."""
    indent = " " * 6
    if step.text is not None:
        for paragraph in visible(step.text).splitlines() or [""]:
            for line in wrap(paragraph.expandtabs(4), width, first=indent, rest=indent):
                yield Text(line, no_wrap=True)
    if step.data is not None:
        for line in visible(_json(step.data, indent=2)).splitlines():
            yield Text(indent + cut(line, width - len(indent)), "dim", no_wrap=True)
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


def _json(value: object, indent: int = 0) -> str:
    """JSON for eyes. Falls back to Python's notation for what JSON does not have."""
    try:
        text = msgspec.json.encode(value).decode()
        return msgspec.json.format(text, indent=indent) if indent else text
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def _in_stream(stream: str, patterns: Collection[str]) -> bool:
    return any(stream.startswith(pattern[:-1]) if pattern.endswith("/*") else stream == pattern for pattern in patterns)


def _times(steps: Iterable[Step]) -> str:
    """The format of moments: with the day where the trace lasts into another."""
    days = {start.date() for s in steps if s.time_ns is not None and (start := _utc(s.time_ns)) is not None}
    return "%m-%d %H:%M:%S" if len(days) > 1 else "%H:%M:%S"


def _moment(step: Step, times: str) -> str:
    if step.time_ns is None:
        return "" if step.seq is None else cut(f"seq {step.seq}", 12)
    moment = _utc(step.time_ns)
    return cut(f"{step.time_ns} ns", 12) if moment is None else f"{moment.strftime(times)}.{step.time_ns // 1_000_000 % 1000:03}"


def _utc(time_ns: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(time_ns // 1_000_000_000, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _claim(claim: Claim) -> str:
    count = "" if claim.count is None else f", {_count(claim.count, 'operation')}"
    part = f" in {one_line(claim.range)}" if claim.range is not None else ""
    basis = f" ({one_line(claim.basis)})" if claim.basis else ""
    return f"{claim.sort} of {one_line(claim.stream)}{part}{count}, by {one_line(claim.by)}{basis}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


class _finisher:
    """Last touch on a line: never wrapped, and plain ASCII marks where the terminal has no others."""

    def __init__(self, ascii_only: bool) -> None:
        self._ascii_only = ascii_only

    def __call__(self, line: Text) -> Text:
        if self._ascii_only and "…" in line.plain:
            line.plain = line.plain.replace("…", "~")
        line.no_wrap = True
        line.overflow = "ignore"
        return line
