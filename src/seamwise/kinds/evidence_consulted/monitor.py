"""The fast way to ``evidence_consulted``'s verdict: how many of the required records can, and how many must, have been consulted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from seamwise.kernel import BeyondFragmentError, Op, Outcome, Pool, View
from seamwise.kinds._anchor import anchors_of
from seamwise.kinds.evidence_consulted.evidence import OTHER, cites_of, items_of, judged_how, read_how
from seamwise.kinds.evidence_consulted.p import JUDGEMENTS, Params

MOST_SUBSETS = 5_000
"""How many choices among reads whose stream is not recorded are tried."""


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    anchors, reads = view.pool(JUDGEMENTS), view.pool(params.stream)
    recorded = (*anchors.sure, *anchors.candidates)
    maybe, may_be_none = anchors_of(view, recorded, ("judgement", params.judgement), judged_how, may_hide=anchors.may_hide)
    found = {Outcome.NOT_APPLICABLE} if may_be_none else set()
    for anchor in maybe:
        found |= _outcomes(view, params, reads, anchor)
    return frozenset(found)


def _outcomes(view: View, params: Params, reads: Pool, anchor: Op | None) -> set[Outcome]:
    """The outcomes given the judgement: a recorded one, or (None) an unrecorded one that may stand anywhere and be by anybody."""
    wanted = frozenset(params.required)
    cited = frozenset(cites_of(anchor) or ()) & wanted if anchor is not None and params.cites else frozenset()
    may_cite = params.cites and (anchor is None or cites_of(anchor) is None)
    found: set[Outcome] = set()
    for judge in _judges(reads, params, anchor):
        if may_cite or reads.may_hide or _most(view, params, reads, anchor, judge, cited) >= params.need:
            found.add(Outcome.KEPT)
        if _least(view, params, reads, anchor, judge, cited) < params.need:
            found.add(Outcome.VIOLATED)
    return found


def _judges(reads: Pool, params: Params, anchor: Op | None) -> list[str | None]:
    """Who may have judged; None: it makes no difference."""
    if params.by == "anyone":
        return [None]
    if anchor is not None and anchor.has("actor"):
        return [str(anchor.fields["actor"])]
    return [*dict.fromkeys(str(op.fields["actor"]) for op in (*reads.sure, *reads.candidates) if op.has("actor")), OTHER]


def _most(view: View, params: Params, reads: Pool, anchor: Op | None, judge: str | None, cited: frozenset[str]) -> int:
    """How many of the required records can have been consulted at once."""

    def may_bring(op: Op) -> frozenset[str]:
        if "ok" not in read_how(op) or (judge is not None and op.has("actor") and str(op.fields["actor"]) != judge):
            return frozenset()
        if anchor is not None and (op is anchor or not view.may_precede(op, anchor)):
            return frozenset()
        items = items_of(op)
        return frozenset(params.required) if items is None else frozenset(items) & frozenset(params.required)

    sure = cited.union(*map(may_bring, reads.sure))
    more = [brought for op in reads.candidates if (brought := may_bring(op) - sure)]
    room = len(more) if reads.room is None else min(reads.room, len(more))
    return max(len(sure.union(*some)) for some in _choices(more, room))


def _least(view: View, params: Params, reads: Pool, anchor: Op | None, judge: str | None, cited: frozenset[str]) -> int:
    """How few of them can have been."""

    def must_bring(op: Op) -> frozenset[str]:
        items = items_of(op)
        if anchor is None or items is None or read_how(op) != ("ok",) or op is anchor or not view.precedes(op, anchor):
            return frozenset()
        if judge is not None and not (op.has("actor") and str(op.fields["actor"]) == judge):
            return frozenset()
        return frozenset(items) & frozenset(params.required)

    sure = cited.union(*map(must_bring, reads.sure))
    more = [must_bring(op) - sure for op in reads.candidates]
    return min(len(sure.union(*some)) for some in _choices(more, min(reads.forced, len(more))))


def _choices(sets: list[frozenset[str]], size: int) -> Iterable[tuple[frozenset[str], ...]]:
    """All choices of so many of the sets.

    Raises:
        BeyondFragmentError: There are too many.
    """
    if size in (0, len(sets)):
        return [tuple(sets[:size])]
    n = 1
    for i in range(size):
        n = n * (len(sets) - i) // (i + 1)
    if n > MOST_SUBSETS:
        raise BeyondFragmentError(f"more than {MOST_SUBSETS} ways in which reads without a recorded key can be in the stream")
    return combinations(sets, size)
