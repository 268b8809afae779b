"""Postgres as a system of record, against a real server that the test starts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Pack, audit
from seamwise.errors import FormatError, SeamwiseError
from seamwise.sources import open_table
from slow.postgres import binaries, server
from unit.binding.traces import CAP, run, saved

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'seamwise[postgres]')")
    found = binaries()
    if found is None:
        pytest.skip("no Postgres server is installed (`make test-postgres` brings one)")
    # a socket's path may be no longer than a hundred characters
    with tempfile.TemporaryDirectory(prefix="sw-pg-") as folder:
        Path(folder).chmod(0o755)
        with server(Path(folder) / "s", found) as place:
            yield place


@pytest.fixture(scope="module", autouse=True)
def payments(address: str) -> None:
    import psycopg

    with psycopg.connect(address) as connection:
        connection.execute(
            "create table payments (id text, customer text, amount numeric(12, 2), by text, at timestamptz, day date, note jsonb,"
            " raw bytea)"
        )
        connection.execute(
            "insert into payments values ('p2', 'c1', 15, 'b', '2026-01-06 10:00+02', '2026-01-06', '{\"a\": [1, null]}', null),"
            " ('p1', 'c1', 20.00, 'a', '2026-01-05 10:00+00', null, null, '\\x01ff'),"
            " ('p3', 'c1', 10.10, 'c', '2026-01-07 10:00+00', null, null, null),"
            " ('p4', 'c2', 'NaN', null, null, null, null, null)"
        )
        connection.execute("create sequence numbers")
        connection.execute("create schema books")
        connection.execute("create table books.entries (n int)")


def rows(address: str, **more: Any) -> list[dict[str, Any]]:
    with open_table("postgres", address, **more) as table:
        return [row.cells for row in table.rows]


def test_exact_values_in_a_settled_order(address: str) -> None:
    found = rows(address, table="payments")
    assert {row["id"]: row["amount"] for row in found} == {"p1": "20.00", "p2": "15.00", "p3": "10.10", "p4": "NaN"}
    second = next(row for row in found if row["id"] == "p2")
    assert (second["day"], second["note"]) == ("2026-01-06", {"a": [1, None]})
    assert second["at"].startswith("2026-01-06T")
    assert next(row for row in found if row["id"] == "p1")["raw"] == "0x01ff"
    assert [row["id"] for row in rows(address, query="select id from payments order by id desc;")] == ["p4", "p3", "p2", "p1"]
    assert rows(address, table="payments") == found
    assert rows(address, table="books.entries") == []


def test_it_is_only_read(address: str) -> None:
    for query in ("delete from payments returning *", "insert into payments (id) values ('x') returning id", "drop table payments"):
        with pytest.raises(FormatError, match="expected a query that can be answered"):
            rows(address, query=query)
    with pytest.raises(FormatError, match="read-only transaction"):
        rows(address, query="select nextval('numbers')")
    assert len(rows(address, table="payments")) == 4


def test_mistakes_are_told_with_what_was_meant(address: str) -> None:
    def refused(**more: Any) -> SeamwiseError:
        with pytest.raises(SeamwiseError) as caught:
            rows(address, **more)
        return caught.value

    assert refused(table="paymnts").hint == "did you mean `payments`?"
    assert refused(table="entries").hint == "did you mean `books.entries`?"
    assert 'column "nothing" does not exist' in refused(query="select nothing from payments").message
    assert "syntax error" in refused(query="selct 1").message
    assert "got `id` again" in refused(query="select id, id from payments").message


def test_an_audit_reads_it_by_an_environment_variable(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGURL_OF_TESTS", address)
    rule = {
        "postgres": "env:PGURL_OF_TESTS",
        "table": "payments",
        "when": {"path": "customer", "equals": "c1"},
        "fields": {"customer": "customer", "amount": {"path": "amount", "unit": "USD"}},
        "actor": "by",
        "time": "at",
    }
    ledger = {"from": [rule], "key": "customer", "route": {"because": "all payments are booked"}}
    cap = {**CAP, "limit": "40 USD", "per": ["customer", "quarter"], "reversals": {"none": True, "because": "final"}}
    pack = Pack(streams={"ledger": ledger}, contracts={"cap": cap}, base=tmp_path)
    done = audit(saved(tmp_path / "runs.jsonl", run("r1", "a>b:hello")), pack)
    (result,) = done.results
    assert (result.status.value, result.instance) == ("supported", {"customer": "c1", "quarter": "2026-Q1"})
    assert done.summary.tables[0].tables == ({"table": "payments", "place": "Postgres", "rows": 4},)
    assert address not in repr(done)
