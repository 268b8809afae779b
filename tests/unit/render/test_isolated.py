"""A verdict that is clear of what its contract asks may still show a violation by somebody alone: no layout hides it."""

from __future__ import annotations

import msgspec
import pytest

from seamwise.audit import NoteRef, Result
from seamwise.render.audit_markdown import audit_markdown
from seamwise.render.audit_text import audit_text
from seamwise.render.html import audit_html
from unit.render.sample import ruled_out, summary
from unit.render.test_audit_html import data_of


def apart(customer: str, *words: str) -> Result:
    result = ruled_out(customer)
    marked = tuple(msgspec.structs.replace(step, marks=("isolated_violation",)) for step in result.witness or ())
    notes = tuple(NoteRef(code="isolated_violation", words=said, steps=marked) for said in words)
    return msgspec.structs.replace(result, witness=marked, notes=notes)


TWO = [
    ruled_out("c8"),
    apart("c9", "support exceeded its own limit: 25.00 of 20"),
    apart("c12", "billing alone crossed the limit: 45 of 40"),
]
TOLD = (
    "2 of them with an isolated violation: customer c9, 2026-Q1: support exceeded its own limit: 25.00 of 20; "
    "customer c12, 2026-Q1: billing alone crossed the limit: 45 of 40"
)


def test_a_group_counts_and_names_them() -> None:
    text = audit_text(summary(), TWO, width=400)
    assert "ruled out  quarterly-cap  3 customers, 2026-Q1\n  c8, c9, c12\n  " + TOLD in text
    assert f"\n{TOLD}\n" in audit_markdown(summary(), TWO)


def test_one_verdict_names_its_own() -> None:
    text = audit_text(summary(), [apart("c9", "x exceeded its own limit: 25.00 of 20")], width=200)
    assert "\n  with an isolated violation: x exceeded its own limit: 25.00 of 20\n" in text
    assert "with 2 isolated violations: x; y" in audit_text(summary(), [apart("c9", "x", "y")], width=200)


def test_of_many_three_are_named() -> None:
    many = [apart(f"c{n}", f"w{n}") for n in range(5)]
    text = audit_text(summary(), many, width=400)
    assert (
        "5 of them with an isolated violation: customer c0, 2026-Q1: w0; customer c1, 2026-Q1: w1; customer c2, 2026-Q1: w2; and 2 more"
        in text
    )


@pytest.mark.parametrize("layout", [audit_text, audit_markdown])
def test_where_there_is_none_nothing_is_said(layout: object) -> None:
    assert callable(layout)
    assert "isolated" not in layout(summary(), [ruled_out("c8"), ruled_out("c9")])


def test_the_page_has_them_and_bears_no_tick_over_them() -> None:
    page = audit_html(summary(), TWO)
    assert [v.get("isolated") for v in data_of(page)["verdicts"]] == [
        None,
        ["support exceeded its own limit: 25.00 of 20"],
        ["billing alone crossed the limit: 45 of 40"],
    ]
    assert 'v.status === "ruled_out" && v.isolated ? "!"' in page
