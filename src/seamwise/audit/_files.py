"""Finding recordings and reading them, with whatever is wrong told as data."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from seamwise.audit._result import ReadError
from seamwise.errors import SeamwiseError, UsageError, near_name
from seamwise.importers import ImportReport, Wanted, open_recording, recordings
from seamwise.record import Trace

RECORDINGS = (".jsonl", ".ndjson", ".pb", ".zst", ".gz")
"""How the names of recordings end."""


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
        UsageError: There is no path, or nothing lies at one.
        FormatError: There is no such format.
    """
    named = sorted({str(path) for path in paths})
    if not named:
        raise UsageError("expected at least one recording or folder, got none")
    for path in named:
        if path != "-" and not os.path.exists(path):
            raise UsageError(f"no such file or folder `{path}`", hint=near_name(path))
    spelt = {str(Path(path)) for path in named}
    found: set[str] = set()
    refused: list[dict[str, Any]] = []
    errors: list[ReadError] = []
    for entry in recordings(named, format=format):
        if entry.refused is None:
            found.add(entry.path)
        elif entry.path in spelt or _looks_like_one(entry.path):
            errors.append(ReadError(where=entry.path, message=entry.refused, hint=entry.hint))
        else:
            refused.append({"file": entry.path, "refused": entry.refused})
    unique: dict[str, str] = {}
    for path in sorted(found):
        unique.setdefault(path if path == "-" else os.path.realpath(path), path)
    return Files(tuple(sorted(unique.values())), tuple(sorted(refused, key=lambda r: str(r["file"]))), tuple(errors))


def _looks_like_one(path: str) -> bool:
    """Whether a file that nobody recognises has the name of a recording, so that something may be lost with it.

    Result files of earlier audits may lie beside the recordings.
    """
    if not path.lower().endswith(RECORDINGS):
        return False
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            return False  # a pipe or a device holds no export, and opening it may wait for ever
        with open(path, "rb") as file:
            return not file.read(64).startswith(b'{"type":"summary"')
    except OSError:
        return True


class Reading:
    """One file being read.

    Args:
        path: The file.
        format: Its format; None: told by content.
        stdin: Where standard input was put aside.
        wanted: Which steps are asked for; None: all.
        only: Ids of the traces that are asked for; None: all.
        hasty: Whether a trace may be given out before it is certain that it is complete.
    """

    def __init__(
        self,
        path: str,
        format: str | None,
        *,
        stdin: str | None = None,
        wanted: Wanted | None = None,
        only: frozenset[str] | None = None,
        hasty: bool = False,
    ) -> None:
        self._path = path
        self._place = stdin if path == "-" and stdin is not None else path
        self._format = format
        self._wanted = wanted
        self._only = only
        self._hasty = hasty
        self._report: ImportReport | None = None
        self.errors: list[ReadError] = []
        self.lost = False
        """Whether something that may have held a step was not read."""

    def traces(self) -> Iterator[Trace]:
        """The traces, as far as they can be read.

        Raises:
            ScatteredError: Haste was asked for and was wrong.
        """
        try:
            recording = open_recording(self._place, format=self._format, wanted=self._wanted, only=self._only, hasty=self._hasty)
            self._report = recording.report
            yield from recording.traces
        except SeamwiseError as error:
            where = (error.where or self._path).replace(self._place, self._path)
            self.errors.append(ReadError(where=where, message=error.message, hint=error.hint))
            self.lost = True
        if self._report is not None and self._report.n_lost:
            self.lost = True

    def report(self) -> dict[str, Any]:
        """The importer's report as plain values."""
        if self._report is None:
            return {"file": self._path}
        plain: dict[str, Any] = msgspec.to_builtins(self._report)
        plain.pop("notes_per_code", None)
        if self._place != self._path:
            plain["file"] = self._path
            for note in plain.get("notes", ()):
                note["where"] = note["where"].replace(self._place, self._path)
        return plain


@contextmanager
def standard_input(paths: Sequence[str], stream: BinaryIO | None = None) -> Iterator[str | None]:
    """Standard input put aside in a file while an audit lasts, where a path is ``-``: an audit may read twice."""
    if "-" not in paths:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="seamwise-") as folder:
        place = os.path.join(folder, "stdin")
        with open(place, "wb") as file:
            shutil.copyfileobj(stream or sys.stdin.buffer, file)
        yield place
