"""Events of CrewAI's bus as steps: what began and what ended find each other by ``started_event_id``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name, pieces
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.messages import listed
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers._source import Source
from seamwise.importers.crewai import _log
from seamwise.record import After, Claim, Ref, Trace

_BASE = frozenset(
    "type timestamp source_fingerprint source_type fingerprint_metadata task_id task_name agent_id agent_role event_id parent_event_id "
    "previous_event_id triggered_by_event_id started_event_id emission_sequence agent_key from_task from_agent".split()
)
"""Fields of every event; the others are its own."""

INPUT_BASIS = "the event holds the call's complete messages"


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The run of a file of JSON.

    Raises:
        FormatError: There is neither an event nor an entry of the log in it.
    """
    events: list[Any] = []
    for piece in pieces(source, sink):
        events += _listed(piece.value)
    name = content_name("run", source)
    if any(map(_log.is_entry, events)) and not any(map(_is_event, events)):
        yield _log.trace(events, name, source.path, sink)
        return
    if not any(_is_event(entry) for entry in events):
        raise FormatError("expected events or log entries of CrewAI, got none", where=source.path)
    yield Events(name, source.path, sink).trace(events)


def _listed(value: Any) -> list[Any]:
    """The events in a value: a list, the nodes of an event record, or one."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        nodes = value.get("nodes")
        if isinstance(nodes, dict):
            return [node.get("event", node) if isinstance(node, dict) else node for node in nodes.values()]
        if isinstance(value.get("events"), list):
            return list(value["events"])
    return [value]


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


_GRADES = frozenset({"quality"})
"""What an evaluation of a task or a training gave; a label here and nowhere else."""


class Events:
    """One run.

    Args:
        name: Name of the trace.
        where: The file.
        sink: Report, labels and limits.
    """

    def __init__(self, name: str, where: str, sink: Sink) -> None:
        self.talk = Talk(name, sink, where=where)
        self._begun: dict[str, str] = {}
        """Id of an event -> the step that it made."""
        self._pieces: dict[str, list[str]] = {}

    def trace(self, events: list[Any]) -> Trace:
        """The trace of these events, in the order in which they were emitted, where that is recorded of all."""
        numbers = [event.get("emission_sequence") if isinstance(event, dict) else None for event in events]
        known = [n for n in numbers if isinstance(n, int) and not isinstance(n, bool)]
        if len(known) == len(events) and len(set(known)) == len(known) and known != sorted(known):
            self.talk.note("reordered", "events do not stand in the order in which they were emitted; they were put in it")
            events = [event for _, event in sorted(zip(known, events, strict=True), key=lambda pair: pair[0])]
        for number, event in enumerate(events):
            if _is_event(event):
                self._event(event, number)
            else:
                self.talk.dropped("no event", "an entry that is no event")
        return self.talk.trace()

    def _event(self, event: dict[str, Any], number: int) -> None:
        kind = event["type"]
        identifier = event["event_id"] if isinstance(event.get("event_id"), str) and event["event_id"] else str(number)
        actor = somebody(event.get("agent_role"))
        for named in (event.get("agent"), event.get("agent_info")):  # a lite agent is told by the latter
            actor = actor or (somebody(named.get("role")) if isinstance(named, dict) else None)
        own = {key: value for key, value in event.items() if key not in _BASE and value not in (None, "", [], {})}
        data: dict[str, Any] = {"event": kind, **{key: event[key] for key in ("task_id", "task_name") if event.get(key)}}
        common: dict[str, Any] = {"id": identifier, "time_ns": moment_ns(event.get("timestamp"))}
        if kind == "llm_stream_chunk":
            self.talk.merged("streamed_piece", "a piece of a model's words; the end of the call has them whole, if it is recorded")
            return
        self.talk.arrived(f"event {number}")
        if actor is not None and isinstance(event.get("agent_id"), str):
            self.talk.agent(actor, agent_id=event["agent_id"])
        started = event.get("started_event_id") if isinstance(event.get("started_event_id"), str) else None
        if kind == "tool_usage_started":
            self._call(event, own, data, actor, common)
        elif kind in ("tool_usage_finished", "tool_usage_error", "tool_execution_error"):
            self._answer(event, own, data, actor, started, common)
        elif kind == "task_started" and actor is not None:
            self.talk.put("route", actor=None, data={**data, **self._kept(own, identifier), "to": [actor]}, **common)
        elif kind == "task_completed":
            text, rest = _output(own)
            self.talk.say(text, actor=actor, data={**data, **self._kept(rest, identifier)}, **common)
        elif kind in ("agent_execution_started", "lite_agent_execution_started"):
            self._begun[identifier] = self.talk.put("agent_start", actor=actor, data={**data, **self._kept(own, identifier)}, **common)
        elif kind in ("agent_execution_completed", "agent_execution_error", "lite_agent_execution_completed", "lite_agent_execution_error"):
            text, rest = _output(own)
            status: Any = "failed" if kind.endswith("error") else None
            data = {**data, **self._kept(rest, identifier)}
            self.talk.put("agent_end", actor=actor, status=status, text=text, data=data, **self._after(started, "answers"), **common)
        elif kind == "llm_call_started":
            self._asked(own, data, actor, common)
        elif kind in ("llm_call_completed", "llm_call_failed"):
            self._answered(event, own, data, actor, started, common)
        else:
            self.talk.put("note", actor=actor, data={**data, **self._kept(own, identifier)}, **common)

    def _kept(self, own: dict[str, Any], step: str) -> dict[str, Any]:
        made: dict[str, Any] = without_labels(own, self.talk.sink, self.talk.id, step, also=_GRADES)
        return made

    def _after(self, started: str | None, kind: Any) -> dict[str, Any]:
        step = self._begun.get(started or "")
        if step is None:
            return {}
        return {"refs": (Ref(kind=kind, step=step),), "order": (After(step=step, basis="sequence"),)}

    def _call(self, event: dict[str, Any], own: dict[str, Any], data: dict[str, Any], actor: str | None, common: dict[str, Any]) -> None:
        arguments = own.pop("tool_args", event.get("tool_args", NOT_RECORDED))
        tool = somebody(own.pop("tool_name", None))
        call = event.get("event_id") if isinstance(event.get("event_id"), str) else None
        self.talk.call(tool, arguments, actor=actor, call=call, data={**data, **self._kept(own, common["id"])}, **common)

    def _answer(
        self,
        event: dict[str, Any],
        own: dict[str, Any],
        data: dict[str, Any],
        actor: str | None,
        started: str | None,
        common: dict[str, Any],
    ) -> None:
        failure = own.pop("failure", None) or None  # a tool's own report that it ran but did not do what was asked
        failed = event["type"] != "tool_usage_finished" or failure is not None
        result = own.pop("output", event.get("output", NOT_RECORDED))
        error = own.pop("error", failure)
        tool = somebody(own.pop("tool_name", None))
        own.pop("tool_args", None)
        self.talk.answer(
            started,
            result,
            tool=tool,
            failed=True if failed else None,
            settled=event.get("from_cache") is not True,  # nothing ran: whatever the tool does was not done again
            error=error if failed else None,
            actor=actor,
            data={**data, **self._kept(own, common["id"])},
            **common,
        )

    def _asked(self, own: dict[str, Any], data: dict[str, Any], actor: str | None, common: dict[str, Any]) -> None:
        """A model was called; the event holds its messages."""
        identifier = common["id"]
        messages = own.pop("messages", None)
        call = own.pop("call_id", identifier)
        call = call if isinstance(call, str) else identifier
        asked = self.talk.put("model_call", actor=actor, call=call, data={**data, **self._kept(own, identifier)}, **common)
        self._begun[identifier] = self._begun[call] = asked
        if messages is None:
            return
        said = listed(messages, "messages", default_role="user")
        given = {"for": actor, "messages": said.messages, "whole": said.whole}
        order: dict[str, Any] = {"refs": (Ref(kind="part_of", step=asked),), "order": (After(step=asked, basis="sequence"),)}
        self.talk.put(
            "input",
            id=f"{identifier}/input",
            call=call,
            data=given,
            streams=(f"input/{actor}",) if actor else (),
            time_ns=common["time_ns"],
            **order,
        )
        if not said.whole:
            self.talk.note("input_not_whole", f"the messages of a model call are not whole: {said.flaw}")
        elif actor is not None:
            self.talk.claims.append(
                Claim(sort="recording", stream=f"input/{actor}", range=call, count=1, by="importer:crewai", basis=INPUT_BASIS)
            )
            self.talk.report.claims[INPUT_BASIS] = self.talk.report.claims.get(INPUT_BASIS, 0) + 1

    def _answered(
        self,
        event: dict[str, Any],
        own: dict[str, Any],
        data: dict[str, Any],
        actor: str | None,
        started: str | None,
        common: dict[str, Any],
    ) -> None:
        own.pop("messages", None)
        response, call = own.pop("response", None), own.pop("call_id", None)
        key = started if started in self._begun else call if isinstance(call, str) else None
        text = response if isinstance(response, str) else None
        if response is not None and text is None:
            data = {**data, "response": response}
        failed = event["type"].endswith("failed")
        self.talk.put(
            "model_result",
            actor=actor,
            call=key,
            status="failed" if failed else "ok",
            text=text,
            data={**data, **self._kept(own, common["id"])},
            **self._after(key, "answers"),
            **common,
        )


def _output(own: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The words of an output, and what else is said."""
    output = own.get("output")
    rest = {key: value for key, value in own.items() if key != "output"}
    if isinstance(output, dict):
        raw = output.get("raw")
        return (raw if isinstance(raw, str) else None), {**rest, "output": output}
    return (output if isinstance(output, str) else None), rest if isinstance(output, str) or output is None else {**rest, "output": output}
