"""What OpenTelemetry's Python console exporters print: spans and log records as indented JSON, one after another.

``ConsoleSpanExporter`` and ``span.to_json()``: times in ISO 8601, ids as ``0x`` and hex, attributes as a plain map. The output of a program
stands between the records wherever it printed something; such text is counted as dropped. ``docs/formats/otel_console.md`` says the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece, text_of_file
from seamwise.importers._shared.loose import Damage, lost, values
from seamwise.importers._shared.text import nesting
from seamwise.importers._source import Source, plain_text
from seamwise.importers._spans import Batch, code_of, dicts, foreign, iso_ns, objects, recorded, traces_of
from seamwise.record import Trace

_SPAN = re.compile(rb'"context"\s*:\s*\{\s*"trace_id"\s*:\s*"0x')
_LOG = re.compile(rb'"trace_id"\s*:\s*"0x[0-9a-f]+"')
_OPENS = re.compile(r'^[^{}\[\]"]*?([{\[][{\[\s]*)$|^[^{}\[\]"]*?([{\[]\s*["{\[].*)$')
"""A line on which a record begins: an opening bracket at its end, or a record in one line, also behind a log's prefix."""


class OtelConsole:
    """The importer of console exports."""

    name = "otel_console"
    version = 1
    summary = "what OpenTelemetry's Python console exporters print (spans and log records as indented JSON, also between other output)"

    def sniff(self, head: bytes) -> int:
        """Whether ids stand in the text as the console exporters print them."""
        text = plain_text(head)[0]
        if _SPAN.search(text) and b'"parent_id"' in text:
            return 88
        return 75 if _LOG.search(text) and b'"severity_' in text and b'"body"' in text else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        yield from traces_of(source, sink, _pieces(source, sink), _translate, "a console export of spans")


IMPORTER = OtelConsole()


def _pieces(source: Source, sink: Sink) -> Iterator[Piece]:
    """The JSON values of the text. What stands between them is counted, a run of lines as one record."""
    report = sink.report
    stray = 0
    opened: list[str] = []
    start = 0

    def block(number: int, text: str) -> Iterator[Piece]:
        content = text.encode("utf-8", "surrogatepass")
        try:
            value = msgspec.json.decode(content)
            if nesting(value) <= sink.limits.depth:
                yield Piece(number, value)
                return
        except (msgspec.DecodeError, RecursionError):
            pass
        for value in values(content, Damage(report, f"{source.path}, line {number}", sink.limits.depth)):
            yield Piece(number, value)

    def passed() -> None:
        where = f"{source.path}, line {number}"
        report.note("text_between", where, f"{stray} lines before it are no records: the output of a program, or log prefixes")
        lost(Damage(report, where, sink.limits.depth), "text between the records")

    number = 0
    for number, line in enumerate(text_of_file(source, sink).split("\n"), 1):
        if opened:
            opened.append(line)
            if line[:1] in ("}", "]"):
                yield from block(start, "\n".join(opened))
                opened = []
            continue
        if not line.strip(" \t,"):
            continue
        begins = _OPENS.match(line)
        if begins is None:
            stray += 1
            continue
        if stray:
            passed()
            stray = 0
        start, content = number, begins[1] or begins[2]
        if content.rstrip(" ,").endswith(("}", "]")) and len(content) > 2:
            yield from block(start, content)
        else:
            opened = [content]
    if stray:
        passed()
    if opened:
        yield from block(start, "\n".join(opened))


def _translate(value: Any, damage: Damage) -> Iterator[Any]:
    for record in objects(value):
        if isinstance(record, dict) and isinstance(record.get("context"), dict):
            yield Batch(spans=[_span(record, damage)], resource=_resource(record))
        elif isinstance(record, dict) and "trace_id" in record and ("body" in record or "severity_number" in record):
            yield Batch(logs=[_log(record, damage)], resource=_resource(record))
        else:
            foreign(record, damage, "a span or log record")


def _resource(record: dict[str, Any]) -> dict[str, Any] | None:
    resource = record.get("resource")
    return recorded(resource.get("attributes", resource)) if isinstance(resource, dict) else None


def _id(written: Any) -> Any:
    return written[2:] if isinstance(written, str) and written[:2] in ("0x", "0X") else written


def _span(record: dict[str, Any], damage: Damage) -> dict[str, Any]:
    context, status = record["context"], record.get("status")
    told: dict[str, Any] = {
        "traceId": _id(context.get("trace_id")),
        "spanId": _id(context.get("span_id")),
        "parentSpanId": _id(record.get("parent_id")),
        "name": record.get("name"),
        "startTimeUnixNano": iso_ns(record.get("start_time"), damage),
        "endTimeUnixNano": iso_ns(record.get("end_time"), damage),
        "attributes": recorded(record.get("attributes")),
        "events": [
            {
                "name": event.get("name"),
                "timeUnixNano": iso_ns(event.get("timestamp"), damage),
                "attributes": recorded(event.get("attributes")),
            }
            for event in dicts(record.get("events"))
        ],
        "links": [
            {"traceId": _id(link["context"].get("trace_id")), "spanId": _id(link["context"].get("span_id"))}
            for link in dicts(record.get("links"))
            if isinstance(link.get("context"), dict)
        ],
    }
    if isinstance(status, dict):
        told["status"] = {"code": code_of(status.get("status_code")), "message": status.get("description")}
    return told


def _log(record: dict[str, Any], damage: Damage) -> dict[str, Any]:
    body = record.get("body")
    return {
        "traceId": _id(record.get("trace_id")),
        "spanId": _id(record.get("span_id")),
        "timeUnixNano": iso_ns(record.get("timestamp"), damage),
        "observedTimeUnixNano": iso_ns(record.get("observed_timestamp"), damage),
        "severityText": record.get("severity_text"),
        "eventName": record.get("event_name"),
        "droppedAttributesCount": record.get("dropped_attributes"),
        "attributes": recorded(record.get("attributes")),
        "body": {"kvlistValue": {"values": [{"key": k, "value": {"value": v}} for k, v in body.items()]}}
        if isinstance(body, dict)
        else body,
    }
