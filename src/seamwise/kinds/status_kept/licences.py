"""What can be licensed at a moment: the authority's last word before it, or the highest it ever gave."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from seamwise.kernel import Op, Pool, View
from seamwise.kinds.status_kept.evidence import word
from seamwise.kinds.status_kept.line import Line, line_of, place
from seamwise.kinds.status_kept.p import Params

FEW = 8
"""Up to so many words are compared one by one."""


class Word(NamedTuple):
    """An operation that is, or may be, a word of the authority."""

    op: Op
    levels: tuple[int, ...]
    sure: bool
    """Whether it is one, of just one level, if it is in the stream."""
    inside: bool
    """Whether it is in the stream."""


class Licences:
    """The words that the records tell of, and what they can license at an operation's moment."""

    def __init__(self, view: View, params: Params) -> None:
        self.view = view
        self.params = params
        self.pool: Pool = view.pool(params.approvals)
        self.words: list[Word] = []
        for ops, inside in ((self.pool.sure, True), (self.pool.candidates, False)):
            for op in ops:
                said = word(op, params)
                if said.levels:
                    self.words.append(Word(op, said.levels, not said.nothing, inside))

    @cached_property
    def every(self) -> frozenset[int]:
        """All levels of the scale."""
        return frozenset(range(len(self.params.scale)))

    @cached_property
    def line(self) -> Line | None:
        """The words as one sequence, where they are many, all in the stream, and one writer's."""
        return line_of(self.words) if len(self.words) > FEW and not self.pool.candidates else None

    def at(self, moment: Op) -> frozenset[int]:
        """The levels that can be licensed when an operation takes effect."""
        if self.pool.may_hide and self.params.revocable:
            return self.every  # an unrecorded word can have come last
        line = self.line
        at = None if line is None else place(moment, line.chain)
        if line is None or at is None or at in line.taken:
            return self._last(moment) if self.params.revocable else self._highest(moment)
        if self.params.revocable:
            return line.last(at)
        floor, given = line.highest(at)
        return frozenset(i for i in self.every if i == floor or (i > floor and (self.pool.may_hide or i in given)))

    def lowered(self) -> list[Op]:
        """The words that surely take back something of what another gave before them."""
        if self.line is not None:
            return self.line.lowered()
        words = [w for w in self.words if w.sure and w.inside]
        return [b.op for b in words if any(a.levels[0] > b.levels[0] and self.view.precedes(a.op, b.op) for a in words)]

    def anywhere(self) -> frozenset[int]:
        """The levels that can be licensed at some moment: the lowest before all words, and what any word gives right after it."""
        return self.every if self.pool.may_hide else frozenset([0, *(level for w in self.words for level in w.levels)])

    def _last(self, moment: Op) -> frozenset[int]:
        precedes = self.view.precedes
        before = [w for w in self.words if w.sure and precedes(w.op, moment)]
        standing = [w.op for w in before if w.inside]
        found: set[int] = set()
        if not standing and self._spare(len(before)):
            found.add(0)
        for w in self.words:
            if found.issuperset(w.levels) or precedes(moment, w.op) or any(precedes(w.op, x) for x in reversed(standing)):
                continue
            if self._spare(sum(1 for x in before if not x.inside and x is not w and precedes(w.op, x.op))):
                found.update(w.levels)
        return frozenset(found)

    def _highest(self, moment: Op) -> frozenset[int]:
        precedes = self.view.precedes
        before = [w for w in self.words if w.sure and precedes(w.op, moment)]
        floor = max((w.levels[0] for w in before if w.inside), default=0)
        found: set[int] = set()
        if self._spare(sum(1 for w in before if not w.inside and w.levels[0] > floor)):
            found.add(floor)
        for level in self.every - {0, *found}:
            if level < floor:
                continue
            if self.pool.may_hide and self._spare(sum(1 for w in before if not w.inside and w.levels[0] > level)):
                found.add(level)
                continue
            for w in self.words:
                if level not in w.levels or precedes(moment, w.op):
                    continue
                # a word known to come before this one counts as soon as this one does
                higher = [x for x in self.words if x.sure and x.levels[0] > level and (x in before or precedes(x.op, w.op))]
                if not any(x.inside for x in higher) and self._spare(sum(1 for x in higher if x is not w)):
                    found.add(level)
                    break
        return frozenset(found)

    def _spare(self, n: int) -> bool:
        """Whether so many of the operations whose key was not recorded can be left out of the stream."""
        return n == 0 or n <= len(self.pool.candidates) - self.pool.forced
