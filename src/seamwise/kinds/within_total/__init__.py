"""``within_total``: at every moment the standing sum over a key, of contributions each within its own limit, is within the limit."""

import msgspec

from seamwise.kernel import Anchor, Assumption, Kind, View
from seamwise.kinds._folder import explanation
from seamwise.kinds.within_total.blurred import blurred, headline
from seamwise.kinds.within_total.entries import entry_of
from seamwise.kinds.within_total.evidence import infer, spec
from seamwise.kinds.within_total.monitor import possible
from seamwise.kinds.within_total.notes import notes
from seamwise.kinds.within_total.p import Params, ledger, outcome
from seamwise.kinds.within_total.sums import sums


def _assumptions(params: Params) -> tuple[Assumption, ...]:
    if params.reversals == "possible":
        return ()
    return (Assumption(name="reversals: none", words="a contribution cannot be taken back"),)


def _relaxed(params: Params) -> Params:
    return msgspec.structs.replace(params, reversals="possible")


def _refuted(view: View, params: Params) -> tuple[str, ...]:
    """A recorded reversal that took effect shows that contributions can be taken back."""
    pool = view.pool(ledger(params))
    return tuple(op.id for op in pool.sure if (e := entry_of(op, params)).reversal and e.status)


KIND = Kind(
    name="within_total",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "key", "ref", "reverses", "text"}),
    blurred=blurred,
    headline=headline,
    anchor=Anchor(by="key", stream="ledger", param="key"),
    fragment=(
        "order total, or chains per source; claims nested or disjoint; up to 6 contributions without a key, up to 10 reversals, "
        "few unknown times"
    ),
    memory="the contributions of the open key",
    assumptions=_assumptions,
    relaxed=_relaxed,
    refuted=_refuted,
    notes=notes,
    sums=sums,
    infer=infer,
)
