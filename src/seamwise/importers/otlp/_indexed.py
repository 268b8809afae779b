"""Messages that were flattened into numbered attributes (``llm.input_messages.0.message.role``, ``gen_ai.prompt.0.content``)."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._shared.messages import Message, Said, message_of
from seamwise.importers._shared.text import parsed
from seamwise.record import flaw_in

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
        if flaw is None:
            flaw = flaw_in(message["parts"])
        if flaw is None and (not message["parts"] or "role" not in fields):
            flaw = "a message of it has no content"
        messages.append(message)
    return Said(messages, flaw is None, basis, flaw)


def _piece(fields: dict[str, Any]) -> dict[str, Any]:
    kind = fields.get("type", "text")
    return {"type": "text", "text": fields["text"]} if kind == "text" and "text" in fields else fields
