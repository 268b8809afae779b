"""What else the records show: the sign-off in a sentence, and the checks that miss being the required one by one thing."""

from __future__ import annotations

from seamwise.kernel import Note, Op, Status, Verdict, View
from seamwise.kinds.check_done.evidence import performed, signed
from seamwise.kinds.check_done.p import SIGN_OFFS, Params


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """The sign-off in a sentence; beside a violation, the check that failed, came late, was another's, or of something else."""
    named = [op for op in view.pool(SIGN_OFFS).sure if op.get("sign_off") == params.sign_off and signed(op) == ("ok",)]
    if len(named) != 1 or verdict.status not in (Status.SUPPORTED, Status.RULED_OUT):
        return []
    anchor = named[0]
    whose = f"{params.owner}'s `{params.check}`" if params.owner is not None else f"`{params.check}`"
    what = f"{anchor.get('actor') or 'somebody'} signed {anchor.get('subject') or params.sign_off}"
    if params.versioned and anchor.has("version"):
        what += f" in version {anchor.fields['version']}"
    relied = "on" if verdict.status is Status.RULED_OUT else "without"
    out = [Note(code="headline", records=anchor.ids, words=f"{what} {relied} {whose}")]
    if verdict.status is Status.RULED_OUT:
        return out
    out.append(Note(code="crossing", records=anchor.ids, words=f"signs what {whose} has not passed"))
    for op in view.pool(params.where).sure:
        reasons = _misses(view, params, op, anchor)
        if len(reasons) == 1:
            out.append(Note(code="anomaly", records=op.ids, words=f"does not serve: {reasons[0]}"))
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
