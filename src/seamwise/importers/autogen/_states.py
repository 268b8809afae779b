"""The saved state of a team: the thread of its manager is the run, what an agent has in its context is a version of a shared object."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.talk import Talk
from seamwise.importers.autogen._messages import messages

_CONTEXTS = ("llm_context", "llm_messages", "model_context", "chat_history")


def is_state(value: Any) -> bool:
    """Whether a value is the state of a team."""
    return isinstance(value, dict) and isinstance(value.get("agent_states"), dict)


def state(talk: Talk, value: dict[str, Any]) -> None:
    """The steps of a team's state; the state itself, an agent's state and each message of the thread are records."""
    talk.arrived("team")
    talk.put("note", id="team", data={key: inner for key, inner in value.items() if key != "agent_states"})
    inner = {name: _inner(entry) for name, entry in value["agent_states"].items()}
    threads = [entry["message_thread"] for entry in inner.values() if isinstance(entry.get("message_thread"), list)]
    longest: list[Any] = max(threads, key=len, default=[])
    messages(talk, longest)
    for name, entry in inner.items():
        talk.arrived(f"state of {name}")
        context = next((_messages(entry[key]) for key in _CONTEXTS if key in entry), None)
        thread = entry.get("message_thread")
        rest = {key: v for key, v in entry.items() if key not in (*_CONTEXTS, "message_thread") and v not in (None, [], {})}
        if isinstance(thread, list) and thread is not longest:
            rest["message_thread"] = thread
        short = name.partition("/")[0]
        if context is None:
            talk.put("note", id=f"state/{name}", actor=None, data={"object": f"state/{short}", **rest})
        else:
            talk.put("state", id=f"state/{name}", actor=short, data={"object": f"context/{short}", "items": context, "whole": True, **rest})


def _inner(entry: Any) -> dict[str, Any]:
    """What an agent itself saved: without the container around it."""
    if isinstance(entry, dict) and isinstance(entry.get("agent_state"), dict):
        return {**{key: value for key, value in entry.items() if key != "agent_state"}, **entry["agent_state"]}
    return entry if isinstance(entry, dict) else {"state": entry}


def _messages(value: Any) -> list[Any] | None:
    if isinstance(value, dict):
        value = value.get("messages")
    return value if isinstance(value, list) else None
