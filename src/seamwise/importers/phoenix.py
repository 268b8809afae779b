"""Spans as Phoenix gives them out: flat objects with OpenInference attributes, nested or under dotted keys.

``docs/formats/phoenix.md`` says what is read, how it maps and what the format cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.importers._spans import Batch, code_of, dicts, flattened, foreign, iso_ns, objects, recorded, traces_of
from seamwise.record import Trace

_LABELS = ("annotations", "span_annotations", "evaluations", "document_evaluations")
_PLACES = ("", "[].", "data[].", "spans[].", "data.spans[].")


class Phoenix:
    """The importer of Phoenix's spans."""

    name = "phoenix"
    version = 1
    summary = "spans as Phoenix gives them out (its client, its API, a data frame as records), with OpenInference attributes"

    def sniff(self, head: bytes) -> int:
        """Whether a kind of span and a context stand in one object, without the signs of a console export."""
        seen = outline(head)
        for inside in _PLACES:
            if not seen.has(inside + "span_kind"):
                continue
            if seen.has(inside + "context.trace_id", inside + "context.span_id") or seen.has(
                inside + "context.span_id", inside + "parent_id"
            ):
                return 89
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""

        def translate(value: Any, damage: Damage) -> Iterator[Batch]:
            inner = value
            while isinstance(inner, dict) and isinstance(inner.get("data", inner.get("spans")), (list, dict)):
                inner = inner.get("data", inner.get("spans"))
            for record in objects(inner):
                context = _context(record)
                if context is None:
                    foreign(record, damage, "a span of Phoenix")
                    continue
                for key in _LABELS:
                    if record.get(key):
                        seal(sink, str(context.get("trace_id")), str(context.get("span_id")), key, record[key])
                yield Batch(spans=[_span(record, context, damage)])

        found = pieces(source, sink)
        yield from traces_of(source, sink, found, translate, "spans of Phoenix", resources_recorded=False, own_ids=True)


IMPORTER = Phoenix()


def _context(record: Any) -> dict[str, Any] | None:
    """Trace and span id: nested, or in dotted columns of a data frame."""
    if not isinstance(record, dict):
        return None
    context = record.get("context")
    if isinstance(context, dict):
        return context
    columns = {key.removeprefix("context."): value for key, value in record.items() if key.startswith("context.")}
    return columns or None


def _span(record: dict[str, Any], context: dict[str, Any], damage: Damage) -> dict[str, Any]:
    attributes = flattened(record.get("attributes"))
    for key, value in record.items():
        if key.startswith("attributes."):
            attributes |= flattened({key.removeprefix("attributes."): value})
    kind = record.get("span_kind")
    if isinstance(kind, str):
        attributes.setdefault("openinference.span.kind", kind)
    return {
        "traceId": context.get("trace_id"),
        "spanId": context.get("span_id"),
        "parentSpanId": record.get("parent_id"),
        "name": record.get("name"),
        "startTimeUnixNano": iso_ns(record.get("start_time"), damage),
        "endTimeUnixNano": iso_ns(record.get("end_time"), damage),
        "attributes": attributes,
        "events": [
            {"name": e.get("name"), "timeUnixNano": iso_ns(e.get("timestamp"), damage), "attributes": _event(e)}
            for e in dicts(record.get("events"))
        ],
        "status": {"code": code_of(record.get("status_code")), "message": record.get("status_message")},
    }


def _event(event: dict[str, Any]) -> dict[str, Any]:
    """What an event says: its attributes, or (in the database's form) fields of its own such as ``message``."""
    attributes = recorded(event.get("attributes"))
    if event.get("name") == "exception" and isinstance(event.get("message"), str):
        attributes.setdefault("exception.message", event["message"])
    return attributes
