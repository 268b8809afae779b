"""What is known of the order of operations.

Records of one chain are ordered by position, a record follows those it names, and a moment that ends before another begins comes
first. The known order is the transitive closure of the three. All records of an operation's ending tell of one moment and are one node. A
cycle is a clash.
"""

from __future__ import annotations

from collections.abc import Sequence

from seamwise.kernel.evidence import Record
from seamwise.kernel.operation import Clash, Op


class Order:
    """The known precedence among records and the operations they tell of."""

    __slots__ = ("_below", "_index", "_seen", "_timed", "clashes")

    def __init__(self, ops: Sequence[Op]) -> None:
        self.clashes: list[Clash] = []
        self._seen: dict[str, Record] | None = None
        self._timed = False
        self._below: list[int] = []
        self._index: dict[str, int] = {}
        nodes: list[list[Record]] = []
        for op in ops:
            if op.ends:
                nodes.append(list(op.ends))
            nodes += [[r] for r in op.openings]
        if all(len(node) == 1 and not node[0].after for node in nodes):
            records = [node[0] for node in nodes]
            timed = _timed(records)
            if timed is not None:
                self._seen, self._timed = {r.id: r for r in records}, timed
                return
        self._index = {r.id: i for i, node in enumerate(nodes) for r in node}
        self._below = _closure(nodes, self._index, self.clashes)

    def before(self, a: str, b: str) -> bool:
        """Whether record ``a`` is known to come before record ``b`` (ids)."""
        if self._seen is not None:
            early, late = self._seen[a], self._seen[b]
            if early.chain is not None and late.chain is not None and early.chain[0] == late.chain[0] and early.chain[1] < late.chain[1]:
                return True
            return self._timed and early.time is not None and late.time is not None and early.time[1] < late.time[0]
        return bool(self._below[self._index[b]] >> self._index[a] & 1)

    def precedes(self, a: Op, b: Op) -> bool:
        """Whether operation ``a`` is known to have taken effect before operation ``b`` did."""
        if not a.ends:
            return False
        return self.follows_record(b, a)

    def follows_record(self, b: Op, a: Op) -> bool:
        """Whether every moment that ``b`` can have lies after the ending of ``a``."""
        end = a.ends[0].id
        if b.ends:
            return self.before(end, b.ends[0].id)
        return any(self.before(end, opening.id) for opening in b.openings)


def _timed(records: Sequence[Record]) -> bool | None:
    """Whether moments order records that nothing but chains and moments orders; None: what two of them say has to be put together.

    Where two records are ordered, a chain or their moments say so by themselves: there are no moments, or no chains, or one chain tells
    the order of all, or moments are points that no chain contradicts (what follows in a chain is no earlier, so that nothing is added).
    """
    chains: dict[str | None, list[Record]] = {}
    moments = points = 0
    for r in records:
        chains.setdefault(None if r.chain is None else r.chain[0], []).append(r)
        if r.time is not None:
            if r.time[0] > r.time[1]:
                return None
            moments += 1
            points += r.time[0] == r.time[1]
    if not moments:
        return False
    if len(chains) == 1 and None not in chains:
        return False if _times_agree(records) else None
    if len({r.id for r in records}) < len(records):
        return None
    alone = len(chains) == 1  # and no record stands in one
    return (
        True if alone or (points == len(records) and all(_times_agree(of) for chain, of in chains.items() if chain is not None)) else None
    )


def _times_agree(nodes: Sequence[Record]) -> bool:
    """Whether, in chain order, no moment surely lies before an earlier one's."""
    latest = -(1 << 200)
    for r in sorted(nodes, key=lambda r: r.chain[1] if r.chain else 0):
        if r.time is not None:
            if r.time[1] < latest:
                return False
            latest = max(latest, r.time[0])
    return True


def _closure(nodes: Sequence[Sequence[Record]], index: dict[str, int], clashes: list[Clash]) -> list[int]:
    """Bit masks: for each node, the nodes known to come before it."""
    direct = [0] * len(nodes)
    by_chain: dict[str, list[tuple[int, int]]] = {}
    timed: list[tuple[int, int, int]] = []
    for i, node in enumerate(nodes):
        for r in node:
            if r.chain:
                by_chain.setdefault(r.chain[0], []).append((r.chain[1], i))
            if r.time:
                timed.append((r.time[0], r.time[1], i))
            for name in r.after:
                if index.get(name, i) != i:
                    direct[i] |= 1 << index[name]
    for members in by_chain.values():
        _in_sequence(sorted(members), direct)
    _by_time(timed, direct)
    below = _transitive(direct)
    tied = [i for i in range(len(nodes)) if below[i] >> i & 1]
    pairs = [(i, j) for i in tied for j in tied if i < j and below[i] >> j & 1 and below[j] >> i & 1]
    # two that contradict one another by themselves come first: others may be tied only through them
    by_themselves = [(i, j) for i, j in pairs if direct[i] >> j & 1 and direct[j] >> i & 1]
    for i, j in by_themselves or pairs:
        clashes.append(
            Clash(frozenset(r.id for k in (i, j) for r in nodes[k]), "their recorded order and their times contradict one another")
        )
    return below


def _in_sequence(members: list[tuple[int, int]], direct: list[int]) -> None:
    """Each node of a chain follows those at lower positions; equal positions tell nothing."""
    done = pending = 0
    last: int | None = None
    for position, i in members:
        if position != last:
            done, pending, last = done | pending, 0, position
        direct[i] |= done & ~(1 << i)
        pending |= 1 << i


def _by_time(timed: list[tuple[int, int, int]], direct: list[int]) -> None:
    """Each node follows those whose moment surely ended before its own began."""
    by_end = sorted((end, i) for _, end, i in timed)
    done, k = 0, 0
    for start, _, i in sorted(timed):
        while k < len(by_end) and by_end[k][0] < start:
            done |= 1 << by_end[k][1]
            k += 1
        direct[i] |= done & ~(1 << i)


def _transitive(direct: list[int]) -> list[int]:
    """The closure. Nodes are taken after all that come before them, each of which then knows its own, so that few need be asked."""
    below = [0] * len(direct)
    done = 0
    left = sorted(range(len(direct)), key=lambda i: direct[i].bit_count())
    while left:
        waiting = []
        for i in left:
            if direct[i] & ~done:
                waiting.append(i)
                continue
            found = rest = direct[i]
            while rest:  # the last first: it mostly knows of all others
                last = rest.bit_length() - 1
                found |= below[last]
                rest &= ~(below[last] | 1 << last)
            below[i] = found
            done |= 1 << i
        if len(waiting) == len(left):
            return _with_cycles(direct)
        left = waiting[::-1]
    return below


def _with_cycles(direct: list[int]) -> list[int]:
    """The closure where some nodes come before themselves."""
    below = list(direct)
    changed = True
    while changed:
        changed = False
        for i, mask in enumerate(direct):
            found, rest = below[i], mask
            while rest:
                low = rest & -rest
                found |= below[low.bit_length() - 1]
                rest ^= low
            if found != below[i]:
                below[i] = found
                changed = True
    return below
