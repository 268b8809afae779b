"""Names and values as people say them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from seamwise.render.plain import one_line

_PERIODS = frozenset({"day", "week", "month", "quarter", "year", "period"})
_LONGEST_VALUE = 80
_LONGEST_NAME = 28
_HEXADECIMAL = re.compile(r"[0-9a-f]{16,32}(?:/\w+)?|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
"""Ids of traces and spans, and UUIDs."""


def value_words(value: Any) -> str:
    """A field's value on one line."""
    if isinstance(value, str):
        words = value
    elif isinstance(value, bool):
        words = "yes" if value else "no"
    elif value is None:
        words = "none"
    elif isinstance(value, (list, tuple)) and all(isinstance(v, (str, int, float)) for v in value):
        words = ", ".join(map(str, value)) or "nothing"
    else:
        words = json.dumps(value, ensure_ascii=False, default=str)
    words = one_line(words)
    return words if len(words) <= _LONGEST_VALUE else words[: _LONGEST_VALUE - 1] + "…"


def when(time_ns: int | None) -> str:
    """A moment in UTC, to the second; nothing where it was not recorded or is no moment of a calendar."""
    if time_ns is None:
        return ""
    try:
        return f"{datetime.fromtimestamp(time_ns // 1_000_000_000, UTC):%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return ""


def instance_words(instance: Mapping[str, str]) -> str:
    """``customer c17, 2026-Q1``: names and values, a period by its value alone."""
    words = []
    for name, value in instance.items():
        value = one_line(str(value))
        words.append(value if name in _PERIODS else f"{one_line(name).replace('_', ' ')} {short(value)}")
    return ", ".join(words)


def short(name: str) -> str:
    """A long id without its tail: the first eight digits of a hexadecimal one, twenty-seven characters of any other."""
    if _HEXADECIMAL.fullmatch(name):
        return name[:8]
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def short_names(traces: Iterable[str]) -> dict[str, str]:
    """Each trace's short name; those that would share one keep theirs whole."""
    names = {t: short(t) for t in dict.fromkeys(traces)}
    count: dict[str, int] = {}
    for name in names.values():
        count[name] = count.get(name, 0) + 1
    return {t: name if count[name] == 1 else t for t, name in names.items()}


def quoted(text: str) -> str:
    """The text in quotation marks, in other ones than it holds itself."""
    return f"“{text}”" if '"' in text else f'"{text}"'


def plural(n: int, noun: str) -> str:
    """``1 customer``, ``5,000 customers``, ``2 policies``."""
    if n == 1:
        return f"1 {noun}"
    many = (
        noun[:-1] + "ies"
        if noun.endswith("y") and noun[-2:-1] not in "aeiou"
        else noun + ("es" if noun.endswith(("s", "x", "ch")) else "s")
    )
    return f"{n:,} {many}"
