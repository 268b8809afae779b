"""The trace that agents of Bedrock stream as they work: a supervisor, its collaborators, their models and tools."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Said, listed, message_of, text_part
from seamwise.importers._shared.models import ModelCalls
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.text import parsed
from seamwise.importers._shared.times import iso_ns

INPUT_BASIS = "the agent's own trace holds the complete input of this model call"

_TOOLS = {
    "actionGroupInvocationInput": "actionGroupInvocationOutput",
    "knowledgeBaseLookupInput": "knowledgeBaseLookupOutput",
    "codeInterpreterInvocationInput": "codeInterpreterInvocationOutput",
}
"""What asks a tool -> what answers."""


def is_agent_stream(events: tuple[Any, ...]) -> bool:
    """Whether a stream is that of an agent of Bedrock."""
    return any(isinstance(event, dict) and isinstance(event.get("trace"), dict) and "agentId" in event for event in events[:50])


class AgentStream:
    """Reads one such stream into a trace: the events of one stream are in its sequence."""

    def __init__(self, talk: Talk, number: int) -> None:
        self._talk = talk
        self._models = ModelCalls(talk, INPUT_BASIS)
        self._number = number
        self._names: dict[str, str] = {}
        """Id of an agent -> the name that its supervisor calls it by."""
        self._calls: dict[str, list[str]] = {}
        """Step of the agent's own trace -> its tool calls that wait for an answer."""
        self._open: dict[str, str] = {}
        """The same -> its model call."""

    def read(self, events: tuple[Any, ...], sent: Any) -> None:
        """All events; ``sent`` is the request that started them."""
        talk = self._talk
        before, talk.in_sequence = talk.in_sequence, True
        self._named(events)
        first = next((event for event in events if isinstance(event, dict) and isinstance(event.get("agentId"), str)), None)
        agent = self._agent(first) if first is not None else None
        talk.arrived(f"interaction {self._number}")
        words = sent.get("inputText") if isinstance(sent, dict) else None
        talk.say(words if isinstance(words, str) else None, actor="user", recipients=None if agent is None else (agent,), role="user")
        for n, event in enumerate(events):
            if isinstance(event, dict):
                talk.arrived(f"interaction {self._number}, event {n}")
                self._event(event, f"{self._number}.{n}", agent)
            else:
                talk.dropped("no event", f"interaction {self._number}, event {n}")
        talk.in_sequence = before

    def _named(self, events: tuple[Any, ...]) -> None:
        """Learns the agents' names: a supervisor calls a collaborator by name and by the address that holds its id.

        The events' own ``collaboratorName`` is that of the first collaborator in a chain of them, whichever works.
        """
        for event in events:
            trace = event.get("trace") if isinstance(event, dict) else None
            for inner in trace.values() if isinstance(trace, dict) else ():
                invoked = inner.get("invocationInput") if isinstance(inner, dict) else None
                other = invoked.get("agentCollaboratorInvocationInput") if isinstance(invoked, dict) else None
                if isinstance(other, dict):
                    address, name = _text(other.get("agentCollaboratorAliasArn")), _text(other.get("agentCollaboratorName"))
                    if address is not None and name is not None and address.count("/") >= 2:
                        self._names.setdefault(address.split("/")[-2], name)

    def _agent(self, event: dict[str, Any]) -> str | None:
        number = _text(event.get("agentId"))
        return None if number is None else self._names.get(number, number)

    def _event(self, event: dict[str, Any], name: str, first: str | None) -> None:
        at = iso_ns(event["eventTime"]) if isinstance(event.get("eventTime"), str) else None
        if "trace" not in event:
            words = event.get("chunk")
            if isinstance(words, str):
                self._talk.say(words, actor=first, role="assistant", id=name, time_ns=at)
            else:
                self._talk.put("note", id=name, data=event, time_ns=at)
            return
        agent = self._agent(event)
        told = False
        for sort, inner in event["trace"].items() if isinstance(event["trace"], dict) else ():
            if isinstance(inner, dict):
                told = self._part(sort, inner, name, agent, at) or told
        if not told:
            self._talk.put("note", id=name, actor=agent, data={"trace": event["trace"]}, time_ns=at)

    def _part(self, sort: str, inner: dict[str, Any], name: str, agent: str | None, at: int | None) -> bool:
        """One part of an agent's trace; whether it is a step."""
        talk = self._talk
        asked, output, observed = inner.get("modelInvocationInput"), inner.get("modelInvocationOutput"), inner.get("observation")
        rationale, invoked = inner.get("rationale"), inner.get("invocationInput")
        if isinstance(asked, dict):
            self._model(asked, name, agent, at)
        elif isinstance(output, dict):
            self._answer(output, agent, at)
        elif isinstance(rationale, dict):
            talk.put("note", id=name, actor=agent, text=_text(rationale.get("text")), data={"thought": True}, time_ns=at)
        elif isinstance(invoked, dict):
            return self._invoke(invoked, name, agent, at)
        elif isinstance(observed, dict):
            return self._observe(observed, name, agent, at)
        elif sort == "failureTrace":
            talk.put("note", id=name, actor=agent, text=_text(inner.get("failureReason")), data={"failure": inner}, time_ns=at)
        else:
            return False
        return True

    def _model(self, asked: dict[str, Any], name: str, agent: str | None, at: int | None) -> None:
        content = parsed(asked.get("text"))
        told: Said | None = None
        if isinstance(content, dict) and isinstance(content.get("messages"), list):
            told = listed(content["messages"], "modelInvocationInput")
            if isinstance(content.get("system"), str):
                told = told._replace(messages=[{"role": "system", "parts": [text_part(content["system"])]}, *told.messages])
        elif isinstance(content, str):
            told = Said([{"role": "user", "parts": [text_part(content)]}], True, "modelInvocationInput")
        call = self._models.call(id=name, actor=agent, told=told, model=_text(asked.get("foundationModel")), time_ns=at)
        self._open[str(asked.get("traceId"))] = call

    def _answer(self, output: dict[str, Any], agent: str | None, at: int | None) -> None:
        call = self._open.pop(str(output.get("traceId")), None)
        raw, about = output.get("rawResponse"), output.get("metadata")
        content = parsed(raw.get("content")) if isinstance(raw, dict) else None
        message = message_of({"role": "assistant", **content}) if isinstance(content, dict) and "content" in content else None
        if message is None and isinstance(raw, dict) and isinstance(raw.get("content"), str):
            message = {"role": "assistant", "parts": [text_part(raw["content"])]}
        usage = about.get("usage") if isinstance(about, dict) else None
        if call is None:
            self._talk.put("note", actor=agent, data={"modelInvocationOutput": output}, time_ns=at)
            return
        self._models.result(
            call,
            actor=agent,
            answered=[message] if message is not None else None,
            status="ok" if message is not None else None,
            usage=usage if isinstance(usage, dict) else None,
            time_ns=at,
        )

    def _invoke(self, invoked: dict[str, Any], name: str, agent: str | None, at: int | None) -> bool:
        """A collaborator is asked, or a tool."""
        talk, number = self._talk, str(invoked.get("traceId"))
        other = invoked.get("agentCollaboratorInvocationInput")
        if isinstance(other, dict):
            said = other.get("input")
            words = said.get("text") if isinstance(said, dict) else None
            talk.handoff(agent, _text(other.get("agentCollaboratorName")), id=name, text=_text(words), time_ns=at)
            return True
        for key in _TOOLS:
            inner = invoked.get(key)
            if isinstance(inner, dict):
                named = next((w for k in ("function", "apiPath", "actionGroupName", "knowledgeBaseId") if (w := _text(inner.get(k)))), None)
                arguments = {p["name"]: p.get("value") for p in _objects(inner.get("parameters")) if isinstance(p.get("name"), str)}
                call = talk.call(named or key.removesuffix("Input"), arguments or inner, actor=agent, call=name, id=name, time_ns=at)
                self._calls.setdefault(number, []).append(call)
                return True
        return False

    def _observe(self, observed: dict[str, Any], name: str, agent: str | None, at: int | None) -> bool:
        """A collaborator answers, or a tool, or the agent is done."""
        talk, number = self._talk, str(observed.get("traceId"))
        other, final = observed.get("agentCollaboratorInvocationOutput"), observed.get("finalResponse")
        if isinstance(other, dict):
            said = other.get("output")
            words = said.get("text") if isinstance(said, dict) else None
            to = None if agent is None else (agent,)
            talk.say(_text(words), actor=_text(other.get("agentCollaboratorName")), recipients=to, id=name, time_ns=at)
            return True
        if isinstance(final, dict):
            talk.say(_text(final.get("text")), actor=agent, role="assistant", id=name, time_ns=at)
            return True
        for key in _TOOLS.values():
            inner = observed.get(key)
            if isinstance(inner, dict):
                waiting = self._calls.get(number, [])
                result = inner.get("text", inner or NOT_RECORDED)
                talk.answer(waiting.pop(0) if waiting else None, result, id=name, time_ns=at)
                return True
        return False


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
