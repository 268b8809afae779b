"""The outcomes where what is unrecorded can be in some periods and not in others.

An unrecorded operation only ever widens what is possible: it may be a payment, take something back, or be worth nothing. So each outcome
is looked for with as many as its period can hold. Where that is not exact, because an operation of one part of a period cannot stand in
for one of another, it is looked for with none and with all there are; where the two differ, the evidence is beyond the fragment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from seamwise.kernel import BeyondFragmentError, Outcome, View
from seamwise.kinds.within_total.entries import Entry, Period, Totals
from seamwise.kinds.within_total.moments import can_keep, can_violate
from seamwise.kinds.within_total.p import Params
from seamwise.kinds.within_total.parts import Cell, Room

ANOTHER = "(another)"
"""Any period without a recorded operation."""


def outcomes_in(view: View, params: Params, entries: list[Entry], room: Room) -> set[Outcome]:
    """The outcomes of these entries with as many unrecorded operations beside them as there is room for."""
    effective = [e for e in entries if e.status is not False]
    by_period: dict[Period, list[Entry]] = {}
    for e in effective:
        if not e.reversal:
            by_period.setdefault(e.period or "", []).append(e)
    named = tuple(by_period)
    if params.period is not None:
        judged = {params.period: by_period.get(params.period, [])}
        cells = {params.period: room.cells(params.period)}
    else:
        judged = {**by_period, ANOTHER: []}
        cells = {p: room.cells(p) for p in named} | {ANOTHER: room.cells(None, named)}
    reversals = [e for e in effective if e.reversal]
    most = {p: room.most(of) for p, of in cells.items()}
    found: set[Outcome] = set()
    if any(_violated(view, params, {p: es}, reversals, most[p], exact=not reversals or room.even(cells[p])) for p, es in judged.items()):
        found.add(Outcome.VIOLATED)
    if _kept(view, params, judged, reversals, room, cells):
        found.add(Outcome.KEPT)
    return found


def _violated(
    view: View, params: Params, judged: dict[Period, list[Entry]], reversals: list[Entry], most: int | None, *, exact: bool
) -> bool:
    def with_so_many(n: int | None) -> bool:
        totals = Totals(params, n)
        if not reversals:
            return any(totals.may_exceed(es) for es in judged.values())
        return can_violate(view, params, judged, reversals, totals)

    return with_so_many(most) if exact else _between(with_so_many, 0, most)


def _kept(
    view: View,
    params: Params,
    judged: dict[Period, list[Entry]],
    reversals: list[Entry],
    room: Room,
    cells: Mapping[Period, frozenset[Cell]],
) -> bool:
    anywhere = room.most(room.mine)
    if not reversals and (params.reversals == "none" or anywhere == 0):
        return _kept_by_sums(params, judged, room, cells)

    def with_so_many(n: int | None, periods: dict[Period, list[Entry]] = judged) -> bool:
        return can_keep(view, params, periods, reversals, Totals(params, n))

    for period, es in judged.items():
        inside = room.most(cells[period])
        # what is taken back in a later period comes after every contribution whose moment a clock gave
        if room.even(cells[period]) and (inside == anywhere or all(e.clock is not None for e in es)):
            alone = with_so_many(inside, {period: es})
            if not alone or len(judged) == 1:
                return alone
    return with_so_many(anywhere) if anywhere == 0 or room.even(room.mine) else _between(with_so_many, 0, anywhere)


def _kept_by_sums(params: Params, judged: dict[Period, list[Entry]], room: Room, cells: Mapping[Period, frozenset[Cell]]) -> bool:
    totals = Totals(params, None)
    stuck = [p for p, es in judged.items() if totals.must_exceed(es)]
    if params.over_limit != "disqualifies":
        return not stuck
    stuck = [p for p in stuck if not totals.may_be_strict(judged[p])]
    if params.each is None or not stuck:
        return not stuck
    # one unrecorded contribution above its own limit settles a period
    most = [room.most(cells[p]) for p in stuck]
    together = room.most(frozenset().union(*(cells[p] for p in stuck)))
    if any(n == 0 for n in most) or (together is not None and together < len(stuck)):
        return False
    if len(stuck) == 1 or all(n is None for n in most):
        return True
    raise BeyondFragmentError(f"{len(stuck)} periods over the limit, and counts of periods")


def _between(answer: Callable[[int | None], bool], least: int | None, most: int | None) -> bool:
    """The answer, where it is the same with the least and with the most unrecorded operations.

    Raises:
        BeyondFragmentError: It is not.
    """
    few = answer(least)
    if least == most or few or not answer(most):
        return few
    raise BeyondFragmentError("counts of parts of a period, and contributions that can be taken back")
