"""Tables of every sort: exact values, clear errors, nothing written and nothing fetched."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamwise.errors import FormatError, LimitError, SeamwiseError, UsageError
from seamwise.sources import SORTS, open_table


def rows(sort: str, place: str | Path, **more: Any) -> list[dict[str, Any]]:
    with open_table(sort, str(place), **more) as table:
        return [row.cells for row in table.rows]


def refused(sort: str, place: str | Path, **more: Any) -> SeamwiseError:
    with pytest.raises(SeamwiseError) as caught:
        rows(sort, place, **more)
    assert caught.value.message[0].islower()
    return caught.value


def csv(folder: Path, text: str | bytes, name: str = "payments.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_text_keeps_its_digits_and_an_empty_cell_is_absent(tmp_path: Path) -> None:
    path = csv(tmp_path, '\ufeffid,amount,note\n007,12.50,"a, b\nsecond line"\n\n8,,\n')
    with open_table("csv", str(path)) as table:
        assert table.columns == ("id", "amount", "note")
        found = list(table.rows)
    assert [row.cells for row in found] == [{"id": "007", "amount": "12.50", "note": "a, b\nsecond line"}, {"id": "8"}]
    assert [(row.number, row.place) for row in found] == [(1, "payments.csv:3"), (2, "payments.csv:5")]


def test_delimiters(tmp_path: Path) -> None:
    assert rows("csv", csv(tmp_path, "a;b\n1;2,5\n"), delimiter=";") == [{"a": "1", "b": "2,5"}]
    assert rows("csv", csv(tmp_path, "a\tb\n1\t2\n", "x.tsv")) == [{"a": "1", "b": "2"}]
    assert "delimiter" in str(refused("csv", csv(tmp_path, "a;b\n1;2,5\n")).hint)


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        (b"", "expected a first row that names the columns, got an empty file", "payments.csv"),
        (b"a,a\n1,2\n", "expected every column once, got `a` again", "payments.csv:1"),
        (b"a,\n1,2\n", "expected a name for column 2, got nothing", "payments.csv:1"),
        (b"a,b\n1,2\n1,2,3\n", "expected 2 cells, got 3", "payments.csv:3"),
        (b"a,b\n1\n", "expected 2 cells, got 1", "payments.csv:2"),
        (b"a,b\n1,\xff\n", "expected UTF-8, got the byte 0xff", "payments.csv:2"),
        (b'a,b\n1,"open\n', "expected rows of cells, got a mistake (unexpected end of data)", "payments.csv:2"),
        (b'a,b\n1,"x"y\n', "expected rows of cells, got a mistake (',' expected after '\"')", "payments.csv:2"),
    ],
)
def test_what_is_no_table_of_text(tmp_path: Path, text: bytes, message: str, where: str) -> None:
    error = refused("csv", csv(tmp_path, text))
    assert error.message == message
    assert str(error.where).endswith(where)


def test_a_cell_that_never_ends_is_refused(tmp_path: Path) -> None:
    assert "field larger than field limit" in refused("csv", csv(tmp_path, "a\n" + "x" * (2 << 20) + "\n")).message


def test_too_many_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamwise.sources._table.MAX_ROWS", 2)
    with pytest.raises(LimitError, match="expected at most 2 rows, got more"):
        rows("csv", csv(tmp_path, "a\n1\n2\n3\n"))


@pytest.mark.parametrize("sort", ["csv", "parquet", "sqlite"])
def test_a_file_that_is_not_there(tmp_path: Path, sort: str) -> None:
    csv(tmp_path, "a\n1\n", "payments.csv")
    more = {"table": "t"} if sort == "sqlite" else {}
    error = refused(sort, tmp_path / "paiments.csv", **more)
    assert error.message.startswith("no file `")
    assert error.hint == "did you mean `payments.csv`?"
    assert "there is no folder" in str(refused(sort, tmp_path / "none" / "a.csv", **more).hint)
    assert "which is a folder" in refused(sort, tmp_path, **more).message


def test_there_is_no_other_sort() -> None:
    with pytest.raises(UsageError, match="expected one of `csv`, `parquet`, `sqlite`, `postgres`, got `excel`"):
        rows("excel", "a.xlsx")
    assert sorted(SORTS) == ["csv", "parquet", "postgres", "sqlite"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "crm.db"
    connection = sqlite3.connect(path)
    connection.execute("create table payments (id text, amount, at text, raw blob)")
    connection.executemany(
        "insert into payments values (?, ?, ?, ?)",
        [("p2", 12.1, "2026-01-02", None), ("p1", "15.00", None, b"\x01\xff"), ("p3", 7, None, None)],
    )
    connection.execute("create view large as select id from payments where amount > 10")
    connection.commit()
    connection.close()
    return path


def test_sqlite_in_a_settled_order(database: Path) -> None:
    found = rows("sqlite", database, table="payments")
    assert found == [
        {"amount": "15.00", "id": "p1", "raw": "0x01ff"},
        {"amount": 12.1, "at": "2026-01-02", "id": "p2"},
        {"amount": 7, "id": "p3"},
    ]
    assert rows("sqlite", database, query="select id from payments order by id desc") == [{"id": "p3"}, {"id": "p2"}, {"id": "p1"}]
    assert {"id": "p1"} in rows("sqlite", database, table="large")
    with open_table("sqlite", str(database), table="payments") as table:
        assert next(table.rows).place == "crm.db, row 1 of payments"


def test_sqlite_is_read_and_never_written(database: Path) -> None:
    before = database.read_bytes(), sorted(database.parent.iterdir())
    for query in (
        "delete from payments",
        "drop table payments",
        "create table x (a)",
        f"attach '{database}.2' as o",
        "pragma user_version = 3",
    ):
        error = refused("sqlite", database, query=query)
        assert "read" in str(error.hint) or "select" in str(error.hint), query
    refused("sqlite", database, query="select 1; delete from payments")
    assert (database.read_bytes(), sorted(database.parent.iterdir())) == before
    database.chmod(stat.S_IRUSR)
    database.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert len(rows("sqlite", database, table="payments")) == 3
    finally:
        database.parent.chmod(stat.S_IRWXU)


def test_a_database_that_is_being_written_is_not_read_in_part(database: Path) -> None:
    writer = sqlite3.connect(database)
    writer.execute("pragma journal_mode = wal")
    writer.execute("insert into payments (id) values ('p4')")
    writer.commit()
    error = refused("sqlite", database, table="payments")
    assert "`crm.db-wal` beside it" in error.message
    assert "backup" in str(error.hint)
    writer.close()
    assert len(rows("sqlite", database, table="payments")) == 4


def test_what_is_no_database(database: Path, tmp_path: Path) -> None:
    assert refused("sqlite", database, table="paymnts").hint == "did you mean `payments`?"
    assert "expected an SQLite database, got another file" in refused("sqlite", csv(tmp_path, "a" * 200), table="t").message
    assert "no such column: paid" in refused("sqlite", database, query="select paid from payments").message
    assert "got neither" in refused("sqlite", database).message
    assert "got both" in refused("sqlite", database, table="a", query="b").message
    assert "got `id` again" in refused("sqlite", database, query="select id, id from payments").message


def parquet(folder: Path, select: str, name: str = "payments.parquet") -> Path:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed (pip install 'seamwise[duckdb]')")
    path = folder / name
    duckdb.connect().execute(f"copy ({select}) to '{path}' (format parquet)")
    return path


def test_parquet_gives_exact_values(tmp_path: Path) -> None:
    path = parquet(
        tmp_path,
        "select 'p1' as id, 12.50::decimal(12, 2) as amount, timestamptz '2026-01-01 00:00:00+02' as at, date '2026-01-02' as day, "
        "[1, 2] as items, null as nothing union all select 'p2', 0.10, null, null, null, null",
        "pay[1]*.parquet",
    )
    with open_table("parquet", str(path)) as table:
        assert table.columns == ("id", "amount", "at", "day", "items", "nothing")
        found = list(table.rows)
    assert found[0].cells == {"id": "p1", "amount": "12.50", "at": "2025-12-31T22:00:00+00:00", "day": "2026-01-02", "items": [1, 2]}
    assert found[1].cells == {"id": "p2", "amount": "0.10"}
    assert found[1].place == "pay[1]*.parquet, row 2"


def test_parquet_fetches_and_loads_nothing(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="DuckDB is not installed (pip install 'seamwise[duckdb]')")
    import duckdb

    from seamwise.sources._parquet import SETTINGS

    settings = duckdb.connect(":memory:", config=SETTINGS).execute(
        "select name, value from duckdb_settings() where name in ('autoinstall_known_extensions', 'autoload_known_extensions')"
    )
    assert dict(settings.fetchall()) == {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    assert "expected a Parquet file" in refused("parquet", csv(tmp_path, "a,b\n1,2\n", "x.parquet")).message
    assert refused("parquet", "https://example.org/a.parquet").message == "no file `https://example.org/a.parquet`"


def test_a_driver_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    assert refused("parquet", csv(tmp_path, "x", "a.parquet")).hint == "pip install 'seamwise[duckdb]'"
    assert refused("postgres", "service=crm", table="payments").hint == "pip install 'seamwise[postgres]'"


@pytest.mark.parametrize(
    "place",
    [
        "host=h password=geheim",
        "postgresql://me:geheim@h/db",
        "PASSWORD = geheim host=h",
        "postgresql://h/db?user=me&password=geheim",
        "postgresql://h/db?password=geheim",
        "postgresql://me:ge/heim@h/db",
        " postgresql://me:geheim@h/db",
        "host=h sslpassword=geheim",
    ],
)
def test_a_password_does_not_stand_in_the_page(place: str) -> None:
    error = refused("postgres", place, table="payments")
    assert "without a password" in error.message
    assert "geheim" not in f"{error} {error.hint}"


def test_an_environment_variable_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGURL_OF_NOBODY", raising=False)
    assert "environment variable `PGURL_OF_NOBODY`" in refused("postgres", "env:PGURL_OF_NOBODY", table="payments").message


def test_a_server_that_is_not_there_is_told_without_the_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'seamwise[postgres]')")
    monkeypatch.setenv("PGURL_HERE", f"postgresql://me:geheim@/db?host={tmp_path}&port=1")
    error = refused("postgres", "env:PGURL_HERE", table="payments")
    assert error.message.startswith("cannot reach Postgres")
    assert isinstance(error, FormatError)
    assert "geheim" not in f"{error} {error.hint}"
    assert os.environ["PGURL_HERE"] not in str(error)


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_rows_or_one_error(tmp_path: Path, content: bytes) -> None:
    for sort, name in (("csv", "a.csv"), ("csv", "a.tsv")):
        try:
            found = rows(sort, csv(tmp_path, content, name))
        except SeamwiseError:
            continue
        assert all(isinstance(value, str) and value for cells in found for value in cells.values())


@pytest.mark.parametrize("sort", ["sqlite", "parquet"])
def test_bent_files_are_rows_or_one_error(tmp_path: Path, database: Path, sort: str) -> None:
    whole = (database if sort == "sqlite" else parquet(tmp_path, "select range as n, 'x' || range as s from range(50)")).read_bytes()
    rng = random.Random(3)
    refused_ones = 0
    for _ in range(60):
        bent = bytearray(whole)
        for _ in range(rng.randint(1, 12)):
            bent[rng.randrange(len(bent))] = rng.randrange(256)
        content = bytes(bent[: rng.randrange(len(bent))] if rng.random() < 0.3 else bent)
        path = csv(tmp_path, content, f"bent.{sort}")
        try:
            rows(sort, path, **({"table": "payments"} if sort == "sqlite" else {}))
        except SeamwiseError:
            refused_ones += 1
    assert refused_ones > 5


def test_bytes_are_no_digits(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "p.db")
    connection.execute("create table p(amount)")
    connection.execute("insert into p values(?)", (b"15",))
    connection.commit()
    connection.close()
    assert rows("sqlite", tmp_path / "p.db", table="p") == [{"amount": "0x3135"}]  # no amount: 3,135 was never stored


@pytest.mark.parametrize(
    "address",
    ["postgresql://me:ge#heim/x@127.0.0.1/db", "postgresql://me:geheim@127.0.0.1:geheim/db", "geheim", "host=127.0.0.1 port=geheim"],
)
def test_what_a_variable_holds_is_not_repeated(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setenv("PGURL_HIDDEN", address)
    error = refused("postgres", "env:PGURL_HIDDEN", table="p")
    assert "heim" not in f"{error} {error.hint}"
