"""What is decided across traces: the kept records of all of them, put together by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, Protocol

from seamwise.audit._disagree import Settled, weighed
from seamwise.audit._heap import Entry, Heaps, Place, Weigh, in_order
from seamwise.audit._items import Placed, operation_of
from seamwise.audit._layout import Ground
from seamwise.audit._recall import Scope
from seamwise.audit._refs import Held, Made
from seamwise.audit._scan import Scanner
from seamwise.audit._told import Told
from seamwise.binding import Contract, Recording, joined
from seamwise.kernel import Context

IN_MEMORY = 1 << 20
"""Kept records of so many bytes are read back at once; of more, one lot after the other."""


def across(
    scanner: Scanner,
    heaps: Heaps,
    recorded: Mapping[str, Mapping[str, Any]],
    *,
    trusted: bool,
    settled: Mapping[int, Settled],
    tables: Mapping[str, Recording] | None = None,
    distrusted: frozenset[str] = frozenset(),
) -> Iterator[Told]:
    """The results of all contracts that live across traces.

    Args:
        scanner: The pack and the options.
        heaps: What was kept of each trace, and of tables.
        recorded: Part of the organization -> entry -> values that traces record.
        trusted: Whether all files were read whole.
        settled: Stream, by its place in the pack -> what its tables and the traces say of one another.
        tables: Stream -> what its systems of record say of its completeness.
        distrusted: Streams whose recording claim is not used.
    """
    agreed = {part: {entry: values[0] for entry, values in entries.items() if len(values) == 1} for part, entries in recorded.items()}
    context = joined(scanner.pack.context, Context(parts=agreed))

    def weigh(n: int, held: Held) -> Held:
        return weighed(held, settled.get(n))

    with closing(_laid_out(scanner, heaps, weigh)) as kept:
        clocks: set[int] = set()
        operations: dict[int, set[str]] = {}
        for entry in heaps.entries():
            held = weigh(entry.stream, Held(entry.record, b"", entry.at.place))
            if entry.clock:
                clocks.add(entry.family)
            if entry.stream in scanner.counted and held.record.source is None:
                operations.setdefault(entry.stream, set()).add(operation_of(held.record))
            kept.add(entry, held)
        missing = {
            s.name: s.recording.count - len(operations.get(n, ()))
            for n, s in enumerate(scanner.streams)
            if s.recording is not None and s.recording.count is not None and s.name not in distrusted
        }
        for f, family in enumerate(scanner.families):
            clock = scanner.clock if f in clocks else None
            ground = Ground(context, trusted=trusted, distrusted=distrusted, missing=missing, tables=tables or {}, clock=clock)
            for contract in family.contracts:
                yield from kept.told(f, contract, ground)


class _LaidOut(Protocol):
    """Kept records as contracts take them."""

    def add(self, entry: Entry, held: Held) -> None:
        """Takes in a record.

        Args:
            entry: Where it stands.
            held: The record as it counts, without the reference to its step.
        """

    def told(self, f: int, contract: Contract, ground: Ground) -> Iterator[Told]:
        """The results of a contract of that family."""

    def close(self) -> None:
        """Lets go of them."""


def _laid_out(scanner: Scanner, heaps: Heaps, weigh: Weigh) -> _LaidOut:
    if heaps.n_bytes <= IN_MEMORY:
        return _AtOnce(scanner, heaps, weigh)
    from seamwise.audit._lots import LotByLot

    return LotByLot(scanner, heaps, weigh)


class _AtOnce:
    """Few records, all of them in memory."""

    def __init__(self, scanner: Scanner, heaps: Heaps, weigh: Weigh) -> None:
        self._scanner, self._heaps, self._weigh = scanner, heaps, weigh
        self._places: dict[int, list[tuple[int, Place]]] = {}
        self._items: dict[int, dict[int, list[Placed]]] = {}

    def add(self, entry: Entry, held: Held) -> None:
        self._places.setdefault(entry.family, []).append((entry.stream, entry.at))

    def told(self, f: int, contract: Contract, ground: Ground) -> Iterator[Told]:
        if f not in self._items:
            found = ((n, self._weigh(n, self._heaps.held(at))) for n, at in self._places.get(f, ()))
            self._items[f] = in_order(found, self._scanner.families[f].streams)
        return self._scanner.recall.told(contract, Scope("", self._items[f], Made(redact=True)), ground)

    def close(self) -> None:
        self._items.clear()
