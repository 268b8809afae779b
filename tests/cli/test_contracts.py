"""``seamwise contracts``: kinds listed, one explained."""

from __future__ import annotations

import json

import pytest

from seamwise.cli._main import run
from seamwise.kinds import kind_names


def test_each_kind_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["contracts"]) == 0
    begun = [line.split()[0] for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert begun == kind_names()


def test_a_kind_is_explained(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["contracts", "within_total"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# within_total")
    assert "kept when        At every moment the standing sum" in text
    assert "  limit (amount; required)\n      The standing sum may reach this and not exceed it." in text
    assert "    kind: within_total" in text
    assert "vouchers/at-the-limit: 90 of 90 is within it" in text
    assert "\x1b" not in text
    told = text[text.index("kept when") :]  # above it stands the explanation as it is written
    assert all(len(line) <= 100 for line in told.splitlines() if line.startswith(("  ", "kept", "decided")))


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["contracts", "within_total", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["name"] == "within_total"
    assert {k: v for k, v in facts["parameters"][2].items() if k != "doc"} == {
        "name": "min_actors",
        "type": "whole number",
        "required": False,
        "default": 1,
    }
    assert run(["contracts", "--json"]) == 0
    assert [k["name"] for k in json.loads(capsys.readouterr().out)] == kind_names()


def test_on_a_terminal_it_has_colours_unless_told_not_to(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert run(["contracts", "within_total", "--no-color"]) == 0
    assert "\x1b" not in capsys.readouterr().out
