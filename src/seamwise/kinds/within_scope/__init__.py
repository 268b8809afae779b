"""``within_scope``: what reaches a requester, in values or executed actions, is within that requester's authorization."""

import msgspec

from seamwise.kernel import Anchor, Assumption, Kind, View
from seamwise.kinds._folder import explanation
from seamwise.kinds.within_scope.blurred import blurred
from seamwise.kinds.within_scope.evidence import infer, spec
from seamwise.kinds.within_scope.monitor import possible
from seamwise.kinds.within_scope.notes import notes
from seamwise.kinds.within_scope.p import Params, outcome
from seamwise.kinds.within_scope.readings import refutes_judge


def _assumptions(params: Params) -> tuple[Assumption, ...]:
    if not params.judge:
        return ()
    return (Assumption(name="judge: true", words="what a judge said of the meaning of records is what they disclose"),)


def _relaxed(params: Params) -> Params:
    return msgspec.structs.replace(params, judge=False)


def _refuted(view: View, params: Params) -> tuple[str, ...]:
    """A judge that is wrong about one record is not believed about the others."""
    return tuple(op.id for op in view.ops if refutes_judge(op, params))


KIND = Kind(
    name="within_scope",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "recipients", "on_behalf_of", "channel", "t"}),
    blurred=blurred,
    anchor=Anchor(by="key", stream="answers", param="requester"),
    fragment="everything: the order is not read; claims nested or disjoint",
    memory="the answers to the requester, the actions on its behalf, and the messages and results that may carry a judged value",
    assumptions=_assumptions,
    relaxed=_relaxed,
    refuted=_refuted,
    notes=notes,
    infer=infer,
)
