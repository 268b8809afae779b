"""What a system of record and the traces say of one another: matched by the operation's name, compared, and never merged in silence.

What is settled here is only which record speaks for an operation. A traced operation of which nobody knows whether it is one of the
rows has no weight (counting it could count it twice); neither has a traced call whose ending is open, where the table is said to hold all
that took effect. A traced operation that did take effect and is in no row refutes that the table holds all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._beside import OPEN, UNNAMED
from seamwise.audit._heap import Heaps
from seamwise.audit._refs import Held, held, plain
from seamwise.audit._result import Disagreement, ReadError, StepRef, TableTold
from seamwise.audit._scan import Options, Scanner
from seamwise.audit._spool import Spool
from seamwise.audit._tables import TableRows, Tables
from seamwise.binding import Bound, Pack, Stream, key_shown
from seamwise.kernel import Op, took_effect

MOST = 20
"""Disagreements of one sort that are told one by one; the others are counted."""
_OWN = frozenset({"t", "text"})
"""Fields that two sources never share to the letter."""


class Settled(NamedTuple):
    """A stream of tables and traces, settled."""

    told: TableTold
    weightless: Mapping[str, str]
    """Ids of traced records that have no weight beside the table -> the source that says why."""
    untimed: frozenset[str]
    """Ids of traced records whose moment is the table's to say."""
    refuted: bool
    """Whether a trace shows that the table does not hold all."""


def settle(stream: Stream, rows: Sequence[Held], traced: Sequence[Held], read: Sequence[tuple[str, str, int]], *, stated: bool) -> Settled:
    """What the tables of a stream and the traces say of one another.

    Args:
        stream: The stream.
        rows: The records of its tables.
        traced: Its records from traces.
        read: Its tables: name, place, number of rows.
        stated: Whether the tables are said to hold all.
    """
    by_row, by_trace = _operations(rows), _operations(traced)
    matched = [name for name in by_trace if name in by_row]
    apart = [name for name in by_trace if name not in by_row]
    out: list[Disagreement] = []
    differing = 0
    for name in matched:
        found = _differ(by_row[name], by_trace[name])
        differing += bool(found)
        if found and differing <= MOST:
            out.append(Disagreement(sort="differs", words=found, steps=(by_row[name][0].ref, by_trace[name][-1].ref)))
    open_records: set[str] = set()
    unnamed_records: set[str] = set()
    counts = {"traced_only": 0, "open": 0, "unnamed": 0}
    refuted = False
    for name in apart if stream.same_as is not None else ():
        items = by_trace[name]
        effect = took_effect(Op([item.record for item in items]))
        if effect is False:
            continue  # what failed is rightly in no row
        named = name.startswith("~")
        weighty = [item.record.id for item in items if item.record.source is None]
        counts["open" if effect is None else "traced_only" if named else "unnamed"] += 1
        if not named:
            unnamed_records.update(weighty)
        elif effect is None:
            open_records.update(weighty)
        else:
            refuted = refuted or bool(weighty)
            if counts["traced_only"] <= MOST:
                out.append(Disagreement(sort="traced_only", words="took effect by its trace, and is in no row", steps=(items[-1].ref,)))
    weightless = dict.fromkeys(unnamed_records, UNNAMED) | dict.fromkeys(open_records if stated and not refuted else (), OPEN)
    alone = [name for name in by_row if name not in by_trace] if stream.same_as is not None else []
    out += [Disagreement(sort="row_only", words="is in no trace", steps=(by_row[name][0].ref,)) for name in alone[:MOST]]
    keys = _by_key(stream, by_row, by_trace) if stream.same_as is None and by_trace else []
    out += keys[:MOST]
    timed = {name for name in matched if any("t" in item.record.fields for item in by_row[name])}
    untimed = {item.record.id for name in timed for item in by_trace[name]}
    summed = TableTold(
        stream=stream.name,
        tables=tuple({"table": name, "place": place, "rows": n} for name, place, n in read),
        taken=len(rows),
        traced=len(by_trace),
        same_as=stream.same_as,
        matched=len(matched),
        differing=differing,
        row_only=len(alone),
        keys=len(keys),
        complete=stated and not refuted,
        refuted=stated and refuted,
        disagreements=tuple(out),
        **counts,
    )
    return Settled(summed, weightless, frozenset(untimed), refuted)


def _operations(items: Iterable[Held]) -> dict[str, list[Held]]:
    out: dict[str, list[Held]] = {}
    seen: set[str] = set()
    for item in items:
        if item.record.id not in seen:
            seen.add(item.record.id)
            out.setdefault(item.record.call or item.record.id, []).append(item)
    return out


def _differ(row: Sequence[Held], traced: Sequence[Held]) -> str:
    """On what a row and a traced call differ, in words; empty where they agree on all that both say."""
    mine, theirs = _fields(row), _fields(traced)
    parts = []
    for name in sorted(mine.keys() & theirs.keys() - _OWN):
        a, b = mine[name], theirs[name]
        if name == "status":
            if {str(a), str(b)} == {"ok", "failed"}:
                parts.append(f"{name}: {a} by the table, {b} by the trace")
        elif a != b and str(a) != str(b):
            parts.append(f"{name}: {plain(a)} by the table, {plain(b)} by the trace")
    return "; ".join(parts)


def _fields(items: Sequence[Held]) -> Mapping[str, Any]:
    return Op([item.record for item in items]).fields


def _by_key(stream: Stream, by_row: Mapping[str, list[Held]], by_trace: Mapping[str, list[Held]]) -> list[Disagreement]:
    """Keys of which the table and the traces hold another number of operations that took effect, or another sum."""
    if not stream.keyed:
        return []
    mine, theirs = _sums(stream, by_row), _sums(stream, by_trace)
    out = []
    for key in sorted(mine.keys() | theirs.keys()):
        a, b = mine.get(key, _Sum()), theirs.get(key, _Sum())
        if (a.n, a.total) != (b.n, b.total):
            words = f"{stream.key_name} {key_shown(key)}: {a.shown} in the table, {b.shown} in traces"
            out.append(Disagreement(sort="key", words=words, steps=(*a.steps[:1], *b.steps[:1])))
    return out


class _Sum:
    def __init__(self) -> None:
        self.n = 0
        self.total: Decimal | None = Decimal(0)
        self.steps: list[StepRef] = []

    @property
    def shown(self) -> str:
        if not self.n:
            return "none"
        return f"{self.n}" if self.total is None else f"{self.n} of {self.total} in all"


def _sums(stream: Stream, operations: Mapping[str, list[Held]]) -> dict[str, _Sum]:
    out: dict[str, _Sum] = {}
    prefix = stream.name + "/"
    for items in operations.values():
        op = Op([item.record for item in items])
        leaves = [s[len(prefix) :] for s in op.streams if s.startswith(prefix)]
        if len(leaves) != 1 or took_effect(op) is not True:
            continue
        mine = out.setdefault(leaves[0], _Sum())
        amount = op.get("amount")
        mine.n += 1
        mine.total = mine.total + amount if isinstance(amount, Decimal) and mine.total is not None else None
        mine.steps.append(items[-1].ref)
    return out


def weighed(held: Held, settled: Settled | None) -> Held:
    """A kept record without weight, or without a moment of its own, where a table of its stream outweighs it."""
    if settled is None or not (settled.weightless or settled.untimed):
        return held
    record = held.record
    if record.id in settled.weightless:
        record = msgspec.structs.replace(record, source=record.source or settled.weightless[record.id])
    if record.id in settled.untimed and "t" in record.fields:
        fields = {name: value for name, value in record.fields.items() if name != "t"}
        record = msgspec.structs.replace(record, fields=fields, time=None)
    return held if record is held.record else held._replace(record=record)


def settle_all(scanner: Scanner, tables: Tables, traces: Heaps) -> dict[int, Settled]:
    """Every stream that reads tables, settled, by its place in the pack.

    Args:
        scanner: The pack.
        tables: Its tables.
        traces: What was kept of traces.
    """
    # every family that reads a stream holds the same of it
    family = {n: f for f, family in reversed(list(enumerate(scanner.families))) for n in family.streams if n in tables.rows}
    traced: dict[int, list[Held]] = {n: [] for n in family}  # no contract reads the others, and nothing was kept of their traces
    for entry in traces.entries(lambda f, n: family.get(n) == f):
        traced[entry.stream].append(traces.held(entry.at))
    out = {}
    for n, rows in tables.rows.items():
        if n in family:
            stream = scanner.streams[n]
            out[n] = settle(stream, rows, traced[n], _read(tables, stream), stated=stream.name in tables.statements)
    return out


class Compared(NamedTuple):
    """The tables of a pack beside what traces say, without any verdict."""

    tables: tuple[TableRows, ...]
    told: tuple[TableTold, ...]
    errors: tuple[ReadError, ...]


def compare(pack: Pack, traced: Mapping[str, Sequence[Bound]]) -> Compared:
    """Reads the tables of a pack and compares them with traced records.

    Args:
        pack: The streams.
        traced: Stream -> its records from traces.

    Raises:
        SeamwiseError: A table cannot be read as the page says.
    """
    scanner = Scanner(pack, Options(), Spool())
    tables = Tables(scanner, whole=True)
    told = []
    for n, rows in tables.rows.items():
        stream = scanner.streams[n]
        mine = [held(bound, redact=True) for bound in traced.get(stream.name, ())]
        told.append(settle(stream, rows, mine, _read(tables, stream), stated=stream.name in tables.statements).told)
    return Compared(tuple(tables.read), tuple(told), tuple(tables.errors))


def _read(tables: Tables, stream: Stream) -> list[tuple[str, str, int]]:
    return [(t.ref.name, t.ref.place if t.ref.is_file else "Postgres", t.n_rows) for t in tables.read if t.ref in stream.tables]
