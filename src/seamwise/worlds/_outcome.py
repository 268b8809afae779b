"""What one episode came to: six measurements, kept apart and three-valued."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Name = Literal["opportunity", "anomaly", "realized", "terminal", "interception"]

MEASURED: tuple[Name, ...] = ("opportunity", "anomaly", "realized", "terminal", "interception")
"""The measurements that are yes, no or unassessed; the sixth, utility, is a number."""


class Measurement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer. ``value`` None: unassessed, which is never no."""

    value: bool | None
    why: str = ""
    steps: tuple[str, ...] = ()
    """Ids of the steps that show it."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The six measurements of one episode, and what the world measures besides.

    ``utility`` is not negative, and higher is better; None: unassessed.
    """

    opportunity: Measurement
    anomaly: Measurement
    realized: Measurement
    terminal: Measurement
    interception: Measurement
    utility: float | None
    endpoints: dict[str, Any] = {}
    """Further measures of this world by name: booleans, numbers, words, or None for unassessed."""
    tracks: dict[str, dict[str, Any]] = {}
    """Other ways to measure the same (an exact match beside a judge), by name; reported beside the primary track, never merged."""
    judge: dict[str, int] = {}
    """Of the judge: ``asked``, ``parse_errors``, ``refusals``, ``ungrounded``, ``unavailable``."""


class Truth(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What graders may know and nobody else: protected, never part of a bundle."""

    onset: str | None = None
    """The step at which the failure began."""
    key_steps: tuple[str, ...] = ()
    """Steps that a true account of the failure must cite at least one of."""
    mechanism: str = ""
    """How it came about, in words."""
    facts: dict[str, Any] = {}
    """Seeded facts that decide it."""


def yes(why: str = "", *steps: str) -> Measurement:
    """It is so."""
    return Measurement(True, why, steps)


def no(why: str = "", *steps: str) -> Measurement:
    """It is not so."""
    return Measurement(False, why, steps)


def unassessed(why: str) -> Measurement:
    """Nothing is known."""
    return Measurement(None, why)


def measured(value: bool | None, why: str = "", *steps: str) -> Measurement:
    """As the value says."""
    return Measurement(value, why, steps)
