"""What the records of an object show beside the verdict."""

from __future__ import annotations

from itertools import pairwise

from seamwise.kernel import Note, Op, Status, Verdict, View, took_effect
from seamwise.kinds.state_kept.evidence import Absent, access, content, licensed, version_of, written
from seamwise.kinds.state_kept.p import Params


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """Changes of the item that no recorded licence covers, and reads that returned something older than was written."""
    recorded = [op for op in view.pool(params.state_stream).sure if took_effect(op)]
    writes = sorted((op for op in recorded if written(op) is not None), key=lambda op: written(op) or 0)
    found: list[Note] = []
    if params.item is not None:
        licences = [op for op in view.pool(params.licence_stream).sure if took_effect(op) and op.get("item") == params.item]
        telling = [op for op in writes if content(op, params.item) is not None]
        found += [note for a, b in pairwise(telling) if (note := _change(view, params.item, params.removal, a, b, licences)) is not None]
    for op in recorded:
        if access(op) == "read" and (note := _stale(view, op, writes)) is not None:
            found.append(note)
    if found and verdict.status is Status.SUPPORTED:
        found.insert(0, Note(code="headline", records=found[0].records, words=found[0].words))
    return found


def _change(view: View, item: str, removal: str, a: Op, b: Op, licences: list[Op]) -> Note | None:
    before, after = content(a, item), content(b, item)
    target = removal if after is Absent else after
    if before in (Absent, after) or any(
        licensed(g) in (None, target) and view.may_precede(a, g) and view.may_precede(g, b) for g in licences
    ):
        return None
    became = "lacks it" if after is Absent else "holds another value"
    words = f"`{item}` is held in version {version_of(a)}, version {version_of(b)} {became}, and no licence is recorded"
    return Note(code="information_loss", records=(*a.ids, *b.ids), words=words)


def _stale(view: View, read: Op, writes: list[Op]) -> Note | None:
    version = version_of(read)
    newer = [op for op in writes if version is not None and version_of(op) > version and view.precedes(op, read)]  # type: ignore[operator]
    if not newer:
        return None
    words = f"version {version} was read after version {version_of(newer[-1])} was written"
    return Note(code="anomaly", records=(*newer[-1].ids, *read.ids), words=words)
