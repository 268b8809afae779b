"""What else the records show: refused attempts, words that license nothing, doings outside the window."""

from __future__ import annotations

from seamwise.kernel import Note, Op, Status, Verdict, View
from seamwise.kinds.rights_held.evidence import APPROVALS, EDIT_KINDS
from seamwise.kinds.rights_held.p import EDITS, Params, holders_of
from seamwise.kinds.rights_held.readings import done_duty, took_effect, withdraws


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """An interception for a refused attempt; an anomaly for each word or doing that looks like the missing one and is not."""
    if params.duty is not None:
        return _duty_notes(view, params) if verdict.status is Status.SUPPORTED else []
    assert params.action is not None
    told = [op for op in view.pool(EDITS).sure if params.edit in op.ids and op.has("actor")]
    if not told or not view.context.known("rights", params.action):
        return []
    edit, holders = told[0], holders_of(view.context.parts.get("rights", {}), params.action)
    actor = edit.fields["actor"]
    if took_effect(edit, kinds=EDIT_KINDS) == ("failed",) and edit.get("action") == params.action and actor not in holders:
        words = f"{actor} does not hold `{params.action}`, tried it, and it did not take effect"
        return [Note(code="interception", records=edit.ids, words=words)]
    if verdict.status is not Status.SUPPORTED:
        return []
    mine = [op for op in view.pool(params.where).sure if op.get("grantee") == actor and op.get("action") == params.action]
    return [Note(code="anomaly", records=op.ids, words=f"{op.id} does not license it: {why}") for op in mine if (why := _void(view, op, edit, holders))]


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


def _duty_notes(view: View, params: Params) -> list[Note]:
    """Doings that miss being the required one by one thing."""
    by_id = {name: op for op in view.ops for name in op.ids}
    start, end = by_id.get(params.after or ""), by_id.get(params.before or "")
    out: list[Note] = []
    for op in view.pool(params.where).sure:
        reasons = []
        status = done_duty(op)
        if "ok" not in status:
            reasons.append(f"it ended `{status[0]}`")
        if op.get("actor") not in (None, params.owner):
            reasons.append(f"it is `{op.get('actor')}`'s, and the duty is `{params.owner}`'s")
        if params.subject is not None and op.get("subject") not in (None, params.subject):
            reasons.append(f"it is about `{op.get('subject')}`")
        if start is not None and op is not start and view.precedes(op, start):
            reasons.append(f"it came before {params.after}")
        if end is not None and op is not end and view.precedes(end, op):
            reasons.append(f"it came after {params.before}")
        if len(reasons) == 1:
            out.append(Note(code="anomaly", records=op.ids, words=f"{op.id} does not do the duty: {reasons[0]}"))
    return out
