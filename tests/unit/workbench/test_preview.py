"""The preview: what a page binds, what it does not, and nothing judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from seamwise.binding import Pack
from seamwise.render.preview_text import preview_text
from seamwise.workbench import Preview, preview
from unit.binding.traces import LEDGER, SIGNING, run, saved


def shown(folder: Path, *stories: str, **pack: Any) -> Preview:
    path = saved(folder / "runs.jsonl", *(run(f"r{n}", story) for n, story in enumerate(stories, 1)))
    return preview(path, Pack(**pack, base=folder))


def test_rows_coverage_keys_and_outcomes(tmp_path: Path) -> None:
    seen = shown(
        tmp_path,
        "a:pay(c1,20)=done a:pay(c1,lots)=done b:pay(?,5)=error b:pay(c2,7)",
        "a:check(k1,1)=passed b>a:hello",
        streams={"ledger": LEDGER},
    )
    (ledger,) = seen.streams
    assert (ledger.n, ledger.traces, ledger.keys, ledger.without_key) == (4, 1, 2, 1)
    assert ledger.outcomes == {"ok": 2, "failed": 1, "open": 1}
    assert ledger.kinds == {"tool_result": 3, "tool_call": 1}
    assert ledger.order == {"sequence": 4}
    fields = {field.name: field for field in ledger.fields}
    assert list(fields)[:2] == ["customer", "amount"]
    assert (fields["customer"].n, fields["customer"].missing, fields["customer"].first_missing) == (3, 1, "trace r1 #6")
    amount = fields["amount"]
    assert (amount.n, amount.unparsed, amount.types, amount.samples) == (3, 1, {"number": 3}, ("20", "5", "7"))
    assert amount.first_unparsed == "<pack> `streams.ledger.from[0].fields.amount`: expected an amount, got `lots` - at trace r1 #4"
    assert [(u.kind, u.tool, u.n) for u in seen.untaken] == [("call", "check", 1), ("message", None, 1)]
    assert (seen.n_traces, seen.n_steps, seen.n_taken) == (2, 10, 7)
    assert ledger.examples[0] == {
        "at": "trace r1 #2",
        "kind": "tool_result",
        "fields": {"actor": "a", "customer": "c1", "amount": "20", "status": "ok"},
    }
    assert len(ledger.examples) == 3
    text = preview_text(seen, width=120)
    assert "does not parse in 1: <pack> `streams.ledger.from[0].fields.amount`: expected an amount, got `lots`" in text
    assert "calls that no rule takes: check 1" in text
    json.loads(msgspec.json.encode(seen))


def test_rules_that_take_nothing_say_what_was_probably_meant(tmp_path: Path) -> None:
    streams = {
        "a": {"from": [{"tool": "pya"}, {"tool": "pay", "when": {"path": "arguments.amount", "equals": 99}}, {"tool": "zzz"}]},
        "b": {"from": [{"kind": "message", "agent": "anne"}, {"kind": "note"}]},
    }
    seen = shown(tmp_path, "ann:pay(c1,20)=done ann>bob:hello", streams=streams)
    assert [(r.selects, r.n, r.hint) for s in seen.streams for r in s.rules] == [
        ("tool pya", 0, "did you mean `pay`?"),
        ("tool pay", 0, "its other conditions hold of no step"),
        ("tool zzz", 0, "no tool `zzz` in these recordings"),
        ("kind message, agent anne", 0, "did you mean `ann`?"),
        ("kind note", 0, "no kind `note` in these recordings"),
    ]
    assert "! <pack> `streams.a.from[0]`: tool pya takes nothing: did you mean `pay`?" in preview_text(seen)


def test_the_first_rule_that_takes_a_step_is_counted_for_it(tmp_path: Path) -> None:
    streams = {"s": {"from": [{"tool": "pay", "when": {"path": "arguments.customer", "equals": "c1"}}, {"tool": "p*"}]}}
    seen = shown(tmp_path, "a:pay(c1,1)=done a:pay(c2,1)=done a:pay(c3,1)", streams=streams)
    assert [rule.n for rule in seen.streams[0].rules] == [1, 2]


def test_secrets_are_masked(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    seen = shown(tmp_path, f"a:pay({secret},{secret})=done", streams={"ledger": LEDGER})
    assert secret not in msgspec.json.encode(seen).decode() + preview_text(seen)
    assert "[masked token]" in preview_text(seen)


def test_tables_are_read_and_compared(tmp_path: Path) -> None:
    (tmp_path / "payments.csv").write_text("ref,customer,amount\np1,c1,20\np2,c9,?\n")
    table = {"table": "payments.csv", "fields": {"customer": "customer", "amount": "amount", "ref": "ref"}}
    calls = {**LEDGER["from"][0], "fields": {**LEDGER["from"][0]["fields"], "ref": "arguments.ref"}}
    seen = shown(
        tmp_path,
        "a:pay(c1,21,p1)=done",
        streams={"ledger": {"from": [table, calls], "key": "customer", "authority": ["table:payments"], "same_as": "ref"}},
    )
    (ledger,) = seen.streams
    assert [(rule.selects, rule.n) for rule in ledger.rules] == [("table payments", 2), ("tool pay", 1)]
    assert ledger.weightless == 1
    assert seen.tables[0].disagreements[0].words == "amount: 20 by the table, 21 by the trace"
    assert [error.message for error in seen.errors] == [
        "expected an amount, got `?` at payments.csv:3; in 1 row `amount` counts as not recorded"
    ]
    assert [example["at"] for example in ledger.examples] == ["trace r1 #2", "payments.csv:2", "payments.csv:3"]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("{nonsense\n")
    (tmp_path / "notes.txt").write_text("hello")
    saved(tmp_path / "runs.jsonl", run("r1", "closer:sign(k1)=signed"))
    seen = preview(tmp_path, Pack(streams=SIGNING))
    assert any(error.where.endswith("broken.jsonl") for error in seen.errors)
    assert [Path(name).name for name in seen.refused] == ["notes.txt"]
    assert {stream.name: stream.n for stream in seen.streams} == {"sign_offs": 1, "checks": 0}


def test_a_page_without_streams(tmp_path: Path) -> None:
    assert "it has no streams" in preview_text(shown(tmp_path, "a>b:hello"))
