"""Recorded model calls of the core, as its replay client keeps them (``{mode, messages, response, stream}``); each has its whole input."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Message, text_part, texts_of
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.text import parsed
from seamwise.record import After, Ref

_ROLES = {"SystemMessage": "system", "UserMessage": "user", "AssistantMessage": "assistant", "FunctionExecutionResultMessage": "tool"}


def is_call(value: Any) -> bool:
    """Whether a value is a recorded model call."""
    return isinstance(value, dict) and isinstance(value.get("mode"), str) and isinstance(value.get("messages"), list)


def model_call(talk: Talk, entry: dict[str, Any], index: int) -> None:
    """The steps of one call: that it was made, what it was given, what came back."""
    talk.arrived(f"call {index}")
    call = str(index)
    talk.report.not_known("which agent a model call belongs to")
    listed = [_message(m) for m in entry["messages"]]
    told = [m for m in listed if m is not None]
    asked = talk.put("model_call", id=call, call=call, data={"mode": entry["mode"]})
    after = (After(step=asked, basis="sequence"),)
    given = {"messages": told, "whole": len(told) == len(listed)}
    talk.put("input", id=f"{call}/input", call=call, data=given, refs=(Ref(kind="part_of", step=asked),), order=after)
    response, stream = entry.get("response"), entry.get("stream")
    if not isinstance(response, dict) and isinstance(stream, list) and stream:
        response = stream[-1] if isinstance(stream[-1], dict) else {"content": "".join(s for s in stream if isinstance(s, str))}
    if not isinstance(response, dict):
        talk.report.not_known("what a model returned")
        return
    content = response.get("content")
    answered: Message = {"role": "assistant", "parts": _parts(content)}
    data = {"messages": [answered], **{k: v for k, v in response.items() if k != "content" and v not in (None, [], {})}}
    text = content if isinstance(content, str) else texts_of([answered])
    refs = (Ref(kind="answers", step=asked),)
    talk.put("model_result", id=f"{call}/end", call=call, status="ok", text=text, data=data, refs=refs, order=after)


def _message(entry: Any) -> Message | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("type"), str) or entry["type"] not in _ROLES:
        return None
    content = entry.get("content")
    made: Message = {"role": _ROLES[entry["type"]], "parts": _parts(content)}
    if isinstance(entry.get("source"), str):
        made["name"] = entry["source"]
    return made


def _parts(content: Any) -> list[Any]:
    if content is None:
        return []
    parts: list[Any] = []
    for item in content if isinstance(content, list) else [content]:
        if isinstance(item, str):
            parts.append(text_part(item))
        elif isinstance(item, dict) and "arguments" in item and "name" in item:
            parts.append({"type": "tool_call", "id": item.get("id"), "name": item["name"], "arguments": parsed(item["arguments"])})
        elif isinstance(item, dict) and "call_id" in item:
            parts.append({"type": "tool_call_response", "id": item["call_id"], "response": item.get("content")})
        else:
            parts.append(item if isinstance(item, dict) else {"type": "data", "content": item})
    return parts
