"""Cells of an analysis in words, the same in the terminal and on the page; and in columns of a file."""

from __future__ import annotations

from typing import Any

from seamwise.render.plain import one_line
from seamwise.study.analysis import Column, Interval, Share, Table

NUMERIC = frozenset({"count", "number", "share", "estimate", "p"})
"""Kinds of columns that stand to the right."""


def cell_text(value: Any, column: Column) -> str:
    """One cell; an empty cohort says so, and what is not known is a dash."""
    if isinstance(value, Share):
        return share_text(value)
    if isinstance(value, Interval):
        return interval_text(value)
    if value is None:
        return "-"
    if column.kind == "flag":
        return "yes" if value else "no"
    if column.kind == "p":
        return f"{value:.2e}" if 0 < value < 0.0001 else f"{value:.4f}"
    if column.kind == "number":
        return number_text(value)
    return one_line(str(value))


def share_text(share: Share) -> str:
    """``47/60 78.3 % [66.4, 86.9]``, with what is unassessed; of nothing, ``no rate``."""
    unassessed = f" ({share.unassessed} unassessed)" if share.unassessed else ""
    if share.share is None or share.low is None or share.high is None:
        return "no rate" + unassessed
    return f"{share.k}/{share.n} {100 * share.share:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]{unassessed}"


def interval_text(interval: Interval) -> str:
    """``9.13 [0.83, 18.76]``; without two models the value alone."""
    if interval.value is None:
        return "none"
    if interval.low is None or interval.high is None:
        return f"{number_text(interval.value)} (no interval)"
    return f"{number_text(interval.value)} [{number_text(interval.low)}, {number_text(interval.high)}]"


def number_text(value: float) -> str:
    """Few digits; never a minus before nothing."""
    text = f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 100 else f"{value:.1f}"
    return "0" if text == "-0" else text


def csv_header(table: Table) -> list[str]:
    """Names of columns; a share and an estimate take several."""
    return [name for column in table.columns for name in _names(column)]


def csv_row(row: tuple[Any, ...], table: Table) -> list[str]:
    """The cells of a row, numbers in full; what is not known is empty."""
    return [_plain(v) for value, column in zip(row, table.columns, strict=True) for v in _values(value, column)]


def _names(column: Column) -> list[str]:
    if column.kind == "share":
        return [f"{column.name}{end}" for end in ("_k", "_n", "", "_low", "_high", "_unassessed")]
    if column.kind == "estimate":
        return [f"{column.name}{end}" for end in ("", "_low", "_high", "_models", "_n")]
    return [column.name]


def _values(value: Any, column: Column) -> list[Any]:
    if isinstance(value, Share):
        return [value.k, value.n, value.share, value.low, value.high, value.unassessed]
    if isinstance(value, Interval):
        return [value.value, value.low, value.high, value.models, value.n]
    return [value] if column.kind not in ("share", "estimate") else [value] + [None] * (len(_names(column)) - 1)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    text = str(value)
    # a spreadsheet would take such a text for a formula
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
