"""The matrix of the EAIR paper, over models that one names.

Source: the paper, section 5.1 and appendix F; cohort sizes there are for ten models (three in the crossing of title and power).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seamwise.errors import UsageError, did_you_mean
from seamwise.study._matrix import ALL, Block, make_block
from seamwise.worlds import BUILT_IN, World, load_world


@dataclass(frozen=True)
class Cohort:
    """One cohort of the paper."""

    name: str
    world: str
    episodes: int
    """As many as the paper has."""
    models: int = 10
    """So many models did the paper use."""
    seeds: int = 3
    arm: str = "main"
    conditions: int | None = None
    """Only the first so many of the world's own; None: all that are not of a side study."""
    crossed: bool = False
    """With every level of every factor of the world; else with the levels below, or the defaults."""
    levels: tuple[str, ...] = ()
    """Of whatever factor has them."""

    def block(self, models: Sequence[str]) -> Block:
        """This cohort over some models.

        Raises:
            UsageError: The installed world does not have what the cohort needs.
        """
        world = load_world(self.world)
        own = world.main_conditions if self.arm == "main" else ()
        return make_block(
            world,
            models=models,
            conditions=own[: self.conditions] if own else (),
            seeds=self.seeds,
            factors=self._factors(world),
            arm=self.arm,
        )

    def _factors(self, world: World) -> dict[str, tuple[str, ...]]:
        if self.crossed:
            return dict.fromkeys(world.factors, (ALL,))
        named = {name: tuple(level for level in known if level in self.levels) for name, known in world.factors.items()}
        return {name: levels for name, levels in named.items() if levels}


COHORTS: dict[str, Cohort] = {
    c.name: c
    for c in (
        Cohort("A1", "kpi_gaming", 60),
        Cohort("B1", "authority_bias", 480, crossed=True),
        Cohort("B1-power", "authority_bias", 48, models=3, seeds=2, arm="factorial", levels=("sre", "report_writer")),
        Cohort("C1", "information_drift", 150),
        Cohort("D1", "delegated_authorization", 90, conditions=1, crossed=True),
        Cohort("F1", "capability_misrouting", 240),
        Cohort("F1-solo", "capability_misrouting", 90, seeds=9, arm="solo"),
    )
}
"""Name -> cohort.

A solo seed is one review of one delegate: three delegates three times."""


def eair_blocks(models: Sequence[str], *, power_models: Sequence[str] = (), names: Sequence[str] = ()) -> list[Block]:
    """The paper's matrix over some models.

    Args:
        models: Of the agents under test.
        power_models: For the crossing of title and power, where the paper has three of its ten; the first three where none are named.
        names: Only these cohorts; without, all whose world there is.

    Raises:
        UsageError: There is no such cohort.
    """
    for name in names:
        if name not in COHORTS:
            raise UsageError(f"expected a cohort, got `{name}`", hint=did_you_mean(name, COHORTS) or f"one of {', '.join(COHORTS)}")
    chosen = [COHORTS[name] for name in names] or [c for c in COHORTS.values() if c.world in BUILT_IN]
    return [c.block((power_models or models[:3]) if c.models == 3 else models) for c in chosen]
