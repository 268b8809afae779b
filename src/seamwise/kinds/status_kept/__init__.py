"""``status_kept``: a statement's level is what the authority's last word before it licenses."""

import msgspec

from seamwise.kernel import Anchor, Assumption, Kind, View
from seamwise.kinds._folder import explanation
from seamwise.kinds.status_kept.blurred import blurred
from seamwise.kinds.status_kept.evidence import infer, refutes_judge, spec
from seamwise.kinds.status_kept.licences import Licences
from seamwise.kinds.status_kept.monitor import possible
from seamwise.kinds.status_kept.notes import notes
from seamwise.kinds.status_kept.p import Params, outcome


def _assumptions(params: Params) -> tuple[Assumption, ...]:
    found = []
    if not params.revocable:
        found.append(Assumption(name="revocable: false", words=f"what {params.authority} has approved stands for good"))
    if params.judge:
        found.append(Assumption(name="judge: true", words="what a judge read off a statement is the level that it states"))
    return tuple(found)


def _relaxed(params: Params) -> Params:
    return msgspec.structs.replace(params, revocable=True, judge=False)


def _refuted(view: View, params: Params) -> tuple[str, ...]:
    """A recorded lowering by the authority shows that approvals can be taken back; a recorded level, that a judge read it wrongly."""
    lowered = [] if params.revocable else Licences(view, params).lowered()
    misread = [op for op in view.ops if refutes_judge(op)] if params.judge else []
    return tuple(dict.fromkeys(op.id for op in (*lowered, *misread)))


KIND = Kind(
    name="status_kept",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "recipients", "subject", "channel", "text", "t"}),
    blurred=blurred,
    anchor=Anchor(by="record", kind="action", stream="statements", param="statement"),
    fragment=(
        "one statement: any partial order of the records; a run: the same, up to 20,000 states of the words and statements "
        "that are not decided one by one; claims nested or disjoint"
    ),
    memory="the statements of the open instance, the authority's approvals, and the records that mention a level",
    assumptions=_assumptions,
    relaxed=_relaxed,
    refuted=_refuted,
    notes=notes,
    infer=infer,
)
