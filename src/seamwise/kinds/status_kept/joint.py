"""Whether no statement of a run need be violated: all of them at once, under one order and one set of words.

One statement is decided by what can be licensed at its moment. Several share the words: a word that rescues one may condemn the next.
The search goes through what can have happened so far (sets closed under the known order) and keeps, for each, what may then be licensed.
With a total order these sets are as many as the operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from seamwise.kernel import BeyondFragmentError, Op, Outcome
from seamwise.kinds.status_kept.evidence import Statement
from seamwise.kinds.status_kept.licences import Licences, Word
from seamwise.kinds.status_kept.line import place
from seamwise.kinds.status_kept.p import is_wrong

MAX_ITEMS = 200
MAX_STATES = 20_000
"""How many states are looked at before the evidence counts as beyond the fragment."""

Risky = tuple[Op, Statement, frozenset[Outcome], int | None]
"""A statement that may be violated: with what it may be, its outcomes, and the pool it may be in (None: it surely is in one)."""


class State(NamedTuple):
    """What matters of what happened so far."""

    licensed: int
    hidden: int
    """Unrecorded words so far."""
    used: int
    """Words without a recorded key that were counted as words."""
    out: int
    """Words without a recorded key that were left out of the stream."""
    left: tuple[int, ...]
    """Statements left out, per pool."""
    kept: bool


def none_violated(licences: Licences, risky: Sequence[Risky], spare: list[int], *, kept: bool) -> bool:
    """Whether some completion violates none of the statements and keeps at least one.

    Args:
        licences: What can be licensed.
        risky: The statements that may be violated.
        spare: Per pool, how many statements without a recorded key can be left out.
        kept: Whether another statement can be kept beside them.

    Raises:
        BeyondFragmentError: There are too many orders to look at.
    """
    pool, params = licences.pool, licences.params
    unlimited = pool.may_hide and pool.hidden is None and pool.most is None
    if unlimited and (params.revocable or params.direction == "up"):
        # each can have its own word just before it
        stuck = [sum(1 for s in risky if s[3] == n and s[2] == {Outcome.VIOLATED}) for n in range(len(spare))]
        fits = all(n <= room for n, room in zip(stuck, spare, strict=True))
        return fits and (kept or any(Outcome.KEPT in s[2] for s in risky))
    return _search(licences, risky, spare, kept=kept)


def _search(licences: Licences, risky: Sequence[Risky], spare: list[int], *, kept: bool) -> bool:
    items: list[Risky | Word] = [*licences.words, *risky]
    start = State(0, 0, 0, 0, (0,) * len(spare), kept)
    ends = _in_sequence(items, start, licences, spare) or _in_any_order(items, start, licences, spare)
    return any(state.kept for state in ends)


def _op(item: Risky | Word) -> Op:
    return item.op if isinstance(item, Word) else item[0]


def _after(item: Risky | Word, state: State, licences: Licences, spare: list[int]) -> Iterator[State]:
    return _spoken(item, state, licences) if isinstance(item, Word) else _stated(item, state, licences, spare)


def _in_sequence(items: list[Risky | Word], start: State, licences: Licences, spare: list[int]) -> set[State] | None:
    """The states in the end where all items have places in one writer's sequence; None where they do not."""
    first = _op(items[0]).ends[0].chain if _op(items[0]).ends else None
    places = [place(_op(item), first[0]) if first else None for item in items]
    known = [p for p in places if p is not None]
    if len(set(known)) < len(items):
        return None
    states = {start}
    for _, i in sorted(zip(known, range(len(items)), strict=True)):
        states = {after for state in states for after in _after(items[i], state, licences, spare)}
    return states


def _in_any_order(items: list[Risky | Word], start: State, licences: Licences, spare: list[int]) -> set[State]:
    """The states in the end over all orders that the known one allows."""
    if len(items) > MAX_ITEMS:
        raise BeyondFragmentError(f"{len(items)} words and statements in no known sequence")
    ops = [_op(item) for item in items]
    precedes = licences.view.precedes
    needs = [sum(1 << j for j, other in enumerate(ops) if precedes(other, op)) for op in ops]
    layer: dict[int, set[State]] = {0: {start}}
    looked_at = 0
    for _ in items:
        following: dict[int, set[State]] = {}
        for done, states in layer.items():
            for i, item in enumerate(items):
                if done >> i & 1 or needs[i] & ~done:
                    continue
                looked_at += len(states)
                if looked_at > MAX_STATES:
                    raise BeyondFragmentError(f"{len(items)} words and statements in too many possible orders")
                into = following.setdefault(done | 1 << i, set())
                for state in states:
                    into.update(_after(item, state, licences, spare))
        layer = following
    return set().union(*layer.values())


def _spoken(word: Word, state: State, licences: Licences) -> Iterator[State]:
    """The states after a word, if it is one."""
    pool = licences.pool
    if not word.sure:
        yield state
    elif not word.inside:
        left_out = state._replace(out=state.out + 1)
        if left_out.out <= len(pool.candidates) - pool.forced:
            yield left_out
    used = state.used + (not word.inside)
    if (pool.room is None or used <= pool.room) and (pool.most is None or used + state.hidden <= pool.most):
        for level in word.levels:
            yield state._replace(licensed=_then(state.licensed, level, licences), used=used)


def _stated(risky: Risky, state: State, licences: Licences, spare: list[int]) -> Iterator[State]:
    """The states after a statement that is not violated."""
    _, may, _, n = risky
    if n is not None and state.left[n] < spare[n]:
        yield state._replace(left=(*state.left[:n], state.left[n] + 1, *state.left[n + 1 :]))
    if may.about is not True or (True in may.sent and may.said.nothing):
        yield state
    if may.about is False:
        return
    if False in may.sent:
        yield state._replace(kept=True)
    if True in may.sent:
        for before in (state, *_hidden(state, licences)):
            if any(not is_wrong(stated, before.licensed, licences.params) for stated in may.said.levels):
                yield before._replace(kept=True)


def _hidden(state: State, licences: Licences) -> Iterator[State]:
    """The states after one unrecorded word more."""
    pool = licences.pool
    n = state.hidden + 1
    if (pool.hidden is None or n <= pool.hidden) and (pool.most is None or n + state.used <= pool.most):
        for level in licences.every:
            yield state._replace(hidden=n, licensed=_then(state.licensed, level, licences))


def _then(licensed: int, level: int, licences: Licences) -> int:
    return level if licences.params.revocable else max(licensed, level)
