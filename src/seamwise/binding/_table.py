"""Rules that read a system of record: ``{table: payments.csv, fields: {customer: customer_id, ...}}``.

A table's rows become steps of the kind ``row``, and all of the language applies to them; only a path begins with a column. What a recording
says of itself cannot make its steps rows: tables are bound apart.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from seamwise.binding._cursor import Cursor
from seamwise.binding._path import MISSING, Getter, follow, split_path
from seamwise.record import Step

TABLE_KEYS = ("table", "sqlite", "postgres", "query", "delimiter", "complete")
ROW = "row"
"""The kind of a table's steps."""
PREFIX = "table:"
"""How the source of a table's rows begins."""
_SORTS = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet"}
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\Z")


class TableRef(NamedTuple):
    """Which table is meant."""

    name: str
    """What verdicts call it; its rows have the source ``table:<name>``."""
    sort: str
    """``csv``, ``parquet``, ``sqlite`` or ``postgres``."""
    place: str
    """The file as the page names it, or how the server is reached."""
    table: str | None
    query: str | None
    delimiter: str | None

    @property
    def source(self) -> str:
        """The source of its rows."""
        return PREFIX + self.name

    @property
    def is_file(self) -> bool:
        """Whether it is a file."""
        return self.sort != "postgres"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRule:
    """What a rule says of its table."""

    ref: TableRef
    complete: bool
    """Whether its rows are all that there are."""
    columns: dict[str, str] = field(compare=False)
    """Column that is read -> where it is named, for messages."""
    reader: Columns = field(compare=False)
    """What reads them."""
    where: str = field(compare=False, default="")


def compile_table(parts: dict[str, Cursor], cursor: Cursor) -> TableRef:
    """The table that a rule names.

    Raises:
        PackError: It names none, or two.
    """
    sorts = [word for word in ("sqlite", "postgres") if word in parts]
    if len(sorts) > 1:
        raise cursor.error("expected either `sqlite` or `postgres`, got both")
    table = parts["table"].text() if "table" in parts else None
    query = parts["query"].text() if "query" in parts else None
    delimiter = _delimiter(parts["delimiter"]) if "delimiter" in parts else None
    sort: str
    if sorts:
        place, sort = parts[sorts[0]].text(), sorts[0]
        if (table is None) == (query is None):
            got = "neither" if table is None else "both"
            raise cursor.error(f"expected either `table` or `query` of the database, got {got}", hint="`table: payments`")
        if delimiter is not None:
            raise parts["delimiter"].error("expected `delimiter` of a text file alone, got one of a database", key=True)
        default = table or os.path.splitext(os.path.basename(place))[0]
    else:
        if table is None:
            raise cursor.error("expected `sqlite` or `postgres` beside `query`, got neither")
        if query is not None:
            raise parts["query"].error("expected `query` of a database alone, got one of a file", key=True)
        ending = os.path.splitext(table)[1].lower()
        if ending not in _SORTS:
            hint = f"a file that ends in {', '.join(sorted(_SORTS))}; a database is written `sqlite: FILE` with `table: NAME`"
            raise parts["table"].expected("a table", hint=hint)
        place, sort, table = table, _SORTS[ending], None
        default = os.path.splitext(os.path.basename(place))[0]
    name = parts["name"].text() if "name" in parts else default
    if not _PLAIN.match(name):
        at = parts.get("name", cursor)
        raise at.error(f"expected a name of letters, digits, `_`, `-` and `.`, got `{name}`", hint="write `name: payments`")
    return TableRef(name, sort, place, table, query, delimiter)


def _delimiter(cursor: Cursor) -> str:
    text = cursor.value
    if not isinstance(text, str) or len(text) != 1 or text in '"\r\n':
        raise cursor.expected("one character", hint='`;`, or `"\\t"` for a tab')
    return text


class Columns:
    """Compiles paths that begin with a column, and remembers which columns they need."""

    def __init__(self) -> None:
        self.named: dict[str, str] = {}
        self.missed = False
        """Whether a cell was asked for that is empty, since this was last set to false."""

    def __call__(self, cursor: Cursor) -> Getter:
        """Reads what the path under the cursor names: a column, or what lies inside one."""
        text = cursor.text()
        self.named.setdefault(text, cursor.document.where(cursor.path))
        parts = (text,) if any(c.isspace() for c in text) and "[" not in text else split_path(cursor, text, bracketed=True)

        def get(opening: Step | None, step: Step) -> Any:
            cells = step.data or {}
            if text in cells:
                return cells[text]
            value = MISSING if parts == (text,) else follow(cells, parts)
            self.missed = self.missed or value is MISSING
            return value

        return get


def column_of(text: str) -> str:
    """The column that a path begins with, where the whole of it names none."""
    found = re.match(r"\[(?:'([^']*)'|\"([^\"]*)\")\]|([^.\[\]'\"]+)", text)
    return text if found is None else (found[1] or found[2] or found[3])
