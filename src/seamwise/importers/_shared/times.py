"""Moments as they are recorded: ISO 8601 with a zone, seconds or milliseconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

_FRACTION = re.compile(r"[.,](\d+)")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = 1_000_000_000
_LAST = 1 << 62


@lru_cache(maxsize=4096)
def iso_ns(text: str) -> int | None:
    """Unix nanoseconds of an ISO 8601 time; None where it is none, or names no zone, so that its moment is not known."""
    digits = _FRACTION.search(text)
    bare = text if digits is None else text[: digits.start()] + text[digits.end() :]
    try:
        whole = datetime.fromisoformat(bare.strip())
    except ValueError:
        return None
    if whole.tzinfo is None:
        return None
    fraction = int(digits[1][:9].ljust(9, "0")) if digits is not None else 0
    try:
        return _in_range((whole - _EPOCH) // timedelta(seconds=1) * _SECOND + fraction)
    except OverflowError:
        return None


def seconds_ns(value: Any) -> int | None:
    """Unix nanoseconds of seconds since 1970; a float counts as its shortest decimal form. None where it is no moment."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return _in_range(int(Decimal(str(value)).scaleb(9).to_integral_value()))
    except (InvalidOperation, ValueError, OverflowError):
        return None


def moment_ns(value: Any) -> int | None:
    """Unix nanoseconds of either."""
    return iso_ns(value) if isinstance(value, str) else seconds_ns(value)


def _in_range(ns: int) -> int | None:
    return ns if 0 < ns < _LAST else None
