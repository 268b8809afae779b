"""What the records of an admission show beside the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seamwise.kernel import Note, Op, Status, Verdict, View
from seamwise.kinds.admitted.evidence import counts, flag, origin
from seamwise.kinds.admitted.monitor import item_of
from seamwise.kinds.admitted.p import Params


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """The headline of a violation; and items that the rule forbids and that were turned down or given no weight, as they should be."""
    recorded = view.pool(params.stream, range=params.decision).sure
    counted = {origin(op) for op in recorded if item_of(op, params).counts}
    found: list[Note] = []
    for op in recorded:
        refused = flag(op, "accepted") is False
        if refused and params.rule.verified and flag(op, "verified") is False:
            words = f"{_name(op.get('item'))} was not verified and was turned down"
        elif (refused or counts(op) is False) and params.rule.one_count_per_origin and origin(op) in counted:
            words = f"{_name(op.get('item'))} is of an origin that already counts and was {'turned down' if refused else 'given no weight'}"
        else:
            continue
        found.append(Note(code="interception", records=op.ids, words=words))
    return [*_headline(recorded, params), *found] if verdict.status is Status.SUPPORTED else found


def _headline(recorded: Sequence[Op], params: Params) -> Iterator[Note]:
    """What was accepted against the rule, the first of it."""
    first: dict[object, Op] = {}
    for op in recorded:
        item = item_of(op, params)
        if item.offends:
            yield Note(code="headline", records=op.ids, words=f"{_name(op.get('item'))} was accepted and is not verified")
            return
        if item.counts and item.origin is not None:
            other = first.setdefault(item.origin, op)
            if other is not op:
                words = f"{_name(other.get('item'))} and {_name(op.get('item'))} are of one origin, and both count"
                yield Note(code="headline", records=(*other.ids, *op.ids), words=words)
                return


def _name(item: object) -> str:
    return "an item" if item is None else f"`{item}`"
