"""What is known of the order of one trace's steps, and why.

Three things order steps: one writer's sequence (``seq`` within a ``source``), stated precedences (``order``), and clocks with a stated
skew. Nothing else does; the place in a file in particular does not. The order is partial. It is never written out as pairs: each writer
and the clock are a *line* on which a step covers an interval, and one step precedes another there when its interval ends before the
other's begins. Memory is linear in the steps and the stated precedences.

Where the sources contradict one another (a clock runs backwards, a step follows itself), the steps form a cycle. Which of them is wrong
nobody can know, so nothing is known of the order *among* its members; the order between them and all others stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from seamwise.errors import UsageError
from seamwise.record._order_graph import Graph, Line, components, inner_cycle
from seamwise.record._step import OrderBasis, Step
from seamwise.record._trace import Clock

_STRENGTH: dict[OrderBasis, int] = {"sequence": 0, "parent": 1, "message": 2, "clock": 3}


def _weakness(basis: OrderBasis) -> int:
    return _STRENGTH[basis]


class Link(NamedTuple):
    """One step is known to precede another, for one reason."""

    before: str
    after: str
    basis: OrderBasis


class Cycle(NamedTuple):
    """Steps whose stated order contradicts itself."""

    steps: tuple[str, ...]
    """All members, in file order."""
    links: tuple[Link, ...]
    """One round trip through some of them."""


class Order:
    """The known partial order of one trace's steps. Made by :func:`precedence`.

    INVARIANT: ``before`` is irreflexive and transitive, whatever the input says.
    """

    def __init__(self, ids: list[str], lines: list[Line], edges: dict[int, dict[int, OrderBasis]], dangling: tuple[Link, ...]) -> None:
        self._ids = ids
        self._index = {id: i for i, id in enumerate(ids)}
        self._lines = lines
        self._edges = edges
        self.dangling = dangling
        """Stated precedences that name a step that is not there; they order nothing."""
        self.cycles: tuple[Cycle, ...] = ()
        """Contradictions."""
        self._place: list[int] = []
        self._lines_of: dict[int, list[Line]] = {}
        if edges or (any(line.basis == "clock" for line in lines) and len(lines) > 1):
            self._untangle()

    def before(self, a: str, b: str) -> OrderBasis | None:
        """Why step ``a`` is known to precede step ``b``: the weakest link of the strongest reason found; None: it is not known to.

        Raises:
            UsageError: There is no such step.
        """
        bases = [link.basis for link in self.why(a, b)]
        bases.sort(key=_weakness)
        return bases[-1] if bases else None

    def why(self, a: str, b: str) -> tuple[Link, ...]:
        """The links by which ``a`` precedes ``b``, in order, for a witness; empty: it is not known to.

        A path that needs no clock is preferred, and a direct link to a path.

        Raises:
            UsageError: There is no such step.
        """
        try:
            start, goal = self._index[a], self._index[b]
        except KeyError as error:
            raise UsageError(f"expected a step of this trace, got `{error.args[0]}`") from None
        if start == goal:
            return ()
        direct = self._direct(start, goal)
        if direct is not None and (direct != "clock" or not self._place):
            return (Link(a, b, direct),)
        if not self._place or self._place[start] >= self._place[goal]:
            return ()
        without_clock = self._path(start, goal, clock=False)
        if without_clock or direct is None:
            return without_clock or self._path(start, goal, clock=True)
        return (Link(a, b, direct),)

    def _direct(self, a: int, b: int) -> OrderBasis | None:
        bases = [line.basis for line in self._lines if line.precedes(a, b)]
        if b in self._edges.get(a, ()):
            bases.append(self._edges[a][b])
        bases.sort(key=_weakness)
        return bases[0] if bases else None

    def _path(self, start: int, goal: int, *, clock: bool) -> tuple[Link, ...]:
        """Breadth first, inside the window that a total order of all steps leaves between the two; visits no step twice."""
        came: dict[int, tuple[int, OrderBasis]] = {}
        place, last = self._place, self._place[goal]
        reached = {id(line): len(line.members) for line in self._lines}
        queue = deque((start,))
        while queue and goal not in came:
            at = queue.popleft()
            for to, basis in self._edges.get(at, {}).items():
                if to not in came and place[to] <= last:
                    came[to] = (at, basis)
                    queue.append(to)
            for line in self._lines_of.get(at, ()):
                if line.basis == "clock" and not clock:
                    continue
                if line.precedes(at, goal):
                    came.setdefault(goal, (at, line.basis))
                    break
                first = bisect_right(line.starts, line.bar[at])
                for i in range(first, reached[id(line)]):
                    to = line.members[i]
                    if to not in came and place[to] < last:
                        came[to] = (at, line.basis)
                        queue.append(to)
                reached[id(line)] = min(first, reached[id(line)])
        links: list[Link] = []
        at = goal
        while at in came and at != start:
            back, basis = came[at]
            links.append(Link(self._ids[back], self._ids[at], basis))
            at = back
        return tuple(reversed(links))

    def _untangle(self) -> None:
        """Places every step in one total order that agrees with all that is known, and sets contradictions aside."""
        graph = Graph(len(self._ids), self._lines, self._edges)
        component = components(graph)
        members: dict[int, list[int]] = {}
        for i in range(len(self._ids)):
            members.setdefault(component[i], []).append(i)
        cycles = []
        for inside in members.values():
            if len(inside) > 1 or inside[0] in self._edges.get(inside[0], ()):
                links = tuple(Link(self._ids[a], self._ids[b], basis) for a, b, basis in inner_cycle(graph, component, inside[0]))
                cycles.append(Cycle(tuple(self._ids[i] for i in inside), links))
                self._set_aside(inside)
        self.cycles = tuple(cycles)
        self._place = [-component[i] for i in range(len(self._ids))]
        for line in self._lines:
            for i in line.members:
                self._lines_of.setdefault(i, []).append(line)

    def _set_aside(self, inside: list[int]) -> None:
        own = set(inside)
        for i in inside:
            if i in self._edges:
                self._edges[i] = {to: basis for to, basis in self._edges[i].items() if to not in own}
        for line in self._lines:
            line.raise_bar(inside)


def precedence(steps: Iterable[Step], clocks: Mapping[str, Clock]) -> Order:
    """The known order of a trace's steps.

    Args:
        steps: The steps of one trace. Where several have one id, what they agree on counts.
        clocks: ``Header.clocks``: the clock of each source, ``""`` for the one without a name. Two steps are ordered by time when they
            lie further apart than the sum of their skews; a clock that reaches no further than its source orders that source's steps
            alone; a source without a clock, or with a negative skew, gives no order by time.
    """
    index: dict[str, int] = {}
    ids: list[str] = []
    spans: dict[str | tuple[str, str] | None, dict[int, tuple[int, int] | None]] = {}
    """Line -> where each step lies on it: a source's sequence, a source's own clock, or (None) the clocks that compare with one another."""
    stated: dict[tuple[str, str], OrderBasis] = {}
    for step in steps:
        i = index.setdefault(step.id, len(ids))
        if i == len(ids):
            ids.append(step.id)
        source = step.source or ""
        if step.seq is not None:
            _claim(spans.setdefault(source, {}), i, (step.seq, step.seq))
        clock = clocks.get(source) if step.time_ns is not None else None
        if clock is not None and step.time_ns is not None and clock.skew_ns >= 0:
            line = None if clock.reach == "all" else ("clock", source)
            _claim(spans.setdefault(line, {}), i, (step.time_ns - clock.skew_ns, step.time_ns + clock.skew_ns))
        for after in step.order:
            pair = (after.step, step.id)
            stated[pair] = min(after.basis, stated.get(pair, after.basis), key=_weakness)
    edges: dict[int, dict[int, OrderBasis]] = {}
    for (first, second), basis in stated.items():
        if first in index:
            edges.setdefault(index[first], {})[index[second]] = basis
    dangling = tuple(Link(first, second, basis) for (first, second), basis in stated.items() if first not in index)
    lines = [Line("sequence" if isinstance(name, str) else "clock", span) for name, span in spans.items()]
    return Order(ids, lines, edges, dangling)


def _claim(span: dict[int, tuple[int, int] | None], i: int, where: tuple[int, int]) -> None:
    """A second place for one id on one line, if another, leaves none."""
    span[i] = where if span.get(i, where) == where else None
