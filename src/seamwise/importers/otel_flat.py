"""Lists of OpenTelemetry spans without OTLP's nesting: one object a span, attributes as a plain map.

AWS writes them so (ADOT, in CloudWatch's ``aws/spans``), and so do dumps of evaluation libraries (strands). Keys in snake_case or
camelCase; a list, an object with ``spans``, or one span a line. ``docs/formats/otel_flat.md`` says the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.text import parsed
from seamwise.importers._source import Source
from seamwise.importers._spans import Batch, code_of, dicts, foreign, iso_ns, objects, recorded, traces_of
from seamwise.record import Trace

_SNAKE = ("trace_id", "span_id", "parent_span_id", "start_time", "attributes")
_CAMEL = ("traceId", "spanId", "startTimeUnixNano", "attributes")
_CONVENTIONS = ("gen_ai.", "openinference.", "traceloop.", "llm.", "ai.")
"""How attributes begin that say what a span was."""

_LOG = ("traceId", "spanId", "body", "timeUnixNano")


class OtelFlat:
    """The importer of flat spans."""

    name = "otel_flat"
    version = 1
    summary = "OpenTelemetry spans as flat objects, in a list or one a line (AWS ADOT in CloudWatch, strands and other dumps)"

    def sniff(self, head: bytes) -> int:
        """Whether ids, start and attributes stand in one object."""
        seen = outline(head)
        for inside in ("", "[].", "spans[]."):
            for keys in (_SNAKE, _CAMEL, _LOG):
                if seen.has(*(inside + key for key in keys)) and not seen.has(inside + "child_spans"):
                    return 82
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        yield from traces_of(source, sink, pieces(source, sink), _translate, "flat spans", resources_recorded=False, own_ids=True)


IMPORTER = OtelFlat()


def _translate(value: Any, damage: Damage) -> Iterator[Any]:
    if isinstance(value, dict) and isinstance(value.get("spans"), list):
        session = value.get("session_id")
        for span in value["spans"]:
            if session is not None and isinstance(span, dict) and isinstance(span.get("attributes"), dict):
                span["attributes"].setdefault("session.id", session)
        value = value["spans"]
    for record in objects(value):
        if not isinstance(record, dict) or not {"trace_id", "traceId"} & record.keys():
            foreign(record, damage, "a flat span")
            continue
        resource = record.get("resource")
        attributes = recorded(resource.get("attributes", resource)) if isinstance(resource, dict) else None
        if "body" in record and not {"start_time", "startTimeUnixNano", "name"} & record.keys():
            yield Batch(logs=[_log(record)], resource=attributes)
        else:
            yield Batch(spans=[_span(record, damage)], resource=attributes)


def _span(record: dict[str, Any], damage: Damage) -> dict[str, Any]:
    def of(*keys: str) -> Any:
        return next((record[key] for key in keys if record.get(key) is not None), None)

    events = [_event(event, damage) for key in ("events", "span_events", "log_records") for event in dicts(record.get(key))]
    attributes = recorded(record.get("attributes"))
    if not any(key.startswith(_CONVENTIONS) for key in attributes):
        for event in events:
            attributes |= _moved(event["attributes"])
    told: dict[str, Any] = {
        "traceId": of("trace_id", "traceId"),
        "spanId": of("span_id", "spanId"),
        "parentSpanId": of("parent_span_id", "parentSpanId", "parent_id"),
        "name": record.get("name"),
        "startTimeUnixNano": _moment(of("start_time", "startTimeUnixNano"), damage),
        "endTimeUnixNano": _moment(of("end_time", "endTimeUnixNano"), damage),
        "attributes": attributes,
        "droppedAttributesCount": of("dropped_attributes_count", "droppedAttributesCount"),
        "droppedEventsCount": of("dropped_events_count", "droppedEventsCount"),
        "events": events,
        "links": record.get("links"),
    }
    status = record.get("status", record.get("status_code"))
    if isinstance(status, dict):
        told["status"] = {"code": code_of(of_status(status)), "message": status.get("message", status.get("description"))}
    elif status is not None:
        told["status"] = {"code": code_of(status), "message": record.get("status_message")}
    return told


def of_status(status: dict[str, Any]) -> Any:
    """The code of a status, under either key."""
    return status.get("code", status.get("status_code"))


def _event(event: dict[str, Any], damage: Damage) -> dict[str, Any]:
    """An event of a span; a body, as log records have one, stands among its attributes."""
    attributes = recorded(event.get("attributes"))
    body = event.get("body")
    if isinstance(body, dict):
        attributes |= recorded(body)
    elif body is not None:
        attributes["body"] = body
    name = event.get("event_name", event.get("name", event.get("eventName", attributes.get("event.name"))))
    return {
        "name": name,
        "timeUnixNano": _moment(event.get("timestamp", event.get("timeUnixNano", event.get("time"))), damage),
        "attributes": attributes,
    }


def _moved(event: dict[str, Any]) -> dict[str, Any]:
    """The attributes that ADOT moved out of a span of LangChain into an event's body; they are taken out of the event.

    What the run was, its output shows: only a model's run returns ``generations``, only a tool's a message of type ``tool``.
    """
    told, answered = _only(event.get("input")), _only(event.get("output"))
    reply = parsed(answered)
    if not isinstance(reply, dict):
        return {}
    if isinstance(reply.get("generations"), list):
        made = {"openinference.span.kind": "LLM", "input.value": event.pop("input", None), "output.value": answered}
    elif reply.get("type") == "tool" and "content" in reply:
        made = {
            "openinference.span.kind": "TOOL",
            "tool.name": reply.get("name"),
            "tool.id": reply.get("tool_call_id"),
            "input.value": told,
            "output.value": reply["content"],
        }
        event.pop("input", None)
    else:
        return {}
    del event["output"]
    return recorded(made)


def _only(side: Any) -> Any:
    """The content of the only message of a side of the body."""
    messages = side.get("messages") if isinstance(side, dict) else None
    return messages[0].get("content") if isinstance(messages, list) and len(messages) == 1 and isinstance(messages[0], dict) else None


def _log(record: dict[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in record.items() if key != "body"}
    body = record["body"]
    attributes = recorded(record.get("attributes"))
    if isinstance(body, dict):
        attributes |= recorded(body)
    else:
        made["body"] = {"stringValue": body} if isinstance(body, str) else None
    return made | {"attributes": attributes}


def _moment(value: Any, damage: Damage) -> Any:
    """Nanoseconds, as they are, or of a moment in ISO 8601."""
    if isinstance(value, str) and not value.strip().isdecimal():
        return iso_ns(value, damage)
    return value
