"""Calendar periods in UTC."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Literal

Per = Literal["day", "month", "quarter", "year"]
NS = 10**9
_LENGTHS: tuple[Per, ...] = ("day", "month", "quarter", "year")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def period_of(t: int, per: Per | None) -> str:
    """The period that a moment (Unix nanoseconds) lies in; the empty text where there are no periods."""
    if per is None:
        return ""
    try:
        moment = _EPOCH + timedelta(seconds=t // NS)
    except OverflowError:
        return "before all calendars" if t < 0 else "after all calendars"
    if per == "day":
        return moment.strftime("%Y-%m-%d")
    if per == "month":
        return moment.strftime("%Y-%m")
    if per == "quarter":
        return f"{moment.year:04d}-Q{(moment.month + 2) // 3}"
    return f"{moment.year:04d}"


def is_period(text: str, per: Per) -> bool:
    """Whether a text names a period of this length, as :func:`period_of` writes it."""
    try:
        return period_of(start_of(text), per) == text
    except (ValueError, OverflowError):
        return False


def start_of(period: str) -> int:
    """The first moment of a period, in Unix nanoseconds.

    Raises:
        ValueError: It is not a period.
    """
    if "Q" in period:
        year, quarter = period.split("-Q")
        moment = datetime(int(year), 3 * int(quarter) - 2, 1, tzinfo=UTC)
    else:
        parts = [int(p) for p in period.split("-")]
        moment = datetime(parts[0], parts[1] if len(parts) > 1 else 1, parts[2] if len(parts) > 2 else 1, tzinfo=UTC)
    return int((moment - _EPOCH).total_seconds()) * NS


def end_of(period: str, per: Per) -> int:
    """The first moment after a period, in Unix nanoseconds."""
    start = start_of(period)
    step = {"day": 1, "month": 27, "quarter": 88, "year": 364}[per]
    t = start + step * 86_400 * NS
    while period_of(t, per) == period:
        t += 86_400 * NS
    return t - t % (86_400 * NS)


def witness_times(known: list[int], per: Per, named: str | None, unknown: int) -> list[int]:
    """Moments that stand for every way unrecorded moments can fall into periods, given the recorded ones.

    Each recorded moment and the start of the named period; before them, after them and in every gap between two of them as many other
    periods as there are unrecorded moments, since each may lie in a period of its own.
    """
    out = sorted({*known, *([start_of(named)] if named is not None else [])})
    more: list[int] = []
    first = out[0] if out else 0
    for _ in range(unknown):
        first = start_of(period_of(first, per)) - 1
        more.append(first)
    for a, b in zip(out or [0], [*out[1:], None], strict=True):
        after = end_of(period_of(a, per), per)
        for _ in range(unknown):
            if b is not None and after >= start_of(period_of(b, per)):
                break
            more.append(after)
            after = end_of(period_of(after, per), per)
    return sorted({*out, *more, *([] if out else [0])})


@lru_cache(maxsize=4096)
def span_of(text: str) -> tuple[int, int] | None:
    """First moment of a period of any length, and the first one after it; None where a text names no period."""
    for per in _LENGTHS:
        if is_period(text, per):
            return start_of(text), end_of(text, per)
    return None


def lies_in(t: int, period: str) -> bool:
    """Whether a moment lies in a period of any length."""
    span = span_of(period)
    return span is not None and span[0] <= t < span[1]


def edges_of(periods: Iterable[str]) -> list[int]:
    """The moments at which one of the periods begins or is over."""
    return sorted({edge for p in periods for edge in span_of(p) or ()})
