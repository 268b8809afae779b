"""The lines of a log by session, and which agent each is of."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece

MAIN = "main"
DELEGATING = frozenset({"Task", "Agent"})
"""Tools that start a sub-agent."""
_SMALL = 1 << 16


def by_session(pieces: Iterable[Piece], sink: Sink) -> dict[str, list[Piece]]:
    """The entries of a log by session; those before the first that names one belong to that."""
    pieces = list(pieces)
    if any(isinstance(piece.value, dict) and "session_id" in piece.value and "sessionId" not in piece.value for piece in pieces):
        pieces = _streamed(pieces)
    sessions: dict[str, list[Piece]] = {}
    early: list[Piece] = []
    at: str | None = None
    for piece in pieces:
        if not isinstance(piece.value, dict) or not isinstance(piece.value.get("type"), str):
            sink.report.records += 1
            sink.report.drop("no entry of a session")
            continue
        named = piece.value.get("sessionId")
        if isinstance(named, str) and named:
            at = named
        if at is None:
            early.append(piece)
            continue
        if early:
            sessions.setdefault(at, []).extend(early)
            early = []
        sessions.setdefault(at, []).append(piece)
    if early:
        # Entries that name no session are of none that is known; without one there is no run to put them in.
        for _ in early:
            sink.report.records += 1
            sink.report.drop("an entry that names no session")
    return sessions


def _streamed(pieces: list[Piece]) -> list[Piece]:
    """Messages that the SDK streams, as entries of a log: other keys, and a sub-agent is named by the call that started it."""
    started: dict[str, str] = {}
    for piece in pieces:
        entry = piece.value if isinstance(piece.value, dict) else {}
        task, call = entry.get("task_id"), entry.get("tool_use_id")
        if isinstance(task, str) and isinstance(call, str):
            started[call] = task
    made = []
    for piece in pieces:
        entry = piece.value
        if isinstance(entry, dict) and isinstance(entry.get("session_id"), str):
            parent = entry.get("parent_tool_use_id")
            entry = {key: value for key, value in entry.items() if key not in ("session_id", "tool_use_result")}
            entry["sessionId"] = piece.value["session_id"]
            if "tool_use_result" in piece.value:
                entry["toolUseResult"] = piece.value["tool_use_result"]
            if isinstance(parent, str):
                entry |= {"isSidechain": True, "agentId": started.get(parent, parent)}
        made.append(Piece(piece.line, entry))
    return made


def type_beside(path: str) -> str | None:
    """The type of the sub-agent whose log a file is, from the small file beside it (``agent-<id>.meta.json``); None where there is none."""
    log = Path(path)
    if not (log.name.startswith("agent-") and log.name.endswith(".jsonl")):
        return None
    with suppress(OSError, ValueError, msgspec.DecodeError):
        with open(log.with_name(log.name.removesuffix(".jsonl") + ".meta.json"), "rb") as file:
            said = msgspec.json.decode(file.read(_SMALL))
        if isinstance(said, dict) and isinstance(said.get("agentType"), str) and said["agentType"]:
            return str(said["agentType"])
    return None


def has_log_beside(path: str) -> bool:
    """Whether a small file of that sort lies beside the log that it is about."""
    small = Path(path)
    return small.name.endswith(".meta.json") and small.with_name(small.name.removesuffix(".meta.json") + ".jsonl").is_file()


class Agents:
    """Names of the agents of one log.

    Args:
        entries: The entries of the session.
        type: The type of the sub-agent whose log it is, where a file beside it says so.
    """

    def __init__(self, entries: list[dict[str, Any]], type: str | None) -> None:
        self._type = type
        self._roots: dict[str, str] = {}
        """Entry of a side chain without an agent's id -> the entry that its chain begins with."""
        self._prompts: dict[str, list[str]] = {}
        """Prompt of a delegation -> types that it was given to."""
        self._prompted: dict[str, str] = {}
        """First entry of a side chain -> its prompt."""
        self.started: dict[str, str] = {}
        """Delegating call -> id of the sub-agent that it started."""
        self._types: dict[str, str] = {}
        """Id of a sub-agent -> its type."""
        asked: dict[str, str] = {}
        for entry in entries:
            for block in blocks(entry):
                name, call = block.get("name"), block.get("tool_use_id")
                if (
                    block.get("type") == "tool_use"
                    and isinstance(name, str)
                    and name in DELEGATING
                    and isinstance(block.get("input"), dict)
                ):
                    kind, prompt = block["input"].get("subagent_type"), block["input"].get("prompt")
                    kind = kind if isinstance(kind, str) and kind else "agent"
                    if isinstance(prompt, str):
                        self._prompts.setdefault(prompt, []).append(kind)
                    if isinstance(block.get("id"), str):
                        asked[block["id"]] = kind
                elif block.get("type") == "tool_result" and isinstance(call, str) and call in asked:
                    started = _started(entry, block)
                    if started is not None:
                        self.started[call] = started
                        self._types[started] = asked[call]
            if entry.get("isSidechain") is True and not _id(entry) and isinstance(entry.get("uuid"), str):
                parent = entry.get("parentUuid")
                root = self._roots.get(parent) if isinstance(parent, str) else None
                self._roots[entry["uuid"]] = root or entry["uuid"]
                if root is None and (words := said(entry)) is not None:
                    self._prompted[entry["uuid"]] = words

    def of(self, entry: dict[str, Any]) -> str:
        """The agent in whose log an entry stands."""
        if (number := _id(entry)) is not None:
            return self.named(number)
        if entry.get("isSidechain") is not True:
            return MAIN
        root = self._roots.get(entry["uuid"]) if isinstance(entry.get("uuid"), str) else None
        if root is None:
            return "sidechain"
        types = self._prompts.get(self._prompted.get(root, ""), [])
        return f"{types[0] if len(types) == 1 else 'sidechain'}({root[:8]})"

    def named(self, number: str) -> str:
        """The name of a sub-agent."""
        return f"{self._types.get(number) or self._type or 'agent'}({number})"


def blocks(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of an entry's message."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def said(entry: dict[str, Any]) -> str | None:
    """The words of an entry's message."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    words = [block["text"] for block in blocks(entry) if block.get("type") == "text" and isinstance(block.get("text"), str)]
    return "\n".join(words) if words else None


def _id(entry: dict[str, Any]) -> str | None:
    number = entry.get("agentId")
    return number if isinstance(number, str) and number else None


def _started(entry: dict[str, Any], block: dict[str, Any]) -> str | None:
    """The sub-agent that a result is of: named beside it, or in its last words."""
    beside = entry.get("toolUseResult")
    if isinstance(beside, dict) and isinstance(beside.get("agentId"), str) and beside["agentId"]:
        return str(beside["agentId"])
    content = block.get("content")
    parts = content if isinstance(content, list) else [content]
    for part in reversed(parts):
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str) and "agentId: " in text:
            words = text.rpartition("agentId: ")[2].split()
            if words and words[0].isalnum():
                return words[0]
    return None
