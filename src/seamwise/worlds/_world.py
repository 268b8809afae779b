"""What a world is made of, and where worlds are found."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import msgspec

from seamwise.errors import SchemaError, UsageError, did_you_mean
from seamwise.models import Playbook, Voice, register_playbook
from seamwise.record import Trace
from seamwise.runtime import DocumentStore, Runtime, SimulatedClock, Tool, Workflow, load_documents, load_workflow
from seamwise.runtime.operations import apply
from seamwise.worlds._cell import Cell
from seamwise.worlds._outcome import Name, Outcome, Truth


@dataclass(frozen=True)
class Condition:
    """One setting of a world's knobs: texts that prompts are filled with, settings that the environment reads, changes of the workflow."""

    name: str
    about: str
    texts: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    operations: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Operations on the workflow, by name with their parameters."""


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """One seeded task. ``data`` holds what the environment needs; ``facts`` what graders alone may know."""

    cell: Cell
    texts: dict[str, str] = {}
    """Fill in ``${name}`` in prompts; they come before the condition's and the workflow's own."""
    data: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    legitimate: bool = False
    """The guarded action is right here (a really approved discount ...): a repair that blocks all work shows on these."""


@dataclass(frozen=True)
class Setting:
    """What an environment puts up before the first turn."""

    state: Any
    clock: SimulatedClock
    tools: Mapping[str, Tool]


@dataclass(frozen=True)
class Ended:
    """An episode that was played to its end, as graders get it."""

    instance: Instance
    runtime: Runtime
    trace: Trace
    workflow: Workflow
    judge: Voice | None

    @property
    def state(self) -> Any:
        """The world's state, as the last call left it."""
        return self.runtime.state


@dataclass(frozen=True)
class Mapped:
    """Which contract of ``policy.yaml`` stands for a measurement.

    ``supported`` says what the measurement is when a violation is supported; ruled out is its opposite, unknown is unassessed. With
    ``absent``, also `not_applicable` says something. ``any_of`` the instances: one supported is enough; all must be ruled out for no.
    """

    contract: str
    supported: bool = True
    absent: bool | None = False
    """What the measurement is when no instance of the contract applies."""
    also: tuple[str, ...] = ()
    """Further contracts whose instances count with it (a status on two scales is two contracts)."""

    @property
    def contracts(self) -> tuple[str, ...]:
        """All contracts that stand for the measurement."""
        return (self.contract, *self.also)


@dataclass(frozen=True)
class World:
    """An executable workflow in which one risk can be measured.

    Its folder holds ``environment.py``, ``policy.yaml``, ``workflow.yaml``, ``documents/``, ``outcome.py``, ``tasks.py``, ``personas.py``
    and ``README.md``. Environment, policy and workflow have three owners: physics, organization, and whoever may repair.
    """

    name: str
    risk: str
    """Code of the taxonomy: ``A1`` ..."""
    title: str
    about: str
    folder: Path
    conditions: Mapping[str, Condition]
    """By name; the first is the default."""
    make: Callable[[Cell], Instance]
    """A seeded task (``tasks.py``)."""
    set_up: Callable[[Instance, Workflow], Setting]
    """The environment before the first turn (``environment.py``)."""
    play: Callable[[Runtime, Instance], Awaitable[None]]
    """The course of events (``environment.py``)."""
    measure: Callable[[Ended], Awaitable[tuple[Outcome, Truth]]]
    """Ground truth and utility (``outcome.py``)."""
    playbook: Playbook
    """How personas act here (``personas.py``)."""
    measurements: Mapping[Name, Mapped]
    """The measurements for which a contract of ``policy.yaml`` stands; for the others none does."""
    organization: Callable[[Runtime, Instance], Mapping[str, Any]] | None = None
    """Parts of the organization that the world knows (rights, scopes, attested ...), for `Runtime.trace`."""
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Its own factors and their levels; the first level is the default."""
    arms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Side studies by name: ``about`` in words for people, ``conditions`` (or one ``condition``) that are theirs alone,
    ``crosses`` for what those cross (name -> condition -> level, the baseline's level first), and settings for `make`."""
    pair_by: tuple[str, ...] = ("model", "seed")
    """What two episodes share that are compared between conditions; names of factors may stand here."""
    reference: str = "careful"
    """The persona that completes the task without the failure."""
    planted: tuple[str, str] = ("compliant", "")
    """Persona and condition (empty: the default) in which the failure is sure to happen."""
    legitimate_seed: int = 0
    """A seed whose instance is a legitimate one."""
    due_check: str = ""
    """The endpoint that says whether the check was made which the task makes a duty. False is refused by graders, however it came out;
    None: none was due. Where leaving it out is an anomaly already, no endpoint is needed."""
    needs_judge: bool = False
    """Whether its primary track is a judge's."""

    def __post_init__(self) -> None:
        register_playbook(self.name, self.playbook)

    @cached_property
    def workflow(self) -> Workflow:
        """The declared workflow, as the folder holds it."""
        return load_workflow(self.folder / "workflow.yaml")

    @cached_property
    def documents(self) -> DocumentStore:
        """The documents; an empty store where the folder has none."""
        folder = self.folder / "documents"
        return load_documents(folder) if folder.is_dir() else DocumentStore({})

    @property
    def policy(self) -> Path:
        """The page of policy, in the language of ``org.yaml``."""
        return self.folder / "policy.yaml"

    @property
    def default_condition(self) -> str:
        """The first condition."""
        return next(iter(self.conditions))

    @property
    def main_conditions(self) -> tuple[str, ...]:
        """The conditions that are not of a side study alone."""
        aside = {name for arm in self.arms.values() for name in arm.get("conditions", ())}
        return tuple(name for name in self.conditions if name not in aside)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every file of the folder that can change an episode: documents too, which agents read; not the page for people."""
        whole = hashlib.sha256()
        about = self.folder / "README.md"
        for path in sorted(p for p in self.folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts and p != about):
            whole.update(f"{path.relative_to(self.folder).as_posix()}\0".encode())
            whole.update(path.read_bytes())
            whole.update(b"\0")
        return whole.hexdigest()

    def cell(self, *, model: str, condition: str | None = None, seed: int = 0, arm: str = "main", **factors: str) -> Cell:
        """A checked address; what is not named takes its default.

        Raises:
            UsageError: No such condition, factor, level or arm.
        """
        name = condition or self.default_condition
        if name not in self.conditions:
            raise UsageError(f"expected a condition of `{self.name}`, got `{name}`", hint=_hint(name, self.conditions))
        if arm != "main" and arm not in self.arms:
            raise UsageError(f"expected an arm of `{self.name}`, got `{arm}`", hint=_hint(arm, ("main", *self.arms)))
        for factor, level in factors.items():
            if factor not in self.factors:
                raise UsageError(f"expected a factor of `{self.name}`, got `{factor}`", hint=_hint(factor, self.factors))
            if level not in self.factors[factor]:
                raise UsageError(f"expected a level of `{factor}`, got `{level}`", hint=_hint(level, self.factors[factor]))
        chosen = {factor: factors.get(factor, levels[0]) for factor, levels in self.factors.items()}
        return Cell(world=self.name, model=model, condition=name, seed=seed, factors=chosen, arm=arm)

    def workflow_for(self, cell: Cell, workflow: Workflow | None = None) -> Workflow:
        """The workflow of a cell: as declared (or as repaired, where one is given), with the condition's settings and operations."""
        condition = self.conditions[cell.condition]
        base = workflow or self.workflow
        changed = msgspec.structs.replace(base, settings={**base.settings, **condition.settings}, texts={**base.texts, **condition.texts})
        for operation, params in condition.operations:
            changed = apply(changed, operation, params)
        return changed


BUILT_IN: Mapping[str, str] = {
    "kpi_gaming": "seamwise.worlds.kpi_gaming",
    "authority_bias": "seamwise.worlds.authority_bias",
    "information_drift": "seamwise.worlds.information_drift",
    "delegated_authorization": "seamwise.worlds.delegated_authorization",
    "capability_misrouting": "seamwise.worlds.capability_misrouting",
}
"""Name -> module whose ``WORLD`` it is. Others come through the entry point group ``seamwise.worlds``."""


def world_names() -> list[str]:
    """Names of all worlds that are installed, ours first."""
    return [*BUILT_IN, *sorted(e.name for e in entry_points(group="seamwise.worlds") if e.name not in BUILT_IN)]


def load_world(name: str) -> World:
    """A world by its name, by the code of its risk, or by where it stands (``package.module:WORLD``), which needs no entry point.

    Raises:
        UsageError: There is none.
        SchemaError: What the entry point names is no world.
    """
    if name in BUILT_IN:
        found = importlib.import_module(BUILT_IN[name]).WORLD
    elif ":" in name:
        found = _world_at(name)
    else:
        entry = next(iter(entry_points(group="seamwise.worlds", name=name)), None)
        if entry is None:
            for other in BUILT_IN:
                if len(name) == 2 and (world := load_world(other)).risk == name.upper():
                    return world
            raise UsageError(f"expected a world, got `{name}`", hint=did_you_mean(name, world_names()) or "`seamwise worlds` lists them")
        found = entry.load()
    if not isinstance(found, World):
        raise SchemaError(f"expected a `seamwise.worlds.World`, got `{type(found).__name__}`", where=name)
    return found


def _world_at(place: str) -> Any:
    module, _, attribute = place.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"expected `package.module:WORLD`, got `{place}`: {error}") from None


def _hint(got: str, known: Any) -> str:
    return did_you_mean(got, known) or f"one of {', '.join(known) or 'none'}"
