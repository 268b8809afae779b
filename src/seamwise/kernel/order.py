"""What is known of the order of operations.

Records of one chain are ordered by position, a record follows those it names, and a moment that ends before another begins comes
first. The known order is the transitive closure of the three. A cycle is a clash.
"""

from __future__ import annotations

from collections.abc import Sequence

from seamwise.kernel.evidence import Record
from seamwise.kernel.operation import Clash, Op


class Order:
    """The known precedence among records and the operations they tell of."""

    __slots__ = ("_below", "_index", "_rank", "clashes")

    def __init__(self, records: Sequence[Record]) -> None:
        self.clashes: list[Clash] = []
        self._rank: dict[str, int] | None = None
        self._below: list[int] = []
        self._index: dict[str, int] = {}
        first: dict[str, Record] = {}
        for r in records:
            first.setdefault(r.id, r)
        nodes = list(first.values())
        chains = {r.chain[0] if r.chain else None for r in nodes}
        timed = any(r.time for r in nodes)
        if None not in chains and len(chains) == 1 and not any(r.after for r in nodes) and (not timed or _times_agree(nodes)):
            self._rank = {r.id: r.chain[1] for r in nodes if r.chain}
            return
        self._index = {r.id: i for i, r in enumerate(nodes)}
        self._below = _closure(nodes, self._index, self.clashes)

    def before(self, a: str, b: str) -> bool:
        """Whether record ``a`` is known to come before record ``b`` (ids)."""
        if self._rank is not None:
            return self._rank[a] < self._rank[b]
        return bool(self._below[self._index[b]] >> self._index[a] & 1)

    def precedes(self, a: Op, b: Op) -> bool:
        """Whether operation ``a`` is known to have taken effect before operation ``b`` did."""
        if not a.ends:
            return False
        return self.follows_record(b, a)

    def follows_record(self, b: Op, a: Op) -> bool:
        """Whether every moment that ``b`` can have lies after every recorded ending of ``a``."""
        marks = b.ends or b.openings
        if not marks:
            return False
        if b.ends:
            return all(self.before(x.id, y.id) for x in a.ends for y in marks)
        return any(all(x.id == y.id or self.before(x.id, y.id) for x in a.ends) for y in marks)


def _times_agree(nodes: Sequence[Record]) -> bool:
    """Whether, in chain order, no moment surely lies before an earlier one's."""
    latest = -(1 << 200)
    for r in sorted(nodes, key=lambda r: r.chain[1] if r.chain else 0):
        if r.time is not None:
            if r.time[1] < latest:
                return False
            latest = max(latest, r.time[0])
    return True


def _closure(nodes: Sequence[Record], index: dict[str, int], clashes: list[Clash]) -> list[int]:
    """Bit masks: for each node, the nodes known to come before it."""
    n = len(nodes)
    direct = [0] * n
    by_chain: dict[str, list[int]] = {}
    for i, r in enumerate(nodes):
        if r.chain:
            by_chain.setdefault(r.chain[0], []).append(i)
        for name in r.after:
            if name in index and name != r.id:
                direct[i] |= 1 << index[name]
    for members in by_chain.values():
        members.sort(key=lambda i: nodes[i].chain[1] if nodes[i].chain else 0)  # type: ignore[index]
        done = pending = 0
        last: int | None = None
        for i in members:
            position = nodes[i].chain[1]  # type: ignore[index]
            if position != last:
                done, pending, last = done | pending, 0, position
            direct[i] |= done
            pending |= 1 << i
    timed = sorted((i for i in range(n) if nodes[i].time), key=lambda i: nodes[i].time[1])  # type: ignore[index]
    ends = [nodes[i].time[1] for i in timed]  # type: ignore[index]
    done, k = 0, 0
    for i in sorted(timed, key=lambda i: nodes[i].time[0]):  # type: ignore[index]
        start = nodes[i].time[0]  # type: ignore[index]
        while k < len(timed) and ends[k] < start:
            done |= 1 << timed[k]
            k += 1
        direct[i] |= done & ~(1 << i)
    below = list(direct)
    changed = True
    while changed:
        changed = False
        for i in range(n):
            mask, rest = below[i], direct[i]
            while rest:
                low = rest & -rest
                mask |= below[low.bit_length() - 1]
                rest ^= low
            if mask != below[i]:
                below[i] = mask
                changed = True
    tied = [i for i in range(n) if below[i] >> i & 1]
    for i in tied:
        for j in tied:
            if i < j and below[i] >> j & 1 and below[j] >> i & 1:
                clashes.append(Clash(frozenset({nodes[i].id, nodes[j].id}), "their recorded order and their times contradict one another"))
    return below
