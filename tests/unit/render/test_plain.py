"""Recorded text on a screen: nothing in it acts, and its columns are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwise.render.plain import cells, cut, one_line, pad, visible, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\rb\x07\x08", "a\\x0db\\x07\\x08"),
        ("\x9b2J", "\\x9b2J"),
        ("abc\u202edcba", "abc\\u202edcba"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        ("\U000e0041", "\\U000e0041"),
        ("é 日本 👩\u200d🚀", "é 日本 👩\u200d🚀"),
        ("a\r\nb", "a\nb"),
    ],
)
def test_what_could_act_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_nothing_that_acts_is_left(text: str) -> None:
    shown = visible(text)
    assert not any(c in shown for c in "\x1b\x9b\r\u202e\u2066\u200b\x00")
    shown.encode()
    assert visible(shown) == shown
    assert "\n" not in one_line(text)


@given(st.text(), st.integers(1, 30))
def test_cut_text_fits(text: str, width: int) -> None:
    assert cells(cut(one_line(text), width)) <= width


@given(st.text(), st.integers(12, 60))
def test_wrapped_text_fits_and_loses_nothing(text: str, width: int) -> None:
    text = one_line(text)
    lines = list(wrap(text, width, first="> ", rest="  "))
    assert all(cells(line) <= width for line in lines)
    assert "".join("".join(lines).replace(">", "", 1).split()) == "".join(text.split())


def test_wide_characters_take_two_columns() -> None:
    assert cells("日本") == 4
    assert pad("日本", 6) == "日本  "
    assert pad("7.35", 6, right=True) == "  7.35"
    assert cut("日本語日本語", 6) == "日本…"
