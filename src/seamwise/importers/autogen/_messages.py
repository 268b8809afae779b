"""Messages and events of AutoGen 0.4 and later, and of its core, as steps."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers._shared.turns import kept
from seamwise.importers.autogen._notation import notation
from seamwise.importers.autogen._streams import Stream, streams
from seamwise.record import flaw_of

SAID = frozenset("TextMessage MultiModalMessage StopMessage ToolCallSummaryMessage StructuredMessage".split())
"""Types that are said to the team."""

TYPES = (
    *sorted(SAID),
    *"HandoffMessage ToolCallRequestEvent ToolCallExecutionEvent ThoughtEvent MemoryQueryEvent ModelClientStreamingChunkEvent".split(),
    *"UserInputRequestedEvent SelectSpeakerEvent SelectorEvent CodeGenerationEvent CodeExecutionEvent".split(),
)
"""Types of AgentChat; their names are AutoGen's own."""

CORE_TYPES = ("SystemMessage", "UserMessage", "AssistantMessage", "FunctionExecutionResultMessage")
"""Types of the core's messages of a model call, which others have too."""

_CALLS = frozenset({"ToolCallRequestEvent", "ToolCallMessage"})
_RESULTS = frozenset({"ToolCallExecutionEvent", "ToolCallResultMessage", "FunctionExecutionResultMessage"})
_TAKEN = frozenset("id type source content target context created_at models_usage metadata thought tool_calls results".split())


def messages(talk: Talk, listed: list[Any]) -> None:
    """The steps of a list of messages."""
    pieces = streams(listed)
    for index, entry in enumerate(listed):
        if index in pieces:
            _piece(talk, pieces[index], index, entry)
        else:
            message(talk, entry, index)


def _piece(talk: Talk, stream: Stream, index: int, entry: dict[str, Any]) -> None:
    """One piece of a streamed message; the last of a message that broke off stands for all of them."""
    if stream.whole[0] or index != stream.indices[-1]:
        talk.merged("streamed_piece", "a piece of a streamed message; the message stands for it")
        return
    talk.arrived(f"message {index}")
    talk.note("broke_off", "a streamed message has no final form; it was put together from its pieces and marked as partial")
    data = {"type": entry.get("type"), "partial": True}
    talk.say("".join(stream.pieces), actor=stream.source, data=data, id=stream.message, time_ns=moment_ns(entry.get("created_at")))


def message(talk: Talk, entry: Any, index: int) -> None:
    """The steps of one message or event; the first bears its id, or its position."""
    talk.arrived(f"message {index}")
    if not isinstance(entry, dict) or not isinstance(entry.get("type", "TextMessage"), str):
        kept(talk, entry, str(index))
        return
    identifier = entry["id"] if isinstance(entry.get("id"), str) and entry["id"] else str(index)
    kind = entry.get("type")
    family = kind.partition("[")[0] if kind is not None else None
    actor, content, time = somebody(entry.get("source")), entry.get("content"), moment_ns(entry.get("created_at"))
    data = _data(talk, entry, identifier)
    if isinstance(content, str) and content.startswith(("[FunctionCall(", "[FunctionExecutionResult(")):
        family, content = _printed(content, family)
    if family in _CALLS or (family == "AssistantMessage" and isinstance(content, list)):
        _calls(talk, content, actor, identifier, data, time)
    elif family in _RESULTS:
        _results(talk, content, actor, identifier, data, time)
    elif family == "HandoffMessage":
        text = content if isinstance(content, str) else None
        if entry.get("context"):
            data["context"] = entry["context"]
        talk.handoff(actor, somebody(entry.get("target")), text=text, data=data, id=identifier, time_ns=time)
    elif family in ("SelectSpeakerEvent", "SelectorEvent"):
        chosen = [name for name in content if isinstance(name, str)] if isinstance(content, list) else []
        text = content if isinstance(content, str) else None
        kind = "route" if chosen else "note"
        talk.put(kind, actor=actor, text=text, data={**data, **({"to": chosen} if chosen else {})}, id=identifier, time_ns=time)
    elif family == "MemoryQueryEvent":
        items = content if isinstance(content, list) else [content]
        talk.put("delivery", actor=None, data={**data, "items": items, "for": actor}, id=identifier, time_ns=time)
    elif family is None or family in SAID or family in CORE_TYPES or family not in TYPES:
        _said(talk, content, actor, _role(family), identifier, data, time)
    else:
        text = content if isinstance(content, str) else None
        rest = {} if text is not None or content is None else {"content": content}
        talk.put("note", actor=actor, text=text, data={**data, **rest}, id=identifier, time_ns=time)


def _role(family: str | None) -> str | None:
    return {"SystemMessage": "system", "UserMessage": "user", "AssistantMessage": "assistant"}.get(family or "")


def _data(talk: Talk, entry: dict[str, Any], identifier: str) -> dict[str, Any]:
    """What the record says beside who and what."""
    data: dict[str, Any] = {key: value for key, value in entry.items() if key not in _TAKEN and value not in (None, [], {})}
    if entry.get("type") is not None:
        data["type"] = entry["type"]
    if isinstance(entry.get("models_usage"), dict):
        data["usage"] = {key: value for key, value in entry["models_usage"].items() if key != "type"}
    for key in ("metadata", "thought"):
        if entry.get(key):
            data[key] = entry[key]
    made: dict[str, Any] = without_labels(data, talk.sink, talk.id, identifier)
    return made


def _printed(content: str, family: str | None) -> tuple[str | None, Any]:
    """Calls or results that stand in a text as Python prints them."""
    value = notation(content)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return family, content
    return ("ToolCallRequestEvent" if content.startswith("[FunctionCall(") else "ToolCallExecutionEvent"), value


def _calls(talk: Talk, content: Any, actor: str | None, identifier: str, data: dict[str, Any], time: int | None) -> None:
    listed = content if isinstance(content, list) else [content]
    for n, call in enumerate(listed):
        name = identifier if n == 0 else f"{identifier}/{n}"
        if not isinstance(call, dict):
            talk.note("no_call", "a requested call that is no object; it was kept as a note")
            talk.put("note", actor=actor, data={**data, "content": call}, id=name, time_ns=time)
            continue
        asked = call.get("id") if isinstance(call.get("id"), str) else None
        arguments = call.get("arguments", NOT_RECORDED)
        talk.call(somebody(call.get("name")), arguments, actor=actor, call=asked, data=data, id=name, time_ns=time)
        data = {}


def _results(talk: Talk, content: Any, actor: str | None, identifier: str, data: dict[str, Any], time: int | None) -> None:
    listed = content if isinstance(content, list) else [content]
    for n, result in enumerate(listed):
        name = identifier if n == 0 else f"{identifier}/{n}"
        if not isinstance(result, dict):
            talk.answer(None, result, actor=actor, data=data, id=name, time_ns=time)
            continue
        failed = result.get("is_error")
        talk.answer(
            result.get("call_id") if isinstance(result.get("call_id"), str) else None,
            result.get("content", NOT_RECORDED),
            tool=somebody(result.get("name")),
            failed=failed if isinstance(failed, bool) else None,
            actor=actor,
            data=data,
            id=name,
            time_ns=time,
        )


def _said(talk: Talk, content: Any, actor: str | None, role: str | None, identifier: str, data: dict[str, Any], time: int | None) -> None:
    text = content if isinstance(content, str) else None
    if isinstance(content, list):
        text = "\n".join(part for part in content if isinstance(part, str)) or None
        data = {**data, "parts": [part for part in content if not isinstance(part, str)]}
    elif text is None and content is not None:
        data = {**data, "content": content}
    elif text is None:
        talk.report.not_known("what a message said")
    elif (flaw := flaw_of(text)) is not None:
        talk.note("not_whole", f"a message is not what was said: {flaw}")
    talk.say(text, actor=actor, role=role, data=data, id=identifier, time_ns=time)
