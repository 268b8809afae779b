"""Which event is which step.

An event stands where it began. A tool and a model answer later, and other agents may act meanwhile: an answer is put where its time of
completion is reached by the events after it.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import Any

from seamwise.importers._shared.labels import seal, without_labels
from seamwise.importers._shared.models import ModelCalls
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import iso_ns
from seamwise.importers.inspect._messages import message
from seamwise.importers.inspect._refs import References
from seamwise.importers.inspect._spans import Span, Spans
from seamwise.record import Status

INPUT_BASIS = "the model event of this call holds its complete input messages"
_COMMON = frozenset(
    {"uuid", "span_id", "timestamp", "working_start", "working_time", "pending", "event", "events", "completed", "metadata"}
)
_SEALED_PATHS = ("/scores", "/target", "/metadata", "/score")
_TOO_DEEP = 50
"""Levels of events inside events (older logs) that are followed."""


class Events:
    """Reads the events of one sample."""

    def __init__(self, talk: Talk, refs: References) -> None:
        self._talk = talk
        self._refs = refs
        self._spans = Spans()
        self._models = ModelCalls(talk, INPUT_BASIS)
        self._n = 0
        self._count = itertools.count()
        self._later: list[tuple[int, int, Callable[[], None]]] = []
        """Answers by their time of completion."""

    def event(self, event: Any, depth: int = 0) -> None:
        """One event, and those inside it."""
        talk = self._talk
        self._n += 1
        if not isinstance(event, dict) or not isinstance(kind := event.get("event"), str):
            talk.dropped("no event", f"event {self._n} is none")
            return
        at = iso_ns(event["timestamp"]) if isinstance(event.get("timestamp"), str) else None
        self._until(at)
        name = event["uuid"] if isinstance(event.get("uuid"), str) and event["uuid"] else f"e{self._n}"
        around = self._spans.around(event)
        inside = event.get("events")
        if kind in ("span_begin", "span_end", "step"):
            self._span(kind, event, name, at)
        elif kind in ("score", "score_edit") or event.get("role") == "grader" or self._spans.scoring(around):
            self._sealed(kind, event)
            return
        else:
            talk.arrived(f"event {self._n}")
            actor = self._spans.actor(around)
            if kind == "model":
                self._model(event, name, actor, at)
                return
            if kind == "tool":
                self._tool(event, name, actor, at, depth)
                return
            self._other(kind, event, name, actor, at)
        if isinstance(inside, list):
            self._inner(inside, depth)

    def end(self) -> None:
        """The answers that are still to come."""
        self._until(None, everything=True)

    # ---- order ----

    def _until(self, at: int | None, *, everything: bool = False) -> None:
        while self._later and (everything or (at is not None and self._later[0][0] <= at)):
            heapq.heappop(self._later)[2]()

    def _after(self, completed: Any, put: Callable[[int | None], None]) -> None:
        """Puts an answer at its time of completion; at once where that was not recorded."""
        ns = iso_ns(completed) if isinstance(completed, str) else None
        if ns is None:
            put(None)
        else:
            heapq.heappush(self._later, (ns, next(self._count), lambda: put(ns)))

    def _inner(self, inside: list[Any], depth: int) -> None:
        if depth >= _TOO_DEEP:
            for _ in inside:
                self._talk.dropped("nested too deeply")
            return
        for event in inside:
            self.event(event, depth + 1)

    # ---- sorts of event ----

    def _span(self, kind: str, event: dict[str, Any], name: str, at: int | None) -> None:
        talk = self._talk
        begins = kind == "span_begin" or (kind == "step" and event.get("action") != "end")
        span: Span | None
        if begins:
            span = self._spans.begin(event, older=kind == "step")
        else:
            span = self._spans.end(event) if kind == "span_end" else self._spans.end_step()
        if span is not None and self._spans.scoring(self._spans.around({"span_id": span.parent})):
            self._sealed(kind, event)
            return
        talk.arrived(f"event {self._n}")
        if span is None:
            talk.note("end_without_begin", f"`{event.get('name', event.get('id'))}` ends and was not seen to begin")
            talk.put("span", id=name, data={"ends": event.get("id")}, time_ns=at)
        elif span.type in ("scorer", "scorers"):
            talk.put("span", id=name, data={"type": "scoring", "ends" if not begins else "begins": True}, time_ns=at)
        elif span.type == "agent" and span.name:
            talk.put("agent_start" if begins else "agent_end", id=name, actor=span.name, data={"span": span.id}, time_ns=at)
        else:
            data: dict[str, Any] = {"name": span.name, "type": span.type, "span": span.id}
            if not begins:
                data["ends"] = True
            talk.put("span", id=name, actor=self._spans.actor(self._spans.around({"span_id": span.id})), data=data, time_ns=at)

    def _sealed(self, kind: str, event: dict[str, Any]) -> None:
        """A record of the scoring: no part of the run."""
        seal(self._talk.sink, self._talk.id, None, f"scoring/{kind}", event)
        self._talk.dropped("part of the scoring (sealed)", harmless=True)

    def _model(self, event: dict[str, Any], name: str, actor: str | None, at: int | None) -> None:
        told = self._refs.told(event, self._talk.sink.limits.spans_per_trace)
        model, tools, role = event.get("model"), event.get("tools"), event.get("role")
        call = self._models.call(
            id=name,
            actor=actor,
            told=told,
            model=model if isinstance(model, str) else None,
            tools=self._refs.resolved(tools) if isinstance(tools, list) else None,
            data={"role": role} if isinstance(role, str) else None,
            time_ns=at,
        )
        output: dict[str, Any] = event["output"] if isinstance(event.get("output"), dict) else {}
        listed = output.get("choices")
        choices = [choice for choice in listed if isinstance(choice, dict)] if isinstance(listed, list) else []
        error = event.get("error") if event.get("error") is not None else output.get("error")
        if event.get("pending") is True or (not choices and error is None and event.get("completed") is None):
            self._models.unfinished()
            return
        answered = []
        for choice in choices:
            made = message(self._refs.resolved(choice.get("message")))
            if made is not None:
                reason = choice.get("stop_reason")
                answered.append({**made, "finish_reason": reason} if isinstance(reason, str) else made)
        usage = output.get("usage")
        status: Status | None = "failed" if error is not None else "ok" if answered else None

        def put(completed: int | None) -> None:
            self._models.result(
                call,
                actor=actor,
                answered=answered,
                status=status,
                error=self._refs.resolved(error),
                usage=usage if isinstance(usage, dict) else None,
                time_ns=completed,
            )

        self._after(event.get("completed"), put)

    def _tool(self, event: dict[str, Any], name: str, actor: str | None, at: int | None, depth: int) -> None:
        talk = self._talk
        function, number = event.get("function"), event.get("id")
        tool = function if isinstance(function, str) else None
        call = number if isinstance(number, str) and number else name
        talk.call(tool, self._refs.resolved(event.get("arguments", NOT_RECORDED)), actor=actor, call=call, id=name, time_ns=at)
        agent, error = event.get("agent"), event.get("error")
        if isinstance(agent, str) and agent and error is None and event.get("failed") is not True:
            talk.handoff(actor, agent, data={"tool": tool, "call": call}, time_ns=at)  # the other agent works before the tool answers
        inside = event.get("events")
        if isinstance(inside, list):
            self._inner(inside, depth)
        timeout = isinstance(error, dict) and error.get("type") == "timeout"
        if event.get("pending") is True or ("result" not in event and error is None):
            return
        failed = True if error is not None or event.get("failed") is True else None
        result = self._refs.resolved(event.get("result", NOT_RECORDED))

        def put(completed: int | None) -> None:
            talk.answer(
                call,
                result,
                tool=tool,
                status="timeout" if timeout else "failed" if failed else None,
                error=self._refs.resolved(error),
                id=f"{name}/end",
                time_ns=completed,
            )

        self._after(event.get("completed"), put)

    def _other(self, kind: str, event: dict[str, Any], name: str, actor: str | None, at: int | None) -> None:
        talk = self._talk
        data = {key: self._refs.resolved(value) for key, value in event.items() if key not in _COMMON and value is not None}
        if kind in ("state", "store"):
            changes = data.get("changes")
            kept = []
            for change in changes if isinstance(changes, list) else ():
                path = change.get("path") if isinstance(change, dict) else None
                if kind == "state" and isinstance(path, str) and (path == "" or path.startswith(_SEALED_PATHS)):
                    seal(talk.sink, talk.id, name, f"state{path}", change)
                else:
                    kept.append(change)
            talk.put("state", id=name, actor=actor, data={"object": kind, "changes": kept}, time_ns=at)
        elif kind == "sample_init":
            init = data.get("sample")
            told = init.get("input") if isinstance(init, dict) else None
            talk.put("note", id=name, data={"event": kind, "input": told}, time_ns=at)
        elif kind == "input" and isinstance(event.get("input"), str):
            talk.say(str(data["input"]), actor=None, role="user", id=name, time_ns=at)
        elif kind == "approval":
            self._approval(event, data, name, at)
        else:
            seen = without_labels(data, talk.sink, talk.id, name)
            talk.put("note", id=name, actor=actor, data={"event": kind, **seen}, time_ns=at)

    def _approval(self, event: dict[str, Any], data: dict[str, Any], name: str, at: int | None) -> None:
        call, by = event.get("call"), event.get("approver")
        subject = call.get("id") if isinstance(call, dict) else None
        data |= {"status": data.pop("decision", None), "subject": subject}
        self._talk.put("approval", id=name, actor=by if isinstance(by, str) else None, data=data, time_ns=at)
