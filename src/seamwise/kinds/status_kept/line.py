"""Words that one writer put into a sequence: what is licensed at a place is then found without comparing every pair."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Protocol

from seamwise.kernel import Op


class Spoken(Protocol):
    """What is needed of a word."""

    @property
    def op(self) -> Op:
        """The operation."""

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that it may give."""

    @property
    def sure(self) -> bool:
        """Whether it is a word, of just one level."""


class Line:
    """Words in the sequence of one writer, all of them in the stream.

    The places of one sequence are a total order whatever else is known of it, so nothing but the place decides.
    """

    def __init__(self, chain: str, words: Sequence[Spoken]) -> None:
        self.chain = chain
        ordered = sorted(words, key=lambda w: place(w.op, chain) or 0)
        self.words = ordered
        self.places = [place(w.op, chain) or 0 for w in ordered]
        self.taken = frozenset(self.places)
        self.floors = [0]
        """Before each word (and after the last): the highest level that was surely given."""
        for w in ordered:
            self.floors.append(max(self.floors[-1], w.levels[0]) if w.sure else self.floors[-1])
        self.ever: list[frozenset[int]] = [frozenset()]
        """Before each word (and after the last): the levels that may have been given."""
        for w in ordered:
            before = self.ever[-1]
            self.ever.append(before if before.issuperset(w.levels) else before.union(w.levels))

    def last(self, at: int) -> frozenset[int]:
        """The levels that the last word before a place can have given."""
        found: set[int] = set()
        for i in range(bisect_left(self.places, at) - 1, -1, -1):
            found.update(self.words[i].levels)
            if self.words[i].sure:
                return frozenset(found)
        return frozenset([0, *found])

    def highest(self, at: int) -> tuple[int, frozenset[int]]:
        """The highest level that was surely given before a place, and the levels that may have been."""
        i = bisect_left(self.places, at)
        return self.floors[i], self.ever[i]

    def lowered(self) -> list[Op]:
        """The words that surely give less than one before them did."""
        return [w.op for w, floor in zip(self.words, self.floors, strict=False) if w.sure and w.levels[0] < floor]


def place(op: Op, chain: str) -> int | None:
    """The place of an operation's only ending in a sequence; None: it has none there."""
    if len(op.ends) != 1:
        return None
    at = op.ends[0].chain
    return at[1] if at is not None and at[0] == chain else None


def line_of(words: Sequence[Spoken]) -> Line | None:
    """The words as a line, where all of them have places of their own in one sequence."""
    first = words[0].op.ends[0].chain if words and words[0].op.ends else None
    if first is None:
        return None
    places = {place(w.op, first[0]) for w in words}
    return None if None in places or len(places) < len(words) else Line(first[0], words)
