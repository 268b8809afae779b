"""The fast way to ``status_kept``'s verdict."""

from __future__ import annotations

from typing import NamedTuple

from seamwise.kernel import Op, Outcome, Pool, View
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.status_kept.evidence import TWO_LEVELS, Statement, statement
from seamwise.kinds.status_kept.joint import none_violated
from seamwise.kinds.status_kept.licences import Licences
from seamwise.kinds.status_kept.p import Params, is_wrong

VIOLATED, KEPT, NOT_APPLICABLE = Outcome


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    licences = Licences(view, params)
    pools = [view.pool(stream) for stream in params.where]
    _check_levels(view, params, [licences.pool, *pools])
    return _all(licences, pools) if params.over else _one(licences, pools)


def _check_levels(view: View, params: Params, pools: list[Pool]) -> None:
    """A record that states two levels contradicts itself."""
    if not any(TWO_LEVELS in op.fields for op in view.ops):
        return
    for op in view.ops:
        read = any(op in pool.sure or op in pool.maybe for pool in pools) or (not params.where and params.statement in op.ids)
        if read and TWO_LEVELS in op.fields:
            for name in [r.id for r in (*op.ends, *op.openings) if TWO_LEVELS in r.fields] or op.ids:
                view.clash([name], f"{name} is at two levels")


def _one(licences: Licences, pools: list[Pool]) -> frozenset[Outcome]:
    view, params = licences.view, licences.params
    anchor = next((op for op in view.ops if params.statement in op.ids), None)
    if anchor is not None:
        inside, may_be_out = _place(anchor, licences, pools)
        found = outcomes(anchor, licences) if inside else frozenset()
        return found | {NOT_APPLICABLE} if may_be_out else found
    found = frozenset([NOT_APPLICABLE])
    if not pools or any(pool.may_hide for pool in pools):
        return found | _unrecorded(licences)
    for pool in pools:
        for op in (*pool.sure, *pool.candidates):
            # another record of its call may be the statement
            if op.call is not None and not any(may_be_inside(s, params.approvals) for s in op.streams):
                found |= outcomes(op, licences)
    return found


def _place(anchor: Op, licences: Licences, pools: list[Pool]) -> tuple[bool, bool]:
    """Whether the operation can be one of the statements' streams, and whether it can be none of them."""
    if any(may_be_inside(s, licences.params.approvals) for s in anchor.streams):
        return False, True
    if not pools:
        return True, False
    if any(anchor in pool.sure for pool in pools):
        return True, False
    if anchor.call is not None and not any(anchor in pool.maybe for pool in pools):
        # another record of its call may stand there, where there is room for one more operation
        return any(pool.may_hide for pool in pools), True
    mine = [pool for pool in pools if anchor in pool.candidates]
    return bool(mine), all(pool.forced < len(pool.maybe) for pool in mine)


def outcomes(op: Op, licences: Licences) -> frozenset[Outcome]:
    """The outcomes of one recorded statement."""
    return _outcomes(op, statement(op, licences.params), licences)


def _outcomes(op: Op, may: Statement, licences: Licences) -> frozenset[Outcome]:
    params = licences.params
    found = {NOT_APPLICABLE} if not_applicable(may) else set()
    if may.about is False:
        return frozenset(found)
    if False in may.sent:
        found.add(KEPT)
    if True in may.sent and may.said.levels:
        for licensed in licences.at(op):
            for stated in may.said.levels:
                found.add(VIOLATED if is_wrong(stated, licensed, params) else KEPT)
            if len(found) == len(Outcome):
                break
    return frozenset(found)


def not_applicable(may: Statement) -> bool:
    """Whether the contract may not concern the statement."""
    return may.about is not True or (True in may.sent and may.said.nothing)


def _unrecorded(licences: Licences) -> frozenset[Outcome]:
    """The outcomes of an unrecorded statement, which may stand anywhere and say anything."""
    params = licences.params
    top = len(params.scale) - 1
    wrong = any(is_wrong(stated, licensed, params) for licensed in licences.anywhere() for stated in range(top + 1))
    return frozenset(Outcome) if wrong else frozenset([KEPT, NOT_APPLICABLE])


class Stated(NamedTuple):
    """A statement of a run."""

    op: Op
    may: Statement
    outcomes: frozenset[Outcome]
    pool: int | None
    """The pool that it may be in; None where it surely is in one."""


def _all(licences: Licences, pools: list[Pool]) -> frozenset[Outcome]:
    params = licences.params
    mine: dict[str, Stated] = {}
    for n, pool in enumerate(pools):
        for ops, where in ((pool.sure, None), (pool.candidates, n)):
            for op in ops:
                if any(may_be_inside(s, params.approvals) for s in op.streams):
                    continue  # what stands among the approvals is a word, never a statement
                if op.id not in mine or mine[op.id].pool is not None:
                    may = statement(op, params)
                    mine[op.id] = Stated(op, may, _outcomes(op, may, licences), where)
    statements = list(mine.values())
    hidden = any(pool.may_hide for pool in pools)
    found: set[Outcome] = set()
    if any(VIOLATED in s.outcomes for s in statements) or (hidden and VIOLATED in _unrecorded(licences)):
        found.add(VIOLATED)
    if all(s.pool is not None or not_applicable(s.may) for s in statements) and all(
        pool.forced <= sum(1 for s in statements if s.pool == n and not_applicable(s.may)) for n, pool in enumerate(pools)
    ):
        found.add(NOT_APPLICABLE)
    if hidden or any(KEPT in s.outcomes for s in statements):
        risky = [(s.op, s.may, s.outcomes, s.pool) for s in statements if VIOLATED in s.outcomes]
        if not risky:
            found.add(KEPT)
        elif all(s.pool is not None or s.outcomes != {VIOLATED} for s in statements):
            spare = [len(pool.candidates) - pool.forced for pool in pools]
            kept = hidden or any(KEPT in s.outcomes for s in statements if VIOLATED not in s.outcomes)
            if none_violated(licences, risky, spare, kept=kept):
                found.add(KEPT)
    return frozenset(found)
