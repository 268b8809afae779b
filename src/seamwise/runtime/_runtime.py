"""The runtime of a world: gives agents their turns and enforces what the workflow declares."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from seamwise.errors import SchemaError, did_you_mean
from seamwise.models import Voice, VoiceFailedError, seeded
from seamwise.record import Organization, Ref, Trace
from seamwise.runtime._clock import SimulatedClock
from seamwise.runtime._costs import CostLedger
from seamwise.runtime._documents import DocumentStore
from seamwise.runtime._memory import Line, PrivateMemory
from seamwise.runtime._recorder import Recorder
from seamwise.runtime._tools import Call, Tool, ToolRefused
from seamwise.runtime._workflow import Gate, Workflow
from seamwise.runtime.builtin_tools import APPROVAL_TOOLS, CHECK_TOOLS, COMMON_TOOLS, RELAY_TOOLS


class InvalidExecution(Exception):
    """The course of events that the world prescribes did not take place (a ticket was never closed ...); nothing is measured."""


@dataclass(frozen=True)
class Voices:
    """Who speaks: the agents under test, the counterpart (a customer, a reporter) and the judge; named apart and recorded."""

    agent: Voice
    counterpart: Voice
    judge: Voice | None = None


@dataclass(frozen=True)
class Made:
    """A tool call that was made in a turn, and how it ended. ``answer`` is a JSON value; of a failed call, the reason."""

    tool: str
    arguments: Mapping[str, Any]
    answer: Any
    ok: bool
    step: str
    """Id of its ``tool_result``."""


@dataclass
class Turn:
    """What an agent did when it was given a turn."""

    role: str
    text: str = ""
    """What it said last."""
    step: str = ""
    """The step that holds that."""
    made: list[Made] = field(default_factory=list)
    ended_by: str = "said"
    """``said``: it had no more calls to make; ``tool``: by a call that ends turns; ``limit``: after `Role.max_calls` model calls."""

    def call_of(self, *tools: str) -> Made | None:
        """The last call of one of these tools that went through, or None."""
        return next((m for m in reversed(self.made) if m.tool in tools and m.ok), None)


@dataclass(frozen=True)
class Delivery:
    """Whether a message was delivered. ``reason`` is what the sender is told where it was not."""

    ok: bool
    step: str
    reason: str = ""
    text: str = ""
    """What was delivered (a relay may have added to it)."""


@dataclass(frozen=True)
class _Waiting:
    text: str
    step: str


class Runtime:
    """One episode in progress.

    Args:
        world: Name of the world; personas find their rules by it.
        trace: Id of the trace.
        workflow: What is declared and enforced.
        texts: Fill in ``${name}`` in prompts.
        tools: The world's tools by name; `COMMON_TOOLS` are there besides.
        documents: Its documents.
        clock: Its time.
        state: The world's own state, which its tools read and write.
        voices: The models.
        seed: Decides all randomness.
    """

    def __init__(
        self,
        *,
        world: str,
        trace: str,
        workflow: Workflow,
        texts: Mapping[str, str],
        tools: Mapping[str, Tool],
        documents: DocumentStore,
        clock: SimulatedClock,
        state: Any,
        voices: Voices,
        seed: int,
    ) -> None:
        self.world = world
        self.workflow = workflow
        self.texts = dict(texts)
        self.tools = {**COMMON_TOOLS, **tools}
        self.documents = documents
        self.clock = clock
        self.state = state
        self.voices = voices
        self.seed = seed
        self.costs = CostLedger()
        self.recorder = Recorder(trace, clock)
        self.stage = 0
        """Number of the current stage; `begin_stage` counts it up."""
        self.prompts = {role: workflow.prompt(role, self.texts) for role in workflow.roles}
        self._memory = {role: PrivateMemory(declared.memory) for role, declared in workflow.roles.items()}
        self._inbox: dict[str, list[_Waiting]] = {role: [] for role in workflow.roles}
        self._outside: dict[str, list[Line]] = {}
        self._infos: dict[str, Any] = {}
        for role, declared in workflow.roles.items():
            for name in declared.tools:
                if name not in self.tools:
                    raise SchemaError(
                        f"expected a tool of world `{world}`, got `{name}`",
                        where=f"roles.{role}.tools",
                        hint=did_you_mean(name, self.tools),
                    )
        self.recorder.declare("messages", "approvals", "checks", *(f"inbox/{role}" for role in workflow.roles))

    # -- chance, time, stages

    def rng(self, *names: str | int) -> Random:
        """A generator for what the names name; see `seeded`."""
        return seeded(self.seed, self.world, *names)

    def begin_stage(self) -> None:
        """A new stage begins: agents with a memory of one stage forget the last."""
        self.stage += 1

    def record(self, kind: str, **fields: Any) -> str:
        """Write a step of the world's own (a ledger row, a record read ...); see `Recorder.add`."""
        return self.recorder.add(kind, **fields)

    def charge(self, who: str, what: str, *, minutes: float = 0.0, points: float = 0.0) -> None:
        """Let something cost time and points."""
        if minutes or points:
            self.clock.advance(minutes)
            self.costs.charge(who, what, minutes=minutes, points=points)

    # -- messages

    async def send(self, source: str, target: str, channel: str, text: str, *, payload: Mapping[str, Any] | None = None) -> Delivery:
        """Send a message along an edge of the workflow; sender and receiver alone get it.

        In this order: there must be an edge, the channel must carry such a text, its schema must hold (of the payload, or of the text as
        JSON where there is no payload), a relay may hold it back, gates must be passed. Then it waits in the receiver's inbox.
        """
        edge = self.workflow.edge(source, target, channel)
        if edge is None:
            return self._undelivered(source, target, channel, text, f"there is no way from {source} to {target} on {channel}")
        if (because := self._refused(channel, text, payload)) is not None:
            return self._undelivered(source, target, channel, text, because)
        rules = self.workflow.channels.get(channel)
        if rules is not None and rules.schema is not None and (misfit := _misfit(self.workflow.schemas[rules.schema], text, payload)):
            return self._undelivered(source, target, channel, text, f"the message does not fit the schema {rules.schema}: {misfit}")
        if edge.via is not None:
            relayed = await self._relay(edge.via, source, target, channel, text, payload)
            if not relayed.ok:
                return relayed
            text = relayed.text
            if (because := self._refused(channel, text, payload)) is not None:  # what the relay added goes by the same rules
                return self._undelivered(source, target, channel, text, because)
        refusal = await self._gates(source, target, f"a message to {target} on {channel}", {"text": text, **(payload or {})})
        if refusal is not None:
            return self._undelivered(source, target, channel, text, refusal)
        step = self._delivered(source, target, channel, text, payload)
        if target in self._inbox:
            shown = text if payload is None else "\n".join(filter(None, [text, json.dumps(payload, ensure_ascii=False, indent=1)]))
            self._inbox[target].append(_Waiting(f"[{channel} from {source}]\n{shown}", step))
        return Delivery(True, step, text=text)

    def collect(self, role: str) -> list[str]:
        """Take what waits in a role's inbox out of it: a tool that called somebody gives their answer back itself."""
        waiting, self._inbox[role] = self._inbox[role], []
        return [w.text for w in waiting]

    def _delivered(self, source: str, target: str, channel: str, text: str, payload: Mapping[str, Any] | None) -> str:
        """The step of a message that reaches its receiver."""
        return self.recorder.add(
            "message",
            actor=source,
            recipients=(target,),
            channel=channel,
            status="ok",
            text=text,
            data=None if payload is None else {"payload": dict(payload)},
            streams=("messages", f"inbox/{target}"),
        )

    def _refused(self, channel: str, text: str, payload: Mapping[str, Any] | None = None) -> str | None:
        """Why a channel does not carry such a message; None: it does."""
        rules = self.workflow.channels.get(channel)
        written = text if payload is None else f"{text} {json.dumps(payload, ensure_ascii=False)}"
        refused = rules is not None and any(re.search(pattern, written, re.IGNORECASE) for pattern in rules.refuse)
        return rules.because if rules is not None and refused else None

    def _undelivered(self, source: str, target: str, channel: str, text: str, reason: str) -> Delivery:
        step = self.recorder.add(
            "message",
            actor=source,
            recipients=(target,),
            channel=channel,
            status="failed",
            text=text,
            data={"reason": reason},
            streams=("messages",),
        )
        return Delivery(False, step, reason)

    async def _relay(self, via: str, source: str, target: str, channel: str, text: str, payload: Mapping[str, Any] | None) -> Delivery:
        step = self._delivered(source, via, channel, text, payload)
        shown = text if payload is None else f"{text}\n{json.dumps(payload, ensure_ascii=False, indent=1)}"
        turn = await self.turn(
            via,
            f"[{channel} from {source} for {target}]\n{shown}\n\nPass it on with pass_on, or keep it back with hold_back and say why.",
            extra=RELAY_TOOLS,
            must=("pass_on", "hold_back"),
            about=step,
        )
        made = turn.call_of("pass_on", "hold_back")
        if made is None or made.tool == "hold_back":
            reason = made.arguments["reason"] if made else f"{via} did not pass it on"
            return self._undelivered(source, target, channel, text, f"{via} kept it back: {reason}")
        note = str(made.arguments.get("note", ""))
        return Delivery(True, step, text=f"{text}\n[{via} adds] {note}".strip() if note else text)

    # -- controls

    async def _gates(self, source: str, target: str, what: str, fields: Mapping[str, Any]) -> str | None:
        """Ask every gate on the way; the reason of the first that says no, else None."""
        for name, gate in self.workflow.gates.items():
            if gate.edge in (f"{source}->{target}", f"*->{target}") and _asks(gate, fields):
                allowed, reason = await self._ask(name, gate, source, what, fields)
                if not allowed:
                    return reason
        return None

    async def _ask(self, name: str, gate: Gate, source: str, what: str, fields: Mapping[str, Any]) -> tuple[bool, str]:
        asked = " ".join(str(value) for value in fields.values())
        if (because := self._refused("approval", asked)) is not None:
            self._undelivered(source, gate.approver, "approval", f"asks for approval of {what}: {asked}", because)
            return False, because
        minutes = float(gate.params.get("minutes", 0))
        self.charge(source, f"gate {name}", minutes=minutes)
        request = self._delivered(source, gate.approver, "approval", f"asks for approval of {what}", fields)
        turn = await self.turn(
            gate.approver,
            f"[approval request from {source}]\n{source} asks for your approval of {what}:\n"
            f"{json.dumps(dict(fields), ensure_ascii=False, indent=1)}\n\nDecide with approve or reject.",
            extra=APPROVAL_TOOLS,
            must=("approve", "reject"),
            about=request,
        )
        made = turn.call_of("approve", "reject")
        allowed = made is not None and made.tool == "approve"
        reason = str(made.arguments.get("reason", "")) if made else "the approver gave no decision"
        self.recorder.add(
            "approval",
            actor=gate.approver,
            recipients=(source,),
            channel="approval",
            status="ok",
            text=reason,
            data={"gate": name, "status": "approved" if allowed else "rejected", "subject": what, "fields": dict(fields)},
            refs=[Ref(kind="answers", step=request)],
            streams=("approvals",),
        )
        return allowed, reason if allowed else f"{gate.approver} rejected it: {reason}"

    async def pass_stage(self, stage: str, role: str, payload: Mapping[str, Any]) -> tuple[bool, str]:
        """What ``role`` is about to do at a stage; every cross-check there must let it pass. Without one, everything passes.

        Returns:
            Whether it passes, and what the checker said. A checker that reports nothing lets nothing pass.
        """
        if stage not in self.workflow.stages:
            raise SchemaError(f"expected a stage of the workflow, got `{stage}`", hint=did_you_mean(stage, self.workflow.stages))
        said = ""
        for check in self.workflow.checks:
            if check.stage != stage:
                continue
            turn = await self.turn(
                check.checker,
                f"[cross-check at {stage}]\n{role} is about to do this:\n{json.dumps(dict(payload), ensure_ascii=False, indent=1)}\n\n"
                "Look up what you need, then report with report_check whether it holds.",
                extra=CHECK_TOOLS,
                must=("report_check",),
            )
            made = turn.call_of("report_check")
            passed = made is not None and made.arguments["passed"] is True
            said = str(made.arguments["reason"]) if made else f"{check.checker} reported nothing"
            self.recorder.add(
                "check",
                actor=check.checker,
                status="ok",
                text=said,
                data={"stage": stage, "subject": role, "passed": passed, "payload": dict(payload)},
                streams=("checks",),
            )
            if not passed:
                return False, f"the cross-check of {check.checker} stopped it: {said}"
        return True, said

    # -- agents

    async def turn(
        self,
        role: str,
        text: str = "",
        *,
        sender: str | None = None,
        extra: Mapping[str, Tool] | None = None,
        only: Iterable[str] | None = None,
        must: Sequence[str] = (),
        about: str | None = None,
    ) -> Turn:
        """Give a role its turn: it reads what waits for it and this text, calls tools until it has none to call, and says something.

        Args:
            role: Whose turn.
            text: What it is told, beside the messages that wait in its inbox.
            sender: Who says so; None: the workflow itself.
            extra: Tools of this turn alone.
            only: Of its own tools, these and no others (an empty list: none).
            must: It must call one of these; it is reminded once.
            about: The step that already holds the text.

        Raises:
            VoiceFailedError: The model could not be asked.
        """
        from inspect_ai.model import ChatMessageSystem, ChatMessageTool, ChatMessageUser
        from inspect_ai.tool import ToolCallError

        declared = self.workflow.roles[role]
        offered = {name: self.tools[name] for name in declared.tools if only is None or name in only} | dict(extra or {})
        infos = [self._info(tool) for tool in offered.values()]
        system = ChatMessageSystem(content=self.prompts[role])
        memory = self._memory[role]
        lines = memory.begin(self.stage)
        for waiting in self._inbox[role]:
            lines.append(Line(ChatMessageUser(content=waiting.text), waiting.step))
        self._inbox[role] = []
        if text:
            lines.append(Line(ChatMessageUser(content=text), about or self._told(role, text, sender)))
        turn = Turn(role)
        reminded = False
        for _ in range(declared.max_calls):
            context = memory.all()
            seen = self.recorder.add(
                "input", actor=role, data={"items": [line.step for line in context], "whole": True}, streams=(f"inputs/{role}",)
            )
            said = await self.voices.agent.say(self.world, role, [system, *(line.message for line in context)], infos)
            asked = said.message.tool_calls or []
            turn.text = said.message.text
            turn.step = self.recorder.add(
                "model_result",
                actor=role,
                text=turn.text,
                data={"calls": [c.function for c in asked], "stop": said.stop},
                refs=[Ref(kind="answers", step=seen)],
            )
            lines.append(Line(said.message, turn.step))
            if not asked:
                if must and not any(m.tool in must and m.ok for m in turn.made) and not reminded:
                    reminded = True
                    reminder = f"Please finish by calling {' or '.join(must)}."
                    lines.append(Line(ChatMessageUser(content=reminder), self._told(role, reminder, None)))
                    continue
                return turn
            over = False
            for wanted in asked:
                if over:
                    made = self._not_run(role, wanted.function, wanted.arguments, "the turn was over before this call")
                elif wanted.parse_error:
                    made = self._not_run(role, wanted.function, wanted.arguments, f"the call could not be read: {wanted.parse_error}")
                else:
                    made = await self._use(role, offered, wanted.function, wanted.arguments)
                turn.made.append(made)
                answer = made.answer if isinstance(made.answer, str) else json.dumps(made.answer, ensure_ascii=False)
                failed = None if made.ok else ToolCallError("unknown", answer)
                message = ChatMessageTool(content=answer, tool_call_id=wanted.id, function=wanted.function, error=failed)
                lines.append(Line(message, made.step))
                over = over or (made.ok and wanted.function in offered and offered[wanted.function].ends_turn)
            if over:
                turn.ended_by = "tool"
                return turn
        turn.ended_by = "limit"
        return turn

    def _told(self, role: str, text: str, sender: str | None) -> str:
        return self.recorder.add(
            "message",
            actor=sender or "workflow",
            recipients=(role,),
            channel="task",
            status="ok",
            text=text,
            streams=("messages", f"inbox/{role}"),
        )

    def _not_run(self, role: str, tool: str, arguments: Mapping[str, Any], reason: str) -> Made:
        call = self.recorder.new_call()
        asked = self.recorder.add("tool_call", actor=role, tool=tool, call=call, data={"arguments": dict(arguments)})
        refs = [Ref(kind="answers", step=asked)]
        step = self.recorder.add("tool_result", actor=role, tool=tool, call=call, status="failed", text=reason, refs=refs)
        return Made(tool, dict(arguments), reason, False, step)

    async def _use(self, role: str, offered: Mapping[str, Tool], name: str, arguments: Mapping[str, Any]) -> Made:
        """One tool call: rights, arguments, cost, gates, and then the function. Whatever is wrong is the tool's answer."""
        if name not in offered:
            return self._not_run(
                role, name, arguments, f"there is no tool `{name}` for you. You have: {', '.join(sorted(offered)) or 'none'}"
            )
        tool = offered[name]
        try:
            checked = tool.check(arguments)
        except msgspec.ValidationError as error:
            return self._not_run(role, name, arguments, f"wrong arguments: {error}")
        call = self.recorder.new_call()
        asked = self.recorder.add("tool_call", actor=role, tool=name, call=call, data={"arguments": checked})
        cost = self.workflow.costs.get(name, {})
        self.charge(role, name, minutes=cost.get("minutes", 0.0), points=cost.get("points", 0.0))
        ok, answer = True, None
        refusal = await self._gates(role, f"tool:{name}", f"{name}", checked)
        if refusal is not None:
            ok, answer = False, refusal
        else:
            try:
                answer = tool.run(Call(self, role, call, asked), **checked)
                if inspect.isawaitable(answer):
                    answer = await answer
            except ToolRefused as error:
                ok, answer = False, str(error)
        step = self.recorder.add(
            "tool_result",
            actor=role,
            tool=name,
            call=call,
            status="ok" if ok else "failed",
            text=answer if isinstance(answer, str) else None,
            data=None if isinstance(answer, str) else {"result": answer},
            refs=[Ref(kind="answers", step=asked)],
        )
        return Made(name, checked, answer, ok, step)

    def _info(self, tool: Tool) -> Any:
        """The tool as Inspect tells a model of it; made once."""
        if tool.name not in self._infos:
            from inspect_ai.tool import ToolInfo, ToolParams

            self._infos[tool.name] = ToolInfo(
                name=tool.name, description=tool.description, parameters=ToolParams.model_validate(tool.schema)
            )
        return self._infos[tool.name]

    # -- parties from outside

    async def outside(self, party: str, system: str, text: str) -> tuple[str, str]:
        """Ask the counterpart's model to speak as a party from outside (a customer, a reporter); it remembers what it said and heard.

        Returns:
            What it said, and the step that holds it.

        Raises:
            VoiceFailedError: It could not be asked, or said nothing.
        """
        from inspect_ai.model import ChatMessageSystem, ChatMessageUser

        lines = self._outside.setdefault(party, [])
        lines.append(Line(ChatMessageUser(content=text), ""))
        said = await self.voices.counterpart.say(self.world, party, [ChatMessageSystem(content=system), *(line.message for line in lines)])
        words = said.message.text.strip()
        if not words:
            raise VoiceFailedError("counterpart", self.voices.counterpart.name, f"the {party} said nothing")
        step = self.recorder.add("model_result", actor=party, text=words, data={"calls": [], "stop": said.stop})
        lines.append(Line(said.message, step))
        return words, step

    # -- the end

    def trace(self, **parts: Any) -> Trace:
        """The trace so far. ``parts`` fill further parts of the organization (`Organization`), ``facts`` and ``complete`` among them."""
        roles = self.workflow.roles
        organization = Organization(
            agents={role: {"model": self.voices.agent.name} for role in roles},
            roles={role: {"prompt": self.prompts[role]} for role in roles},
            tools={role: tuple(declared.tools) for role, declared in roles.items()},
            documents={
                name: {"title": d.title, "text": d.text, "readers": sorted(d.readers)} for name, d in self.documents.documents.items()
            },
            edges={f"{e.source}->{e.target}:{e.channel}": {"via": e.via} for e in self.workflow.edges},
            stages={stage: {} for stage in self.workflow.stages},
            gates={name: msgspec.to_builtins(gate) for name, gate in self.workflow.gates.items()},
            complete=tuple(sorted({"agents", "roles", "tools", "documents", "edges", "stages", "gates", *parts.pop("complete", ())})),
            **parts,
        )
        return self.recorder.trace(organization, {"format": "world", "world": self.world})


def _asks(gate: Gate, fields: Mapping[str, Any]) -> bool:
    """Whether a gate asks about something with these fields. A field that is not there is asked about: a gate never opens by omission."""
    when = gate.when
    if when.field is None:
        return True
    value = fields.get(when.field)
    if value is None:
        return True
    if when.above is not None:
        bound = gate.params.get(when.above) if isinstance(when.above, str) else when.above
        try:
            return bound is None or float(value) > float(bound)
        except (TypeError, ValueError):
            return True
    expected = gate.params.get(when.equals, when.equals) if isinstance(when.equals, str) else when.equals
    return bool(value == expected)


def _misfit(schema: Mapping[str, Any], text: str, payload: Mapping[str, Any] | None) -> str:
    """Why a message does not fit a schema; empty where it does."""
    import jsonschema

    value: Any = payload
    if payload is None:
        try:
            value = json.loads(text)
        except ValueError:
            return "it must be JSON"
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(value), key=lambda e: list(map(str, e.absolute_path)))
    return "; ".join(f"{e.json_path}: {e.message}" for e in errors[:3])


Play = Callable[[Runtime], Any]
"""A world's course of events, as a coroutine."""
