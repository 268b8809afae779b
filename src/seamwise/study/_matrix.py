"""What a study plays: blocks of cells, who else speaks, and the rules that were declared before the first call."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from seamwise.errors import UsageError
from seamwise.worlds import Cell, World, load_world

ALL = "all"
"""As a level: every level of the factor."""


class Block(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One world crossed: every model with every condition, level and seed, in one arm.

    The models of a block are its slots; a substitute takes a slot over as a whole.
    """

    world: str
    """As `load_world` finds it."""
    models: tuple[str, ...]
    conditions: tuple[str, ...]
    seeds: tuple[int, ...]
    factors: dict[str, tuple[str, ...]] = {}
    arm: str = "main"

    @property
    def size(self) -> int:
        """Number of cells."""
        whole = len(self.models) * len(self.conditions) * len(self.seeds)
        for levels in self.factors.values():
            whole *= len(levels)
        return whole

    def cells(self, model: str | None = None) -> list[Cell]:
        """The cells of one model, or of all; in an order that is always the same."""
        world = load_world(self.world)
        return [
            world.cell(model=m, condition=condition, seed=seed, arm=self.arm, **dict(zip(self.factors, levels, strict=True)))
            for m in (self.models if model is None else (model,))
            for condition in self.conditions
            for levels in itertools.product(*self.factors.values())
            for seed in self.seeds
        ]


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that is decided before the first call. It stands in the manifest, and a directory holds episodes of one plan alone."""

    blocks: tuple[Block, ...]
    counterpart: str
    judge: str | None
    attempts: int = 3
    """How often a cell is played until an attempt is valid; the first valid one is kept (the first-success rule)."""
    substitutes: dict[str, str] = {}
    """Model -> the model that takes over its slot."""
    failures_in_a_row: int = 3
    """So many attempts in a row in which the model gave no answer, and its substitute takes the slot over."""
    max_tokens: int | None = None
    """Tokens of one reply at most."""

    @property
    def models(self) -> list[str]:
        """Every model that may speak, substitutes and the judge with them; each once."""
        named = [m for b in self.blocks for m in b.models]
        named += [s for m, s in self.substitutes.items() if m in named] + [self.counterpart] + ([self.judge] if self.judge else [])
        return list(dict.fromkeys(named))

    @property
    def size(self) -> int:
        """Number of cells, before any substitution."""
        return sum(b.size for b in self.blocks)


def make_block(
    world: World,
    *,
    models: Sequence[str],
    conditions: Sequence[str] = (),
    seeds: int | Sequence[int] = 1,
    factors: Mapping[str, Sequence[str]] | None = None,
    arm: str = "main",
    spec: str | None = None,
) -> Block:
    """A checked block. What is not named takes its default: every condition, and of each factor its first level.

    Args:
        world: The world.
        models: Of the agents under test.
        conditions: Names; none: all that belong to the arm (those of a side study are not of the main one).
        seeds: The seeds, or how many, counted from 0.
        factors: Factor -> levels; ``all`` stands for every level.
        arm: ``main`` or a side study of the world.
        spec: How the world was named, where that is not its name.

    Raises:
        UsageError: No such condition, factor, level or arm; or nothing is left to play.
    """
    side: Mapping[str, Any] = world.arms.get(arm, {})
    if not conditions:
        named = side.get("conditions") or ([side["condition"]] if "condition" in side else world.main_conditions)
        conditions = list(named)
    levels = {factor: _levels(world, factor, (factors or {}).get(factor, known[:1])) for factor, known in world.factors.items()}
    for factor in factors or {}:
        if factor not in world.factors:
            known = ", ".join(world.factors) or "none"
            raise UsageError(f"expected a factor of `{world.name}`, got `{factor}`", hint=f"its factors: {known}")
    block = Block(
        world=spec or world.name,
        models=tuple(dict.fromkeys(models)),
        conditions=tuple(dict.fromkeys(conditions)),
        seeds=tuple(range(seeds)) if isinstance(seeds, int) else tuple(dict.fromkeys(seeds)),
        factors={factor: tuple(dict.fromkeys(chosen)) for factor, chosen in levels.items()},
        arm=arm,
    )
    if not block.size:
        raise UsageError(f"expected at least one model, condition and seed of `{world.name}`, got none")
    block.cells()
    return block


def _levels(world: World, factor: str, asked: Iterable[str]) -> list[str]:
    known = world.factors[factor]
    return [level for wanted in asked for level in (known if wanted == ALL and ALL not in known else (wanted,))]


def pairing_key(cell: Cell, by: Sequence[str]) -> tuple[str, ...]:
    """What two episodes share that are compared with one another; ``by`` names model, condition, seed, arm or factors.

    Raises:
        UsageError: The cell has no such thing.
    """
    own = {"world": cell.world, "model": cell.model, "condition": cell.condition, "seed": str(cell.seed), "arm": cell.arm}
    for name in by:
        if name not in own and name not in cell.factors:
            raise UsageError(f"expected model, condition, seed, arm or a factor of `{cell.world}`, got `{name}`")
    return tuple(own.get(name, cell.factors.get(name, "")) for name in by)
