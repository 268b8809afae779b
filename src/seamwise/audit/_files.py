"""Finding recordings and reading them, with whatever is wrong told as data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._result import ReadError
from seamwise.errors import SeamwiseError, UsageError
from seamwise.importers import ImportReport, open_recording, recordings
from seamwise.record import Trace

HARMLESS = frozenset({"metrics: they hold no steps"})
"""Reasons for which an importer drops what could not hold a step."""


class Files(NamedTuple):
    """What lies at or below the paths of an audit."""

    paths: tuple[str, ...]
    """Recordings, sorted."""
    refused: tuple[dict[str, Any], ...]
    """Files below a folder that nobody recognises: told, and no error, since folders hold other things too."""
    errors: tuple[ReadError, ...]
    """Files that were named and cannot be read."""


def find(paths: Iterable[str | Path], *, format: str | None = None) -> Files:
    """Every recording at or below the paths, whatever their order.

    Raises:
        UsageError: There is no path.
        FormatError: There is no such format.
    """
    named = sorted({str(path) for path in paths})
    if not named:
        raise UsageError("expected at least one recording or folder, got none")
    found: set[str] = set()
    refused: list[dict[str, Any]] = []
    errors: list[ReadError] = []
    for entry in recordings(named, format=format):
        if entry.refused is None:
            found.add(entry.path)
        elif entry.path in named:
            errors.append(ReadError(where=entry.path, message=entry.refused, hint=entry.hint))
        else:
            refused.append({"file": entry.path, "refused": entry.refused})
    unique: dict[str, str] = {}
    for path in sorted(found):
        unique.setdefault(path if path == "-" else os.path.realpath(path), path)
    return Files(tuple(sorted(unique.values())), tuple(sorted(refused, key=lambda r: str(r["file"]))), tuple(errors))


class Reading:
    """One file being read."""

    def __init__(self, path: str, format: str | None) -> None:
        self._path = path
        self._format = format
        self._report: ImportReport | None = None
        self.errors: list[ReadError] = []
        self.lost = False
        """Whether something that may have held a step was not read."""

    def traces(self) -> Iterator[Trace]:
        """The traces, as far as they can be read."""
        try:
            recording = open_recording(self._path, format=self._format)
            self._report = recording.report
            yield from recording.traces
        except SeamwiseError as error:
            self.errors.append(ReadError(where=error.where or self._path, message=error.message, hint=error.hint))
            self.lost = True
        if self._report is not None and any(n for reason, n in self._report.dropped.items() if reason not in HARMLESS):
            self.lost = True

    def report(self) -> dict[str, Any]:
        """The importer's report as plain values."""
        if self._report is None:
            return {"file": self._path}
        plain: dict[str, Any] = msgspec.to_builtins(self._report)
        plain.pop("notes_per_code", None)
        return plain
