"""The audit as Markdown: its decisive lines, and that recorded text is no markup."""

from __future__ import annotations

import re

import msgspec
import pytest
from markdown_it import MarkdownIt

from seamwise.render.audit_markdown import audit_markdown, html, md
from unit.render.sample import PAID, results, summary, supported, unknown
from unit.render.test_audit_text import HOSTILE


def test_the_story_is_a_table_and_gaps_are_a_checklist() -> None:
    text = audit_markdown(summary(), results())
    assert "## SUPPORTED: quarterly-cap, customer c17, 2026-Q1\n\n**65.00 of 40.00 by 5 agents, each within 20.00**" in text
    assert '| `f38b2ffc #12` | 2026-01-09 10:12 | support | issue_credit | 15.00 | "goodwill for the outage" |' in text
    assert "**← crosses the cap: 45.00 of 40.00**" in text
    assert 'Leaning on your statement "a credit cannot be taken back" (on the records alone: unknown)' in text
    assert "- [ ] the payments table for 2026-Q1 (can decide it, depending on what it says)" in text
    assert "<details><summary><b>quarterly-cap</b>, 5 customers, 2026-Q1: leaning on your claim" in text
    assert "> [!WARNING]" in text


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x>",
        "[a](b)",
        "`x`",
        "# x",
        "- x",
        "1. x",
        "> x",
        "***x***",
        "~~x~~",
        "a | b",
        "---",
        "===",
        "![a](b)",
        "\\",
        "&amp;",
        "_x_",
    ],
)
def test_recorded_text_is_no_markup(text: str) -> None:
    shown = MarkdownIt("gfm-like", {"linkify": False}).render(f"{md(text)}")
    from html import escape

    assert shown == f"<p>{escape(text)}</p>\n"


def test_no_mention_link_or_ticket_is_made() -> None:
    assert md("@ann sees #12 at https://x.example") == "@\u200bann sees #\u200b12 at https\u200b://x.example"
    assert html("<b>@ann") == "&lt;b&gt;@\u200bann"


def test_a_hostile_recording_makes_no_element() -> None:
    bad = supported(contract=HOSTILE, instance={HOSTILE: HOSTILE}, headline=HOSTILE, notes=())
    text = audit_markdown(summary((bad,)), (bad, unknown(headline=HOSTILE)))
    text.encode()
    shown = MarkdownIt("gfm-like", {"linkify": False, "html": False}).render(text)
    assert "<img" not in text
    assert "<img" not in shown
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_many_unknowns_are_folded() -> None:
    many = tuple(unknown(f"c{i}") for i in range(30))
    text = audit_markdown(summary(many), many)
    assert text.count("## UNKNOWN") == 20
    assert "<details><summary>10 more unknown</summary>" in text


def test_a_trace_name_neither_splits_a_table_nor_acts_in_it() -> None:
    bad = "a|b<img src=x>`c`"
    step = msgspec.structs.replace(PAID[0], trace=bad)
    text = audit_markdown(summary(), (supported(witness=(step,), notes=()),))
    (row,) = [line for line in text.splitlines() if "img" in line]
    assert row.startswith("| <code>a\\|b&lt;img src=x&gt;\\`c\\` #")
    assert len(re.findall(r"(?<!\\)\|", row)) == 7
    assert "<img" not in text
    assert "| `f38b2ffc #12` |" in audit_markdown(summary(), results())
