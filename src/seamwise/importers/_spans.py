"""Spans that stand in another container than OTLP: how they become requests, so that everything after that is the same.

An importer of such a format translates each of its spans into the shape that OTLP JSON has (attributes may be a plain map) and gives the
rest to :func:`traces_of`. The same run, written by two exporters, then gives the same trace up to what each of them records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece
from seamwise.importers._shared.loose import SHORT, Damage, lost
from seamwise.importers._source import Source
from seamwise.record import Trace

Fields = dict[str, Any]


class Batch(NamedTuple):
    """Spans and log records of one writer, in the shape of OTLP JSON."""

    spans: Sequence[Fields] = ()
    logs: Sequence[Fields] = ()
    resource: Fields | None = None
    """Attributes of who wrote them; None: not recorded."""


Translate = Callable[[Any, Damage], Iterator[Batch]]
"""From one JSON value of a file to what it holds. What is none of the format is counted with :func:`foreign`."""


def traces_of(
    source: Source,
    sink: Sink,
    pieces: Iterable[Piece],
    translate: Translate,
    expected: str,
    *,
    resources_recorded: bool = True,
    own_ids: bool = False,
) -> Iterator[Trace]:
    """The traces of a file of another container.

    Args:
        source: The file.
        sink: Report, labels, limits.
        pieces: Its JSON values.
        translate: What a value holds.
        expected: What the file should hold, for the error.
        resources_recorded: Whether one resource in the file is a sign of one process. It is none in what a backend gives out: it gathers
            the spans of all replicas, and they may name themselves alike. A resource that names its process is believed either way.
        own_ids: Whether the format has ids of its own shape.

    Raises:
        FormatError: Nothing in the file is of this format.
    """
    from seamwise.importers.otlp import _tolerant
    from seamwise.importers.otlp import _wire as wire
    from seamwise.importers.otlp._read import Reader

    reader = Reader(source, sink)

    def requests() -> Iterator[tuple[int, wire.Request]]:
        for piece in pieces:
            where = f"{source.path}, line {piece.line}" if piece.line else source.path
            damage = Damage(sink.report, where, sink.limits.depth)
            for batch in translate(piece.value, damage):
                if batch.resource is None and (batch.spans or batch.logs):
                    reader.writer_unknown()
                resource = {"attributes": batch.resource} if batch.resource else None
                value: Fields = {}
                if batch.spans or not batch.logs:
                    value["resourceSpans"] = [{"resource": resource, "scopeSpans": [{"spans": list(batch.spans)}]}]
                if batch.logs:
                    value["resourceLogs"] = [{"resource": resource, "scopeLogs": [{"logRecords": list(batch.logs)}]}]
                for request in _tolerant.requests(value, damage):
                    yield piece.line, request

    if not resources_recorded:
        reader.writer_unknown()
    return reader.of(requests(), expected, own_ids=own_ids)


def foreign(value: Any, damage: Damage, expected: str) -> None:
    """Counts a value that is none of the format as one dropped record."""
    damage.note("foreign", f"not {expected}: `{ascii(value)[:SHORT]}`")
    lost(damage, f"not {expected}")


def objects(value: Any) -> Iterator[Any]:
    """The elements of a list, or the value itself."""
    if isinstance(value, list):
        yield from value
    else:
        yield value


def dicts(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; nothing where it is no list."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def recorded(attributes: Any) -> Fields:
    """Attributes of a plain map; one whose value is null was not recorded."""
    return {str(k): v for k, v in attributes.items() if v is not None} if isinstance(attributes, dict) else {}


_WHOLE = frozenset("metadata json_schema parameters variables value arguments".split())
"""Last words of attribute names whose value is one thing, however it is built."""

_ROOTS = frozenset(
    "agent ai audio document embedding exception gcp gen_ai graph image input llm message openinference output prompt reranker retrieval "
    "session tag tool tool_call traceloop user".split()
)
"""First words of attribute names that the conventions give a meaning, below which an object is a name written in parts."""


def flattened(attributes: Any) -> Fields:
    """Attributes that may be written as objects inside objects (``{"llm": {"model_name": ...}}``), under their dotted names.

    Objects below other names than those of the conventions stay as they are: they are values.
    """
    made: Fields = {}
    todo = [(key, value) for key, value in reversed(recorded(attributes).items())]
    while todo:
        key, value = todo.pop()
        words = key.split(".")
        if words[0] in _ROOTS and words[-1] not in _WHOLE:
            if isinstance(value, dict) and value:
                todo += [(f"{key}.{k}", v) for k, v in reversed(value.items())]
                continue
            if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
                todo += [(f"{key}.{i}", v) for i, v in reversed(list(enumerate(value)))]
                continue
        if value is not None:
            made[key] = value
    return made


_MOMENT = re.compile(r"\s*(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?\s*(?:(Z|z|UTC)|([+-])(\d\d):?(\d\d))?\s*", re.ASCII)


def iso_ns(text: Any, damage: Damage, *, naive_is_utc: bool = False) -> int | None:
    """Unix nanoseconds of a moment in ISO 8601, exactly; None where there is none.

    A moment without a zone is none (whose clock it is was not recorded), unless the format says that it is UTC.
    """
    if text is None or text == "":
        return None
    found = _MOMENT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        damage.note("bad_time", f"`{ascii(text)[:SHORT]}` is no moment in ISO 8601; it was left out")
        return None
    if found[8] is None and found[9] is None and not naive_is_utc:
        damage.note("naive_time", f"`{text[:SHORT]}` names no time zone; it was left out")
        return None
    try:
        whole = datetime(*(int(found[i]) for i in range(1, 7)), tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:
        damage.note("bad_time", f"`{text[:SHORT]}` is no date; it was left out")
        return None
    seconds = (whole - _EPOCH).days * 86_400 + (whole - _EPOCH).seconds
    if found[9] is not None:
        shift = int(found[10]) * 3600 + int(found[11]) * 60
        seconds += -shift if found[9] == "+" else shift
    return seconds * 1_000_000_000 + int((found[7] or "").ljust(9, "0")[:9])


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SPAN_OF_TIME = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.ASCII)


def duration_ns(text: Any, damage: Damage) -> int | None:
    """Nanoseconds of a duration in ISO 8601 (``PT24.688187S``); None where there is none."""
    if text is None:
        return None
    found = _SPAN_OF_TIME.fullmatch(text) if isinstance(text, str) and len(text) < SHORT else None
    if found is None:
        damage.note("bad_time", f"`{ascii(text)[:SHORT]}` is no duration in ISO 8601; it was left out")
        return None
    days, hours, minutes = (int(found[i] or 0) for i in (1, 2, 3))
    return int((days * 86_400 + hours * 3600 + minutes * 60 + Decimal(found[4] or 0)) * 1_000_000_000)


def scaled(value: Any, factor: int, damage: Damage) -> int | None:
    """A count of microseconds or the like as nanoseconds; None where it is none."""
    if value is None:
        return None
    try:
        number = Decimal(str(value)) * factor
        if isinstance(value, (int, float, str)) and not isinstance(value, bool) and abs(number) < 1 << 63:
            return int(number)
    except (InvalidOperation, ValueError, OverflowError):
        pass
    damage.note("bad_time", f"`{ascii(value)[:SHORT]}` is no count of time; it was left out")
    return None


_CODES = {"ok": 1, "error": 2}


def code_of(status: Any) -> int:
    """0 unset, 1 ok, 2 error, of any notation: ``OK``, ``Ok``, ``StatusCode.ERROR``, ``STATUS_CODE_OK``, numbers."""
    if isinstance(status, int) and not isinstance(status, bool):
        return status if status in (1, 2) else 0
    return _CODES.get(re.split(r"[._]", status)[-1].strip().lower(), 0) if isinstance(status, str) else 0
