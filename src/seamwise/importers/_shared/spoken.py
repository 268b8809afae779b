"""One message of a listed conversation, whoever's shape it has, and the steps that it makes.

Read are messages of chat completions (also with ``function_call`` and AutoGen's ``tool_responses``), content in blocks (``tool_use``,
``tool_result``), items of the Responses API, LangChain's messages (plain or serialised) and parts of the newest GenAI convention.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from seamwise.importers._shared.labels import is_label, without_labels
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.text import parsed
from seamwise.record import flaw_of

PERSPECTIVES = frozenset(
    "user assistant system developer tool function human ai gpt bot model chatbot observation ipython environment agent unknown".split()
)
"""Words that stand where a role is said: from whose side something was said. They are nobody's name."""

_LANGCHAIN = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "systemmessage": "system",
    "toolmessage": "tool",
    "functionmessage": "function",
}

_TAKEN = frozenset(
    "role content name type tool_calls toolCalls tool_call_id toolCallId function_call tool_responses parts is_error id status text value "
    "from call_id output arguments invalid_tool_calls recipient recipients to receiver artifact".split()
)


class Asked(NamedTuple):
    """A call of a tool."""

    call: str | None
    tool: str | None
    arguments: Any


class Answered(NamedTuple):
    """What a tool answered."""

    call: str | None
    tool: str | None
    result: Any
    failed: bool | None


class Spoken(NamedTuple):
    """A message taken apart."""

    role: str | None
    name: str | None
    """Who bears the message's name; for a tool's answer that is the tool, and stands there."""
    recipients: tuple[str, ...] | None
    words: str | None
    """Its text, parts joined by line ends; None: it has none."""
    others: list[Any]
    """Parts that are neither text nor calls nor answers: images, files, reasoning."""
    asked: list[Asked]
    answered: list[Answered]
    rest: dict[str, Any]
    """What else the record says."""
    has_content: bool


def unwrapped(entry: Any) -> Any:
    """A message out of LangChain's serialisation (``{"lc": 1, "id": [..., "AIMessage"], "kwargs": {...}}``); anything else as it is."""
    if isinstance(entry, dict) and "lc" in entry and isinstance(entry.get("kwargs"), dict):
        path = entry.get("id")
        kind = path[-1] if isinstance(path, list) and path and isinstance(path[-1], str) else None
        return ({"type": kind} if kind else {}) | entry["kwargs"]
    return entry


def spoken(entry: Any) -> Spoken | None:
    """The message in an entry of a list, or None where it is none."""
    entry = unwrapped(entry)
    if not isinstance(entry, dict):
        return None
    kind = entry.get("type")
    if kind == "function_call" and "name" in entry:
        return _bare(entry, asked=[Asked(_text(entry.get("call_id", entry.get("id"))), _text(entry["name"]), _arguments(entry))])
    if kind == "function_call_output":
        return _bare(entry, answered=[Answered(_text(entry.get("call_id")), None, entry.get("output", NOT_RECORDED), None)])
    role = _role(entry)
    if role is None:
        return None
    words: list[str] = []
    others: list[Any] = []
    asked: list[Asked] = []
    answered: list[Answered] = []
    content = _content(entry)
    if role in ("tool", "function") or entry.get("tool_call_id") is not None:
        responses = parsed(entry.get("tool_responses"))
        if isinstance(responses, list) and responses:
            answered += [_answer(r) for r in responses if isinstance(r, dict)]
        elif isinstance(entry.get("parts"), list):
            _take(entry["parts"], words, others, asked, answered)
        else:
            answered.append(_answer(entry))
    else:
        _take(content, words, others, asked, answered)
    _calls(entry, asked)
    name = somebody(entry.get("name")) if role not in ("tool", "function") else None
    return Spoken(
        role=role,
        name=name,
        recipients=_recipients(entry),
        words="\n".join(words) if words else None,
        others=others,
        asked=asked,
        answered=answered,
        rest={k: v for k, v in entry.items() if k not in _TAKEN and v not in (None, [], {})},
        has_content=content is not NOT_RECORDED and content is not None,
    )


def tell(
    talk: Talk,
    said: Spoken,
    *,
    id: str | None = None,
    actor: str | None = None,
    recipients: Iterable[str] | None = None,
    data: Mapping[str, Any] | None = None,
    **more: Any,
) -> None:
    """The steps of one message: answers first, then what was said, then calls. The first of them bears ``id``."""
    number = 0

    def next_id() -> str | None:
        nonlocal number
        number += 1
        return id if number == 1 or id is None else f"{id}/{number - 1}"

    content = {**said.rest, **(data or {})}
    if any(is_label(key) for key in content):
        content = without_labels(content, talk.sink, talk.id, id)
    for answer in said.answered:
        talk.answer(answer.call, answer.result, tool=answer.tool, failed=answer.failed, data=content, id=next_id(), **more)
    flaw = flaw_of(said.words) if said.words else None
    if flaw is not None:
        talk.note("not_whole", f"a message is not what was said: {flaw}")
    mute = not said.words and not said.others
    if not mute or not (said.asked or said.answered):
        if mute and not said.has_content:
            talk.report.not_known("what a message said")
        content = dict(content)
        if said.others:
            content["parts"] = said.others
        talk.say(said.words, actor=actor, recipients=recipients, role=said.role, data=content, id=next_id(), **more)
        content = {}
    for ask in said.asked:
        talk.call(ask.tool, ask.arguments, actor=actor, recipients=recipients, call=ask.call, data=content, id=next_id(), **more)
        content = {}


def _role(entry: dict[str, Any]) -> str | None:
    role = entry.get("role")
    if isinstance(role, str):
        return role
    kind = entry.get("type")
    if isinstance(kind, str) and kind.lower() in _LANGCHAIN and ("content" in entry or "tool_calls" in entry):
        return _LANGCHAIN[kind.lower()]
    side = entry.get("from")
    return side if isinstance(side, str) and "value" in entry else None


def _content(entry: dict[str, Any]) -> Any:
    for key in ("content", "parts", "text", "value"):
        if key in entry:
            return entry[key]
    return NOT_RECORDED


def _bare(entry: dict[str, Any], asked: list[Asked] | None = None, answered: list[Answered] | None = None) -> Spoken:
    return Spoken(None, None, None, None, [], asked or [], answered or [], {}, True)


def _recipients(entry: dict[str, Any]) -> tuple[str, ...] | None:
    for key in ("recipients", "recipient", "receiver", "to"):
        value = entry.get(key)
        if isinstance(value, str) and somebody(value) is not None:
            return (value,)
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            return tuple(value)
    return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else str(value) if isinstance(value, int) else None


def _arguments(call: dict[str, Any]) -> Any:
    for key in ("arguments", "args", "input", "parameters"):
        if key in call:
            return call[key]
    return NOT_RECORDED


def _calls(entry: dict[str, Any], asked: list[Asked]) -> None:
    known = {a.call: at for at, a in enumerate(asked) if a.call is not None}
    for key in ("tool_calls", "toolCalls", "invalid_tool_calls"):
        listed = parsed(entry.get(key))
        for call in listed if isinstance(listed, list) else ():
            if isinstance(call, dict):
                function = call.get("function")
                inner = function if isinstance(function, dict) else call
                identifier = _text(call.get("id", call.get("tool_call_id", call.get("toolCallId"))))
                made = Asked(identifier, _text(inner.get("name", inner.get("tool_name"))), _arguments(inner))
                if identifier is None or identifier not in known:
                    asked.append(made)
                elif not asked[known[identifier]].arguments:
                    asked[known[identifier]] = (
                        made  # LangChain repeats blocks of the content as calls, of a streamed one with the arguments.
                    )
    legacy = parsed(entry.get("function_call"))
    if isinstance(legacy, dict):
        asked.append(Asked(None, _text(legacy.get("name")), _arguments(legacy)))


def _answer(entry: dict[str, Any]) -> Answered:
    result = entry.get("content", NOT_RECORDED)
    if isinstance(result, list) and result and all(isinstance(p, dict) and isinstance(p.get("text"), str) for p in result):
        result = "\n".join(p["text"] for p in result)
    failed = entry.get("is_error", True if entry.get("status") == "error" else None)
    name = entry.get("name") if entry.get("role", "tool") in ("tool", "function") else None
    call = entry.get("tool_call_id", entry.get("toolCallId", entry.get("tool_use_id")))
    return Answered(_text(call), somebody(name), result, failed if isinstance(failed, bool) else None)


def _take(content: Any, words: list[str], others: list[Any], asked: list[Asked], answered: list[Answered]) -> None:
    """Sorts the content of a message, which is a text or a list of parts."""
    if isinstance(content, str):
        words.append(content)
        return
    if not isinstance(content, list):
        if content is not NOT_RECORDED and content is not None:
            others.append({"type": "data", "content": content})
        return
    for part in content:
        if isinstance(part, str):
            words.append(part)
            continue
        if not isinstance(part, dict):
            others.append(part)
            continue
        kind = part.get("type")
        function, response = (
            part.get(a, part.get(b)) for a, b in (("function_call", "functionCall"), ("function_response", "functionResponse"))
        )
        text = part.get("text", part.get("content"))
        if kind in (None, "text", "input_text", "output_text") and isinstance(text, str):
            words.append(text)
        elif kind in ("tool_use", "tool_call"):
            asked.append(Asked(_text(part.get("id")), _text(part.get("name")), _arguments(part)))
        elif kind == "tool_result":
            answered.append(_answer({**part, "role": "tool"}))
        elif kind == "tool_call_response":
            answered.append(Answered(_text(part.get("id")), None, part.get("response", part.get("result", NOT_RECORDED)), None))
        elif isinstance(function, dict):
            asked.append(Asked(_text(function.get("id")), _text(function.get("name")), _arguments(function)))
        elif isinstance(response, dict):
            answered.append(Answered(_text(response.get("id")), _text(response.get("name")), response.get("response", NOT_RECORDED), None))
        else:
            others.append(part)
