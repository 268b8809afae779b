"""The fast way to ``two_pairs_of_eyes``'s verdict: the fewest and the most pairs of eyes that there can have been."""

from __future__ import annotations

from seamwise.kernel import Op, Outcome, Pool, View, field_is
from two_pairs_of_eyes.p import Params


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    releases = view.pool("releases")
    sure = [op for op in releases.sure if field_is(op, "release", params.release)]
    if len(sure) > 1:
        view.clash(sure, f"`{params.release}` was released more than once")
    anchors: list[Op | None] = [*sure[:1]]
    if not sure:
        anchors += [op for op in releases.sure if field_is(op, "release", params.release) is None]
        anchors += [None] if releases.may_hide else []  # an unrecorded one
    found = set() if sure else {Outcome.NOT_APPLICABLE}
    for anchor in anchors:
        found |= _outcomes(view, params, anchor)
    return frozenset(found)


def _outcomes(view: View, params: Params, anchor: Op | None) -> set[Outcome]:
    """The outcomes, given the release: a recorded one, or (None) an unrecorded one that may stand anywhere."""
    pool = view.pool("approvals")
    by = None if anchor is None else anchor.get("actor")
    found = set()
    if _fewest(view, params, pool, anchor, by) < 2:
        found.add(Outcome.VIOLATED)
    if _most(view, params, pool, anchor, by) >= 2:
        found.add(Outcome.KEPT)
    return found


def _fewest(view: View, params: Params, pool: Pool, anchor: Op | None, by: str | None) -> int:
    """Only approvals that surely count; one by nobody knows whom may be by one of the others, or by the releaser."""
    if anchor is None:
        return 0
    counting = [
        op for op in pool.sure if field_is(op, "release", params.release) and field_is(op, "approved", True) and view.precedes(op, anchor)
    ]
    people = {op.get("actor") for op in counting} - {None, by}
    return max(0, len(people) - (by is None))


def _most(view: View, params: Params, pool: Pool, anchor: Op | None, by: str | None) -> int:
    """All approvals that can count; each one by nobody knows whom is by another person, and so is each unrecorded one."""
    hidden = (2 if pool.hidden is None else pool.hidden) if pool.may_hide else 0
    counting = [
        op
        for op in pool.sure
        if field_is(op, "release", params.release) is not False
        and field_is(op, "approved", True) is not False
        and (anchor is None or view.may_precede(op, anchor))
    ]
    people = {op.get("actor") for op in counting} - {None, by}
    return len(people) + sum(op.get("actor") is None for op in counting) + hidden
