"""What else the records show: the judgement in a sentence, and reads that came too late, were another's, or found nothing."""

from __future__ import annotations

from seamwise.kernel import Note, Status, Verdict, View
from seamwise.kinds.evidence_consulted.evidence import cites_of, items_of, judged_how, read_how
from seamwise.kinds.evidence_consulted.p import JUDGEMENTS, Params


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """The judgement in a sentence; beside a violation, the reads that do not count and why."""
    named = [op for op in view.pool(JUDGEMENTS).sure if op.get("judgement") == params.judgement and judged_how(op) == ("ok",)]
    if len(named) != 1 or verdict.status not in (Status.SUPPORTED, Status.RULED_OUT):
        return []
    anchor = named[0]
    who = anchor.get("actor") or "somebody"
    wanted = list(dict.fromkeys(params.required))
    needs = ", ".join(f"`{item}`" for item in wanted)
    if params.need < len(wanted):
        needs = f"{params.need} of {needs}"
    if verdict.status is Status.RULED_OUT:
        return [Note(code="headline", records=anchor.ids, words=f"{who} judged {params.judgement} having consulted {needs}")]
    out = [
        Note(code="headline", records=anchor.ids, words=f"{who} judged {params.judgement} without having consulted {needs}"),
        Note(code="crossing", records=anchor.ids, words="judges without the records that the judgement needs"),
    ]
    for op in view.pool(params.stream).sure:
        brought = [item for item in items_of(op) or () if item in params.required]
        if brought and "ok" not in read_how(op):
            words = "it failed"
        elif brought and params.by == "judge" and op.has("actor") and anchor.has("actor") and op.fields["actor"] != anchor.fields["actor"]:
            words = f"it is `{op.fields['actor']}`'s, and `{anchor.fields['actor']}` judged"
        elif brought and view.precedes(anchor, op):
            words = "it came after the judgement"
        elif items_of(op) == () and "ok" in read_how(op):
            words = "it found nothing"
        else:
            continue
        out.append(Note(code="anomaly", records=op.ids, words=f"a read that does not count: {words}"))
    cited = [item for item in cites_of(anchor) or () if item in params.required]
    if cited and params.cites:
        out.append(Note(code="path", records=anchor.ids, words="cites " + ", ".join(f"`{item}`" for item in cited)))
    return out
