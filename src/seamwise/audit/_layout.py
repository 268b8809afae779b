"""The evidence of instances: which records of a scope bear on one, and which claims then hold.

A recording claim speaks of all operations of a stream. An instance reads some of them; those that are known to be of another key, another
subject or another trace are left out, and the count goes down by just these. What may be the instance's (its key or subject was not
recorded) stays in. Where operations are counted that were not read, nobody knows whose they are: then the claim of the whole stream is
given, short by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from seamwise.audit._items import ANY, Placed, Shelf, join_value, joins_of_calls, operation_of
from seamwise.audit._reads import Look, Reads
from seamwise.audit._result import Statement
from seamwise.binding import BY_LOCK, Contract, Recording, Stream
from seamwise.kernel import OPENINGS, Context, Evidence, Record
from seamwise.record import Claim


class Ground(NamedTuple):
    """What holds for all instances in a scope, beside its records."""

    context: Context
    claims: tuple[Claim, ...] = ()
    """Claims that the recording itself makes."""
    trusted: bool = True
    """Whether everything in scope was read, so that what a user calls complete is."""
    distrusted: frozenset[str] = frozenset()
    """Streams whose recording claim does not hold in this scope."""
    missing: Mapping[str, int] = {}
    """Stream -> how many operations more are stated than are in this scope, where their number is stated."""
    tables: Mapping[str, Recording] = {}
    """Stream -> what its systems of record say: their rows are all that there is."""
    clock: Statement | None = None
    """The user's statement on clocks, where records are ordered by it."""


def shelves_of(contract: Contract, streams: Sequence[Stream], items: Mapping[int, Sequence[Placed]]) -> dict[int, Shelf]:
    """The records that a contract reads in a scope, laid out for its instances; contracts of one :func:`shelving` share them.

    Args:
        contract: The contract.
        streams: The pack's streams.
        items: The items of each stream that it reads, in the order of the scope.
    """
    anchor = contract.anchor
    join = anchor.join[0] if anchor.join else None
    if anchor.by == "record" and anchor.field:
        items = {n: _identified(part, contract) if streams[n].name in contract.streams else part for n, part in items.items()}
    calls = joins_of_calls(items.values(), join) if join is not None else {}
    return {n: Shelf(streams[n], part, join, calls) for n, part in items.items()}


def shelving(contract: Contract, reads: Reads) -> tuple[object, ...]:
    """What two contracts have in common that read the same shelves."""
    anchor = contract.anchor
    return reads.streams, anchor.join[:1], anchor.by, anchor.kind, anchor.field, contract.streams


class Layout:
    """The records that one contract reads in one scope.

    Args:
        contract: The contract.
        streams: The pack's streams.
        reads: Where the contract looks.
        shelves: The records of the streams that it reads.
        ground: What else holds there.
    """

    def __init__(self, contract: Contract, streams: Sequence[Stream], reads: Reads, shelves: Mapping[int, Shelf], ground: Ground) -> None:
        self._contract = contract
        self._streams = streams
        self._reads = reads
        self._ground = ground
        self._join = contract.anchor.join[0] if contract.anchor.join else None
        self.shelves = shelves

    def anchors(self) -> list[Shelf]:
        """The shelves of the streams that hold the contract's anchors or keys."""
        return [s for s in self.shelves.values() if s.stream.name in self._contract.streams]

    def evidence(self, identity: str, anchor: Record | None = None) -> tuple[Evidence, list[Placed]]:
        """The evidence of one instance, and the items that its records came with."""
        value = ANY
        if anchor is not None and self._join is not None and self._join in anchor.fields:
            value = join_value(anchor.fields[self._join])
        found: dict[int, Placed] = {}
        claims: list[Claim] = list(self._ground.claims)
        by_stream: dict[int, list[tuple[Look, Sequence[Placed]]]] = {}
        for look in self._reads.looks(identity):
            shelf = self.shelves.get(look.stream)
            items: Sequence[Placed] = ()
            if shelf is not None:
                items = shelf.find(look.leaf, value)
                if anchor is not None and len(self._contract.anchor.join) > 1:
                    items = [i for i in items if _joined(i.record, anchor, self._contract.anchor.join[1:])]
            by_stream.setdefault(look.stream, []).append((look, items))
            for placed in items:
                found[placed.at] = placed
        for n, looks in by_stream.items():
            claims += self._claims(n, looks)
        placed_items = [found[at] for at in sorted(found)]
        # the latest first: a witness is made by leaving out what comes first, so that it tells the beginning of the story
        records = tuple(p.record for p in placed_items)
        return Evidence(records=records, claims=tuple(claims), context=self._ground.context), placed_items

    def _claims(self, n: int, looks: list[tuple[Look, Sequence[Placed]]]) -> list[Claim]:
        """What is stated of one stream, as far as it bears on what the instance reads of it."""
        stream = self._streams[n]
        out = [] if stream.route is None else [stream.route]
        by_table = self._ground.tables.get(stream.name)
        stated = stream.recording if by_table is None else by_table
        if stated is None or stream.name in self._ground.distrusted:
            return out
        missing = self._ground.missing.get(stream.name)
        if stated.by == BY_LOCK and stated.count is None:
            return out  # nobody has counted
        if missing is None and by_table is None and not self._ground.trusted:
            return out
        inside = {operation_of(i.record) for _, items in looks for i in items if i.record.source is None}
        told = {look.leaf: items for look, items in looks if look.leaf is not None}
        if told and not missing and all(leaf in i.record.streams for leaf, items in told.items() for i in items if i.record.source is None):
            for leaf, items in told.items():
                mine = {operation_of(i.record) for i in items if i.record.source is None}
                out.append(Claim(sort="recording", stream=leaf, count=len(mine), by=stated.by, basis=stated.because))
            return out
        left = max(0, len(inside) + (missing or 0))
        out.append(Claim(sort="recording", stream=stream.name, count=left, by=stated.by, basis=stated.because))
        return out


def _joined(record: Record, anchor: Record, fields: Sequence[str]) -> bool:
    """Whether nothing that both say keeps a record and an anchor apart."""
    return all(f not in record.fields or f not in anchor.fields or record.fields[f] == anchor.fields[f] for f in fields)


def is_anchor(record: Record, contract: Contract) -> bool:
    """Whether a record of the anchors' stream is an anchor, or the opening of one whose ending was not recorded."""
    return contract.anchor.kind in ("", record.kind) or record.kind in OPENINGS


def _identified(items: Sequence[Placed], contract: Contract) -> list[Placed]:
    """The anchors with an identity each: an operation whose own name was not recorded goes by its record's."""
    field = contract.anchor.field
    first: dict[str, str] = {}
    for placed in items:
        if field in placed.record.fields:
            first[operation_of(placed.record)] = ""
        else:
            first.setdefault(operation_of(placed.record), placed.record.id)
    out = []
    for placed in items:
        name = first[operation_of(placed.record)]
        if name and field not in placed.record.fields and is_anchor(placed.record, contract):
            record = msgspec.structs.replace(placed.record, fields={**placed.record.fields, field: name})
            placed = Placed(placed.at, record, placed.item)
        out.append(placed)
    return out
