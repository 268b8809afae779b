"""The fast way to ``routed_to_qualified``'s verdict."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from seamwise.kernel import Op, Outcome, View, field_is
from seamwise.kinds.routed_to_qualified.changes import Change, changes_of, grants_of, outcomes_amid_changes
from seamwise.kinds.routed_to_qualified.evidence import ROUTE_KINDS, STRANGER, may_be_told, took_effect
from seamwise.kinds.routed_to_qualified.p import ROUTES, Params, score_of, tools_of

Score = int | float | Decimal
Judge = Callable[[View, Params, Op | None], set[Outcome]]


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions.

    Raises:
        BeyondFragmentError: More changes of tools, in no known order, than are tried exactly.
    """
    judge: Judge = _by_score
    if params.requires_tool is not None:
        judge = _by_tool
        grants = grants_of(view)
        if params.changes:
            changes = changes_of(grants, params)
            if changes or grants.may_hide:
                judge = _amid(changes, 0 if not grants.may_hide else grants.most)
    routes = view.pool(ROUTES)
    anchors: list[Op | None] = [op for op in view.ops if params.route in op.ids]
    found: set[Outcome] = set()
    if not anchors:
        found.add(Outcome.NOT_APPLICABLE)
        anchors = [op for op in routes.sure if may_be_told(op, params.route) is None]
        if routes.may_hide:
            anchors.append(None)
    for anchor in anchors:
        if anchor is not None:
            ways = took_effect(anchor, ROUTE_KINDS)
            mine = True if params.task is None else field_is(anchor, "task", params.task)
            if mine is False or "ok" not in ways:
                found.add(Outcome.NOT_APPLICABLE)
                continue
            if mine is None or len(ways) > 1:
                found.add(Outcome.NOT_APPLICABLE)
        found |= judge(view, params, anchor)
    return frozenset(found)


def _amid(changes: list[Change], hidden: int | None) -> Judge:
    return lambda view, params, anchor: outcomes_amid_changes(view, params, anchor, changes, hidden)


def _by_tool(view: View, params: Params, anchor: Op | None) -> set[Outcome]:
    """The outcomes of a route where nobody's tools change."""
    tool = params.requires_tool or ""
    entries = view.context.parts.get("tools", {})
    complete = view.context.known("tools", STRANGER)

    def holds(agent: str) -> bool | None:
        if agent in entries:
            return tool in tools_of(entries[agent])
        return False if complete else None

    to: str | None = None if anchor is None else anchor.get("to")
    some_do = any(tool in tools_of(entry) for entry in entries.values())
    if params.candidates is None:
        must, can = some_do, some_do or not complete
    else:
        held = [holds(agent) for agent in params.candidates if agent != to]
        must, can = True in held, any(h is not False for h in held)
    found: set[Outcome] = set()
    if to is None:
        if some_do or not complete:
            found.add(Outcome.KEPT)  # whoever holds it may have been chosen, and so may a stranger
    else:
        own = holds(to)
        if own is not False:
            found.add(Outcome.KEPT)
        if own:
            return found
    if can:
        found.add(Outcome.VIOLATED)
    if not must:
        found.add(Outcome.NOT_APPLICABLE)
    return found


def _by_score(view: View, params: Params, anchor: Op | None) -> set[Outcome]:
    """The outcomes of a route by attested capability."""
    entries = view.context.parts.get("attested", {})
    complete = view.context.known("attested", STRANGER)
    to: str | None = None if anchor is None else anchor.get("to")
    rivals = [a for a in (entries if params.candidates is None else params.candidates) if a != to]
    best: Score | None = None
    unknown = params.candidates is None and not complete
    for agent in rivals:
        if agent not in entries:
            unknown = unknown or not complete
            continue
        score = score_of(entries[agent])
        if score is not None and (best is None or score > best):
            best = score
    found: set[Outcome] = set()
    if to is not None and (complete or to in entries):
        own = score_of(entries.get(to))
        if own is not None:
            if best is not None and best > own:
                return {Outcome.VIOLATED}
            return {Outcome.KEPT, Outcome.VIOLATED} if unknown else {Outcome.KEPT}
    elif not complete or any(score_of(entry) is not None for entry in entries.values()):
        found.add(Outcome.KEPT)  # the best attested of all may have been chosen
    if best is not None or unknown:
        found.add(Outcome.VIOLATED)
    if best is None:
        found.add(Outcome.NOT_APPLICABLE)
    return found
