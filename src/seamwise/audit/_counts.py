"""Counts that a user or a lock file states, and what was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seamwise.audit._result import ReadError
from seamwise.audit._scan import FilePart, Scanner
from seamwise.binding import BY_LOCK, Lock, Recording, digest_of_names

_FILES = 3
"""Files that are named in one message."""


def uncounted(scanner: Scanner, parts: Sequence[FilePart]) -> frozenset[str]:
    """Streams of which the stated count and what was read differ: what lacks may be in any trace."""
    out = set()
    for stream in scanner.streams:
        if stream.recording is not None and stream.recording.count is not None:
            found = _found(parts, stream.name)
            if len(found) != stream.recording.count or _others(scanner.pack.lock, stream.recording, stream.name, found):
                out.add(stream.name)
    return frozenset(out)


def outgrown(scanner: Scanner, parts: Sequence[FilePart], doubtful: frozenset[str]) -> frozenset[str]:
    """Streams that hold more than a lock file counted, or others: it says nothing of what came later, and is not used for them."""
    out = set()
    for stream in scanner.streams:
        stated = stream.recording
        if stream.name in doubtful and stated is not None and stated.count is not None and stated.by == BY_LOCK:
            found = _found(parts, stream.name)
            if len(found) >= stated.count:
                out.add(stream.name)
    return frozenset(out)


def _found(parts: Sequence[FilePart], stream: str) -> set[str]:
    return set().union(*(part.operations.get(stream, set()) for part in parts))


def _others(lock: Lock | None, stated: Recording, stream: str, found: set[str]) -> bool:
    """Whether as many operations were found as a lock file counted, and they are others."""
    locked = None if lock is None or stated.by != BY_LOCK else lock.streams.get(stream)
    return locked is not None and len(found) == locked.operations and digest_of_names(found) != locked.digest


def count_notes(scanner: Scanner, parts: Sequence[FilePart], doubtful: frozenset[str], *, lost: bool) -> list[ReadError]:
    """What of the user's statements could not be used, and why."""
    out: list[ReadError] = []
    unused: list[str] = []
    for stream in scanner.streams:
        if stream.recording is None:
            continue
        if stream.name in doubtful:
            out.append(_note(scanner, stream.name, stream.recording, parts))
        elif stream.recording.by == BY_LOCK and stream.recording.count is None:
            out.append(
                ReadError(
                    where=f"{scanner.pack.name} `streams.{stream.name}.recording`",
                    message="expected a lock file that counts this stream, got none; nothing is known of its completeness",
                    hint="seamwise bind PAGE PATH... --lock",
                )
            )
        elif lost and stream.recording.count is None:
            unused.append(f"`streams.{stream.name}.recording`")
    if unused and any(part.n_steps for part in parts):
        out.append(
            ReadError(
                where=scanner.pack.name,
                message=f"where something was lost {' and '.join(unused)} cannot be used: not every recording could be read whole",
                hint="mend the export, or state the `count` of operations",
            )
        )
    return out


def _note(scanner: Scanner, name: str, stated: Recording, parts: Sequence[FilePart]) -> ReadError:
    n = len(_found(parts, name))
    if stated.by != BY_LOCK or scanner.pack.lock is None:
        return ReadError(
            where=f"{scanner.pack.name} `streams.{name}.recording.count`",
            message=f"expected {stated.count} operations, got {n}; within single traces the claim is not used",
            hint="is the export whole, and are all tools bound?",
        )
    where = f"{scanner.pack.name} `streams.{name}.recording`"
    changed = "; ".join(_changed(scanner.pack.lock, name, parts))
    files = f" ({changed})" if changed else ""
    if n < (stated.count or 0):
        return ReadError(
            where=where,
            message=f"expected {stated.count} operations as locked, got {n}: the others are missing, not absent{files}",
            hint="restore the recording; lock again only if you know that it is whole",
        )
    got = f"{n}" if n != stated.count else "as many others"
    return ReadError(
        where=where,
        message=f"expected {stated.count} operations as locked, got {got}; the lock does not count what came later and is not used{files}",
        hint="look at the preview, and lock again: seamwise bind PAGE PATH... --lock",
    )


def _changed(lock: Lock, stream: str, parts: Sequence[FilePart]) -> Iterator[str]:
    """Files that hold another number of the stream's operations than they did, the first of them."""
    now = {part.path: len(part.operations.get(stream, ())) for part in parts}
    left = dict(now)
    n = 0
    for file in lock.files:
        had = file.streams.get(stream, 0)
        path = next((p for p in now if p == file.file or p.endswith(f"/{file.file}")), None)
        has = 0 if path is None else now[path]
        if path is not None:
            left.pop(path, None)
        if had != has:
            n += 1
            if n <= _FILES:
                yield f"{file.file} held {had}, {'is not there' if path is None else f'holds {has}'}"
    more = sum(1 for has in left.values() if has)
    if more:
        yield f"{more} file{'s' * (more != 1)} came later"
    if n > _FILES:
        yield f"and {n - _FILES} more"
