"""Zipkin's JSON, version 2: flat spans with string tags and times in microseconds.

``docs/formats/zipkin.md`` says what is read, how it maps and what the format cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import documents
from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.importers._spans import Batch, code_of, foreign, objects, recorded, scaled, traces_of
from seamwise.record import Trace


class Zipkin:
    """The importer of Zipkin's JSON."""

    name = "zipkin"
    version = 1
    summary = "Zipkin's JSON, version 2, with whatever GenAI attributes stand in its tags"

    def sniff(self, head: bytes) -> int:
        """Whether flat spans stand in it as Zipkin names their fields."""
        seen = outline(head)
        for inside in ("[].", "[][].", ""):
            named = seen.has(inside + "traceId", inside + "id") and not seen.has(inside + "type")
            if named and (seen.has(inside + "localEndpoint") or seen.has(inside + "timestamp", inside + "tags")):
                return 84
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        pieces = documents(source, sink)
        yield from traces_of(source, sink, pieces, _translate, "Zipkin's JSON", resources_recorded=False, own_ids=True)


IMPORTER = Zipkin()


def _translate(value: Any, damage: Damage) -> Iterator[Any]:
    for outer in objects(value):
        for span in objects(outer):
            if not isinstance(span, dict) or "traceId" not in span or "id" not in span:
                foreign(span, damage, "a span of Zipkin")
                continue
            endpoint = span.get("localEndpoint")
            service = endpoint.get("serviceName") if isinstance(endpoint, dict) else None
            yield Batch(spans=[_span(span, damage)], resource={"service.name": service} if isinstance(service, str) else None)


def _span(span: dict[str, Any], damage: Damage) -> dict[str, Any]:
    tags = recorded(span.get("tags"))
    start = scaled(span.get("timestamp"), 1000, damage)
    length = scaled(span.get("duration"), 1000, damage)
    code = code_of(tags.pop("otel.status_code", None))
    error = tags.get("error")
    message = tags.pop("otel.status_description", None)
    if not code and error is not None and str(error).lower() != "false":
        code, message = 2, message or (error if isinstance(error, str) and error.lower() not in ("true", "") else None)
    return {
        "traceId": span.get("traceId"),
        "spanId": span.get("id"),
        "parentSpanId": span.get("parentId"),
        "name": span.get("name"),
        "startTimeUnixNano": start,
        "endTimeUnixNano": start + length if start is not None and length is not None else None,
        "attributes": tags,
        "events": [
            {"name": str(note.get("value", "")), "timeUnixNano": scaled(note.get("timestamp"), 1000, damage)}
            for note in span.get("annotations") or ()
            if isinstance(note, dict)
        ]
        if isinstance(span.get("annotations"), list)
        else [],
        "status": {"code": code, "message": message},
    }
