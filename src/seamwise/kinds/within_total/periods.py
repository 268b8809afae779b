"""Calendar periods in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

Per = Literal["day", "month", "quarter", "year"]
NS = 10**9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def period_of(t: int, per: Per | None) -> str:
    """The period that a moment (Unix nanoseconds) lies in; the empty text where there are no periods."""
    if per is None:
        return ""
    moment = _EPOCH + timedelta(seconds=t // NS)
    if per == "day":
        return moment.strftime("%Y-%m-%d")
    if per == "month":
        return moment.strftime("%Y-%m")
    if per == "quarter":
        return f"{moment.year:04d}-Q{(moment.month + 2) // 3}"
    return f"{moment.year:04d}"


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


def witness_times(known: list[int], per: Per, named: str | None) -> list[int]:
    """Moments that stand for every period an unrecorded moment can lie in, given the recorded ones.

    Each recorded moment, one moment of every gap between the periods of neighbours, one before all and one after all, and the start of the
    named period.
    """
    out = sorted(set(known))
    if named is not None:
        out.append(start_of(named))
    if not out:
        return [0]
    out = sorted(set(out))
    more: list[int] = [start_of(period_of(out[0], per)) - 1, end_of(period_of(out[-1], per), per)]
    for a, b in zip(out, out[1:], strict=False):
        after = end_of(period_of(a, per), per)
        if after < start_of(period_of(b, per)):
            more.append(after)
    return sorted({*out, *more})
