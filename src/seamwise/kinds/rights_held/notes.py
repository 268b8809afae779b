"""What else the records show: what was done in a sentence, refused attempts, words that license nothing, doings beside the window."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.kernel import Note, Op, Outcome, Verdict, View
from seamwise.kinds.rights_held.evidence import APPROVALS, EDIT_KINDS
from seamwise.kinds.rights_held.p import Params, holders_of
from seamwise.kinds.rights_held.readings import done_duty, took_effect, withdraws


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """What was done in a sentence; an interception for a refused attempt; anomalies for what misses being the right word or doing."""
    possible = verdict.possible
    return list(_edit_notes(view, params, possible) if params.duty is None else _duty_notes(view, params, possible))


def _edit_notes(view: View, params: Params, possible: frozenset[Outcome]) -> Iterator[Note]:
    told = [op for op in view.ops if params.edit in op.ids and op.has("actor")]
    if not told or not view.context.known("rights", params.action or ""):
        return
    edit, holders = told[0], holders_of(view.context.parts.get("rights", {}), params.action)
    actor = edit.fields["actor"]
    if took_effect(edit, kinds=EDIT_KINDS) == ("failed",) and edit.get("action") == params.action and actor not in holders:
        words = f"{actor} does not hold `{params.action}`, tried it, and it did not take effect"
        yield Note(code="interception", records=edit.ids, words=words)
    if possible == {Outcome.KEPT}:
        under = "a right of its own" if actor in holders else "a holder's word"
        yield Note(code="headline", records=edit.ids, words=f"{actor} did `{params.action}` under {under}")
    if possible != {Outcome.VIOLATED}:
        return
    who = f"; {', '.join(holders[:3])}{' and others' if len(holders) > 3 else ''} could have allowed it" if holders else "; nobody holds it"
    yield Note(code="headline", records=edit.ids, words=f"{actor} did `{params.action}` without the right{who}")
    yield Note(code="crossing", records=edit.ids, words=f"does `{params.action}` without the right")
    for op in view.pool(params.where).sure:
        if op.get("grantee") == actor and op.get("action") == params.action and (why := _void(view, op, edit, holders)):
            yield Note(code="anomaly", records=op.ids, words=f"does not license it: {why}")


def _void(view: View, op: Op, edit: Op, holders: tuple[str, ...]) -> str:
    """Why an authorization licenses nothing; empty where a recorded withdrawal is why."""
    status = took_effect(op, kinds=APPROVALS)
    if status == ("none",):
        return "it is only said"
    if status == ("failed",):
        return "it did not take effect"
    if op.has("actor") and op.fields["actor"] not in holders:
        own = op.fields["actor"] == edit.fields["actor"]
        return "one cannot grant oneself a right that one lacks" if own else f"{op.fields['actor']} does not hold the right"
    if view.precedes(edit, op):
        return "it came after the edit"
    return "it is a withdrawal" if withdraws(op) == (True,) else ""


def _duty_notes(view: View, params: Params, possible: frozenset[Outcome]) -> Iterator[Note]:
    """The duty in a sentence, and doings that miss being the required one by one thing."""
    if possible not in ({Outcome.VIOLATED}, {Outcome.KEPT}):
        return
    by_id = {name: op for op in view.ops for name in op.ids}
    start, end = by_id.get(params.after or ""), by_id.get(params.before or "")
    span = "".join([f" after {params.after}" if params.after else "", f" before {params.before}" if params.before else ""])
    edges = tuple(name for op in (start, end) if op is not None for name in op.ids)
    words = f"{params.owner} {'did' if Outcome.KEPT in possible else 'did not do'} `{params.duty}`{span}"
    yield Note(code="headline", records=edges, words=words)
    for op in view.pool(params.where).sure if Outcome.VIOLATED in possible else ():
        reasons = []
        ending = done_duty(op)
        if "ok" not in ending:
            reasons.append(f"it ended `{ending[0]}`")
        if op.get("actor") not in (None, params.owner):
            reasons.append(f"it is `{op.get('actor')}`'s, and the duty is `{params.owner}`'s")
        if params.subject is not None and op.get("subject") not in (None, params.subject):
            reasons.append(f"it is about `{op.get('subject')}`")
        if start is not None and op is not start and view.precedes(op, start):
            reasons.append(f"it came before {params.after}")
        if end is not None and op is not end and view.precedes(end, op):
            reasons.append(f"it came after {params.before}")
        if len(reasons) == 1:
            yield Note(code="anomaly", records=op.ids, words=f"does not do the duty: {reasons[0]}")
