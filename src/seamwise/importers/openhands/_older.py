"""Events of older versions: actions with their arguments, and what was observed of the action that is named as cause."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers.openhands._sdk import moment

_SILENT = frozenset({"change_agent_state", "null", "system", "recall", "condensation"})
_ABOUT_THE_AGENT = frozenset({"agent_state_changed", "null", "recall", "condense"})


class Older:
    """Reads events of older versions into a trace."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def event(self, event: dict[str, Any], n: int) -> None:
        """One event."""
        talk = self._talk
        talk.arrived(f"event {n}")
        number = event.get("id")
        name = str(number) if isinstance(number, (str, int)) else f"event-{n}"
        at = moment(talk, event)
        source = event.get("source")
        actor = source if source in ("agent", "user") else None
        if isinstance(event.get("action"), str):
            self._action(event, event["action"], name, actor, at)
        else:
            self._observation(event, str(event.get("observation")), name, at)

    def _action(self, event: dict[str, Any], action: str, name: str, actor: str | None, at: int | None) -> None:
        talk = self._talk
        args: dict[str, Any] = event["args"] if isinstance(event.get("args"), dict) else {}
        message = event.get("message")
        said = next((w for key in ("content", "thought", "final_thought") if isinstance(w := args.get(key), str) and w), None)
        if action in ("message", "finish", "reject"):
            words = said if said is not None else message if isinstance(message, str) else None
            talk.say(words, actor=actor, role="assistant" if actor == "agent" else actor, id=name, data={"action": action}, time_ns=at)
            return
        if action == "delegate" and isinstance(args.get("agent"), str):
            talk.handoff(actor, args["agent"], id=name, data={"inputs": args.get("inputs")}, time_ns=at)
            return
        if action in _SILENT or action == "think":
            talk.put("note", id=name, actor=actor, text=said, data={"action": action, "args": args}, time_ns=at)
            return
        if (thought := args.get("thought")) and isinstance(thought, str):
            talk.say(thought, actor=actor, role="assistant", id=f"{name}/said", time_ns=at)
        tool, call = self._made(event)
        talk.call(
            tool or action, args if "args" in event else NOT_RECORDED, actor=actor, call=call or f"action-{name}", id=name, time_ns=at
        )

    def _observation(self, event: dict[str, Any], observation: str, name: str, at: int | None) -> None:
        talk = self._talk
        cause = event.get("cause")
        tool, made = self._made(event)
        call = made or (f"action-{cause}" if isinstance(cause, (int, str)) else None)
        extras: dict[str, Any] = event["extras"] if isinstance(event.get("extras"), dict) else {}
        if observation in _ABOUT_THE_AGENT:
            talk.put("note", id=name, data={"observation": observation, **extras}, time_ns=at)
            return
        talk.answer(
            call,
            event.get("content", NOT_RECORDED),
            tool=tool,
            failed=True if observation in ("error", "user_rejected") else None,
            id=name,
            data={"observation": observation, "extras": extras},
            time_ns=at,
        )

    @staticmethod
    def _made(event: dict[str, Any]) -> tuple[str | None, str | None]:
        """Name and id of the model's own call, where the event tells them."""
        about = event.get("tool_call_metadata")
        if not isinstance(about, dict):
            return None, None
        tool, call = about.get("function_name"), about.get("tool_call_id")
        return tool if isinstance(tool, str) and tool else None, call if isinstance(call, str) and call else None
