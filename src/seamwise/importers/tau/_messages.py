"""What was said, called and answered: messages in the shape of chat completions, with a few keys of the benchmark's own."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import iso_ns

_SPEAKERS = frozenset({"assistant", "user"})


def message(talk: Talk, entry: Any, i: int) -> None:
    """The steps of one message; its position in the list, from 0, is its id."""
    if not isinstance(entry, dict) or not isinstance(role := entry.get("role"), str):
        talk.dropped("no message", f"message {i} has no role")
        return
    talk.arrived(f"message {i}")
    if isinstance(several := entry.get("tool_messages"), list):
        for k, each in enumerate(each for each in several if isinstance(each, dict)):
            answer(talk, each, f"{i}.{k}")
        return
    if role in ("tool", "function"):
        answer(talk, entry, str(i))
        return
    content, at, before = entry.get("content"), moment(talk, entry), talk.n_steps
    speaker = role if role in _SPEAKERS else None
    data = {key: value for key in ("index", "turn_idx") if (value := entry.get(key)) is not None}
    if content not in (None, ""):
        if isinstance(content, str):
            talk.say(content, actor=speaker, role=role, id=str(i), data=data, time_ns=at)
        else:
            talk.say(None, actor=speaker, role=role, id=str(i), data={**data, "content": content}, time_ns=at)
    calls = entry.get("tool_calls")
    for k, one in enumerate(calls if isinstance(calls, list) else ()):
        call(talk, one, f"{i}.{k}", role, at)
    if isinstance(function := entry.get("function_call"), dict):
        call(talk, function, f"{i}.f", role, at)
    if talk.n_steps == before:
        talk.say(content, actor=speaker, role=role, id=str(i), data=data, time_ns=at)


def call(talk: Talk, recorded: Any, identifier: str, role: str, at: int | None, **more: Any) -> None:
    """A call: in tau-bench ``{id, function: {name, arguments}}``, in tau2-bench ``{id, name, arguments, requestor}``."""
    if not isinstance(recorded, dict):
        talk.note("no_call", "an entry of the tool calls is no object; it was left out")
        return
    function = recorded.get("function")
    inner: dict[str, Any] = function if isinstance(function, dict) else recorded
    name, by, number = inner.get("name"), recorded.get("requestor"), recorded.get("id")
    talk.call(
        name if isinstance(name, str) and name else None,
        inner.get("arguments", NOT_RECORDED),
        actor=by if isinstance(by, str) and by in _SPEAKERS else role,
        call=number if isinstance(number, str) and number else None,
        id=identifier,
        time_ns=at,
        **more,
    )


def answer(talk: Talk, entry: dict[str, Any], identifier: str, **more: Any) -> None:
    """The answer of a tool; tau2-bench says whether it is an error."""
    number = next((n for key in ("tool_call_id", "id") if isinstance(n := entry.get(key), str) and n), None)
    name, error = entry.get("name"), entry.get("error")
    talk.answer(
        number,
        entry.get("content", NOT_RECORDED),
        tool=name if isinstance(name, str) and name else None,
        failed=error if isinstance(error, bool) else None,
        id=identifier,
        time_ns=moment(talk, entry),
        **more,
    )


def moment(talk: Talk, entry: dict[str, Any]) -> int | None:
    """When it happened; tau2-bench writes local times without a zone, whose moment nobody knows."""
    at = entry.get("timestamp")
    ns = iso_ns(at) if isinstance(at, str) else None
    if at is not None and ns is None:
        talk.report.not_known("the time zone of a time")
    return ns
