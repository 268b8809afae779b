"""Messages of a log, in the one shape of all importers."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Message, Said, message_of
from seamwise.record import flaw_in

_REMOVED = "<base64-data-removed>"
"""What stands in a log for the bytes of an image that were not kept."""


def message(entry: Any) -> Message | None:
    """A message; None where it is none. A call of a message names its tool under ``function``, as a text."""
    if not isinstance(entry, dict):
        return None
    calls = entry.get("tool_calls")
    if isinstance(calls, list):
        entry = {**entry, "tool_calls": [_call(call) for call in calls if isinstance(call, dict)]}
    return message_of(entry)


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    return call if not isinstance(function, str) else {"id": call.get("id"), "name": function, "arguments": call.get("arguments")}


def said(entries: list[Any], flaw: str | None, basis: str) -> Said:
    """The input of a call, and whether it is whole."""
    made: list[Message] = []
    for entry in entries:
        one = message(entry)
        if one is None:
            flaw = flaw or "an entry of it is no message"
            one = {"role": "unknown", "parts": [{"type": "data", "content": entry}]}
        elif flaw is None and _left_out(one):
            flaw = "an image of it was left out of the log"
        elif flaw is None:
            flaw = flaw_in(one["parts"])
        made.append(one)
    return Said(made, flaw is None, basis, flaw)


def _left_out(made: Message) -> bool:
    return any(
        isinstance(value, str) and _REMOVED in value[:200]
        for part in made["parts"]
        if isinstance(part, dict) and part.get("type") not in ("text", "tool_call", "tool_call_response")
        for value in part.values()
    )
