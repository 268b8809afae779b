"""Dumps of spans as JavaScript's SDK holds them (``ReadableSpan``): ids in ``spanContext``, times as ``[seconds, nanoseconds]``.

A library's test exporter or ``JSON.stringify(exporter.getFinishedSpans())`` writes them. ``docs/formats/otel_js.md`` says the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.loose import Damage
from seamwise.importers._source import Source, plain_text
from seamwise.importers._spans import Batch, code_of, dicts, foreign, iso_ns, objects, recorded, traces_of
from seamwise.record import Trace

_CONTEXT = re.compile(rb'"_?spanContext"\s*:\s*\{[^{}]*"traceId"\s*:')


class OtelJs:
    """The importer of dumps of JavaScript's spans."""

    name = "otel_js"
    version = 1
    summary = "dumps of spans as OpenTelemetry's JavaScript SDK holds them (spanContext, hrTime), such as those of the Vercel AI SDK"

    def sniff(self, head: bytes) -> int:
        """Whether a span context stands in the text."""
        return 88 if _CONTEXT.search(plain_text(head)[0]) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        yield from traces_of(source, sink, pieces(source, sink), _translate, "a dump of JavaScript's spans", resources_recorded=False)


IMPORTER = OtelJs()


def _translate(value: Any, damage: Damage) -> Iterator[Any]:
    for record in objects(value):
        context = record.get("spanContext", record.get("_spanContext")) if isinstance(record, dict) else None
        if not isinstance(context, dict):
            foreign(record, damage, "a span of JavaScript's SDK")
            continue
        resource = record.get("resource")
        attributes = resource.get("attributes", resource.get("_attributes")) if isinstance(resource, dict) else None
        yield Batch(spans=[_span(record, context, damage)], resource=recorded(attributes) or None)


def _span(record: dict[str, Any], context: dict[str, Any], damage: Damage) -> dict[str, Any]:
    parent = record.get("parentSpanContext")
    told: dict[str, Any] = {
        "traceId": context.get("traceId"),
        "spanId": context.get("spanId"),
        "parentSpanId": parent.get("spanId") if isinstance(parent, dict) else record.get("parentSpanId"),
        "name": record.get("name"),
        "startTimeUnixNano": _moment(record.get("startTime"), damage),
        "endTimeUnixNano": _moment(record.get("endTime"), damage),
        "attributes": recorded(record.get("attributes")),
        "droppedAttributesCount": record.get("droppedAttributesCount"),
        "droppedEventsCount": record.get("droppedEventsCount"),
        "events": [
            {"name": e.get("name"), "timeUnixNano": _moment(e.get("time"), damage), "attributes": recorded(e.get("attributes"))}
            for e in dicts(record.get("events"))
        ],
        "links": [link.get("context") for link in dicts(record.get("links"))],
    }
    status = record.get("status")
    if isinstance(status, dict):
        told["status"] = {"code": code_of(status.get("code")), "message": status.get("message")}
    return told


def _moment(pair: Any, damage: Damage) -> int | None:
    """Nanoseconds of ``[seconds, nanoseconds]``; zero stands for a time that was not recorded."""
    if pair is None:
        return None
    if isinstance(pair, list) and len(pair) == 2 and all(type(part) is int for part in pair):
        return int(pair[0]) * 1_000_000_000 + int(pair[1])

    return iso_ns(pair, damage)
