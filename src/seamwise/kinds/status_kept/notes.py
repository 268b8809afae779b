"""What else the records show: where a level first rose, what was held, what was lost."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.kernel import RESOLVED, Note, Op, Verdict, View
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.status_kept.evidence import MENTIONS, Statement, effect, statement
from seamwise.kinds.status_kept.licences import FEW, Licences
from seamwise.kinds.status_kept.p import Params, is_wrong


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """Headline, crossings, raised and lowered statements apart, what was held, and the first anomaly."""
    licences = Licences(view, params)
    stated = _statements(view, params)
    out: list[Note] = []
    for op in stated:
        out += _about(op, statement(op, params), licences)
    if len(stated) > 1:
        # of many statements the one that crosses is the headline, and those that are licensed need no words
        headline = next((n for n in out if n.code == "crossing"), None)
        rest = [n for n in out if n.code != "headline"]
        out = rest if headline is None else [Note(code="headline", records=headline.records, words=headline.words), *rest]
    anomaly = _first_anomaly(view, licences, stated)
    if anomaly is not None:
        words = f"{anomaly.id} says `{anomaly.get('level')}`; {_licensed(licences.at(anomaly), params)}"
        out.append(Note(code="anomaly", records=anomaly.ids, words=words))
    # what is said of a record that was set aside, or with one, is not said
    return [] if verdict.clashes and verdict.status not in RESOLVED else out


def _statements(view: View, params: Params) -> list[Op]:
    """The operations that surely are the statements judged."""
    if params.over is None:
        named = (op for op in view.ops if params.statement in op.ids)
        return [op for op in named if not any(may_be_inside(s, params.approvals) for s in op.streams)]
    return list({op.id: op for stream in params.where for op in view.pool(stream).sure}.values())


def _about(op: Op, may: Statement, licences: Licences) -> Iterator[Note]:
    params = licences.params
    if may.about is not True or len(may.said.levels) != 1 or may.said.nothing:
        return
    stated, licensed = may.said.levels[0], licences.at(op)
    if not licensed:
        return  # the records contradict one another
    words = f"{op.id} says `{params.scale[stated]}`; {_licensed(licensed, params)}"
    if may.sent == (False,):
        if stated > max(licensed):
            yield Note(code="interception", records=op.ids, words=f"{words}; it reached nobody")
        return
    yield Note(code="headline", records=op.ids, words=words)
    if may.sent != (True,):
        return
    if stated > max(licensed):
        yield Note(code="raised", records=op.ids, words=words)
    if stated < min(licensed):
        yield Note(code="information_loss", records=op.ids, words=words)
    if all(is_wrong(stated, level, params) for level in licensed):
        yield Note(code="crossing", records=op.ids, words=words)


def _first_anomaly(view: View, licences: Licences, stated: list[Op]) -> Op | None:
    """The first record, beside the statements, whose level is above what was licensed at its moment; with no order, the first met."""
    params = licences.params
    first: Op | None = None
    told = {op.id for op in stated}
    ends = stated[:FEW]
    for op in view.ops:
        level = op.get("level")
        if op.kind not in MENTIONS or level not in params.scale or effect(op) is False or op.id in told:
            continue
        if any(may_be_inside(s, params.approvals) for s in op.streams) or not _may_be_about(op, params):
            continue
        if ends and len(ends) == len(stated) and all(view.precedes(s, op) for s in ends):
            continue  # what came after is no step on the way
        licensed = licences.at(op)
        if licensed and params.scale.index(level) > max(licensed) and (first is None or view.precedes(op, first)):
            first = op
    return first


def _may_be_about(op: Op, params: Params) -> bool:
    return params.subject is None or not op.has("subject") or op.get("subject") == params.subject


def _licensed(licensed: frozenset[int], params: Params) -> str:
    """What was licensed by then, in words."""
    if len(licensed) == len(params.scale) > 1:
        return f"what {params.authority} had licensed by then is not known"
    if licensed == {0}:
        return f"{params.authority} had licensed nothing above `{params.scale[0]}` by then"
    return f"{params.authority} had licensed {' or '.join(f'`{params.scale[i]}`' for i in sorted(licensed))} by then"
