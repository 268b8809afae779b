"""What a monitor says of evidence: outcomes, contradictions, or that it is beyond the fragment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from seamwise.kernel.evidence import Evidence
from seamwise.kernel.kind import BeyondFragmentError, Kind
from seamwise.kernel.operation import Clash
from seamwise.kernel.outcome import Outcome, Status, status_of
from seamwise.kernel.view import View


class Said(NamedTuple):
    """One answer of a monitor."""

    possible: frozenset[Outcome]
    """Empty where the evidence contradicts itself; everything where it is beyond the fragment."""
    clashes: list[Clash]
    beyond: str | None

    @property
    def status(self) -> Status:
        """The status that these outcomes alone give."""
        return Status.UNKNOWN if self.beyond else status_of(self.possible)


def ask(kind: Kind[Any], params: Any, evidence: Evidence) -> Said:
    """The monitor's answer on selected evidence. Evidence whose order contradicts itself has no completions, whoever reads the order."""
    view = View(evidence)
    beyond: str | None = None
    possible = frozenset(Outcome)
    try:
        possible = kind.possible(view, params)
    except BeyondFragmentError as e:
        beyond = str(e)
    if view.order_may_clash:
        _ = view.order
    if view.clashes:
        return Said(frozenset(), minimal(view.clashes), None)
    return Said(possible, [], beyond)


def minimal(clashes: Sequence[Clash]) -> list[Clash]:
    """The clashes without those that hold another one whole: what such a one names besides contradicts nothing. Each set is told once."""
    sets = dict.fromkeys(c.members for c in clashes)
    told: set[frozenset[str]] = set()
    out: list[Clash] = []
    for c in clashes:
        if c.members not in told and not any(s < c.members for s in sets):
            told.add(c.members)
            out.append(c)
    return out
