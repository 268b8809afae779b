"""Jaeger's JSON, as its UI and its query API give traces out: tags with types, microseconds, a duration instead of an end.

``docs/formats/jaeger.md`` says what is read, how it maps and what the format cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import documents
from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.importers._spans import Batch, code_of, dicts, foreign, objects, scaled, traces_of
from seamwise.record import Trace

_SPAN = ("traceID", "spanID", "operationName")


class Jaeger:
    """The importer of Jaeger's JSON."""

    name = "jaeger"
    version = 1
    summary = "Jaeger's JSON (UI download, query API), with whatever GenAI attributes stand in its tags"

    def sniff(self, head: bytes) -> int:
        """Whether spans stand in it as Jaeger names their fields."""
        seen = outline(head)
        inside = ("data[].spans[].", "[].spans[].", "spans[].", "", "[].", "data.spans[].")
        return 90 if any(seen.has(*(place + key for key in _SPAN)) for place in inside) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        found = documents(source, sink)
        yield from traces_of(source, sink, found, _translate, "Jaeger's JSON", resources_recorded=False, own_ids=True)


IMPORTER = Jaeger()


def _translate(value: Any, damage: Damage) -> Iterator[Any]:
    inner = value.get("data") if isinstance(value, dict) and isinstance(value.get("data"), (list, dict)) else value
    for trace in objects(inner):
        if isinstance(trace, dict) and isinstance(trace.get("spans"), list):
            processes = trace.get("processes")
            yield from _spans(trace["spans"], processes if isinstance(processes, dict) else {}, damage)
        elif isinstance(trace, dict) and "spanID" in trace:
            yield from _spans([trace], {}, damage)
        else:
            foreign(trace, damage, "a trace of Jaeger")


def _spans(spans: list[Any], processes: dict[str, Any], damage: Damage) -> Iterator[Any]:
    by_process: dict[str, list[dict[str, Any]]] = {}
    own: list[Any] = []
    for span in spans:
        if not isinstance(span, dict) or "spanID" not in span:
            foreign(span, damage, "a span of Jaeger")
        elif isinstance(span.get("process"), dict):
            own.append(span)
        else:
            by_process.setdefault(str(span.get("processID")), []).append(span)
    for name, those in by_process.items():
        yield Batch(spans=[_span(span, damage) for span in those], resource=_resource(processes.get(name)))
    for span in own:
        yield Batch(spans=[_span(span, damage)], resource=_resource(span["process"]))


def _resource(process: Any) -> dict[str, Any] | None:
    if not isinstance(process, dict):
        return None
    named = {"service.name": process["serviceName"]} if isinstance(process.get("serviceName"), str) else {}
    return named | _tags(process.get("tags"))


def _span(span: dict[str, Any], damage: Damage) -> dict[str, Any]:
    tags = _tags(span.get("tags"))
    start = scaled(span.get("startTime"), 1000, damage)
    length = scaled(span.get("duration"), 1000, damage)
    code = code_of(tags.pop("otel.status_code", None))
    if not code and str(tags.get("error", "")).lower() == "true":
        code = 2
    for warning in span.get("warnings") or () if isinstance(span.get("warnings"), list) else ():
        damage.note("jaeger_warning", f"span `{span.get('spanID')}`: Jaeger says: {str(warning)[:200]}")
    parent, links = _above(span)
    return {
        "traceId": span.get("traceID"),
        "spanId": span.get("spanID"),
        "parentSpanId": parent,
        "name": span.get("operationName"),
        "startTimeUnixNano": start,
        "endTimeUnixNano": start + length if start is not None and length is not None else None,
        "attributes": tags,
        "events": [_event(log, damage) for log in dicts(span.get("logs"))],
        "links": links,
        "status": {"code": code, "message": _text(tags.pop("otel.status_description", None))},
    }


def _above(span: dict[str, Any]) -> tuple[Any, list[dict[str, Any]]]:
    """The parent, which is the first reference of its own trace (a child before a follower), and the other references as links."""
    references = dicts(span.get("references"))
    own = [r for r in references if r.get("traceID") == span.get("traceID")]
    own.sort(key=lambda r: r.get("refType") != "CHILD_OF")
    parent = own[0] if own else None
    links = [{"traceId": r.get("traceID"), "spanId": r.get("spanID")} for r in references if r is not parent]
    return (parent.get("spanID") if parent is not None else span.get("parentSpanID")), links


def _event(log: dict[str, Any], damage: Damage) -> dict[str, Any]:
    fields = _tags(log.get("fields"))
    name = fields.pop("event", fields.get("message", "log"))
    return {"name": _text(name), "timeUnixNano": scaled(log.get("timestamp"), 1000, damage), "attributes": fields}


def _tags(tags: Any) -> dict[str, Any]:
    """Tags as a map; whole numbers that were written as text are numbers again."""
    made: dict[str, Any] = {}
    for tag in dicts(tags):
        key, value = tag.get("key"), tag.get("value")
        if not isinstance(key, str) or value is None:
            continue
        if tag.get("type") == "int64" and isinstance(value, str) and value.lstrip("-").isdecimal():
            value = int(value)
        elif tag.get("type") == "bool" and isinstance(value, str):
            value = value.lower() == "true"
        made[key] = value
    return made


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
