"""The fast way to ``carried_out``'s verdict."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

from seamwise.kernel import Op, Outcome, Pool, View, took_effect
from seamwise.kinds.carried_out.evidence import DECISIONS, accepted, called, flag, two_callers
from seamwise.kinds.carried_out.p import Params, holds


class Receipt(NamedTuple):
    """What can be said of one recorded operation of the receipts' stream, whatever its order."""

    op: Op
    sure: bool
    """It is surely accepted and bound to the decision."""
    payload: Any
    """None: any."""


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    anchors = view.pool(DECISIONS)
    pool = view.pool(params.stream)
    for op in view.ops:
        if op.openings and two_callers(op):
            _clash(view, op)
    named = [op for op in anchors.sure if op.kind == "decision" and op.fields.get("decision") == params.decision]
    if len(named) > 1:
        view.clash(named, f"decision `{params.decision}` is recorded more than once")
    recorded = [r for op in pool.sure if (r := _receipt(op, params)) is not None]
    spare = [r for op in pool.candidates if (r := _receipt(op, params)) is not None]
    if named:
        # the contract is of this operation: where it failed there is nothing to carry out
        done = took_effect(named[0])
        of_it = set() if done is False else _outcomes(view, pool, recorded, spare, named[0])
        return frozenset(of_it if done else of_it | {Outcome.NOT_APPLICABLE})
    found = {Outcome.NOT_APPLICABLE}
    for op in anchors.sure:
        if is_taken(op, params) is not False:
            found |= _outcomes(view, pool, recorded, spare, op)
    if anchors.may_hide:
        # it may stand after every receipt, or before all of them
        found.add(Outcome.VIOLATED)
        if pool.may_hide or any(_may_hold(r, None) for r in (*recorded, *spare)):
            found.add(Outcome.KEPT)
    return frozenset(found)


def is_taken(op: Op, params: Params) -> bool | None:
    """Whether a record is of this decision, and it was taken; None: it may be."""
    name, done = op.fields.get("decision"), took_effect(op)
    if op.kind != "decision" or done is False or (name is not None and name != params.decision):
        return False
    return None if name is None else done


def _clash(view: View, op: Op) -> None:
    """One call, two callers: every pair of records that says so."""
    asked, answered = called(op)
    actions = [r.id for r in op.openings if r.fields.get("actor") == asked]
    receipts = [r.id for r in view.evidence.records if r.id in op.ids and r.fields.get("caller") == answered]
    for pair in product(dict.fromkeys(actions), dict.fromkeys(receipts)):
        view.clash(pair, f"one call id, two callers: `{asked}` and `{answered}`")


def _receipt(op: Op, params: Params) -> Receipt | None:
    """A receipt that may be accepted and may be this decision's; None: it is neither."""
    done = accepted(op)
    name = op.fields.get("decision")
    if done is False or (name is not None and name != params.decision):
        return None
    return Receipt(op, bool(done) and name is not None, op.fields.get("payload"))


def _outcomes(view: View, pool: Pool, recorded: list[Receipt], spare: list[Receipt], anchor: Op) -> set[Outcome]:
    """The outcomes given the decision."""
    correct, value = flag(anchor, "correct"), anchor.fields.get("value")
    found = set() if correct else {Outcome.NOT_APPLICABLE}
    if correct is False:
        return found
    later = [r for r in (*recorded, *spare) if r.op is not anchor and view.may_precede(anchor, r.op)]
    if pool.may_hide or any(_may_hold(r, value) for r in later):
        found.add(Outcome.KEPT)

    def keeps(receipt: Receipt) -> bool:
        held = value is not None and receipt.payload is not None and holds(receipt.payload, value)
        return receipt.sure and held and view.precedes(anchor, receipt.op)

    # of those that may be elsewhere so many are here; the others may be of no use
    if not any(keeps(r) for r in recorded) and len(pool.maybe) - sum(keeps(r) for r in spare) >= pool.forced:
        found.add(Outcome.VIOLATED)
    return found


def _may_hold(receipt: Receipt, value: Any) -> bool:
    """Whether the payload may hold what was decided; a value that was not recorded may be any that it holds."""
    if receipt.payload is None:
        return True
    if value is None:
        return receipt.payload not in ({}, (), [])
    return holds(receipt.payload, value)
