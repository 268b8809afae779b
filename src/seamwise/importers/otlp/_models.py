"""Model spans: new ``message`` steps, the ``model_call``, its ``input``, and the ``model_result``."""

from __future__ import annotations

from typing import Any

from seamwise.importers.otlp._builder import Builder, order_of
from seamwise.importers.otlp._endings import ending_of
from seamwise.importers.otlp._history import Conversation, Histories
from seamwise.importers.otlp._messages import Message, Said, text_of, texts_of
from seamwise.importers.otlp._model import conversation_of
from seamwise.importers.otlp._nodes import Node
from seamwise.importers.otlp._offers import tools_offered
from seamwise.record import After, Claim, Ref, Step

INPUT_BASIS = "the span of this model call carries its complete input messages"

_USAGE = (
    ("input_tokens", ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "ai.usage.promptTokens")),
    (
        "output_tokens",
        ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion", "ai.usage.completionTokens"),
    ),
)
_MODELS = ("gen_ai.request.model", "llm.model_name", "ai.model.id")


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
    told, answered = _conversation(node, builder.histories)
    actor = builder.actor(node)
    attributes = node.attributes
    data = tools_offered(attributes)
    usage = {name: attributes[key] for name, keys in _USAGE for key in keys if key in attributes}
    model = next((attributes[key] for key in _MODELS if key in attributes), None)
    if model is not None:
        data["model"] = model
        if actor is not None:
            known = builder.agents[actor].setdefault("models", [])
            if model not in known:
                known.append(model)
    attributes.pop("gen_ai.operation.name", None)
    for entry in ("input.value", "output.value"):
        # Beside messages these repeat the whole request and reply; they are no record of their own.
        if told is not None and answered is not None:
            attributes.pop(entry, None)
    if attributes:
        data["attributes"] = attributes
    builder.put(
        node.start,
        Step(
            id=node.id,
            kind="model_call",
            actor=actor,
            call=node.id,
            data=data or None,
            time_ns=node.start,
            order=order_of(node),
            source=node.source,
        ),
    )
    last = node.id
    conversation: Conversation | None = None
    if told is None or not told.messages:
        report.not_known("the input of a model call")
        if told is not None:
            builder.note("input_unreadable", node, f"`{told.basis}`: {told.flaw}")
    else:
        conversation, first, reset = builder.histories.add(node.actor, node.scope, told)
        if reset is not None:
            builder.note("context_reset", node, reset)
        _input(builder, node, actor, told, first)
        last = node.id + "/input"
    if not node.ended and answered is None and not node.code:
        report.not_known("the ending of a model call")
        return
    _result(builder, node, actor, answered, usage, last)
    if conversation is not None and answered is not None:
        conversation.answered(answered.messages)


def _conversation(node: Node, histories: Histories) -> tuple[Said | None, Said | None]:
    """Input and output of a call, from a wrapping span where the innermost one has none."""
    told, answered = conversation_of(node, histories)
    outer = node.near
    while outer is not None and outer.role == "model" and len(outer.wraps) == 1 and (told is None or answered is None):
        more_told, more_answered = conversation_of(outer)
        if told is None and more_told is not None:
            told = more_told._replace(whole=False, flaw=f"it was recorded by the wrapping span `{outer.id}`")
        answered = answered if answered is not None else more_answered
        outer = outer.near
    return told, answered


def _input(builder: Builder, node: Node, actor: str | None, told: Said, first: int) -> None:
    identifier = node.id + "/input"
    order = [After(step=node.id, basis="sequence")]
    for number in range(first, len(told.messages)):
        step = _message(told.messages[number], f"{node.id}/in/{number}", identifier, node)
        builder.put(node.start, step)
        order.append(After(step=step.id, basis="message"))
    data: dict[str, Any] = {"for": node.id, "messages": told.messages}
    stream = f"input/{actor}" if actor is not None else "input"
    if told.whole:
        data["whole"] = True
        builder.claims.append(
            Claim(sort="recording", stream=stream, range=node.id, count=1, by="importer:otlp", basis=f"{INPUT_BASIS} ({told.basis})")
        )
        builder.report.claims[INPUT_BASIS] = builder.report.claims.get(INPUT_BASIS, 0) + 1
    else:
        builder.report.not_known("whether the recorded input of a model call is whole")
        builder.note("input_not_whole", node, f"`{told.basis}`: {told.flaw}")
    builder.put(
        node.start,
        Step(
            id=identifier,
            kind="input",
            actor=actor,
            data=data,
            refs=(Ref(kind="part_of", step=node.id),),
            streams=(stream,),
            time_ns=node.start,
            order=tuple(order),
            source=node.source,
        ),
    )


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
    ending = ending_of(node, answered=answered is not None)
    data: dict[str, Any] = {}
    if answered is not None:
        data["messages"] = answered.messages
    else:
        builder.report.not_known("the output of a model call that ended")
    if usage:
        data["usage"] = usage
    if ending.error is not None:
        data["error"] = ending.error
    if node.events and (events := builder.events(node)):
        data["events"] = events
    end = builder.end_of(node)
    builder.put(
        end if end is not None else node.start,
        Step(
            id=node.id + "/end",
            kind="model_result",
            actor=actor,
            call=node.id,
            status=ending.status,
            text=texts_of(answered.messages) if answered is not None else None,
            data=data or None,
            time_ns=end,
            refs=(Ref(kind="answers", step=node.id),),
            order=(After(step=last, basis="sequence"),),
            source=node.source,
        ),
    )
