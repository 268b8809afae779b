"""``rights_held``: an action reserved to a role is done by a holder or under a grant from one; a duty of one's own is done."""

import msgspec

from seamwise.kernel import Anchor, Assumption, Kind, View
from seamwise.kinds._folder import explanation
from seamwise.kinds.rights_held.evidence import APPROVALS, spec
from seamwise.kinds.rights_held.monitor import possible
from seamwise.kinds.rights_held.notes import notes
from seamwise.kinds.rights_held.p import EDITS, Params, holders_of, outcome
from seamwise.kinds.rights_held.readings import took_effect


def _assumptions(params: Params) -> tuple[Assumption, ...]:
    if params.revocable:
        return ()
    return (Assumption(name="revocable: false", words="an authorization, once given, is not withdrawn"),)


def _relaxed(params: Params) -> Params:
    return params if params.revocable else msgspec.structs.replace(params, revocable=True)


def _refuted(view: View, params: Params) -> tuple[str, ...]:
    """A holder's recorded withdrawal of this right, from whomever, shows that it can be withdrawn."""
    if params.revocable or params.action is None:
        return ()
    holders = holders_of(view.context.parts.get("rights", {}), params.action)
    return tuple(
        op.id
        for op in view.pool(params.where).sure
        if op.get("withdrawn")
        and op.get("actor") in holders
        and op.get("action") == params.action
        and took_effect(op, kinds=APPROVALS) == ("ok",)
    )


KIND = Kind(
    name="rights_held",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "grantee", "action", "subject", "text", "t"}),
    anchor=Anchor(by="record", kind="edit", stream=EDITS, param="edit", join=("action",)),
    fragment="any partial order of the records; claims nested or disjoint",
    memory="the edit of the open instance and the authorizations of its action; of a duty, its doings and the two records of its window",
    assumptions=_assumptions,
    relaxed=_relaxed,
    refuted=_refuted,
    notes=notes,
)
