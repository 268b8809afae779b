"""What was said to a model and by it, from every dialect, in one shape.

The shape is that of the newest convention: ``{"role": ..., "parts": [{"type": "text", "content": ...}, {"type": "tool_call", ...}]}``.
``whole`` says that the record holds the complete input: it parses, nothing of it was dropped, cut off or masked, and its list has no gaps.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from seamwise.importers.otlp._nodes import Event, Node
from seamwise.importers.otlp._text import parsed

Message = dict[str, Any]


class Said(NamedTuple):
    """Messages, and how much they are worth."""

    messages: list[Message]
    whole: bool
    basis: str
    """Where they were recorded."""
    flaw: str | None = None
    """Why they are not whole."""
    raw: str | None = None
    """The JSON text that they were read from, where it was one."""
    system: Any = None
    """The system instructions that stand before them and were recorded apart."""


_CUT = re.compile(r"\[\s*(?:\.\.\.)?\s*truncated[^\]]*\]|<\s*truncated[^>]*>|\(truncated[^)]*\)|…\s*truncated|\"truncated\"", re.IGNORECASE)
_MASKED = re.compile(r"__REDACTED__|\[REDACTED\]|<REDACTED>|\[Filtered\]|\[Scrubbed")


def flaw_of(text: str) -> str | None:
    """What makes a recorded text less than what was said: a mark of truncation or of masking."""
    lowered = "runcated" in text or "RUNCATED" in text
    if lowered and _CUT.search(text):
        return "it bears a mark of truncation"
    if ("REDACTED" in text or "[Filtered]" in text or "[Scrubbed" in text) and _MASKED.search(text):
        return "parts of it are masked"
    return None


def text_part(text: Any) -> dict[str, Any]:
    """A part that is text."""
    return {"type": "text", "content": text}


def message_of(entry: Any) -> Message | None:
    """A message of any provider's shape, or None where it is none."""
    if not isinstance(entry, dict):
        return None
    if isinstance(entry.get("parts"), list) and isinstance(entry.get("role"), str):
        return entry
    role = entry.get("role", entry.get("author"))
    if not isinstance(role, str):
        return None
    parts: list[Any] = []
    content = entry.get("content")
    if entry.get("tool_call_id") is not None or role == "tool":
        response: dict[str, Any] = {"type": "tool_call_response", "response": content}
        identifier = entry.get("tool_call_id", entry.get("id"))
        if identifier is not None:
            response["id"] = identifier
        parts.append(response)
    else:
        parts += _parts(content)
    calls = entry.get("tool_calls", entry.get("toolCalls"))
    for call in parsed(calls) if isinstance(parsed(calls), list) else ():
        if isinstance(call, dict):
            parts.append(_call(call))
    made: Message = {"role": role, "parts": parts}
    for key in ("name", "finish_reason"):
        if entry.get(key) is not None:
            made[key] = entry[key]
    return made


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    inner: dict[str, Any] = function if isinstance(function, dict) else call
    made: dict[str, Any] = {"type": "tool_call"}
    identifier = call.get("id", call.get("toolCallId"))
    if identifier is not None:
        made["id"] = identifier
    name = inner.get("name", inner.get("toolName"))
    if name is not None:
        made["name"] = name
    for key in ("arguments", "args", "input"):
        if key in inner:
            made["arguments"] = parsed(inner[key])
            break
    return made


def _parts(content: Any) -> list[Any]:
    if content is None:
        return []
    if isinstance(content, str):
        return [text_part(content)]
    if isinstance(content, list):
        out: list[Any] = []
        for piece in content:
            if isinstance(piece, str):
                out.append(text_part(piece))
            elif (
                isinstance(piece, dict)
                and isinstance(piece.get("text"), str)
                and piece.get("type", "text") in ("text", "input_text", "output_text")
            ):
                out.append(text_part(piece["text"]))
            else:
                out.append(piece)
        return out
    return [{"type": "data", "content": content}]


def text_of(message: Message) -> str | None:
    """The words of a message, parts joined by line ends; None where it has none."""
    words = []
    for part in message.get("parts", ()):
        if isinstance(part, dict):
            content = part.get("content") if part.get("type") == "text" else part.get("response") if "response" in part else None
            if isinstance(content, str):
                words.append(content)
    return "\n".join(words) if words else None


def texts_of(messages: list[Message]) -> str | None:
    """The words of several messages."""
    words = [t for t in map(text_of, messages) if t is not None]
    return "\n".join(words) if words else None


def listed(value: Any, basis: str, *, default_role: str | None = None) -> Said:
    """Messages from a JSON list, as text or already structured."""
    raw = value if isinstance(value, str) else None
    inner = parsed(value)
    if isinstance(inner, dict):
        inner = inner["messages"] if isinstance(inner.get("messages"), list) else [inner]
    if not isinstance(inner, list):
        if default_role is not None and isinstance(inner, str):
            return Said([{"role": default_role, "parts": [text_part(inner)]}], flaw_of(inner) is None, basis, flaw_of(inner))
        return Said([], False, basis, "it cannot be read: cut off or damaged", raw)
    messages: list[Message] = []
    flaw = flaw_of(raw) if raw is not None else None
    for entry in inner:
        message = message_of(entry)
        if message is None:
            flaw = flaw or "an entry of it is no message"
            message = {"role": "unknown", "parts": [text_part(entry) if isinstance(entry, str) else {"type": "data", "content": entry}]}
        elif not message["parts"] and flaw is None:
            flaw = "a message of it has no content"
        messages.append(message)
    return Said(messages, flaw is None, basis, flaw, raw)


_LLM = re.compile(
    r"llm\.(input|output)_messages\.(\d+)\.message\.(?:(role|content|name|tool_call_id|finish_reason)"
    r"|contents\.(\d+)\.message_content\.(.+)|tool_calls\.(\d+)\.tool_call\.(.+))"
)
_GEN = re.compile(r"gen_ai\.(prompt|completion)\.(\d+)\.(?:(role|content|name|tool_call_id|finish_reason)|()()tool_calls\.(\d+)\.(.+))")
_FIELDS = {"function.name": "name", "function.arguments": "arguments"}

_Path = tuple[bool, int, str, int, str]
_paths: dict[str, _Path | None] = {}
"""Attribute name -> (is input, message, list or field, place in it, field); the names repeat from span to span."""


def _path(key: str) -> _Path | None:
    found = _LLM.fullmatch(key) or _GEN.fullmatch(key)
    if found is None:
        return None
    side, message, field, content, content_field, call, call_field = found.groups()
    is_input = side in ("input", "prompt")
    if field:
        return (is_input, int(message), field, 0, "")
    if content:
        return (is_input, int(message), "contents", int(content), content_field)
    return (is_input, int(message), "calls", int(call), _FIELDS.get(call_field, call_field))


def indexed(attributes: dict[str, Any], *, cut: bool) -> tuple[Said | None, Said | None]:
    """Input and output messages of flattened attributes (``llm.input_messages.0.message.role``); they are taken out of the attributes."""
    sides: tuple[dict[int, dict[str, Any]], dict[int, dict[str, Any]]] = ({}, {})
    basis = "llm.*_messages" if "openinference.span.kind" in attributes else "gen_ai.prompt/completion"
    for key in list(attributes):
        if key.startswith(("llm.input_m", "llm.output_m", "gen_ai.prompt.", "gen_ai.completion.")):
            try:
                path = _paths[key]
            except KeyError:
                if len(_paths) > 100_000:
                    _paths.clear()
                path = _paths[key] = _path(key)
            if path is None:
                continue
            is_input, number, field, place, inner = path
            message = sides[0 if is_input else 1].setdefault(number, {})
            value = attributes.pop(key)
            if inner:
                message.setdefault(field, {}).setdefault(place, {})[inner] = value
            else:
                message[field] = value
    return _gathered(sides[0], basis, cut), _gathered(sides[1], basis, cut)


def _gathered(by_number: dict[int, dict[str, Any]], basis: str, cut: bool) -> Said | None:
    if not by_number:
        return None
    numbers = sorted(by_number)
    flaw = None
    if cut:
        flaw = "attributes of the span were dropped"
    elif numbers[-1] != len(numbers) - 1:
        flaw = "there are gaps in its numbering"
    messages: list[Message] = []
    for number in numbers:
        fields = by_number[number]
        content: Any = fields.get("content")
        if isinstance(content, str) and content[:2] in ("[{", '["') and isinstance(parsed(content), list):
            content = parsed(content)
        calls = [dict(fields["calls"][i]) for i in sorted(fields["calls"])] if "calls" in fields else None
        if "contents" in fields and content is None:
            content = [_piece(fields["contents"][i]) for i in sorted(fields["contents"])]
        message = message_of({**fields, "role": str(fields.get("role") or "unknown"), "content": content, "tool_calls": calls})
        if message is None:
            continue
        if flaw is None and isinstance(content, str):
            flaw = flaw_of(content)
        if flaw is None and (not message["parts"] or "role" not in fields):
            flaw = "a message of it has no content"
        messages.append(message)
    return Said(messages, flaw is None, basis, flaw)


def _piece(fields: dict[str, Any]) -> dict[str, Any]:
    kind = fields.get("type", "text")
    return {"type": "text", "text": fields["text"]} if kind == "text" and "text" in fields else fields


_EVENT_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


def from_events(node: Node) -> tuple[Said | None, Said | None]:
    """Input and output messages of the older event convention; the events used are taken off the node."""
    said: tuple[list[Message], list[Message]] = ([], [])
    flaw: str | None = None
    kept: list[Event] = []
    whole: tuple[Said | None, Said | None] = (None, None)
    logged = False
    for event in node.events:
        name, attributes = event.name, event.attributes
        role = _EVENT_ROLES.get(name)
        if role is None and name not in ("gen_ai.choice", "gen_ai.content.prompt", "gen_ai.content.completion") and name != _DETAILS:
            kept.append(event)
            continue
        logged = logged or event.logged
        if name == _DETAILS:
            pair = (attributes.get("gen_ai.input.messages"), attributes.get("gen_ai.output.messages"))
            whole = (
                listed(pair[0], name) if pair[0] is not None else whole[0],
                listed(pair[1], name) if pair[1] is not None else whole[1],
            )
        elif name == "gen_ai.content.prompt":
            said[0].extend(listed(attributes.get("gen_ai.prompt"), name, default_role="user").messages)
        elif name == "gen_ai.content.completion":
            said[1].extend(listed(attributes.get("gen_ai.completion"), name, default_role="assistant").messages)
        else:
            fields = dict(attributes)
            packed = parsed(fields.pop("gen_ai.event.content", None))
            if isinstance(packed, dict):
                fields.update(packed)
            if name == "gen_ai.choice":
                inner = parsed(fields.get("message"))
                if isinstance(inner, dict):
                    fields = {**fields, **inner}
                elif inner is not None:
                    fields["content"] = inner
            content = parsed(fields.get("content"))
            if not isinstance(content, list):
                content = fields.get("content")
            message = message_of({**fields, "role": str(fields.get("role") or role or "assistant"), "content": content})
            if message is None or not message["parts"]:
                flaw = "a message of it has no content"
            if isinstance(content, str):
                flaw = flaw or flaw_of(content)
            if message is not None:
                said[0 if role is not None else 1].append(message)
    node.events = tuple(kept)
    if node.span.droppedEventsCount not in (None, 0, "0"):
        flaw = "events of the span were dropped"
    if logged:
        flaw = flaw or "it was logged message by message, apart from the span"
    return (
        whole[0] or (Said(said[0], flaw is None, "gen_ai.*.message events", flaw) if said[0] else None),
        whole[1] or (Said(said[1], flaw is None, "gen_ai.choice events", flaw) if said[1] else None),
    )


_DETAILS = "gen_ai.client.inference.operation.details"
