"""One session, event by event."""

from __future__ import annotations

from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers.adk._calls import Calls, Place
from seamwise.importers.adk._keys import get, listed, mapping, text
from seamwise.record import Trace

_KNOWN = frozenset(
    "id author content actions partial timestamp branch invocation_id options is_greeting error_code error_message usage_metadata "
    "long_running_tool_ids turn_complete interrupted".split()
)


def is_event(entry: Any) -> bool:
    """Whether a value is an event."""
    return isinstance(entry, dict) and ("author" in entry or get(entry, "invocation_id") is not None)


def session(recorded: dict[str, Any], sink: Sink, path: str, **origin: Any) -> Trace:
    """The trace of one session.

    Args:
        recorded: The session.
        sink: Report, labels and limits.
        path: The file.
        origin: More about where it comes from.
    """
    talk = Talk(text(recorded, "id") or named("session", get(recorded, "events")), sink, where=path)
    talk.origin.update({key: value for key in ("app_name", "user_id") if (value := text(recorded, key)) is not None} | origin)
    reader = _Session(talk, recorded)
    for event in [*listed(recorded, "past_events"), *listed(recorded, "events")]:
        reader.event(event)
    reader.flush()
    waiting = get(recorded, "pending_events")
    for _ in waiting if isinstance(waiting, (list, dict)) else ():
        talk.dropped("an event that was pending when the session was saved")
    if state := mapping(recorded, "state"):
        reader.state(state, None, "saved with the session; it need not be whole")
    return talk.trace()


class _Session:
    def __init__(self, talk: Talk, recorded: dict[str, Any]) -> None:
        self._talk = talk
        self._calls = Calls(talk)
        self._n = 0
        self._seen: dict[str, dict[str, Any]] = {}
        self._chunks: dict[tuple[str | None, str | None], list[tuple[Place, str, Any]]] = {}
        """(invocation, author) -> pieces of text that were streamed and not yet repeated by a whole event."""
        self._owner = {
            "session": talk.id,
            "user": text(recorded, "user_id") or "unknown",
            "app": text(recorded, "app_name") or "unknown",
        }

    def event(self, event: Any) -> None:
        talk = self._talk
        self._n += 1
        if not isinstance(event, dict):
            talk.dropped("no event", f"event {self._n} is no object")
            return
        identifier = text(event, "id")
        if identifier is not None:
            if self._seen.get(identifier) == event:
                talk.merged("event_twice", f"event `{identifier}` stands there twice, the same both times")
                return
            self._seen.setdefault(identifier, event)
        author, invocation = text(event, "author"), text(event, "invocation_id")
        options = mapping(event, "options")
        place = Place(
            identifier or f"event-{self._n}",
            invocation,
            author,
            moment_ns(get(event, "timestamp")),
            text(options, "function_call_event_id"),
            frozenset(i for i in listed(event, "long_running_tool_ids") if isinstance(i, str)),
        )
        content = mapping(event, "content")
        parts = [part for part in listed(content, "parts") if isinstance(part, dict)]
        said = "".join(part["text"] for part in parts if isinstance(part.get("text"), str))
        if get(event, "partial") is True and all(set(_filled(part)) <= {"text", "thought"} for part in parts):
            self._chunks.setdefault((invocation, author), []).append((place, said, content))
            return
        self._settle(place, said)
        talk.arrived(f"event {self._n}")
        before = talk.n_steps
        partial = get(event, "partial") is True
        for i, part in enumerate(parts):
            if partial and isinstance(asked := get(part, "function_call"), dict):
                # a call that is still being streamed is not made; the whole of it stands in an event of its own
                talk.note("call_in_pieces", "a piece of a streamed call; it was kept as a note")
                data = {"partial": True, "function_call": asked, "invocation": invocation}
                talk.put("note", id=f"{place.event}.{i}", actor=author, data=data, time_ns=place.time_ns)
            else:
                self._part(part, i, place, event, content)
        self._actions(mapping(event, "actions"), place)
        for key in ("error_code", "error_message"):
            if get(event, key) is not None:
                data = {k: value for k in ("error_code", "error_message") if (value := get(event, k)) is not None}
                talk.put("note", actor=author, text=text(event, "error_message"), data=data, time_ns=place.time_ns)
                break
        if talk.n_steps == before:
            data = {key: value for key, value in event.items() if value is not None and key not in ("id", "author", "timestamp")}
            talk.put("note", id=place.event, actor=author, data=data, time_ns=place.time_ns)

    def flush(self) -> None:
        """Texts that were streamed and never repeated by a whole event: incomplete messages."""
        for (invocation, author), chunks in self._chunks.items():
            for _ in chunks:
                self._talk.arrived()
            place, _, content = chunks[0]
            self._talk.note("incomplete_message", f"`{author}`: {len(chunks)} streamed pieces and no whole event after them")
            self._talk.say(
                "".join(said for _, said, _ in chunks),
                actor=author,
                role=text(content, "role"),
                id=place.event,
                data={"partial": True, "invocation": invocation},
                time_ns=place.time_ns,
            )
        self._chunks.clear()

    def _settle(self, place: Place, said: str) -> None:
        """Streamed pieces that the present event repeats."""
        key = (place.invocation, place.author)
        chunks = self._chunks.get(key)
        if not chunks:
            return
        if said.strip().startswith("".join(piece for _, piece, _ in chunks).strip()[:200]):
            for _ in self._chunks.pop(key):
                self._talk.repeated()

    def _part(self, part: dict[str, Any], i: int, place: Place, event: dict[str, Any], content: dict[str, Any]) -> None:
        talk = self._talk
        data: dict[str, Any] = {"invocation": place.invocation} if place.invocation is not None else {}
        if (branch := text(event, "branch")) is not None:
            data["branch"] = branch
        if i == 0 and (usage := mapping(event, "usage_metadata")):
            data["usage"] = usage
        at = place.time_ns
        function, response, words = mapping(part, "function_call"), mapping(part, "function_response"), part.get("text")
        if function:
            self._calls.call(function, i, place)
        elif response:
            self._calls.answer(response, i, place)
        elif isinstance(words, str):
            if part.get("thought") is True:
                talk.put("note", id=f"{place.event}.{i}", text=words, data={**data, "thought": True}, actor=place.author, time_ns=at)
            else:
                talk.say(words, id=place.event, role=text(content, "role"), data=data, actor=place.author, time_ns=at)
        elif filled := _filled(part):
            talk.put(
                "note",
                id=f"{place.event}.{i}",
                data={**data, "part": {key: _brief(part[key]) for key in filled}},
                actor=place.author,
                time_ns=at,
            )

    def _actions(self, actions: dict[str, Any], place: Place) -> None:
        talk = self._talk
        self.state(mapping(actions, "state_delta"), place, None)
        for name, version in mapping(actions, "artifact_delta").items():
            data = {"object": f"artifact/{name}", "version": version}
            talk.put("state", actor=place.author, data=data, time_ns=place.time_ns)
        if (target := text(actions, "transfer_to_agent")) is not None:
            talk.handoff(place.author, target, time_ns=place.time_ns)
        other: dict[str, Any] = {}
        if get(actions, "escalate") is True:
            other["escalate"] = True
        if asked := mapping(actions, "requested_auth_configs"):
            other["authorization_asked_for"] = sorted(asked)  # the values hold client secrets
        if other:
            talk.put("note", actor=place.author, data=other, time_ns=place.time_ns)

    def state(self, delta: dict[str, Any], place: Place | None, about: str | None) -> None:
        """One ``state`` step for each scope that a delta touches."""
        scopes: dict[str, dict[str, Any]] = {}
        for key, value in delta.items():
            scope = key.partition(":")[0] if key.startswith(("user:", "app:", "temp:")) else "session"
            scopes.setdefault(scope, {})[key] = value
        for scope, items in scopes.items():
            owner = (place.invocation if place else None) or "unknown" if scope == "temp" else self._owner[scope]
            data: dict[str, Any] = {"object": f"{scope}/{owner}", "items": items}
            if about is not None:
                data["about"] = about
            self._talk.put("state", actor=place.author if place else None, data=data, time_ns=place.time_ns if place else None)


def _filled(part: dict[str, Any]) -> list[str]:
    return [key for key, value in part.items() if value is not None]


def _brief(value: Any) -> Any:
    """A part that is neither text nor a function, without the bytes in it."""
    if isinstance(value, dict) and isinstance(value.get("data"), str) and len(value["data"]) > 256:
        return {**value, "data": f"({len(value['data'])} characters left out)"}
    return value
