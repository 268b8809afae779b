"""One run, written in every container of spans: what an exporter of each would have written of the same spans."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from unit.importers.otlp_fixtures import MS, RESOURCE, T0, agent, chat, request, said, span, tool

Span = dict[str, Any]

SYSTEM, ASK, ROUTE, DONE = (
    said("system", "You route."),
    said("user", "Refund order 7."),
    said("assistant", "Billing does that.", finish_reason="stop"),
    said("assistant", "Refunded.", finish_reason="stop"),
)

RUN: list[Span] = [
    agent(1, "intake", at=(0, 500), attrs={"gen_ai.conversation.id": "case-7"}),
    chat(2, 1, (10, 60), told=[SYSTEM, ASK], answered=[ROUTE], attrs={"gen_ai.response.id": "r-1"}),
    tool(3, "transfer_to_billing", 1, (70, 75), call="c1", arguments={"reason": "refund"}, result={"ok": True}, status=1),
    agent(4, "billing", 1, (80, 480)),
    chat(5, 4, (90, 120), told=[SYSTEM, ASK, ROUTE, said("user", "Go on.")], answered=[DONE], attrs={"gen_ai.response.id": "r-2"}),
    tool(6, "refund", 4, (130, 140), call="c2", arguments={"order": "7", "cents": 1500}, result={"status": "done"}),
    tool(7, "notify", 4, (150, 160), call="c3", arguments={"to": "customer"}, more={"status": {"code": 2, "message": "no such address"}}),
    span(8, "search", 4, (170, 180), attrs={"openinference.span.kind": "RETRIEVER", "input.value": "order 7", "eval.score": "0.4"}),
    span(9, "step", 4, (190, 200), attrs={"note": "plain"}),
]
"""A handoff with its receiver, two model calls, a tool that answers, one that fails, a label: only what every container can hold."""


def plain(attributes: list[dict[str, Any]] | None) -> dict[str, Any]:
    """Attributes of OTLP as a plain map."""
    return {pair["key"]: next(iter(pair["value"].values()), None) for pair in attributes or ()}


def iso(ns: str | int, digits: int = 6) -> str:
    """A moment in ISO 8601."""
    seconds, rest = divmod(int(ns), 1_000_000_000)
    fraction = f"{rest:09d}"[:digits]
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{fraction}Z"


def start(of: Span) -> int:
    return int(of["startTimeUnixNano"])


def end(of: Span) -> int:
    return int(of["endTimeUnixNano"])


def code(of: Span) -> int:
    return int(of.get("status", {}).get("code", 0))


def message(of: Span) -> str | None:
    found = of.get("status", {}).get("message")
    return None if found is None else str(found)


def otlp(spans: list[Span]) -> bytes:
    return json.dumps(request(*spans)).encode()


def otel_console(spans: list[Span]) -> bytes:
    """As Python's ConsoleSpanExporter prints, children before parents."""
    return "".join(
        json.dumps(
            {
                "name": s["name"],
                "context": {"trace_id": f"0x{s['traceId']}", "span_id": f"0x{s['spanId']}", "trace_state": "[]"},
                "kind": "SpanKind.INTERNAL",
                "parent_id": f"0x{s['parentSpanId']}" if "parentSpanId" in s else None,
                "start_time": iso(start(s)),
                "end_time": iso(end(s)),
                "status": {"status_code": ("UNSET", "OK", "ERROR")[code(s)]} | ({"description": message(s)} if message(s) else {}),
                "attributes": plain(s["attributes"]),
                "events": [],
                "links": [],
                "resource": {"attributes": RESOURCE, "schema_url": ""},
            },
            indent=4,
        )
        + "\n"
        for s in reversed(spans)
    ).encode()


def otel_js(spans: list[Span]) -> bytes:
    """As JavaScript's ReadableSpan looks in JSON."""
    made = [
        {
            "name": s["name"],
            "spanContext": {"traceId": s["traceId"], "spanId": s["spanId"], "traceFlags": 1},
            "startTime": list(divmod(start(s), 1_000_000_000)),
            "endTime": list(divmod(end(s), 1_000_000_000)),
            "status": {"code": code(s)} | ({"message": message(s)} if message(s) else {}),
            "attributes": plain(s["attributes"]),
            "events": [],
        }
        | ({"parentSpanContext": {"traceId": s["traceId"], "spanId": s["parentSpanId"]}} if "parentSpanId" in s else {})
        for s in spans
    ]
    return json.dumps(made, indent=2).encode()


def otel_flat(spans: list[Span]) -> bytes:
    """A list of flat spans."""
    made = [
        {
            "trace_id": s["traceId"],
            "span_id": s["spanId"],
            "parent_span_id": s.get("parentSpanId"),
            "name": s["name"],
            "start_time": start(s),
            "end_time": end(s),
            "attributes": plain(s["attributes"]),
            "scope": {"name": "x", "version": ""},
            "status": {"code": ("UNSET", "OK", "ERROR")[code(s)], "message": message(s)},
            "span_events": [],
        }
        for s in spans
    ]
    return json.dumps({"session_id": "case-7", "span_count": len(made), "spans": made}).encode()


def cloudwatch(spans: list[Span]) -> bytes:
    """One flat span a line, as ADOT writes them to CloudWatch."""
    lines = [
        {
            "resource": {"attributes": RESOURCE},
            "scope": {"name": "x"},
            "traceId": s["traceId"],
            "spanId": s["spanId"],
            "name": s["name"],
            "kind": "INTERNAL",
            "startTimeUnixNano": start(s),
            "endTimeUnixNano": end(s),
            "durationNano": end(s) - start(s),
            "attributes": plain(s["attributes"]),
            "status": {"code": ("UNSET", "OK", "ERROR")[code(s)]} | ({"message": message(s)} if message(s) else {}),
        }
        | ({"parentSpanId": s["parentSpanId"]} if "parentSpanId" in s else {})
        for s in spans
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def jaeger(spans: list[Span]) -> bytes:
    """As Jaeger's query API answers."""
    made = []
    for s in spans:
        tags = [{"key": k, "type": "string", "value": v} for k, v in plain(s["attributes"]).items()]
        if code(s):
            tags.append({"key": "otel.status_code", "type": "string", "value": ("", "OK", "ERROR")[code(s)]})
        if message(s):
            tags.append({"key": "otel.status_description", "type": "string", "value": message(s)})
        made.append(
            {
                "traceID": s["traceId"],
                "spanID": s["spanId"],
                "operationName": s["name"],
                "references": [{"refType": "CHILD_OF", "traceID": s["traceId"], "spanID": s["parentSpanId"]}]
                if "parentSpanId" in s
                else [],
                "startTime": start(s) // 1000,
                "duration": (end(s) - start(s)) // 1000,
                "tags": tags,
                "logs": [],
                "processID": "p1",
                "warnings": None,
            }
        )
    tags = [{"key": "service.instance.id", "type": "string", "value": RESOURCE["service.instance.id"]}]
    processes = {"p1": {"serviceName": RESOURCE["service.name"], "tags": tags}}
    return json.dumps({"data": [{"traceID": spans[0]["traceId"], "spans": made, "processes": processes}], "total": 0}).encode()


def zipkin(spans: list[Span]) -> bytes:
    """As Zipkin's API answers: tags are texts."""
    made = []
    for s in spans:
        tags = {k: str(v) for k, v in plain(s["attributes"]).items()}
        if code(s):
            tags["otel.status_code"] = ("", "OK", "ERROR")[code(s)]
        if message(s):
            tags["otel.status_description"] = message(s) or ""
        made.append(
            {
                "traceId": s["traceId"],
                "id": s["spanId"],
                "name": s["name"],
                "timestamp": start(s) // 1000,
                "duration": (end(s) - start(s)) // 1000,
                "localEndpoint": {"serviceName": RESOURCE["service.name"]},
                "tags": tags,
            }
            | ({"parentId": s["parentSpanId"]} if "parentSpanId" in s else {})
        )
    return json.dumps(made).encode()


def nested(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes as objects inside objects."""
    made: dict[str, Any] = {}
    for key, content in attributes.items():
        at = made
        *above, last = key.split(".")
        for word in above:
            at = at.setdefault(word, {})
        at[last] = content
    return made


def phoenix(spans: list[Span]) -> bytes:
    """As Phoenix gives spans out, attributes nested."""
    made = [
        {
            "id": f"U3Bhbjo{i}",
            "name": s["name"],
            "context": {"trace_id": s["traceId"], "span_id": s["spanId"]},
            "span_kind": plain(s["attributes"]).get("openinference.span.kind", "UNKNOWN"),
            "parent_id": s.get("parentSpanId"),
            "start_time": iso(start(s)).replace("Z", "+00:00"),
            "end_time": iso(end(s)).replace("Z", "+00:00"),
            "status_code": ("UNSET", "OK", "ERROR")[code(s)],
            "status_message": message(s) or "",
            "attributes": nested(plain(s["attributes"])),
            "events": [],
        }
        for i, s in enumerate(spans)
    ]
    return json.dumps(made).encode()


def trail(spans: list[Span]) -> bytes:
    """As TRAIL stores a trace: spans inside spans."""
    made = {
        s["spanId"]: {
            "timestamp": iso(start(s)),
            "trace_id": s["traceId"],
            "span_id": s["spanId"],
            "parent_span_id": s.get("parentSpanId"),
            "trace_state": "",
            "span_name": s["name"],
            "span_kind": "Internal",
            "service_name": RESOURCE["service.name"],
            "resource_attributes": RESOURCE,
            "scope_name": "x",
            "scope_version": "1",
            "span_attributes": plain(s["attributes"]),
            "duration": f"PT{(end(s) - start(s)) // MS / 1000:.6f}S",
            "status_code": ("Unset", "Ok", "Error")[code(s)],
            "status_message": message(s) or "",
            "events": [],
            "links": [],
            "logs": [],
            "child_spans": [],
        }
        for s in spans
    }
    roots = []
    for s in spans:
        siblings = made[s["parentSpanId"]]["child_spans"] if s.get("parentSpanId") in made else roots
        assert isinstance(siblings, list)
        siblings.append(made[s["spanId"]])
    return json.dumps({"trace_id": spans[0]["traceId"], "spans": roots}).encode()


def langfuse(spans: list[Span]) -> bytes:
    """As Langfuse exports a trace that its OpenTelemetry endpoint received: observations named twice, once poorer."""
    full, poor = [], []
    for s in spans:
        attributes = plain(s["attributes"])
        metadata = {"attributes": attributes, "resourceAttributes": RESOURCE, "scope": {"name": "x"}}
        made = {
            "id": s["spanId"],
            "traceId": s["traceId"],
            "parentObservationId": s.get("parentSpanId"),
            "type": "SPAN",
            "name": s["name"],
            "startTime": iso(start(s), 3),
            "endTime": iso(end(s), 3),
            "level": "ERROR" if code(s) == 2 else "DEFAULT",
            "statusMessage": message(s),
            "usageDetails": {},
        }
        full.append({**made, "input": None, "output": None, "metadata": json.dumps(metadata)})
        poor.append({**made, "metadata": "{}"})
    full.reverse()
    trace = {"id": spans[0]["traceId"], "projectId": "p", "name": "case", "timestamp": iso(start(spans[0]), 3), "sessionId": "case-7"}
    return json.dumps({"trace": {**trace, "scores": [], "observations": poor}, "observations": full}).encode()


WRITERS = {
    "otlp": otlp,
    "otel_console": otel_console,
    "otel_js": otel_js,
    "otel_flat": otel_flat,
    "otel_flat/cloudwatch": cloudwatch,
    "jaeger": jaeger,
    "zipkin": zipkin,
    "phoenix": phoenix,
    "trail": trail,
    "langfuse": langfuse,
}
"""Format, and which of its shapes -> what writes it."""

assert T0 % MS == 0
