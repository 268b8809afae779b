"""One sample in one epoch: what stands around its events, what of it is a label, and its messages where no events were kept."""

from __future__ import annotations

from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.messages import text_of
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers.inspect._events import Events
from seamwise.importers.inspect._messages import message
from seamwise.importers.inspect._refs import References
from seamwise.record import Trace

_LABELS = ("target", "scores", "score", "metadata", "reductions")
"""Fields of a sample that grade it, or say what would be right."""


class Log:
    """What a log says of itself."""

    def __init__(self, recorded: dict[str, Any], path: str) -> None:
        about = recorded.get("eval")
        self.about: dict[str, Any] = about if isinstance(about, dict) else {}
        self.path = path
        status = recorded.get("status")
        self.status = status if isinstance(status, str) else "unknown"
        words = [word for key in ("eval_id", "run_id", "task_id") if isinstance(word := self.about.get(key), str) and word]
        self.name = words[0] if words and words[0] == self.about.get("eval_id") else "/".join(words[:2])


def sample(recorded: Any, log: Log, sink: Sink) -> Trace:
    """The trace of one sample."""
    entry: dict[str, Any] = recorded if isinstance(recorded, dict) else {}
    number, epoch, own = entry.get("id"), entry.get("epoch"), entry.get("uuid")
    events = _events(entry)
    if isinstance(own, str) and own:
        name = own
    elif log.name:
        name = f"{log.name}/{number}/{epoch}"
    else:
        name = named(f"sample {number}, epoch {epoch}" if number is not None else "events", events or entry)
    talk = Talk(name, sink, where=log.path)
    talk.about(
        {
            **{key: value for key in ("task", "model", "created", "run_id") if isinstance(value := log.about.get(key), str)},
            "sample": number,
            "epoch": epoch,
            "status": log.status,
        }
    )
    if not isinstance(recorded, dict):
        talk.dropped("no sample", "a sample is no object")
        return talk.trace()
    for key in _LABELS:
        if entry.get(key) not in (None, {}, [], ""):
            seal(sink, talk.id, None, key, entry[key])
    refs = References(entry, talk)
    messages = entry.get("messages")
    telling = any(isinstance(event, dict) and event.get("event") in ("model", "tool") for event in events)
    reader = Events(talk, refs)
    for event in events:
        reader.event(event)
    reader.end()
    if not telling and isinstance(messages, list) and messages:
        if events:
            talk.note("messages", "the events tell of no call of a model or a tool; the messages of the sample were read too")
        for i, one in enumerate(messages):
            _message(talk, refs.resolved(one), i)
    attempts = entry.get("error_retries")
    for _ in attempts if isinstance(attempts, list) else ():
        talk.dropped("an earlier attempt at the sample, which failed")
    if isinstance(error := entry.get("error"), dict):
        talk.put("note", data={"error": error.get("message")})
    return talk.trace()


def _events(entry: dict[str, Any]) -> list[Any]:
    events = entry.get("events")
    if not isinstance(events, list) and isinstance(older := entry.get("transcript"), dict):
        events = older.get("events")
    return events if isinstance(events, list) else []


def _message(talk: Talk, entry: Any, i: int) -> None:
    """The steps of one message of a sample whose events were not kept."""
    made = message(entry)
    if made is None:
        talk.dropped("no message", f"message {i} has no role")
        return
    talk.arrived(f"message {i}")
    role, before = made["role"], talk.n_steps
    if role == "tool":
        error = entry.get("error")
        name = entry.get("function")
        talk.answer(
            entry["tool_call_id"] if isinstance(entry.get("tool_call_id"), str) else None,
            entry.get("content", NOT_RECORDED),
            tool=name if isinstance(name, str) else None,
            failed=True if isinstance(error, dict) else None,
            error=error,
            id=f"m{i}",
        )
        return
    calls = [part for part in made["parts"] if isinstance(part, dict) and part.get("type") == "tool_call"]
    others = [part for part in made["parts"] if part not in calls and not (isinstance(part, dict) and part.get("type") == "text")]
    text = text_of(made)
    if text or others:
        talk.say(text, actor=None, role=role, id=f"m{i}", data={"parts": others} if others else None)
    for k, call in enumerate(calls):
        number, name = call.get("id"), call.get("name")
        talk.call(
            name if isinstance(name, str) else None,
            call.get("arguments", NOT_RECORDED),
            actor=None,
            call=number if isinstance(number, str) else None,
            id=f"m{i}.{k}",
        )
    if talk.n_steps == before:
        talk.say(text, actor=None, role=role, id=f"m{i}")
