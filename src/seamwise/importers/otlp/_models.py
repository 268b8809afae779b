"""Model spans: new ``message`` steps, the ``model_call``, its ``input``, and the ``model_result``."""

from __future__ import annotations

from functools import cache
from typing import Any

from seamwise.importers._shared.messages import Message, Said, text_of, texts_of
from seamwise.importers.otlp._builder import Builder, order_of
from seamwise.importers.otlp._endings import ending_of
from seamwise.importers.otlp._history import Conversation, Histories
from seamwise.importers.otlp._model import continued, conversation_of
from seamwise.importers.otlp._nodes import Node
from seamwise.importers.otlp._offers import tools_offered
from seamwise.record import After, Claim, Ref, Status, Step

INPUT_BASIS = "the span of this model call carries its complete input messages"

_USAGE = {
    "gen_ai.usage.input_tokens": "input_tokens",
    "gen_ai.usage.output_tokens": "output_tokens",
    "gen_ai.usage.prompt_tokens": "input_tokens",
    "gen_ai.usage.completion_tokens": "output_tokens",
    "llm.token_count.prompt": "input_tokens",
    "llm.token_count.completion": "output_tokens",
    "ai.usage.promptTokens": "input_tokens",
    "ai.usage.inputTokens": "input_tokens",
    "ai.usage.outputTokens": "output_tokens",
    "ai.usage.completionTokens": "output_tokens",
}


_MODEL = ("gen_ai.request.model", "llm.model_name", "ai.model.id", "langfuse.observation.model.name")


def pair_model_calls(builder: Builder) -> None:
    """One logical call where two instrumentations recorded it: the innermost span, or the first of one response id."""
    by_response: dict[str, Node] = {}
    for node in builder.nodes:
        if node.role != "model":
            continue
        if node.wraps:
            builder.note(
                "model_call_twice", node, f"it wraps `{node.wraps[0].id}`, the same call by another instrumentation; kept as context"
            )
            continue
        response = node.attributes.get("gen_ai.response.id") or node.attributes.get("ai.response.id")
        if isinstance(response, str) and response:
            first = by_response.setdefault(response, node)
            if first is not node:
                node.twin = first
                builder.note("model_call_twice", node, f"it has the response id of `{first.id}`; kept as context, not as a second call")


def model_steps(builder: Builder, node: Node) -> None:
    """Puts the steps of a model span."""
    report = builder.report
    told, answered, conversation = _conversation(node, builder.histories)
    actor = builder.actor(node)
    attributes = node.attributes
    data = tools_offered(attributes) if builder.seal.has_offers(attributes) else {}
    usage = {_USAGE[key]: value for key, value in attributes.items() if key in _USAGE}
    model = next((attributes[key] for key in _MODEL if attributes.get(key)), None)
    if model is not None:
        data["model"] = model
        if actor is not None:
            known = builder.agents[actor].setdefault("models", [])
            if model not in known:
                known.append(model)
    attributes.pop("gen_ai.operation.name", None)
    if attributes:
        data["attributes"] = attributes
    _put_call(builder, node, actor, data)
    last = node.id
    if told is None or not told.messages:
        report.not_known("the input of a model call")
        if told is not None and told.flaw is not None:
            builder.note("input_unreadable", node, f"`{told.basis}`: {told.flaw}")
    else:
        conversation, first, reset = builder.histories.add(node.actor, node.scope, told, conversation)
        if reset is not None:
            builder.note("context_reset", node, reset)
        _input(builder, node, actor, told, first)
        last = node.id + "/input"
    if node.end is None and answered is None and not node.code:
        report.not_known("the ending of a model call")
        return
    _result(builder, node, actor, answered, usage, last)
    if conversation is not None and answered is not None:
        conversation.answered(answered.messages)


def _conversation(node: Node, histories: Histories) -> tuple[Said | None, Said | None, Conversation | None]:
    """Input and output of a call, from a wrapping span where the innermost one has none, and the conversation that goes on."""
    told, answered, conversation = continued(node, histories)
    outer = node.near
    while (told is None or answered is None) and outer is not None and outer.role == "model" and len(outer.wraps or ()) == 1:
        more_told, more_answered = conversation_of(outer)
        if told is None and more_told is not None:
            told = more_told._replace(whole=False, flaw=f"it was recorded by the wrapping span `{outer.id}`")
        answered = answered if answered is not None else more_answered
        outer = outer.near
    return told, answered, conversation


def _input(builder: Builder, node: Node, actor: str | None, told: Said, first: int) -> None:
    identifier = node.id + "/input"
    order = [After(step=node.id, basis="sequence")]
    for number in range(first, len(told.messages)):
        step = _message(told.messages[number], f"{node.id}/in/{number}", identifier, node)
        builder.timed.append((node.sort, step))
        order.append(After(step=step.id, basis="message"))
    data: dict[str, Any] = {"for": node.id, "messages": told.messages}
    if told.whole:
        data["whole"] = True
    claim_input(builder, node, actor, told)
    builder.timed.append(
        (
            node.sort,
            Step(
                id=identifier,
                kind="input",
                actor=actor,
                data=data,
                refs=(Ref(kind="part_of", step=node.id),),
                streams=(_stream(actor),),
                time_ns=node.start,
                order=tuple(order),
                source=node.source,
            ),
        )
    )


def claim_input(builder: Builder, node: Node, actor: str | None, told: Said) -> None:
    """Claims an input where its record is whole, and says where it is not."""
    report = builder.report
    if told.whole:
        if builder.claims_inputs:
            stream, by, basis = _stream(actor), f"importer:{report.format}", _basis(told.basis)
            builder.claims.append(Claim(sort="recording", stream=stream, range=node.id, count=1, by=by, basis=basis))
        report.claims[INPUT_BASIS] = report.claims.get(INPUT_BASIS, 0) + 1
    else:
        report.not_known("whether the recorded input of a model call is whole")
        builder.note("input_not_whole", node, f"`{told.basis}`: {told.flaw}")


def _stream(actor: str | None) -> str:
    """The stream of what went into the model calls of an agent."""
    return f"input/{actor}" if actor is not None else "input"


@cache
def _basis(where: str) -> str:
    return f"{INPUT_BASIS} ({where})"


def _message(message: Message, identifier: str, inside: str, node: Node) -> Step:
    """A message that was not in an earlier input. Who said it is known where it bears a name; a role is a perspective, not an identity."""
    role = message.get("role")
    name = message.get("name")
    data: dict[str, Any] = {"role": role}
    others = [p for p in message["parts"] if not (isinstance(p, dict) and p.get("type") == "text")]
    if others:
        data["parts"] = others
    if name is not None:
        data["name"] = name
    return Step(
        id=identifier,
        kind="message",
        actor=name if isinstance(name, str) and name and role != "tool" else None,
        text=text_of(message),
        data=data,
        refs=(Ref(kind="part_of", step=inside),),
        source=node.source,
    )


def _result(builder: Builder, node: Node, actor: str | None, answered: Said | None, usage: dict[str, Any], last: str) -> None:
    status, error = ending_of(node, answered=answered is not None and (bool(answered.messages) or answered.flaw is not None))
    data: dict[str, Any] = {}
    text = None
    if answered is not None and answered.messages:
        data["messages"] = answered.messages
        text = texts_of(answered.messages)
    else:
        builder.report.not_known("the output of a model call that ended")
        if answered is not None and answered.flaw is not None:
            builder.note("output_unreadable", node, f"`{answered.basis}`: {answered.flaw}")
    if usage:
        data["usage"] = usage
    if error is not None:
        data["error"] = error
    if node.events and (events := builder.events(node)):
        data["events"] = events
    _put_result(builder, node, actor, last, status, text, data)


def _put_call(builder: Builder, node: Node, actor: str | None, data: dict[str, Any] | None) -> None:
    step = Step(
        id=node.id,
        kind="model_call",
        actor=actor,
        call=node.id,
        data=data or None,
        time_ns=node.start,
        order=order_of(node),
        source=node.source,
    )
    builder.timed.append((node.sort, step))


def _put_result(
    builder: Builder, node: Node, actor: str | None, last: str, status: Status | None, text: str | None, data: dict[str, Any] | None
) -> None:
    end = node.end_ns
    step = Step(
        id=node.id + "/end",
        kind="model_result",
        actor=actor,
        call=node.id,
        status=status,
        text=text,
        data=data or None,
        time_ns=end,
        refs=(Ref(kind="answers", step=node.id),),
        order=(After(step=last, basis="sequence"),),
        source=node.source,
    )
    builder.timed.append((node.sort if end is None else end, step))
