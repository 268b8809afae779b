"""The taxonomy is whole: thirteen risks, each with its criteria; neighbours are named in both directions; contracts exist."""

from __future__ import annotations

import json

import pytest

from seamwise.cli import main
from seamwise.errors import UsageError
from seamwise.kinds import kind_names
from seamwise.risks import CRITERIA, MEASUREMENTS, families, risk_named, risks

CODES = "A1 A2 A3 B1 B2 C1 C2 C3 D1 D2 D3 F1 F2".split()


def test_the_thirteen_risks_of_five_families() -> None:
    assert list(risks()) == CODES
    assert {risk.family for risk in risks().values()} == set(families()) == set("ABCDF")
    assert list(MEASUREMENTS) == ["opportunity", "anomaly", "realized", "terminal", "intercepted", "utility"]


@pytest.mark.parametrize("code", CODES)
def test_each_is_told_whole(code: str) -> None:
    risk = risks()[code]
    assert set(risk.criteria) == set(CRITERIA)
    assert not any("none" in words.split() for words in risk.criteria.values())
    assert all(words and words == words.strip() for words in (risk.name, risk.pattern, risk.example, *risk.criteria.values()))
    assert risk.neighbour is None or risk.neighbour.risk in CODES


def test_families_are_told_whole() -> None:
    assert families()["A"].property == "shared limits, equal approval, fair allocation"


def test_pairs_that_border_on_each_other_say_so_on_both_sides() -> None:
    for one, other in (("B2", "C3"), ("C1", "C2"), ("D2", "D3")):
        assert {one, other} == {risks()[other].neighbour.risk, risks()[one].neighbour.risk}  # type: ignore[union-attr]


def test_contracts_are_kinds() -> None:
    named = {risk.contract for risk in risks().values()} | {d.contract for risk in risks().values() for d in risk.dimensions.values()}
    named |= {risk.anomaly for risk in risks().values()}
    assert named - {None} <= set(kind_names()), "no risk promises a kind that is not there"


def test_a_dimension_finds_its_risk_and_a_slip_gets_a_hint() -> None:
    assert risk_named("c1b").code == "C1"
    for wrong in ("A4", "C1d", "A1a", ""):
        with pytest.raises(UsageError):
            risk_named(wrong)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["risks"], ["risks", "D1"], ["risks", "--json"]):
        with pytest.raises(SystemExit) as ended:
            main(args)
        assert not ended.value.code
        out = capsys.readouterr().out
        if args[-1] == "--json":
            assert [risk["code"] for risk in json.loads(out)] == CODES
        else:
            assert "within_scope" in out
