"""Walking through every order that the known one allows, without trying those that cannot differ.

A walk takes the recorded operations one by one, whichever the known order lets come next, and keeps what of the past can still matter: the
versions written, the item, its licences, whether the contract was violated, and how many unrecorded operations it took. Two walks that
agree in that and have taken the same operations are one. Where the known order is total there is one thing to take at each step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from seamwise.kernel import BeyondFragmentError, Outcome, Pool, View
from seamwise.kinds.state_kept.items import ANYTHING, Item, after
from seamwise.kinds.state_kept.nodes import (
    LICENCES,
    STATES,
    in_total_order,
    loose_versions,
    nodes_of,
    predecessors,
    successors,
    without_stale_reads,
)
from seamwise.kinds.state_kept.p import Params
from seamwise.kinds.state_kept.versions import Versions

MAX_PLACES = 10_000
"""So many different places may be visited, and a few more for each operation; beyond them the order leaves too much open."""


class Place(NamedTuple):
    """Where a walk has come to."""

    taken: int
    """Bits of the operations taken."""
    versions: Versions = Versions()
    item: Item | None = Item()
    """None: the contract was violated."""
    inside: tuple[int, int] = (0, 0)
    """How many of those that may be elsewhere were taken to be in each stream."""
    hidden: tuple[int, int] = (0, 0)
    """How many unrecorded operations of each stream were needed, where there is a limit."""


class Walk:
    """The walks through one object's evidence.

    Args:
        view: The evidence.
        params: The contract.
        states: What is known of the stream of writes and reads.
        licences: What is known of the stream of licences; None: no item is judged.
    """

    def __init__(self, view: View, params: Params, states: Pool, licences: Pool | None) -> None:
        self.view = view
        self.removal = params.removal
        self.licences = licences
        self.pools = (states,) if licences is None else (states, licences)
        self.counted = bool(states.maybe or (licences is not None and licences.maybe))
        self.nodes = nodes_of(params, states, licences)
        self.loose = loose_versions(self.nodes)
        self.all = (1 << len(self.nodes)) - 1
        self.may_write = 0
        self.before: list[int] | None = None
        """For each operation those that come before it; None: they are in total order."""
        self.after: list[int] = []
        self.goal: Outcome | None = None
        """The one outcome that is looked for; None: either."""

    def outcomes(self) -> frozenset[Outcome]:
        """The outcomes of all walks; none where the evidence contradicts itself.

        Raises:
            BeyondFragmentError: There are too many.
        """
        if in_total_order(self.nodes, self.view):
            return self._walk()
        self.may_write = sum(1 << i for i, n in enumerate(self.nodes) if n.writes)
        before = predecessors(self.nodes, self.view)
        self.after = successors(before)
        self.goal, self.before = Outcome.KEPT, without_stale_reads(self.nodes, before)
        kept = self._walk()
        self.goal, self.before = Outcome.VIOLATED, before
        return kept | self._walk()

    def _walk(self) -> frozenset[Outcome]:
        most = MAX_PLACES + 8 * len(self.nodes)
        seen: set[Place] = set()
        found: set[Outcome] = set()
        path = [iter((Place(0),))]
        while path:
            place = next(path[-1], None)
            if place is None:
                path.pop()
                continue
            if place in seen or (place.item is None and (Outcome.VIOLATED in found or self.goal is Outcome.KEPT)):
                continue
            seen.add(place)
            if len(seen) > most:
                raise BeyondFragmentError(f"the order of {len(self.nodes)} records of the object and its licences leaves too much open")
            if place.taken == self.all and self._counts_are_met(place):
                found.add(Outcome.VIOLATED if place.item is None else Outcome.KEPT)
                if len(found) == 2 or self.goal in found:
                    break
            path.append(self._steps(place))
        return frozenset(found) if self.goal is None else frozenset(found & {self.goal})

    def _steps(self, place: Place) -> Iterator[Place]:
        """Where the walk can go from a place; what is likely to lead to the goal comes first."""
        if self.before is None:
            if place.taken != self.all:
                yield from self._take(place, place.taken.bit_length())
            yield from self._unrecorded(place)
            return
        ready = [i for i, before in enumerate(self.before) if not (place.taken >> i & 1 or before & ~place.taken)]
        for i in ready:
            if self._is_best_taken_now(place, i):
                yield from self._take(place, i)
                return
        if self.goal is Outcome.KEPT:
            for i in sorted(ready, key=lambda i: self.may_write >> i & 1):
                yield from self._take(place, i)
            yield from self._unrecorded(place)
        else:
            yield from self._unrecorded(place)
            for i in sorted(ready, key=lambda i: self.may_write >> i & 1, reverse=True):
                yield from self._take(place, i)

    def _is_best_taken_now(self, place: Place, i: int) -> bool:
        """Whether taking an operation at once, and not later, leaves nothing out that is looked for."""
        node = self.nodes[i]
        if node.stream == LICENCES:
            return place.item is None
        if not node.settled or node.writes:
            return False
        # a read that changes nothing of what is known
        fresh = stale = False
        for versions, is_stale in place.versions.read(node.version, self.loose):
            if versions is place.versions:
                fresh, stale = fresh or not is_stale, stale or is_stale
        if place.item is None:
            return fresh or stale
        if self.goal is Outcome.KEPT:
            return fresh
        later = self.may_write & ~place.taken & ~self.after[i]
        return fresh and not stale and not later and not self._may_hide(place, STATES)

    def _take(self, place: Place, i: int) -> Iterator[Place]:
        """Every place that taking one operation can lead to."""
        node = self.nodes[i]
        _, versions, item, inside, hidden = place
        taken = place.taken | 1 << i
        if not node.sure:
            yield Place(taken, versions, item, inside, hidden)
            if self._is_full(place, node.stream):
                return
            inside = _more(inside, node.stream)
        if node.done is None or (node.stream == LICENCES and node.to is None):
            # it had no effect, or licensed something that never comes up
            yield Place(taken, versions, item, inside, hidden)
        if node.stream == LICENCES:
            given = item if item is None else item.license(ANYTHING if node.to is None else node.to)
            yield Place(taken, versions, given, inside, hidden)
            return
        if node.writes:
            yield from self._write(Place(taken, versions, item, inside, hidden), node.version, node.content)
        if node.reads:
            for then, stale in versions.read(node.version, self.loose):
                yield Place(taken, then, None if stale else item, inside, hidden)

    def _write(self, place: Place, version: Any, held: Any) -> Iterator[Place]:
        taken, versions, item, inside, hidden = place
        for then in versions.write(version, self.loose):
            if item is None or self.licences is None:
                yield Place(taken, then, item, inside, hidden)
                continue
            for became, unrecorded in after(item, held, self.removal):
                if not unrecorded:
                    yield Place(taken, then, became, inside, hidden)
                elif self._may_hide(place, LICENCES):
                    yield Place(taken, then, became, inside, self._one_more(hidden, LICENCES))

    def _unrecorded(self, place: Place) -> Iterator[Place]:
        """An unrecorded read that returns something older, or an unrecorded write."""
        if not self._may_hide(place, STATES):
            return
        taken, versions, item, inside, hidden = place
        hidden = self._one_more(hidden, STATES)
        if versions.last is not None and item is not None and self.goal is not Outcome.KEPT:
            yield Place(taken, versions, None, inside, hidden)
        # a write may be what a read returned, may remove the item by licence, or may be what something else is stale against
        removes = item is not None and (self.removal in item.licensed or ANYTHING in item.licensed)
        if self.loose or removes or (versions.last is None and item is not None and self.goal is not Outcome.KEPT):
            yield from self._write(Place(taken, versions, item, inside, hidden), None, None)

    def _is_full(self, place: Place, stream: int) -> bool:
        """Whether no more of those that may be elsewhere can be in a stream."""
        known, inside = self.pools[stream], place.inside[stream]
        return (known.room is not None and inside >= known.room) or (known.most is not None and inside + place.hidden[stream] >= known.most)

    def _may_hide(self, place: Place, stream: int) -> bool:
        """Whether a stream can have one more unrecorded operation."""
        known = self.pools[stream]
        if known.hidden is not None and place.hidden[stream] >= known.hidden:
            return False
        return known.most is None or place.inside[stream] + place.hidden[stream] < known.most

    def _one_more(self, hidden: tuple[int, int], stream: int) -> tuple[int, int]:
        """The unrecorded operations and one more, counted only where there is a limit."""
        known = self.pools[stream]
        return hidden if known.hidden is None and known.most is None else _more(hidden, stream)

    def _counts_are_met(self, place: Place) -> bool:
        """Whether as many of those that may be elsewhere are inside as the counts say; those that do not matter stand in for others."""
        if not self.counted:
            return True
        for n, known in enumerate(self.pools):
            idle = len(known.maybe) - sum(1 for node in self.nodes if node.stream == n and not node.sure)
            if place.inside[n] + idle < known.forced:
                return False
        return True


def _more(counts: tuple[int, int], stream: int) -> tuple[int, int]:
    return (counts[0] + 1, counts[1]) if stream == STATES else (counts[0], counts[1] + 1)
