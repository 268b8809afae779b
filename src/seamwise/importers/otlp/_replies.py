"""What a model answered, out of the reply of whichever provider or framework was recorded whole."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Message, Said, listed, message_of, text_part
from seamwise.importers._shared.text import parsed


def plain_output(value: Any, basis: str) -> Said | None:
    """An answer as text, as a message, or in a reply around it; None where there is none in it."""
    inner = parsed(value)
    if isinstance(inner, dict):
        around = _around(inner)
        if around is not None:
            return Said(around, False, basis) if around else None
    if isinstance(inner, (dict, list)):
        said = listed(inner, basis)
        return said if said.messages and all(m["role"] != "unknown" for m in said.messages) else None
    return Said([{"role": "assistant", "parts": [text_part(inner)]}], False, basis) if isinstance(inner, str) else None


def _around(reply: dict[str, Any]) -> list[Message] | None:
    """The messages in a reply of OpenAI (``choices``, ``output``), Google (``candidates``) or LangChain (``generations``)."""
    found: list[Message | None]
    if isinstance(reply.get("choices"), list):
        found = [message_of(c.get("message", c.get("delta"))) for c in reply["choices"] if isinstance(c, dict)]
    elif isinstance(reply.get("candidates"), list):
        found = [google_content(c.get("content")) for c in reply["candidates"] if isinstance(c, dict)]
        found = [m | {"role": "assistant"} for m in found if m is not None]
    elif isinstance(reply.get("generations"), list):
        flat = [g for group in reply["generations"] for g in (group if isinstance(group, list) else [group])]
        found = [_generation(g) for g in flat if isinstance(g, dict)]
    elif isinstance(reply.get("output"), list) and "role" not in reply:
        found = [message_of(item) for item in reply["output"]]
    elif isinstance(reply.get("message"), dict) and "role" not in reply:
        found = [message_of(reply["message"])]
    else:
        return None
    return [m for m in found if m is not None]


def _generation(generation: dict[str, Any]) -> Message | None:
    said = generation.get("message")
    if isinstance(said, dict) and not said.keys() & {"role", "type", "lc", "parts"}:
        said = {"role": "assistant", "content": generation.get("text"), **said}
    message = message_of(said)
    if message is None and isinstance(generation.get("text"), str):
        return {"role": "assistant", "parts": [text_part(generation["text"])]}
    return message


def google_content(content: Any) -> Message | None:
    """A message in Google's shape."""
    if not isinstance(content, dict) or not isinstance(content.get("parts"), list):
        return None
    parts: list[Any] = []
    for part in content["parts"]:
        if not isinstance(part, dict):
            continue
        call, answer = part.get("function_call", part.get("functionCall")), part.get("function_response", part.get("functionResponse"))
        if isinstance(part.get("text"), str):
            parts.append({"type": "reasoning" if part.get("thought") else "text", "content": part["text"]})
        elif isinstance(call, dict):
            parts.append(
                {
                    "type": "tool_call",
                    **{k: v for k, v in (("id", call.get("id")), ("name", call.get("name"))) if v},
                    "arguments": call.get("args"),
                }
            )
        elif isinstance(answer, dict):
            named = {k: v for k, v in (("id", answer.get("id")), ("name", answer.get("name"))) if v}
            parts.append({"type": "tool_call_response", **named, "response": answer.get("response")})
        else:
            parts.append(part)
    return {"role": str(content.get("role") or "unknown"), "parts": parts}
