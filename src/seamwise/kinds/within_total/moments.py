"""Standing totals at moments: where contributions can be taken back, the order decides."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations, product

import msgspec

from seamwise.kernel import BeyondFragmentError, View
from seamwise.kinds.within_total.entries import Entry, Period, Totals, names_of, takes_back, targetless
from seamwise.kinds.within_total.p import Params, ledger

MAX_REVERSALS = 10
MAX_STATES = 20_000
MAX_STRANGERS = 4
MAX_CHOICES = 50_000
"""Choices of what unrecorded reversals took back, in one search: a choice is one sum over the standing payments."""
ZERO = Decimal(0)


class Plan(msgspec.Struct, frozen=True):
    """Entries in a fixed numbering, and what must come before each."""

    entries: tuple[Entry, ...]
    before: tuple[int, ...]
    """Bit masks."""
    feasible: bool
    """Whether there is an order at all."""


class NoOrderError(Exception):
    """No order agrees with what is reversed, and when: these entries precede themselves.

    Args:
        plan: The entries and what must come before each.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__("no order agrees with what is reversed, and when")
        self.tied = [e.op for i, e in enumerate(plan.entries) if plan.before[i] >> i & 1]


def can_violate(view: View, params: Params, judged: dict[Period, list[Entry]], reversals: list[Entry], totals: Totals) -> bool:
    """Whether some order and some contents have a moment over the limit in a judged period.

    The best moment for it holds every payment that does not have to wait for one of the reversals that are left for later.
    """
    real = [e for e in reversals if e.status and e.target is not None]
    payments = [e for es in judged.values() for e in es]
    named = {name for e in payments for name in names_of(e.op)}
    real = [e for e in real if e.target in named]
    if len(real) > MAX_REVERSALS:
        raise BeyondFragmentError(f"{len(real)} reversals")
    plan = _plan(view, [*payments, *real])
    if not plan.feasible:
        raise NoOrderError(plan)
    n = len(payments)
    for size in range(len(real) + 1):
        for later in combinations(range(n, n + len(real)), size):
            held_back = sum(1 << i for i in later)
            there = [i for i in range(len(plan.entries)) if not (held_back >> i & 1) and not plan.before[i] & held_back]
            if _over_with(params, judged, plan, there, n, totals):
                return True
    return False


def _over_with(params: Params, judged: dict[Period, list[Entry]], plan: Plan, there: list[int], n: int, totals: Totals) -> bool:
    taken: dict[str, Decimal] = {}
    for i in there:
        if i >= n:
            e = plan.entries[i]
            taken[e.target or ""] = taken.get(e.target or "", ZERO) + (e.amount if e.amount is not None else ZERO)
    for period, entries in judged.items():
        if params.over_limit == "disqualifies" and totals.surely_strict(entries):
            continue
        amounts: list[tuple[Decimal | None, str | None]] = []
        for i in there:
            e = plan.entries[i]
            if i < n and (e.period or "") == period:
                most = totals.greatest(e)
                gone = sum((taken.get(name, ZERO) for name in names_of(e.op)), ZERO)
                amounts.append((None if most is None else max(ZERO, most - gone), e.actor))
        if totals.exceeds(amounts, totals.hidden):
            return True
    return False


def can_keep(view: View, params: Params, judged: dict[Period, list[Entry]], reversals: list[Entry], totals: Totals) -> bool:
    """Whether some order and some contents have no moment over the limit in any judged period."""
    hidden = totals.hidden
    if params.over_limit == "disqualifies":
        judged = {p: es for p, es in judged.items() if not totals.may_be_strict(es)}
        if not judged or (hidden is None and params.each is not None):
            return True
        if hidden and params.each is not None:
            # an unrecorded operation may be a payment above its own limit, which settles its period, instead of a reversal
            for k in range(min(hidden, len(judged)) + 1):
                for settled in combinations(judged, k):
                    rest = {p: es for p, es in judged.items() if p not in settled}
                    if not rest or _keep(view, params, rest, reversals, totals, hidden - k):
                        return True
            return False
    return _keep(view, params, judged, reversals, totals, hidden)


def _keep(
    view: View, params: Params, judged: dict[Period, list[Entry]], reversals: list[Entry], totals: Totals, hidden: int | None
) -> bool:
    payments = [e for es in judged.values() for e in es if totals.least(e) > 0]
    if params.reversals == "none":
        hidden = 0
    if hidden is None:
        # every payment may have been taken back before the next one: only what exceeds alone, exceeds
        return not any(totals.over([(totals.least(e), e.actor)]) for e in payments)
    pool = view.pool(ledger(params))
    names = {name for op in (*pool.sure, *pool.maybe) for name in names_of(op)}
    reversals = [e._replace(lost=e.target is not None and e.target not in names) for e in reversals]
    helping = [e for e in reversals if targetless(e) or (e.target is not None and any(takes_back(e, p) for p in payments))]
    plan = _plan(view, [*payments, *helping])
    if not plan.feasible:
        raise NoOrderError(plan)
    if not helping and params.min_actors < 2 and _over_at_last(payments, totals, hidden):
        return False
    return any(_orderable(plan, len(payments), totals, actors, hidden) for actors in _actors(payments, params))


def _over_at_last(payments: list[Entry], totals: Totals, hidden: int) -> bool:
    """Whether a period's last moment is over the limit in every order, though the unrecorded reversals took back its largest.

    True spares the search; False says nothing.
    """
    least: dict[Period | None, list[Decimal]] = {}
    for e in payments:
        least.setdefault(e.period, []).append(totals.least(e))
    return any(totals.over([(a, None) for a in sorted(amounts)[: max(0, len(amounts) - hidden)]]) for amounts in least.values())


def _actors(payments: list[Entry], params: Params) -> Iterator[tuple[str | None, ...]]:
    """Every way the unrecorded actors can be known ones, or one stranger; nothing else makes fewer of them."""
    unknown = [i for i, e in enumerate(payments) if e.actor is None]
    base = [e.actor for e in payments]
    if not unknown or params.min_actors < 2:
        yield tuple(base)
        return
    if len(unknown) > MAX_STRANGERS:
        raise BeyondFragmentError(f"{len(unknown)} contributions whose actor was not recorded, and reversals")
    known = [*dict.fromkeys(a for a in base if a is not None), "~"]
    for chosen in product(known, repeat=len(unknown)):
        for i, who in zip(unknown, chosen, strict=True):
            base[i] = who
        yield tuple(base)


def _orderable(plan: Plan, n: int, totals: Totals, actors: tuple[str | None, ...], hidden: int) -> bool:
    """Whether the entries can be put in an order without a moment over the limit.

    Args:
        plan: Payments first, then reversals.
        n: How many payments.
        totals: The limits.
        actors: The payments' actors.
        hidden: How many unrecorded reversals there can be.
    """
    entries, before = plan.entries, plan.before
    everything = (1 << len(entries)) - 1
    start = (0, tuple([ZERO] * n), hidden)
    stack, seen = [start], {start}
    budget = [MAX_CHOICES]
    while stack:
        mask, standing, left = stack.pop()
        if mask == everything:
            return True
        for i in range(len(entries)):
            if mask >> i & 1 or before[i] & ~mask:
                continue
            for after in _placed(entries, i, n, standing, totals, actors, left, budget):
                state = (mask | 1 << i, *after)
                if state not in seen:
                    if len(seen) >= MAX_STATES:
                        raise BeyondFragmentError("too many orders of payments and reversals")
                    seen.add(state)
                    stack.append(state)
    return False


def _placed(
    entries: tuple[Entry, ...],
    i: int,
    n: int,
    standing: tuple[Decimal, ...],
    totals: Totals,
    actors: tuple[str | None, ...],
    left: int,
    budget: list[int],
) -> Iterator[tuple[tuple[Decimal, ...], int]]:
    """Standing amounts, and unrecorded reversals left, after entry ``i``; nothing where its moment is over the limit."""
    e = entries[i]
    now = list(standing)
    if i >= n:
        worth = e.amount
        targets = [j for j in range(n) if standing[j] > 0 and takes_back(e, entries[j])]
        for j in targets:
            less = list(now)
            less[j] = ZERO if worth is None else max(ZERO, standing[j] - worth)
            yield tuple(less), left
        if not targets or e.target is None or e.lost:
            yield standing, left
        return
    now[i] = totals.least(e)
    mine = [j for j in range(n) if now[j] > 0 and entries[j].period == e.period]
    earlier = [j for j in mine if j != i]
    for k in range(min(left, len(earlier)) + 1):
        fine = False
        for gone in combinations(earlier, k):
            budget[0] -= 1
            if budget[0] < 0:
                raise BeyondFragmentError("too many choices of what unrecorded reversals took back")
            rest = [(now[j], actors[j]) for j in mine if j not in gone]
            if not totals.over(rest):
                fine = True
                after = list(now)
                for j in gone:
                    after[j] = ZERO
                yield tuple(after), left - k
        if fine:
            return


def _plan(view: View, entries: list[Entry]) -> Plan:
    """What must come before what: the known order, chosen moments, and targets before their reversals."""
    n = len(entries)
    place = {name: i for i, e in enumerate(entries) for name in names_of(e.op)}
    before = [0] * n
    for i, a in enumerate(entries):
        for j, b in enumerate(entries):
            if i == j:
                continue
            if view.precedes(a.op, b.op) or (a.clock is not None and b.clock is not None and a.clock < b.clock):
                before[j] |= 1 << i
    for i, e in enumerate(entries):
        target = place.get(e.target or "")
        if e.reversal and e.status and target is not None and target != i:
            before[i] |= 1 << target
    for k in range(n):
        bit = 1 << k
        for j in range(n):
            if before[j] & bit:
                before[j] |= before[k]
    return Plan(tuple(entries), tuple(before), not any(before[i] >> i & 1 for i in range(n)))
