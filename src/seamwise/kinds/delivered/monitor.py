"""The fast way to ``delivered``'s verdict."""

from __future__ import annotations

from typing import NamedTuple

from seamwise.kernel import Op, Outcome, Pool, View, field_is, took_effect
from seamwise.kinds.delivered.evidence import inbox, is_whole, items_of, lists_all, outbox, taken
from seamwise.kinds.delivered.p import Params


class Held(NamedTuple):
    """Whether an item can be, and can fail to be, in the decision's input."""

    can: bool
    can_not: bool


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    anchors = view.pool("decisions")
    decisions = [op for op in (*anchors.sure, *anchors.candidates) if op.kind == "decision"]
    named = [op for op in decisions if field_is(op, "decision", params.decision)]
    if len(named) > 1:
        view.clash(named, f"decision `{params.decision}` is recorded more than once")
    inputs = [op for op in view.ops if op.kind == "input"]
    told = _told(view, params, inputs)
    wanted = [*params.required, *([params.marker] if params.marker else [])]
    held = {item: _held(view, params, told, item) for item in dict.fromkeys([*wanted, *_all_items(told)])}
    found: set[Outcome] = set()
    if named:
        # the contract is of this operation: where it failed there is nothing to judge
        if False in taken(named[0]):
            found.add(Outcome.NOT_APPLICABLE)
        return frozenset(found | _outcomes(view, params, held, named[0]) if True in taken(named[0]) else found)
    found.add(Outcome.NOT_APPLICABLE)
    candidates = [op for op in decisions if field_is(op, "decision", params.decision) is None and True in taken(op)]
    for anchor in (*candidates, *([None] if anchors.may_hide else [])):
        found |= _outcomes(view, params, held, anchor)
    return frozenset(found)


def _outcomes(view: View, params: Params, held: dict[str, Held], anchor: Op | None) -> set[Outcome]:
    """The outcomes given the decision: a recorded one, or (None) an unrecorded one that may stand anywhere."""
    produced = view.pool(outbox())
    mine = [op for op in (*produced.sure, *produced.candidates) if op.kind == "message"]

    def may_be_produced(item: str) -> bool:
        if produced.may_hide:
            return True
        return any(_may_list(op, item) and (anchor is None or view.may_precede(op, anchor)) for op in mine)

    def must_be_produced(item: str) -> bool:
        return anchor is not None and any(
            item in items_of(op) and view.precedes(op, anchor) for op in produced.sure if op.kind == "message"
        )

    found: set[Outcome] = set()
    marked = held[params.marker] if params.marker else Held(can=False, can_not=True)
    if marked.can_not and any(may_be_produced(i) and held[i].can_not for i in params.required):
        # another required item may make it due as well; one missing item is enough
        found.add(Outcome.VIOLATED)
    some_due = any(held[i].can or may_be_produced(i) for i in params.required)
    if marked.can and some_due:
        found.add(Outcome.KEPT)
    if any(held[i].can for i in params.required) and all(held[i].can or not must_be_produced(i) for i in params.required):
        found.add(Outcome.KEPT)
    if all(held[i].can_not and not must_be_produced(i) for i in params.required):
        found.add(Outcome.NOT_APPLICABLE)
    return found


class Told(NamedTuple):
    """What tells of the decision's input."""

    deliveries: Pool
    inputs: list[Op]
    """Inputs surely of this decision."""


def _told(view: View, params: Params, inputs: list[Op]) -> Told:
    mine = [op for op in inputs if field_is(op, "actor", params.receiver) and field_is(op, "for", params.decision)]
    return Told(view.pool(inbox(params), range=params.decision), mine)


def _all_items(told: Told) -> list[str]:
    return [i for op in (*told.deliveries.sure, *told.inputs) for i in items_of(op)]


def _may_list(op: Op, item: str) -> bool:
    return item in items_of(op) or not (op.has("item") or op.has("items"))


def _held(view: View, params: Params, told: Told, item: str) -> Held:
    """Whether the item is in the input; contradictions among what tells of it are recorded."""
    pool = told.deliveries
    deliveries = [op for op in pool.sure if op.kind == "delivery"]
    given = [op for op in (*deliveries, *told.inputs) if item in items_of(op) and took_effect(op)]
    denying = [op for op in told.inputs if lists_all(op) and item not in items_of(op)]
    if given and denying:
        for op in given:
            view.clash([op, *denying[:1]], f"`{item}` is in the input of `{params.decision}` by one record and not by another")
        for op in denying[1:]:
            view.clash([op, given[0]], f"`{item}` is in the input of `{params.decision}` by one record and not by another")
        return Held(can=True, can_not=True)
    bringing = [op for op in pool.candidates if _may_hold(op, item)]
    not_bringing = len(pool.candidates) - sum(item in items_of(op) and took_effect(op) is True for op in pool.candidates)
    open_end = pool.may_hide or bool(bringing) or any(_may_hold(op, item) for op in deliveries)
    if given:
        by_input = [op for op in given if op.kind == "input"]
        if by_input and not open_end:
            claims = [c for c in view.recording() if c.range in (None, params.decision)]
            view.clash([*by_input, *claims, *deliveries], f"`{item}` is in an input that a complete inbox did not deliver it to")
        return Held(can=True, can_not=False)
    if denying:
        return Held(can=False, can_not=True)
    return Held(can=open_end, can_not=not_bringing >= pool.forced)


def _may_hold(op: Op, item: str) -> bool:
    return item in items_of(op) or not (lists_all(op) or is_whole(op))
