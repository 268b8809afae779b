"""``audit``: recordings in, verdicts out."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from heapq import merge
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from seamwise import __version__
from seamwise.audit._corpus import across
from seamwise.audit._counts import count_notes, outgrown, uncounted
from seamwise.audit._disagree import settle_all
from seamwise.audit._files import Files, find, standard_input
from seamwise.audit._heap import Heaps
from seamwise.audit._jobs import Progress, folder_for_runs, scan_all, seldom_collecting
from seamwise.audit._known import Knowing
from seamwise.audit._look import look
from seamwise.audit._result import Pictured, Summary
from seamwise.audit._results import Results, ordered
from seamwise.audit._scan import FilePart, Options, Scanner, add_entry, known
from seamwise.audit._split import files_of, read_some, read_split
from seamwise.audit._spool import ACROSS, WHOLE, Run, Spool, digest_of
from seamwise.audit._state import State
from seamwise.audit._tables import Tables
from seamwise.audit._told import Told
from seamwise.audit._unmet import unmet_rules
from seamwise.binding import ROW, Coverage, Pack, disagreements


class Audit(NamedTuple):
    """What an audit says."""

    summary: Summary
    results: Results
    """Most severe first, then in the order of the pack, then by instance."""


def audit(
    paths: str | Path | Iterable[str | Path],
    pack: Pack,
    *,
    jobs: int = 1,
    prove: bool = True,
    redact: bool = True,
    format: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    state: State | None = None,
) -> Audit:
    """Every contract of the pack is judged on every instance that the recordings hold.

    The same recordings give the same results, byte for byte, in whatever order they are named and however many processes read them. What
    cannot be read is told in ``summary.errors`` and never stops the rest; where something of a file was lost, nobody's word that the
    recording is complete counts for it (a stated ``count`` still does).

    Args:
        paths: Files and folders, or ``-``.
        pack: Streams and contracts.
        jobs: Processes; files are shared out among them.
        prove: Whether witnesses are minimal and unknowns carry their gaps; without it only the statuses are worth reading.
        redact: Whether texts are cut and what looks like a secret is masked.
        format: Read all files as this format, unsniffed.
        on_progress: Called as files are read.
        state: What earlier audits kept; files that are still the same are not read again. It changes no byte of the answer.

    Raises:
        UsageError: There is no path, or the number of jobs is not positive.
        FormatError: There is no such format, or a table cannot be read as the page says.
        MissingExtraError: What reads a table is not installed.
    """
    done = _audited(paths, pack, jobs, prove, redact, format, on_progress, state, scenes=False)
    assert isinstance(done.results, Results)
    return Audit(done.summary, done.results)


def audit_with_scenes(
    paths: str | Path | Iterable[str | Path],
    pack: Pack,
    *,
    jobs: int = 1,
    prove: bool = True,
    redact: bool = True,
    format: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    state: State | None = None,
) -> Pictured:
    """The same, and the traces that open verdicts cite are read once more: for pictures, and for what agents had in their inputs."""
    return _audited(paths, pack, jobs, prove, redact, format, on_progress, state, scenes=True)


def _audited(
    paths: str | Path | Iterable[str | Path],
    pack: Pack,
    jobs: int,
    prove: bool,
    redact: bool,
    format: str | None,
    on_progress: Callable[[Progress], None] | None,
    state: State | None,
    *,
    scenes: bool,
) -> Pictured:
    named = [paths] if isinstance(paths, (str, Path)) else list(paths)
    files = find(named, format=format)
    with seldom_collecting(), standard_input(files.paths) as stdin, folder_for_runs(jobs) as folder:
        scanner = Scanner(pack, Options(prove=prove, redact=redact, format=format, stdin=stdin), Spool())
        tables = Tables(scanner)  # first: what the page says of them may be wrong, and reading recordings may take long
        store = None if state is None else state.opened(pack, scanner.options)
        parts, runs = scan_all(scanner, files.paths, jobs=jobs, folder=folder, store=store, on_progress=on_progress)
        first = parts
        doubtful = uncounted(scanner, parts)
        if doubtful and scanner.trace_contracts:
            scanner = Scanner(pack, scanner.options._replace(distrusted=doubtful), Spool())
            parts, runs = scan_all(scanner, files.paths, jobs=jobs, folder=folder, store=store, on_progress=None)
        if state is not None:
            state.close(first, {frozenset(), scanner.options.distrusted})
        return _put_together(scanner, files, parts, runs, doubtful, tables, scenes=scenes)


def _put_together(
    scanner: Scanner,
    files: Files,
    parts: Sequence[FilePart],
    runs: Sequence[Run],
    doubtful: frozenset[str],
    tables: Tables,
    *,
    scenes: bool,
) -> Pictured:
    errors = [*files.errors, *(error for part in parts for error in part.errors)]
    lost = any(part.lost for part in parts) or bool(files.errors)
    errors += (*count_notes(scanner, parts, doubtful, lost=lost), *tables.errors)
    places = [(part.path, part.traces) for part in parts]
    every = array("Q", merge(*(array("Q", sorted(digests)) for _, digests in places)))
    n_again = sum(a == b for a, b in pairwise(every))
    split = frozenset(a for a, b in pairwise(every) if a == b)
    whole = FilePart(path="", batch=WHOLE, coverage=scanner.binder.coverage())
    for name, trace in sorted(read_split(places, split, scanner.options).items()):
        scanner.take(trace, digest_of(name), whole, trusted=not lost)
    spans = [(span, split) for part in parts for span in part.held] + [(span, frozenset[int]()) for span in whole.held]
    context: dict[str, dict[str, list[object]]] = {}
    for part in parts:
        for name, entries in part.context.items():
            for entry, values in entries.items():
                add_entry(context, name, entry, values)
    with closing(Heaps(scanner.heap, spans)) as traced:
        settled = settle_all(scanner, tables, traced)
    whole_tables = {scanner.streams[n].name for n, s in settled.items() if not s.refuted}
    statements = {name: said for name, said in tables.statements.items() if name in whole_tables}
    later = outgrown(scanner, parts, doubtful)
    spans += [(scanner.heap.add(0, rows), frozenset()) for rows in tables.held]
    with closing(Heaps(scanner.heap, spans)) as kept:
        results = across(scanner, kept, context, trusted=not lost, settled=settled, tables=statements, distrusted=later)
        for told in _with_known(results, places, split, scanner):
            scanner.spool.add(ACROSS, 0, told)
    batches = frozenset([*(part.batch for part in parts), WHOLE, ACROSS])
    bound = _coverage(scanner, (*(part.coverage for part in parts), *tables.coverage))
    binding = {c.stream: c.told() for c in bound}
    for mine, theirs in zip(bound, whole.coverage, strict=True):
        mine.add(theirs)  # a rule may have taken what only the parts of a trace together show
    summary = ordered(
        scanner.spool.sorted(runs, batches, split),
        scanner.pack.contracts,
        seamwise=__version__,
        n_files=len(files.paths),
        n_traces=len(every) - n_again,
        n_steps=sum(part.n_steps for part in parts),
        reads=(*(part.report for part in parts), *files.refused),
        errors=tuple(errors),
        remarks=(*_remarks(scanner, parts, context), *_unmet(scanner, parts, bound)),
        tables=tuple(s.told for s in settled.values()),
        binding=binding,
    )
    if not scenes:
        return Pictured(summary.summary, summary.results, ())
    looked = look(summary.results, places, split, scanner.options)
    counted = msgspec.structs.replace(summary.summary, n_scenes=len(looked.scenes), n_unseen=looked.n_unseen)
    return Pictured(counted, looked.results, looked.scenes)


def _remarks(scanner: Scanner, parts: Sequence[FilePart], context: dict[str, dict[str, list[object]]]) -> tuple[str, ...]:
    """What of the page and the recordings does not go together, in words."""
    out = set().union(*(part.remarks for part in parts))
    for name, entries in context.items():
        for entry, values in entries.items():
            for value in values:
                out.update(disagreements(scanner.pack.context, {name: {entry: value}}))
    found: dict[int, set[str]] = {}
    for part in parts:
        for n, names in part.names.items():
            found.setdefault(n, set()).update(names)
    return (*sorted(out), *scanner.names.unknown(found))


def _unmet(scanner: Scanner, parts: Sequence[FilePart], bound: Sequence[Coverage]) -> Iterator[str]:
    """The rules that took nothing, where anything was read."""
    if any(part.n_steps for part in parts):
        yield from unmet_rules(scanner.streams, bound, chain.from_iterable(part.near for part in parts))


def _coverage(scanner: Scanner, counted: Iterable[Sequence[Coverage]]) -> list[Coverage]:
    total = scanner.binder.coverage()
    for part in counted:
        for mine, theirs in zip(total, part, strict=True):
            mine.add(theirs)
    return total


def _with_known(
    results: Iterable[Told], places: Sequence[tuple[str, Sequence[int]]], split: frozenset[int], scanner: Scanner
) -> Iterator[Told]:
    """The results, those with a crossing step with what its actor had been given: their traces are read once more."""
    waiting: dict[str, list[Told]] = {}
    for told in results:
        if told.crossing is None or told.crossing[0].kind == ROW:  # what came before a row of a table is in no trace
            yield told
        else:
            waiting.setdefault(told.crossing[0].trace, []).append(told)
    for trace in read_some(files_of(places, waiting), split, scanner.options) if waiting else ():
        knowing = Knowing(trace)
        for told in waiting.pop(trace.id, ()):
            yield known(told, knowing)
    for left in waiting.values():
        yield from left
