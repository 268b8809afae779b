"""What the records show beside the verdict on a decision."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.kernel import Note, Op, Status, Verdict, View
from seamwise.kinds.carried_out.evidence import DECISIONS, accepted
from seamwise.kinds.carried_out.monitor import is_taken
from seamwise.kinds.carried_out.p import Params, holds


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """The headline, what became of each submission of the decision, and receipts that look like its own and are bound to nothing."""
    anchor = next((op for op in view.pool(DECISIONS).sure if is_taken(op, params)), None)
    if anchor is None:
        return []
    found = [_about(view, anchor, op) for op in view.pool(params.stream).sure if op.fields.get("decision") in (None, params.decision)]
    return [*_headline(view, params, verdict, anchor), *(note for note in found if note is not None)]


def _headline(view: View, params: Params, verdict: Verdict, anchor: Op) -> Iterator[Note]:
    if verdict.status is Status.SUPPORTED:
        words = f"what {anchor.get('actor') or 'somebody'} decided was not carried out: no accepted receipt holds it"
        yield Note(code="headline", records=anchor.ids, words=words)
    elif verdict.status is Status.RULED_OUT:
        value = anchor.fields.get("value")
        for op in view.pool(params.stream).sure:
            if op.fields.get("decision") == params.decision and accepted(op) and holds(op.fields.get("payload"), value):
                yield Note(code="headline", records=op.ids, words=f"carried out by `{op.call or op.id}`")
                return


def _about(view: View, anchor: Op, op: Op) -> Note | None:
    value, payload, done = anchor.fields.get("value"), op.fields.get("payload"), accepted(op)
    name = op.call or op.id
    fits = None if value is None or payload is None else holds(payload, value)
    if op.fields.get("decision") is None:
        words = f"`{name}` was accepted with what `{anchor.get('decision')}` decided, and no record says that it carries it out"
        return Note(code="unbound", records=op.ids, words=words) if done and fits else None
    if done is False:
        return Note(code="anomaly", records=op.ids, words=f"`{name}` was not accepted: {op.get('status')}")
    if done and fits is False:
        return Note(code="anomaly", records=op.ids, words=f"`{name}` was accepted with something else than was decided")
    if done and fits and view.precedes(op, anchor):
        return Note(code="anomaly", records=op.ids, words=f"`{name}` was accepted before it was decided")
    return None
