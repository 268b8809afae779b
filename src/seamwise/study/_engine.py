"""Runs a plan: every cell is played, in several processes if wanted, and a run that was killed goes on where it stood."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from seamwise.errors import SeamwiseError, UsageError
from seamwise.models import Budget, BudgetSpentError, Journal, Part, Voice
from seamwise.runtime import Voices
from seamwise.study._budget import SharedBudget
from seamwise.study._matrix import Plan
from seamwise.study._store import JOURNAL, MANIFEST, Attempt, Manifest, Replaced, RunDirectory, counted_cells
from seamwise.worlds import Cell, Played, World, load_world, play_episode

Prices = Mapping[str, tuple[float, float]]
"""Model -> USD per million input and output tokens."""


@dataclass(frozen=True)
class Spending:
    """What one call of `run_plan` may use; what the journals of the directory hold already costs nothing again."""

    max_tokens: int | None = None
    max_cost: float | None = None
    prices: Prices = field(default_factory=dict)

    def check(self, plan: Plan) -> None:
        """Returns if the bounds can be kept.

        Raises:
            UsageError: There is a bound on cost, and a model's price is not known.
        """
        if self.max_cost is None:
            return
        unknown = [m for m in plan.models if self.price(m) is None]
        if unknown:
            raise UsageError(
                f"a bound on cost needs the price of every model, and that of {', '.join(f'`{m}`' for m in unknown)} is not known",
                hint="name it with --price MODEL=INPUT,OUTPUT in USD per million tokens, or bound --max-tokens instead",
            )

    def price(self, model: str) -> tuple[float, float] | None:
        """What is known of a model's price; scripts cost nothing."""
        if model in self.prices:
            return self.prices[model]
        if model.startswith(("seamwise/", "mockllm/")):
            return (0.0, 0.0)
        from inspect_ai.model import get_model_info

        known = get_model_info(model)
        cost = known.cost if known is not None else None
        return (cost.input, cost.output) if cost is not None else None


@dataclass
class Progress:
    """Where a run stands. ``statuses`` counts finished cells by status; `waiting` are left."""

    total: int
    statuses: Counter[str] = field(default_factory=Counter)
    kept: int = 0
    """Of the finished, those that were there before."""
    retried: int = 0
    """Attempts that were given up."""

    @property
    def done(self) -> int:
        """Finished cells."""
        return sum(self.statuses.values())

    @property
    def waiting(self) -> int:
        """Cells that are not finished."""
        return self.total - self.done


@dataclass(frozen=True)
class Ran:
    """How a run ended. ``stopped``: why before its end (a budget); None: every cell is finished."""

    manifest: Manifest
    progress: Progress
    stopped: str | None


@dataclass(frozen=True)
class Order:
    """One cell to be played, as a worker gets it."""

    directory: str
    world: str
    cell: Cell
    counterpart: str
    judge: str | None
    attempts: int
    max_tokens: int | None
    prices: dict[str, tuple[float, float] | None]


@dataclass(frozen=True)
class Finished:
    """What a worker gives back: the attempts at its cell, or why it stopped."""

    cell: str
    attempts: tuple[Attempt, ...] = ()
    spent: str | None = None


def run_plan(
    plan: Plan,
    out: Path,
    *,
    jobs: int = 1,
    spending: Spending | None = None,
    incompatible: Mapping[str, str] | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Ran:
    """Play every cell of a plan that is not finished yet in a directory.

    Args:
        plan: What is played.
        out: The run directory; made where it is not there.
        jobs: Worker processes; with 1 this process plays.
        spending: Bounds on tokens and cost.
        incompatible: Model -> why a person says that it cannot take part; its substitute takes over at once.
        progress: Called with the counts after every cell.

    Raises:
        UsageError: The directory holds another plan, another world or another run at work; or a bound cannot be kept.
    """
    spending = spending or Spending()
    spending.check(plan)
    for model in incompatible or {}:
        if model not in plan.substitutes:
            raise UsageError(f"`{model}` is to be replaced and has no substitute", hint="declare one with --substitute MODEL=OTHER")
    directory = RunDirectory(out)
    manifest = _opened(directory, plan)
    if any(directory.episode(cell_id) is None for cell_id in counted_cells(manifest)):
        for model in plan.models:  # before anything is written: a name that is mistyped is no run
            model_named(model)
    with directory.held(wait=False):
        directory.write_manifest(manifest)
        run = _Run(directory, manifest, spending, jobs, progress)
        try:
            return run.play(incompatible or {})
        finally:
            directory.write_manifest(run.summary())


BEGUN = ("episodes", f".{MANIFEST}.tmp")
"""What a run that was killed in its first moment leaves behind."""


def _opened(directory: RunDirectory, plan: Plan) -> Manifest:
    """The manifest of the directory, made anew where there is none.

    Raises:
        UsageError: The directory was begun with something else.
    """
    worlds = {b.world: load_world(b.world).digest for b in plan.blocks}
    known = directory.manifest()
    if known is None:
        if directory.path.exists() and any(p.name not in BEGUN for p in directory.path.iterdir()):
            raise UsageError(f"expected an empty directory or that of a run, got `{directory.path}`", hint="name another directory")
        return Manifest(plan=plan, worlds=worlds)
    where = f"`{directory.path}` was begun with"
    other = "name another directory: results of two runs are not mixed in one"
    if known.plan.judge != plan.judge:
        raise UsageError(f"{where} the judge `{known.plan.judge}`, not `{plan.judge}`", hint=other)
    if known.plan.counterpart != plan.counterpart:
        raise UsageError(f"{where} the counterpart `{known.plan.counterpart}`, not `{plan.counterpart}`", hint=other)
    if known.plan.blocks != plan.blocks:
        raise UsageError(f"{where} another matrix", hint=other)
    if known.plan != plan:
        raise UsageError(f"{where} other rules (attempts, substitutes or tokens of a reply)", hint=other)
    for name, digest in worlds.items():
        if known.worlds.get(name) != digest:
            raise UsageError(f"{where} another version of the world `{name}`", hint=other)
    return known


class _Run:
    """One call of `run_plan`, whose directory it holds."""

    def __init__(
        self, directory: RunDirectory, manifest: Manifest, spending: Spending, jobs: int, progress: Callable[[Progress], None]
    ) -> None:
        self.directory = directory
        self.manifest = manifest
        self.plan = manifest.plan
        self.spending = spending
        self.jobs = jobs
        self.tell = progress
        self.attempts: dict[str, tuple[Attempt, ...]] = {}
        self.stopped: str | None = None
        self.prices = {m: spending.price(m) for m in self.plan.models} if spending.max_cost is not None else {}

    def play(self, incompatible: Mapping[str, str]) -> Ran:
        """Play until nothing is left; a slot that changes hands gives new cells to play."""
        for model, why in incompatible.items():
            for number, block in enumerate(self.plan.blocks):
                if model in block.models:
                    self._replace(number, model, f"declared incompatible: {why}")
        self._look()
        kept = set(self.attempts)
        workers: Any = _Here(self.spending) if self.jobs == 1 else _Pool(self.jobs, self.spending)
        ended = False
        try:
            while self.stopped is None:
                self._substitute()
                orders = list(self._orders())
                before = len(self.attempts)
                self._told(kept)
                if not orders:
                    break
                for finished in workers.play(orders, wanted=lambda order: self._wanted(order.cell.id)):
                    if finished.spent is not None:
                        self.stopped = finished.spent
                        break
                    self.attempts[finished.cell] = finished.attempts
                    self._substitute()
                    self._told(kept)
                if len(self.attempts) == before and self.stopped is None:
                    raise AssertionError(f"{len(orders)} cells were asked for and none was played")
            ended = True
        finally:
            workers.close(at_once=not ended)
        self._look()  # what others finished after one of them was stopped
        return Ran(self.summary(), self._told(kept), self.stopped)

    def _look(self) -> None:
        """Take in every finished cell of the directory."""
        for cell_id in counted_cells(self.manifest):
            if cell_id not in self.attempts and self.directory.episode(cell_id) is not None:
                self.attempts[cell_id] = tuple(self.directory.attempts(cell_id))

    def summary(self) -> Manifest:
        """The manifest with the attempts that are worth telling."""
        told = {
            cell_id: tries
            for cell_id in counted_cells(self.manifest)
            if (tries := self.attempts.get(cell_id)) and (len(tries) > 1 or tries[-1].status != "valid")
        }
        return msgspec.structs.replace(self.manifest, attempts=told)

    def _orders(self) -> Iterator[Order]:
        wanted = {cell_id for cell_id in counted_cells(self.manifest) if cell_id not in self.attempts}
        taken = {(r.block, r.model): r.substitute for r in self.manifest.replaced}
        for number, block in enumerate(self.plan.blocks):
            for slot in block.models:
                model = slot
                while (number, model) in taken:
                    model = taken[number, model]
                for cell in block.cells(model):
                    if cell.id in wanted:
                        wanted.remove(cell.id)
                        plan = self.plan
                        yield Order(
                            str(self.directory.path),
                            block.world,
                            cell,
                            plan.counterpart,
                            plan.judge,
                            plan.attempts,
                            plan.max_tokens,
                            dict(self.prices),
                        )

    def _wanted(self, cell_id: str) -> bool:
        """Whether a cell is still to be played: its model may have been replaced meanwhile."""
        return cell_id in self._counted

    def _substitute(self) -> None:
        """Apply the rule of substitution to what is known: per block and model, in the order of the cells, up to the first gap."""
        taken = {(r.block, r.model) for r in self.manifest.replaced}
        for number, block in enumerate(self.plan.blocks):
            speaking = [m for m in (*block.models, *self.plan.substitutes.values()) if m in self.plan.substitutes]
            for model in speaking:
                if (number, model) in taken:
                    continue
                row = 0
                for cell in block.cells(model):
                    tries = self.attempts.get(cell.id)
                    if tries is None:
                        break
                    for one in tries:
                        row = row + 1 if one.status == "agent_failed" else 0
                        if row >= self.plan.failures_in_a_row:
                            self._replace(number, model, f"no answer in {row} attempts in a row: {one.why}")
                            break
                    else:
                        continue
                    break
        self._counted = set(counted_cells(self.manifest))

    def _replace(self, block: int, model: str, why: str) -> None:
        if any((r.block, r.model) == (block, model) for r in self.manifest.replaced):
            return
        event = Replaced(block=block, model=model, substitute=self.plan.substitutes[model], why=why)
        replaced = tuple(sorted((*self.manifest.replaced, event), key=lambda r: (r.block, r.model)))
        self.manifest = msgspec.structs.replace(self.manifest, replaced=replaced)
        self.directory.write_manifest(self.manifest)

    def _told(self, kept: set[str]) -> Progress:
        counted = counted_cells(self.manifest)
        finished = [self.attempts[c] for c in counted if c in self.attempts]
        progress = Progress(
            total=len(counted),
            statuses=Counter(tries[-1].status for tries in finished),
            kept=len(kept.intersection(counted)),
            retried=sum(len(tries) - 1 for tries in finished),
        )
        self.tell(progress)
        return progress


class _Here:
    """This process plays, one cell after another."""

    def __init__(self, spending: Spending) -> None:
        self.budget = Budget(max_tokens=spending.max_tokens, max_cost=spending.max_cost)
        self.runner = asyncio.Runner()

    def play(self, orders: list[Order], wanted: Callable[[Order], bool]) -> Iterator[Finished]:
        for order in orders:
            if wanted(order):
                yield self.runner.run(play_order(order, self.budget))

    def close(self, *, at_once: bool) -> None:
        self.runner.close()


class _Pool:
    """Several processes play, each started anew (``spawn``), each with one event loop for all its episodes."""

    def __init__(self, jobs: int, spending: Spending) -> None:
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        self.active = multiprocessing.active_children
        self.others = set(self.active())
        self.jobs = jobs
        shared = context.Array("d", 2)
        self.pool = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin, initargs=(spending.max_tokens, spending.max_cost, shared)
        )

    def play(self, orders: list[Order], wanted: Callable[[Order], bool]) -> Iterator[Finished]:
        left = iter(orders)
        running: set[Future[Finished]] = set()
        while True:
            while len(running) < self.jobs + 1 and (order := next((o for o in left if wanted(o)), None)) is not None:
                running.add(self.pool.submit(_work, order))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                try:
                    yield future.result()
                except BrokenProcessPool:
                    raise UsageError(
                        "a worker process was ended from outside", hint="run the same command again: it goes on where it stood"
                    ) from None

    def close(self, *, at_once: bool) -> None:
        """Let the workers finish their episodes; ``at_once`` (an interrupt, an error) ends them: all that was said is in the journals."""
        if at_once:
            for child in set(self.active()) - self.others:
                child.kill()
        self.pool.shutdown(wait=True, cancel_futures=True)


_budget: Budget = Budget()
_runner: asyncio.Runner | None = None


def _begin(max_tokens: int | None, max_cost: float | None, shared: Any) -> None:
    """What a worker does first. It ends itself when the process that started it is gone, whatever it is doing."""
    import multiprocessing
    import signal
    import threading
    from multiprocessing.connection import wait as wait_for

    global _budget, _runner
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    _budget = SharedBudget(max_tokens=max_tokens, max_cost=max_cost, shared=shared)
    _runner = asyncio.Runner()
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait_for([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _work(order: Order) -> Finished:
    assert _runner is not None
    return _runner.run(play_order(order, _budget))


async def play_order(order: Order, budget: Budget) -> Finished:
    """Play one cell until an attempt is valid, and keep it; what was said before is not asked again."""
    directory = RunDirectory(Path(order.directory))
    cell_id = order.cell.id
    world = load_world(order.world)
    with directory.held(cell_id, wait=True):
        if directory.episode(cell_id) is not None:  # a worker of an earlier run finished it in its last moment
            return Finished(cell_id, tuple(directory.attempts(cell_id)))
        number = directory.settle(cell_id)
        folder = directory.cell(cell_id)
        while True:
            try:
                with closing(Journal(folder / JOURNAL)) as journal:
                    played = await play_once(world, order, journal, budget)
            except BudgetSpentError as error:
                return Finished(cell_id, spent=str(error))
            if played.episode.status == "valid" or number >= order.attempts:
                (folder / JOURNAL).touch()
                directory.write_episode(folder, played.episode, played.trace)
                return Finished(cell_id, tuple(directory.attempts(cell_id)))
            directory.give_up(cell_id, number, played.episode, played.trace)
            number += 1


async def play_once(world: World, order: Order, journal: Journal, budget: Budget | None = None) -> Played:
    """One attempt at a cell."""
    counter: dict[Part, str | None] = {"agent": order.cell.model, "counterpart": order.counterpart, "judge": order.judge}
    voices = {
        part: speaker(name, part, order.cell.seed, journal, budget or Budget(), order.prices.get(name), order.max_tokens)
        for part, name in counter.items()
        if name is not None
    }
    return await play_episode(world, order.cell, Voices(voices["agent"], voices["counterpart"], voices.get("judge")))


def speaker(
    name: str,
    part: Part,
    seed: int,
    journal: Journal,
    budget: Budget,
    price: tuple[float, float] | None = None,
    max_tokens: int | None = None,
) -> Voice:
    """A voice for a model by its name.

    The model itself is looked up at the first call that is really made: a replay needs neither key nor package.
    """
    model: Any = _Named(name)
    return Voice(model, part, seed=seed, journal=journal, budget=budget, price=price, max_tokens=max_tokens)


class _Named:
    """A model that is known by its name until it is asked something."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name

    async def generate(self, *given: Any, **named: Any) -> Any:
        return await model_named(self.name).generate(*given, **named)


def model_named(name: str) -> Any:
    """Inspect's model of that name.

    Raises:
        UsageError: There is no such model, or something that it needs is not there.
    """
    from inspect_ai.model import get_model

    import seamwise.models.registry  # noqa: F401  # makes the personas known to Inspect

    try:
        model = get_model(name)
    except SeamwiseError:
        raise
    except Exception as error:  # whatever a provider says about a missing package, key or name
        hint = "models are named provider/model, as Inspect names them"
        raise UsageError(f"cannot use the model `{name}`: {_plain(error)}", hint=hint) from None
    count_offline(model)
    return model


def count_offline(model: Any) -> None:
    """Let Inspect's mock model count a quarter of the characters; its own way fetches a table from the network."""
    if str(model).startswith("mockllm/"):

        async def quarter(text: str) -> int:
            return max(1, len(text) // 4)

        model.api.count_text_tokens = quarter


def _plain(error: Exception) -> str:
    import re

    text = str(getattr(error, "message", error)) or type(error).__name__
    return " ".join(re.sub(r"\[/?[a-z_ ]*\]", "", text).split())
