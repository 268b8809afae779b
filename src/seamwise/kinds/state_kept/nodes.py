"""Recorded operations that may matter, and what is known of their order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from seamwise.kernel import Op, Pool, View, took_effect
from seamwise.kinds.state_kept.evidence import Absent, Version, access, content, licensed, version_of
from seamwise.kinds.state_kept.p import Params

STATES, LICENCES = 0, 1
"""The two streams."""


class Node(NamedTuple):
    """A recorded operation that may matter."""

    op: Op
    stream: int
    sure: bool
    """Whether it is surely in its stream."""
    done: bool | None
    """Whether it took effect; None: it may have."""
    writes: bool = False
    """It may be a write."""
    reads: bool = False
    """It may be a read."""
    version: Version | None = None
    content: Any = None
    """What a write holds of the item: a value, ``Absent``, or None: not recorded."""
    to: Any = None
    """What a licence licenses; None: not recorded."""

    @property
    def settled(self) -> bool:
        """Whether it surely is a write, or surely a read, in the stream and in effect."""
        return self.sure and self.done is True and self.writes is not self.reads


def nodes_of(params: Params, states: Pool, licences: Pool | None) -> list[Node]:
    """The operations that may matter; those that surely had no effect are left out."""
    nodes = [n for op in states.sure if (n := _state(op, params, sure=True)) is not None]
    nodes += [n for op in states.candidates if (n := _state(op, params, sure=False)) is not None]
    if licences is None:
        return nodes
    # what no write is known to do needs no licence, unless it is a removal that an unrecorded or incomplete state can make use of
    held = {params.removal if n.content is Absent else n.content for n in nodes if n.writes}
    if states.may_hide or None in held:
        held.add(params.removal)
    found = [n for op in licences.sure if (n := _licence(op, params, sure=True)) is not None]
    found += [n for op in licences.candidates if (n := _licence(op, params, sure=False)) is not None]
    return nodes + [n for n in found if n.to is None or n.to in held]


def _state(op: Op, params: Params, *, sure: bool) -> Node | None:
    done = took_effect(op)
    if done is False:
        return None
    which = access(op)
    held = None if params.item is None or which == "read" else content(op, params.item)
    return Node(op, STATES, sure, done, which != "read", which != "write", version_of(op), held)


def _licence(op: Op, params: Params, *, sure: bool) -> Node | None:
    done, item = took_effect(op), op.fields.get("item")
    if done is False or (item is not None and item != params.item):
        return None
    return Node(op, LICENCES, sure, done if item is not None else None, to=licensed(op))


def loose_versions(nodes: list[Node]) -> frozenset[Version]:
    """Versions that reads returned and that no recorded write surely has."""
    returned = {n.version for n in nodes if n.reads and n.version is not None}
    return frozenset(returned.difference(n.version for n in nodes if n.settled and n.writes) if returned else returned)


def in_total_order(nodes: list[Node], view: View) -> bool:
    """Puts the operations in order where their order is total; says whether it is."""
    if len(nodes) < 2:
        return True
    precedes = view.order.precedes
    nodes.sort(key=_position)
    return all(precedes(a.op, b.op) for a, b in pairwise(nodes))


def _position(node: Node) -> int:
    """Its place in the sequence that it was recorded in, for a first guess at the order."""
    ends = node.op.ends
    return ends[0].chain[1] if ends and ends[0].chain else 0


def predecessors(nodes: list[Node], view: View) -> list[int]:
    """For each operation, as bits, those that surely came before it: by the known order, or by their versions.

    Of operations that nothing tells apart the earlier in the list comes first.
    """
    precedes = view.order.precedes
    writes = [(n.version, i) for i, n in enumerate(nodes) if n.settled and n.writes and n.version is not None]
    before = []
    for i, node in enumerate(nodes):
        mask = sum(1 << j for j, other in enumerate(nodes) if j != i and precedes(other.op, node.op))
        if node.settled and node.version is not None:
            # what was written lower came earlier; so did what was written up to the version that a read returned
            mask |= sum(1 << j for v, j in writes if j != i and (v < node.version or (node.reads and v == node.version)))
        before.append(mask)
    after = successors(before)
    alike: dict[Any, int] = {}
    for i, node in enumerate(nodes):
        twin = alike.get(key := (node[1:], before[i], after[i]))
        if twin is not None:
            before[i] |= 1 << twin
        alike[key] = i
    return before


def successors(before: list[int]) -> list[int]:
    """For each operation, as bits, those that surely came after it."""
    after = [0] * len(before)
    for i, mask in enumerate(before):
        while mask:
            low = mask & -mask
            after[low.bit_length() - 1] |= 1 << i
            mask ^= low
    return after


def without_stale_reads(nodes: list[Node], before: list[int]) -> list[int]:
    """The same where no read is stale: a read came before whatever was written newer than what it returned."""
    out = list(before)
    reads = [(n.version, i) for i, n in enumerate(nodes) if n.settled and n.reads and n.version is not None]
    for i, node in enumerate(nodes):
        if node.settled and node.writes and node.version is not None:
            out[i] |= sum(1 << j for v, j in reads if v < node.version)
    return out
