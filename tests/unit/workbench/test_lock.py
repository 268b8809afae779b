"""Lock files: what goes missing later is missing, what comes later is not counted, another page is another lock."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamwise.audit import Audit, audit, exit_code
from seamwise.binding import Pack, lock_path, write_lock
from seamwise.errors import FormatError, PackError
from seamwise.workbench import lock_of
from unit.binding.traces import run, saved

PAGE = """
version: 1
streams:
  ledger:
    from:
      - {tool: pay, fields: {customer: arguments.customer, amount: arguments.amount}, ok: {path: result.status, equals: done}}
    key: customer
    route: {by: user, because: "no other way"}
    recording: {by: lock}
contracts:
  cap: {kind: within_total, stream: ledger, limit: 40, each: 20, min_actors: 2, reversals: {none: true, because: final}}
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    saved(tmp_path / "runs" / "a.jsonl", run("r1", "a:pay(c1,20)=done b:pay(c1,15)=done"))
    saved(tmp_path / "runs" / "b.jsonl", run("r2", "a:pay(c2,20)=done b:pay(c1,1)=done"))
    path = tmp_path / "org.yaml"
    path.write_text(PAGE)
    return path


def lock(page: Path) -> None:
    lock_path(page).write_bytes(write_lock(lock_of(page.parent / "runs", Pack.load(page, lock=False))))


def audited(page: Path, jobs: int = 1) -> Audit:
    return audit(page.parent / "runs", Pack.load(page), jobs=jobs)


def statuses(done: Audit) -> dict[str, str]:
    return {r.instance["customer"]: r.status.value for r in done.results}


def test_a_lock_counts(page: Path) -> None:
    lock(page)
    told = json.loads(lock_path(page).read_bytes())
    assert told["streams"]["ledger"]["operations"] == 4
    assert [(f["file"], f["traces"], f["steps"], f["streams"]) for f in told["files"]] == [
        ("runs/a.jsonl", 1, 4, {"ledger": 2}),
        ("runs/b.jsonl", 1, 4, {"ledger": 2}),
    ]
    done = audited(page)
    assert statuses(done) == {"c1": "ruled_out", "c2": "ruled_out"}
    assert {claim.by for r in done.results for claim in r.claims} == {"user", "lock"}
    assert not done.summary.errors
    assert audited(page, jobs=2) == done
    first = lock_path(page).read_bytes()
    lock(page)
    assert lock_path(page).read_bytes() == first


def test_what_went_missing_is_missing_and_not_absent(page: Path) -> None:
    lock(page)
    saved(page.parent / "runs" / "b.jsonl", run("r2", "a:pay(c2,20)=done"))
    done = audited(page)
    assert statuses(done) == {"c1": "unknown", "c2": "ruled_out"}
    (error,) = done.summary.errors
    assert error.message == ("expected 4 operations as locked, got 3: the others are missing, not absent (runs/b.jsonl held 2, holds 1)")
    assert exit_code(done.summary) == 3
    (page.parent / "runs" / "b.jsonl").unlink()
    done = audited(page)
    assert statuses(done) == {"c1": "unknown"}
    assert "runs/b.jsonl held 2, is not there" in done.summary.errors[0].message


def test_what_comes_later_is_not_counted(page: Path) -> None:
    lock(page)
    saved(page.parent / "runs" / "c.jsonl", run("r3", "c:pay(c1,1)=done"))
    done = audited(page)
    assert statuses(done) == {"c1": "unknown", "c2": "unknown"}
    assert "got 5; the lock does not count what came later and is not used (1 file came later)" in done.summary.errors[0].message


def test_as_many_others_are_others(page: Path) -> None:
    lock(page)
    saved(page.parent / "runs" / "b.jsonl", run("r9", "a:pay(c2,20)=done b:pay(c1,1)=done"))
    done = audited(page)
    assert statuses(done) == {"c1": "unknown", "c2": "unknown"}
    assert "got as many others" in done.summary.errors[0].message


def test_another_page_is_another_lock(page: Path) -> None:
    lock(page)
    page.write_text("# a comment\n" + PAGE.replace("limit: 40", "limit: 35"))
    assert statuses(audited(page)) == {"c1": "supported", "c2": "ruled_out"}  # a contract counts nothing
    page.write_text(PAGE.replace("arguments.customer", "arguments.cust"))
    with pytest.raises(PackError, match="the page was changed since") as caught:
        Pack.load(page)
    assert str(caught.value.where).endswith("org.lock.json")
    assert "lock again: seamwise bind org.yaml PATH... --lock" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "expected a lock file, as a stream says `recording: {by: lock}`, got none"),
        (b"nonsense", "expected a lock file, got something else"),
        (b"{}", "expected a lock file, got something else"),
        (b'{"lock_version": 2, "page": "", "streams": {}, "files": []}', "expected version 1 of the lock file, got `2`"),
        (b'{"lock_version": 1, "page": "", "streams": {}, "files": [], "more": 1}', "expected a lock file, got something else"),
    ],
)
def test_locks_that_are_none(page: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        lock_path(page).write_bytes(content)
    with pytest.raises(PackError) as caught:
        Pack.load(page)
    assert caught.value.message.startswith(message)
    assert "--lock" in str(caught.value.hint)


def test_without_its_lock_a_stream_is_not_counted(page: Path) -> None:
    done = audit(page.parent / "runs", Pack.load(page, lock=False))
    assert statuses(done) == {"c1": "unknown", "c2": "unknown"}
    assert "nothing is known of its completeness" in done.summary.errors[0].message


def test_a_lock_is_not_read_where_nobody_asks_for_it(page: Path) -> None:
    lock_path(page).write_bytes(b"nonsense")
    page.write_text(PAGE.replace("{by: lock}", "{by: user, because: all}"))
    assert statuses(audited(page)) == {"c1": "ruled_out", "c2": "ruled_out"}


def test_damaged_recordings_are_not_locked(page: Path) -> None:
    with (page.parent / "runs" / "a.jsonl").open("ab") as file:
        file.write(b'{"id": "torn\n')
    with pytest.raises(FormatError, match="expected recordings that can be read whole"):
        lock(page)


def test_a_count_and_a_lock_are_one_too_many() -> None:
    with pytest.raises(PackError, match="expected no `count`, as the lock file holds it, got one"):
        Pack(streams={"s": {"from": [{"tool": "pay"}], "recording": {"by": "lock", "count": 3}}})
