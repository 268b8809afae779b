"""One trace as native JSON Lines and as OTLP JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from motifs import Call

from seamwise.record import SCHEMA_VERSION, Ref, Step

_encode = msgspec.json.encode
_encode_lines = msgspec.json.Encoder().encode_lines
SOURCE = "desk"
MODEL = "desk-script-1"
STEP_NS = 300_000_000
"""Between two moments of a trace."""


class Chat(NamedTuple):
    """One model call: what went in, what came out."""

    actor: str
    asked: str
    said: str


Event = Call | Chat


class Trace(NamedTuple):
    """The events of one run, in order."""

    id: str
    start_ns: int
    events: list[Event]


def steps_of(event: Event) -> int:
    """How many steps an event is."""
    return 4 if isinstance(event, Chat) else 2 if event.result is not None else 1


def native_lines(trace: Trace) -> bytes:
    """The header line and a line for each step."""
    steps: list[Step] = []
    at = trace.start_ns
    for n, event in enumerate(trace.events):
        name = f"{n:016x}"
        if isinstance(event, Chat):
            _chat(steps, name, event, at)
        else:
            _call(steps, name, event, at)
        at += 3 * STEP_NS
    header = {"seamwise": SCHEMA_VERSION, "id": trace.id, "organization": {"agents": {e.actor: {"model": MODEL} for e in trace.events}}}
    return _encode(header) + b"\n" + _encode_lines(steps)


def _chat(steps: list[Step], name: str, chat: Chat, at: int) -> None:
    messages = [{"role": "user", "parts": [{"type": "text", "content": chat.asked}]}]
    attributes = {"gen_ai.provider.name": "scripted", "gen_ai.request.model": MODEL, "gen_ai.usage.input_tokens": len(chat.asked) // 4}
    common: dict[str, Any] = {"actor": chat.actor, "source": SOURCE}
    part = Ref(kind="part_of", step=f"{name}/input")
    steps += [
        Step(id=name, kind="model_call", call=name, data={"model": MODEL, "attributes": attributes}, time_ns=at, seq=len(steps), **common),
        Step(id=f"{name}/in/0", kind="message", text=chat.asked, data={"role": "user"}, refs=(part,), seq=len(steps) + 1, source=SOURCE),
        Step(
            id=f"{name}/input",
            kind="input",
            data={"for": name, "messages": messages, "whole": True},
            streams=(f"input/{chat.actor}",),
            time_ns=at,
            seq=len(steps) + 2,
            **common,
        ),
        Step(
            id=f"{name}/end",
            kind="model_result",
            call=name,
            status="ok",
            text=chat.said,
            data={"usage": {"output_tokens": len(chat.said) // 4}},
            refs=(Ref(kind="answers", step=name),),
            time_ns=at + STEP_NS,
            seq=len(steps) + 3,
            **common,
        ),
    ]


def _call(steps: list[Step], name: str, call: Call, at: int) -> None:
    common: dict[str, Any] = {"actor": call.actor, "tool": call.tool, "call": f"call_{name}", "source": SOURCE}
    steps.append(Step(id=name, kind="tool_call", data={"arguments": call.arguments}, time_ns=at, seq=len(steps), **common))
    if call.result is not None:
        text = call.result if isinstance(call.result, str) else _encode(call.result).decode()
        answers = Ref(kind="answers", step=name)
        end = Step(
            id=f"{name}/end",
            kind="tool_result",
            status="ok",
            text=text,
            data={"result": call.result},
            refs=(answers,),
            time_ns=at + STEP_NS,
            seq=len(steps),
            **common,
        )
        steps.append(end)


def otlp_line(trace: Trace) -> bytes:
    """One export request with a span for each event."""
    spans = []
    at = trace.start_ns
    for n, event in enumerate(trace.events):
        span = _span(f"{n:016x}", event, at)
        span["traceId"] = trace.id
        spans.append(span)
        at += 3 * STEP_NS
    resource = {"attributes": _attributes({"service.name": SOURCE})}
    scopes = [{"scope": {"name": "desk.agents", "version": "1.0"}, "spans": spans}]
    return _encode({"resourceSpans": [{"resource": resource, "scopeSpans": scopes}]}) + b"\n"


def _span(name: str, event: Event, at: int) -> dict[str, Any]:
    attributes: dict[str, str | int]
    if isinstance(event, Chat):
        title = f"chat {MODEL}"
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "scripted",
            "gen_ai.agent.name": event.actor,
            "gen_ai.request.model": MODEL,
            "gen_ai.input.messages": _messages("user", event.asked),
            "gen_ai.output.messages": _messages("assistant", event.said),
            "gen_ai.usage.input_tokens": len(event.asked) // 4,
            "gen_ai.usage.output_tokens": len(event.said) // 4,
        }
    else:
        title = f"execute_tool {event.tool}"
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.agent.name": event.actor,
            "gen_ai.tool.name": event.tool,
            "gen_ai.tool.call.id": f"call_{name}",
            "gen_ai.tool.call.arguments": _encode(event.arguments).decode(),
        }
        if event.result is not None:
            attributes["gen_ai.tool.call.result"] = event.result if isinstance(event.result, str) else _encode(event.result).decode()
    span: dict[str, Any] = {"spanId": name, "name": title, "kind": 1, "startTimeUnixNano": str(at), "attributes": _attributes(attributes)}
    if isinstance(event, Chat) or event.result is not None:
        span["endTimeUnixNano"] = str(at + STEP_NS)
    return span


def _messages(role: str, text: str) -> str:
    return _encode([{"role": role, "parts": [{"type": "text", "content": text}]}]).decode()


def _attributes(values: dict[str, str | int] | dict[str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": v} if isinstance(v, str) else {"intValue": str(v)}} for key, v in values.items()]
