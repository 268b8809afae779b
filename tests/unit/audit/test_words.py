"""What an audit asks for is named with the place in org.yaml that would say it; one cause is told once."""

from __future__ import annotations

from pathlib import Path

import pytest

import seamwise
from seamwise.audit import Pack, audit, gap_plan
from seamwise.kernel import Status, judge
from seamwise.testing import Case, load_cases
from unit.binding.traces import CAP, LEDGER, run, saved

CASES = Path(seamwise.__file__).parent / "kinds" / "delivered" / "cases.yaml"
OPEN = {name: value for name, value in LEDGER.items() if name not in ("route", "recording")}


def test_a_gap_names_the_key_that_fills_it(tmp_path: Path) -> None:
    pack = Pack(streams={"ledger": OPEN}, contracts={"cap": CAP})
    (result,) = audit(saved(tmp_path / "r.jsonl", run("r1", "a:pay(c1,15)=done")), pack).results
    needs = " / ".join(need for gap in result.gaps for need in gap.needs)
    assert "a recording claim, or the system's own table -> org.yaml: streams.ledger.recording" in needs
    assert "a route claim -> org.yaml: streams.ledger.route" in needs


def test_an_unreadable_recording_is_one_problem(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("no recording at all\n")
    pack = Pack(streams={"ledger": LEDGER, "other": LEDGER}, contracts={"cap": CAP})
    assert [e.message[:24] for e in audit(tmp_path, pack).summary.errors] == ["no importer recognises t"]


def test_a_damaged_recording_is_one_problem_for_all_claims(tmp_path: Path) -> None:
    path = Path(saved(tmp_path / "r.jsonl", run("r1", "a:pay(c1,15)=done")))
    path.write_bytes(path.read_bytes() + b"garbage\n")
    pack = Pack(streams={"ledger": LEDGER, "other": LEDGER}, contracts={"cap": CAP})
    (problem,) = audit(tmp_path, pack).summary.errors
    assert "`streams.ledger.recording` and `streams.other.recording` cannot be used" in problem.message


def test_delivered_has_a_headline() -> None:
    said = set()
    for case in load_cases(CASES):
        assert isinstance(case, Case)
        verdict = judge(case.kind, case.params, case.evidence)
        said.update(note.words for note in verdict.notes if note.code == "headline")
    assert any("decided without `" in words and "had produced" in words for words in said)
    assert any("in its input" in words for words in said)


@pytest.mark.parametrize("kind", ["admitted", "carried_out", "state_kept"])
def test_what_is_supported_has_a_headline(kind: str) -> None:
    lacking = []
    for case in load_cases(CASES.parents[1] / kind / "cases.yaml"):
        assert isinstance(case, Case)
        verdict = judge(case.kind, case.params, case.evidence)
        if verdict.status is Status.SUPPORTED and not any(note.code == "headline" and note.words for note in verdict.notes):
            lacking.append(case.name)
    assert lacking == []


def test_an_amount_of_another_currency_is_not_asked_for_as_if_it_were_missing(tmp_path: Path) -> None:
    rules = [{**rule, "fields": {**rule["fields"], "amount": {"path": "arguments.amount", "unit": "USD"}}} for rule in LEDGER["from"]]
    other = {"tool": "other", "fields": {"customer": "arguments.customer", "amount": {"path": "arguments.amount", "unit": "EUR"}}}
    pack = Pack(streams={"ledger": {**LEDGER, "from": [*rules, other]}}, contracts={"cap": {**CAP, "limit": "40 EUR"}})
    done = audit(saved(tmp_path / "r.jsonl", run("r1", "a:pay(c1,15)=done b:pay(c1,15)=done c:pay(c1,15)=done")), pack)
    (result,) = done.results
    needs = " / ".join(need for gap in result.gaps for need in gap.needs)
    assert "the worth in EUR of trace r1 #" in needs
    assert "whose recorded amount is in another currency or none" in needs
    assert "the amount of" not in needs
    changes = [words for change in gap_plan(done.summary, done.results).changes for words in change.words]
    assert "record what `pay` is worth in EUR, the currency of the limit; nothing is converted" in changes
