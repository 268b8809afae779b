"""Which function response answers which function call: by id, else by the event that is named, else by order and name in an invocation."""

from __future__ import annotations

from typing import Any, NamedTuple

from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers.adk._keys import get, mapping, text


class Place(NamedTuple):
    """The event in which a part stands."""

    event: str
    invocation: str | None
    author: str | None
    time_ns: int | None
    named: str | None
    """The event that this one says it answers (older versions)."""
    long_running: frozenset[str]
    """Ids of calls whose answers are not endings."""


class Calls:
    """The calls of one session that have no id, and those that may be answered before they have ended."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._waiting: dict[tuple[str | None, str | None], list[tuple[str, str]]] = {}
        """(invocation, function) -> calls without an id, as (event, name of the call)."""
        self._long: set[str] = set()

    def call(self, function: dict[str, Any], part: int, place: Place) -> str:
        """A function call; returns the name of the call."""
        name, identifier = text(function, "name"), text(function, "id")
        own = identifier or f"{place.event}.{part}"
        arguments = get(function, "args")
        if arguments is None and "args" not in function:
            arguments = NOT_RECORDED
        data = {"invocation": place.invocation} if place.invocation is not None else None
        if identifier is None:
            self._waiting.setdefault((place.invocation, name), []).append((place.event, own))
        elif identifier in place.long_running:
            self._long.add(identifier)
        return self._talk.call(name, arguments, actor=place.author, call=own, id=f"{place.event}.{part}", time_ns=place.time_ns, data=data)

    def answer(self, response: dict[str, Any], part: int, place: Place) -> None:
        """A function response, and the handoff that older versions recorded in it alone."""
        name, identifier = text(response, "name"), text(response, "id")
        call = identifier or self._oldest(name, place)
        result = get(response, "response")
        if result is None and "response" not in response:
            result = NOT_RECORDED
        self._talk.answer(
            call or f"{place.event}.{part}",
            result,
            tool=name,
            settled=call not in self._long,
            id=f"{place.event}.{part}",
            time_ns=place.time_ns,
        )
        if name == "transfer_to_other_agent" and isinstance(result, dict) and mapping(response, "response").get("status") == "ok":
            target = text(result, "target_agent_name")
            if target is not None:
                self._talk.handoff(place.author, target, time_ns=place.time_ns, data={"tool": name})

    def _oldest(self, name: str | None, place: Place) -> str | None:
        waiting = self._waiting.get((place.invocation, name), [])
        if not waiting:
            return None
        there = [entry for entry in waiting if entry[0] == place.named]
        chosen = (there or waiting)[0]
        if len(there or waiting) > 1:
            self._talk.note(
                "paired_by_order",
                f"a response of `{name}` bears no call id; it was taken for that of the oldest such call of its invocation",
            )
        waiting.remove(chosen)
        return chosen[1]
