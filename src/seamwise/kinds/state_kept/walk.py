"""Walking through every order that the known one allows, without trying those that cannot differ.

A walk takes the recorded operations one by one, whichever the known order lets come next, and keeps what of the past can still matter: the
versions written, the item, its licences, whether the contract was violated, and how many unrecorded operations it took. Two walks that
agree in that and have taken the same operations are one. Where the known order is total there is one thing to take at each step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from seamwise.kernel import BeyondFragmentError, Op, Outcome, Pool, View
from seamwise.kinds.state_kept.evidence import access, content, licensed, orphans, took_effect, version_of, written
from seamwise.kinds.state_kept.items import ANYTHING, Item, after
from seamwise.kinds.state_kept.p import Params
from seamwise.kinds.state_kept.versions import Versions

MAX_PLACES = 20_000
"""So many different places may be visited; beyond them the order leaves too much open."""


class Node(NamedTuple):
    """A recorded operation that may matter."""

    op: Op
    pool: int
    """0: states, 1: licences."""
    sure: bool
    """Whether it is surely in its stream."""
    done: bool | None
    """Whether it took effect; None: it may have."""
    writes: bool = False
    """It may be a write."""
    reads: bool = False
    """It may be a read."""
    version: Any = None
    content: Any = None
    to: Any = None

    @property
    def settled(self) -> bool:
        """Whether it surely is one thing, in its stream and in effect."""
        return self.sure and self.done is True and self.writes is not self.reads


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
        self.pools = (states, licences) if licences is not None else (states,)
        self.loose = orphans((*states.sure, *states.candidates), states.sure)
        nodes = [n for op in states.sure if (n := _state(op, params, sure=True)) is not None]
        nodes += [n for op in states.candidates if (n := _state(op, params, sure=False)) is not None]
        if licences is not None:
            nodes += [n for op in licences.sure if (n := _licence(op, params, sure=True)) is not None]
            nodes += [n for op in licences.candidates if (n := _licence(op, params, sure=False)) is not None]
        self.nodes = nodes
        self.all = (1 << len(nodes)) - 1
        self.total = self._in_total_order()
        self.before: list[int] = [] if self.total else self._before()
        self.may_write = sum(1 << i for i, n in enumerate(nodes) if n.writes)
        self.found: set[Outcome] = set()

    def outcomes(self) -> frozenset[Outcome]:
        """The outcomes of all walks; none where the evidence contradicts itself.

        Raises:
            BeyondFragmentError: There are too many.
        """
        start = Place(0)
        stack, seen = [start], {start}
        while stack and len(self.found) < 2:
            place = stack.pop()
            if place.taken == self.all and self._counts_are_met(place):
                self.found.add(Outcome.VIOLATED if place.item is None else Outcome.KEPT)
            if place.item is None and Outcome.VIOLATED in self.found:
                continue
            for then in self._steps(place):
                if then not in seen:
                    seen.add(then)
                    stack.append(then)
            if len(seen) > MAX_PLACES:
                raise BeyondFragmentError(f"the order of {len(self.nodes)} records of the object and its licences leaves too much open")
        return frozenset(self.found)

    def _steps(self, place: Place) -> Iterator[Place]:
        yield from self._unrecorded(place)
        if self.total:
            if place.taken != self.all:
                yield from self._take(place, place.taken.bit_length())
            return
        ready = [i for i, before in enumerate(self.before) if not (place.taken >> i & 1 or before & ~place.taken)]
        for i in ready:
            if self._may_be_taken_now(place, i):
                yield from self._take(place, i)
                return
        for i in sorted(ready, key=lambda i: self.may_write >> i & 1):
            yield from self._take(place, i)

    def _may_be_taken_now(self, place: Place, i: int) -> bool:
        """Whether taking an operation at once, and not later, leaves no outcome out."""
        node = self.nodes[i]
        if node.pool:
            return place.item is None
        if not node.settled or node.writes:
            return False
        fresh = node.version is not None and node.version == place.versions.last
        if place.item is None:
            return fresh
        rest = self.may_write & ~place.taken & ~self._after(i)
        return fresh and (Outcome.VIOLATED in self.found or (not rest and not self._may_hide(place, 0)))

    def _take(self, place: Place, i: int) -> Iterator[Place]:
        """Every place that taking one operation can lead to."""
        node = self.nodes[i]
        place = place._replace(taken=place.taken | 1 << i)
        if not node.sure:
            yield place
            known = self.pools[node.pool]
            if known.room is not None and place.inside[node.pool] >= known.room:
                return
            if known.most is not None and place.inside[node.pool] + place.hidden[node.pool] >= known.most:
                return
            place = place._replace(inside=_more(place.inside, node.pool))
        if node.done is None:
            yield place
        if node.pool:
            item = place.item
            yield place if item is None else place._replace(item=item.license(ANYTHING if node.to is None else node.to))
            if node.to is None and item is not None:
                yield place  # to something that never comes up
            return
        if node.writes:
            yield from self._write(place, node.version, node.content)
        if node.reads:
            for versions, stale in place.versions.read(node.version, self.loose):
                yield place._replace(versions=versions, item=None if stale else place.item)

    def _write(self, place: Place, version: Any, held: Any) -> Iterator[Place]:
        for versions in place.versions.write(version, self.loose):
            if len(self.pools) == 1 or place.item is None:
                yield place._replace(versions=versions)
                continue
            for item, unrecorded in after(place.item, held, self.removal):
                if not unrecorded:
                    yield place._replace(versions=versions, item=item)
                elif self._may_hide(place, 1):
                    yield self._needing(place, 1)._replace(versions=versions, item=item)

    def _unrecorded(self, place: Place) -> Iterator[Place]:
        """An unrecorded write, or a read that returns something older."""
        if not self._may_hide(place, 0):
            return
        needing = self._needing(place, 0)
        yield from self._write(needing, None, None)
        if place.versions.last is not None:
            yield needing._replace(item=None)

    def _may_hide(self, place: Place, pool: int) -> bool:
        """Whether a stream can have one more unrecorded operation."""
        known = self.pools[pool]
        if known.hidden is not None and place.hidden[pool] >= known.hidden:
            return False
        return known.most is None or place.inside[pool] + place.hidden[pool] < known.most

    def _needing(self, place: Place, pool: int) -> Place:
        known = self.pools[pool]
        return place if known.hidden is None and known.most is None else place._replace(hidden=_more(place.hidden, pool))

    def _counts_are_met(self, place: Place) -> bool:
        """Whether as many of those that may be elsewhere are inside as the counts say; those that do not matter stand in for others."""
        for n, known in enumerate(self.pools):
            idle = len(known.maybe) - sum(1 for node in self.nodes if node.pool == n and not node.sure)
            if place.inside[n] + idle < known.forced:
                return False
        return True

    def _in_total_order(self) -> bool:
        """Puts the operations in order where their order is total; says whether it is."""
        if len(self.nodes) < 2:
            return True
        precedes = self.view.order.precedes
        if all(n.op.ends and n.op.ends[0].chain is not None for n in self.nodes):
            self.nodes.sort(key=lambda n: n.op.ends[0].chain[1])  # type: ignore[index]
        return all(precedes(a.op, b.op) for a, b in zip(self.nodes, self.nodes[1:], strict=False))

    def _before(self) -> list[int]:
        """For each operation those that surely came before it, by the known order or by their versions."""
        precedes = self.view.order.precedes
        sure = [(n.version, i) for i, n in enumerate(self.nodes) if n.sure and not n.pool and written(n.op) is not None]
        out = []
        for i, node in enumerate(self.nodes):
            mask = sum(1 << j for j, other in enumerate(self.nodes) if j != i and precedes(other.op, node.op))
            if node.settled and not node.pool and node.version is not None:
                # what was written lower came earlier; so did what was written up to the version that a read returned
                mask |= sum(1 << j for v, j in sure if j != i and (v < node.version or (node.reads and v == node.version)))
            out.append(mask)
        return out

    def _after(self, i: int) -> int:
        return sum(1 << j for j, before in enumerate(self.before) if before >> i & 1)


def _more(counts: tuple[int, int], pool: int) -> tuple[int, int]:
    return (counts[0] + 1, counts[1]) if pool == 0 else (counts[0], counts[1] + 1)


def _state(op: Op, params: Params, *, sure: bool) -> Node | None:
    done, which = took_effect(op), access(op)
    if done is False:
        return None
    held = None if params.item is None else content(op, params.item)
    return Node(op, 0, sure, done, which != "read", which != "write", version_of(op), held)


def _licence(op: Op, params: Params, *, sure: bool) -> Node | None:
    done, item = took_effect(op), op.fields.get("item")
    if done is False or (item is not None and item != params.item):
        return None
    return Node(op, 1, sure, done if item is not None else None, to=licensed(op))
