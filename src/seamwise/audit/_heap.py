"""Records of contracts across traces on their way: on disk from the moment their trace is let go, so that memory does not grow with them.

A heap is written while traces are read, each trace with its records, and read as often as wanted afterwards. Every process writes one of
its own; what a file gave is a span of it.
"""

from __future__ import annotations

import os
import pickle
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import IO, NamedTuple

import msgspec

from seamwise.audit._items import Placed
from seamwise.audit._refs import Held, is_line
from seamwise.kernel import Record

WRITE_BYTES = 1 << 16
"""So much is kept in memory before it goes to disk."""
READ_BYTES = 1 << 16
"""So much is read at once."""
Weigh = Callable[[int, Held], Held]
"""A record of a stream as it counts beside the stream's tables."""
_TRACE = struct.Struct("<QI?")
_ITEM = struct.Struct("<IIIII")


@dataclass(slots=True)
class HeldTrace:
    """What is kept of a trace for contracts that live across traces."""

    trace: str
    items: dict[int, dict[int, list[Held]]]
    """Family -> stream -> its records, in the order of the trace."""
    clock: bool
    """Whether the user's clock gave them moments that order."""


class Span(NamedTuple):
    """A part of a heap."""

    path: str
    """The heap's file; empty: the one that this process writes itself."""
    start: int
    end: int


class Place(NamedTuple):
    """Where a record stands in the heaps of an audit."""

    file: int
    at: int
    n_fields: int
    """Bytes of the record."""
    n_told: int
    """Bytes of the reference to its step."""
    place: int
    """The step's place in its trace."""


class Entry(NamedTuple):
    """A kept record as it is found in a heap."""

    digest: int
    """The digest of its trace."""
    clock: bool
    """Whether the user's clock gave the trace moments that order."""
    family: int
    stream: int
    at: Place
    record: Record


class Heap:
    """Takes kept records in.

    Args:
        folder: Where a heap is put that another process is to read; None: only this one reads it.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._waiting: list[bytes] = []
        self._n_waiting = 0
        self._end = 0

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, digest: int, kept: HeldTrace) -> Span:
        """Takes in what is kept of a trace.

        Args:
            digest: The digest of its id.
            kept: Its records.
        """
        items = [(f, n, item) for f, family in kept.items.items() for n, part in family.items() for item in part]
        parts: list[bytes] = []
        for f, n, item in items:
            fields, told = pickle.dumps(msgspec.structs.astuple(item.record), protocol=5), item.packed
            parts += (_ITEM.pack(f, n, item.place, len(fields), len(told)), fields, told)
        content = b"".join(parts)
        return self._add(_TRACE.pack(digest, len(content), kept.clock) + content)

    def paste(self, content: bytes) -> Span:
        """Takes in what another heap held."""
        return self._add(content)

    def _add(self, content: bytes) -> Span:
        if self._file is None:
            self._file = self._made()
        start, self._end = self._end, self._end + len(content)
        self._waiting.append(content)
        self._n_waiting += len(content)
        if self._n_waiting > WRITE_BYTES:
            self.flush()
        return Span("" if self._folder is None else str(self._file.name), start, self._end)

    def flush(self) -> None:
        """Puts to disk what is still in memory."""
        if self._waiting and self._file is not None:
            self._file.seek(0, os.SEEK_END)
            content = memoryview(b"".join(self._waiting))
            while content:
                content = content[self._file.write(content) :]
            self._waiting, self._n_waiting = [], 0

    def _made(self) -> IO[bytes]:
        if self._folder is None:
            return tempfile.TemporaryFile(prefix="seamwise-", buffering=0)
        return tempfile.NamedTemporaryFile(prefix="heap-", dir=self._folder, delete=False, buffering=0)

    def opened(self) -> IO[bytes]:
        """The file, with everything that was taken in."""
        self.flush()
        assert self._file is not None
        return self._file

    def content(self, span: Span) -> Iterator[bytes]:
        """What a span of this heap holds, in pieces."""
        return _pieces(self.opened(), span)


class Heaps:
    """Spans of several heaps, read as one.

    Args:
        own: The heap that this process wrote.
        spans: The spans, in the order of what they are of, each with the digests of the traces that are left out of it.
    """

    def __init__(self, own: Heap, spans: Iterable[tuple[Span, frozenset[int]]]) -> None:
        self._spans = [(span, left_out) for span, left_out in spans if span.end > span.start]
        names = list(dict.fromkeys(span.path for span, _ in self._spans))
        self._number = {path: n for n, path in enumerate(names)}
        self._files = [open(path, "rb", buffering=0) if path else own.opened() for path in names]  # noqa: SIM115  see close
        self.n_bytes = sum(span.end - span.start for span, _ in self._spans)

    def close(self) -> None:
        """Closes the heaps of other processes."""
        for path, n in self._number.items():
            if path:
                self._files[n].close()

    def entries(self, wanted: Callable[[int, int], bool] = lambda f, n: True) -> Iterator[Entry]:
        """The records in order.

        Args:
            wanted: Whether a record is looked at, by its family and its stream.
        """
        for span, left_out in self._spans:
            n_file = self._number[span.path]
            for start, digest, clock, content in _traces(_pieces(self._files[n_file], span), span.start):
                for f, n, at in _items(content) if digest not in left_out else ():
                    if wanted(f, n):
                        fields = content[at.at : at.at + at.n_fields]
                        yield Entry(digest, clock, f, n, at._replace(file=n_file, at=start + at.at), record_of(fields))

    def held(self, at: Place) -> Held:
        """The record of that place, with its reference."""
        file = self._files[at.file]
        file.seek(at.at)
        content = file.read(at.n_fields + at.n_told)
        return Held(record_of(content[: at.n_fields]), content[at.n_fields :], at.place)


def record_of(content: bytes) -> Record:
    """The record that was put away."""
    name, kind, fields, streams, call, time, chain, after, trace, source = pickle.loads(content)
    return Record(
        id=name, kind=kind, fields=fields, streams=streams, call=call, time=time, chain=chain, after=after, trace=trace, source=source
    )


def whole_traces(file: IO[bytes], size: int, load: Callable[[bytes], object]) -> Iterator[bytes]:
    """What another heap held, in pieces that hold whole traces.

    Args:
        file: Stands at its beginning.
        size: How much of it is read.
        load: Looks at what was pickled; it raises where something is made that is no plain value.

    Raises:
        ValueError: It breaks off.
    """
    content = b""
    while size:
        more = file.read(min(READ_BYTES, size))
        if not more:
            break
        size, content, end = size - len(more), content + more, 0
        for start, _, _, items in _traces(iter((content,)), 0):
            end = start + len(items)
            for _, _, at in _items(items):
                fields, told = items[at.at : at.at + at.n_fields], items[at.at + at.n_fields : at.at + at.n_fields + at.n_told]
                load(fields)
                if not is_line(told):
                    load(told)
        yield content[:end]
        content = content[end:]
    if content or size:
        raise ValueError("what was kept breaks off")


def _traces(pieces: Iterator[bytes], start: int) -> Iterator[tuple[int, int, bool, bytes]]:
    """The traces of a span: where the records of each begin, its digest, whether the clock gave it moments, its records."""
    have, pos = b"", 0
    for piece in pieces:
        have, start, pos = have[pos:] + piece, start + pos, 0
        while len(have) - pos >= _TRACE.size:
            digest, size, clock = _TRACE.unpack_from(have, pos)
            end = pos + _TRACE.size + size
            if end > len(have):
                break
            yield start + pos + _TRACE.size, digest, clock, have[pos + _TRACE.size : end]
            pos = end


def _items(content: bytes) -> Iterator[tuple[int, int, Place]]:
    """Family, stream and place of each record of a trace."""
    pos = 0
    while pos < len(content):
        f, n, place, n_fields, n_told = _ITEM.unpack_from(content, pos)
        pos += _ITEM.size
        yield f, n, Place(0, pos, n_fields, n_told, place)
        pos += n_fields + n_told


def _pieces(file: IO[bytes], span: Span) -> Iterator[bytes]:
    """The content of a span; others may read the same file meanwhile."""
    at = span.start
    while at < span.end:
        file.seek(at)
        piece = file.read(min(READ_BYTES, span.end - at))
        if not piece:
            raise OSError("a file of kept records breaks off")
        at += len(piece)
        yield piece


_NO_TIME = 1 << 70


def order_of(record: Record, place: int, n: int) -> tuple[int, str, int, int]:
    """What a kept record stands behind: the oldest come first; those without a time last, by trace.

    Args:
        record: The record.
        place: Its step's place in its trace.
        n: Its stream.
    """
    t = record.fields.get("t")
    return (t if isinstance(t, int) else _NO_TIME, record.trace or "", place, n)


def in_order(found: Iterable[tuple[int, Held]], streams: Sequence[int]) -> dict[int, list[Placed]]:
    """Kept records by stream, in their order.

    Args:
        found: The stream of each, and the record.
        streams: The streams that there are.
    """
    every = sorted(((order_of(held.record, held.place, n), n, held) for n, held in found), key=itemgetter(0))
    out: dict[int, list[Placed]] = {n: [] for n in streams}
    for at, (_, n, held) in enumerate(every):
        out[n].append(Placed(at, held.record, held))
    return out
