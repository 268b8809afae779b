"""Events of the SDK: what they are stands in their ``kind``."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import iso_ns

_COMMON = frozenset({"id", "timestamp", "source", "kind"})


def text_of(content: Any) -> str | None:
    """The words of a content: a text, or the parts of one."""
    if isinstance(content, list):
        words = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return "\n".join(words) if words else None
    return content if isinstance(content, str) else None


def moment(talk: Talk, event: dict[str, Any]) -> int | None:
    """When it happened; a local time without a zone is no moment."""
    at = event.get("timestamp")
    ns = iso_ns(at) if isinstance(at, str) else None
    if at is not None and ns is None:
        talk.report.not_known("the time zone of a time")
    return ns


class Sdk:
    """Reads events of the SDK into a trace."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._calls: dict[str, str] = {}
        """Id of an action -> its call."""

    def event(self, event: dict[str, Any], n: int) -> None:
        """One event."""
        talk, kind = self._talk, event["kind"]
        talk.arrived(f"event {n} ({kind[:40]})")
        name = event["id"] if isinstance(event.get("id"), str) and event["id"] else f"event-{n}"
        at = moment(talk, event)
        source = event.get("source")
        actor = source if source in ("agent", "user") else None
        if isinstance(event.get("sender"), str) and event["sender"]:
            actor = event["sender"]
        if kind == "ActionEvent" or (kind.endswith("Action") and "tool_name" in event):
            self._action(event, name, actor, at)
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            self._observation(event, name, kind, at)
        elif kind == "MessageEvent":
            message = event.get("llm_message")
            inner: dict[str, Any] = message if isinstance(message, dict) else event
            role = inner.get("role")
            talk.say(text_of(inner.get("content")), actor=actor, role=role if isinstance(role, str) else None, id=name, time_ns=at)
        elif kind == "SystemPromptEvent":
            prompt = event.get("system_prompt")
            words = text_of([prompt]) if isinstance(prompt, dict) else text_of(prompt)
            tools = event.get("tools")
            talk.say(words, actor=None, role="system", id=name, data={"tools": tools} if tools else None, time_ns=at)
        elif kind == "ConversationStateUpdateEvent":
            key = event.get("key")
            data = {"object": "conversation", "items": {str(key): event.get("value")}}
            talk.put("state", id=name, data=data, time_ns=at)
        else:
            data = {key: value for key, value in event.items() if key not in _COMMON and value is not None}
            talk.put("note", id=name, actor=actor, data={"event": kind, **data}, time_ns=at)

    def _action(self, event: dict[str, Any], name: str, actor: str | None, at: int | None) -> None:
        talk = self._talk
        said = text_of(event.get("thought"))
        if said and said.strip():
            talk.say(said, actor=actor, role="assistant", id=f"{name}/said", time_ns=at)
        recorded: dict[str, Any] = event["tool_call"] if isinstance(event.get("tool_call"), dict) else {}
        function: dict[str, Any] = recorded["function"] if isinstance(recorded.get("function"), dict) else recorded
        tool = next((t for t in (event.get("tool_name"), function.get("name")) if isinstance(t, str) and t), None)
        action = event.get("action")
        arguments = function.get("arguments", action if action is not None else NOT_RECORDED)
        number = event.get("tool_call_id")
        data = {key: event[key] for key in ("security_risk", "summary", "llm_response_id") if event.get(key) is not None}
        self._calls[name] = talk.call(
            tool, arguments, actor=actor, call=number if isinstance(number, str) and number else name, id=name, data=data, time_ns=at
        )

    def _observation(self, event: dict[str, Any], name: str, kind: str, at: int | None) -> None:
        """What was observed, an error of the agent's own making, or that the user said no: that one had no effect."""
        number, action, tool = event.get("tool_call_id"), event.get("action_id"), event.get("tool_name")
        call = self._calls.get(action) if isinstance(action, str) else None
        if call is None and isinstance(number, str) and number:
            call = number
        observed = event.get("observation")
        failed: bool | None = None
        result: Any = NOT_RECORDED
        error = None
        if kind == "ObservationEvent":
            if isinstance(observed, dict):
                words = text_of(observed.get("content"))
                result = words if words is not None else observed
                failed = True if observed.get("is_error") is True else None
            elif "observation" in event:
                result = observed
        else:
            failed = True
            error = event.get("error") if kind == "AgentErrorEvent" else event.get("rejection_reason")
            result = error if isinstance(error, str) else NOT_RECORDED
        facts = {}
        if isinstance(observed, dict):
            facts = {key: observed[key] for key in ("exit_code", "timeout", "metadata") if observed.get(key) is not None}
        self._talk.answer(
            call, result, tool=tool if isinstance(tool, str) else None, failed=failed, error=error, id=name, data=facts, time_ns=at
        )
