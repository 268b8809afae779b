"""The fast way to ``rights_held``'s verdict on a duty."""

from __future__ import annotations

from seamwise.kernel import Op, Outcome, View, field_is
from seamwise.kinds.rights_held.p import Params
from seamwise.kinds.rights_held.readings import done_duty, may_be_told, took_effect


class Edge:
    """An edge of the window: an operation, an unrecorded one that may stand anywhere (None), or none at all (``free``)."""

    __slots__ = ("free", "op")

    def __init__(self, op: Op | None = None, *, free: bool = False) -> None:
        self.op = op
        self.free = free

    @property
    def unrecorded(self) -> bool:
        """Whether it stands for an operation that was not recorded."""
        return self.op is None and not self.free

    def surely(self, view: View, op: Op, *, after: bool) -> bool:
        """Whether an operation is known to lie after (or before) this edge."""
        if self.op is None:
            return self.free
        return view.precedes(self.op, op) if after else view.precedes(op, self.op)

    def maybe(self, view: View, op: Op, *, after: bool) -> bool:
        """Whether an operation can lie after (or before) this edge."""
        if self.op is None:
            return True
        return op is not self.op and (view.may_precede(self.op, op) if after else view.may_precede(op, self.op))


def possible_duty(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions of a duty."""
    pool = view.pool(params.where)
    found: set[Outcome] = set()
    starts, there = _edges(view, params, params.after)
    ends, there_too = _edges(view, params, params.before)
    if not there or not there_too:
        found.add(Outcome.NOT_APPLICABLE)
    doings = [(op, fit) for op in pool.sure if (fit := _is_doing(op, params)) is not False]
    spare_doings = [(op, _is_doing(op, params)) for op in pool.candidates]
    for start in starts:
        for end in ends:
            if start.unrecorded and end.unrecorded and not _two_may_hide(view, params):
                continue
            if _can_cross(view, start, end):
                found.add(Outcome.NOT_APPLICABLE)
                if _must_cross(view, start, end):
                    continue
            if pool.may_hide or any(fit is not False and _may_lie(view, op, start, end) for op, fit in (*doings, *spare_doings)):
                found.add(Outcome.KEPT)
            must = any(fit and _must_lie(view, op, start, end) for op, fit in doings)
            if not must and spare_doings:
                spare = sum(not (fit and _must_lie(view, op, start, end)) for op, fit in spare_doings)
                must = spare < pool.forced  # so many of them are in the stream at least: one that serves is
            if not must:
                found.add(Outcome.VIOLATED)
    return frozenset(found)


def _edges(view: View, params: Params, name: str | None) -> tuple[list[Edge], bool]:
    """What an edge can be, and whether it surely is there."""
    if name is None:
        return [Edge(free=True)], True
    told = [op for op in view.ops if name in op.ids]
    if told:
        ways = took_effect(told[0])
        return ([Edge(told[0])] if "ok" in ways else []), len(ways) == 1 and "ok" in ways
    pool = view.pool(params.edge_stream)
    edges = [Edge(op) for op in (*pool.sure, *pool.candidates) if may_be_told(op, name) is None and "ok" in took_effect(op)]
    if pool.may_hide:
        edges.append(Edge())
    return edges, False


def _two_may_hide(view: View, params: Params) -> bool:
    """Whether both edges can be operations that were not recorded."""
    pool = view.pool(params.edge_stream)
    return (pool.most is None or pool.most > 1) and (pool.hidden is None or pool.hidden > 1)


def _can_cross(view: View, start: Edge, end: Edge) -> bool:
    """Whether the window can be none: its end at or before its start."""
    if start.free or end.free:
        return False
    if start.op is None or end.op is None:
        return True
    return start.op is end.op or view.may_precede(end.op, start.op)


def _must_cross(view: View, start: Edge, end: Edge) -> bool:
    if start.op is None or end.op is None:
        return False
    return start.op is end.op or view.precedes(end.op, start.op)


def _may_lie(view: View, op: Op, start: Edge, end: Edge) -> bool:
    return start.maybe(view, op, after=True) and end.maybe(view, op, after=False)


def _must_lie(view: View, op: Op, start: Edge, end: Edge) -> bool:
    return start.surely(view, op, after=True) and end.surely(view, op, after=False)


def _is_doing(op: Op, params: Params) -> bool | None:
    """Whether an operation is the owner's doing of the duty; None: what was not recorded decides."""
    status = done_duty(op)
    if "ok" not in status:
        return False
    sure: bool | None = True if len(status) == 1 else None
    for field, wanted in (("actor", params.owner), ("subject", params.subject)):
        if wanted is not None:
            fits = field_is(op, field, wanted)
            if fits is False:
                return False
            sure = sure and fits
    return sure
