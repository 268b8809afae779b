"""Whole traces for the page: every step once, in as few bytes as the picture of a run needs."""

from __future__ import annotations

import msgspec

from seamwise.audit import Scene
from seamwise.render._names import when
from seamwise.render.plain import one_line


class Seen(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A step: names by their number in the scenery's words; 0: not recorded."""

    kind: int
    actor: int = 0
    tool: int = 0
    to: tuple[int, ...] | None = None
    """None: not recorded."""
    text: str = ""


class Scenery(msgspec.Struct, frozen=True, kw_only=True):
    """All steps of a trace, in the order of the recording."""

    trace: int
    words: tuple[str, ...]
    begin: str
    """When its first step with a time was."""
    steps: tuple[Seen, ...]


def scenery(scene: Scene, number: int) -> Scenery:
    """The scene for the page; every word of it is safe to show.

    Args:
        scene: The trace.
        number: Its number on the page.
    """
    words: dict[str, int] = {"": 0}
    safe: dict[str, int] = {}

    def word(name: str | None) -> int:
        if name is None:
            return 0
        if name not in safe:
            safe[name] = words.setdefault(one_line(name), len(words))
        return safe[name]

    steps = tuple(
        Seen(
            kind=word(step.kind),
            actor=word(step.actor),
            tool=word(step.tool),
            to=None if step.recipients is None else tuple(map(word, step.recipients)),
            text=one_line(step.text or ""),
        )
        for step in scene.steps
    )
    begin = next((when(step.time_ns) for step in scene.steps if step.time_ns is not None), "")
    return Scenery(trace=number, words=tuple(words), begin=begin, steps=steps)
