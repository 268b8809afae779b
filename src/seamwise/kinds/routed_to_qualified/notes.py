"""What else the records show: who would have been qualified."""

from __future__ import annotations

from seamwise.kernel import Note, Outcome, Verdict, View
from seamwise.kinds.routed_to_qualified.p import Params, score_of, tools_of

MOST = 3
"""So many of the qualified are named."""


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """The route in a sentence; beside a violation, who could have been chosen."""
    told = [op for op in view.ops if params.route in op.ids and op.get("to") is not None]
    if not told or verdict.possible not in ({Outcome.VIOLATED}, {Outcome.KEPT}):
        return []
    route, violated = told[0], Outcome.VIOLATED in verdict.possible
    to = route.fields["to"]
    what = f"{route.get('task') or 'work'} to {to}"
    if params.requires_tool is not None:
        entries = view.context.parts.get("tools", {})
        words = f"{what}, who {'does not hold' if violated else 'holds'} `{params.requires_tool}`"
        # where tools change, the context says who held it at the start, and not when the route was taken
        able = [] if params.changes else [a for a, e in entries.items() if params.requires_tool in tools_of(e)]
        better = [a for a in able if params.candidates is None or a in params.candidates]
    else:
        scores = {a: s for a, e in view.context.parts.get("attested", {}).items() if (s := score_of(e)) is not None}
        own = scores.get(to)
        words = f"{what}, {'not attested' if own is None else f'attested {own}'}"
        rivals = {a: s for a, s in scores.items() if (params.candidates is None or a in params.candidates) and (own is None or s > own)}
        better = [f"{a} ({s})" for a, s in sorted(rivals.items(), key=lambda pair: -pair[1])]
    if violated and better:
        more = f" and {len(better) - MOST} more" if len(better) > MOST else ""
        words += f"; {', '.join(better[:MOST])}{more} could have been chosen"
    out = [Note(code="headline", records=route.ids, words=words)]
    if violated:
        out.append(Note(code="crossing", records=route.ids, words=f"assigns the work to {to}"))
    return out
