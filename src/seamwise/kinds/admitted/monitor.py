"""The fast way to ``admitted``'s verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from seamwise.kernel import Op, Outcome, Pool, View, took_effect
from seamwise.kinds.admitted.evidence import counts, flag, origin
from seamwise.kinds.admitted.p import Params

KEPT = frozenset({Outcome.KEPT})
VIOLATED = frozenset({Outcome.VIOLATED})
EITHER = KEPT | VIOLATED


class Item(NamedTuple):
    """What can be said of one recorded item."""

    may_offend: bool
    """It may be accepted and unverified."""
    offends: bool
    """It surely is."""
    may_count: bool
    """It may be accepted with a weight."""
    counts: bool
    """It surely is."""
    origin: Any
    """None: any."""


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    pool = view.pool(params.stream, range=params.decision)
    sure = [item_of(op, params) for op in pool.sure]
    maybe = [item_of(op, params) for op in pool.candidates]
    violated = _may_be_violated(sure, maybe, pool, params)
    if not _may_be_kept(sure, maybe, pool):
        return VIOLATED
    return EITHER if violated else KEPT


def item_of(op: Op, params: Params) -> Item:
    """The item that a record is of."""
    done = took_effect(op)
    accepted = flag(op, "accepted")
    may, must = done is not False and accepted is not False, bool(done and accepted)
    verified = flag(op, "verified") if params.rule.verified else True
    heavy = counts(op) if params.rule.one_count_per_origin else False
    return Item(
        may_offend=may and not verified,
        offends=must and verified is False,
        may_count=may and heavy is not False,
        counts=must and bool(heavy),
        origin=origin(op),
    )


def _may_be_violated(sure: list[Item], maybe: list[Item], pool: Pool, params: Params) -> bool:
    if params.rule.verified and (pool.may_hide or any(i.may_offend for i in (*sure, *maybe))):
        return True
    if not params.rule.one_count_per_origin:
        return False
    first = [i for i in sure if i.may_count]
    if _may_share(first):
        return True
    # then one of the two, or both, are of those that may be in the log or are unrecorded
    spare = [i for i in maybe if i.may_count]
    if (pool.may_hide and first) or any(_may_share([i, j]) for i in spare for j in first):
        return True
    if pool.may_hide and (pool.most is None or pool.most > 1) and (pool.hidden != 1 or spare):
        return True
    return pool.room != 1 and _may_share(spare)


def _may_share(items: list[Item]) -> bool:
    """Whether two of these may have one origin."""
    known = [i.origin for i in items if i.origin is not None]
    return len(items) > 1 and (len(known) < len(items) or len(set(known)) < len(known))


def _may_be_kept(sure: list[Item], maybe: list[Item], pool: Pool) -> bool:
    if any(i.offends for i in sure):
        return False
    taken = _origins(sure)
    if len(set(taken)) < len(taken):
        return False
    if not pool.forced:
        return True  # what may be elsewhere is elsewhere, and an unrecorded item was turned down
    # so many are in the log; without harm can be there: those that need not offend, and one of each origin that is still free
    harmless = [i for i in maybe if not i.offends and not (i.counts and i.origin is not None)]
    free = set(_origins(i for i in maybe if not i.offends)) - set(taken)
    return len(harmless) + len(free) >= pool.forced


def _origins(items: Iterable[Item]) -> list[Any]:
    """Known origins of the items that surely count."""
    return [i.origin for i in items if i.counts and i.origin is not None]
