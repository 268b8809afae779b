"""``seamwise show``: a recording as a person reads it."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from seamwise.cli._screen import tell_masks

if TYPE_CHECKING:
    from rich.console import Console

    from seamwise.importers import ImportReport
    from seamwise.record import Trace

_PIPE_COLUMNS = 120
"""Columns where nobody says how many there are."""
_NOTES_TOLD = 10
"""Most notes of a file told in words; the rest is counted."""


class Filters(NamedTuple):
    """Which steps are shown."""

    agents: tuple[str, ...]
    kinds: tuple[str, ...]
    streams: tuple[str, ...]
    limit: int | None


@click.command(name="show")
@click.argument("path")
@click.option("--trace", "wanted", metavar="ID", help="Only the trace of this id, or whose id alone begins so.")
@click.option("--agent", "agents", metavar="A", multiple=True, help="Only steps by or to this agent. May be given several times.")
@click.option("--kind", "kinds", metavar="K", multiple=True, help="Only steps of this kind, such as message. May be given several times.")
@click.option("--stream", "streams", metavar="S", multiple=True, help="Only steps in this stream; `ledger/*` takes all below.")
@click.option("--sequence", is_flag=True, help="A sequence diagram: agents as columns, arrows between them.")
@click.option("--full", is_flag=True, help="Whole texts, data and references beneath each step.")
@click.option("--json", "as_json", is_flag=True, help="The chosen steps as native JSON Lines.")
@click.option("--limit", metavar="N", type=click.IntRange(min=0), help="At most N steps of each trace.")
@click.option("--format", "format", metavar="NAME", help="Read the file as this format instead of looking at its content.")
@click.option("--no-redact", is_flag=True, help="Recorded words whole, without masking what looks like a secret.")
def command(
    path: str,
    wanted: str | None,
    agents: tuple[str, ...],
    kinds: tuple[str, ...],
    streams: tuple[str, ...],
    sequence: bool,
    full: bool,
    as_json: bool,
    limit: int | None,
    format: str | None,
    no_redact: bool,
) -> None:
    """Show the traces of the recording PATH (`-` is standard input).

    Steps stand in the order of the file. `?` is what was not recorded. What looks like a secret is masked, unless --no-redact.
    """
    if sum((as_json, sequence, full)) > 1:
        raise click.UsageError("--json, --sequence and --full do not go together\ngive one of them")
    from seamwise.importers import open_recording

    filters = Filters(agents, kinds, streams, limit)
    recording = open_recording(path, format=format)
    traces: Iterable[Trace] = _wanted(recording.traces, wanted)
    hidden: Counter[str] = Counter()
    if not no_redact:
        traces = _masked(traces, hidden)
    if as_json:
        _write_native(traces, filters)
    else:
        _print(traces, filters, sequence=sequence, full=full)
    _tell_damage(recording.report)
    tell_masks(hidden)


def _masked(traces: Iterable[Trace], hidden: Counter[str]) -> Iterator[Trace]:
    """The traces with their secrets masked, and counted by kind."""
    from seamwise.record import encode_record, masked_trace, masks_in

    for trace in traces:
        out = masked_trace(trace)
        if out.header is not trace.header:
            hidden += masks_in(encode_record(out.header).decode())
        for step, before in zip(out.steps, trace.steps, strict=True):
            if step is not before:
                hidden += masks_in(encode_record(step).decode())
        yield out


def _wanted(traces: Iterable[Trace], wanted: str | None) -> Iterator[Trace]:
    """The traces, or the one of that id, or the one whose id begins so (reports shorten long ids).

    Raises:
        UsageError: There is none, or several begin so.
    """
    if wanted is None:
        yield from traces
        return
    from seamwise.errors import UsageError, did_you_mean

    others: list[str] = []
    begun: list[Trace] = []
    for trace in traces:
        if trace.id == wanted:
            yield trace
            return
        others.append(trace.id)
        if trace.id.startswith(wanted):
            begun.append(trace)
    if len(begun) == 1:
        yield begun[0]
        return
    if begun:
        raise UsageError(f"`{wanted}` begins {len(begun)} trace ids", hint=f"give more of one: {', '.join(t.id for t in begun[:4])}")
    raise UsageError(f"no trace `{wanted}` among {len(others)}", hint=did_you_mean(wanted, others) or "leave --trace out to see them all")


def _write_native(traces: Iterable[Trace], filters: Filters) -> None:
    from seamwise.record import encode_record
    from seamwise.render.trace_text import select_steps

    for trace in traces:
        click.echo(encode_record(trace.header), nl=False)
        chosen = select_steps(trace, agents=filters.agents, kinds=filters.kinds, streams=filters.streams)
        for _, step in chosen[: filters.limit]:
            click.echo(encode_record(step), nl=False)


def _print(traces: Iterable[Trace], filters: Filters, *, sequence: bool, full: bool) -> None:
    from seamwise.render.sequence_text import sequence_view
    from seamwise.render.trace_text import trace_view

    console = _console()
    seen: dict[str, set[str]] = {"agent": set(), "kind": set(), "stream": set()}
    for number, trace in enumerate(traces):
        if number:
            console.print()
        if sequence:
            view = sequence_view(trace, agents=filters.agents, kinds=filters.kinds, streams=filters.streams, limit=filters.limit)
            console.print(view)
        else:
            console.print(trace_view(trace, **filters._asdict(), full=full))
        for step in trace.steps:
            seen["agent"].update(name for name in (step.actor, *(step.recipients or ())) if name is not None)
            seen["kind"].add(step.kind)
            seen["stream"].update(step.streams or ((step.channel,) if step.channel else ()))
    _tell_misses(filters, seen)


def _console() -> Console:
    from rich.console import Console

    asked = os.environ.get("COLUMNS", "")
    width = int(asked) if asked.isdigit() and 0 < int(asked) < 10_000 else None if sys.stdout.isatty() else _PIPE_COLUMNS

    class Screen(Console):
        """A console that leaves a closed pipe to the command line (rich itself would end the process with 1)."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Screen(width=width, highlight=False, markup=False, emoji=False)


def _tell_misses(filters: Filters, seen: dict[str, set[str]]) -> None:
    """Names a filter that no step of any trace could meet: most often a slip of the pen."""
    from seamwise.errors import did_you_mean
    from seamwise.render.plain import one_line

    for what, asked in (("agent", filters.agents), ("kind", filters.kinds), ("stream", filters.streams)):
        for name in asked:
            if name not in seen[what] and not name.endswith("/*"):
                click.echo(f"note: no {what} `{one_line(name)}` in this recording", err=True)
                if hint := did_you_mean(name, seen[what]):
                    click.echo(f"hint: {one_line(hint)}", err=True)


def _tell_damage(report: ImportReport) -> None:
    """What the file holds and the traces do not, or what is worth knowing about it; on stderr."""
    from seamwise.record import masked
    from seamwise.render.plain import one_line

    same: dict[tuple[str, str], list[str]] = {}
    for note in report.notes:
        same.setdefault((note.code, note.words), []).append(note.where)
    for (_, words), places in list(same.items())[:_NOTES_TOLD]:
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        click.echo(f"note: {one_line(masked(words))} - at {one_line(masked(places[0]))}{more}", err=True)
    n_told = sum(len(places) for places in list(same.values())[:_NOTES_TOLD])
    n_more = sum(report.note_counts.values()) - n_told
    if n_more > 0:
        click.echo(f"note: {n_more} more of the kind", err=True)
    for reason, n in sorted(report.dropped.items()):
        click.echo(f"note: {n} record{'s' * (n != 1)} left out: {one_line(reason)}", err=True)
