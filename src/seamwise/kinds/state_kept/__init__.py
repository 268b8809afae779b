"""``state_kept``: what a state held is held, unchanged, by the next, or a licence lies between; reads see the last write."""

from seamwise.kernel import Anchor, Kind
from seamwise.kinds._folder import explanation
from seamwise.kinds.state_kept.blurred import blurred
from seamwise.kinds.state_kept.evidence import spec
from seamwise.kinds.state_kept.monitor import possible
from seamwise.kinds.state_kept.notes import notes
from seamwise.kinds.state_kept.p import Params, outcome

KIND = Kind(
    name="state_kept",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "recipients", "item", "items", "to", "text", "t"}),
    blurred=blurred,
    anchor=Anchor(by="key", stream="state", param="object"),
    fragment="order total; any other order while at most 10,000 combinations differ; claims nested or disjoint",
    memory="the writes, reads and licences of the open object",
    notes=notes,
)
