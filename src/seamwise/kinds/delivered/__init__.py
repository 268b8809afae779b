"""``delivered``: information that a decision requires and that was produced upstream before it is in the receiver's input."""

from seamwise.kernel import Anchor, Kind
from seamwise.kinds._folder import explanation
from seamwise.kinds.delivered.blurred import blurred
from seamwise.kinds.delivered.evidence import spec
from seamwise.kinds.delivered.monitor import possible
from seamwise.kinds.delivered.notes import notes
from seamwise.kinds.delivered.p import Params, outcome

KIND = Kind(
    name="delivered",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "recipients", "item", "items", "for", "decision", "text", "t"}),
    blurred=blurred,
    anchor=Anchor(by="record", kind="decision", stream="decisions", field="decision", param="decision"),
    memory="the input, the deliveries and the productions of one decision's trace",
    notes=notes,
)
