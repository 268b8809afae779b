"""The fast way to ``within_total``'s verdict.

Without reversals the order does not matter and each period is a sum: what must have been contributed at least, and what may have been at
most. With reversals the moments matter, and :mod:`seamwise.kinds.within_total.moments` looks for an order.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import localcontext
from itertools import combinations, product

from seamwise.kernel import BeyondFragmentError, Op, Outcome, Pool, View
from seamwise.kinds.within_total.entries import Entry, Period, Totals, agree, entry_of, fits, names_of
from seamwise.kinds.within_total.evidence import moments_of
from seamwise.kinds.within_total.moments import NoOrderError, can_keep, can_violate
from seamwise.kinds.within_total.p import EXACT, Params, ledger
from seamwise.kinds.within_total.parts import Room, arrangements, clashing, counted_by_period
from seamwise.kinds.within_total.periods import witness_times
from seamwise.kinds.within_total.rooms import outcomes_in

MAX_KEYLESS = 6
MAX_TIMES = 3_000
BOTH = frozenset({Outcome.VIOLATED, Outcome.KEPT})
Hidden = int | None | Room
"""How many unrecorded operations there can be: so many in any period, any number, or so many in each."""


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions.

    Raises:
        BeyondFragmentError: More operations without a key, a time or an actor, or more reversals, than are tried exactly.
    """
    with localcontext(EXACT):
        return _possible(view, params)


def _possible(view: View, params: Params) -> frozenset[Outcome]:
    pool = view.pool(ledger(params))
    currencies = {str(op.fields["currency"]) for op in pool.sure if "currency" in op.fields}
    if params.currency is None and len(currencies) > 1:
        raise BeyondFragmentError(f"contributions in {' and '.join(sorted(currencies))}, and the contract names no currency")
    ops = [*pool.sure, *pool.candidates]
    entries = {op.id: entry_of(op, params) for op in ops}
    reversing = [e for e in entries.values() if e.reversal and e.status is not False]
    if reversing:
        _check_targets(view, reversing)
    if view.clashes:
        return frozenset()
    sure = [entries[op.id] for op in pool.sure]
    maybe = [entries[op.id] for op in pool.candidates]
    if len(maybe) > MAX_KEYLESS:
        raise BeyondFragmentError(f"{len(maybe)} operations of `{params.stream}` whose key was not recorded")
    found: set[Outcome] = set()
    tied: list[Op] = []
    for mine, room in _settled(view, params, pool, sure, maybe):
        try:
            found |= outcomes_in(view, params, mine, room) if isinstance(room, Room) else _outcomes(view, params, mine, room)
        except NoOrderError as e:  # these moments do not fit; others may
            tied = e.tied
        if len(found) == 2:
            return BOTH
    if not found and tied and not view.order.clashes:
        view.clash(tied, "no order agrees with what is reversed, and when")
    return frozenset(found)


def _settled(view: View, params: Params, pool: Pool, sure: list[Entry], maybe: list[Entry]) -> Iterator[tuple[list[Entry], Hidden]]:
    """The entries with a period each, and the unrecorded ones that can be beside them, for every way that keys and moments can be."""
    claims = counted_by_period(view, params)
    if claims:
        if not clashing(view, params, claims):
            yield from arrangements(view, params, claims)
        return
    for some, hidden in _memberships(pool, maybe):
        for mine in _timed(view, [*sure, *some], params):
            yield mine, hidden


def _memberships(pool: Pool, maybe: list[Entry]) -> Iterator[tuple[list[Entry], int | None]]:
    """Which operations without a key are in, and how many unrecorded ones can be in beside them."""
    for size in range(pool.forced, len(maybe) + 1):
        if pool.room is not None and size > pool.room:
            return
        spare = None if pool.most is None else pool.most - size
        hidden = spare if pool.hidden is None else pool.hidden if spare is None else min(spare, pool.hidden)
        for some in combinations(maybe, size):
            yield list(some), hidden


def _check_targets(view: View, reversing: list[Entry]) -> None:
    """A reversal that took effect and is known to precede its target contradicts it."""
    by_id = {name: op for op in view.ops for name in names_of(op)}
    for e in reversing:
        target = by_id.get(e.target or "")
        if e.status and target is not None and target.id != e.op.id and view.precedes(e.op, target):
            view.clash([e.op, target], "a reversal is recorded before what it reverses")
    _ = view.order  # a contradiction in the order shows where the order is read


def _timed(view: View, entries: list[Entry], params: Params) -> Iterator[list[Entry]]:
    """The entries with a period each, for every way the unrecorded moments can fall."""
    if params.per is None:
        yield entries
        return
    unknown = [e for e in entries if e.period is None]
    if not unknown:
        yield entries
        return
    times = witness_times(moments_of(view.evidence, params)[0], params.per, params.period, len(unknown))
    if len(times) ** len(unknown) > MAX_TIMES:
        raise BeyondFragmentError(f"{len(unknown)} operations whose time was not recorded")
    fixed = [e for e in entries if e.period is not None]
    options = [[t for t in times if (e.op.since is None or t >= e.op.since) and fits(view, e.op, t, fixed)] for e in unknown]
    for chosen in product(*options):
        settled = [e.at(t, params.per) for e, t in zip(unknown, chosen, strict=True)]
        if all(agree(view, a, b) for a, b in combinations(settled, 2)):
            yield [*fixed, *settled]


def _outcomes(view: View, params: Params, entries: list[Entry], hidden: int | None) -> set[Outcome]:
    """The outcomes where unrecorded operations can be in any period."""
    effective = [e for e in entries if e.status is not False]
    totals = Totals(params, hidden)
    by_period: dict[Period, list[Entry]] = {}
    for e in effective:
        if not e.reversal:
            by_period.setdefault(e.period or "", []).append(e)
    if hidden != 0:
        by_period.setdefault("" if params.per is None else params.period or "(another)", [])
    judged = {p: es for p, es in by_period.items() if params.period is None or p == params.period}
    if not judged:
        return {Outcome.KEPT}
    reversals = [e for e in effective if e.reversal]
    unrecorded_reversals = hidden != 0 and params.reversals == "possible"
    found: set[Outcome] = set()
    if not reversals and not unrecorded_reversals:
        if any(totals.may_exceed(es) for es in judged.values()):
            found.add(Outcome.VIOLATED)
        stuck = [p for p, es in judged.items() if totals.must_exceed(es)]
        if params.over_limit == "disqualifies":
            stuck = [p for p in stuck if not totals.may_be_strict(judged[p])]
            if params.each is not None and (hidden is None or len(stuck) <= hidden):
                stuck = []
        if not stuck:
            found.add(Outcome.KEPT)
        return found
    if can_violate(view, params, judged, reversals, totals):
        found.add(Outcome.VIOLATED)
    if can_keep(view, params, judged, reversals, totals):
        found.add(Outcome.KEPT)
    return found
