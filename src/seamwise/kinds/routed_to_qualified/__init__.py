"""``routed_to_qualified``: the delegate chosen holds the required tool, or is best attested, where some candidate does."""

import msgspec

from seamwise.kernel import Anchor, Assumption, Kind, View
from seamwise.kinds._folder import explanation
from seamwise.kinds.routed_to_qualified.changes import grants_of
from seamwise.kinds.routed_to_qualified.evidence import spec, took_effect
from seamwise.kinds.routed_to_qualified.monitor import possible
from seamwise.kinds.routed_to_qualified.notes import notes
from seamwise.kinds.routed_to_qualified.p import GRANT_KINDS, ROUTES, Params, outcome


def _assumptions(params: Params) -> tuple[Assumption, ...]:
    if params.changes or params.requires_tool is None:
        return ()
    return (Assumption(name="changes: false", words="nobody's tools change during the case", by="case"),)


def _relaxed(params: Params) -> Params:
    return params if params.requires_tool is None else msgspec.structs.replace(params, changes=True)


def _refuted(view: View, params: Params) -> tuple[str, ...]:
    """A recorded grant or revocation of the tool shows that tools change."""
    if params.changes or params.requires_tool is None:
        return ()
    return tuple(
        op.id
        for op in grants_of(view).sure
        if op.kind in GRANT_KINDS and op.get("tool") == params.requires_tool and took_effect(op, GRANT_KINDS) == ("ok",)
    )


KIND = Kind(
    name="routed_to_qualified",
    doc=explanation(__name__),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "to", "task", "tool", "grantee", "text", "t"}),
    anchor=Anchor(by="record", kind="route", stream=ROUTES, param="route"),
    fragment="any partial order; claims nested or disjoint; where tools change, up to 10 agents and few unordered changes",
    memory="the route of the open instance and, where tools change, every change of the required tool",
    assumptions=_assumptions,
    relaxed=_relaxed,
    refuted=_refuted,
    notes=notes,
)
