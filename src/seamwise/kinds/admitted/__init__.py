"""``admitted``: no accepted item is unverified, and items of one origin count once."""

from seamwise.kernel import Anchor, Kind
from seamwise.kinds._folder import explanation
from seamwise.kinds.admitted.blurred import blurred
from seamwise.kinds.admitted.evidence import spec
from seamwise.kinds.admitted.monitor import possible
from seamwise.kinds.admitted.notes import notes
from seamwise.kinds.admitted.p import Params, outcome

KIND = Kind(
    name="admitted",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "recipients", "item", "origin", "for", "reason", "text", "t"}),
    blurred=blurred,
    anchor=Anchor(by="trace"),
    fragment="any order; claims nested or disjoint",
    memory="the items of the log (of the decision, where one is named)",
    notes=notes,
)
