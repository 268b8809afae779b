"""Durations: ``2s``, ``50ms``, ``1h``."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|s|min|m|h|d)\Z")
_NS: dict[str, int] = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "min": 60 * 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
    "d": 86400 * 10**9,
}


def duration_ns(value: Any) -> int | None:
    """The nanoseconds of a duration, or None where it is none; 0 needs no unit."""
    if value == 0 and not isinstance(value, bool):
        return 0
    match = _DURATION.match(value.strip()) if isinstance(value, str) else None
    return None if match is None else int(Decimal(match[1]) * _NS[match[2]])
