"""The OTLP messages as typed structs: only what is read, decoded in one go.

The decoder fits the common dialect (camelCase keys, hex or base64 ids, numbers or strings for 64-bit integers, Tempo's ``batches``, the
old ``instrumentationLibrarySpans``). Anything else does not fit, and goes the slow way (``_tolerant.py``), which makes the same structs.
"""

from __future__ import annotations

from typing import Any

import msgspec

# msgspec reads these annotations at run time; the structs cannot form cycles, so the collector need not look at them.


class ArrayValue(msgspec.Struct, gc=False):
    """A list of values; ``{}`` is the empty list."""

    values: list[AnyValue | None] | None = None


class KvList(msgspec.Struct, gc=False):
    """A map, as a list of pairs."""

    values: list[KeyValue] | None = None


class AnyValue(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """One value; with no field set it is null. Unknown fields are refused, so that another dialect is not read as null."""

    stringValue: str | None = None
    intValue: int | str | None = None
    boolValue: bool | None = None
    doubleValue: float | str | None = None
    arrayValue: ArrayValue | None = None
    kvlistValue: KvList | None = None
    bytesValue: str | None = None


class KeyValue(msgspec.Struct, gc=False):
    """One attribute."""

    key: str
    value: AnyValue | None = None


class Event(msgspec.Struct, gc=False):
    """One event inside a span."""

    name: str | None = None
    timeUnixNano: int | str | None = None
    attributes: list[KeyValue] | None = None
    droppedAttributesCount: int | str | None = None


class Link(msgspec.Struct, gc=False):
    """A pointer to another span."""

    traceId: str
    spanId: str


class Status(msgspec.Struct, gc=False):
    """0 unset, 1 ok, 2 error; also by name."""

    code: int | str | None = None
    message: str | None = None


class Span(msgspec.Struct, gc=False):
    """One span."""

    traceId: str
    spanId: str
    parentSpanId: str | None = None
    name: str | None = None
    startTimeUnixNano: int | str | None = None
    endTimeUnixNano: int | str | None = None
    attributes: list[KeyValue] | None = None
    droppedAttributesCount: int | str | None = None
    events: list[Event] | None = None
    droppedEventsCount: int | str | None = None
    links: list[Link] | None = None
    droppedLinksCount: int | str | None = None
    status: Status | None = None


class LogRecord(msgspec.Struct, gc=False):
    """One log record."""

    traceId: str | None = None
    spanId: str | None = None
    timeUnixNano: int | str | None = None
    observedTimeUnixNano: int | str | None = None
    severityText: str | None = None
    body: AnyValue | None = None
    attributes: list[KeyValue] | None = None
    droppedAttributesCount: int | str | None = None
    eventName: str | None = None


class ScopeSpans(msgspec.Struct, gc=False):
    """Spans of one instrumentation."""

    spans: list[Span] | None = None


class ResourceSpans(msgspec.Struct, gc=False):
    """Spans of one resource. The resource stays raw: it repeats in every request and is looked up by its bytes."""

    resource: msgspec.Raw = msgspec.Raw(b"")
    scopeSpans: list[ScopeSpans] | None = None
    instrumentationLibrarySpans: list[ScopeSpans] | None = None


class ScopeLogs(msgspec.Struct, gc=False):
    """Log records of one instrumentation."""

    logRecords: list[LogRecord] | None = None


class ResourceLogs(msgspec.Struct, gc=False):
    """Log records of one resource."""

    resource: msgspec.Raw = msgspec.Raw(b"")
    scopeLogs: list[ScopeLogs] | None = None


class Request(msgspec.Struct, gc=False):
    """One export request, or one file in the shape of one."""

    resourceSpans: list[ResourceSpans] | None = None
    batches: list[ResourceSpans] | None = None
    resourceLogs: list[ResourceLogs] | None = None
    resourceMetrics: msgspec.Raw | None = None

    def names_writers(self) -> bool:
        """Whether it holds records at all, each with the resource that wrote it."""
        return bool(self.resourceSpans or self.batches or self.resourceLogs)

    def fits(self) -> bool:
        """Whether all of it was understood: no other dialect hides behind keys that the decoder passed over."""
        groups = (self.resourceSpans or []) + (self.batches or [])
        if not groups and not self.resourceLogs and self.resourceMetrics is None:
            return self.resourceSpans is not None or self.batches is not None or self.resourceLogs is not None
        for group in groups:
            if group.scopeSpans is None and group.instrumentationLibrarySpans is None:
                return False
            for scope in group.scopeSpans or group.instrumentationLibrarySpans or ():
                if scope.spans is None or (scope.spans and scope.spans[0].startTimeUnixNano is None):
                    return False
        for logs in self.resourceLogs or ():
            for inner in logs.scopeLogs or (ScopeLogs(),):
                # a record that names no trace may name it in another dialect
                if inner.logRecords is None or any(record.traceId is None for record in inner.logRecords):
                    return False
        return True


class _Named(msgspec.Struct, gc=False):
    traceId: str | None = None


class _Scope(msgspec.Struct, gc=False):
    spans: list[_Named] = []
    logRecords: list[_Named] = []


class _Group(msgspec.Struct, gc=False):
    resource: msgspec.Raw = msgspec.Raw(b"")
    scopeSpans: list[_Scope] = []
    instrumentationLibrarySpans: list[_Scope] = []
    scopeLogs: list[_Scope] = []


class Outline(msgspec.Struct, gc=False):
    """A request, of which only resources and trace ids are read: a third of the work."""

    resourceSpans: list[_Group] = []
    batches: list[_Group] = []
    resourceLogs: list[_Group] = []

    def groups(self) -> list[_Group]:
        """The parts of one resource each."""
        if not self.batches and not self.resourceLogs:
            return self.resourceSpans
        return [*self.resourceSpans, *self.batches, *self.resourceLogs]


def traces_of(groups: list[_Group]) -> dict[str, None] | None:
    """The trace ids of all records of a request, as they are written and in that order; None where it is not plain that these are all."""
    found: dict[str | None, None] = {}
    for group in groups:
        scopes = group.scopeSpans or group.instrumentationLibrarySpans or group.scopeLogs
        for scope in scopes:
            records = scope.spans or scope.logRecords
            if not records:
                return None
            found.update(dict.fromkeys([record.traceId for record in records]))
        if not scopes:
            return None
    return None if None in found else found  # type: ignore[return-value]


decode_outline = msgspec.json.Decoder(Outline).decode
decode_request = msgspec.json.Decoder(Request).decode
decode_document = msgspec.json.Decoder(Request | list[Request]).decode


def flatten(attributes: list[KeyValue] | None) -> dict[str, Any]:
    """Attributes as a dict of JSON values; of a key that is given twice the last counts."""
    if not attributes:
        return {}
    return {kv.key: s if (v := kv.value) is not None and (s := v.stringValue) is not None else plain(v) for kv in attributes}


def plain(value: AnyValue | None, depth: int = 64) -> Any:
    """A value as JSON: whole numbers exact, bytes as base64, what is not a finite number as text, null as None."""
    if value is None:
        return None
    if value.stringValue is not None:
        return value.stringValue
    if (number := value.intValue) is not None:
        if type(number) is str:
            try:
                return int(number)
            except ValueError:
                return number
        return number
    if value.boolValue is not None:
        return value.boolValue
    if value.doubleValue is not None:
        return _number(value.doubleValue)
    if value.arrayValue is not None:
        return [plain(v, depth - 1) for v in value.arrayValue.values or ()] if depth > 0 else msgspec.json.encode(value).decode()
    if value.kvlistValue is not None:
        if depth <= 0:
            return msgspec.json.encode(value).decode()
        return {kv.key: plain(kv.value, depth - 1) for kv in value.kvlistValue.values or ()}
    return value.bytesValue


def _number(value: float | str) -> float | str:
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
    else:
        number = value
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    return number


def whole(value: int | str | None) -> int | str | None:
    """A 64-bit integer of either notation, exactly; what is not one stays text."""
    if type(value) is str:
        try:
            return int(value)
        except ValueError:
            return value
    return value


def count(value: int | str | None) -> int:
    """A count; what is not one is zero."""
    number = whole(value)
    return number if isinstance(number, int) else 0
