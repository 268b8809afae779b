"""Counting recordings, so that what goes missing later is missing and not absent."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from seamwise.binding import Lock, LockedFile, LockedStream, Pack, digest_of_names
from seamwise.errors import FormatError
from seamwise.workbench._reading import Traces

_CHUNK = 1 << 20


def lock_of(paths: str | Path | Iterable[str | Path], pack: Pack, *, format: str | None = None) -> Lock:
    """The lock of a page and recordings: for each stream how many operations they hold, for each file what it holds.

    Args:
        paths: Files and folders; standard input cannot be locked.
        pack: The page.
        format: Read all files as this format, unsniffed.

    Raises:
        UsageError: There is no path, or nothing lies at one.
        FormatError: Something cannot be read whole: then nobody knows how many operations there are.
    """
    traces = Traces(paths, format=format)
    if "-" in traces.paths:
        raise FormatError("expected files, got standard input: it cannot be looked at again")
    binder = pack.binder()
    names = list(pack.streams)
    every: dict[str, set[str]] = {name: set() for name in names}
    mine: dict[str, dict[str, set[str]]] = {path: {name: set() for name in names} for path in traces.paths}
    counts = {path: [0, 0] for path in traces.paths}
    for path, trace in traces:
        counts[path][0] += 1
        counts[path][1] += len(trace.steps)
        for name, part in zip(names, binder.bind(trace), strict=True):
            found = {bound.record.call or bound.record.id for bound in part if bound.record.source is None}
            every[name] |= found
            mine[path][name] |= found
    if traces.lost:
        error = traces.errors[0] if traces.errors else None
        told = "something of them was left out" if error is None else error.message
        where = None if error is None else error.where
        raise FormatError(
            f"expected recordings that can be read whole, got damaged ones ({told})", where=where, hint="mend the export first"
        )
    base = pack.beside("").resolve()
    files = [
        LockedFile(
            file=_relative(path, base),
            digest=_digest(path),
            traces=counts[path][0],
            steps=counts[path][1],
            streams={name: len(found) for name, found in mine[path].items() if found},
        )
        for path in traces.paths
    ]
    streams = {name: LockedStream(operations=len(found), digest=digest_of_names(found)) for name, found in every.items()}
    return Lock(page=pack.digest, streams=streams, files=tuple(sorted(files, key=lambda f: f.file)))


def _relative(path: str, base: Path) -> str:
    whole = os.path.realpath(path)
    return os.path.relpath(whole, base).replace(os.sep, "/") if Path(whole).is_relative_to(base) else os.path.basename(whole)


def _digest(path: str) -> str:
    hasher = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK):
            hasher.update(chunk)
    return f"sha256:{hasher.hexdigest()}"
