"""Stored episodes played again from what the models said, and compared."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from seamwise.models import Journal
from seamwise.record import encode_trace
from seamwise.study._engine import Order, play_once
from seamwise.study._store import EPISODE, JOURNAL, TRACE, TRUTH, Manifest, RunDirectory, episode_bytes, read_episodes, truth_bytes
from seamwise.worlds import Cell, Episode, load_world


@dataclass(frozen=True)
class Again:
    """An episode that was played again from its journal. ``differs`` names the files that came out otherwise."""

    cell: str
    status: str
    differs: tuple[str, ...]
    before: Episode
    after: Episode


def score_again(path: Path, *, progress: Callable[[int, int], None] = lambda *_: None) -> list[Again]:
    """Play every counted episode of a directory again from what the models said, without a model call, and compare.

    An attempt that ended because a model gave no answer ends at the same call again; only the wording of the failure is not compared.

    Raises:
        UsageError: It is no run directory.
    """
    directory = RunDirectory(path)
    episodes = read_episodes(path)
    manifest = directory.manifest()
    assert manifest is not None
    specs = {load_world(b.world).name: b.world for b in manifest.plan.blocks}
    found = []
    with asyncio.Runner() as runner:
        for number, episode in enumerate(episodes):
            folder = directory.cell(episode.cell.id)
            order = _order_of(directory, manifest, specs[episode.cell.world], episode.cell)
            played = runner.run(play_once(load_world(order.world), order, Journal(folder / JOURNAL, offline=True)))
            again = played.episode
            if again.status == episode.status != "valid":
                again = msgspec.structs.replace(again, why=episode.why)
            made = {EPISODE: episode_bytes(again), TRACE: encode_trace(played.trace)}
            if again.truth is not None:
                made[TRUTH] = truth_bytes(again.truth)
            differs = []
            for name, content in made.items():
                stored = None
                with suppress(FileNotFoundError):
                    stored = (folder / name).read_bytes()
                if stored != content:
                    differs.append(name)
            found.append(Again(episode.cell.id, again.status, tuple(differs), episode, again))
            progress(number + 1, len(episodes))
    return found


def _order_of(directory: RunDirectory, manifest: Manifest, spec: str, cell: Cell) -> Order:
    plan = manifest.plan
    return Order(str(directory.path), spec, cell, plan.counterpart, plan.judge, plan.attempts, plan.max_tokens, {})
