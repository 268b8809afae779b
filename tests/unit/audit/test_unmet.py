"""What a page asks for and no recording has: rules that take nothing, successes that no result tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Audit, Pack, Pictured, audit
from seamwise.render.audit_text import audit_text
from seamwise.workbench import preview
from unit.binding.traces import CAP, LEDGER, run, saved

FIELDS = {"customer": "arguments.customer", "amount": "arguments.amount"}


def rule(tool: str, **ok: Any) -> dict[str, Any]:
    return {"tool": tool, "fields": FIELDS, **({"ok": ok} if ok else {})}


def pack_of(*rules: dict[str, Any]) -> Pack:
    return Pack(streams={"ledger": {**LEDGER, "from": list(rules)}}, contracts={"cap": CAP})


def judged(tmp_path: Path, *rules: dict[str, Any], jobs: int = 1) -> Audit:
    first = saved(tmp_path / "r1.jsonl", run("r1", "a:pay(c1,15)=done b:pay(c1,5)=sold_out"))
    second = saved(tmp_path / "r2.jsonl", run("r2", "a:check(x,1)=passed a:pay(c2,5)=held"))
    found = audit([first, second], pack_of(*rules), jobs=jobs)
    assert isinstance(found, (Audit, Pictured))
    return found


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_misspelt_tool_among_rules_that_take_something_is_told(tmp_path: Path, jobs: int) -> None:
    found = judged(tmp_path, rule("pay"), rule("chekc"), rule("wire_abroad"), jobs=jobs)
    said = [words.partition(", stream ")[2] for words in found.summary.remarks]
    assert said == ["`ledger`: tool chekc takes nothing; did you mean `check`?", "`ledger`: tool wire_abroad takes nothing"]
    assert "! " + found.summary.remarks[0][:20] in audit_text(found.summary, found.results, width=200)


def test_a_rule_is_told_of_no_file_alone(tmp_path: Path) -> None:
    assert judged(tmp_path, rule("pay"), rule("check")).summary.remarks == ()


def test_a_stream_without_a_record_says_so_once_and_what_was_meant(tmp_path: Path) -> None:
    found = judged(tmp_path, rule("paay"), rule("wire_abroad"))
    assert [words.partition(", stream ")[2] for words in found.summary.remarks] == [
        "`ledger`: tool paay takes nothing; did you mean `pay`?"
    ]
    shown = audit_text(found.summary, found.results, width=200)
    assert "stream `ledger`: no step of these recordings matches its rules" in shown


def test_conditions_that_hold_of_no_step(tmp_path: Path) -> None:
    found = judged(tmp_path, rule("pay"), {**rule("check"), "agent": "nobody"})
    assert found.summary.remarks[0].endswith("tool check takes nothing; its other conditions hold of no step")


@pytest.mark.parametrize(
    ("ok", "asks"),
    [
        ({"path": "result.status", "equals": "Done"}, "`result.status` = `Done`"),
        ({"path": "result.status", "in": ["Done", True]}, "`result.status` = `Done` or `true`"),
    ],
)
def test_a_success_that_no_result_tells(tmp_path: Path, ok: dict[str, Any], asks: str) -> None:
    pack = pack_of(rule("pay", **ok))
    found = judged(tmp_path, rule("pay", **ok))
    (said,) = found.summary.binding["ledger"]["no_success"]
    assert said.partition(": ")[2] == f"no result has {asks}; seen: done, sold_out, held"
    assert f"no result has {asks}; seen: done, sold_out, held" in audit_text(found.summary, found.results, width=200)
    (stream,) = preview([str(tmp_path)], pack).streams
    assert stream.no_success == (said,)


def test_one_success_is_enough_and_few_of_many_values_are_told(tmp_path: Path) -> None:
    found = judged(tmp_path, rule("pay", path="result.status", equals="held"))
    assert "no_success" not in found.summary.binding["ledger"]
    story = " ".join(f"a:pay(c1,1)=w{n}" for n in range(9))
    many = audit(saved(tmp_path / "many.jsonl", run("r3", story)), pack_of(rule("pay", path="result.status", equals="no")))
    assert many.summary.binding["ledger"]["no_success"][0].endswith("seen: w0, w1, w2 ...")
