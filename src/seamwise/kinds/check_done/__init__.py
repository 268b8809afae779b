"""``check_done``: a required check was performed by its owner, on what was signed, before the sign-off that relies on it."""

from seamwise.kernel import Anchor, Kind
from seamwise.kinds._folder import explanation
from seamwise.kinds.check_done.evidence import spec
from seamwise.kinds.check_done.monitor import possible
from seamwise.kinds.check_done.notes import notes
from seamwise.kinds.check_done.p import SIGN_OFFS, Params, outcome

KIND = Kind(
    name="check_done",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "subject", "version", "sign_off", "text", "t"}),
    anchor=Anchor(by="record", kind="sign_off", stream=SIGN_OFFS, field="sign_off", param="sign_off", join=("subject",)),
    fragment="any partial order of the records; claims nested or disjoint",
    memory="the sign-offs of the open instance and the performances of its check",
    notes=notes,
)
