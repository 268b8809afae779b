"""TRAIL's recordings: spans inside spans (``child_spans``), with attributes of OpenInference and a duration instead of an end.

Its annotation files (errors with their places, scores) are evaluation labels: they are recognised, and everything in them is sealed.
``docs/formats/trail.md`` says what is read, how it maps and what the format cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import documents
from seamwise.importers._shared.labels import seal, without_labels
from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.importers._spans import Batch, code_of, dicts, duration_ns, flattened, foreign, iso_ns, objects, recorded, traces_of
from seamwise.record import Trace


class Trail:
    """The importer of TRAIL."""

    name = "trail"
    version = 1
    summary = "TRAIL's nested spans (child_spans, OpenInference attributes); its annotation files are recognised and sealed"

    def sniff(self, head: bytes) -> int:
        """Whether nested spans or annotations stand in it as TRAIL names their fields."""
        seen = outline(head)
        for inside in ("spans[].", "[].spans[].", "[].", ""):
            if seen.has(inside + "span_id", inside + "span_attributes") or seen.has(inside + "span_id", inside + "child_spans"):
                return 90
        return 85 if seen.has("errors[].category", "errors[].location") else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""

        def translate(value: Any, damage: Damage) -> Iterator[Batch]:
            for trace in objects(value):
                if not isinstance(trace, dict):
                    foreign(trace, damage, "a trace of TRAIL")
                elif isinstance(trace.get("errors"), list) and "spans" not in trace:
                    _annotations(trace, source, sink)
                    yield Batch()
                elif "spans" in trace or "span_id" in trace:
                    spans = trace["spans"] if isinstance(trace.get("spans"), list) else [trace]
                    yield from _walked(spans, trace.get("trace_id"), damage, sink)
                else:
                    foreign(trace, damage, "a trace of TRAIL")

        found = documents(source, sink)
        yield from traces_of(source, sink, found, translate, "a trace of TRAIL", resources_recorded=False, own_ids=True)


IMPORTER = Trail()


def _annotations(value: dict[str, Any], source: Source, sink: Sink) -> None:
    """Seals what an annotation file says. The trace is the one that it names, else that of the file's name, as TRAIL pairs them."""
    trace = str(value.get("trace_id") or PurePath(source.path).stem)
    for error in value["errors"]:
        sink.report.records += 1
        sink.report.drop("evaluation labels: sealed", harmless=True)
        location = error.get("location") if isinstance(error, dict) else None
        seal(sink, trace, location if isinstance(location, str) else None, "errors", error)
    for key, inner in value.items():
        if key not in ("errors", "trace_id"):
            sink.report.records += 1
            sink.report.drop("evaluation labels: sealed", harmless=True)
            seal(sink, trace, None, key, inner)


def _walked(spans: list[Any], trace: Any, damage: Damage, sink: Sink) -> Iterator[Batch]:
    """All spans of a tree, parents first. A span is where it says; one that does not say it is a child of the span around it."""
    todo = [(span, None) for span in reversed(spans)]
    while todo:
        span, above = todo.pop()
        if not isinstance(span, dict) or "span_id" not in span:
            foreign(span, damage, "a span of TRAIL")
            continue
        children = span.get("child_spans")
        if isinstance(children, list):
            todo += [(child, span["span_id"]) for child in reversed(children)]
        resource = recorded(span.get("resource_attributes"))
        if isinstance(span.get("service_name"), str):
            resource.setdefault("service.name", span["service_name"])
        yield Batch(spans=[_span(span, above, trace, damage, sink)], resource=resource or None)


def _span(span: dict[str, Any], above: Any, trace: Any, damage: Damage, sink: Sink) -> dict[str, Any]:
    start = iso_ns(span.get("timestamp"), damage)
    length = duration_ns(span.get("duration"), damage)
    within = span.get("trace_id") or trace
    events = [_event(event, damage) for key in ("events", "logs") for event in dicts(span.get(key))]
    for event in events:  # the logs hold whole records of the benchmark, with the answers that were expected
        event["attributes"] = without_labels(event["attributes"], sink, str(within), str(span["span_id"]))
    return {
        "traceId": within,
        "spanId": span["span_id"],
        "parentSpanId": span.get("parent_span_id") or above,
        "name": span.get("span_name"),
        "startTimeUnixNano": start,
        "endTimeUnixNano": start + length if start is not None and length is not None else None,
        "attributes": flattened(span.get("span_attributes")),
        "events": events,
        "links": [{"traceId": link.get("trace_id"), "spanId": link.get("span_id")} for link in dicts(span.get("links"))],
        "status": {"code": code_of(span.get("status_code")), "message": span.get("status_message") or None},
    }


def _event(event: dict[str, Any], damage: Damage) -> dict[str, Any]:
    attributes = recorded(event.get("attributes", event.get("event_attributes", event.get("log_attributes"))))
    body = event.get("body")
    if isinstance(body, dict):
        attributes |= recorded(body)
    elif body is not None:
        attributes["body"] = body
    name = event.get("name", event.get("event_name", "log"))
    return {"name": name, "timeUnixNano": iso_ns(event.get("timestamp"), damage), "attributes": attributes}
