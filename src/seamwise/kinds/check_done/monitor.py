"""The fast way to ``check_done``'s verdict."""

from __future__ import annotations

from seamwise.kernel import Op, Outcome, Pool, View, field_is
from seamwise.kinds._anchor import anchors_of
from seamwise.kinds.check_done.evidence import performed, signed
from seamwise.kinds.check_done.p import SIGN_OFFS, Params


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    anchors = view.pool(SIGN_OFFS)
    checks = view.pool(params.where)
    maybe, may_be_none = anchors_of(view, anchors.sure, ("sign_off", params.sign_off), signed, may_hide=anchors.may_hide)
    found = {Outcome.NOT_APPLICABLE} if may_be_none else set()
    for anchor in maybe:
        found |= _outcomes(view, params, checks, anchor)
    return frozenset(found)


def _outcomes(view: View, params: Params, checks: Pool, anchor: Op | None) -> set[Outcome]:
    """The outcomes given the sign-off: a recorded one, or (None) an unrecorded one that may stand anywhere and be of anything."""
    can = checks.may_hide
    must = False
    for op in checks.sure:
        fit = serves(op, anchor, params)
        if fit is False or op is anchor:
            continue
        if anchor is None or view.may_precede(op, anchor):
            can = True
            must = must or (fit is True and anchor is not None and view.precedes(op, anchor))
    if checks.candidates:
        fits = [serves(op, anchor, params) for op in checks.candidates]
        can = can or any(
            fit is not False and (anchor is None or view.may_precede(op, anchor)) for op, fit in zip(checks.candidates, fits, strict=True)
        )
        spare = sum(not (fit and anchor is not None and view.precedes(op, anchor)) for op, fit in zip(checks.candidates, fits, strict=True))
        must = must or spare < checks.forced  # so many of them are in the stream at least: one that serves is
    found = {Outcome.KEPT} if can else set()
    if not must:
        found.add(Outcome.VIOLATED)
    return found


def serves(op: Op, anchor: Op | None, params: Params) -> bool | None:
    """Whether a check, if it came before, is the one the sign-off relies on; None: what was not recorded decides."""
    status = performed(op)
    if "ok" not in status:
        return False
    sure = len(status) == 1
    if params.owner is not None:
        by_owner = field_is(op, "actor", params.owner)
        if by_owner is False:
            return False
        sure = sure and by_owner is True
    for field in ("subject", "version") if params.versioned else ("subject",):
        if anchor is None or field not in anchor.fields or field not in op.fields:
            sure = False
        elif anchor.fields[field] != op.fields[field]:
            return False
    return True if sure else None
