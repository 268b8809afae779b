"""The fast way to ``source_kept``'s verdict: which statement may be the one, which it may pass on, what may license a change."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.kernel import BeyondFragmentError, Op, Outcome, Pool, View, field_is
from seamwise.kinds.source_kept.evidence import NOTHING, OTHER, licensed_how, told_how, value_of
from seamwise.kinds.source_kept.p import ABSENT, Params


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions.

    Raises:
        BeyondFragmentError: A claim bounds how many operations without a recorded key are in one of the streams.
    """
    statements, licences = view.pool(params.statements), view.pool(params.licences)
    for pool in (statements, licences):
        if pool.candidates and (pool.forced or pool.room is not None):
            raise BeyondFragmentError("a claim bounds how many records without a recorded key are in the stream")
    told = [op for op in (*statements.sure, *statements.candidates) if told_how(op) != ("none",)]
    named = [op for op in told if field_is(op, "statement", params.statement)]
    certain = [op for op in named if op in statements.sure]
    if len(certain) > 1:
        view.clash(certain, f"statement `{params.statement}` is recorded more than once")
    maybe: list[Op | None] = [op for op in named if "ok" in told_how(op)]
    found: set[Outcome] = set()
    if not certain:
        maybe += [op for op in told if field_is(op, "statement", params.statement) is None and "ok" in told_how(op)]
        maybe += [None] if statements.may_hide else []
    if not certain or "failed" in told_how(certain[0]):
        found.add(Outcome.NOT_APPLICABLE)
    for anchor in maybe:
        found |= _outcomes(view, params, statements, licences, anchor)
    return frozenset(found)


def _outcomes(view: View, params: Params, statements: Pool, licences: Pool, anchor: Op | None) -> set[Outcome]:
    """The outcomes given the statement: a recorded one, or (None) an unrecorded one that may stand anywhere and say anything."""
    found: set[Outcome] = set()
    others = [op for op in (*statements.sure, *statements.candidates) if op is not anchor and told_how(op) != ("none",)]
    spare = statements.hidden is None or statements.hidden > (anchor is None)
    if statements.most is not None and statements.most - (anchor is None) - (anchor in statements.candidates) <= 0:
        spare = False
    for source in _sources(params, others, anchor):
        same = [op for op in others if field_is(op, "statement", source)]
        certain = [op for op in same if op in statements.sure]
        if len(certain) > 1:
            if anchor is not None and anchor.has("of") and told_how(anchor) == ("ok",) and field_is(anchor, "statement", params.statement):
                view.clash(certain, f"statement `{source}` is recorded more than once")
            continue
        if not _surely_there(view, certain, anchor):
            found.add(Outcome.NOT_APPLICABLE)
        origins: list[Op | None] = [op for op in same if "ok" in told_how(op) and _may_precede(view, op, anchor)]
        if not certain and source not in (NOTHING, params.statement):
            origins += [
                op for op in others if field_is(op, "statement", source) is None and "ok" in told_how(op) and _may_precede(view, op, anchor)
            ]
            origins += [None] if statements.may_hide and spare else []
        for origin in origins:
            found |= _compared(view, params, licences, anchor, origin, source)
    return found


def _sources(params: Params, others: list[Op], anchor: Op | None) -> Iterator[str]:
    """What the statement may pass on: names, one that nothing mentions, and nothing."""
    if anchor is not None and anchor.has("of"):
        yield str(anchor.fields["of"])
        return
    yield from dict.fromkeys(str(op.fields["statement"]) for op in others if op.has("statement"))
    yield OTHER
    yield NOTHING


def _surely_there(view: View, certain: list[Op], anchor: Op | None) -> bool:
    """Whether the statement that is passed on was surely made before."""
    return bool(certain) and anchor is not None and told_how(certain[0]) == ("ok",) and view.precedes(certain[0], anchor)


def _may_precede(view: View, op: Op, anchor: Op | None) -> bool:
    return anchor is None or view.may_precede(op, anchor)


def _compared(view: View, params: Params, licences: Pool, anchor: Op | None, origin: Op | None, source: str) -> set[Outcome]:
    """The outcomes given both statements; None where one is not recorded."""
    before = None if origin is None else value_of(origin, params.label)
    after = None if anchor is None else value_of(anchor, params.label)
    found: set[Outcome] = set()
    if before in (None, ABSENT) or after in (None, before) or _may_license(view, params, licences, anchor, source, after):
        found.add(Outcome.KEPT)
    differs = before != ABSENT and (before is None or after is None or before != after)
    if differs and not (after is not None and _must_license(view, params, licences, anchor, origin, source, after)):
        found.add(Outcome.VIOLATED)
    return found


def _may_license(view: View, params: Params, licences: Pool, anchor: Op | None, source: str, to: str | None) -> bool:
    return licences.may_hide or any(
        "ok" in licensed_how(op)
        and field_is(op, "of", source) is not False
        and (to is None or field_is(op, "to", to) is not False)
        and (params.authority is None or field_is(op, "actor", params.authority) is not False)
        and op is not anchor
        and _may_precede(view, op, anchor)
        for op in (*licences.sure, *licences.candidates)
    )


def _must_license(view: View, params: Params, licences: Pool, anchor: Op | None, origin: Op | None, source: str, to: str) -> bool:
    """Whether a licence surely came before; one before the origin did, since that one comes before what passes it on."""
    return anchor is not None and any(
        licensed_how(op) == ("ok",)
        and field_is(op, "of", source) is True
        and field_is(op, "to", to) is True
        and (params.authority is None or field_is(op, "actor", params.authority) is True)
        and op is not anchor
        and (view.precedes(op, anchor) or (origin is not None and view.precedes(op, origin)))
        for op in licences.sure
    )
