"""A trace as a person reads it on a terminal: one line a step, colours per agent, nothing that a record says can act."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from seamwise.record import Claim, Step, Trace
from seamwise.render.plain import cells, cut, one_line, pad
from seamwise.render.step_text import WHO_CELLS, counted, details, gist, who

_KIND_CELLS = 16
_CLAIMS_SHOWN = 3
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
        for line in heading(self._trace, len(self._chosen) + self._n_hidden, width, full=self._full):
            yield finish(line)
        times = _times(self._trace.steps)
        columns = _Columns(
            place=len(str(len(self._trace.steps))) + 1,
            time=max((cells(_moment(s, times)) for _, s in self._chosen), default=0),
            kind=min(max((cells(one_line(s.kind)) for _, s in self._chosen), default=0), _KIND_CELLS),
            who=min(max((cells(who(s).plain) for _, s in self._chosen), default=0), WHO_CELLS),
        )
        for place, step in self._chosen:
            yield finish(_row(place, step, columns, times, width, full=self._full))
            if self._full:
                for line in details(step, width):
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


def heading(trace: Trace, n_chosen: int, width: int, *, full: bool = False) -> Iterator[Text]:
    """The lines above the steps: the trace, how much of it is shown, from when it is, what it claims."""
    n = len(trace.steps)
    line = Text.assemble(("trace ", "dim"), (cut(one_line(trace.id), width // 2), "bold"))
    line.append(f"  {counted(n, 'step')}" if n_chosen == n else f"  {n_chosen} of {counted(n, 'step')}")
    line.append(f"  {counted(len({s.actor for s in trace.steps if s.actor is not None}), 'agent')}")
    known = [s.time_ns for s in trace.steps if s.time_ns is not None]
    if known and (start := _utc(min(known))) is not None:
        line.append(f"  {start:%Y-%m-%d} UTC", "dim")
    origin = trace.header.origin.get("format")
    if isinstance(origin, str):
        line.append(f"  from {cut(one_line(origin), _KIND_CELLS)}", "dim")
    yield line
    claims = trace.header.claims
    shown = claims if full or len(claims) <= _CLAIMS_SHOWN else claims[: _CLAIMS_SHOWN - 1]
    for claim in shown:
        yield Text(cut(f"  claim: {_claim(claim)}", width), "dim")
    if len(shown) < len(claims):
        yield Text(f"  {counted(len(claims) - len(shown), 'more claim')}", "dim")


def ending(n_shown: int, n_hidden: int) -> Iterator[Text]:
    """The lines below the steps, where something is to be said."""
    if n_hidden:
        yield Text(f"  {counted(n_hidden, 'more step')}", "dim")
    elif not n_shown:
        yield Text("  no step to show", "dim")


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
    whom = who(step)
    line.append_text(whom)
    line.append(" " * (columns.who - cells(whom.plain) + 2))
    line.append_text(gist(step, width - cells(line.plain)))
    line.rstrip()
    return line


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
    count = "" if claim.count is None else f", {counted(claim.count, 'operation')}"
    part = f" in {one_line(claim.range)}" if claim.range is not None else ""
    basis = f" ({one_line(claim.basis)})" if claim.basis else ""
    return f"{claim.sort} of {one_line(claim.stream)}{part}{count}, by {one_line(claim.by)}{basis}"


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
