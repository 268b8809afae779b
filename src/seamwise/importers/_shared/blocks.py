"""Blocks of content, of whichever provider's or framework's shape, as parts of the newest GenAI convention."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.text import parsed

Part = dict[str, Any]

_TEXTS = ("text", "input_text", "output_text")
_ANSWERS = ("tool_result", "tool-result", "toolResult")


def part_of(block: Part) -> Part:
    """The block as a part: text, a tool's call (Anthropic, Vercel, Bedrock), a tool's answer; anything else as it is."""
    kind = block.get("type", "text")
    if kind in _TEXTS and isinstance(block.get("text"), str):
        return {"type": "text", "content": block["text"]}
    if kind == "tool_use" or kind == "tool-call":
        return _call(block)
    if kind == "tool_result" or kind == "tool-result":
        return _answer(block)
    if "type" not in block and isinstance(block.get("toolUse"), dict):
        return _call(block["toolUse"])
    if "type" not in block and isinstance(block.get("toolResult"), dict):
        return _answer(block["toolResult"])
    return block


def holds_answers(content: Any) -> bool:
    """Whether a content is a list in which a block is a tool's answer."""
    if not isinstance(content, list):
        return False
    return any(isinstance(b, dict) and (b.get("type") in _ANSWERS or isinstance(b.get("toolResult"), dict)) for b in content)


def _call(block: Part) -> Part:
    made: Part = {"type": "tool_call"}
    for name, keys in (("id", ("id", "toolCallId", "toolUseId")), ("name", ("name", "toolName"))):
        value = next((block[key] for key in keys if block.get(key) is not None), None)
        if value is not None:
            made[name] = value
    for key in ("input", "args", "arguments"):
        if key in block:
            made["arguments"] = parsed(block[key])
            break
    return made


def _answer(block: Part) -> Part:
    made: Part = {"type": "tool_call_response"}
    for name, keys in (("id", ("tool_use_id", "toolCallId", "toolUseId")), ("name", ("toolName", "name"))):
        value = next((block[key] for key in keys if block.get(key) is not None), None)
        if value is not None:
            made[name] = value
    for key in ("content", "result", "output"):
        if key in block:
            made["response"] = block[key]
            break
    return made
