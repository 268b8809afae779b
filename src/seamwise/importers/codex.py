"""Codex: the rollout files of its sessions (JSON Lines), older and newer.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/codex.md``. In short: a rollout is one trace, named after
its session; one of a sub-agent gives a further part of the trace of the session that started it. Events that repeat an item for the screen
are merged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece, lines
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.text import parsed
from seamwise.importers._shared.times import iso_ns
from seamwise.importers._source import Source
from seamwise.record import Clock, Trace

MAIN = "main"
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_ITEMS = _CALLS | {"message", "reasoning", "function_call_output", "custom_tool_call_output"}
_REPEATS = {"user_message": "message", "agent_message": "message", "agent_reasoning": "text"}
"""Events that show an item on the screen -> where their words stand."""
_WRITER = "codex"
_CLOCK = Clock(skew_ns=1_000_000, basis="the rollouts of one session bear the times of one clock, to the millisecond")


class Codex:
    """The importer of Codex."""

    name = "codex"
    version = 1
    summary = "Codex rollouts: sessions of its agents, with sub-agents in files of their own"

    def sniff(self, head: bytes) -> int:
        """Whether the lines are items of a rollout."""
        seen = outline(head)
        if seen.has("payload", "type") and seen.says("type", "session_meta", "response_item", "turn_context"):
            return 90
        bare = seen.says("type", *_ITEMS) and (seen.has("call_id") or seen.has("summary") or seen.has("content[].type"))
        return (
            80 if bare and (seen.has("instructions") or seen.has("record_type")) else 70 if bare and seen.has("call_id", "arguments") else 0
        )

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The session of a rollout.

        Raises:
            FormatError: There is none in it.
        """
        pieces = []
        for piece in lines(source, sink):
            if isinstance(piece.value, dict):
                pieces.append(piece)
            else:
                sink.report.records += 1
                sink.report.drop("no item of a rollout")
        if not any(_item(piece.value)[0] in _ITEMS or piece.value.get("type") in ("session_meta", "event_msg") for piece in pieces):
            raise FormatError("expected a rollout of Codex, got none", where=source.path)
        yield _Rollout(pieces, sink, source.path).trace()


class _Rollout:
    def __init__(self, pieces: list[Piece], sink: Sink, path: str) -> None:
        self._pieces = pieces
        meta = _meta(pieces)
        own, parent, kind = _text(meta.get("id")), *_parent(meta)
        self._agent = MAIN if parent is None else f"{kind or 'agent'}({own})"
        name = parent or own or named("rollout", [piece.value for piece in pieces])
        # The rollouts of one session are parts of one trace. Their writer is one program; its lines follow one another inside a file alone.
        self._talk = Talk(name, sink, where=path, source=_WRITER, chained=True)
        self._talk.about(
            {key: meta[key] for key in ("id", "cwd", "originator", "cli_version", "git", "forked_from_id") if meta.get(key) is not None}
        )
        self._prefix = "" if parent is None else f"{own}/"
        """Lines have no ids; those of a sub-agent stand in the trace of its parent."""
        self._said = Counter(words for piece in pieces if (words := _words(_item(piece.value)[1])) is not None)
        """What items say, and how often: an event may repeat it as often."""

    def trace(self) -> Trace:
        """The steps."""
        talk = self._talk
        for piece in self._pieces:
            entry = piece.value
            at = iso_ns(entry["timestamp"]) if isinstance(entry.get("timestamp"), str) else None
            kind, item = _item(entry)
            name = f"{self._prefix}line-{piece.line}"
            if entry.get("type") == "event_msg":
                place = _REPEATS.get(kind)
                words = _text(item.get(place)) if place is not None else None
                if words is not None and self._said[words.strip()] > 0:
                    self._said[words.strip()] -= 1
                    talk.repeated()
                    continue
            talk.arrived(f"line {piece.line}")
            if kind in _ITEMS and entry.get("type") != "event_msg":
                self._put(kind, item, name, at)
            else:
                data = {key: value for key, value in item.items() if value is not None and key != "base_instructions"}
                talk.put("note", id=name, data={"entry": kind, **data}, time_ns=at)
        talk.on_clock(_WRITER, _CLOCK)
        return talk.trace()

    def _put(self, kind: str, item: dict[str, Any], name: str, at: int | None) -> None:
        talk, agent = self._talk, self._agent
        call = _text(item.get("call_id")) or _text(item.get("id"))
        if kind == "message":
            role = _text(item.get("role"))
            speaker = agent if role == "assistant" else "user" if role == "user" and agent == MAIN else None
            to = (agent,) if role != "assistant" else None
            talk.say(_words(item), actor=speaker, recipients=to, role=role, id=name, time_ns=at)
        elif kind == "reasoning":
            talk.put("note", id=name, actor=agent, text=_words(item), data={"thought": True}, time_ns=at)
        elif kind in _CALLS:
            tool = _text(item.get("name")) or kind.removesuffix("_call")
            arguments = next((item[key] for key in ("arguments", "input", "action") if key in item), NOT_RECORDED)
            talk.call(tool, arguments, actor=agent, call=call or name, id=name, time_ns=at)
        else:
            self._answer(item, call, name, at)

    def _answer(self, item: dict[str, Any], call: str | None, name: str, at: int | None) -> None:
        talk = self._talk
        output = item.get("output", NOT_RECORDED)
        inner = parsed(output)
        failed: bool | None = None
        data: dict[str, Any] = {}
        if isinstance(inner, dict):
            success = inner.get("success")
            failed = not success if isinstance(success, bool) else None
            if isinstance(inner.get("metadata"), dict):
                data["metadata"] = inner["metadata"]  # holds the exit code, which is for a binding's `ok:` to judge
            words = next((inner[key] for key in ("output", "content") if isinstance(inner.get(key), str)), None)
            output = words if words is not None else inner
        talk.answer(call, output, failed=failed, id=name, data=data, time_ns=at)
        started = _text(inner.get("agent_id")) if isinstance(inner, dict) else None
        if started is not None:
            asked = inner.get("agent_type") or inner.get("agent_role")
            talk.handoff(self._agent, f"{_text(asked) or 'agent'}({started})", id=f"{name}/handoff", data={"call": call}, time_ns=at)


def _item(entry: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The sort of an entry and what it holds: newer rollouts put the item into a payload."""
    payload = entry.get("payload")
    item: dict[str, Any] = payload if isinstance(payload, dict) else entry
    outer = entry.get("type")
    kind = item.get("type") if outer in ("response_item", "event_msg") or item is entry else outer
    return kind if isinstance(kind, str) else "unknown", item


def _meta(pieces: list[Piece]) -> dict[str, Any]:
    """What the rollout says of its session: a line of its own, in older ones the first, without a type."""
    for piece in pieces[:5]:
        kind, item = _item(piece.value)
        if kind == "session_meta" or ("type" not in piece.value and "id" in piece.value):
            return item
    return {}


def _parent(meta: dict[str, Any]) -> tuple[str | None, str | None]:
    """The session that started this one, and what sort of agent it started."""
    source = meta.get("source")
    inner = source.get("subagent") if isinstance(source, dict) else None
    spawned = inner.get("thread_spawn") if isinstance(inner, dict) else None
    if not isinstance(spawned, dict):
        return None, None
    kind = _text(spawned.get("agent_role")) or _text(spawned.get("agent_nickname"))
    return _text(spawned.get("parent_thread_id")), kind


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _words(item: dict[str, Any]) -> str | None:
    """The words of an item: of its content, or of the summary of a thought."""
    for key in ("content", "summary"):
        value = item.get(key)
        if isinstance(value, str) and value:
            return value.strip()
        if isinstance(value, list):
            words = [part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str)]
            if words:
                return "\n".join(words).strip()
    return None


IMPORTER = Codex()
