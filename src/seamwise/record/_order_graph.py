"""The graph beneath :mod:`seamwise.record._order`: lines, strongly connected components, a round trip inside one."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Literal

from seamwise.record._step import OrderBasis


class Line:
    """Steps as intervals on one axis; one precedes another when it ends before the other begins.

    Args:
        basis: Why this orders anything.
        span: Step -> first and last point; None: contradictory, the step is not on the line.
    """

    def __init__(self, basis: Literal["sequence", "clock"], span: Mapping[int, tuple[int, int] | None]) -> None:
        self.basis: OrderBasis = basis
        known = {i: where for i, where in span.items() if where is not None}
        self.start = {i: where[0] for i, where in known.items()}
        self.bar = {i: where[1] for i, where in known.items()}
        """Only steps that start beyond it are preceded."""
        self.members = sorted(known, key=self.start.__getitem__)
        self.starts = [self.start[i] for i in self.members]

    def precedes(self, a: int, b: int) -> bool:
        """Step ``a`` ends before step ``b`` starts."""
        bar, start = self.bar.get(a), self.start.get(b)
        return bar is not None and start is not None and bar < start

    def raise_bar(self, inside: list[int]) -> None:
        """The steps of a contradiction no longer precede one another; all that starts after the last of them, they still precede."""
        here = [i for i in inside if i in self.start]
        top = max((self.start[i] for i in here), default=0)
        for i in here:
            self.bar[i] = max(self.bar[i], top)


class Graph:
    """Steps as nodes ``0 .. n-1``, then the points of each line as helper nodes.

    A step leads to the first point beyond its bar, a point to the next point and to the steps that start at it. So a line costs as many
    edges as it has steps, not their square.
    """

    def __init__(self, n_steps: int, lines: list[Line], edges: Mapping[int, Mapping[int, OrderBasis]]) -> None:
        self.n_steps = n_steps
        self.following: list[list[int]] = [list(edges.get(i, ())) for i in range(n_steps)]
        self.edges = edges
        self.basis_of: dict[int, OrderBasis] = {}
        for line in lines:
            offset = len(self.following)
            points = sorted(set(line.starts))
            for i, bar in line.bar.items():
                if (at := bisect_right(points, bar)) < len(points):
                    self.following[i].append(offset + at)
            for at, (_, group) in enumerate(groupby(line.members, key=line.start.__getitem__)):
                onward = [offset + at + 1] if at + 1 < len(points) else []
                self.following.append([*group, *onward])
                self.basis_of[offset + at] = line.basis


def components(graph: Graph) -> list[int]:
    """The number of each node's strongly connected component; a component's number is above those of all that follow it (Tarjan, 1972)."""
    following = graph.following
    n = len(following)
    number = [-1] * n
    low = [0] * n
    component = [-1] * n
    open_nodes: list[int] = []
    n_numbered = n_components = 0
    for root in range(n):
        if number[root] >= 0:
            continue
        number[root] = low[root] = n_numbered
        n_numbered += 1
        open_nodes.append(root)
        work: list[tuple[int, Iterator[int]]] = [(root, iter(following[root]))]
        while work:
            node, rest = work[-1]
            for to in rest:
                if number[to] < 0:
                    number[to] = low[to] = n_numbered
                    n_numbered += 1
                    open_nodes.append(to)
                    work.append((to, iter(following[to])))
                    break
                if component[to] < 0:
                    low[node] = min(low[node], number[to])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == number[node]:
                    while True:
                        member = open_nodes.pop()
                        component[member] = n_components
                        if member == node:
                            break
                    n_components += 1
    return component


def inner_cycle(graph: Graph, component: list[int], start: int) -> list[tuple[int, int, OrderBasis]]:
    """A shortest way from a step back to itself inside its component, as (before, after, basis)."""
    came: dict[int, int] = {}
    queue = deque((start,))
    while queue and start not in came:
        at = queue.popleft()
        for to in graph.following[at]:
            if component[to] == component[start] and to not in came:
                came[to] = at
                queue.append(to)
    links: list[tuple[int, int, OrderBasis]] = []
    after, at, basis = start, came[start], None
    while True:
        if at >= graph.n_steps:
            basis = graph.basis_of[at]
        else:
            links.append((at, after, basis if basis is not None else graph.edges[at][after]))
            if at == start:
                return links[::-1]
            after, basis = at, None
        at = came[at]
