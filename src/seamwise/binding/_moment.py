"""The moment of a record where its step's own is not the one that counts: ``time: {path: paid_at, zone: Europe/Berlin}``."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from seamwise.binding._cursor import Cursor
from seamwise.binding._field import UNPARSED
from seamwise.binding._path import MISSING, Getter
from seamwise.errors import PackError
from seamwise.record import Step

MOMENT_KEYS = ("path", "zone", "unit", "format")
UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_NS = 86_400 * 10**9
_FRACTION = re.compile(r"([.,]\d{6})(\d{1,3})(?=[^\d]|$)")
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)\Z")
_MOST = 1 << 63


class Moment(NamedTuple):
    """When something was, as far as it was recorded."""

    t: int
    """Unix nanoseconds, UTC; of a day its beginning."""
    last: int
    """The latest moment that may be meant: of a day its end."""


MomentGetter = Callable[[Step | None, Step], Any]
"""Reads a Moment, MISSING or UNPARSED."""


class MomentRule(NamedTuple):
    """How the moment of a record is read."""

    get: MomentGetter
    raw: Getter
    """What is recorded there, unread."""
    place: str
    """Where the rule stands."""


def compile_moment(cursor: Cursor, read: Callable[[Cursor], Getter]) -> MomentRule:
    """The moment that a path or a mapping describes.

    Args:
        cursor: ``paid_at``, or ``{path: paid_at, zone: UTC}`` with ``unit: ms`` for numbers and ``format`` for other spellings.
        read: Compiles the path.

    Raises:
        PackError: It describes none.
    """
    if isinstance(cursor.value, str):
        path, zone, unit, spelling = cursor, None, None, None
    else:
        parts = cursor.fields(MOMENT_KEYS, required=("path",))
        path = parts["path"]
        zone = _zone(parts["zone"]) if "zone" in parts else None
        unit = UNITS[parts["unit"].one_of(UNITS)] if "unit" in parts else None
        spelling = _format(parts["format"]) if "format" in parts else None
        if unit is not None and spelling is not None:
            raise parts["format"].error("expected either `unit` or `format`, got both", key=True)
    raw = read(path)

    def get(opening: Step | None, step: Step) -> Any:
        value = raw(opening, step)
        if value is MISSING or value is None:
            return MISSING
        found = moment_of(value, zone=zone, unit=unit, spelling=spelling)
        return UNPARSED if found is None else found

    return MomentRule(get, raw, cursor.document.where(cursor.path))


def moment_of(value: Any, *, zone: tzinfo | None = None, unit: int | None = None, spelling: str | None = None) -> Moment | None:
    """The moment that a recorded value means, or None where it means none, or more than one.

    A time of day without a zone means none unless ``zone`` is stated; neither does an hour that a change of clocks repeats or leaves out. A
    day is that day of the calendar, from its beginning to its end.
    """
    if unit is not None:
        return _counted(value, unit)
    if not isinstance(value, str):
        return None
    text = value.strip()
    try:
        if spelling is not None:
            at = datetime.strptime(text, spelling)  # noqa: DTZ007  the zone is looked at below
            if not any(word in spelling for word in ("%H", "%I", "%c", "%X")):
                return _day(at.date())
        elif len(text) == 10:
            return _day(date.fromisoformat(text))
        else:
            fine = _FRACTION.search(text)
            at = datetime.fromisoformat(_FRACTION.sub(r"\1", text))
            if fine is not None:
                found = _settled(at, zone)
                more = int(fine[2].ljust(3, "0"))
                return None if found is None else Moment(found.t + more, found.t + more)
    except (ValueError, OverflowError):
        return None
    return _settled(at, zone)


def _counted(value: Any, unit: int) -> Moment | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = Decimal(repr(value) if isinstance(value, float) else str(value).strip())
        t = int(number * unit) if number.is_finite() and abs(number) < _MOST else None
    except (InvalidOperation, ValueError):
        return None
    return None if t is None or abs(t) >= _MOST else Moment(t, t)


def _day(day: date) -> Moment:
    t = (day - _EPOCH.date()).days * _DAY_NS
    return Moment(t, t + _DAY_NS - 1)


def _settled(at: datetime, zone: tzinfo | None) -> Moment | None:
    if at.tzinfo is None:
        if zone is None:
            return None
        first, second = at.replace(tzinfo=zone, fold=0), at.replace(tzinfo=zone, fold=1)
        if first.utcoffset() != second.utcoffset():
            return None
        at = first
    past = at - _EPOCH
    t = (past.days * 86_400 + past.seconds) * 10**9 + past.microseconds * 1000
    return Moment(t, t)


def _zone(cursor: Cursor) -> tzinfo:
    name = cursor.text()
    if name in ("UTC", "Z"):
        return UTC
    offset = _OFFSET.match(name)
    if offset is not None and int(offset[2]) < 24 and int(offset[3]) < 60:
        away = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(-away if offset[1] == "-" else away)
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise _no_zone(cursor, name) from error


def _no_zone(cursor: Cursor, name: str) -> PackError:
    from zoneinfo import available_timezones

    from seamwise.errors import did_you_mean

    hint = did_you_mean(name, available_timezones()) or "`UTC`, `+02:00` or a name as `Europe/Berlin`"
    return cursor.error(f"expected a zone of time, got `{name}`", hint=hint)


def _format(cursor: Cursor) -> str:
    text = cursor.text()
    if "%" not in text:
        raise cursor.expected("a spelling with `%d`, `%m`, `%Y` and the like", hint="`%d.%m.%Y %H:%M`")
    return text
