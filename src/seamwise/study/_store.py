"""A run directory: what was asked for, and every episode beside its trace, its truth and what the models said.

An episode counts from the moment on which its ``episode.json`` stands there, which is written last. Every file appears whole or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from seamwise.errors import FormatError, UsageError
from seamwise.record import Trace, encode_trace, read_traces
from seamwise.study._matrix import Plan
from seamwise.worlds import Episode, Truth

MANIFEST = "manifest.json"
EPISODE = "episode.json"
TRACE = "trace.jsonl"
TRUTH = "truth.json"
JOURNAL = "journal.jsonl"
ATTEMPTS = "attempts"

FIRST_SUCCESS = (
    "a cell is played until an attempt is valid, at most `attempts` times; the first valid attempt is kept, and every one is listed"
)
SUBSTITUTION = (
    "a model that gave no answer in `failures_in_a_row` attempts in a row of its block, or that a person declared incompatible, is "
    "replaced in the whole block by its declared substitute; its episodes stay on disk and are not counted"
)


class Attempt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one try at a cell ended."""

    status: str
    why: str = ""


class Replaced(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A substitution that took place."""

    block: int
    """Number of the block in the plan."""
    model: str
    substitute: str
    why: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, and what became of the rules. Holds no time and no place, so that the same run gives the same bytes."""

    format: str = "seamwise-run/1"
    plan: Plan
    worlds: dict[str, str]
    """World -> the digest of its folder."""
    rules: dict[str, str] = msgspec.field(default_factory=lambda: {"validity": FIRST_SUCCESS, "substitution": SUBSTITUTION})
    replaced: tuple[Replaced, ...] = ()
    attempts: dict[str, tuple[Attempt, ...]] = {}
    """Cell id -> every attempt, where there was more than one, or none that was valid. Complete once the run is."""


class RunDirectory:
    """Reads and writes one run directory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def cell(self, cell_id: str) -> Path:
        """The folder of an episode."""
        return self.path / "episodes" / cell_id

    def manifest(self) -> Manifest | None:
        """What was asked for; None where nothing was yet.

        Raises:
            FormatError: It cannot be read.
        """
        path = self.path / MANIFEST
        if not path.exists():
            return None
        try:
            return msgspec.json.decode(path.read_bytes(), type=Manifest)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise FormatError(f"expected the manifest of a run, got: {error}", where=str(path)) from None

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest, where it is not there already."""
        content = _pretty(manifest)
        path = self.path / MANIFEST
        if not path.exists() or path.read_bytes() != content:
            write_whole(path, content)

    def episode(self, cell_id: str) -> Episode | None:
        """A finished episode without its truth, or None."""
        return read_episode(self.cell(cell_id) / EPISODE)

    def write_episode(self, folder: Path, episode: Episode, trace: Trace) -> None:
        """Write an episode beside its journal; ``episode.json`` last, since it says that the rest is there."""
        write_whole(folder / TRACE, encode_trace(trace))
        if episode.truth is not None:
            write_whole(folder / TRUTH, _pretty(episode.truth))
        write_whole(folder / EPISODE, episode_bytes(episode))

    def failed_attempts(self, cell_id: str) -> list[Attempt]:
        """The attempts at a cell that were given up, in order."""
        found = []
        for number in range(1, 1_000_000):
            episode = read_episode(self.cell(cell_id) / ATTEMPTS / str(number) / EPISODE)
            if episode is None:
                break
            found.append(Attempt(status=episode.status, why=episode.why))
        return found

    def attempts(self, cell_id: str) -> list[Attempt]:
        """Every finished attempt at a cell, the kept one last."""
        last = self.episode(cell_id)
        return self.failed_attempts(cell_id) + ([Attempt(status=last.status, why=last.why)] if last else [])

    def give_up(self, cell_id: str, number: int, episode: Episode, trace: Trace) -> None:
        """Put an attempt aside that is not valid. The journal is moved last, so that a stop in between is seen (`settle`)."""
        folder = self.cell(cell_id)
        self.write_episode(folder / ATTEMPTS / str(number), episode, trace)
        self._move_journal(folder, number)

    def settle(self, cell_id: str) -> int:
        """Finish what a stop cut short; returns the number of the attempt that is next."""
        folder = self.cell(cell_id)
        given_up = len(self.failed_attempts(cell_id))
        if given_up and not (folder / ATTEMPTS / str(given_up) / JOURNAL).exists():
            self._move_journal(folder, given_up)
        return given_up + 1

    def _move_journal(self, folder: Path, number: int) -> None:
        journal = folder / JOURNAL
        journal.touch()
        os.replace(journal, folder / ATTEMPTS / str(number) / JOURNAL)

    @contextmanager
    def held(self, cell_id: str | None = None, *, wait: bool) -> Iterator[None]:
        """Nobody else writes this cell (or runs this directory) meanwhile; the system lets go of it when the process ends.

        Raises:
            UsageError: Somebody does, and we are not to wait.
        """
        folder = self.path / "episodes" if cell_id is None else self.cell(cell_id)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            import fcntl
        except ImportError:  # no such lock on this system; nothing else depends on it
            yield
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                raise UsageError(f"another run is at work in `{self.path}`", hint="wait for it, or name another directory") from None
            yield
        finally:
            os.close(handle)


def read_episodes(path: str | Path, *, truth: bool = False) -> list[Episode]:
    """The episodes that count in a run directory, in the order of its plan: substitutes in place of the models that they replaced.

    Args:
        path: The directory.
        truth: Read what is protected too. Never for anybody who is to find the failure by themselves.

    Raises:
        UsageError: It is no run directory.
        FormatError: A file in it cannot be read.
    """
    run = RunDirectory(Path(path))
    manifest = run.manifest()
    if manifest is None:
        raise UsageError(f"expected the directory of a run, got `{path}`: it holds no {MANIFEST}")
    found = []
    for cell_id in counted_cells(manifest):
        episode = run.episode(cell_id)
        if episode is None:
            continue
        if truth and (run.cell(cell_id) / TRUTH).exists():
            protected = msgspec.json.decode((run.cell(cell_id) / TRUTH).read_bytes(), type=Truth)
            episode = msgspec.structs.replace(episode, truth=protected)
        found.append(episode)
    return found


def read_trace(path: str | Path, cell_id: str) -> Trace:
    """The trace of an episode in a run directory."""
    return next(read_traces(str(RunDirectory(Path(path)).cell(cell_id) / TRACE)))


def counted_cells(manifest: Manifest) -> list[str]:
    """Ids of the cells that count, in order."""
    took_over: dict[tuple[int, str], str] = {(r.block, r.model): r.substitute for r in manifest.replaced}
    ids: list[str] = []
    for number, block in enumerate(manifest.plan.blocks):
        for model in block.models:
            while (number, model) in took_over:
                model = took_over[number, model]
            ids += [cell.id for cell in block.cells(model)]
    return list(dict.fromkeys(ids))


def read_episode(path: Path) -> Episode | None:
    """What an ``episode.json`` holds, or None where there is none.

    Raises:
        FormatError: It is no episode.
    """
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Episode)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FormatError(f"expected an episode, got: {error}", where=str(path)) from None


def episode_bytes(episode: Episode) -> bytes:
    """An episode as it is kept: without its truth."""
    return _pretty(msgspec.structs.replace(episode, truth=None))


def truth_bytes(truth: Truth) -> bytes:
    """The truth as it is kept."""
    return _pretty(truth)


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1) + b"\n"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all, also when the machine stops."""
    path.parent.mkdir(parents=True, exist_ok=True)
    passing = path.with_name(f".{path.name}.tmp")
    with passing.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(passing, path)
    handle = os.open(path.parent, os.O_RDONLY) if os.name == "posix" else None
    if handle is not None:
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
