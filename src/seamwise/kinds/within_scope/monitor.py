"""The fast way to ``within_scope``'s verdict.

What a scope allows decides in one direction: the less it allows the more is violated. So an unrecorded scope need be tried in two ways
only, allowing nothing and allowing everything, and every operation can be looked at by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from seamwise.kernel import Op, Outcome, Pool, View, stream_covers
from seamwise.kinds.within_scope.p import Params
from seamwise.kinds.within_scope.readings import (
    ACTIONS,
    MISPLACED,
    behalf,
    contradicts,
    disclosed,
    hops,
    says_more,
    stands_inside,
    ways,
    whom,
)
from seamwise.record import Claim


class Ways(NamedTuple):
    """What an operation of a pool may be."""

    violating: bool
    clean: bool
    """It is for a requester, and within its scope."""
    neither: bool
    """It is for no requester that the contract judges."""


IMPOSSIBLE = Ways(violating=False, clean=False, neither=False)
"""An operation that contradicts itself as one of the answers: it is another's, or there is no completion."""


class Scopes:
    """What the recorded scopes allow at least and at most."""

    def __init__(self, view: View, params: Params) -> None:
        self.context = view.context
        self.complete = view.context.is_complete("scope")
        self.requester = params.requester

    def within(self, names: Collection[str], who: str) -> tuple[bool, bool]:
        """Whether names can be, and can fail to be, within somebody's scope."""
        if not names:
            return True, False
        if not self.context.known("scope", who):
            return True, True
        allowed = self.context.get("scope", who) or ()
        inside = all(n in allowed for n in names)
        return inside, not inside

    def within_somebodys(self, names: Collection[str]) -> tuple[bool, bool]:
        """The same for a requester who was not recorded: the one whom the contract judges, or anybody."""
        if self.requester is not None:
            return self.within(names, self.requester)
        if not names or not self.complete:
            return True, bool(names)
        return any(all(n in (allowed or ()) for n in names) for allowed in self.context.parts.get("scope", {}).values()), True


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    scopes = Scopes(view, params)
    found: set[Outcome] = set()
    harmless = empty = True
    clean = False
    for pool, read, unrecorded in _pools(view, params, scopes):
        sure = [read(op, params, scopes) for op in pool.sure]
        maybe = [read(op, params, scopes) for op in pool.candidates]
        hidden = pool.may_hide
        if any(w.violating for w in sure) or any(w.violating for w in maybe) or (hidden and unrecorded.violating):
            found.add(Outcome.VIOLATED)
        clean = clean or hidden or any(w.clean for w in sure) or any(w.clean for w in maybe)
        harmless = harmless and all(w.clean or w.neither for w in sure) and pool.forced <= sum(w.clean or w.neither for w in maybe)
        # an unrecorded one that is counted must be of this sort, too
        counted = pool.forced if unrecorded.neither else pool.least
        empty = empty and all(w.neither for w in sure) and counted <= sum(w.neither for w in maybe)
    if harmless and clean:
        found.add(Outcome.KEPT)
    if empty:
        found.add(Outcome.NOT_APPLICABLE)
    return frozenset(found)


def _pools(view: View, params: Params, scopes: Scopes) -> Iterator[tuple[Pool, Callable[[Op, Params, Scopes], Ways], Ways]]:
    """The pools that are read, each with how its operations are read and what an unrecorded one may be."""
    if params.fields:
        pool = view.pool(params.where)
        _check_records(view, pool, params)
        others = params.requester is not None and not params.keyed
        yield pool, message_of, Ways(_may_fall_outside(params.fields, scopes), clean=True, neither=others)
    if params.actions:
        yield view.pool(params.executed), action_of, Ways(_may_fall_outside(params.actions, scopes), clean=True, neither=True)


def _check_records(view: View, pool: Pool, params: Params) -> None:
    """Answers that contradict themselves, and records of one call of which one says more than the other's whole content."""
    for op in pool.sure:
        if not contradicts(op, params):
            continue
        records = (*op.ends, *op.openings)
        counted = [] if stands_inside(op, params.where) else _counting(view, params.where)
        if op.has(MISPLACED):
            for name in {r.id for r in records if MISPLACED in r.fields} or op.ids:
                view.clash([name, *counted], f"{name} is for {params.requester}, and stands among the answers to another alone")
        if says_more(op.fields, params):
            alone = {r.id for r in records if says_more(r.fields, params)}
            told = [r.id for r in records if r.fields.keys() & {"text", "fields", "structured"}]
            for names in [[name] for name in alone] or [told or list(op.ids)]:
                view.clash([*names, *counted], "what is said to be nothing but its fields has a text that gives away another")
    others = [op for op in pool.maybe if not contradicts(op, params)]
    if pool.forced > len(others) and not view.clashes:
        view.clash([*_counting(view, params.where), *pool.maybe], "more answers are counted than can be answers")


def _counting(view: View, stream: str) -> list[Claim]:
    """The claims that put operations without a key into a stream."""
    return [c for c in view.recording() if stream_covers(c.stream, stream) or stream_covers(stream, c.stream)]


def _may_fall_outside(names: Iterable[str], scopes: Scopes) -> bool:
    return any(scopes.within_somebodys((n,))[1] for n in names)


def message_of(op: Op, params: Params, scopes: Scopes) -> Ways:
    """What an operation of the answers' stream may be."""
    readers, unsure = whom(op, params)
    if contradicts(op, params):
        return IMPOSSIBLE
    if not readers and not unsure:
        return Ways(violating=False, clean=False, neither=True)
    sure, maybe = disclosed(op, params)
    arrives, far = ways(op), hops(op, params)
    everything = (*sure, *maybe)
    can_fit = all(scopes.within(sure, who)[0] for who in readers)
    can_miss = any(scopes.within(everything, who)[1] for who in readers)
    if unsure and (params.requester is None or not readers):
        fit, miss = scopes.within_somebodys(sure)[0], scopes.within_somebodys(everything)[1]
        can_fit, can_miss = can_fit and (bool(readers) or fit), can_miss or miss
    neither = unsure and not readers and params.requester is not None
    return Ways(can_miss and True in arrives and True in far, can_fit or False in arrives or False in far, neither)


def action_of(op: Op, params: Params, scopes: Scopes) -> Ways:
    """What an operation of the actions' stream may be."""
    if op.kind not in ACTIONS:
        return Ways(violating=False, clean=False, neither=True)
    who = behalf(op)
    someone = who is None and not op.has("on_behalf_of")
    if not someone and (who is None or params.requester not in (None, who)):
        return Ways(violating=False, clean=False, neither=True)
    can_fit = can_miss = False
    for action in (op.fields["action"],) if op.has("action") else (*params.actions, None):
        names = (action,) if action in params.actions else ()
        fit, miss = scopes.within_somebodys(names) if who is None else scopes.within(names, who)
        can_fit, can_miss = can_fit or fit, can_miss or miss
    took, far = ways(op), hops(op, params)
    return Ways(violating=can_miss and True in took and True in far, clean=can_fit or False in took or False in far, neither=someone)
