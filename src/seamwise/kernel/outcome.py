"""What a complete execution is (an outcome) and what records license (a status)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Outcome(StrEnum):
    """What a contract's predicate says of one complete execution."""

    VIOLATED = "violated"
    KEPT = "kept"
    NOT_APPLICABLE = "not_applicable"


class Status(StrEnum):
    """What the records license."""

    SUPPORTED = "supported"
    """Every completion violates the contract."""
    RULED_OUT = "ruled_out"
    """No completion violates it."""
    UNKNOWN = "unknown"
    """Some do and some do not."""
    NOT_APPLICABLE = "not_applicable"
    """The contract does not concern any completion."""
    MEASUREMENT_INVALID = "measurement_invalid"
    """The records contradict one another, and what is left without them does not resolve."""
    NOT_JUDGED = "not_judged"
    """The contract crashed on this instance; its neighbours still report."""


RESOLVED = frozenset({Status.SUPPORTED, Status.RULED_OUT, Status.NOT_APPLICABLE})
"""The statuses that the records force."""

SEVERITY: dict[Status, int] = {
    Status.SUPPORTED: 4,
    Status.MEASUREMENT_INVALID: 3,
    Status.NOT_JUDGED: 3,
    Status.UNKNOWN: 2,
    Status.RULED_OUT: 1,
    Status.NOT_APPLICABLE: 0,
}
"""The one order of severity; roll-ups, reports and exit codes read it."""

ALL_OUTCOMES = frozenset(Outcome)

_TABLE: dict[frozenset[Outcome], Status] = {
    frozenset({Outcome.VIOLATED}): Status.SUPPORTED,
    frozenset({Outcome.NOT_APPLICABLE}): Status.NOT_APPLICABLE,
    frozenset({Outcome.KEPT}): Status.RULED_OUT,
    frozenset({Outcome.KEPT, Outcome.NOT_APPLICABLE}): Status.RULED_OUT,
    frozenset(): Status.MEASUREMENT_INVALID,
}


def status_of(possible: frozenset[Outcome]) -> Status:
    """The verdict table of the design, section 2."""
    return _TABLE.get(possible, Status.UNKNOWN)


def combine(statuses: Iterable[Status]) -> Status:
    """The most severe status; not_applicable for none at all.

    ``measurement_invalid`` and ``not_judged`` weigh the same; the first one met stands.
    """
    worst = Status.NOT_APPLICABLE
    for status in statuses:
        if SEVERITY[status] > SEVERITY[worst]:
            worst = status
    return worst
