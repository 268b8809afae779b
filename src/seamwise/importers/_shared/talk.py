"""The steps of a run that was recorded as a list of what was said and done: chats, session logs, trajectories.

An importer reads its format and says, record by record, who said what, which tool was called and what came back; ids, the sequence, the
pairing of calls with results, handoffs and the import report's sums are made here, so that all such formats read alike.

    talk = Talk("run-1", sink, where=f"{source.path}")
    talk.arrived()
    talk.say("Is it paid?", actor="user")
    talk.arrived()
    talk.call("lookup", {"id": 3}, actor="clerk", call="c1")
    talk.arrived()
    talk.answer("c1", "paid")
    trace = talk.trace()

INVARIANT: every record is counted once: :meth:`Talk.arrived` counts it as kept, :meth:`merged` and :meth:`dropped` otherwise.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import msgspec

from seamwise.importers._registry import Sink
from seamwise.importers._shared.arguments import arguments_of
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.names import alike, transfer_label
from seamwise.importers._shared.suspicion import suspicion
from seamwise.importers._shared.text import clean, is_sound, nesting, parsed
from seamwise.record import After, Claim, Clock, Header, Organization, Ref, Status, Step, Trace

_MISSING: Any = object()
NOT_RECORDED = _MISSING
"""Stands for content that was not recorded, which is not the same as a recorded null."""


class Talk:
    """One trace as it comes to be.

    Args:
        trace: Its id.
        sink: Report, labels and limits.
        where: The file (and the part of it), for notes.
        in_sequence: Whether the list is its writer's sequence, so that each step is known to follow the one before. False where records
            of several writers were thrown together.
        source: Who wrote the records; None: one recorder.
        chained: Each step is known to follow the one before by an edge of its own, not by its position. So it is where the trace has parts
            in other files: positions of one source would be compared across them.
    """

    def __init__(
        self, trace: str, sink: Sink, *, where: str, in_sequence: bool = True, source: str | None = None, chained: bool = False
    ) -> None:
        self.id = trace
        self.report = sink.report
        self.sink = sink
        self.where = where
        self.claims: list[Claim] = []
        self.clocks: dict[str, Clock] = {}
        self.agents: dict[str, dict[str, Any]] = {}
        self.origin: dict[str, Any] = {"format": sink.report.format, "file": sink.report.file}
        self._depth = sink.limits.depth
        self._most = sink.limits.spans_per_trace
        self._chained = chained
        self.in_sequence = in_sequence and not chained
        """Whether what is put from here on is known to follow what was put before it."""
        self._source = source
        self._steps: list[Step] = []
        self._ids: dict[str, int] = {}
        """Ids of steps, each with the last number that was put behind it to tell others apart."""
        self._calls: dict[str, Step] = {}
        self._open: dict[str | None, dict[str, None]] = {}
        """Tool -> names of its calls without an answer, oldest first."""
        self._named: dict[str, deque[str]] = {}
        """Recorded id of a call -> names of the calls that bear it and wait for an answer, or the last that did."""
        self._answered: set[str] = set()
        self._failed: set[str | None] = set()
        self._handoffs: list[tuple[str | None, str]] = []
        self._at = "start"

    # ---- records ----

    def arrived(self, at: str | None = None) -> None:
        """Counts one record of the file as kept.

        Args:
            at: Where it stands (``message 4``), for notes on it.
        """
        self.report.records += 1
        self.report.kept += 1
        if at is not None:
            self._at = at

    def merged(self, code: str, words: str) -> None:
        """Counts a record that repeats another and adds nothing."""
        self.report.records += 1
        self.report.merged += 1
        self.note(code, words)

    def repeated(self) -> None:
        """Counts a record that repeats another because the format always does so: there is nothing to note."""
        self.report.records += 1
        self.report.merged += 1

    def dropped(self, reason: str, words: str | None = None, *, harmless: bool = False) -> None:
        """Counts a record that stands in no trace; ``harmless``: it is no part of the run."""
        self.report.records += 1
        self.report.drop(reason, harmless=harmless)
        if words is not None:
            self.note("dropped", words)

    def note(self, code: str, words: str) -> None:
        """A note about the present record."""
        self.report.note(code, f"{self.where}, trace {self.id}, {self._at}", words)

    # ---- steps ----

    def agent(self, name: str | None, **facts: Any) -> str | None:
        """An agent that was seen, with what is recorded about it; its name without the white space around it."""
        if name in self.agents and not facts:
            return name
        if name is None or not (name := clean(name).strip()):
            return None
        known = self.agents.setdefault(name, {})
        if facts:
            known.update(self._bounded({key: value for key, value in facts.items() if value is not None}) or {})
        return name

    def about(self, facts: Mapping[str, Any]) -> None:
        """What is recorded of the run as a whole, without labels: it stands in the header's origin, for people, and no verdict reads it."""
        if made := self._bounded(without_labels(dict(facts), self.sink, self.id, None)):
            self.origin.setdefault("recorded", {}).update(made)

    def put(
        self,
        kind: str,
        *,
        id: str | None = None,
        actor: str | None = None,
        recipients: Iterable[str] | None = None,
        channel: str | None = None,
        tool: str | None = None,
        call: str | None = None,
        status: Status | None = None,
        text: str | None = None,
        data: Mapping[str, Any] | None = None,
        refs: Iterable[Ref] = (),
        streams: Iterable[str] = (),
        order: Iterable[After] = (),
        time_ns: int | None = None,
        source: str | None = None,
        own_call: bool = False,
    ) -> str:
        """One more step; returns its id, which is that of the record where it is free, else one of its own.

        Fields are those of :class:`~seamwise.record.Step`; ``own_call`` names the step's call after the step.
        """
        identifier = self._free(id if id is not None else f"{len(self._steps)}")
        if len(self._steps) >= self._most:
            if len(self._steps) == self._most:
                self.note("too_many_steps", f"more than {self._most} steps; the rest was left out")
            return identifier
        if self._chained and self._steps:
            order = (*order, After(step=self._steps[-1].id, basis="sequence"))
        step = Step(
            id=identifier,
            kind=kind,
            actor=self.agent(actor),
            recipients=None if recipients is None else tuple(name for r in recipients if (name := self.agent(r)) is not None),
            channel=channel,
            tool=tool,
            call=identifier if own_call else call,
            status=status,
            text=None if text is None else clean(text),
            data=self._bounded(data),
            refs=tuple(refs),
            streams=tuple(streams),
            order=tuple(order),
            time_ns=time_ns,
            seq=len(self._steps) if self.in_sequence else None,
            source=source if source is not None else self._source,
        )
        self._steps.append(step)
        return identifier

    def say(
        self,
        text: str | None,
        *,
        actor: str | None,
        recipients: Iterable[str] | None = None,
        role: str | None = None,
        data: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> str:
        """A message. ``role`` (user, assistant ...) is a perspective, kept in ``data.role``; it is nobody's name."""
        if actor is None:
            self.report.not_known("who said a message")
        if recipients is None:
            self.report.not_known("who received a message")
        content = dict(data or {})
        if role is not None:
            content.setdefault("role", role)
        return self.put("message", actor=actor, recipients=recipients, text=text, data=content, **more)

    def call(
        self,
        tool: str | None,
        arguments: Any = NOT_RECORDED,
        *,
        actor: str | None,
        call: str | None = None,
        data: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> str:
        """A tool was called; returns the name of the call, by which :meth:`answer` finds it.

        Args:
            tool: Its name; None: not recorded.
            arguments: As recorded: parsed where they are JSON or Python's notation, else kept as text with a note.
            actor: Who called it.
            call: The id that was recorded for the call.
            data: More about it.
            more: As in :meth:`put`.
        """
        if actor is None:
            self.report.not_known("which agent a call belongs to")
        content = dict(data or {})
        if arguments is NOT_RECORDED:
            self.report.not_known("the arguments of a tool call")
        else:
            made = arguments_of(arguments, self._depth)
            content["arguments"] = made.value
            if not made.readable and arguments is not None:
                self.note("unparsable_arguments", f"the arguments of `{tool}` are no object; they were kept as they are")
        if call is not None and call in self._calls:
            self.note("call_id_twice", f"another call bears the id `{call[:80]}`; they were kept apart")
        name, n = call or "call~0", len(self._calls)
        while name in self._calls:
            name, n = f"{call or 'call'}~{n}", n + 1
        before = len(self._steps)
        self.put("tool_call", actor=actor, tool=tool, call=name, data=content, **more)
        if len(self._steps) > before:
            self._calls[name] = self._steps[-1]
            self._open.setdefault(tool, {})[name] = None
            if call is not None:
                self._named.setdefault(call, deque()).append(name)
        return name

    def answer(
        self,
        call: str | None,
        result: Any = NOT_RECORDED,
        *,
        tool: str | None = None,
        failed: bool | None = None,
        status: Status | None = None,
        settled: bool = True,
        error: Any = None,
        actor: str | None = None,
        data: Mapping[str, Any] | None = None,
        order: Iterable[After] = (),
        **more: Any,
    ) -> str:
        """A tool answered.

        How it ended: what the record says (``status``, ``failed``); else ``ok`` where a result is recorded that does not itself report a
        failure; else not recorded.

        Args:
            call: The recorded id of the call; None: the oldest call of that tool that has no answer yet (noted where there are several),
                or, where no tool is named either, the only call without one.
            result: As recorded; a recorded null is one.
            tool: The tool, where the record names it.
            failed: What the record says of failure; None: nothing.
            status: What the record says of the ending.
            settled: False where the record says that the answer need not be the ending: how it ended is then not recorded.
            error: What the record says of the error.
            actor: Who answered, where that is recorded.
            data: More about it.
            order: What it is known to follow beside its call.
            more: As in :meth:`put`.
        """
        asked = self._asked(call, tool)
        content = dict(data or {})
        text: str | None = None
        suspected: str | None = None
        if result is NOT_RECORDED:
            self.report.not_known("the result of a tool call that ended")
        else:
            text = result if isinstance(result, str) else None
            content["result"] = parsed(result, self._depth)
            suspected = suspicion(text, content["result"])
        if error is not None:
            content["error"] = error
        if status is None and failed is not None:
            status = "failed" if failed else "ok"
        if status is None and settled and error is None and result is not NOT_RECORDED and suspected is None:
            status = "ok"
        if suspected is not None:
            recorded = "not recorded" if status is None else f"`{status}`"
            named = tool or (asked.tool if asked is not None else None)
            self.note("suspected_failure", f"tool `{named}`: {suspected}; its recorded ending is {recorded}")
        if status is None:
            self.report.not_known("whether a tool call that ended took effect")
        identifier = self.put(
            "tool_result",
            actor=actor if actor is not None else (asked.actor if asked is not None else None),
            tool=tool if tool is not None else (asked.tool if asked is not None else None),
            call=asked.call if asked is not None else call,
            status=status,
            text=text,
            data=content,
            refs=(Ref(kind="answers", step=asked.id),) if asked is not None else (),
            order=(*order, After(step=asked.id, basis="sequence")) if asked is not None else order,
            **more,
        )
        if asked is not None and status in ("failed", "timeout"):
            self._failed.add(asked.call)
        if asked is None:
            self.note("result_without_call", f"a result answers `{call}`, but that call is not in the recording")
        return identifier

    def handoff(
        self, actor: str | None, target: str | None, *, text: str | None = None, data: Mapping[str, Any] | None = None, **more: Any
    ) -> str:
        """Control passed from one agent to another, as the recording itself says."""
        if target is None:
            self.report.not_known("the target of a handoff")
        identifier = self.put("handoff", actor=actor, recipients=None if target is None else (target,), text=text, data=data, **more)
        if target is not None:
            self._handoffs.append((None if actor is None else alike(actor), alike(target)))
        return identifier

    # ---- the end ----

    def on_clock(self, source: str, clock: Clock) -> None:
        """States the clock of the records, unless their times go back: then the clock cannot be relied on, and orders nothing."""
        latest = 0
        for step in self._steps:
            if step.time_ns is not None:
                if step.time_ns < latest - 2 * clock.skew_ns:
                    self._at = f"step {step.id}"
                    self.note("clock_goes_back", "it bears an earlier time than a step before it; the times order nothing here")
                    return
                latest = max(latest, step.time_ns)
        self.clocks[source] = clock

    def trace(self, organization: Organization | None = None) -> Trace:
        """The trace; handoffs by tools are told now that all agents are known."""
        self._tool_handoffs()
        if unanswered := self.unanswered:
            self.report.not_known("the ending of a tool call", len(unanswered))
        self._note_alike()
        organization = organization or Organization()
        if self.agents:
            organization = msgspec.structs.replace(organization, agents={**self.agents, **organization.agents})
        header = Header(id=self.id, organization=organization, claims=tuple(self.claims), clocks=self.clocks, origin=self.origin)
        return Trace(header=header, steps=tuple(self._steps))

    @property
    def n_steps(self) -> int:
        """Steps so far."""
        return len(self._steps)

    @property
    def last(self) -> str:
        """Id of the last step."""
        return self._steps[-1].id

    @property
    def unanswered(self) -> list[str]:
        """Names of the calls without an answer so far."""
        return [name for name in self._calls if name not in self._answered]

    # ---- inside ----

    def _free(self, wanted: str) -> str:
        if wanted and wanted not in self._ids and wanted.isascii():
            self._ids[wanted] = 1
            return wanted
        wanted = clean(wanted) or "step"
        identifier, n = wanted, self._ids.get(wanted, 0)
        while identifier in self._ids:
            n += 1
            identifier = f"{wanted}~{n}"
        self._ids[wanted] = max(n, 1)
        self._ids.setdefault(identifier, 1)
        return identifier

    def _bounded(self, data: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """The content without what JSON does not have, and without values nested over the limit, which become text."""
        if not data:
            return None
        made = {}
        for key, value in data.items():
            if isinstance(value, (dict, list)):
                if is_sound(value, self._depth):
                    pass
                elif nesting(value) > self._depth:
                    self.note("too_deep", f"`{key}` is nested deeper than {self._depth} levels; it was kept as text")
                    value = _as_text(value)
                else:
                    value = clean(value)
            elif isinstance(value, (str, float, bytes)):
                value = clean(value)
            made[key] = value
        return made

    def _asked(self, call: str | None, tool: str | None) -> Step | None:
        """The call that an answer is for; one that was answered before is answered again, which is noted."""
        name: str | None = None
        if call is not None:
            same = self._named.get(call) or deque([call] if call in self._calls else [])
            while len(same) > 1 and same[0] in self._answered:
                same.popleft()
            name = same[0] if same else None
        else:
            groups = [self._open.get(tool, {})] if tool is not None else self._open.values()
            waiting = list(islice((n for group in groups for n in group), 2))
            name = waiting[0] if waiting and (tool is not None or len(waiting) == 1) else None
            if name is not None and len(waiting) > 1:
                self.note(
                    "paired_by_order", f"an answer of `{tool}` bears no call id; it was taken for that of the oldest call without one"
                )
        if name is None:
            return None
        if name in self._answered:
            self.note("answered_twice", f"call `{name[:80]}` has a further result; both were kept")
        else:
            self._answered.add(name)
            group = self._open[self._calls[name].tool]
            del group[name]
            if not group:
                del self._open[self._calls[name].tool]
        return self._calls[name]

    def _tool_handoffs(self) -> None:
        """Handoffs that tool calls are: a tool named like one whose target is an agent of this trace, and that no record tells of itself.

        A target that never spoke, acted or was handed to is no agent of the trace, and of two transfers at once only the answered one was
        followed: a call that is no handoff stays a call, and a note says so.
        """
        agents: dict[str, str] = {}
        for name in self.agents:
            agents.setdefault(alike(name), name)
        made: list[Step] = []
        told = Counter(self._handoffs)
        for step in self._steps:
            made.append(step)
            if step.kind != "tool_call":
                continue
            label = transfer_label(step.tool or "", (step.data or {}).get("arguments"))
            if label is None:
                continue
            source = None if step.actor is None else alike(step.actor)
            if told[source, alike(label)] > 0:
                told[source, alike(label)] -= 1
                continue
            target = agents.get(alike(label))
            if target is None or step.call not in self._answered or step.call in self._failed:
                why = f"no agent `{label}` is in this trace" if target is None else "the call has no answer that says it was followed"
                self._at = f"step {step.id}"
                self.note("possible_handoff", f"tool `{step.tool}` is named like a handoff, but {why}; no handoff was recorded for it")
                continue
            identifier = self._free(f"{step.id}/handoff")
            made.append(
                Step(
                    id=identifier,
                    kind="handoff",
                    actor=step.actor,
                    recipients=(target,),
                    tool=step.tool,
                    data={"label": label},
                    time_ns=step.time_ns,
                    refs=(Ref(kind="handoff_of", step=step.id),),
                    order=(After(step=step.id, basis="sequence"),),
                    source=step.source,
                )
            )
        self._steps = made

    def _note_alike(self) -> None:
        spelt: dict[str, str] = {}
        for name in self.agents:
            other = spelt.setdefault(alike(name), name)
            if other != name:
                self.report.note(
                    "names_alike",
                    f"{self.where}, trace {self.id}",
                    f"agents `{other}` and `{name}` differ in spelling only; they were kept apart",
                )


def _as_text(value: Any) -> str:
    """Deep JSON as text, without recursion where the encoder gives up."""
    try:
        return msgspec.json.encode(value).decode()
    except (RecursionError, ValueError, TypeError):
        return repr(type(value))
