"""``evidence_consulted``: a judgement reads or cites the records that it needs, whoever asserted the claim."""

from seamwise.kernel import Anchor, Kind
from seamwise.kinds._folder import explanation
from seamwise.kinds.evidence_consulted.evidence import spec
from seamwise.kinds.evidence_consulted.monitor import possible
from seamwise.kinds.evidence_consulted.notes import notes
from seamwise.kinds.evidence_consulted.p import JUDGEMENTS, Params, outcome

KIND = Kind(
    name="evidence_consulted",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "judgement", "item", "items", "cite", "cites", "text", "t"}),
    anchor=Anchor(by="record", kind="judgement", stream=JUDGEMENTS, field="judgement", param="judgement"),
    fragment="any partial order of the records; claims nested or disjoint; up to some 5,000 choices among reads without a recorded key",
    memory="the open judgement and the reads of its trace",
    notes=notes,
)
