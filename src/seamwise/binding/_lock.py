"""Lock files: how many operations the recordings held when somebody looked, so that what goes missing later is missing.

``org.lock.json`` lies beside ``org.yaml``. A stream with ``recording: {by: lock}`` takes its count from there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from seamwise.errors import PackError

LOCK_VERSION = 1


class LockedStream(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One stream as it was."""

    operations: int
    digest: str
    """Of the names of its operations, whatever their order."""


class LockedFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file as it was."""

    file: str
    """Relative to the lock file, where it lies below it."""
    digest: str
    """Of its bytes."""
    traces: int
    steps: int
    streams: dict[str, int]
    """Stream -> its operations in the file."""


class Lock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was counted, and by which page."""

    lock_version: int = LOCK_VERSION
    page: str
    """Digest of the page's streams: another binding counts other things."""
    streams: dict[str, LockedStream]
    files: tuple[LockedFile, ...]


def lock_path(page: str | Path) -> Path:
    """Where the lock of a page lies: ``org.lock.json`` of ``org.yaml``."""
    page = Path(page)
    return page.with_name(f"{page.stem}.lock.json")


def digest_of_names(names: Iterable[str]) -> str:
    """One digest for a set of names."""
    hasher = hashlib.sha256()
    for name in sorted(names):
        hasher.update(name.encode("utf-8", "surrogatepass") + b"\0")
    return f"sha256:{hasher.hexdigest()}"


def digest_of_page(value: Any) -> str:
    """One digest for all spellings of the streams and actors of a page; what contracts say of them changes no count."""
    parts = {name: value[name] for name in ("streams", "actors") if isinstance(value, dict) and value.get(name) is not None}
    return f"sha256:{hashlib.sha256(msgspec.json.encode(written(parts), order='sorted')).hexdigest()}"


def written(value: Any) -> Any:
    """A document's value with its decimals as they were written."""
    if isinstance(value, dict):
        return {str(name): written(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [written(item) for item in value]
    return getattr(value, "digits", value)


def write_lock(lock: Lock) -> bytes:
    """The lock as it stands in its file: JSON that is read in a review."""
    return msgspec.json.format(msgspec.json.encode(lock, order="deterministic"), indent=2) + b"\n"


def read_lock(path: Path, page: str) -> Lock:
    """The lock in a file.

    Args:
        path: The file.
        page: Digest of the page that it is read for.

    Raises:
        PackError: There is none, it is no lock, or it was made for another page.
    """
    again = f"write it: seamwise bind {path.name.removesuffix('.lock.json')}.yaml PATH... --lock"
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise PackError("expected a lock file, as a stream says `recording: {by: lock}`, got none", where=str(path), hint=again) from None
    except OSError as error:
        raise PackError(f"cannot read the lock file: {(error.strerror or str(error)).lower()}", where=str(path)) from error
    try:
        lock = msgspec.json.decode(content, type=Lock)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        words = str(error)
        raise PackError(
            f"expected a lock file, got something else ({words[:1].lower()}{words[1:]})", where=str(path), hint=again
        ) from error
    if lock.lock_version != LOCK_VERSION:
        raise PackError(f"expected version {LOCK_VERSION} of the lock file, got `{lock.lock_version}`", where=str(path), hint=again)
    if lock.page != page:
        what = "expected the streams that were locked, got others: the page was changed since"
        raise PackError(what, where=str(path), hint=again.replace("write it", "look at the preview and lock again"))
    return lock
