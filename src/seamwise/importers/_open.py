"""Opening one recording, and finding those below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from seamwise.errors import FormatError, SeamwiseError, near_name
from seamwise.importers._limits import Limits
from seamwise.importers._refused import refusal
from seamwise.importers._registry import Importer, Sink, importer_named, importers
from seamwise.importers._report import ImportReport, Label
from seamwise.importers._source import Source
from seamwise.importers._wanted import Wanted
from seamwise.record import Trace

_NO_RECORDINGS = frozenset({".git", ".hg", ".svn"})
"""Folders of version control below a path: their files are parts of other files, and naming each as refused says nothing."""


class Recording:
    """One outside file, read lazily. Consume ``traces``; ``report`` and ``labels`` fill up on the way and are final at its end.

    Attributes:
        traces: The traces, once through.
        report: What became of every record.
        labels: Evaluation labels found inside: sealed, for no auditor's eyes.
    """

    def __init__(self, traces: Iterator[Trace], report: ImportReport, labels: list[Label]) -> None:
        self.traces = traces
        self.report = report
        self.labels = labels


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One file below the paths that were given, recognised or refused."""

    path: str
    format: str | None = None
    """Name of the importer that recognises it."""
    refused: str | None = None
    """Why it cannot be read, if it cannot."""
    hint: str | None = None
    """What could be done about that."""


def open_recording(
    path: str | Path,
    *,
    format: str | None = None,
    limits: Limits | None = None,
    wanted: Wanted | None = None,
    only: frozenset[str] | None = None,
    hasty: bool = False,
) -> Recording:
    """A recording whose traces are read as they are asked for.

    Args:
        path: The file (gzip and zstd are undone), or ``-`` for standard input.
        format: The importer's name, where sniffing the content would be wrong.
        limits: What it may cost.
        wanted: Which steps are asked for; None: all. Where an importer leaves steps out, the traces are :class:`Partial`.
        only: Ids of the traces that are asked for; None: all. Others may be given, too, and the report may not count them.
        hasty: Traces may be given out as soon as they seem complete, without looking whether they go on in the rest of a large file.
            Where one does, reading ends with :class:`ScatteredError`, and what was given out is void.

    Raises:
        FormatError: The file cannot be read, nobody recognises it, or there is no such format.
        LimitError: It is larger than the limits allow.
    """
    limits = limits or Limits()
    importer = importer_named(format) if format is not None else None
    source = Source(path, limits)
    if importer is None:
        importer = _recognise(source)
    report = ImportReport(format=importer.name, file=source.path, notes_per_code=limits.notes_per_code)
    labels: list[Label] = []
    return Recording(_read(importer, source, Sink(report, labels, limits, wanted, only, hasty)), report, labels)


def recordings(paths: Iterable[str | Path], *, format: str | None = None, limits: Limits | None = None) -> Iterator[Found]:
    """Every file at or below the paths, in sorted order, each once: recognised, or refused with the reason.

    Folders that are symbolic links are not followed below a given path (they are refused, by name).

    Args:
        paths: Files and folders, or ``-``.
        format: Read all of them as this format, unsniffed.
        limits: As in :func:`open_recording`.

    Raises:
        FormatError: There is no such format.
    """
    limits = limits or Limits()
    if format is not None:
        importer_named(format)
    seen: set[str] = set()
    for path in paths:
        if str(path) == "-":
            yield Found(path="-", format=format)
            continue
        for found in _below(Path(path)):
            if found.path in seen:
                continue
            seen.add(found.path)
            yield found if found.refused else _sniffed(found.path, format, limits)


def _below(path: Path) -> Iterator[Found]:
    if not path.exists():
        yield Found(path=str(path), refused="there is no such file or folder", hint=near_name(str(path)))
    elif not path.is_dir():
        yield _regular(path)
    else:
        for folder, inner, files in os.walk(path):
            for name in sorted(inner):
                if os.path.islink(os.path.join(folder, name)):
                    yield Found(path=os.path.join(folder, name), refused="a symbolic link to a folder is not followed")
            inner[:] = sorted(name for name in inner if name not in _NO_RECORDINGS)
            for name in sorted(files):
                yield _regular(Path(folder) / name)


def _regular(path: Path) -> Found:
    return Found(path=str(path)) if path.is_file() else Found(path=str(path), refused="it is not a regular file")


def _sniffed(path: str, format: str | None, limits: Limits) -> Found:
    try:
        source = Source(path, limits)
        name = format if format is not None else _recognise(source).name
        if not source.head:
            raise FormatError("the file is empty")
    except SeamwiseError as error:
        return Found(path=path, refused=error.message, hint=error.hint)
    return Found(path=path, format=name)


def _recognise(source: Source) -> Importer:
    if not source.head:
        raise FormatError("the file is empty", where=source.path)
    best, surest = None, 0
    for importer in importers().values():
        sure = importer.sniff(source.head)
        if sure > surest:
            best, surest = importer, sure
    if best is None:
        known = refusal(source.head)
        if known is not None:
            raise FormatError(f"expected a recording, got {known.what}", where=source.path, hint=known.hint)
        raise FormatError(
            "no importer recognises the content",
            where=source.path,
            hint="`seamwise formats` lists what can be read; `--format NAME` reads a file as one of them",
        )
    return best


def _read(importer: Importer, source: Source, sink: Sink) -> Iterator[Trace]:
    for trace in importer.read(source, sink):
        sink.report.traces += 1
        sink.report.steps += len(trace.steps)
        yield trace
    sink.report.finished = True
