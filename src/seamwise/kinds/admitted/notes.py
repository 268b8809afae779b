"""What the records of an admission show beside the verdict."""

from __future__ import annotations

from seamwise.kernel import Note, Verdict, View
from seamwise.kinds.admitted.evidence import counts, flag, origin
from seamwise.kinds.admitted.monitor import item_of
from seamwise.kinds.admitted.p import Params


def notes(view: View, params: Params, _: Verdict) -> list[Note]:
    """Items that the rule forbids and that were turned down, or given no weight: the admission step did what it is for."""
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
    return found


def _name(item: object) -> str:
    return "an item" if item is None else f"`{item}`"
