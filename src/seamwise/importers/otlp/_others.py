"""Agent spans, and spans that are none of the known sorts; log records that are no part of a span."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Said, texts_of
from seamwise.importers._shared.text import parsed
from seamwise.importers.otlp._builder import Builder, order_of
from seamwise.importers.otlp._endings import ending_of
from seamwise.importers.otlp._model import conversation_of
from seamwise.importers.otlp._nodes import Event, Node
from seamwise.importers.otlp._offers import tools_offered
from seamwise.record import After, Ref, Step

_ABOUT = {
    "gen_ai.agent.id": "id",
    "gen_ai.agent.description": "description",
    "gen_ai.agent.version": "version",
}

_JUDGED = ("input.", "output.", "llm.", "metadata", "langfuse.observation.input", "langfuse.observation.output")
"""How attributes begin that hold what an evaluator was given, and its judgement."""

_INPUT = ("input.value", "langfuse.observation.input")
_OUTPUT = ("output.value", "langfuse.observation.output")


def agent_steps(builder: Builder, node: Node) -> None:
    """Puts ``agent_start`` and, where an ending is known, ``agent_end``."""
    told, answered = conversation_of(node)
    attributes = node.attributes
    about(builder, node)
    data: dict[str, Any] = tools_offered(attributes) if builder.seal.has_offers(attributes) else {}
    attributes.pop("gen_ai.operation.name", None)
    if told is not None and told.messages:
        data["messages"] = told.messages
    if attributes:
        data["attributes"] = attributes
    order = order_of(node)
    refs: tuple[Ref, ...] = ()
    if node.handed is not None:
        refs = (Ref(kind="handoff_of", step=node.handed),)
    builder.timed.append(
        (
            node.sort,
            Step(
                id=node.id,
                kind="agent_start",
                actor=node.agent,
                call=node.id,
                text=_words(told, attributes, _INPUT),
                data=data or None,
                time_ns=node.start,
                refs=refs,
                order=order,
                source=node.source,
            ),
        )
    )
    if node.end is None and answered is None and not node.code:
        builder.report.not_known("the ending of an agent's work")
        return
    ending = ending_of(node, answered=answered is not None or any(key in attributes for key in _OUTPUT))
    after: dict[str, Any] = {}
    if answered is not None and answered.messages:
        after["messages"] = answered.messages
    if ending.error is not None:
        after["error"] = ending.error
    if node.events and (events := builder.events(node)):
        after["events"] = events
    end = node.end_ns
    builder.timed.append(
        (
            end if end is not None else node.sort,
            Step(
                id=node.id + "/end",
                kind="agent_end",
                actor=node.agent,
                call=node.id,
                status=ending.status,
                text=_words(answered, attributes, _OUTPUT),
                data=after or None,
                time_ns=end,
                refs=(Ref(kind="answers", step=node.id),),
                order=(After(step=node.id, basis="sequence"),),
                source=node.source,
            ),
        )
    )


def about(builder: Builder, node: Node) -> None:
    """Remembers what a span says about its agent."""
    if node.agent is None:
        return
    known = builder.agents.setdefault(node.agent, {})
    for key, name in _ABOUT.items():
        if (value := node.attributes.get(key)) is not None:
            known.setdefault(name, value)


def _words(said: Said | None, attributes: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    if said is not None:
        return texts_of(said.messages)
    value = next((attributes[key] for key in keys if key in attributes), None)
    return value if isinstance(value, str) else None


def span_step(builder: Builder, node: Node) -> None:
    """Puts one ``span`` step: an interval of work that is no agent's, model's or tool's, or repeats one that is."""
    attributes = node.attributes
    if node.role == "create":
        about(builder, node)
    if node.role == "evaluator":
        for key in [k for k in attributes if k.startswith(_JUDGED)]:
            builder.seal.put(builder.trace, node.id, key, attributes.pop(key))
    data: dict[str, Any] = {"name": node.name}
    refs: tuple[Ref, ...] = ()
    twin = node.wraps[0] if node.wraps else node.twin or node.inner
    if twin is not None:
        data["repeats"] = twin.id
        refs = (Ref(kind="duplicate_of", step=twin.id),)
        for key in ("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"):
            if key in attributes:
                attributes[key] = parsed(attributes[key], builder.depth)
    elif node.role not in ("span", "create"):
        data["operation"] = node.role
    end = node.end_ns
    if end is not None:
        data["end_ns"] = end
    if attributes:
        data["attributes"] = attributes
    ending = ending_of(node, answered=False)
    if ending.error is not None:
        data["error"] = ending.error
    if node.events and (events := builder.events(node)):
        data["events"] = events
    if node.span.links:
        data["links"] = [{"trace": link.traceId, "span": link.spanId} for link in node.span.links]
    builder.timed.append(
        (
            node.sort,
            Step(
                id=node.id,
                kind="span",
                actor=node.actor,
                status=ending.status,
                data=data,
                time_ns=node.start,
                refs=refs,
                order=order_of(node),
                source=node.source,
            ),
        )
    )


def log_step(builder: Builder, number: int, event: Event, span: str | None, source: str) -> None:
    """Puts a log record that belongs to no span of the file as a ``note``, or as a ``message`` where it is one."""
    attributes = dict(event.attributes)
    builder.seal.take(attributes, builder.trace, f"log/{number}")
    text = attributes.get("body", attributes.get("content"))
    data: dict[str, Any] = {"name": event.name}
    if attributes:
        data["attributes"] = attributes
    if span is not None:
        data["span"] = span
    is_message = event.name.startswith("gen_ai.") and event.name.endswith((".message", ".choice"))
    builder.timed.append(
        (
            event.time_ns or 0,
            Step(
                id=f"log/{number}",
                kind="message" if is_message else "note",
                text=text if isinstance(text, str) else None,
                data=data,
                time_ns=event.time_ns,
                source=source,
            ),
        )
    )
