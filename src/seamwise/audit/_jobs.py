"""Files shared out among processes."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from seamwise.audit._heap import Heap
from seamwise.audit._scan import FilePart, Options, Scanner
from seamwise.audit._spool import Run, Spool
from seamwise.audit._state import Store
from seamwise.binding import Pack
from seamwise.errors import UsageError
from seamwise.importers import workers

LEARN_BYTES = 1 << 25
"""From files of so many bytes on, one process meets the commonest shapes before others are forked from it."""
LEARN_TRACES = 400


class Progress(NamedTuple):
    """How far reading has come."""

    files_done: int
    files: int
    traces: int
    steps: int
    path: str
    """The file that was read last."""


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """The garbage collector looks seldom: results pile up, and none of them is garbage."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], 50_000) if before[0] else 0, max(before[1], 20), max(before[2], 50))
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def folder_for_runs(jobs: int) -> Iterator[str | None]:
    """Where several processes put results that one of them puts together; None: there is one process."""
    if jobs <= 1:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="seamwise-") as folder:
        yield folder


class Scanned(NamedTuple):
    """What all files give."""

    parts: list[FilePart]
    """In the order of the paths."""
    runs: list[Run]
    """Results that other processes wrote."""


def scan_all(
    scanner: Scanner,
    paths: Sequence[str],
    *,
    jobs: int,
    folder: str | None,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] | None,
) -> Scanned:
    """What each file gives.

    Args:
        scanner: Reads files in this process.
        paths: The files.
        jobs: How many processes read.
        folder: Where other processes put their results.
        store: Where it is kept what files gave; None: all are read.
        on_progress: Called after each file.

    Raises:
        UsageError: The number of jobs is not positive.
    """
    if jobs < 1:
        raise UsageError(f"expected at least one job, got `{jobs}`")
    done = Scanned([], [])
    traces = steps = 0
    for part, runs in _each(scanner, paths, min(jobs, len(paths)), folder, store):
        done.parts.append(part)
        done.runs.extend(runs)
        traces, steps = traces + len(part.traces), steps + part.n_steps
        if on_progress is not None:
            on_progress(Progress(len(done.parts), len(paths), traces, steps, part.path))
    return done


def _each(
    scanner: Scanner, paths: Sequence[str], jobs: int, folder: str | None, store: Store | None
) -> Iterator[tuple[FilePart, list[Run]]]:
    if jobs <= 1 or "-" in paths or folder is None:
        for place, path in enumerate(paths):
            yield scan_or_recall(scanner, path, place, store), []
        return
    # a fork would copy locks that other threads hold
    method = "fork" if os.name == "posix" and threading.active_count() == 1 else "spawn"
    largest_first = sorted(range(len(paths)), key=lambda place: (-_size(paths[place]), place))
    forked = method == "fork"
    if forked and store is None and _size(paths[largest_first[0]]) > LEARN_BYTES:
        scanner.learn(paths[largest_first[0]], LEARN_TRACES)
    given = (scanner if forked else None, scanner.pack, scanner.options, folder, store)
    with workers(jobs, method, _begin, given) as pool:
        running = {place: pool.submit(_scan, paths[place], place) for place in largest_first}
        for place in range(len(paths)):
            yield running.pop(place).result()


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def scan_or_recall(scanner: Scanner, path: str, place: int, store: Store | None) -> FilePart:
    """What a file gives: by reading it, or as it was kept."""
    return scanner.scan(path, place) if store is None else store.scan(scanner, path, place)


_scanner: Scanner | None = None
"""The worker's own scanner; it lives as long as the process."""
_store: Store | None = None


def _begin(scanner: Scanner | None, pack: Pack, options: Options, folder: str, store: Store | None) -> None:
    """A process begins with what it was forked with, which knows some shapes already."""
    global _scanner, _store
    _store = store
    seldom_collecting().__enter__()
    _scanner = scanner or Scanner(pack, options, Spool())
    _scanner.spool, _scanner.heap = Spool(folder), Heap(folder)


def _scan(path: str, place: int) -> tuple[FilePart, list[Run]]:
    """What a file gives, and where its results were put."""
    assert _scanner is not None
    part = scan_or_recall(_scanner, path, place, _store)
    _scanner.heap.flush()
    return part, _scanner.spool.hand_over()
