"""A reversal names what it takes back as its system does: by step, call or reference. A name that nobody answers to decides nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Pack, audit
from seamwise.record import Claim, Header, Step, Trace, write_traces

PAGE: dict[str, Any] = {
    "streams": {
        "ledger": {
            "from": [
                {
                    "kind": "receipt",
                    "fields": {"customer": "data.customer", "amount": {"path": "data.amount", "unit": "USD"}, "ref": "data.ref"},
                },
                {
                    "kind": "reversal",
                    "fields": {"customer": "data.customer", "amount": {"path": "data.amount", "unit": "USD"}, "reverses": "data.of"},
                },
            ],
            "key": "customer",
            "route": {"by": "user", "because": "there is no other way"},
        }
    },
    "contracts": {
        "cap": {"kind": "within_total", "stream": "ledger", "per": "customer", "across": "trace", "limit": "40 USD", "each": "20 USD"}
    },
}


def desk(of: Any, *, amount: str | None = "20", refs: tuple[str, ...] = ("r1", "r2", "r3"), count: int = 4) -> Trace:
    """Two credits, one taken back, and one more: forty stand if the reversal is of one of the first two."""

    def step(number: int, kind: str, **data: Any) -> Step:
        call = f"k{number}" if kind == "receipt" else None
        return Step(
            id=f"s{number}",
            kind=kind,
            actor=f"a{number}",
            call=call,
            status="ok",
            seq=number,
            data={"customer": "c", **data},
            streams=("ledger",),
        )

    back = {"of": of} if amount is None else {"of": of, "amount": amount}
    steps = (
        step(1, "receipt", amount="20", ref=refs[0]),
        step(2, "receipt", amount="20", ref=refs[1]),
        step(3, "reversal", **back),
        step(4, "receipt", amount="20", ref=refs[2]),
    )
    claim = Claim(sort="recording", stream="ledger", count=count)
    return Trace(header=Header(id="t#1", claims=(claim,)), steps=steps)


def verdict(tmp_path: Path, trace: Trace) -> str:
    write_traces(tmp_path / "t.jsonl", [trace])
    return next(iter(audit(tmp_path / "t.jsonl", Pack(**PAGE)).results)).status


@pytest.mark.parametrize("of", ["s1", "k1", "r1", "r2"])
@pytest.mark.parametrize("amount", ["20", "-20"])
def test_what_is_named_is_taken_back(tmp_path: Path, of: str, amount: str) -> None:
    assert verdict(tmp_path, desk(of, amount=amount)) == "ruled_out"


def test_a_number_names_as_its_text_does(tmp_path: Path) -> None:
    assert verdict(tmp_path, desk(7, refs=("7", "8", "9"))) == "ruled_out"


@pytest.mark.parametrize("amount", ["20", None])
def test_a_name_that_nobody_answers_to_decides_nothing(tmp_path: Path, amount: str | None) -> None:
    assert verdict(tmp_path, desk("somebody", amount=amount)) == "unknown"


def test_a_name_that_two_answer_to_decides_nothing(tmp_path: Path) -> None:
    assert verdict(tmp_path, desk("r1", refs=("r1", "r3", "r1"))) in {"unknown", "measurement_invalid"}


def test_a_later_credit_taken_back_first_is_a_broken_record(tmp_path: Path) -> None:
    assert verdict(tmp_path, desk("r3")) == "measurement_invalid"


@pytest.mark.parametrize("of", ["[REDACTED]", "***", ["r1"], {"row": 1}, "", True])
@pytest.mark.parametrize("amount", ["20", "-20"])
def test_a_name_that_cannot_be_read_takes_back_all_the_same(tmp_path: Path, of: Any, amount: str) -> None:
    assert verdict(tmp_path, desk(of, amount=amount)) == "unknown"


def test_a_reversal_without_any_name_says_so_by_its_amount(tmp_path: Path) -> None:
    assert verdict(tmp_path, desk(None, amount="-20")) == "unknown"
