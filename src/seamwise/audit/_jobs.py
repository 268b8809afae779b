"""Files shared out among processes."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from seamwise.audit._result import Result
from seamwise.audit._scan import FilePart, Options, Scanner
from seamwise.binding import Pack
from seamwise.errors import UsageError


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


def scan_all(scanner: Scanner, paths: Sequence[str], *, jobs: int, on_progress: Callable[[Progress], None] | None) -> list[FilePart]:
    """What each file gives, in the order of the paths.

    Raises:
        UsageError: The number of jobs is not positive.
    """
    if jobs < 1:
        raise UsageError(f"expected at least one job, got `{jobs}`")
    parts: list[FilePart] = []
    traces = steps = 0
    jobs = min(jobs, len(paths))
    for part in _each(scanner, paths, jobs):
        parts.append(part)
        traces, steps = traces + len(part.traces), steps + part.n_steps
        if on_progress is not None:
            on_progress(Progress(len(parts), len(paths), traces, steps, part.path))
    return parts


def _each(scanner: Scanner, paths: Sequence[str], jobs: int) -> Iterator[FilePart]:
    if jobs <= 1 or "-" in paths:
        for path in paths:
            yield scanner.scan(path)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # a fork would copy locks that other threads hold
    method = "fork" if os.name == "posix" and threading.active_count() == 1 else "spawn"
    largest_first = sorted(paths, key=lambda path: (-_size(path), path))
    with ProcessPoolExecutor(jobs, get_context(method), _begin, (scanner.pack, scanner.options)) as pool:
        running = {path: pool.submit(_scan, path) for path in largest_first}
        for path in paths:
            part, results = running.pop(path).result()
            part.results = _RESULTS.decode(results)
            yield part


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


_RESULTS = msgspec.json.Decoder(list[tuple[str, Result]])
_scanner: Scanner | None = None
"""The worker's own scanner; it lives as long as the process."""


def _begin(pack: Pack, options: Options) -> None:
    global _scanner
    seldom_collecting().__enter__()
    _scanner = Scanner(pack, options)


def _scan(path: str) -> tuple[FilePart, bytes]:
    """What a file gives, the results as they would be written: so they come out the same, whoever made them."""
    assert _scanner is not None
    part = _scanner.scan(path)
    results, part.results = msgspec.json.encode(part.results), []
    return part, results
