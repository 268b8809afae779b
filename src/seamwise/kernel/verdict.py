"""The verdict: a status with its proof."""

from __future__ import annotations

from typing import Literal, NoReturn

import msgspec

from seamwise.kernel.evidence import Member
from seamwise.kernel.kind import Assumption, Note
from seamwise.kernel.operation import Clash
from seamwise.kernel.outcome import RESOLVED, Outcome, Status

Confirmation = Literal["confirmed", "refuted", "too_large"]
"""``too_large``: the small universe of the witness exceeds the budget, and nothing is concluded."""

GapSort = Literal["resolves", "may_resolve", "judgement"]
"""``resolves``: whatever it says, the verdict is then resolved. ``may_resolve``: for some content. ``judgement``: a person or a judge
must say what the recorded content means."""


class Need(msgspec.Struct, frozen=True, order=True):
    """One missing thing."""

    what: Literal["field", "ending", "stream", "record", "order", "context", "route", "meaning"]
    """A field of a record; how an operation ended; all of a stream; one unrecorded record; an order; a context entry; ..."""
    name: str
    """``p3.amount``, ``k3``, ``ledger/c1``, ``p2 < p4``, ``tools/generalist``."""
    words: str = ""
    """In words a person can act on."""


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """A smallest set of things that would resolve an unknown."""

    needs: tuple[Need, ...]
    sort: GapSort


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the records license about one instance, and why.

    INVARIANT: a resolved verdict carries a witness, an unknown carries gaps or a closed reason, and neither is made otherwise.
    """

    status: Status
    possible: frozenset[Outcome] = frozenset()
    """The outcomes over all completions."""
    witness: tuple[Member, ...] | None = None
    """A minimal set of evidence that already forces the status; None where it is not resolved."""
    order: tuple[str, ...] = ()
    """Whose word the order in the witness is: ``sequence``, ``clock``, ``message``; empty: the verdict needs no order."""
    gaps: tuple[Gap, ...] = ()
    reason: str | None = None
    """``beyond_fragment: ...`` or, for not_judged, the error."""
    clashes: tuple[Clash, ...] = ()
    """Contradictions among the instance's own records; their members are set aside."""
    weightless: tuple[str, ...] = ()
    """Records without authority over the operation, named and not counted."""
    leaning_on: tuple[Assumption, ...] = ()
    """The user's statements that the verdict leans on."""
    without: Status | None = None
    """The status without them; None where there are none."""
    dropped: tuple[str, ...] = ()
    """Assumptions that records refute, with those records."""
    notes: tuple[Note, ...] = ()
    """What else the records show."""
    confirmed: Confirmation | None = None
    """Whether the definition alone, by enumeration, was asked to confirm the witness, and could; None: it was not asked."""

    def __post_init__(self) -> None:
        if (self.status in RESOLVED) != (self.witness is not None):
            raise ValueError(f"a verdict `{self.status}` {'needs' if self.status in RESOLVED else 'cannot have'} a witness")
        if self.status is Status.UNKNOWN and not self.gaps and not self.reason:
            raise ValueError("an unknown verdict needs its gaps or a reason")

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict is not true or false: compare `verdict.status` with a Status")

    @property
    def alert(self) -> bool:
        """Whether it is supported without leaning on anybody's statement."""
        return self.status is Status.SUPPORTED and self.without in (None, Status.SUPPORTED)
