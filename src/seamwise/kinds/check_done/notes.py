"""What else the records of a check show: the ones that miss being the required check by one thing."""

from __future__ import annotations

from seamwise.kernel import Note, Op, Status, Verdict, View
from seamwise.kinds.check_done.evidence import performed, signed
from seamwise.kinds.check_done.p import SIGN_OFFS, Params


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """One anomaly per near miss beside a violation: the check that failed, came late, was another's, or of something else."""
    if verdict.status is not Status.SUPPORTED:
        return []
    named = [op for op in view.pool(SIGN_OFFS).sure if op.get("sign_off") == params.sign_off and signed(op) == ("ok",)]
    if len(named) != 1:
        return []
    out: list[Note] = []
    for op in view.pool(params.where).sure:
        reasons = list(_misses(view, params, op, named[0]))
        if len(reasons) == 1:
            out.append(Note(code="anomaly", records=op.ids, words=f"{op.id} is not the check that {named[0].id} needs: {reasons[0]}"))
    return out


def _misses(view: View, params: Params, op: Op, anchor: Op) -> list[str]:
    reasons: list[str] = []
    status = performed(op)
    if "ok" not in status:
        reasons.append("it is only said" if status == ("none",) else f"it ended `{status[0]}`")
    if params.owner is not None and op.get("actor") not in (None, params.owner):
        reasons.append(f"it is `{op.get('actor')}`'s, and the check is owned by `{params.owner}`")
    for field in ("subject", "version") if params.versioned else ("subject",):
        if op.has(field) and anchor.has(field) and op.fields[field] != anchor.fields[field]:
            reasons.append(f"it is of {field} `{op.fields[field]}`, and `{anchor.fields[field]}` was signed")
    if view.precedes(anchor, op):
        reasons.append("it came after the sign-off")
    return reasons
