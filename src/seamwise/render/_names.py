"""Names and values as people say them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from seamwise.render.plain import one_line

_PERIODS = frozenset({"day", "week", "month", "quarter", "year", "period"})
_LONGEST_VALUE = 80
_LONGEST_NAME = 28
_HEXADECIMAL = re.compile(r"[0-9a-f]{16,32}(?:/\w+)?|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
"""Ids of traces and spans, and UUIDs."""
_TRACE = re.compile(r"(?<=\btrace )\S+(?= #\d)")


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


def instance_words(instance: Mapping[str, str], names: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """``customer c17, 2026-Q1``: names and values, a period by its value alone.

    Args:
        instance: Name -> value.
        names: Name -> each of its values -> the short name that no other value has; without it each is shortened alone.
    """
    words = []
    known = names or {}

    def shorter(name: str, value: str) -> str:
        return known.get(name, {}).get(value) or short(value)

    for name, value in instance.items():
        value = one_line(str(value))
        words.append(value if name in _PERIODS else f"{one_line(name).replace('_', ' ')} {shorter(name, value)}")
    return ", ".join(words)


def short(name: str) -> str:
    """A long id without its tail: the first eight digits of a hexadecimal one, twenty-seven characters of any other."""
    if _HEXADECIMAL.fullmatch(name):
        return name[:8] if len(set(name[:8])) > 1 else name
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Each name's short one, which no other has: of a hexadecimal id the first digits, at least eight, that no other begins with.

    Where nothing shorter tells them apart, they keep their names whole.
    """
    ordered = sorted(set(names))
    out: dict[str, str] = {}
    for at, name in enumerate(ordered):
        if not _HEXADECIMAL.fullmatch(name):
            out[name] = short(name)
            continue
        neighbours = (*ordered[max(0, at - 1) : at], *ordered[at + 1 : at + 2])
        shared = max((_shared(name, other) for other in neighbours), default=0)
        told = name[: max(8, shared + 1)]
        out[name] = told if len(set(told)) > 1 else name  # of a number that is padded with zeros the beginning says nothing
    count = Counter(out.values())
    return {name: told if count[told] == 1 else name for name, told in out.items()}


def with_short_names(words: str, names: Mapping[str, str] | None) -> str:
    """A sentence of the audit with its traces named shortly: ``trace 37fe43eb #16``.

    Args:
        words: The sentence; a trace is followed by a step's number.
        names: Each trace's short name; without it each is shortened alone.
    """
    if "trace " not in words:
        return words
    return _TRACE.sub(lambda m: f"{(names or {}).get(m[0]) or short(m[0])}", words)


def traces_in(words: str) -> list[str]:
    """The traces that a sentence names."""
    return _TRACE.findall(words) if "trace " in words else []


def _shared(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


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
