"""Systems of record in an audit: they count, they are compared with the traces, and nothing counts twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from seamwise.audit import Audit, Pack, audit, exit_code
from seamwise.errors import FormatError, PackError
from seamwise.record import Step, Trace
from seamwise.render.audit_text import audit_text
from unit.binding.traces import CAP, CHECKED, LEDGER, SIGNING, run, saved

HEADER = "ref,customer,amount,by,at\n"
TABLE: dict[str, Any] = {
    "table": "payments.csv",
    "fields": {"customer": "customer", "amount": "amount", "ref": "ref"},
    "actor": "by",
    "time": "at",
}
CALLS = {**LEDGER["from"][0], "fields": {**LEDGER["from"][0]["fields"], "ref": "arguments.ref"}}
NAMED = {"from": [TABLE, CALLS], "key": "customer", "route": LEDGER["route"], "same_as": "ref"}
TRUSTED = {**NAMED, "authority": ["table:payments"]}
FINAL = {**CAP, "reversals": {"none": True, "because": "final"}}


def row(ref: str, customer: str, amount: object, by: str = "a", at: str = "2026-01-05T00:00:00Z") -> str:
    return f"{ref},{customer},{amount},{by},{at}\n"


def judged(folder: Path, rows: str, *traces: Trace, ledger: dict[str, Any] = NAMED, cap: dict[str, Any] = FINAL, **more: Any) -> Audit:
    (folder / "payments.csv").write_text(HEADER + rows)
    path = saved(folder / "runs.jsonl", *(traces or (run("nothing", "a>b:hello"),)))
    return audit(path, Pack(streams={"ledger": ledger}, contracts={"cap": cap}, base=folder), **more)


def statuses(done: Audit) -> dict[str, str]:
    return {r.instance["customer"]: r.status.value for r in done.results}


def told(done: Audit) -> dict[str, Any]:
    (one,) = done.summary.tables
    return {name: value for name, value in msgspec.to_builtins(one).items() if name not in ("disagreements", "tables", "stream", "same_as")}


def test_a_table_alone_decides_by_its_count(tmp_path: Path) -> None:
    done = judged(tmp_path, row("p1", "c1", 20) + row("p2", "c1", 15, "b") + row("p3", "c1", "10.00", "c") + row("p4", "c2", 20))
    assert statuses(done) == {"c1": "supported", "c2": "ruled_out"}
    crossing, clear = done.results
    assert [(s.trace, s.index, s.step, s.actor) for s in crossing.witness or ()] == [
        ("table:payments", 1, "payments.csv:2", "a"),
        ("table:payments", 2, "payments.csv:3", "b"),
        ("table:payments", 3, "payments.csv:4", "c"),
    ]
    claim = next(c for c in clear.claims if c.by == "table:payments")
    assert (claim.words, claim.basis) == ("the one operation of `ledger` for c2 is recorded", "payments.csv holds 4 rows")
    assert exit_code(done.summary) == 1


def test_a_table_that_does_not_hold_all_rules_nothing_out(tmp_path: Path) -> None:
    done = judged(tmp_path, row("p4", "c2", 20), ledger={**NAMED, "from": [{**TABLE, "complete": False}, CALLS]})
    assert statuses(done) == {"c2": "unknown"}
    assert not done.summary.tables[0].complete


@pytest.mark.parametrize("ledger", [NAMED, TRUSTED], ids=["both count", "the table alone counts"])
def test_one_payment_in_a_table_and_in_a_trace_is_one(tmp_path: Path, ledger: dict[str, Any]) -> None:
    rows = row("p1", "c1", 20) + row("p2", "c1", 15, "b")
    done = judged(tmp_path, rows, run("r1", "a:pay(c1,20,p1)=done"), run("r2", "b:pay(c1,15,p2)=done", day=9), ledger=ledger)
    assert statuses(done) == {"c1": "ruled_out"}
    assert told(done) == {"taken": 2, "traced": 2, "matched": 2, "complete": True}


@pytest.mark.parametrize("ledger", [NAMED, TRUSTED], ids=["both count", "the table alone counts"])
def test_what_people_paid_beside_the_agents_counts(tmp_path: Path, ledger: dict[str, Any]) -> None:
    rows = row("p1", "c1", 20) + row("p2", "c1", 15, "b") + row("p3", "c1", 10, "dora")
    done = judged(tmp_path, rows, run("r1", "a:pay(c1,20,p1)=done b:pay(c1,15,p2)=done"), ledger=ledger)
    assert statuses(done) == {"c1": "supported"}
    assert told(done) == {"taken": 3, "traced": 2, "matched": 2, "row_only": 1, "complete": True}
    assert [(d.sort, d.steps[0].step) for d in done.summary.tables[0].disagreements] == [("row_only", "payments.csv:4")]


@pytest.mark.parametrize("ledger", [NAMED, TRUSTED], ids=["both count", "the table alone counts"])
def test_a_table_decides_what_a_call_without_a_result_leaves_open(tmp_path: Path, ledger: dict[str, Any]) -> None:
    traces = run("r1", "a:pay(c1,20,p1)=done b:pay(c1,15,p2)=done"), run("r2", "c:pay(c1,10,p3)")
    rows = row("p1", "c1", 20) + row("p2", "c1", 15, "b")
    alone = audit(saved(tmp_path / "x.jsonl", *traces), Pack(streams={"ledger": LEDGER}, contracts={"cap": FINAL}))
    assert statuses(alone) == {"c1": "unknown"}
    assert statuses(judged(tmp_path, rows, *traces, ledger=ledger)) == {"c1": "ruled_out"}
    assert statuses(judged(tmp_path, rows + row("p3", "c1", 10, "c"), *traces, ledger=ledger)) == {"c1": "supported"}


def test_another_amount_is_a_disagreement_and_never_hidden(tmp_path: Path) -> None:
    rows, trace = row("p1", "c1", 15), run("r1", "a:pay(c1,19,p1)=done")
    both = judged(tmp_path, rows, trace)
    assert [note.words for note in both.results[0].clashes] == ["two records of one operation differ in `amount`: `15` and `19`"]
    trusted = judged(tmp_path, rows, trace, ledger=TRUSTED)
    assert statuses(trusted) == {"c1": "ruled_out"}
    assert not trusted.results[0].clashes
    for done in (both, trusted):
        (said,) = done.summary.tables[0].disagreements
        assert (said.sort, said.words) == ("differs", "amount: 15 by the table, 19 by the trace")
        assert [(s.trace, s.index) for s in said.steps] == [("table:payments", 1), ("r1", 2)]


def test_a_payment_that_failed_by_its_trace_and_stands_in_the_table(tmp_path: Path) -> None:
    done = judged(tmp_path, row("p1", "c1", 15), run("r1", "a:pay(c1,15,p1)=refused"))
    assert done.results[0].clashes
    assert done.summary.tables[0].disagreements[0].words == "status: ok by the table, failed by the trace"


def test_a_traced_payment_without_a_row_refutes_that_the_table_holds_all(tmp_path: Path) -> None:
    rows = row("p1", "c1", 15)
    traces = run("r1", "a:pay(c1,15,p1)=done"), run("r2", "b:pay(c2,15,p2)=done b:pay(c3,1,p9)=refused")
    done = judged(tmp_path, rows, *traces)
    assert statuses(done) == {"c1": "unknown", "c2": "unknown", "c3": "unknown"}
    assert told(done) == {"taken": 1, "traced": 3, "matched": 1, "traced_only": 1, "refuted": True}
    trusted = judged(tmp_path, rows, *traces, ledger=TRUSTED)
    assert statuses(trusted) == {"c1": "ruled_out"}
    assert told(trusted)["traced_only"] == 1
    assert told(trusted)["complete"]


def test_a_traced_payment_whose_name_is_not_recorded_may_be_any_row_and_counts_for_none(tmp_path: Path) -> None:
    rows = row("p1", "c1", 20) + row("p2", "c1", 15, "b")
    done = judged(tmp_path, rows, run("r1", "a:pay(c1,20)=done b:pay(c1,15,p2)=done"))
    assert statuses(done) == {"c1": "ruled_out"}
    assert told(done) == {"taken": 2, "traced": 2, "matched": 1, "row_only": 1, "unnamed": 1, "complete": True}


def test_what_has_no_weight_beside_a_table_says_why(tmp_path: Path) -> None:
    # two of three payments of 15 within 40 are not enough for a verdict, and the table is refuted by p9
    done = judged(tmp_path, row("p1", "c1", 20) + row("p2", "c1", 15, "b"), run("r1", "a:pay(c1,20)=done b:pay(c1,3,p9)=done"))
    (result,) = (r for r in done.results if r.weightless)
    assert {s.marks for s in result.weightless} == {("unnamed",)}
    text = audit_text(done.summary, done.results, width=200)
    assert "without weight beside the table:" in text
    assert "<- the name that `same_as` matches by was not recorded" in text
    assert "their word does not count here" not in text


def test_what_would_complete_a_stream_of_tables_is_what_a_page_takes(tmp_path: Path) -> None:
    rows, traces = row("p1", "c1", 15), run("r1", "a:pay(c1,15,p1)=done b:pay(c1,15,p2)=done")
    refuted = judged(tmp_path, rows, traces)
    partial = judged(tmp_path, rows, traces, ledger={**NAMED, "from": [{**TABLE, "complete": False}, CALLS]})
    for done, words in ((refuted, "the table `payments` with the rows that it lacks"), (partial, "then without `complete: false`")):
        needs = " / ".join(need for r in done.results for gap in r.gaps for need in gap.needs)
        assert words in needs
        assert "streams.ledger.recording" not in needs


def test_without_a_name_keys_are_compared(tmp_path: Path) -> None:
    ledger = {name: value for name, value in TRUSTED.items() if name != "same_as"}
    rows = row("p1", "c1", "20.00") + row("p2", "c2", 15) + row("p3", "c4", 1)
    done = judged(tmp_path, rows, run("r1", "a:pay(c1,20)=done a:pay(c2,10)=done a:pay(c3,5)=done a:pay(c4,1)=done"), ledger=ledger)
    assert [d.words for d in done.summary.tables[0].disagreements] == [
        "customer c2: 1 of 15 in all in the table, 1 of 10 in all in traces",
        "customer c3: none in the table, 1 of 5 in all in traces",
    ]
    assert told(done)["keys"] == 2


def test_the_moment_is_the_tables(tmp_path: Path) -> None:
    cap = {**FINAL, "per": ["customer", "quarter"], "limit": 30}
    rows = (
        row("p1", "c1", 20, at="2026-03-31T23:59:59Z")
        + row("p2", "c1", 15, "b", "2026-04-01T01:30:00+02:00")
        + row("p3", "c1", 15, "c", "2026-04-01")
    )
    done = judged(tmp_path, rows, run("r1", "a:pay(c1,20,p1)=done b:pay(c1,15,p2)=done c:pay(c1,15,p3)=done"), cap=cap)
    assert {r.instance["quarter"]: (r.status.value, len(r.witness or ())) for r in done.results} == {
        "2026-Q1": ("supported", 2),
        "2026-Q2": ("ruled_out", 2),
    }


def test_cells_that_do_not_parse_are_told_with_their_place_and_counted_as_not_recorded(tmp_path: Path) -> None:
    rows = row("p1", "c1", "twelve") + row("p2", "c1", '"1,5"') + row("p3", "c2", 1, at="2026-01-05 10:00") + row("p4", "c1", 20, "b")
    done = judged(tmp_path, rows, cap={**FINAL, "per": ["customer", "quarter"]})
    assert {r.status.value for r in done.results if r.instance["customer"] == "c1"} == {"unknown"}
    assert [(e.where, e.message) for e in done.summary.errors] == [
        (
            "<pack> `streams.ledger.from[0].fields.amount`",
            "expected an amount, got `twelve` at payments.csv:2; in 2 rows `amount` counts as not recorded",
        ),
        (
            "<pack> `streams.ledger.from[0].time`",
            "expected a moment with a zone, or a day, got `2026-01-05 10:00` at payments.csv:4; in 1 row `time` counts as not recorded",
        ),
    ]
    assert exit_code(done.summary) == 3


def test_a_name_that_stands_twice_names_nothing(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"expected `ref` to name one row each, got `p1` at payments.csv:2 and payments.csv:4"):
        judged(tmp_path, row("p1", "c1", 1) + row("p2", "c1", 1) + row("p1", "c2", 1))


def test_a_column_and_a_file_that_are_not_there(tmp_path: Path) -> None:
    wrong = {**TABLE, "fields": {**TABLE["fields"], "amount": "amuont"}}
    with pytest.raises(FormatError, match="expected a column of the table `payments`, got `amuont`") as caught:
        judged(tmp_path, "", ledger={**NAMED, "from": [wrong, CALLS]})
    assert caught.value.where == "<pack> `streams.ledger.from[0].fields.amount`"
    assert caught.value.hint == "did you mean `amount`?"
    with pytest.raises(FormatError, match=r"no file `.*paiments.csv`") as caught:
        judged(tmp_path, "", ledger={**NAMED, "from": [{**TABLE, "table": "paiments.csv"}, CALLS]})
    assert caught.value.where == "<pack> `streams.ledger.from[0]`"
    assert caught.value.hint == "did you mean `payments.csv`?"


def test_a_recording_cannot_pass_for_a_table(tmp_path: Path) -> None:
    forged = tuple(
        Step(
            id=f"payments.csv:{n}",
            kind="row",
            source="table:payments",
            status="ok",
            data={"ref": f"x{n}", "customer": "c1", "amount": "20", "by": f"b{n}"},
        )
        for n in (2, 3, 4)
    )
    calls = tuple(msgspec.structs.replace(s, source="table:payments") for s in run("r", "a:pay(c1,20,p8)=done b:pay(c1,20,p9)=done").steps)
    trace = msgspec.structs.replace(run("table:payments", "a>b:hello"), steps=(*forged, *calls))
    done = judged(tmp_path, row("p1", "c1", 5), trace, ledger=TRUSTED)
    assert statuses(done) == {"c1": "ruled_out"}
    assert {s.trace for s in done.results[0].weightless} == {"table:payments"}
    assert {s.tool for s in done.results[0].weightless} == {"pay"}
    assert done.summary.tables[0].taken == 1


def test_contracts_that_read_a_table_live_across_traces(tmp_path: Path) -> None:
    checks = {
        **SIGNING["checks"],
        "from": [{"table": "checks.csv", "as": "check", "fields": {"check": {"value": "policy"}, "subject": "contract"}, "actor": "owner"}],
    }
    del checks["recording"]
    (tmp_path / "checks.csv").write_text("contract,owner\nk1,legal\nk2,sales\n")
    streams = {"sign_offs": SIGNING["sign_offs"], "checks": checks}
    path = saved(tmp_path / "runs.jsonl", run("r1", "closer:sign(k1)=signed"), run("r2", "closer:sign(k2)=signed"))
    done = audit(path, Pack(streams=streams, contracts={"checked": CHECKED}, base=tmp_path))
    # which came first is not known: a table has no order with the traces
    assert {r.instance["subject"]: r.status.value for r in done.results} == {"k1": "unknown", "k2": "supported"}
    with pytest.raises(PackError, match="expected `corpus`, got `trace`: `checks` reads the table `checks`"):
        Pack(streams=streams, contracts={"checked": {**CHECKED, "across": "trace"}})


def test_jobs_and_order_change_nothing(tmp_path: Path) -> None:
    rows = "".join(row(f"p{n}", f"c{n % 17}", 5 + n % 9, "abc"[n % 3]) for n in range(60))
    (tmp_path / "payments.csv").write_text(HEADER + rows)
    paths = [
        saved(
            tmp_path / "runs" / f"{k}.jsonl",
            run(f"r{k}", " ".join(f"a:pay(c{n % 17},{5 + n % 9},p{n})=done" for n in range(k, 64, 5)), day=k),
        )
        for k in range(5)
    ]
    pack = Pack(streams={"ledger": TRUSTED}, contracts={"cap": FINAL}, base=tmp_path)
    first = audit(paths, pack)
    assert len({r.status for r in first.results}) > 1
    assert audit(paths[::-1], pack) == first
    assert audit(tmp_path / "runs", pack, jobs=3) == first
    unremembered = {(r.instance["customer"], r.status) for r in audit(paths, pack, prove=False).results}
    assert {(r.instance["customer"], r.status) for r in first.results} == unremembered


def test_a_row_that_does_not_say_whether_it_is_meant_leaves_open_whether_there_are_more(tmp_path: Path) -> None:
    rule = {**TABLE, "when": {"path": "by", "in": ["a", "b"]}}
    rows = row("p1", "c1", 20) + row("p2", "c1", 20, "machine")
    clear = judged(tmp_path, rows, ledger={**NAMED, "from": [rule, CALLS]})
    assert (statuses(clear), clear.summary.errors) == ({"c1": "ruled_out"}, ())
    assert clear.results[0].claims[-1].basis == "payments.csv holds 2 rows, 1 of them taken"
    doubtful = judged(tmp_path, rows + row("p3", "c1", 20, ""), ledger={**NAMED, "from": [rule, CALLS]})
    assert statuses(doubtful) == {"c1": "unknown"}
    assert "got 1 row in which they are empty" in doubtful.summary.errors[0].message
    told_by_ok = judged(
        tmp_path, rows + row("p3", "c1", 20, ""), ledger={**NAMED, "from": [{**TABLE, "ok": {"path": "by", "equals": "a"}}, CALLS]}
    )
    assert statuses(told_by_ok) == {"c1": "ruled_out"}  # 20 and perhaps 20 by one more


def test_two_streams_of_one_table_name_their_operations_each(tmp_path: Path) -> None:
    paid = {**TABLE, "as": "approval"}
    approvals = {**NAMED, "from": [paid, {**CALLS, "as": "approval"}]}
    (tmp_path / "payments.csv").write_text(HEADER + row("p1", "c1", 20) + row("p2", "c2", 5))
    path = saved(tmp_path / "runs.jsonl", run("r1", "a:pay(c1,20,p1)=done b:pay(c2,5,p2)=done"))
    for streams in (
        {"ledger": NAMED, "approvals": approvals},
        {"approvals": approvals, "ledger": NAMED},
        {"ledger": NAMED, "other": NAMED},
    ):
        second = next(name for name in streams if name != "ledger")
        contracts = {"cap": FINAL, "second": {**FINAL, "stream": second}}
        done = audit(path, Pack(streams=streams, contracts=contracts, base=tmp_path))
        assert {(t.stream, t.matched, t.unnamed, t.row_only) for t in done.summary.tables} == {("ledger", 2, 0, 0), (second, 2, 0, 0)}
        assert {r.status.value for r in done.results} == {"ruled_out"}


def test_a_table_that_no_contract_reads_is_not_compared(tmp_path: Path) -> None:
    (tmp_path / "payments.csv").write_text(HEADER + row("p1", "c1", 20))
    path = saved(tmp_path / "runs.jsonl", run("r1", "a:pay(c1,20,p1)=done closer:sign(k1)=signed"))
    done = audit(path, Pack(streams={"ledger": NAMED, **SIGNING}, contracts={"checked": CHECKED}, base=tmp_path))
    assert done.summary.tables == ()
    assert [r.status.value for r in done.results] == ["supported"]


def test_a_whole_number_with_a_point_is_the_same_key(tmp_path: Path) -> None:
    import sqlite3

    connection = sqlite3.connect(tmp_path / "p.db")
    connection.execute("create table payments(ref, customer, amount, by, at)")
    rows = [("p1", 17, 15, "a"), ("p2", 17.0, 15, "b"), ("p3", "17", 15, "c")]
    connection.executemany("insert into payments values(?, ?, ?, ?, '2026-01-05')", rows)
    connection.commit()
    connection.close()
    table = {"sqlite": "p.db", **TABLE, "table": "payments"}
    path = saved(tmp_path / "runs.jsonl", run("nothing", "a>b:hello"))
    ledger = {"from": [table], "key": "customer", "route": LEDGER["route"]}
    done = audit(path, Pack(streams={"ledger": ledger}, contracts={"cap": FINAL}, base=tmp_path))
    assert statuses(done) == {"17": "supported"}
