"""Messages of LangGraph: the same one comes in pieces, whole, in writes and in every later state; it is told once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seamwise.importers._shared.messages import Message, text_part
from seamwise.importers._shared.spoken import Spoken, spoken, tell, unwrapped
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.text import parsed

_NOISE = frozenset("additional_kwargs response_metadata example usage_metadata invalid_tool_calls artifact lc chunk_position".split())


def is_message(value: Any) -> bool:
    """Whether a value is a message."""
    return spoken(value) is not None


def message_of(value: Any) -> Message | None:
    """The message in the one shape in which inputs hold messages; None where it is none."""
    said = spoken(value)
    if said is None:
        return None
    parts: list[Any] = [] if said.words is None else [text_part(said.words)]
    parts += said.others
    parts += [
        {"type": "tool_call", "id": a.call, "name": a.tool, "arguments": None if a.arguments is NOT_RECORDED else parsed(a.arguments)}
        for a in said.asked
    ]
    parts += [
        {"type": "tool_call_response", "id": a.call, "response": None if a.result is NOT_RECORDED else a.result} for a in said.answered
    ]
    made: Message = {"role": said.role or "unknown", "parts": parts}
    if said.name is not None:
        made["name"] = said.name
    return made


class Messages:
    """The messages of a run, each told once.

    A message is known by its id. One without an id is known by its place: a state repeats what was written or held before it.
    """

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self._told: dict[str, Any] = {}
        self._known: dict[tuple[str, ...], int] = {}
        """Graph -> messages without an id that are known in its list."""
        self.whole: set[str] = set()
        """Ids of messages that come whole at some place."""
        self._last: dict[str, int] = {}
        """Id -> number of the event with its last piece."""
        self._pieces: dict[str, tuple[Any, str | None, Mapping[str, Any]]] = {}
        """Id -> a message as far as it came, who says it, what else is known."""
        self._words: dict[str, list[Any]] = {}
        """Id -> the contents of pieces that add to one another."""

    def written(self, value: Any, ns: tuple[str, ...], actor: str | None, more: Mapping[str, Any]) -> None:
        """What a node wrote to the list: one message or several."""
        for entry in value if isinstance(value, list) else [value]:
            self._one(entry, actor, more)
            if self._id(entry) is None:
                self._known[ns] = self._known.get(ns, 0) + 1

    def held(self, value: Any, ns: tuple[str, ...], more: Mapping[str, Any]) -> None:
        """What a state holds."""
        if not isinstance(value, list):
            return
        nameless = 0
        for entry in value:
            if self._id(entry) is not None:
                self._one(entry, None, more)
            else:
                nameless += 1
                if nameless > self._known.get(ns, 0):
                    self._one(entry, None, more)
        self._known[ns] = max(nameless, self._known.get(ns, 0))

    def expects(self, data: Any, number: int) -> None:
        """Pieces that come with an event of that number."""
        for entry in data if isinstance(data, list) else [data]:
            if (identifier := self._id(entry)) is not None:
                self._last[identifier] = number

    def piece(self, entry: Any, actor: str | None, more: Mapping[str, Any], *, adds: bool) -> None:
        """A piece of a streamed message: the whole of it so far, or what is added to it."""
        identifier = self._id(entry)
        if identifier is None or identifier in self._told:
            return
        before = self._pieces.get(identifier)
        words = entry.get("content") if isinstance(entry, dict) else None
        if adds and isinstance(words, (str, list)):
            self._words.setdefault(identifier, []).append(words)
        if adds and before is not None and isinstance(entry, dict) and isinstance(before[0], dict):
            entry = {**before[0], **{key: value for key, value in entry.items() if value not in (None, [], {}, "")}}
        known = before[1] if before is not None else None
        self._pieces[identifier] = (entry, known or actor, more)

    def speaks(self, identifier: str, actor: str | None) -> None:
        """Who says the message of that id, as metadata of its pieces say."""
        before = self._pieces.get(identifier, ({"id": identifier}, None, {}))
        self._pieces[identifier] = (before[0], actor or before[1], before[2])

    def ended(self, entry: Any, number: int) -> str | None:
        """The id of the message whose last piece this is, if it never comes whole."""
        identifier = self._id(entry)
        ends = identifier is not None and identifier not in self.whole and identifier not in self._told
        return identifier if ends and self._last.get(identifier or "") == number else None

    def partly(self, identifier: str) -> None:
        """Tells a message that never comes whole, from its pieces."""
        entry, actor, more = self._pieces.pop(identifier)
        words = self._words.pop(identifier, [])
        if words and isinstance(entry, dict):
            texts = all(isinstance(piece, str) for piece in words)
            entry = {
                **entry,
                "content": "".join(words)
                if texts
                else [part for piece in words for part in (piece if isinstance(piece, list) else [piece])],
            }
        said = spoken(entry)
        self._told[identifier] = entry
        self.talk.note("broke_off", f"message `{identifier[:80]}` came in pieces only; it was marked as partial")
        if said is None:
            self.talk.put("note", data={**more, "partial": True, "piece": entry})
        else:
            self._tell(said, identifier, actor, {**more, "partial": True})

    def _id(self, entry: Any) -> str | None:
        entry = unwrapped(entry)
        return entry["id"] if isinstance(entry, dict) and isinstance(entry.get("id"), str) and entry["id"] else None

    def _one(self, entry: Any, actor: str | None, more: Mapping[str, Any]) -> None:
        said, identifier = spoken(entry), self._id(entry)
        plain = unwrapped(entry)
        if isinstance(plain, dict) and plain.get("type") in ("remove", "RemoveMessage"):
            self.talk.put("note", actor=actor, data={**more, "removes": identifier}, id=None)
            return
        if said is None:
            if isinstance(entry, str):  # A text written to the list becomes a message of the user.
                self.talk.say(entry, actor=None, role="user", data=more)
            return
        if identifier is not None:
            known = self._told.get(identifier)
            if known is not None:
                if _says(known) != _says(plain):
                    self._told[identifier] = plain
                    self.talk.note("message_changed", f"message `{identifier[:80]}` comes again with other content; both were kept")
                    self._tell(said, f"{identifier}~changed", actor, {**more, "replaces": identifier})
                return
            self._told[identifier] = plain
            pending = self._pieces.pop(identifier, None)
            self._words.pop(identifier, None)
            actor = actor or (pending[1] if pending is not None else None)
        self._tell(said, identifier, actor, more)

    def _tell(self, said: Spoken, identifier: str | None, actor: str | None, more: Mapping[str, Any]) -> None:
        person = said.role in ("user", "system", "developer")
        rest = {key: value for key, value in said.rest.items() if key not in _NOISE}
        data = {key: value for key, value in more.items() if value not in (None, [], {})}
        told = said._replace(rest=rest)
        tell(self.talk, told, id=identifier, actor=said.name or (None if person else actor), recipients=said.recipients, data=data)


def _says(entry: Any) -> Any:
    """What a message says: the content and the calls, which may stand in either place."""
    said = spoken(entry)
    return None if said is None else (said.words, said.others, [(a.call, a.tool) for a in said.asked], said.answered)
