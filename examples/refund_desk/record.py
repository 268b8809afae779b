"""Records the refund desk: a scripted multi-agent workflow under the real OpenTelemetry SDK.

The agents are scripts, not models: per contact it is written down what each of them says and which tools it calls. Everything else is
real: the tools have state, an agent's input is the messages that reached it, the spans come from the SDK with the GenAI semantic
conventions (v1.37 and later), and the file is written by OpenTelemetry's own OTLP JSON file exporter, one export request a line, children
before their parents. Clock and ids are seeded, so two runs write the same bytes.

`make record` runs it in an environment of its own (requirements/record.txt).
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from opentelemetry import trace
from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context
from scenario import AGENTS, CONTACTS, LOTS, MODEL, Call, Contact, Hand, Move, Say

HERE = Path(__file__).parent
RECORDING = HERE / "recording.otlp.jsonl"
SEED = 2026
SPANS_A_REQUEST = 8


class SeededIds(IdGenerator):
    """Span and trace ids from one seeded stream."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def generate_span_id(self) -> int:
        return self._random.getrandbits(64) or 1

    def generate_trace_id(self) -> int:
        return self._random.getrandbits(128) or 1


class Clock:
    """Time that passes only when somebody works, in steps from a seeded stream."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.now_ns = 0

    def set(self, moment: str) -> None:
        at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        self.now_ns = int(at.timestamp()) * 1_000_000_000

    def spend(self, low_ms: int, high_ms: int) -> int:
        self.now_ns += self._random.randrange(low_ms * 1_000_000, high_ms * 1_000_000)
        return self.now_ns


class InRequests(SpanExporter):
    """Hands finished spans on in requests of several, as a batching collector does; a trace is spread over many lines."""

    def __init__(self, exporter: SpanExporter, size: int) -> None:
        self._exporter = exporter
        self._size = size
        self._waiting: list[ReadableSpan] = []

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self._waiting += spans
        while len(self._waiting) >= self._size:
            request, self._waiting = self._waiting[: self._size], self._waiting[self._size :]
            self._exporter.export(request)
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        if self._waiting:
            self._exporter.export(self._waiting)
        self._exporter.shutdown()


class ToolError(Exception):
    """A tool's own word that it failed; `kind` becomes error.type."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class WorkerStopped(Exception):
    """The process was shut down in the middle of a call: open spans end, and nothing more is known."""


@dataclass
class Shop:
    """The state behind the tools."""

    credits: list[dict[str, Any]] = field(default_factory=list)
    next_credit: int = 1001
    next_ref: int = 471

    def issue_credit(self, agent: str, customer_id: str, amount: float, reason: str) -> Any:
        if customer_id == "c9" and agent == "escalation":
            raise ToolError("account_closed", "account c9 is closed; nothing was credited")
        self.credits.append({"customer_id": customer_id, "by": agent, "amount": f"{amount:.2f}"})
        self.next_credit += 1
        return {"status": "done", "credit_id": f"cr-{self.next_credit - 1}"}

    def refund(self, agent: str, cust: str, cents: int, note: str) -> Any:
        if cust == "c12":
            return "refused: order 5512 was already returned"
        self.credits.append({"customer_id": cust, "by": agent, "amount": f"{cents / 100:.2f}"})
        self.next_ref += 5
        return f"issued (ref {self.next_ref - 5})"

    def customer_history(self, agent: str, customer_id: str) -> Any:
        mine = [c for c in self.credits if c["customer_id"] == customer_id]
        total = sum(round(float(c["amount"]) * 100) for c in mine)
        return {
            "customer_id": customer_id,
            "credits": [{"by": c["by"], "amount": c["amount"]} for c in mine],
            "total": f"{total / 100:.2f}",
        }

    def order_status(self, agent: str, order_id: str) -> Any:
        return {"order_id": order_id, "status": "shipped"}

    def policy_check(self, agent: str, contract: str, version: int) -> Any:
        if contract == "k3":
            raise ToolError("timeout", "the policy service did not answer in 30 s")
        return {"status": "passed", "contract": contract, "version": version}

    def edit_contract(self, agent: str, contract: str, clause: str, text: str) -> Any:
        return {"status": "saved", "contract": contract, "version": 2}

    def sign_contract(self, agent: str, contract: str, version: int) -> Any:
        return {"status": "signed", "contract": contract, "version": version}

    def lot_lookup(self, agent: str, lot: str) -> Any:
        return {"lot": lot, **LOTS[lot]}

    def send_reply(self, agent: str, to: str, text: str | None = None, fields: dict[str, str] | None = None) -> Any:
        return {"status": "sent", "to": to}


def text_message(role: str, text: str, *, name: str | None = None) -> dict[str, Any]:
    return {"role": role, **({"name": name} if name else {}), "parts": [{"type": "text", "content": text}]}


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class Desk:
    """Runs contacts and records them."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._clock = Clock(SEED)
        self._ids = random.Random(SEED + 1)
        self._shop = Shop()
        provider = TracerProvider(
            sampler=ALWAYS_ON,
            resource=Resource({"service.name": "refund-desk", "service.version": "3.2.0", "deployment.environment.name": "production"}),
            id_generator=SeededIds(SEED),
            span_limits=SpanLimits(max_span_attributes=64, max_span_attribute_length=None),
            shutdown_on_exit=False,
        )
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        self._provider = provider
        self._tracer = provider.get_tracer("refund_desk.agents", "3.2.0")

    def close(self) -> None:
        self._provider.shutdown()

    @contextmanager
    def _span(self, name: str, kind: SpanKind, parent: Span | None, attributes: dict[str, Any]) -> Iterator[Span]:
        context = set_span_in_context(parent) if parent else trace.Context()
        span = self._tracer.start_span(name, context=context, kind=kind, attributes=attributes, start_time=self._clock.spend(1, 9))
        try:
            yield span
        finally:
            span.end(end_time=self._clock.spend(1, 9))

    def serve(self, number: int, contact: Contact) -> None:
        """One contact: a trace of its own, from the requester's words to the last agent's."""
        self._clock.set(contact.at)
        conversation = f"contact-{number:03d}"
        opening = text_message("user", contact.text, name=contact.requester)
        attributes = {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.workflow.name": "refund_desk",
            "gen_ai.conversation.id": conversation,
            "user.id": contact.requester,
            "gen_ai.input.messages": dumps([opening]),
        }
        with self._span("invoke_workflow refund_desk", SpanKind.INTERNAL, None, attributes) as root:
            reached, said = [opening], ""
            try:
                for agent, moves in contact.script:
                    note = self._work(root, conversation, agent, list(reached), moves)
                    reached.append(text_message("user", note, name=agent))
                    said = note
            except WorkerStopped:
                return
            root.set_attribute("gen_ai.output.messages", dumps([text_message("assistant", said) | {"finish_reason": "stop"}]))

    def _work(self, root: Span, conversation: str, agent: str, messages: list[dict[str, Any]], moves: Sequence[Move]) -> str:
        """One agent's part; returns the words that it leaves to whoever comes next."""
        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": "scripted",
            "gen_ai.agent.name": agent,
            "gen_ai.agent.description": AGENTS[agent].does,
            "gen_ai.conversation.id": conversation,
            "gen_ai.request.model": MODEL,
            "gen_ai.tool.definitions": dumps([{"type": "function", "name": name} for name in AGENTS[agent].tools]),
        }
        with self._span(f"invoke_agent {agent}", SpanKind.INTERNAL, root, attributes) as span:
            for move in moves:
                if isinstance(move, Say):
                    self._chat(span, conversation, agent, messages, text_message("assistant", move.text) | {"finish_reason": "stop"})
                    span.set_attribute("gen_ai.output.messages", dumps([text_message("assistant", move.text) | {"finish_reason": "stop"}]))
                    return move.text
                tool, arguments = (f"transfer_to_{move.to}", {"note": move.note}) if isinstance(move, Hand) else (move.tool, move.arguments)
                call_id = f"call_{self._ids.getrandbits(48):012x}"
                asked = {"type": "tool_call", "id": call_id, "name": tool, "arguments": arguments}
                self._chat(span, conversation, agent, messages, {"role": "assistant", "parts": [asked], "finish_reason": "tool_call"})
                answer = self._call(span, agent, tool, call_id, arguments, dies=isinstance(move, Call) and move.dies)
                messages.append({"role": "assistant", "parts": [asked]})
                messages.append({"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": answer}]})
                if isinstance(move, Hand):
                    return move.note
        raise ValueError(f"the script of {agent} in {conversation} neither says anything nor hands over")

    def _chat(self, parent: Span, conversation: str, agent: str, messages: list[dict[str, Any]], output: dict[str, Any]) -> None:
        given, written = dumps(messages), dumps([output])
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "scripted",
            "gen_ai.request.model": MODEL,
            "gen_ai.response.model": MODEL,
            "gen_ai.response.id": f"resp_{self._ids.getrandbits(48):012x}",
            "gen_ai.response.finish_reasons": [output["finish_reason"]],
            "gen_ai.conversation.id": conversation,
            "gen_ai.system_instructions": dumps([{"type": "text", "content": f"You are {agent}. {AGENTS[agent].does}"}]),
            "gen_ai.input.messages": given,
            "gen_ai.output.messages": written,
            "gen_ai.usage.input_tokens": len(given) // 4,
            "gen_ai.usage.output_tokens": len(written) // 4,
        }
        with self._span(f"chat {MODEL}", SpanKind.CLIENT, parent, attributes):
            self._clock.spend(400, 2600)

    def _call(self, parent: Span, agent: str, tool: str, call_id: str, arguments: dict[str, Any], *, dies: bool) -> Any:
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": tool,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.call.arguments": dumps(arguments),
        }
        with self._span(f"execute_tool {tool}", SpanKind.INTERNAL, parent, attributes) as span:
            self._clock.spend(20, 400)
            if dies:
                raise WorkerStopped
            if tool.startswith("transfer_to_"):
                result: Any = f"{tool.removeprefix('transfer_to_')} takes over"
            else:
                function: Callable[..., Any] = getattr(self._shop, tool)
                try:
                    result = function(agent, **arguments)
                except ToolError as error:
                    span.set_attribute("error.type", error.kind)
                    span.set_status(Status(StatusCode.ERROR, str(error)))
                    return {"error": str(error)}
            span.set_attribute("gen_ai.tool.call.result", result if isinstance(result, str) else dumps(result))
            return result


def record(path: Path) -> None:
    """The recording lies at path, whatever lay there before."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        desk = Desk(InRequests(FileSpanExporter(stream=stream), SPANS_A_REQUEST))
        for number, contact in enumerate(sorted(CONTACTS, key=lambda c: c.at), 1):
            desk.serve(number, contact)
        desk.close()


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else RECORDING
    record(target)
    print(f"wrote {target.name}: {len(CONTACTS)} contacts, {target.stat().st_size:,} bytes")
