"""Worlds: executable workflows in which one risk can be measured, each in its own folder.

    from seamwise.worlds import load_world

    world = load_world("kpi_gaming")
    world.conditions, world.factors

Source of the built-in worlds: the EAIR paper, section 3 and appendix C.
"""

from seamwise.worlds._cell import Cell
from seamwise.worlds._episode import Episode, Played, Status, play_episode
from seamwise.worlds._kernel import judged, kernel_says, without
from seamwise.worlds._outcome import MEASURED, Measurement, Name, Outcome, Truth, measured, no, unassessed, yes
from seamwise.worlds._world import BUILT_IN, Condition, Ended, Instance, Mapped, Setting, World, load_world, world_names

__all__ = [
    "BUILT_IN",
    "MEASURED",
    "Cell",
    "Condition",
    "Ended",
    "Episode",
    "Instance",
    "Mapped",
    "Measurement",
    "Name",
    "Outcome",
    "Played",
    "Setting",
    "Status",
    "Truth",
    "World",
    "judged",
    "kernel_says",
    "load_world",
    "measured",
    "no",
    "play_episode",
    "unassessed",
    "without",
    "world_names",
    "yes",
]
