"""Kept records laid out for the contracts across traces, one lot in memory at a time.

What is laid out, in a database on disk, is where each record stands and what it has in common with others; the records themselves stay in
their heaps. INVARIANT: the lots are those that :class:`Units` makes of all records, in the same order.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from seamwise.audit._heap import Entry, Heaps, Place, Weigh, in_order, order_of
from seamwise.audit._items import Placed, names_of, operation_of, with_names
from seamwise.audit._layout import Ground
from seamwise.audit._recall import Scope
from seamwise.audit._refs import Held, Made
from seamwise.audit._scan import Scanner
from seamwise.audit._taken_back import Name, asked_by, names_of_record, targeted
from seamwise.audit._told import Told
from seamwise.audit._units import Lot, Units
from seamwise.binding import TAKES_BACK, Contract

_FARTHEST = 1 << 126
_AT_ONCE = 200
_CACHE_KB = 512
"""So much of the database is kept in memory."""
_PLACE = "n, file, at, n_fields, n_told, place"
_COLUMNS = "t BLOB, trace BLOB, place INT, n INT, file INT, at INT, n_fields INT, n_told INT, lot BLOB, rank INT, call BLOB"


class LotByLot:
    """The kept records of an audit, laid out for each of its contracts.

    Args:
        scanner: The pack and the options.
        heaps: The records.
        weigh: How a record counts beside tables.
    """

    def __init__(self, scanner: Scanner, heaps: Heaps, weigh: Weigh) -> None:
        self._recall, self._heaps, self._weigh = scanner.recall, heaps, weigh
        self._db = sqlite3.connect("", isolation_level=None)  # a database without a name lies on disk until it is closed
        self._db.execute("PRAGMA temp_store = FILE")
        self._db.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        self._db.execute("BEGIN")
        self._lots: dict[str, Lots] = {}
        self._of_family: list[list[Lots]] = []
        for family in scanner.families:
            mine = {c.name: Lots(self._db, len(self._lots) + i, c, scanner, heaps, weigh) for i, c in enumerate(family.contracts)}
            self._lots |= mine
            self._of_family.append(list(mine.values()))
        self._looked_up = False

    def add(self, entry: Entry, held: Held) -> None:
        """Takes in a record."""
        for lots in self._of_family[entry.family]:
            lots.add(entry, held)

    def told(self, f: int, contract: Contract, ground: Ground) -> Iterator[Told]:
        """The results of a contract."""
        self._look_up()
        lots = self._lots[contract.name]
        apart = lots.apart()
        if apart is None:
            yield from self._recall.told(contract, Scope("", lots.together(), Made(redact=True)), ground)
            return
        for lot in apart:
            yield from self._recall.of_lot(contract, Scope("", {}, Made(redact=True)), lot, ground)

    def _look_up(self) -> None:
        """Asks all records for the names by which others call what they take back."""
        asking = {f: asked for f, of in enumerate(self._of_family) if (asked := [lots for lots in of if lots.asks])}
        if asking and not self._looked_up:
            for entry in self._heaps.entries(lambda f, _: f in asking):
                held = self._weigh(entry.stream, Held(entry.record, b"", entry.at.place))
                for lots in asking[entry.family]:
                    lots.look_up(entry, held)
        self._looked_up = True

    def close(self) -> None:
        """Lets go of what was laid out."""
        self._db.close()


class Lots:
    """The records of one contract.

    Args:
        db: Where they are laid out.
        number: A number for the contract.
        contract: The contract.
        scanner: The pack.
        heaps: All kept records.
        weigh: How a record counts beside tables.
    """

    def __init__(self, db: sqlite3.Connection, number: int, contract: Contract, scanner: Scanner, heaps: Heaps, weigh: Weigh) -> None:
        self._db, self._table, self._heaps, self._weigh = db, f"c{number}", heaps, weigh
        self._streams = scanner.reads[contract.name].streams
        self._units = Units(contract, scanner.streams, scanner.reads[contract.name])
        self._names = names_of(contract)
        self._targets = scanner.streams if TAKES_BACK in contract.kind.opaque else None
        """The pack's streams, where the contract reads what is taken back."""
        self._asked: set[Name] = set()
        self._goes_by: dict[Name, dict[str, tuple[Any, str]]] = {}
        self._numbers: dict[Any, int] = {}
        self._apart = True
        self._rows: list[tuple[Any, ...]] = []
        db.execute(f"CREATE TABLE {self._table} ({_COLUMNS})")

    def add(self, entry: Entry, held: Held) -> None:
        """Lays out a record of the contract's streams.

        Args:
            entry: Where it stands.
            held: The record as it counts.
        """
        n, where = entry.stream, entry.at
        record = with_names(Placed(0, held.record, held), self._names).record if self._names else held.record
        if self._targets is not None and TAKES_BACK in record.fields:
            self._asked.update(asked_by(record))
        t, trace, place, _ = order_of(held.record, where.place, n)
        value = self._units.lot_of(n, record)
        rank = self._units.anchors.index(n) if self._units.begins(n, record) and n in self._units.anchors else None
        if value is None or abs(t) >= _FARTHEST:
            self._apart = False
        self._rows.append(
            (
                (min(max(t, 1 - _FARTHEST), _FARTHEST - 1) + _FARTHEST).to_bytes(16, "big"),
                _bytes(trace),
                place,
                n,
                where.file,
                where.at,
                where.n_fields,
                where.n_told,
                None if value is None else self._lot_named(value),
                rank,
                None if record.call is None else _bytes(record.call),
            )
        )
        if len(self._rows) >= _AT_ONCE:
            self._put()

    @property
    def asks(self) -> bool:
        """Whether some record names what it takes back, so that all others have to be asked for their names."""
        return bool(self._asked)

    def look_up(self, entry: Entry, held: Held) -> None:
        """Notes by which of the asked names a record goes."""
        assert self._targets is not None
        record, n = held.record, entry.stream
        if TAKES_BACK in record.fields:
            return
        for name in names_of_record(record, self._targets[n].same_as):
            if name in self._asked:
                found = self._goes_by.setdefault(name, {})
                mine = ((self._streams.index(n), *order_of(record, entry.at.place, n)), record.id)
                operation = operation_of(record)
                found[operation] = min(found.get(operation, mine), mine)

    def apart(self) -> Iterator[Lot] | None:
        """The lots that hold an anchor of the contract, or one of its keys; None: the records cannot be taken apart."""
        self._put()
        if not self._apart or self._several_lots_of_a_call():
            return None
        return self._lots()

    def together(self) -> dict[int, list[Placed]]:
        """All records, by stream, in their order."""
        self._put()
        rows = self._db.execute(f"SELECT {_PLACE} FROM {self._table} ORDER BY rowid")
        return in_order(((n, self._held(n, Place(*where))) for n, *where in rows), self._streams)

    def _several_lots_of_a_call(self) -> bool:
        found = self._db.execute(
            f"SELECT 1 FROM {self._table} WHERE call IS NOT NULL GROUP BY call HAVING MIN(lot) <> MAX(lot) LIMIT 1"
        ).fetchone()
        return found is not None

    def _lots(self) -> Iterator[Lot]:
        table = self._table
        self._db.execute(f"CREATE TABLE begun_{table} (place INTEGER PRIMARY KEY, lot BLOB)")
        self._db.execute(
            f"INSERT INTO begun_{table} (lot) SELECT lot FROM {table} WHERE rank IS NOT NULL ORDER BY rank, t, trace, place, n, rowid"
        )
        first = f"SELECT lot AS begun, MIN(place) AS first FROM begun_{table} GROUP BY lot"
        order = f"first, t, trace, {table}.place, n, {table}.rowid"
        rows = self._db.execute(f"SELECT first, {_PLACE} FROM {table} JOIN ({first}) ON lot = begun ORDER BY {order}")
        names = {name: {operation: found[1] for operation, found in of.items()} for name, of in self._goes_by.items()}
        for _, lot in groupby(rows, itemgetter(0)):
            out: Lot = []
            for at, (_, n, *where) in enumerate(lot):
                held = self._held(n, Place(*where))
                placed = Placed(at, held.record, held)
                if self._names:
                    placed = with_names(placed, self._names)
                out.append((n, placed if self._targets is None else targeted(placed, names)))
            yield out

    def _held(self, n: int, where: Place) -> Held:
        return self._weigh(n, self._heaps.held(where))

    def _lot_named(self, value: Any) -> bytes:
        if type(value) is str:
            return b"s" + _bytes(value)
        return b"n%d" % self._numbers.setdefault(value, len(self._numbers))

    def _put(self) -> None:
        self._db.executemany(f"INSERT INTO {self._table} VALUES (?,?,?,?,?,?,?,?,?,?,?)", self._rows)
        self._rows.clear()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
