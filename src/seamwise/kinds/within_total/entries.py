"""Contributions as the monitor counts them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from seamwise.kernel import Op, View
from seamwise.kinds.within_total.evidence import amount_of, is_negative, is_reversal, moment_of, status_of
from seamwise.kinds.within_total.p import Params
from seamwise.kinds.within_total.periods import Per, period_of

Period = str
ZERO = Decimal(0)


class Entry(NamedTuple):
    """One recorded contribution or reversal."""

    op: Op
    reversal: bool
    status: bool | None
    """True: took effect; False: did not; None: open."""
    amount: Decimal | None
    """Its worth (a reversal's as a magnitude); None: unknown."""
    actor: str | None
    target: str | None
    """What a reversal takes back; None: not recorded."""
    period: Period | None
    """None: its time was not recorded."""
    t: int | None
    clock: int | None
    """Its moment, where a clock that orders records gave it, or where one was chosen."""
    lost: bool = False
    """Whether a reversal names a record that is not here: it may be one more record of any call that others tell of."""

    def at(self, t: int, per: Per) -> Entry:
        """The entry at a chosen moment."""
        return self._replace(period=period_of(t, per), t=t, clock=t)


def entry_of(op: Op, params: Params) -> Entry:
    """The entry of a recorded operation."""
    reversal = is_reversal(op)
    status = status_of(op)
    amount = amount_of(op, params)
    t = moment_of(op, params)
    period = "" if params.per is None else None if t is None else period_of(t, params.per)
    target = op.get("reverses")
    return Entry(
        op=op,
        reversal=reversal,
        status=None if status is None else status == "ok",
        amount=None if amount is None else amount.copy_abs(),
        actor=op.fields.get("actor"),
        target=None if target is None else str(target),
        period=period,
        t=t,
        clock=t if op.timed else None,
    )


def names_of(op: Op) -> tuple[str, ...]:
    """What a reversal can call an operation by: the ids of its records, and its call."""
    return op.ids if op.call is None else (*op.ids, op.call)


def takes_back(reversal: Entry, payment: Entry) -> bool:
    """Whether a reversal can be of a payment."""
    return reversal.target is None or reversal.target in names_of(payment.op) or (reversal.lost and payment.op.call is not None)


def targetless(entry: Entry) -> bool:
    """Whether a reversal does not say what it reverses."""
    return entry.target is None and is_negative(entry.op)


def fits(view: View, op: Op, t: int, fixed: Sequence[Entry]) -> bool:
    """Whether the operation can have taken effect at a moment, given those whose moments are known."""
    for e in fixed:
        if e.clock is None:
            continue
        if (view.precedes(e.op, op) and e.clock > t) or (view.precedes(op, e.op) and t > e.clock):
            return False
    return True


def agree(view: View, a: Entry, b: Entry) -> bool:
    """Whether two moments that were chosen do not contradict the known order."""
    if a.clock is None or b.clock is None:
        return True
    return not (view.precedes(a.op, b.op) and a.clock > b.clock) and not (view.precedes(b.op, a.op) and b.clock > a.clock)


class Totals:
    """Least and greatest sums of the contributions of one period.

    Args:
        params: The contract.
        hidden: How many unrecorded operations there can be; None: any number.
    """

    def __init__(self, params: Params, hidden: int | None) -> None:
        self.params = params
        self.hidden = hidden

    def greatest(self, e: Entry) -> Decimal | None:
        """The most that a payment can contribute; None: any amount; zero where it surely stands outside the sum."""
        each = self.params.each
        if e.amount is None:
            return each
        return ZERO if each is not None and e.amount > each else e.amount

    def least(self, e: Entry) -> Decimal:
        """The least that a payment can contribute: zero where its outcome or amount is open (above its own limit it would be excluded)."""
        each = self.params.each
        if e.status is None or e.amount is None or (each is not None and e.amount > each):
            return ZERO
        return e.amount

    def surely_strict(self, entries: list[Entry]) -> bool:
        """Whether some payment surely was above its own limit."""
        each = self.params.each
        return each is not None and any(e.status and e.amount is not None and e.amount > each for e in entries)

    def may_be_strict(self, entries: list[Entry]) -> bool:
        """Whether some recorded payment can have been above its own limit."""
        each = self.params.each
        return each is not None and any(e.amount is None or e.amount > each for e in entries)

    def exceeds(self, amounts: list[tuple[Decimal | None, str | None]], hidden: int | None) -> bool:
        """Whether contributions at their greatest, with unrecorded ones, can exceed the limit from enough actors.

        Args:
            amounts: Amount (None: any) and actor (None: anybody) of each.
            hidden: How many more there can be.
        """
        p = self.params
        if hidden is None and (p.each is None or p.each > 0):
            return True
        counting = [(a, who) for a, who in amounts if a is None or a > 0]
        more = hidden if hidden and (p.each is None or p.each > 0) else 0
        actors = len({who for _, who in counting if who is not None}) + sum(who is None for _, who in counting) + more
        if actors < p.min_actors:
            return False
        if any(a is None for a, _ in counting) or (more and p.each is None):
            return True
        total = sum((a for a, _ in counting if a is not None), ZERO)
        return total + (p.each * more if more and p.each is not None else 0) > p.limit

    def may_exceed(self, entries: list[Entry]) -> bool:
        """Whether the period can be over the limit."""
        if self.params.over_limit == "disqualifies" and self.surely_strict(entries):
            return False
        return self.exceeds([(self.greatest(e), e.actor) for e in entries], self.hidden)

    def over(self, amounts: list[tuple[Decimal, str | None]]) -> bool:
        """Whether these standing amounts, their unknown actors merged with the others, are over the limit from enough actors."""
        counting = [(a, who) for a, who in amounts if a > 0]
        known = {who for _, who in counting if who is not None}
        actors = len(known) or (1 if counting else 0)
        return actors >= self.params.min_actors and sum((a for a, _ in counting), ZERO) > self.params.limit

    def must_exceed(self, entries: list[Entry]) -> bool:
        """Whether the period is over the limit whatever was not recorded."""
        return self.over([(self.least(e), e.actor) for e in entries])
