"""``carried_out``: a correct decision has an accepted receipt whose caller, payload and operation match."""

from seamwise.kernel import Anchor, Kind
from seamwise.kinds._folder import explanation
from seamwise.kinds.carried_out.blurred import blurred
from seamwise.kinds.carried_out.evidence import DECISIONS, spec
from seamwise.kinds.carried_out.monitor import possible
from seamwise.kinds.carried_out.notes import notes
from seamwise.kinds.carried_out.p import Params, outcome

KIND = Kind(
    name="carried_out",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "recipients", "caller", "decision", "value", "payload", "text", "t"}),
    blurred=blurred,
    anchor=Anchor(by="record", kind="decision", stream=DECISIONS, field="decision", param="decision", join=("decision",)),
    fragment="any order; claims nested or disjoint",
    memory="the decision, the actions and the receipts of the stream",
    notes=notes,
)
