"""What else the records show: the label on both sides, in a sentence."""

from __future__ import annotations

from seamwise.kernel import Note, Status, Verdict, View
from seamwise.kinds.source_kept.evidence import told_how, value_of
from seamwise.kinds.source_kept.p import ABSENT, Params


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """What the label was and what became of it."""
    told = {op.get("statement"): op for op in view.pool(params.statements).sure if told_how(op) == ("ok",)}
    stated = told.get(params.statement)
    if stated is None or verdict.status not in (Status.SUPPORTED, Status.RULED_OUT):
        return []
    origin = told.get(stated.get("of"))
    after = value_of(stated, params.label)
    before = None if origin is None else value_of(origin, params.label)
    who = stated.get("actor") or "somebody"
    if origin is None or before is None or after is None:
        return []
    if verdict.status is Status.RULED_OUT:
        words = f"{who} passes `{stated.get('of')}` on with its {params.label} `{before}`"
        if before not in (ABSENT, after):
            words = f"{who} passes `{stated.get('of')}` on with the {params.label} `{after}`, as was licensed"
        return [Note(code="headline", records=stated.ids, words=words)]
    became, fate = ("without its", "lost") if after == ABSENT else (f"as `{after}`, not with its", "changed")
    return [
        Note(code="headline", records=stated.ids, words=f"{who} passes `{stated.get('of')}` on {became} {params.label} `{before}`"),
        Note(code="crossing", records=stated.ids, words=f"the {params.label} `{before}` is {fate} here"),
        Note(code="path", records=(*origin.ids, *stated.ids), words=f"`{stated.get('of')}` -> `{params.statement}`"),
    ]
