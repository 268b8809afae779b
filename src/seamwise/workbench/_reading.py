"""The traces of recordings, one after the other, with whatever could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from seamwise.audit import ReadError, Reading, find, standard_input
from seamwise.record import Trace


class Traces:
    """The traces at or below some paths, once through.

    Args:
        paths: Files and folders, or ``-``.
        format: Read all files as this format, unsniffed.

    Raises:
        UsageError: There is no path, or nothing lies at one.
        FormatError: There is no such format.
    """

    def __init__(self, paths: str | Path | Iterable[str | Path], *, format: str | None = None) -> None:
        named = [paths] if isinstance(paths, (str, Path)) else list(paths)
        self._format = format
        self._files = find(named, format=format)
        self.paths = self._files.paths
        self.refused: tuple[dict[str, Any], ...] = self._files.refused
        """Files below a folder that nobody recognises."""
        self.errors: list[ReadError] = list(self._files.errors)
        self.lost = bool(self._files.errors)
        """Whether something that may have held a step was not read."""
        self.n_traces = 0
        self.n_steps = 0

    def __iter__(self) -> Iterator[tuple[str, Trace]]:
        """Each trace with the file that it stands in."""
        with standard_input(self.paths) as stdin:
            for path in self.paths:
                reading = Reading(path, self._format, stdin=stdin)
                for trace in reading.traces():
                    self.n_traces += 1
                    self.n_steps += len(trace.steps)
                    yield path, trace
                self.errors += reading.errors
                self.lost = self.lost or reading.lost
