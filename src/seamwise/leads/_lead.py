"""What a rule noticed: a lead, with the steps to look at."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from seamwise.record import Step


class Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step that a lead points at. Its words are not repeated."""

    step: str
    """The step's id in its trace."""
    index: int
    """Its position in the trace, from 1, as ``#12``."""
    kind: str
    actor: str | None = None
    tool: str | None = None
    why: str = ""
    """What it is in the lead."""


class Lead(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="lead", tag_field="type"):
    """Something in one trace that deserves a look.

    It proves nothing: no policy was read, and nobody said that the records are complete.
    """

    rule: str
    trace: str
    file: str
    words: str
    """One sentence that names steps as ``#12``."""
    cause: str
    """Leads of one rule with one cause are told together: a tool, a pair of agents, an object."""
    steps: tuple[Seen, ...]


class Hit(NamedTuple):
    """What a rule gives: a lead without its trace."""

    cause: str
    words: str
    steps: tuple[tuple[int, str], ...]
    """Position of each step in the trace (from 0), and what it is."""


def seen(at: int, step: Step, why: str) -> Seen:
    """The reference of a step."""
    return Seen(step=step.id, index=at + 1, kind=step.kind, actor=step.actor, tool=step.tool, why=why)
