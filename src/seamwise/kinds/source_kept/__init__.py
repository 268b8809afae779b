"""``source_kept``: provenance and epistemic labels survive, or change only with a record that licenses it."""

from seamwise.kernel import Anchor, Kind
from seamwise.kinds._folder import explanation
from seamwise.kinds.source_kept.evidence import spec
from seamwise.kinds.source_kept.monitor import possible
from seamwise.kinds.source_kept.notes import notes
from seamwise.kinds.source_kept.p import Params, outcome

KIND = Kind(
    name="source_kept",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "statement", "of", "text", "t"}),
    anchor=Anchor(by="record", kind="statement", stream="statements", field="statement", param="statement"),
    fragment="any partial order of the records; no claim that bounds records whose key is not recorded",
    memory="the statements and licences of its trace",
    notes=notes,
)
