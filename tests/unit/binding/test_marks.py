"""What is left of a masked or cut value is no value: it was not recorded, and two that read alike may have been two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from seamwise.audit import Pack, audit
from seamwise.cli._main import run as seamwise
from seamwise.kernel import Record
from seamwise.record import is_whole
from unit.binding.test_binder import bound
from unit.binding.traces import LEDGER, run, saved

MARKS = ("[masked service key]", "[REDACTED]", "<redacted>", "__REDACTED__", "***", "c1...[truncated 9 chars]", "c1(12 chars omitted)")
SURE = {"by": "user", "because": "the desk logs every call"}
CAP = {
    "kind": "within_total",
    "stream": "ledger",
    "per": ["customer"],
    "limit": 40,
    "each": 20,
    "min_actors": 2,
    "reversals": {"none": True, **SURE},
}
TWO_KEYS = ("sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x", "sk-proj-zZ3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW4y")


def ledger(story: str, **more: Any) -> list[Record]:
    return bound(run("r1", story), {"ledger": {**LEDGER, **more}})["ledger"]


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_is_told_from_a_value(mark: str) -> None:
    assert not is_whole(mark)
    assert not is_whole((1, {"a": [mark]}))


@pytest.mark.parametrize("value", ["c1", "C-0017", "a (b)", "**bold**", "v1.2...", "policy_check", 7, True, ("a", "b"), {"a": 1}])
def test_a_value_is_whole(value: Any) -> None:
    assert is_whole(value)


@pytest.mark.parametrize("mark", ["[REDACTED]", "***", "<redacted>"])
def test_a_masked_key_is_no_key(mark: str) -> None:
    found = ledger(f"support:pay({mark},20)=done billing:pay({mark},15)=done ann:pay(c2,5)=done")
    assert [(r.fields.get("customer"), r.fields["amount"]) for r in found] == [(None, 20), (None, 15), ("c2", 5)]
    assert [r.streams for r in found] == [("ledger",), ("ledger",), ("ledger/c2",)] or found[0].streams != found[2].streams


def test_a_masked_actor_is_nobody_that_was_recorded() -> None:
    (record,) = ledger("[REDACTED]:pay(c1,20)=done")
    assert "actor" not in record.fields


@pytest.mark.parametrize("ok", [{"path": "result.status", "equals": "done"}, {"path": "result.status", "match": "^done$"}])
@pytest.mark.parametrize(("result", "status"), [("done", "ok"), ("refused", "failed"), ("[REDACTED]", None)])
def test_a_masked_answer_does_not_say_that_it_failed(ok: dict[str, Any], result: str, status: str | None) -> None:
    tool = {"tool": "pay", "fields": {"customer": "arguments.customer"}, "ok": ok}
    (record,) = bound(run("r1", f"support:pay(c1,20)={result}"), {"ledger": {"from": [tool], "key": "customer"}})["ledger"]
    told = record.fields.get("status")
    assert told == status if status else told not in ("ok", "failed")


def test_a_message_says_where_it_was_masked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "a.jsonl", run("r1", "support:pay([REDACTED],20)=done"))
    seamwise(["audit", path, "--org", written(tmp_path)])
    told = " ".join(capsys.readouterr().out.split())
    assert "expected a value that was neither masked nor cut, got `[REDACTED]` - at trace r1 #2" in told


def test_what_was_shown_masked_decides_nothing_that_its_original_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = TWO_KEYS
    path = saved(tmp_path / "a.jsonl", run("r1", f"support:pay({first},20)=done billing:pay({second},15)=done ann:pay({second},15)=done"))
    page = Pack.load(written(tmp_path))
    assert [str(r.status) for r in audit([path], page).results] == ["ruled_out", "ruled_out"]
    shown = tmp_path / "shown.jsonl"
    assert seamwise(["show", path, "--json"]) == 0
    shown.write_text(capsys.readouterr().out)
    calls = [step for step in map(json.loads, shown.read_text().splitlines()) if step.get("kind") == "tool_call"]
    assert [step["data"]["arguments"]["customer"] for step in calls] == ["[masked service key]"] * 3
    assert [r for r in audit([shown], page).results if r.status != "unknown"] == []


def written(folder: Path) -> str:
    """The page of a ledger under a cap of 40, every claim stated."""
    page = {"version": 1, "streams": {"ledger": LEDGER}, "contracts": {"cap": CAP}}
    (folder / "org.yaml").write_text(yaml.safe_dump(page, sort_keys=False))
    return str(folder / "org.yaml")
