"""Input and output of one model call, from whichever dialect recorded them best."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Message, Said, listed, message_of, text_part
from seamwise.importers._shared.text import parsed
from seamwise.importers.otlp._events import from_events
from seamwise.importers.otlp._history import Conversation, Histories
from seamwise.importers.otlp._indexed import indexed
from seamwise.importers.otlp._nodes import Node
from seamwise.importers.otlp._replies import google_content, plain_output
from seamwise.record import flaw_in

INPUT = "gen_ai.input.messages"
OUTPUT = "gen_ai.output.messages"


def conversation_of(node: Node) -> tuple[Said | None, Said | None]:
    """What went into a model call and what came out; what was used is taken off the node's attributes and events."""
    told, answered, _ = continued(node, None)
    return told, answered


def continued(node: Node, histories: Histories | None) -> tuple[Said | None, Said | None, Conversation | None]:
    """The same, and the conversation that the input repeats and continues, where its text shows that at once."""
    pop = node.attributes.pop
    told = answered = conversation = None
    value = pop(INPUT, None)
    system = pop("gen_ai.system_instructions", None)
    if value is not None:
        if histories is not None and type(value) is str and (found := histories.resumed(node.actor, value, system, INPUT)) is not None:
            told, conversation = found
        else:
            told = listed(value, INPUT)
            if system is not None:
                told = instructed(system, told)
    value = pop(OUTPUT, None)
    if value is not None:
        answered = listed(value, OUTPUT)
    if told is None or answered is None:
        told, answered = _older(node, told, answered)
        if system is not None and value is None and told is not None and told.system is None:
            told = instructed(system, told)
    for said in (told, answered):
        if said is not None and not said.messages and said.raw is not None:
            node.attributes[said.basis] = said.raw  # What cannot be read stays as it is.
    if told is not None and told.whole and (flaw := left_out_of(node)) is not None:
        told = told._replace(whole=False, flaw=flaw)
    return told, answered, conversation


_REQUESTS = ("llm.invocation_parameters", "langsmith.invocation_params", "langsmith.inputs", "openai_agents.continues")
"""Attributes that say with what a model was called, besides its messages."""

_KEPT = ("previous_response_id", "conversation", "prompt")
"""What a call names whose messages the service keeps: an answer that it goes on from, a conversation, a stored prompt."""


def left_out_of(node: Node) -> str | None:
    """Why the messages that a span carries are not all that the model was given, as far as the rest of the span tells."""
    if node.cut:
        return "attributes of the span were dropped"
    if node.attributes.get("gen_ai.request.previous_response_id") is not None:
        return "it goes on from what the service keeps"
    for key in _REQUESTS:
        value = node.attributes.get(key)
        if value is None or (type(value) is str and not any(f'"{word}"' in value for word in _KEPT)):
            continue
        asked = parsed(value)
        if isinstance(asked, dict) and any(asked.get(word) for word in _KEPT[:2]):
            return "it goes on from what the service keeps"
        if isinstance(asked, dict) and isinstance(asked.get("prompt"), dict) and asked["prompt"].get("id"):
            return "a prompt that the service keeps stands before it"
    return None


def instructed(system: Any, told: Said) -> Said:
    """An input with the system instructions before it that were recorded apart."""
    parts = parsed(system)
    if isinstance(parts, list):
        first: Message = {"role": "system", "parts": parts}
    else:
        first = {"role": "system", "parts": [text_part(parts)]}
    flaw = told.flaw or flaw_in(parts)
    return told._replace(messages=[first, *told.messages], system=system, whole=told.whole and flaw is None, flaw=flaw)


def _older(node: Node, told: Said | None, answered: Said | None) -> tuple[Said | None, Said | None]:
    attributes = node.attributes
    for into, out in (indexed(attributes, cut=node.cut), from_events(node), _vercel(attributes), _adk(attributes)):
        told = told if told is not None else into
        answered = answered if answered is not None else out
    get = attributes.get
    for key in ("gen_ai.prompt", "input.value", "traceloop.entity.input"):
        if told is None and (value := get(key)) is not None:
            said = listed(value, key, default_role="user" if key == "gen_ai.prompt" else None)
            if said.messages and all(m["role"] != "unknown" for m in said.messages):
                del attributes[key]
                told = (
                    said
                    if key == "gen_ai.prompt"
                    else said._replace(whole=False, flaw=f"`{key}` is what the caller passed, not what was sent")
                )
    for key in ("gen_ai.completion", "output.value", "traceloop.entity.output"):
        if answered is None and (value := get(key)) is not None:
            answered = plain_output(value, key)
            if answered is not None:
                del attributes[key]
    told, answered = _langsmith(attributes, told, answered)
    return _langfuse(attributes, told, answered)


def _langsmith(attributes: dict[str, Any], told: Said | None, answered: Said | None) -> tuple[Said | None, Said | None]:
    """What LangSmith keeps as inputs and outputs of a model's run: all that the model was called with."""
    key = "langsmith.inputs"
    inputs = parsed(attributes.get(key))
    if told is None and isinstance(inputs, dict):
        name = next((n for n in ("messages", "input", "prompts", "prompt") if inputs.get(n)), None)
        value = inputs.get(name) if name is not None else None
        if name == "prompts" and isinstance(value, list) and len(value) == 1:
            value = value[0]
        said = listed(value, key, default_role="user") if value is not None else None
        if said is not None and said.messages and all(m["role"] != "unknown" for m in said.messages):
            rest = {k: v for k, v in inputs.items() if k != name}
            if rest:
                attributes[key] = rest
            else:
                del attributes[key]
            instructions = rest.get("instructions") or rest.get("system")
            told = instructed(instructions, said) if instructions else said
            if told.whole and not _is_wrapped(attributes):
                told = told._replace(whole=False, flaw="it is what a traced function was called with, not what was sent")
    key = "langsmith.outputs"
    if answered is None and (value := attributes.get(key)) is not None:
        answered = plain_output(value, key)
        if answered is not None:
            del attributes[key]
    return told, answered


def _is_wrapped(attributes: dict[str, Any]) -> bool:
    """Whether a run of LangSmith is the call of a model itself (by LangChain, or a wrapped client), not a function traced as one."""
    metadata = parsed(attributes.get("metadata"))
    named = isinstance(metadata, dict) and "ls_provider" in metadata and "ls_model_type" in metadata
    return attributes.get("langsmith.span.kind") == "llm" and (named or "langsmith.invocation_params" in attributes)


def _langfuse(attributes: dict[str, Any], told: Said | None, answered: Said | None) -> tuple[Said | None, Said | None]:
    """What Langfuse keeps as input and output. Which attribute it took them from it does not say."""
    key = "langfuse.observation.input"
    if told is None and (value := attributes.get(key)) is not None:
        said = listed(value, key, default_role="unknown")
        if said.messages and (isinstance(parsed(value), str) or all(m["role"] != "unknown" for m in said.messages)):
            del attributes[key]
            told = said._replace(whole=False, flaw=said.flaw or "Langfuse does not say whether it is what was sent")
    key = "langfuse.observation.output"
    if answered is None and (value := attributes.get(key)) is not None:
        answered = plain_output(value, key)
        if answered is not None:
            del attributes[key]
    return told, answered


def _vercel(attributes: dict[str, Any]) -> tuple[Said | None, Said | None]:
    told = answered = None
    for key in ("ai.prompt.messages", "ai.prompt"):
        value = attributes.get(key)
        if value is not None and told is None:
            inner = parsed(value)
            if key == "ai.prompt" and isinstance(inner, dict) and isinstance(inner.get("prompt"), str):
                system = [{"role": "system", "content": inner["system"]}] if isinstance(inner.get("system"), str) else []
                value = [*system, {"role": "user", "content": inner["prompt"]}]
            said = listed(value, key)
            if said.messages:
                del attributes[key]
                told = (
                    said if key == "ai.prompt.messages" else said._replace(whole=False, flaw="it is the caller's prompt, not what was sent")
                )
    text, calls = attributes.pop("ai.response.text", None), parsed(attributes.pop("ai.response.toolCalls", None))
    if text is None:
        text = attributes.pop("ai.response.object", None)
    if text is not None or isinstance(calls, list):
        answer = message_of({"role": "assistant", "content": text or None, "tool_calls": calls})
        if answer is not None:
            reason = attributes.get("ai.response.finishReason")
            if reason is not None:
                answer["finish_reason"] = reason
            answered = Said([answer], True, "ai.response")
    return told, answered


def _adk(attributes: dict[str, Any]) -> tuple[Said | None, Said | None]:
    told = answered = None
    request = parsed(attributes.pop("gcp.vertex.agent.llm_request", None))
    if isinstance(request, dict) and isinstance(request.get("contents"), list):
        messages = [m for m in map(google_content, request["contents"]) if m is not None]
        config = request.get("config")
        if isinstance(config, dict) and isinstance(config.get("system_instruction"), str):
            messages.insert(0, {"role": "system", "parts": [text_part(config["system_instruction"])]})
        filled = len(messages) >= len(request["contents"]) and all(m["parts"] for m in messages)
        flaw = flaw_in(messages) if filled else "a message of it has no content"
        told = Said(messages, flaw is None, "gcp.vertex.agent.llm_request", flaw)
    response = parsed(attributes.pop("gcp.vertex.agent.llm_response", None))
    if isinstance(response, dict) and (answer := google_content(response.get("content"))) is not None:
        answered = Said([{**answer, "role": "assistant"}], True, "gcp.vertex.agent.llm_response")
    return told, answered
