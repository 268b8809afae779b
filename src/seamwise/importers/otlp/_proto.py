"""OTLP as protobuf: one message, or a stream of messages each behind its length (a varint, or four bytes as the collector writes).

The framing is told from the wire format alone, before the protobuf library is loaded: a file is taken for one reading only where that
reading accounts for every byte of it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, Literal

from seamwise.errors import FormatError, MissingExtraError
from seamwise.importers._registry import Sink
from seamwise.importers._source import Source
from seamwise.importers.otlp import _wire as wire

_ZSTD = b"\x28\xb5\x2f\xfd"
Signal = Literal["spans", "logs"]


def _varint(content: bytes, at: int) -> tuple[int, int] | None:
    value = shift = 0
    while at < len(content) and shift < 64:
        byte = content[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    return None


def _signal(content: bytes) -> Signal | None:
    """What a message holds, told by its way down to the first record; None where it is no OTLP (or holds no record at all)."""
    at, end = 0, len(content)
    for level in range(3):
        # Messages of the two upper levels: 1 resource or scope, 2 the level below, 3 schema_url; the top has field 1 alone.
        wanted = 0x0A if level == 0 else 0x12
        while True:
            if at >= end:
                return None
            tag = content[at]
            size = _varint(content, at + 1)
            if size is None or tag not in (0x0A, 0x12, 0x1A) or (level == 0 and tag != 0x0A):
                return None
            if tag == wanted:
                at, end = size[1], min(end, size[1] + size[0])
                break
            at = size[1] + size[0]
    if content[at : at + 2] == b"\x0a\x10":
        return "spans"
    return "logs" if content[at : at + 1] in (b"\x09", b"\x10", b"\x59") else None


def is_protobuf(head: bytes) -> bool:
    """Whether the first bytes are OTLP protobuf, plain or behind a length."""
    if not head or head.lstrip()[:1] in (b"{", b"["):
        return False
    if _signal(head) is not None:
        return True
    framed = _varint(head, 0)
    if framed is not None and framed[0] > 0 and _signal(head[framed[1] : framed[1] + framed[0]]) is not None:
        return True
    size = int.from_bytes(head[:4], "big")
    return size > 0 and (_signal(head[4 : 4 + size]) is not None or head[4:8] == _ZSTD)


def _top_is_whole(content: bytes) -> bool:
    at = 0
    while at < len(content):
        size = _varint(content, at + 1)
        if content[at] != 0x0A or size is None:
            return False
        at = size[1] + size[0]
    return at == len(content)


def _by_varint(content: bytes) -> list[bytes] | None:
    frames, at = [], 0
    while at < len(content):
        size = _varint(content, at)
        if size is None or size[1] + size[0] > len(content):
            return None
        frames.append(content[size[1] : size[1] + size[0]])
        at = size[1] + size[0]
    return frames


def _by_four_bytes(content: bytes) -> list[bytes] | None:
    frames, at = [], 0
    while at < len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        if at + 4 + size > len(content):
            return None
        frames.append(content[at + 4 : at + 4 + size])
        at += 4 + size
    return frames


def _messages(content: bytes, source: Source) -> list[bytes]:
    """The messages of a file.

    Raises:
        FormatError: No reading accounts for every byte, or two do.
    """
    readings = []
    if _top_is_whole(content) and _signal(content) is not None:
        readings.append([content])
    for frames in (_by_varint(content), _by_four_bytes(content)):
        if frames and all(not f or f[:4] == _ZSTD or (_top_is_whole(f) and _signal(f) is not None) for f in frames):
            readings.append([_inflated(f, source) for f in frames])
    if len(readings) != 1:
        raise FormatError(
            "expected OTLP protobuf, got "
            + ("bytes that break off or are damaged" if not readings else "bytes that can be read in two ways"),
            where=source.path,
            hint="export it again as OTLP JSON",
        )
    return readings[0]


def _inflated(frame: bytes, source: Source) -> bytes:
    if frame[:4] != _ZSTD:
        return frame
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("the file is compressed with zstd", where=source.path, hint="install `zstandard`") from error
    try:
        return zstandard.ZstdDecompressor().decompress(frame, max_output_size=min(source.limits.line_bytes, 1 << 31))
    except zstandard.ZstdError as error:
        raise FormatError(f"a compressed message is damaged or too large: {error}", where=source.path) from error


def requests(source: Source, sink: Sink) -> Iterator[tuple[int, wire.Request]]:
    """The requests of a protobuf file, in the shape of those of JSON.

    Raises:
        FormatError: The file is damaged.
        MissingExtraError: The package ``opentelemetry-proto`` is not installed.
    """
    try:
        from google.protobuf.message import DecodeError
        from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
        from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
    except ImportError as error:
        raise MissingExtraError(
            "OTLP protobuf needs the protobuf messages of OpenTelemetry", where=source.path, hint="install `opentelemetry-proto`"
        ) from error
    for number, content in enumerate(_messages(source.read(), source), 1):
        where = f"{source.path}, message {number}"
        message: Any
        try:
            if _signal(content) == "logs":
                message = LogsData.FromString(content)
                yield number, wire.Request(resourceLogs=[_logs(group) for group in message.resource_logs])
            else:
                message = TracesData.FromString(content)
                yield number, wire.Request(resourceSpans=[_spans(group) for group in message.resource_spans])
        except (DecodeError, UnicodeDecodeError) as error:
            sink.report.records += 1
            sink.report.drop("unreadable")
            sink.report.note("unreadable", where, f"not a message of OTLP: {error}")


def _spans(group: Any) -> wire.ResourceSpans:
    return wire.ResourceSpans(
        resource=_resource(group.resource), scopeSpans=[wire.ScopeSpans([_span(s) for s in scope.spans]) for scope in group.scope_spans]
    )


def _logs(group: Any) -> wire.ResourceLogs:
    return wire.ResourceLogs(
        resource=_resource(group.resource), scopeLogs=[wire.ScopeLogs([_log(r) for r in scope.log_records]) for scope in group.scope_logs]
    )


def _resource(resource: Any) -> Any:
    import msgspec

    return msgspec.Raw(msgspec.json.encode({"attributes": _attributes(resource.attributes)}))


def _span(span: Any) -> wire.Span:
    return wire.Span(
        traceId=span.trace_id.hex(),
        spanId=span.span_id.hex(),
        parentSpanId=span.parent_span_id.hex(),
        name=span.name,
        startTimeUnixNano=span.start_time_unix_nano,
        endTimeUnixNano=span.end_time_unix_nano,
        attributes=_attributes(span.attributes),
        droppedAttributesCount=span.dropped_attributes_count,
        events=[wire.Event(e.name, e.time_unix_nano, _attributes(e.attributes), e.dropped_attributes_count) for e in span.events],
        droppedEventsCount=span.dropped_events_count,
        links=[wire.Link(link.trace_id.hex(), link.span_id.hex()) for link in span.links],
        droppedLinksCount=span.dropped_links_count,
        status=wire.Status(span.status.code, span.status.message),
    )


def _log(log: Any) -> wire.LogRecord:
    return wire.LogRecord(
        traceId=log.trace_id.hex(),
        spanId=log.span_id.hex(),
        timeUnixNano=log.time_unix_nano,
        observedTimeUnixNano=log.observed_time_unix_nano,
        severityText=log.severity_text,
        body=_any(log.body) if log.HasField("body") else None,
        attributes=_attributes(log.attributes),
        droppedAttributesCount=log.dropped_attributes_count,
        eventName=getattr(log, "event_name", ""),
    )


def _attributes(pairs: Any) -> list[wire.KeyValue]:
    return [wire.KeyValue(pair.key, _any(pair.value)) for pair in pairs]


def _any(value: Any) -> wire.AnyValue:
    kind = value.WhichOneof("value")
    if kind == "string_value":
        return wire.AnyValue(stringValue=value.string_value)
    if kind == "int_value":
        return wire.AnyValue(intValue=value.int_value)
    if kind == "bool_value":
        return wire.AnyValue(boolValue=value.bool_value)
    if kind == "double_value":
        number = value.double_value
        if number != number or number in (float("inf"), float("-inf")):
            return wire.AnyValue(doubleValue="NaN" if number != number else "Infinity" if number > 0 else "-Infinity")
        return wire.AnyValue(doubleValue=number)
    if kind == "array_value":
        return wire.AnyValue(arrayValue=wire.ArrayValue([_any(v) for v in value.array_value.values]))
    if kind == "kvlist_value":
        return wire.AnyValue(kvlistValue=wire.KvList(_attributes(value.kvlist_value.values)))
    if kind == "bytes_value":
        return wire.AnyValue(bytesValue=base64.b64encode(value.bytes_value).decode())
    return wire.AnyValue()
