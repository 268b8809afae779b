"""Worlds for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from seamwise.render.plain import pad, wrap

if TYPE_CHECKING:
    from seamwise.worlds import World
    from seamwise.worlds.conformance import Check


def worlds_text(worlds: Iterable[World], *, width: int = 100) -> str:
    """All worlds, each with what it is about and its conditions."""
    return "\n".join(_list(worlds, width)) + "\n"


def _list(worlds: Iterable[World], width: int) -> Iterator[str]:
    for number, world in enumerate(worlds):
        if number:
            yield ""
        yield f"{world.risk}  {pad(world.name, 26)}{world.title}"
        yield from wrap(world.about, width, first="    ", rest="    ")
        yield from wrap(", ".join(world.conditions), width, first="    conditions: ", rest=" " * 16)


def world_text(world: World, *, width: int = 100) -> str:
    """One world in full."""
    return "\n".join(_one(world, width)) + "\n"


def _one(world: World, width: int) -> Iterator[str]:
    yield f"{world.name}  {world.title}  (risk {world.risk}: seamwise risks {world.risk})"
    yield ""
    yield from wrap(world.about, width)
    for heading, rows in (
        ("roles", [(name, f"{', '.join(role.tools) or 'no tools'}") for name, role in world.workflow.roles.items()]),
        ("conditions", [(name, condition.about) for name, condition in world.conditions.items()]),
        ("factors", [(name, ", ".join(levels)) for name, levels in world.factors.items()]),
        ("arms", [(name, str(arm.get("about", ""))) for name, arm in world.arms.items()]),
        ("contracts", [(contract, f"stands for {name}") for name, m in world.measurements.items() for contract in m.contracts]),
    ):
        if rows:
            yield ""
            yield heading
            indent = max(len(name) for name, _ in rows) + 4
            for name, words in rows:
                yield from wrap(words, width, first=pad(f"  {name}", indent), rest=" " * indent)
    yield ""
    yield f"folder     {world.folder}"
    yield f"digest     {world.digest[:16]}"


def check_lines(check: Check, *, width: int = 100) -> list[str]:
    """One property of a world, why it does not hold, and what is to be known where it does."""
    first = f"  {'ok ' if check.ok else 'NOT'}  {check.name}"
    told = check.note if check.ok else check.why
    return [first, *wrap(told, width, first="       ", rest="       ")] if told else [first]
