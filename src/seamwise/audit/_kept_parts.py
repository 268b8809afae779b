"""What one file gave, in a file of its own: its results one after the other, then what is left of the reading."""

from __future__ import annotations

import dataclasses
import io
import os
import pickle
import struct
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from seamwise.audit._heap import Heap, whole_traces
from seamwise.audit._scan import BATCHES
from seamwise.audit._spool import KEPT_ENTRY, Mark, Spool
from seamwise.audit._told import Told

MAGIC = b"seamwise-kept-2\n"
_CHUNK = 1 << 20
_TAIL = struct.Struct("<QQQ20s")
BESIDE = (".meta.json",)
"""How files end that importers read beside the one that they are given."""
_ALLOWED = frozenset(
    {
        ("array", "array"),
        ("array", "_array_reconstructor"),
        ("builtins", "frozenset"),
        ("builtins", "set"),
        ("decimal", "Decimal"),
        ("msgspec._core", "rebuild"),
        ("msgspec._utils", "rebuild"),
        ("seamwise.audit._spool", "Mark"),
        ("seamwise.audit._result", "ReadError"),
        ("seamwise.audit._result", "StepRef"),
        ("seamwise.audit._scan", "FilePart"),
        ("seamwise.binding._coverage", "Coverage"),
        ("seamwise.binding._coverage", "Endings"),
        ("seamwise.binding._coverage", "Failure"),
        ("seamwise.binding._field", "Frozen"),
        ("seamwise.binding._field", "UNPARSED"),
    }
)
"""What may be made of the content of such a file: nothing that acts."""


def mark_of_file(path: str) -> Mark | None:
    """The mark of a file, or None where it cannot be read.

    A file beside it that a format reads with it (what is said of a session stands apart from its lines) belongs to it.
    """
    hasher = blake2b(digest_size=20)
    try:
        size = _add(hasher, path)
        for ending in BESIDE:
            beside = os.path.splitext(path)[0] + ending
            if os.path.isfile(beside):
                hasher.update(b"\0" + ending.encode() + b"\0")
                _add(hasher, beside)
            if path.endswith(ending):  # the small file by itself: what it is depends on whether its log is there
                hasher.update(b"\0log" if os.path.isfile(path.removesuffix(ending) + ".jsonl") else b"\0none")
    except OSError:
        return None
    return Mark(size, hasher.hexdigest())


def _add(hasher: Any, path: str) -> int:
    size = 0
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK):
            hasher.update(chunk)
            size += len(chunk)
    return size


def write_kept(file: IO[bytes], part: Any, mark: Mark, heap: Heap) -> None:
    """Writes, behind the results, what contracts across traces read, what is left of the reading, and a digest of it all.

    Args:
        file: Where the results stand already.
        part: What is left of the reading.
        mark: The mark of the file that was read.
        heap: Holds what contracts across traces read.
    """
    results = file.tell()
    for span in part.held:
        for piece in heap.content(span):
            file.write(piece)
    at = file.tell()
    content = pickle.dumps((tuple(mark), dataclasses.replace(part, held=[])), protocol=5)
    file.write(content)
    file.write(_TAIL.pack(results, at, len(content), _digest_to(file, at + len(content))) + MAGIC)


def read_kept(path: str, mark: Mark, spool: Spool, heap: Heap, place: int) -> Any:
    """What a file gave, its results back in the spool; None: nothing is kept, or of another file, or it is damaged.

    Args:
        path: Where it is kept.
        mark: The mark of the file as it is now.
        spool: Where its results go.
        heap: Where it goes what contracts across traces read.
        place: The file's place among all files now.
    """
    try:
        with Path(path).open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - len(MAGIC) - _TAIL.size))
            tail = file.read()
            if tail[_TAIL.size :] != MAGIC:
                return None
            results, at, size, digest = _TAIL.unpack_from(tail)
            if at + size + len(tail) != end or _digest_to(file, at + size) != digest:
                return None
            file.seek(at)
            had, part = _Careful(io.BytesIO(file.read(size))).load()
            if tuple(had) != tuple(mark):
                return None
            had_batch, part.known = part.batch, True
            part.batch = BATCHES * place + had_batch % BATCHES
            file.seek(results)
            part.held = [heap.paste(piece) for piece in whole_traces(file, at - results, _careful)]
            file.seek(0)
            while file.tell() < results:
                n_place, n_line, mark_of_result, trace, batch = KEPT_ENTRY.unpack(file.read(KEPT_ENTRY.size))
                told = Told(file.read(n_place), mark_of_result, file.read(n_line))
                if batch == had_batch:
                    spool.add(part.batch, trace, told)
            return part
    except (OSError, pickle.UnpicklingError, struct.error, ValueError, TypeError, AttributeError, EOFError, ImportError):
        return None  # of another build, or damaged: it is read again


def _careful(content: bytes) -> None:
    """Returns if nothing but plain records is made of what was pickled."""
    _Careful(io.BytesIO(content)).load()


def _digest_to(file: IO[bytes], end: int) -> bytes:
    """Digest of the file up to a place."""
    file.flush()
    file.seek(0)
    hasher = blake2b(digest_size=20)
    left = end
    while left and (chunk := file.read(min(_CHUNK, left))):
        hasher.update(chunk)
        left -= len(chunk)
    file.seek(end)
    return hasher.digest()


class _Careful(pickle.Unpickler):
    """Makes plain records, and refuses everything else."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of that name, where it is a record of ours.

        Raises:
            pickle.UnpicklingError: It is not.
        """
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"`{module}.{name}` is no part of what is kept")
        return super().find_class(module, name)
