"""Results on their way: sorted in runs, on disk as soon as there are many, so that memory does not grow with them.

A result stands in its run with a key (its place, then when it was told), a mark, and the digest of its trace. Runs of one process or of
several are merged into one order, which does not depend on who wrote which.
"""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from heapq import merge
from typing import IO, NamedTuple

from seamwise.audit._told import Told

RUN_BYTES = 1 << 20
"""So much is kept in memory before it goes to disk."""
CHUNK_BYTES = 1 << 14
"""So much of a run is read at once."""
_HEAD = struct.Struct("<II")
_WHEN = struct.Struct(">II")
_OWN = struct.Struct(">BQ")

Entry = tuple[bytes, bytes]
"""Key, and mark, digest and line."""


def digest_of(trace: str) -> int:
    """A number for a trace's id. Where two ids had one number, both traces would be read twice, and nothing else."""
    return int.from_bytes(blake2b(trace.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


KEPT_ENTRY = struct.Struct("<IIBQI")
"""Of a result that is kept: the sizes of its place and its line, its mark, the digest of its trace, its batch."""


def write_entry(file: IO[bytes], batch: int, digest: int, told: Told) -> None:
    """Writes one result as it was told."""
    file.write(KEPT_ENTRY.pack(len(told.place), len(told.line), told.mark, digest, batch) + told.place + told.line)


class Mark(NamedTuple):
    """By what a file is known."""

    size: int
    digest: str


class Run(NamedTuple):
    """Sorted entries in a file."""

    path: str
    start: int
    end: int


class Kept(NamedTuple):
    """A result as it comes out of the runs."""

    place: bytes
    mark: int
    line: bytes


class Spool:
    """Takes results in and gives them out in their order.

    Args:
        folder: Where runs are put that another process is to read; None: only this one reads them.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._path = ""
        self._runs: list[Run] = []
        self._entries: list[Entry] = []
        self._n_bytes = 0
        self._n = 0
        self.tee: IO[bytes] | None = None
        """Where results are written besides, one after the other, to be kept for another audit."""

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, batch: int, digest: int, told: Told) -> None:
        """Takes a result in.

        Args:
            batch: What it belongs to: batches are left out whole, and of results in one place that of the lower batch comes first.
            digest: The digest of its trace; 0: it belongs to none.
            told: The result.
        """
        self._n += 1
        if self.tee is not None:
            write_entry(self.tee, batch, digest, told)
        key, content = told.place + _WHEN.pack(batch, self._n & 0xFFFFFFFF), _OWN.pack(told.mark, digest) + told.line
        self._entries.append((key, content))
        self._n_bytes += len(key) + len(content)
        if self._n_bytes > RUN_BYTES:
            self.flush()

    def flush(self) -> list[Run]:
        """Puts to disk what is still in memory; returns the runs that were finished since the last call with ``hand_over``."""
        if self._entries:
            if self._file is None:
                self._open()
            file = self._file
            assert file is not None
            self._entries.sort()
            start = file.seek(0, os.SEEK_END)
            file.write(b"".join([part for key, content in self._entries for part in (_HEAD.pack(len(key), len(content)), key, content)]))
            self._runs.append(Run(self._path, start, file.tell()))
            self._entries, self._n_bytes = [], 0
        return self._runs

    def hand_over(self) -> list[Run]:
        """The runs that are to be read by another process; they are no longer this spool's."""
        runs = self.flush()
        self._runs = []
        if self._file is not None:
            self._file.flush()
        return runs

    def _open(self) -> None:
        if self._folder is None:
            self._file = tempfile.TemporaryFile(prefix="seamwise-")  # noqa: SIM115  open as long as the spool lives
        else:
            self._file = tempfile.NamedTemporaryFile(prefix="run-", dir=self._folder, delete=False)  # noqa: SIM115  the same
            self._path = self._file.name

    def sorted(self, others: Sequence[Run], batches: frozenset[int], split: frozenset[int]) -> Iterator[Kept]:
        """All results in their order, each once.

        Args:
            others: Runs of other processes.
            batches: What is not left out.
            split: Digests of traces that were judged as a whole once more; elsewhere their results are left out.
        """
        self._entries.sort()
        files: dict[str, IO[bytes]] = {}
        runs = [_entries(self._file, run) for run in self._runs if self._file is not None]
        try:
            for run in others:
                if run.path not in files:
                    files[run.path] = open(run.path, "rb")  # noqa: SIM115  closed below
                runs.append(_entries(files[run.path], run))
            yield from _once(_wanted(merge(self._entries, *runs), batches, split))
        finally:
            for file in files.values():
                file.close()


WHOLE = 0xFFFFFFFE
"""The batch of traces that were put together of their parts."""
ACROSS = 0xFFFFFFFF
"""The batch of results that belong to no trace."""


def _entries(file: IO[bytes], run: Run) -> Iterator[Entry]:
    """The entries of a run; others may read the same file meanwhile."""
    at, have, pos = run.start, b"", 0
    n_key = n_content = 0
    while True:
        size = 0
        if len(have) - pos >= _HEAD.size:
            n_key, n_content = _HEAD.unpack_from(have, pos)
            size = _HEAD.size + n_key + n_content
        if not size or len(have) - pos < size:
            if at >= run.end:
                return
            file.seek(at)
            more = file.read(min(max(CHUNK_BYTES, size), run.end - at))
            at += len(more)
            have, pos = have[pos:] + more, 0
            continue
        key = have[pos + _HEAD.size : pos + _HEAD.size + n_key]
        yield key, have[pos + _HEAD.size + n_key : pos + size]
        pos += size


def _wanted(entries: Iterator[Entry], batches: frozenset[int], split: frozenset[int]) -> Iterator[Kept]:
    for key, content in entries:
        batch, _ = _WHEN.unpack_from(key, len(key) - _WHEN.size)
        mark, digest = _OWN.unpack_from(content)
        if batch in batches and (batch >= WHOLE or digest not in split):
            yield Kept(key[: -_WHEN.size], mark, content[_OWN.size :])


def _once(entries: Iterator[Kept]) -> Iterator[Kept]:
    """Each result once: a recording that was given twice says nothing twice."""
    here: bytes | None = None
    seen: list[bytes] = []
    for kept in entries:
        if kept.place != here:
            here, seen = kept.place, []
        if kept.line not in seen:
            seen.append(kept.line)
            yield kept
