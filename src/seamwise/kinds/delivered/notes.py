"""What the records of a decision say in one line: what it was taken without, or with."""

from __future__ import annotations

from seamwise.kernel import Note, Op, Status, Verdict, View, field_is, took_effect
from seamwise.kinds.delivered.evidence import inbox, items_of, outbox
from seamwise.kinds.delivered.p import Params


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """The headline of a resolved verdict, and the decision as the crossing step of a supported one."""
    anchor = next((op for op in view.pool("decisions").sure if field_is(op, "decision", params.decision)), None)
    if anchor is None:
        return []
    held = _held(view, params)
    if verdict.status is Status.RULED_OUT and params.marker in held:
        return [_headline(anchor, f"{params.receiver} was told, by `{params.marker}`, that material is missing")]
    if verdict.status is Status.RULED_OUT and held.issuperset(params.required):
        return [_headline(anchor, f"{params.receiver} decided with {_listed(params.required)} in its input")]
    if verdict.status is not Status.SUPPORTED:
        return []
    upstream = [op for op in view.pool(outbox()).sure if op.kind == "message" and view.precedes(op, anchor)]
    makers = {item: op.get("actor") for item in params.required if item not in held for op in upstream if item in items_of(op)}
    if not makers:
        return []
    known = dict.fromkeys(str(maker) for maker in makers.values() if maker is not None)
    words = f"{params.receiver} decided without {_listed(tuple(makers))}, which {' and '.join(known) or 'somebody'} had produced"
    return [_headline(anchor, words), Note(code="crossing", records=anchor.ids, words=f"decides without {_listed(tuple(makers))}")]


def _headline(anchor: Op, words: str) -> Note:
    return Note(code="headline", records=anchor.ids, words=words)


def _held(view: View, params: Params) -> set[str]:
    """What the records say was in the decision's input."""
    deliveries = [op for op in view.pool(inbox(params), range=params.decision).sure if op.kind == "delivery"]
    inputs = [
        op for op in view.ops if op.kind == "input" and field_is(op, "actor", params.receiver) and field_is(op, "for", params.decision)
    ]
    return {item for op in (*deliveries, *inputs) if took_effect(op) for item in items_of(op)}


def _listed(items: tuple[str, ...]) -> str:
    return " and ".join(f"`{item}`" for item in items)
