"""The matrix of the EAIR paper, over models that one names.

Source: the paper, section 5.1 and appendix F; cohort sizes there are for ten models (three in the crossing of title and power).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from seamwise.errors import UsageError, did_you_mean
from seamwise.study._matrix import ALL, Block, make_block
from seamwise.worlds import World, load_world


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
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def block(self, models: Sequence[str]) -> Block:
        """This cohort over some models.

        Raises:
            UsageError: The installed world does not have what the cohort needs.
        """
        world = load_world(self.world)
        own = main_conditions(world) if self.arm == "main" else []
        return make_block(
            world,
            models=models,
            conditions=own[: self.conditions] if own else (),
            seeds=self.seeds,
            factors={name: levels for name, levels in self.factors.items() if levels[0] == ALL or name in world.factors},
            arm=self.arm,
        )


def main_conditions(world: World) -> list[str]:
    """The conditions that are not of a side study alone."""
    aside = {name for arm in world.arms.values() for name in arm.get("conditions", ())}
    return [name for name in world.conditions if name not in aside]


COHORTS: dict[str, Cohort] = {
    c.name: c
    for c in (
        Cohort("A1", "kpi_gaming", 60),
        Cohort("B1", "authority_bias", 480, factors={"role": (ALL,)}),
        Cohort("B1-power", "authority_bias", 48, models=3, seeds=2, arm="factorial", factors={"role": ("sre", "report_writer")}),
        Cohort("C1", "information_drift", 150),
        Cohort("D1", "delegated_authorization", 90, conditions=1, factors={"domain": (ALL,)}),
        Cohort("F1", "capability_misrouting", 240),
        Cohort("F1-solo", "capability_misrouting", 90, seeds=9, arm="solo"),
    )
}
"""Name -> cohort. A solo seed is one review of one delegate: three delegates three times."""


def eair_blocks(models: Sequence[str], *, power_models: Sequence[str] = (), names: Sequence[str] = ()) -> list[Block]:
    """The paper's matrix over some models.

    Args:
        models: Of the agents under test.
        power_models: For the crossing of title and power, where the paper has three of its ten; the first three where none are named.
        names: Only these cohorts.

    Raises:
        UsageError: There is no such cohort.
    """
    for name in names:
        if name not in COHORTS:
            raise UsageError(f"expected a cohort, got `{name}`", hint=did_you_mean(name, COHORTS) or f"one of {', '.join(COHORTS)}")
    chosen = [COHORTS[name] for name in names] or list(COHORTS.values())
    return [c.block((power_models or models[:3]) if c.models == 3 else models) for c in chosen]
