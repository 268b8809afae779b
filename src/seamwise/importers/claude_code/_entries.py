"""Which line of a session is which step."""

from __future__ import annotations

from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import iso_ns
from seamwise.importers.claude_code._lines import DELEGATING, MAIN, Agents
from seamwise.record import Clock, Trace

_COMMON = frozenset(
    """type uuid parentUuid sessionId timestamp isSidechain userType cwd version gitBranch agentId message slug entrypoint
    parent_tool_use_id""".split()
)
_WRITER = "claude_code"
_CLOCK = Clock(skew_ns=1_000_000, basis="the logs of one session bear the times of one clock, to the millisecond")


class Session:
    """The part of a session that stands in one log.

    Args:
        name: The session.
        entries: Its lines.
        sink: Report, labels and limits.
        path: The file.
        type: The type of the sub-agent whose log it is, where a file beside it says so.
    """

    def __init__(self, name: str, entries: list[Piece], sink: Sink, path: str, type: str | None) -> None:
        self._entries = entries
        values = [piece.value for piece in entries]
        self._agents = Agents(values, type)
        # The logs of one session are parts of one trace; the writer is one program, and its lines follow one another inside a log alone.
        self._talk = Talk(name, sink, where=path, source=_WRITER, chained=True)
        self._usage: dict[str, dict[str, Any]] = {}
        """Answer of the model -> what it cost, as its last line says."""
        for value in values:
            message = value.get("message")
            if isinstance(message, dict) and isinstance(message.get("id"), str) and isinstance(message.get("usage"), dict):
                self._usage[message["id"]] = message["usage"]
        for value in values:
            facts = {key: value[key] for key in ("cwd", "version", "gitBranch") if isinstance(value.get(key), str) and value[key]}
            if facts:
                self._talk.about(facts)
                break

    def trace(self) -> Trace:
        """The steps."""
        talk, seen = self._talk, dict[str, Any]()
        for piece in self._entries:
            entry = piece.value
            number = entry.get("uuid")
            if isinstance(number, str):
                if number in seen and seen[number] == entry:
                    talk.merged("entry_twice", f"line {piece.line}: entry `{number[:60]}` stands there twice, the same both times")
                    continue
                seen.setdefault(number, entry)
            talk.arrived(f"line {piece.line}")
            name = number if isinstance(number, str) and number else f"line-{piece.line}"
            at = iso_ns(entry["timestamp"]) if isinstance(entry.get("timestamp"), str) else None
            if entry["type"] in ("user", "assistant") and isinstance(entry.get("message"), dict):
                self._message(entry, entry["message"], name, at)
            else:
                self._other(entry, name, at)
        talk.on_clock(_WRITER, _CLOCK)
        return talk.trace()

    def _other(self, entry: dict[str, Any], name: str, at: int | None) -> None:
        """A line that is no message: a summary, an attachment, what the program says of itself."""
        words = next((entry[key] for key in ("summary", "content", "message") if isinstance(entry.get(key), str)), None)
        data = {
            key: value for key, value in entry.items() if key not in _COMMON and key not in ("summary", "content") and value is not None
        }
        agent = self._agents.of(entry) if entry["type"] not in ("summary", "file-history-snapshot") else None
        self._talk.put("note", id=name, text=words, data={"entry": entry["type"], **data}, time_ns=at, actor=agent)

    def _message(self, entry: dict[str, Any], message: dict[str, Any], name: str, at: int | None) -> None:
        talk, agent = self._talk, self._agents.of(entry)
        mine = entry["type"] == "assistant"
        role = message.get("role") if isinstance(message.get("role"), str) else entry["type"]
        # In the log of a sub-agent the user is whoever asked it; a person speaks to the main agent alone.
        speaker = agent if mine else "user" if agent == MAIN and entry.get("isMeta") is not True else None
        to = None if mine else (agent,)
        data: dict[str, Any] = {key: entry[key] for key in ("isMeta", "isApiErrorMessage", "isCompactSummary") if entry.get(key) is True}
        cost = self._usage.pop(message["id"], None) if mine and isinstance(message.get("id"), str) else None
        if cost is not None:
            data["usage"] = cost
        model = message.get("model")
        if mine and isinstance(model, str):
            talk.agent(agent, model=model)
        content = message.get("content")
        before = talk.n_steps
        if isinstance(content, str):
            talk.say(content, actor=speaker, recipients=to, role=role, id=name, data=data, time_ns=at)
        for i, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict):
                more = data if talk.n_steps == before else {}
                self._block(block, entry, f"{name}/{i}" if i else name, agent, speaker, to, role, more, at)
            elif isinstance(block, str):
                talk.say(block, actor=speaker, recipients=to, role=role, id=f"{name}/{i}", data=data, time_ns=at)
        if talk.n_steps == before:
            if content is None:
                talk.report.not_known("what a message said")
            talk.say(None, actor=speaker, recipients=to, role=role, id=name, data=data, time_ns=at)

    def _block(
        self,
        block: dict[str, Any],
        entry: dict[str, Any],
        name: str,
        agent: str,
        speaker: str | None,
        to: tuple[str, ...] | None,
        role: Any,
        data: dict[str, Any],
        at: int | None,
    ) -> None:
        talk, kind = self._talk, block.get("type")
        if kind == "text":
            words = block.get("text")
            talk.say(words if isinstance(words, str) else None, actor=speaker, recipients=to, role=role, id=name, data=data, time_ns=at)
        elif kind in ("thinking", "redacted_thinking"):
            words = block.get("thinking")
            talk.put(
                "note", id=name, actor=agent, text=words if isinstance(words, str) else None, data={**data, "thought": True}, time_ns=at
            )
        elif kind in ("tool_use", "server_tool_use"):
            self._call(block, name, agent, data, at)
        elif isinstance(kind, str) and kind.endswith("tool_result"):
            self._answer(block, entry, name, data, at)
        else:
            talk.say(None, actor=speaker, recipients=to, role=role, id=name, data={**data, "part": _brief(block)}, time_ns=at)

    def _call(self, block: dict[str, Any], name: str, agent: str, data: dict[str, Any], at: int | None) -> None:
        talk = self._talk
        tool, number = block.get("name"), block.get("id")
        call = number if isinstance(number, str) and number else name
        tool = tool if isinstance(tool, str) else None
        talk.call(tool, block.get("input", NOT_RECORDED), actor=agent, call=call, id=name, data=data, time_ns=at)
        if tool in DELEGATING:
            started = self._agents.started.get(call)
            arguments = block.get("input")
            label = arguments.get("subagent_type") if isinstance(arguments, dict) else None
            target = self._agents.named(started) if started is not None else None
            talk.handoff(agent, target, id=f"{name}/handoff", data={"call": call, "label": label}, time_ns=at)

    def _answer(self, block: dict[str, Any], entry: dict[str, Any], name: str, data: dict[str, Any], at: int | None) -> None:
        number, error = block.get("tool_use_id"), block.get("is_error")
        result = block.get("content", NOT_RECORDED)
        if isinstance(result, list):
            words = [part["text"] for part in result if isinstance(part, dict) and isinstance(part.get("text"), str)]
            result = "\n".join(words) if len(words) == len(result) else [_brief(part) for part in result]
        beside = entry.get("toolUseResult")
        if isinstance(beside, dict):
            data = {**data, "structured": beside}
        self._talk.answer(
            number if isinstance(number, str) else None,
            result,
            failed=error if isinstance(error, bool) else None,
            id=name,
            data=data,
            time_ns=at,
        )


def _brief(part: Any) -> Any:
    """A part that is no text, without the bytes of an image in it."""
    if isinstance(part, dict) and isinstance(source := part.get("source"), dict) and isinstance(bytes_ := source.get("data"), str):
        return {**part, "source": {**source, "data": f"({len(bytes_)} characters left out)"}}
    return part
