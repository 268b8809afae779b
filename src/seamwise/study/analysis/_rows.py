"""Reads the episodes of run directories: the one that counts of every cell, and how its attempts ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from seamwise.errors import UsageError, near_name
from seamwise.worlds import Cell, Episode

EPISODE = "episode.json"
_DECODER = msgspec.json.Decoder(Episode)


class Rows(NamedTuple):
    """What was found."""

    episodes: tuple[Episode, ...]
    """One a cell: the retained attempt, valid or not, in the order of cell ids."""
    attempts: Mapping[str, tuple[str, ...]]
    """Cell id -> the statuses of attempts that were given up before."""
    damaged: tuple[tuple[str, str], ...]
    """File and reason."""
    replaced: int
    """Episodes of models that a substitute took over for; they are not counted."""
    repeated: int
    """Episodes whose cell an earlier directory holds already; they are not counted."""


def load_rows(paths: Sequence[str | Path]) -> Rows:
    """The episodes of one or more run directories.

    A file that cannot be read is named, and the others are read all the same.

    Raises:
        UsageError: There is no such directory, it holds no episodes, or more than one judge scored them.
    """
    episodes: dict[str, Episode] = {}
    attempts: dict[str, tuple[str, ...]] = {}
    damaged: list[tuple[str, str]] = []
    replaced = repeated = found = 0
    for path in map(Path, paths):
        folder = path / "episodes"
        if not folder.is_dir():
            what = "no folder `episodes`" if path.is_dir() else "no such directory"
            raise UsageError(f"expected the directory of a run, got `{path}`: {what}", hint=None if path.is_dir() else near_name(str(path)))
        substituted = _substituted(path / "manifest.json", damaged)
        for cell in sorted(p for p in folder.iterdir() if p.is_dir()):
            given_up = tuple(e.status for file in _attempts(cell) if (e := _read(file, damaged)) is not None)
            if not (cell / EPISODE).exists():
                continue  # it was begun and is not finished
            found += 1
            episode = _read(cell / EPISODE, damaged)
            if episode is None:
                continue
            if any(_covers(block, model, episode.cell) for block, model in substituted):
                replaced += 1
            elif episode.cell.id in episodes:
                repeated += 1
            else:
                episodes[episode.cell.id] = episode
                attempts[episode.cell.id] = given_up
    if not found:
        raise UsageError(f"expected finished episodes in {_named(paths)}, got none", hint="`seamwise run` makes them")
    _one_judge(episodes.values())
    return Rows(tuple(episodes[name] for name in sorted(episodes)), attempts, tuple(damaged), replaced, repeated)


def _named(paths: Sequence[str | Path]) -> str:
    return ", ".join(f"`{p}`" for p in paths)


def _attempts(cell: Path) -> Iterator[Path]:
    folder = cell / "attempts"
    if folder.is_dir():
        yield from sorted((p / EPISODE for p in folder.iterdir() if (p / EPISODE).is_file()), key=lambda p: (len(p.parent.name), str(p)))


def _read(file: Path, damaged: list[tuple[str, str]]) -> Episode | None:
    try:
        return _DECODER.decode(file.read_bytes())
    except OSError as error:
        damaged.append((str(file), (error.strerror or str(error)).lower()))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        damaged.append((str(file), f"not an episode: {error}"))
    return None


def _substituted(manifest: Path, damaged: list[tuple[str, str]]) -> list[tuple[dict[str, Any], str]]:
    """Blocks and the models in them that a substitute replaced."""
    if not manifest.exists():
        return []
    try:
        told = msgspec.json.decode(manifest.read_bytes(), type=dict[str, Any])
        blocks = told.get("plan", {}).get("blocks", [])
        return [(dict(blocks[r["block"]]), str(r["model"])) for r in told.get("replaced", [])]
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, LookupError, AttributeError, TypeError, ValueError) as error:
        damaged.append((str(manifest), f"not a manifest, so that no substitution is known: {error}"))
        return []


def _covers(block: dict[str, Any], model: str, cell: Cell) -> bool:
    if cell.model != model or cell.arm != block.get("arm", "main") or cell.seed not in block.get("seeds", [cell.seed]):
        return False
    if cell.condition not in block.get("conditions", [cell.condition]) or not _same_world(str(block.get("world")), cell.world):
        return False
    return all(cell.factors.get(name) in levels for name, levels in block.get("factors", {}).items())


def _same_world(named: str, world: str) -> bool:
    from seamwise.study.analysis._worlds import about_world

    return named in (world, about_world(world).code) or named.upper() == about_world(world).code


def _one_judge(episodes: Any) -> None:
    """One study has one judge: rates that two judges scored are no rates of one thing."""
    judges = sorted({e.models["judge"] for e in episodes if e.status == "valid" and e.models.get("judge")})
    if len(judges) > 1:
        raise UsageError(
            f"expected one judge for all episodes, got {len(judges)}: {', '.join(f'`{j}`' for j in judges)}",
            hint="score the episodes again with one judge, or analyse the directories apart",
        )
