"""The OpenAI Agents SDK's ``RunState``: a run that was stopped to be resumed, with all items so far and the approvals given.

``docs/formats/openai_runstate.md`` says what is read, how it maps and what the format cannot tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.ids import fingerprint, named
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.spoken import spoken, tell
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._source import Source
from seamwise.record import Trace

_KEYS = ("$schemaVersion", "original_input", "generated_items", "model_responses", "current_agent")
Fields = dict[str, Any]


class RunState:
    """The importer of run states."""

    name = "openai_runstate"
    version = 1
    summary = "RunState of the OpenAI Agents SDK: items, handoffs, approvals and interruptions of a run that was stopped"

    def sniff(self, head: bytes) -> int:
        """Whether it bears a schema version and the keys of a run state."""
        seen = outline(head)
        return 95 if any(seen.has(*(inside + key for key in ("$schemaVersion", "original_input"))) for inside in ("", "[].")) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """One trace a state.

        Raises:
            FormatError: There is no run state in the file.
        """
        found = False
        for piece in pieces(source, sink):
            for state in piece.value if isinstance(piece.value, list) else [piece.value]:
                if isinstance(state, dict) and sum(key in state for key in _KEYS) >= 3:
                    found = True
                    yield _State(state, source, sink).trace()
                else:
                    sink.report.records += 1
                    sink.report.drop("not a run state")
        if not found:
            raise FormatError("expected a RunState of the OpenAI Agents SDK, got none", where=source.path)


IMPORTER = RunState()


class _State:
    """One run state as it is read."""

    def __init__(self, state: Fields, source: Source, sink: Sink) -> None:
        self._state = state
        trace = _dict(state.get("trace"))
        identifier = trace.get("id") or state.get("conversation_id")
        self._talk = Talk(identifier if isinstance(identifier, str) else named("run", state), sink, where=source.path)

    def trace(self) -> Trace:
        """The trace of the state."""
        talk, state = self._talk, self._state
        for key in ("conversation_id", "previous_response_id"):
            if isinstance(state.get(key), str):
                talk.origin.setdefault("conversations", []).append(state[key])
        talk.about({"workflow": _dict(state.get("trace")).get("workflow_name"), "schema_version": state.get("$schemaVersion")})
        items = _items(state)
        self._input(items)
        for number, item in enumerate(items):
            talk.arrived(f"item {number}")
            self._item(item)
        talk.in_sequence = False  # Nothing says when what follows was said or done.
        self._copies(items)
        self._responses(items)
        self._checks()
        self._approvals()
        agent = talk.agent(_name(state.get("current_agent")))
        content = {key: state[key] for key in ("current_turn", "max_turns", "current_step") if state.get(key) is not None}
        invocations = _dict(state.get("context")).get("tool_invocations")
        if invocations:
            content["tool_invocations"] = invocations
        talk.arrived("state")
        talk.put("note", actor=agent, data={"name": "run_state", **content})
        return talk.trace()

    def _input(self, items: list[Fields]) -> None:
        """What the run was given. An item of it that a nested run made stands among the items too, and is that one."""
        talk, told = self._talk, self._state.get("original_input")
        if isinstance(told, str):
            talk.arrived("input")
            talk.say(told, actor=None, role="user")
            return
        made = {fingerprint(item.get("raw_item")) for item in items}
        for number, entry in enumerate(told if isinstance(told, list) else []):
            if fingerprint(entry) in made:
                talk.merged("duplicate", f"input {number} stands among the items too")
                continue
            talk.arrived(f"input {number}")
            said = spoken(entry)
            if said is not None:
                tell(talk, said)
            else:
                talk.put("note", data={"item": entry})

    def _item(self, item: Fields) -> None:
        talk = self._talk
        sort, agent, raw = str(item.get("type")), _name(item.get("agent")), _dict(item.get("raw_item"))
        if sort == "message_output_item" and (said := spoken(raw)) is not None:
            tell(talk, said, actor=agent)
        elif sort in ("tool_call_output_item", "handoff_output_item"):
            result = raw.get("output", item.get("output", NOT_RECORDED))
            talk.answer(_text(raw.get("call_id")), _plain(result))
            if sort == "handoff_output_item":
                source, target = _name(item.get("source_agent")), _name(item.get("target_agent"))
                talk.handoff(source if source is not None else agent, target)
        elif sort == "tool_approval_item":
            name = _text(item.get("tool_name")) or _text(raw.get("name"))
            talk.put(
                "note", actor=agent, tool=name, call=_text(raw.get("call_id", raw.get("id"))), data={"name": "approval_asked", "item": raw}
            )
        elif sort in ("tool_call_item", "handoff_call_item") or (sort.endswith("_call_item") and raw):
            name = _text(raw.get("name")) or str(raw.get("type") or "unknown")
            arguments = next((raw[key] for key in ("arguments", "action", "queries", "code", "input") if key in raw), NOT_RECORDED)
            asked = talk.call(name, arguments, actor=agent, call=_text(raw.get("call_id", raw.get("id"))))
            if raw.get("output") is not None:  # A tool that the service itself ran.
                failed = True if raw.get("error") else None
                talk.answer(asked, _plain(raw["output"]), failed=failed, error=raw.get("error"))
        elif sort == "reasoning_item":
            talk.say(None, actor=agent, role="assistant", data={"parts": [raw]})
        else:
            talk.put("note", actor=agent, data={"name": sort, "item": raw})

    def _copies(self, items: list[Fields]) -> None:
        """The list of the session and that of the run name most items twice."""
        listed = [*_list(self._state.get("generated_items")), *_list(self._state.get("session_items"))]
        for _ in range(len(listed) - len(items)):
            self._talk.report.records += 1
            self._talk.report.merged += 1

    def _responses(self, items: list[Fields]) -> None:
        """Replies of the model: their items stand above; what remains is their number, usage and id."""
        known = {fingerprint(item.get("raw_item")) for item in items}
        for number, response in enumerate(_list(self._state.get("model_responses"))):
            talk = self._talk
            talk.arrived(f"response {number}")
            output = _list(response.get("output"))
            data = {key: response[key] for key in ("response_id", "request_id", "usage") if response.get(key) is not None}
            missing = [entry for entry in output if fingerprint(entry) not in known]
            if missing:
                data["output"] = missing
            talk.put("note", data={"name": "model_response", **data})

    def _checks(self) -> None:
        for key in ("input_guardrail_results", "output_guardrail_results", "tool_input_guardrail_results", "tool_output_guardrail_results"):
            for number, result in enumerate(_list(self._state.get(key))):
                self._talk.arrived(f"{key} {number}")
                name = _text(_dict(result.get("guardrail")).get("name"))
                data = {"subject": key.removesuffix("_guardrail_results"), "guardrail": name, "output": result.get("output")}
                self._talk.put("check", data={k: v for k, v in data.items() if v is not None})

    def _approvals(self) -> None:
        """The word that was given on calls; whose word it was is not recorded."""
        context = _dict(self._state.get("context"))
        for tool, given in _dict(context.get("approvals")).items():
            self._approval(tool, _dict(given), {})
        for entry in _list(context.get("hosted_mcp_approvals")):
            identity = _dict(entry.get("identity"))
            self._approval(_text(identity.get("tool_name")), _dict(entry.get("decision")), identity)

    def _approval(self, tool: str | None, given: Fields, identity: Fields) -> None:
        talk = self._talk
        for key, status in (("approved", "approved"), ("rejected", "rejected")):
            said = given.get(key)
            subjects: list[Any] = said if isinstance(said, list) else [None] if said is True else []
            for subject in subjects:
                talk.arrived(f"approvals of {tool}")
                data: Fields = {"status": status}
                if subject is None:
                    data["every_call"] = True
                else:
                    data["subject"] = subject
                if identity:
                    data["identity"] = identity
                message = _dict(given.get("rejection_messages")).get(str(subject)) if status == "rejected" else None
                talk.put("approval", tool=tool, call=_text(subject), text=_text(message), data=data)
                talk.report.not_known("who gave an approval")


def _items(state: Fields) -> list[Fields]:
    """Each item once: those of the session, which are all, and those of the run that the session lacks."""
    made = _list(state.get("session_items"))
    left = Counter(map(fingerprint, made))
    for item in _list(state.get("generated_items")):
        mark = fingerprint(item)
        if left[mark] > 0:
            left[mark] -= 1
        else:
            made.append(item)
    return made


def _name(agent: Any) -> str | None:
    """The agent's name; its identity, where several bear that name."""
    found = _dict(agent)
    return _text(found.get("identity")) or _text(found.get("name"))


def _plain(result: Any) -> Any:
    """A result without the list around its only text."""
    if isinstance(result, list) and result and all(isinstance(p, dict) and isinstance(p.get("text"), str) for p in result):
        return "\n".join(p["text"] for p in result)
    return result


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _dict(value: Any) -> Fields:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Fields]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
