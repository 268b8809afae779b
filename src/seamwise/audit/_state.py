"""Audits that continue: what a file gave is kept in a folder, and the file is not read again as long as it is the same.

What is kept is what reading and judging the file by itself gives; everything that files say together (keys across traces, counts,
tables, traces of which parts stand in several files) is put together anew each time. So an audit that continues gives, byte for byte,
what an audit of everything at once gives. A file is known by its path, its size and the digest of its bytes, for one page, one set of
options and one build of the program; anything else is read as if for the first time.

The folder holds recorded values as they were bound, unmasked, since verdicts need them: only its owner can read it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, NamedTuple

from seamwise.audit._kept_parts import mark_of_file, read_kept, write_kept
from seamwise.audit._scan import FilePart, Options, Scanner
from seamwise.audit._spool import Mark
from seamwise.binding import Pack
from seamwise.errors import UsageError
from seamwise.record import library_installed

MANIFEST = "seamwise-state.json"
KEPT = ".kept"
"""How the files of a state folder end."""
STATE_VERSION = 1


class Store(NamedTuple):
    """Where one audit finds and leaves what files gave; processes share it."""

    folder: str
    key: str
    """Digest of whatever decides, besides a file, what it gives."""

    def scan(self, scanner: Scanner, path: str, place: int) -> FilePart:
        """What the file gives, as it was kept or by reading it.

        Args:
            scanner: Reads it.
            path: The file.
            place: Its place among all files.
        """
        mark = None if path == "-" else mark_of_file(path)
        if mark is None:
            return scanner.scan(path, place)
        kept = os.path.join(self.folder, self.name(path, scanner.options.distrusted))
        part: FilePart | None = read_kept(kept, mark, scanner.spool, scanner.heap, place)
        if part is None:
            part = self._read(scanner, path, place, mark, kept)
        part.mark = mark
        return part

    def name(self, path: str, distrusted: frozenset[str]) -> str:
        """The name of what is kept of a file."""
        words = json.dumps([self.key, sorted(distrusted), path])
        return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() + KEPT

    def _read(self, scanner: Scanner, path: str, place: int, mark: Mark, kept: str) -> FilePart:
        with _private(self.folder) as (file, partial):
            scanner.spool.tee = file
            try:
                part = scanner.scan(path, place)
            finally:
                scanner.spool.tee = None
            write_kept(file, part, mark, scanner.heap)
            file.flush()
            if mark_of_file(path) == mark:  # else it was written while it was read
                os.replace(partial, kept)
        return part


@contextmanager
def _private(folder: str) -> Iterator[tuple[IO[bytes], str]]:
    """A new file that only its owner reads; it is gone afterwards unless it was given its place."""
    handle, name = tempfile.mkstemp(prefix=".new-", suffix=KEPT, dir=folder)
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file, name
    finally:
        Path(name).unlink(missing_ok=True)


class State:
    """What earlier audits keep, in a folder.

    Args:
        folder: The folder; it is made where it is not there.

    Raises:
        UsageError: It is something else, or holds other things.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._key = ""
        self._before: dict[str, str] = {}
        self.read: tuple[str, ...] = ()
        """Files that were read, as nothing was kept of them."""
        self.known: tuple[str, ...] = ()
        """Files that were not read again."""
        self.changed: tuple[str, ...] = ()
        """Files that are not the same as in the audit before, and were read again."""
        self.gone: tuple[str, ...] = ()
        """Files that the audit before read, and that are not there or were not named any more."""
        self.forgotten = False
        """Whether all that was kept is of another page, other options or another build."""
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            here = os.listdir(self.folder)
        except (FileExistsError, NotADirectoryError):
            raise UsageError(f"expected a folder for the state, got `{folder}`, which is a file") from None
        except OSError as error:
            raise UsageError(f"cannot use the folder `{folder}` for the state: {(error.strerror or str(error)).lower()}") from error
        if here and MANIFEST not in here:
            raise UsageError(
                f"expected an empty folder or a state, got `{folder}`, which holds other things", hint="name a folder of its own"
            )

    def opened(self, pack: Pack, options: Options) -> Store:
        """The store of an audit by this page and these options."""
        self._key = audit_key(pack, options)
        told = self._manifest()
        self._before = told["files"]
        self.forgotten = bool(self._before) and told["key"] != self._key
        if not (self.folder / MANIFEST).exists():
            self._write({})  # a run that is cut short leaves a folder that is known to be a state
        return Store(str(self.folder), self._key)

    def close(self, parts: Sequence[FilePart], used: Iterable[frozenset[str]]) -> None:
        """Remembers which files there were, and lets go of what is kept of others.

        Args:
            parts: What all files gave.
            used: The sets of distrusted streams under which they were read.
        """
        now = {part.path: part.mark.digest for part in parts if part.mark is not None}
        self.known = tuple(part.path for part in parts if part.known)
        self.read = tuple(part.path for part in parts if not part.known)
        self.changed = tuple(path for path in self.read if path in self._before and now.get(path) != self._before[path])
        self.gone = tuple(sorted(self._before.keys() - now.keys()))
        self._write(now)
        store = Store(str(self.folder), self._key)
        wanted = {store.name(path, distrusted) for path in now for distrusted in used}
        for entry in os.listdir(self.folder):
            if entry.endswith(KEPT) and entry not in wanted:
                (self.folder / entry).unlink(missing_ok=True)

    def _manifest(self) -> dict[str, Any]:
        try:
            told = json.loads((self.folder / MANIFEST).read_bytes())
            files = told["files"]
            if told["version"] == STATE_VERSION and isinstance(files, dict) and all(isinstance(d, str) for d in files.values()):
                return {"key": str(told["key"]), "files": files}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            pass  # nothing is lost by it but the time of reading again
        return {"key": "", "files": {}}

    def _write(self, files: dict[str, str]) -> None:
        with _private(str(self.folder)) as (file, partial):
            file.write(json.dumps({"version": STATE_VERSION, "key": self._key, "files": files}, indent=1).encode())
            file.flush()
            os.replace(partial, self.folder / MANIFEST)


def audit_key(pack: Pack, options: Options) -> str:
    """Digest of whatever decides, besides a file, what it gives: the page, the options, the build, what is plugged in."""
    hasher = blake2b(digest_size=16)
    for part in (_build(), pack.fingerprint, repr((options.prove, options.redact, options.format, library_installed()))):
        hasher.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return hasher.hexdigest()


def _build() -> str:
    """Digest of the program itself and the names of what is plugged into it: another build may judge otherwise."""
    from importlib.metadata import entry_points

    hasher = blake2b(digest_size=16)
    root = Path(__file__).parents[1]
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".yaml", ".json")):
        hasher.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    for group in ("seamwise.kinds", "seamwise.importers"):
        for point in sorted(entry_points(group=group), key=lambda p: (p.name, p.value)):
            version = point.dist.version if point.dist is not None else ""
            hasher.update(f"{point.name}={point.value}@{version}\0".encode())
    return hasher.hexdigest()
