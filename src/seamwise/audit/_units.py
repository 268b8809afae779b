"""A contract's records in one scope, taken apart into lots that have nothing to do with one another.

An instance reads the records of its key, or those that share its joining value. Where every record says which those are, the lots can be
judged one by one, and what one costs does not depend on how many others there are. Where some record may belong to several, all stay
together. INVARIANT: an instance's evidence is the same in its lot as in the whole scope.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamwise.audit._instances import may_concern, where_of
from seamwise.audit._items import Placed, join_value, names_of
from seamwise.audit._layout import is_anchor
from seamwise.audit._reads import Reads
from seamwise.binding import Contract, Stream
from seamwise.kernel import Record

Lot = list[tuple[int, Placed]]
"""Records with the places of their streams in the pack, in the order of their scope."""


class Units:
    """Takes the records of one contract apart.

    Args:
        contract: The contract.
        streams: The pack's streams.
        reads: Where the contract looks.
    """

    def __init__(self, contract: Contract, streams: Sequence[Stream], reads: Reads) -> None:
        self._contract = contract
        self._by = contract.anchor.by
        self._streams = reads.streams
        self._anchors = tuple(n for n, s in enumerate(streams) if s.name in contract.streams)
        self._join = contract.anchor.join[0] if contract.anchor.by == "record" and contract.anchor.join else None
        own = reads.own_leaves() if contract.anchor.by == "key" else None
        self._prefixes = None if own is None else {n: streams[n].name + "/" for n in own}
        self._where = where_of(contract)
        self._named = not set(names_of(contract)).isdisjoint(contract.where)

    @property
    def anchors(self) -> tuple[int, ...]:
        """The streams that hold the anchors, in their order."""
        return self._anchors

    def begins(self, n: int, record: Record) -> bool:
        """Whether a record of that stream may be an anchor, or of one of the keys."""
        return self._by == "trace" or (n in self._anchors and self._begins(record))

    def lot_of(self, n: int, record: Record) -> Any:
        """What a record of that stream has in common with those of its lot; None: it may be of several."""
        if self._join is not None:
            return join_value(record.fields[self._join]) if self._join in record.fields else None
        if self._prefixes is None:
            return None
        prefix = self._prefixes[n]
        found = [stream for stream in record.streams if stream.startswith(prefix)]
        return found[0][len(prefix) :] if len(found) == 1 else None

    def may_begin(self, items: Mapping[int, Sequence[Placed]]) -> bool:
        """Whether there may be an anchor, as far as records say before their names are made text."""
        if self._by == "trace" or self._named:
            return True
        for n in self._anchors:
            for placed in items.get(n, ()):
                if self._begins(placed.record):
                    return True
        return False

    def _begins(self, record: Record) -> bool:
        if record.source is not None or (self._where and not may_concern(record, self._where)):
            return False
        return self._by == "key" or is_anchor(record, self._contract)

    def lots(self, items: Mapping[int, Sequence[Placed]]) -> list[Lot]:
        """The lots that hold an anchor of the contract, or one of its keys.

        Args:
            items: The records of the streams, each in the order of the scope.
        """
        get = items.get
        anchors: list[Record] = []
        if self._by != "trace":
            anchors = [placed.record for n in self._anchors for placed in get(n, ()) if self._begins(placed.record)]
            if not anchors:
                return []
        everything = [(n, placed) for n in self._streams for placed in get(n, ())]
        if len(everything) > 1:
            everything.sort(key=_at)
        lots = self._apart(everything, anchors)
        return [everything] if lots is None else lots

    def _apart(self, everything: Lot, anchors: list[Record]) -> list[Lot] | None:
        if self._join is None and self._prefixes is None:
            return None
        lots: dict[Any, Lot] = {}
        of_call: dict[str, Any] = {}
        of_record: dict[int, Any] = {}
        for entry in everything:
            n, placed = entry
            record = placed.record
            value = self.lot_of(n, record)
            if value is None or (record.call is not None and of_call.setdefault(record.call, value) != value):
                return None
            lots.setdefault(value, []).append(entry)
            of_record[id(record)] = value
        return [lots[value] for value in dict.fromkeys(of_record[id(record)] for record in anchors)]


def _at(entry: tuple[int, Placed]) -> int:
    return entry[1].at
