"""What was said to a model and by it, from every dialect, in one shape.

The shape is that of the newest convention: ``{"role": ..., "parts": [{"type": "text", "content": ...}, {"type": "tool_call", ...}]}``.
``whole`` says that the record holds the complete input: it parses, nothing of it was dropped, cut off or masked, and its list has no gaps.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from seamwise.importers._shared.blocks import holds_answers, part_of
from seamwise.importers._shared.text import parsed
from seamwise.record import flaw_in, flaw_of

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


def text_part(text: Any) -> dict[str, Any]:
    """A part that is text."""
    return {"type": "text", "content": text}


def message_of(entry: Any) -> Message | None:
    """A message of any provider's shape, or None where it is none."""
    if not isinstance(entry, dict):
        return _pair(entry)
    if isinstance(entry.get("parts"), list) and isinstance(entry.get("role"), str):
        return entry
    role = entry.get("role", entry.get("author"))
    if not isinstance(role, str):
        return _listed_item(entry)
    parts: list[Any] = []
    content = entry.get("content")
    if (entry.get("tool_call_id") is not None or role == "tool") and not holds_answers(content):
        response: dict[str, Any] = {"type": "tool_call_response", "response": content}
        identifier = entry.get("tool_call_id", entry.get("id"))
        if identifier is not None:
            response["id"] = identifier
        parts.append(response)
    else:
        parts += _parts(content)
    calls = entry.get("tool_calls", entry.get("toolCalls"))
    for call in parsed(calls) if isinstance(parsed(calls), list) else ():
        if isinstance(call, dict) and not _among(call, parts):
            parts.append(_call(call))
    made: Message = {"role": role, "parts": parts}
    for key in ("name", "finish_reason"):
        if entry.get(key) is not None:
            made[key] = entry[key]
    return made


def _pair(entry: Any) -> Message | None:
    """A message written as a pair of role and words (``["user", "hello"]``)."""
    if isinstance(entry, list) and len(entry) == 2 and all(isinstance(e, str) for e in entry) and entry[0] in _PAIRED:
        return {"role": entry[0], "parts": [text_part(entry[1])]}
    return None


_PAIRED = frozenset("user human system assistant ai".split())


def _listed_item(entry: dict[str, Any]) -> Message | None:
    """A message that bears no role under that name: of LangChain (plain or serialised), or an item of the Responses API."""
    from seamwise.importers._shared.spoken import spoken, unwrapped
    from seamwise.importers._shared.talk import NOT_RECORDED

    if entry.get("type") == "reasoning":
        summary = entry.get("summary", entry.get("content"))
        words = [s["text"] for s in summary if isinstance(s, dict) and isinstance(s.get("text"), str)] if isinstance(summary, list) else []
        return {"role": "assistant", "parts": [{"type": "reasoning", "content": "\n".join(words)}]}
    said = spoken(entry)
    if said is None:
        return None
    parts: list[Any] = [] if said.words is None else [text_part(said.words)]
    parts += said.others
    for ask in said.asked:
        named = {key: value for key, value in (("id", ask.call), ("name", ask.tool)) if value is not None}
        arguments = {} if ask.arguments is NOT_RECORDED else {"arguments": parsed(ask.arguments)}
        parts.append({"type": "tool_call", **named, **arguments})
    for answer in said.answered:
        named = {key: value for key, value in (("id", answer.call), ("name", answer.tool)) if value is not None}
        response = {} if answer.result is NOT_RECORDED else {"response": answer.result}
        parts.append({"type": "tool_call_response", **named, **response})
    made: Message = {"role": said.role or ("assistant" if said.asked else "tool"), "parts": parts}
    name = said.name or (None if said.asked else unwrapped(entry).get("name"))  # a call bears the name of its tool
    if isinstance(name, str) and made["role"] != "tool":
        made["name"] = name
    return made


def _among(call: dict[str, Any], parts: list[Any]) -> bool:
    """Whether the content holds the same call already: LangChain repeats the blocks of the content as calls."""
    identifier = call.get("id")
    return identifier is not None and any(isinstance(p, dict) and p.get("type") == "tool_call" and p.get("id") == identifier for p in parts)


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
        return [text_part(piece) if isinstance(piece, str) else part_of(piece) if isinstance(piece, dict) else piece for piece in content]
    return [{"type": "data", "content": content}]


def text_of(message: Message) -> str | None:
    """The words of a message, parts joined by line ends; None where it has none."""
    words = []
    parts = message.get("parts")
    for part in parts if isinstance(parts, list) else ():
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
    if len(inner) == 1 and isinstance(inner[0], list) and all(isinstance(entry, dict) for entry in inner[0]):
        inner = inner[0]  # LangChain calls a model with a batch of one.
    messages: list[Message] = []
    flaw = flaw_of(raw) if raw is not None else flaw_in(inner)
    for entry in inner:
        message = message_of(entry)
        if message is None:
            flaw = flaw or "an entry of it is no message"
            message = {"role": "unknown", "parts": [text_part(entry) if isinstance(entry, str) else {"type": "data", "content": entry}]}
        elif not message["parts"] and flaw is None:
            flaw = "a message of it has no content"
        messages.append(message)
    return Said(messages, flaw is None, basis, flaw, raw)


class Words(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A part that is text."""

    type: Literal["text"]
    content: str


class Spoken(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A message of the newest convention that is words alone."""

    role: str
    parts: list[Words]
    name: str | None = None
    finish_reason: str | None = None


_decode = msgspec.json.Decoder(list[Spoken]).decode


def spoken_in(text: str) -> list[Spoken] | None:
    """The messages of a JSON list, where all are words alone; None: they are not."""
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def skimmed(text: str, basis: str) -> Said:
    """What :func:`listed` says of a text, for readers that only count and compare: messages of words alone stand as :class:`Spoken`."""
    spoken: Any = spoken_in(text)
    if spoken is None:
        return listed(text, basis)
    flaw = flaw_of(text)
    if flaw is None:
        for message in spoken:
            if not message.parts:
                flaw = "a message of it has no content"
                break
    return Said(spoken, flaw is None, basis, flaw, text)
