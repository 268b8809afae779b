"""Leads in one trace, and in all recordings below some paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from seamwise.errors import SeamwiseError, UsageError
from seamwise.importers import ImportReport, open_recording, recordings, workers
from seamwise.leads._facts import Facts
from seamwise.leads._lead import Lead, seen
from seamwise.leads._rules import Rule, chosen
from seamwise.record import Trace, masked

MOST_PER_RULE = 200
"""Leads of one rule in one trace; more are a sign that the rule does not fit the recording, and are only counted."""


LOSS = frozenset(
    {"broke_off", "cut_off", "incomplete_message", "line_too_long", "too_deep", "too_many_steps", "truncated_list", "unreadable"}
)
"""Notes of importers which say that a part of a recording is missing."""


class Leads(NamedTuple):
    """What the generic pack found."""

    leads: list[Lead]
    """By rule (weightiest first), then by file, trace and step."""
    n_files: int
    n_traces: int
    n_steps: int
    over: dict[str, int]
    """Rule -> leads beyond :data:`MOST_PER_RULE` of a trace."""
    errors: list[tuple[str, str, str | None]]
    """What could not be read: file, why, hint."""
    rules: tuple[str, ...]
    """The rules that ran."""
    damaged: tuple[tuple[str, str], ...] = ()
    """Files of which a part was not read, as it is damaged or cut: file, what and how often."""


class Part(NamedTuple):
    """What one file gave."""

    path: str
    leads: list[Lead]
    n_traces: int = 0
    n_steps: int = 0
    over: dict[str, int] | None = None
    error: tuple[str, str, str | None] | None = None
    lost: str = ""
    """What of it was left out, in words."""


def leads_of(trace: Trace, rules: Sequence[Rule] | None = None, *, file: str = "", over: dict[str, int] | None = None) -> list[Lead]:
    """The leads in one trace.

    Args:
        trace: The trace, with its contents.
        rules: The rules to run; None: those that are switched on.
        file: Where it was read.
        over: Filled with the number of leads beyond the cap, by rule.
    """
    facts = Facts(trace)
    out: list[Lead] = []
    for rule in chosen() if rules is None else rules:
        n = 0
        for hit in rule.find(facts):
            n += 1
            if n > MOST_PER_RULE:
                if over is not None:
                    over[rule.name] = over.get(rule.name, 0) + 1
                continue
            steps = tuple(seen(at, trace.steps[at], why) for at, why in dict(hit.steps).items())
            out.append(Lead(rule=rule.name, trace=trace.id, file=file, words=masked(hit.words), cause=masked(hit.cause), steps=steps))
    return out


def find_leads(
    paths: str | Path | Iterable[str | Path],
    *,
    rules: tuple[str, ...] = (),
    format: str | None = None,
    jobs: int = 1,
    on_file: Callable[[str], None] | None = None,
) -> Leads:
    """The leads in all recordings at or below the paths; what cannot be read is told and stops nothing.

    Args:
        paths: Files and folders.
        rules: Names of rules; empty: those that are switched on.
        format: Read all files as this format, unsniffed.
        jobs: Processes; files are shared out among them, and the answer is the same.
        on_file: Called with each file when it has been read.

    Raises:
        UsageError: There is no such rule, or the number of jobs is not positive.
        FormatError: There is no such format.
    """
    if jobs < 1:
        raise UsageError(f"expected at least one job, got `{jobs}`")
    wanted = chosen(rules)
    named = [paths] if isinstance(paths, (str, Path)) else list(paths)
    found = list(recordings(named, format=format))
    parts: list[Part] = [Part(f.path, [], error=(f.path, f.refused, f.hint)) for f in found if f.refused is not None]
    work = partial(_of_file, rules=tuple(rule.name for rule in wanted), format=format)
    for part in _shared_out(work, [f.path for f in found if f.refused is None], jobs):
        if on_file is not None:
            on_file(part.path)
        parts.append(part)
    parts.sort(key=lambda part: part.path)
    rank = {rule.name: n for n, rule in enumerate(wanted)}
    leads = sorted((lead for part in parts for lead in part.leads), key=lambda lead: (rank[lead.rule], lead.file))
    over: dict[str, int] = {}
    for part in parts:
        for name, n in (part.over or {}).items():
            over[name] = over.get(name, 0) + n
    return Leads(
        leads,
        n_files=sum(part.n_traces > 0 for part in parts),
        n_traces=sum(part.n_traces for part in parts),
        n_steps=sum(part.n_steps for part in parts),
        over=over,
        errors=[part.error for part in parts if part.error is not None],
        rules=tuple(rank),
        damaged=tuple((part.path, part.lost) for part in parts if part.lost),
    )


def _shared_out(work: Callable[[str], Part], files: list[str], jobs: int) -> Iterator[Part]:
    if jobs == 1 or len(files) < 2:
        yield from map(work, files)
        return
    with workers(min(jobs, len(files))) as pool:
        running = [pool.submit(work, file) for file in files]
        while running:
            yield running.pop(0).result()


def _of_file(path: str, rules: tuple[str, ...], format: str | None) -> Part:
    leads: list[Lead] = []
    over: dict[str, int] = {}
    n_traces = n_steps = 0
    error = None
    wanted = chosen(rules)
    report: ImportReport | None = None
    try:
        recording = open_recording(path, format=format)
        report = recording.report
        for trace in recording.traces:
            n_traces += 1
            n_steps += len(trace.steps)
            leads += leads_of(trace, wanted, file=path, over=over)
    except SeamwiseError as problem:
        error = (path, problem.message, problem.hint)
    return Part(path, leads, n_traces, n_steps, over, error, "" if report is None else _lost(report))


def _lost(report: ImportReport) -> str:
    """What of a file was not read and may have held steps: what is not there has no lead."""
    counted = {reason: n - report.harmless.get(reason, 0) for reason, n in report.dropped.items()}
    for code in LOSS & report.note_counts.keys():
        counted.setdefault(code.replace("_", " "), report.note_counts[code])
    return masked(", ".join(f"{n:,} {reason}" for reason, n in sorted(counted.items()) if n > 0))
