"""Claims that count the operations of a calendar period by themselves.

Operations fall into cells: a stream, and which of the counted periods (and of the judged ones) a moment lies in. For one way in which the
recorded operations can lie in the cells, each claim says how many unrecorded ones its cells hold together. Claims that are nested are taken
out of one another until what is left is disjoint; what they leave free holds any number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from seamwise.kernel import BeyondFragmentError, Op, View, leaves_of, stream_covers
from seamwise.kinds.within_total.entries import Entry, Period, agree, entry_of, fits
from seamwise.kinds.within_total.evidence import places_of, ranges_of, representative
from seamwise.kinds.within_total.p import Params, ledger
from seamwise.kinds.within_total.periods import edges_of, lies_in, period_of
from seamwise.record import Claim

MAX_WAYS = 3_000
Cell = tuple[str, Period, frozenset[str]]
"""A stream, a period of the contract's length, and the counted periods that hold a moment of it."""


class Room(NamedTuple):
    """How many unrecorded operations there can be."""

    free: frozenset[Cell]
    """Cells of the ledger that nothing bounds."""
    groups: tuple[tuple[frozenset[Cell], int], ...]
    """Disjoint sets of cells that hold so many together."""
    mine: frozenset[Cell]
    """The cells of the ledger."""

    def cells(self, period: Period | None, others: Sequence[Period] = ()) -> frozenset[Cell]:
        """The ledger's cells in a period; of None: in every period but the others."""
        return frozenset(c for c in self.mine if (c[1] == period if period is not None else c[1] not in others))

    def most(self, cells: frozenset[Cell]) -> int | None:
        """The most unrecorded operations in some of its cells; None: any number."""
        return None if cells & self.free else sum(n for of, n in self.groups if of & cells)

    def even(self, cells: frozenset[Cell]) -> bool:
        """Whether an unrecorded operation of these cells can be in any of them."""
        return cells <= self.free or any(cells <= of for of, _ in self.groups) or self.most(cells) == 0


class Where(NamedTuple):
    """One way in which a recorded operation can lie in streams and periods."""

    entry: Entry
    mine: bool
    """Whether it is in the ledger."""
    streams: tuple[str, ...]
    at: int
    """A moment that stands for its own."""


def counted_by_period(view: View, params: Params) -> list[Claim]:
    """The recording claims, where one of them counts a calendar period that the contract tells apart; otherwise none."""
    if not any(c.range is not None for c in view.recording()) or not ranges_of(view.evidence, params):
        return []
    ranges = ranges_of(view.evidence, params)
    return [c for c in view.recording() if c.range is None or c.range in ranges]


def arrangements(view: View, params: Params, claims: Sequence[Claim]) -> Iterator[tuple[list[Entry], Room]]:
    """The ledger's entries with a period each, and the room beside them, for every way that the claims allow.

    Raises:
        BeyondFragmentError: There are more ways than are tried, or claims overlap.
    """
    stream, ranges = ledger(params), ranges_of(view.evidence, params)
    entries = [entry_of(op, params) for op in view.ops]
    unknown = sum(e.period is None for e in entries)
    times = representative(view.evidence, params, ranges, max(1, unknown))
    leaves = (leaves_of(stream, view.evidence) if params.key is not None else ()) or (stream,)
    cells = frozenset((leaf, *_when(t, params, ranges)) for leaf in leaves for t in times)
    mine = frozenset(c for c in cells if stream_covers(stream, c[0]))
    of_claim = [frozenset(c for c in cells if stream_covers(claim.stream, c[0]) and claim.range in (None, *c[2])) for claim in claims]
    routed = view.routed(stream)
    ways = [list(_ways(view, params, e, entries, leaves, times, edges_of(ranges))) for e in entries]
    if prod(map(len, ways)) > MAX_WAYS:
        raise BeyondFragmentError(f"operations without a key or a time, of streams that are counted by {' and '.join(ranges)}")
    for chosen in product(*ways):
        settled = [w.entry for w, e in zip(chosen, entries, strict=True) if e.period is None]
        if not all(agree(view, a, b) for a, b in combinations(settled, 2)):
            continue
        lacking = [(of, (c.count or 0) - sum(_counts(c, w) for w in chosen)) for c, of in zip(claims, of_claim, strict=True)]
        groups = _apart(lacking)
        if groups is None:
            continue
        bounded = frozenset().union(*(of for of, _ in lacking)) if routed else frozenset()
        yield [w.entry for w in chosen if w.mine], Room(mine - bounded, groups, mine)


def clashing(view: View, params: Params, claims: Sequence[Claim]) -> bool:
    """Whether the counts contradict one another or what is recorded, which is then named: as few claims and records as do."""
    for claim in claims:
        ops = [op for op in view.ops if all(_counts(claim, w) for w in _places(view, params, op))]
        if (claim.count or 0) < len(ops):
            where = claim.stream if claim.range is None else f"{claim.stream} in {claim.range}"
            view.clash([claim, *ops], f"`{where}` is said to hold {claim.count} operations and {len(ops)} are recorded")
    if view.clashes:
        return True
    left: list[Claim | Op] = [*sorted(view.ops, key=lambda op: op.ids), *sorted(claims, key=view.claim_member)]
    if _fit(view, params, left):
        return False
    for member in list(left):
        less = [m for m in left if m is not member]
        if not _fit(view, params, less):
            left = less
    view.clash(left, "what is counted of periods and of the whole does not fit together")
    return True


def _fit(view: View, params: Params, members: Sequence[Claim | Op]) -> bool:
    """Whether these claims can all be true of these operations, whatever their order."""
    claims = [m for m in members if isinstance(m, Claim)]
    ranges = tuple(sorted({c.range for c in claims if c.range is not None}))
    stream = ledger(params)
    leaves = (leaves_of(stream, view.evidence) if params.key is not None else ()) or (stream,)
    cells = {(leaf, *_when(t, params, ranges)) for leaf in leaves for t in _times(view, params)}
    of_claim = [frozenset(c for c in cells if stream_covers(claim.stream, c[0]) and claim.range in (None, *c[2])) for claim in claims]
    ways = [{tuple(_counts(c, w) for c in claims) for w in _places(view, params, m)} for m in members if isinstance(m, Op)]
    sums = {(0,) * len(claims)}
    for options in ways:
        sums = {tuple(a + b for a, b in zip(so_far, one, strict=True)) for so_far in sums for one in options}
        if len(sums) > MAX_WAYS:
            raise BeyondFragmentError("operations without a key or a time, of streams that are counted by periods")
    return any(
        _apart([(of, (c.count or 0) - n) for c, of, n in zip(claims, of_claim, counted, strict=True)]) is not None for counted in sums
    )


def _times(view: View, params: Params) -> list[int]:
    unknown = sum(entry_of(op, params).period is None for op in view.ops)
    return representative(view.evidence, params, ranges_of(view.evidence, params), max(1, unknown))


def _places(view: View, params: Params, op: Op) -> list[Where]:
    """Where an operation can lie, whatever the order of operations."""
    leaves = (leaves_of(ledger(params), view.evidence) if params.key is not None else ()) or (ledger(params),)
    edges = edges_of(ranges_of(view.evidence, params))
    return list(_ways(view, params, entry_of(op, params), (), leaves, _times(view, params), edges))


def _ways(
    view: View, params: Params, e: Entry, others: Sequence[Entry], leaves: Sequence[str], times: Sequence[int], edges: Sequence[int]
) -> Iterator[Where]:
    """Every way in which an operation can lie in streams and periods, given the moments of others."""
    stream, op = ledger(params), e.op
    keyed = [s for s in op.streams if stream_covers(stream, s)]
    if keyed or not any(stream_covers(s, stream) for s in op.streams):
        streams = [(bool(keyed), op.streams)]
    else:  # in one of the family's streams, nobody knows in which
        streams = [(stream_covers(stream, leaf), (leaf, *(s for s in op.streams if not stream_covers(s, leaf)))) for leaf in leaves]
    for mine, those in streams:
        if e.period is not None and e.t is not None:
            for at in places_of(op, e.t, edges):
                yield Where(e, mine, those, at)
            continue
        for t in times:
            if params.per is not None and (op.since is None or t >= op.since) and fits(view, op, t, others):
                yield Where(e.at(t, params.per), mine, those, t)


def _when(t: int, params: Params, ranges: Sequence[str]) -> tuple[Period, frozenset[str]]:
    return period_of(t, params.per), frozenset(r for r in ranges if lies_in(t, r))


def _counts(claim: Claim, where: Where) -> bool:
    return any(stream_covers(claim.stream, s) for s in where.streams) and (claim.range is None or lies_in(where.at, claim.range))


def _apart(lacking: Sequence[tuple[frozenset[Cell], int]]) -> tuple[tuple[frozenset[Cell], int], ...] | None:
    """Disjoint sets of cells and how many unrecorded operations each holds, as the given ones say; None where they cannot.

    Raises:
        BeyondFragmentError: Two of them overlap, and neither holds the other.
    """
    groups = dict[frozenset[Cell], int]()
    left = list(lacking)
    while left:
        # whatever holds none is empty, and so is each part of it
        empty = frozenset().union(*(of for of, n in left if n == 0))
        left = [(of - empty, n) for of, n in left if n != 0]
        if any(n < 0 or not of for of, n in left):
            return None
        groups = {}
        for of, n in left:
            if groups.setdefault(of, n) != n:
                return None
        left = list(groups.items())
        nested = next(((a, b) for a in groups for b in groups if a < b), None)
        if nested is None and not empty:
            break
        if nested is not None:
            inner, outer = nested
            left = [(of - inner, n - groups[inner]) if of == outer else (of, n) for of, n in left]
    if any(a & b for a, b in combinations(groups, 2)):
        raise BeyondFragmentError("claims that overlap: each counts operations that the other does not")
    return tuple(groups.items())
