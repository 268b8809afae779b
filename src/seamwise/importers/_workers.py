"""Processes that files are shared out among, and that end when the one that started them is interrupted.

A terminal interrupts all processes of a program, a supervisor (or a CI runner) only the one that it knows. So workers leave the interrupt
to the process that started them, and it ends them: what they were about to write is cleaned away first.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

PATIENCE = 1.0
"""Seconds that a worker has for cleaning up."""


class _EndedError(BaseException):
    """This worker is to end."""


class Workers:
    """Runs what it is given in other processes."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(self, work: Callable[..., Any], *args: Any) -> Future[Any]:
        """Has this done by the next worker that is free."""
        return self._pool.submit(_done, work, args)


@contextmanager
def workers(
    jobs: int, method: str | None = None, begin: Callable[..., None] | None = None, given: tuple[Any, ...] = ()
) -> Iterator[Workers]:
    """Workers for as long as the block lasts; where it ends early, for whatever reason, they end with it.

    Args:
        jobs: How many.
        method: How they are started; None: as this system does.
        begin: What each does first.
        given: Arguments for it.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, get_context(method), _begin, (begin, given))
    try:
        yield Workers(pool)
        pool.shutdown()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        mine = [process for process in active_children() if process not in others]
        for process in mine:
            process.terminate()
        for process in mine:
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
        raise


_busy = False
"""Whether this worker is at work that has something to clean up."""


def _begin(begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    if begin is not None:
        begin(*given)


def _end(*_: object) -> None:
    if _busy:
        raise _EndedError
    os._exit(1)


def _done(work: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    global _busy
    try:
        _busy = True
        return work(*args)
    except _EndedError:
        os._exit(1)
    finally:
        _busy = False
