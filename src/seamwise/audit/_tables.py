"""Systems of record in an audit: their rows are records across traces, and they say how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from seamwise.audit._heap import HeldTrace
from seamwise.audit._refs import Held, held
from seamwise.audit._result import ReadError
from seamwise.audit._scan import Scanner
from seamwise.binding import ROW, Bound, Coverage, Pack, Recording, Stream, TableRef, TableRule, column_of
from seamwise.errors import FormatError, SeamwiseError, did_you_mean
from seamwise.record import Step
from seamwise.sources import Table, open_table


class TableRows(NamedTuple):
    """A table as a pack binds it."""

    ref: TableRef
    n_rows: int
    bounds: list[list[Bound]]
    """The records of each stream; none where they are let go."""
    taken: tuple[int, ...]
    """How many records each stream has of it."""
    coverage: list[Coverage]


def read_table(pack: Pack, rule: TableRule) -> TableRows:
    """The table's rows, bound.

    Raises:
        FormatError: It cannot be read, or lacks a column that a rule reads; the message names the rule.
        MissingExtraError: Its driver is not installed.
        UsageError: It cannot be reached as the page says.
    """
    ref, binder = rule.ref, pack.binder()
    coverage = binder.coverage()
    place = str(pack.beside(ref.place)) if ref.is_file else ref.place
    counted = _Counted(ref)
    try:
        with open_table(ref.sort, place, table=ref.table, query=ref.query, delimiter=ref.delimiter) as table:
            _check_columns(table, rule)
            bounds = binder.bind_table(ref, counted.steps(table), coverage)
    except SeamwiseError as error:
        if error.where is None:
            error.where = rule.where
        raise
    return TableRows(ref, counted.n, bounds, tuple(map(len, bounds)), coverage)


class _Counted:
    """Rows as steps, counted on the way."""

    def __init__(self, ref: TableRef) -> None:
        self._source = ref.source
        self.n = 0

    def steps(self, table: Table) -> Iterator[Step]:
        for row in table.rows:
            self.n += 1
            # a row of a system of record says by being there that what it tells of took effect
            yield Step(id=row.place, kind=ROW, source=self._source, status="ok", data=row.cells)


def _check_columns(table: Table, rule: TableRule) -> None:
    """Returns if the table has every column that is read of it.

    Raises:
        FormatError: It lacks one; the hint names the one that was probably meant.
    """
    for name, where in rule.columns.items():
        if name not in table.columns and column_of(name) not in table.columns:
            shown = ", ".join(table.columns[:20])
            hint = did_you_mean(column_of(name), table.columns) or f"its columns are {shown}"
            raise FormatError(f"expected a column of the table `{rule.ref.name}`, got `{name}`", where=where, hint=hint)


def _check_named_once(table: TableRows, scanner: Scanner) -> None:
    """Returns if the field that names an operation names one row each.

    Raises:
        FormatError: Two rows have one name: then nobody can say which of them a traced call is.
    """
    for stream, bounds in zip(scanner.streams, table.bounds, strict=True):
        if stream.same_as is None:
            continue
        seen: dict[object, str] = {}
        for bound in bounds:
            name = bound.record.fields.get(stream.same_as)
            if name is None:
                continue
            other = seen.setdefault(name, bound.step.id)
            if other != bound.step.id:
                raise FormatError(
                    f"expected `{stream.same_as}` to name one row each, got `{name}` at {other} and {bound.step.id}",
                    where=f"{scanner.pack.name} `streams.{stream.name}.same_as`",
                    hint="name the field that stands once for every operation, or choose rows with `when`",
                )


class Tables:
    """All tables of a pack, read.

    Args:
        scanner: The pack and the options.
        whole: Whether the records are kept with their rows, for whoever looks at them.

    Raises:
        SeamwiseError: One cannot be read as the page says.
    """

    def __init__(self, scanner: Scanner, *, whole: bool = False) -> None:
        self.read: list[TableRows] = []
        self.rows: dict[int, list[Held]] = {n: [] for n, stream in enumerate(scanner.streams) if stream.tables}
        """Stream, by its place in the pack -> the records of its tables."""
        self.held: list[HeldTrace] = []
        """The same as contracts across traces take them."""
        for _, rule in sorted(scanner.pack.tables.items()):
            table = read_table(scanner.pack, rule)
            _check_named_once(table, scanner)
            self._hold(table, scanner)
            self.read.append(table if whole else table._replace(bounds=[[] for _ in table.bounds]))
        self.statements: dict[str, Recording] = {
            s.name: Recording(by=", ".join(ref.source for ref in s.tables), because=self._basis(n, s), count=None)
            for n, s in enumerate(scanner.streams)
            if s.counted_by_tables and not any(table.coverage[n].n_undecided for table in self.read)
        }
        """Stream -> what its tables say of its completeness."""

    def _hold(self, table: TableRows, scanner: Scanner) -> None:
        kept: dict[int, list[Held]] = {}
        for n, bounds in enumerate(table.bounds):
            if bounds:
                kept[n] = [held(bound, redact=scanner.options.redact) for bound in bounds]
                self.rows[n] += kept[n]
        items: dict[int, dict[int, list[Held]]] = {}
        for f, family in enumerate(scanner.families):
            mine = {n: kept[n] for n in family.streams if n in kept}
            if mine:
                items[f] = mine
        self.held.append(HeldTrace(table.ref.source, items, clock=scanner.clock is not None))

    def _basis(self, n: int, stream: Stream) -> str:
        parts = []
        for table in self.read:
            if table.ref in stream.tables:
                taken, name = table.taken[n], table.ref.place if table.ref.is_file else table.ref.name
                some = f", {taken} of them taken" if taken != table.n_rows else ""
                parts.append(f"{name} holds {table.n_rows} row{'s' * (table.n_rows != 1)}{some}")
        return "; ".join(parts)

    @property
    def coverage(self) -> Iterator[Sequence[Coverage]]:
        """How each table was bound."""
        return (table.coverage for table in self.read)

    @property
    def errors(self) -> Iterator[ReadError]:
        """Cells that do not parse as the page says, and rows that do not say whether they are meant."""
        for table in self.read:
            for counts in table.coverage:
                if counts.n_undecided:
                    n = counts.n_undecided
                    yield ReadError(
                        where=f"table {table.ref.name}, stream {counts.stream}",
                        message=f"expected cells that say whether a row is meant, got {n} row{'s' * (n != 1)} in which they are empty; "
                        "the table does not count as all that there is",
                        hint="let `when` look at a column that is always filled",
                    )
                for name, failure in sorted(counts.failures.items()):
                    n = counts.unparsed.get(name, 0)
                    rows = f"in {n} row{'s' * (n != 1)} `{name}` counts as not recorded"
                    yield ReadError(
                        where=failure.place,
                        message=f"expected {failure.expects}, got `{failure.value}` at {failure.at}; {rows}",
                        hint="say how it is written (`unit`, `decimal`, `map`, `zone` ...), or mend the table",
                    )
