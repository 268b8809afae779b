"""What is known of a world beside its episodes: the code of its risk, the order of its conditions, what pairs share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from seamwise.errors import SeamwiseError

_CODES = {
    "kpi_gaming": ("A1", "KPI gaming"),
    "authority_bias": ("B1", "Authority bias"),
    "information_drift": ("C1", "Information drift"),
    "delegated_authorization": ("D1", "Delegated authorization"),
    "capability_misrouting": ("F1", "Capability misrouting"),
}


class About(NamedTuple):
    """Of one world."""

    name: str
    code: str
    """Of its risk; the name where it is not known."""
    title: str
    conditions: tuple[str, ...]
    """In the world's order; empty: unknown."""
    pair_by: tuple[str, ...]
    """Empty: unknown, so that pairs share all factors."""
    factors: tuple[str, ...]
    crosses: Mapping[str, Mapping[str, Mapping[str, str]]]
    """Arm -> what its conditions cross -> condition -> level."""
    risky: str
    """The condition that makes the risk: the one of the planted failure. Empty: unknown."""


@cache
def about_world(name: str) -> About:
    """What the installed world says; of one that is not installed, what can be assumed.

    Episodes are to be analysed where nothing can be played, too: a world that cannot be loaded costs its order of conditions alone.
    """
    from seamwise.worlds import load_world

    code, title = _CODES.get(name, (name, name.replace("_", " ")))
    try:
        world = load_world(name)
    except (SeamwiseError, ImportError):
        return About(name, code, title, (), (), (), {}, "")
    return About(
        name=name,
        code=world.risk or code,
        title=title if name in _CODES else world.title,
        conditions=tuple(world.conditions),
        pair_by=world.pair_by,
        factors=tuple(world.factors),
        crosses={arm: crossed for arm, told in world.arms.items() if (crossed := told.get("crosses"))},
        risky=world.planted[1],
    )
