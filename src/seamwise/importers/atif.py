"""ATIF, the agent trajectory interchange format of Harbor, versions 1.0 to 1.7.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/atif.md``. In short: a trajectory is one trace; the
trajectory of a sub-agent that is embedded stands in it, between the call that started it and that call's result. Context that was copied
from another trajectory is one ``input`` and no further step. Sub-agents in other files are named in ``header.origin``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.messages import text_part
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers._source import Source
from seamwise.record import Trace

_REWARDS = frozenset({"reward", "rewards"})
"""What a verifier gave the run: labels here, though a tool of a shop may have rewards of its own."""

_TOO_DEEP = 20
"""Sub-agents of sub-agents that are followed."""


class Atif:
    """The importer of ATIF."""

    name = "atif"
    version = 1
    summary = "ATIF trajectories (Harbor), with embedded sub-agents"

    def sniff(self, head: bytes) -> int:
        """Whether the version of the format stands there, or the keys of a trajectory."""
        seen = outline(head)
        for at in ("", "[]."):
            if any(version.startswith("ATIF") for version in seen.values.get(f"{at}schema_version", ())):
                return 92
            if seen.has(f"{at}agent.name", f"{at}steps[].step_id", f"{at}steps[].source"):
                return 86
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The trajectories of a file.

        Raises:
            FormatError: There is none in it.
        """
        n = 0
        for piece in pieces(source, sink):
            for value in piece.value if isinstance(piece.value, list) else [piece.value]:
                if isinstance(value, dict) and isinstance(value.get("steps"), list):
                    n += 1
                    yield _trajectory(value, sink, source.path)
                else:
                    sink.report.records += 1
                    sink.report.drop("no trajectory")
        if n == 0:
            raise FormatError("expected a trajectory of ATIF, got none", where=source.path)


def _trajectory(recorded: dict[str, Any], sink: Sink, path: str) -> Trace:
    ids = [word for key in ("session_id", "trajectory_id") if (word := _word(recorded.get(key))) is not None]
    talk = Talk("/".join(ids) or named("trajectory", recorded), sink, where=path)
    _Reader(talk).trajectory(recorded, "", None, 0)
    for key in ("schema_version", "session_id", "trajectory_id", "final_metrics", "continued_trajectory_ref", "notes", "extra"):
        if recorded.get(key) is not None:
            talk.about(without_labels({key: recorded[key]}, sink, talk.id, None, also=_REWARDS))
    return talk.trace()


class _Reader:
    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._elsewhere: list[Any] = []
        self._told: set[int] = set()
        """Embedded trajectories that stand in the trace already."""

    def trajectory(self, recorded: dict[str, Any], prefix: str, by: str | None, depth: int) -> None:
        """The steps of a trajectory.

        Args:
            recorded: The trajectory.
            prefix: What stands before the ids of its steps.
            by: The agent that started it.
            depth: How many trajectories it is inside.
        """
        talk = self._talk
        about: dict[str, Any] = recorded["agent"] if isinstance(recorded.get("agent"), dict) else {}
        agent = _word(about.get("name"))
        embedded: dict[str, dict[str, Any]] = {}
        for child in _objects(recorded.get("subagent_trajectories")):
            for key in ("session_id", "trajectory_id"):
                if (word := _word(child.get(key))) is not None:
                    embedded[word] = child
        if by is not None:
            talk.handoff(by, agent, id=f"{prefix}handoff")
        facts = {key: about[key] for key in ("version", "model_name", "tool_definitions") if about.get(key) is not None}
        talk.put("agent_start", id=f"{prefix}start", actor=agent, data=facts)
        copied: list[dict[str, Any]] = []
        for n, step in enumerate(recorded["steps"] if isinstance(recorded.get("steps"), list) else (), 1):
            if not isinstance(step, dict):
                talk.dropped("no step", f"step {n} is no object")
            elif step.get("is_copied_context") is True:
                talk.repeated()
                copied.append(step)
            else:
                if copied:
                    self._copied(copied, f"{prefix}copied/{n}", agent)
                    copied = []
                self._step(step, f"{prefix}{step.get('step_id', n)}", agent, embedded, depth)
        if copied:
            self._copied(copied, f"{prefix}copied/end", agent)
        for child in {id(child): child for child in embedded.values() if id(child) not in self._told}.values():
            # A sub-agent that no step refers to: when it ran nobody says.
            talk.note("subagent_without_reference", f"no step refers to the embedded trajectory of `{_name_of(child)}`")
            self._child(child, f"{prefix}{_word(child.get('trajectory_id')) or _word(child.get('session_id'))}/", None, depth)
        if self._elsewhere and depth == 0:
            talk.about({"subagents_in_other_files": self._elsewhere})

    def _child(self, child: dict[str, Any], prefix: str, by: str | None, depth: int) -> None:
        if depth >= _TOO_DEEP:
            self._talk.dropped("nested too deeply")
        else:
            self.trajectory(child, prefix, by, depth + 1)

    def _copied(self, steps: list[dict[str, Any]], identifier: str, agent: str | None) -> None:
        """Context that was copied into a trajectory, as what its agent was given: once, and not said to be whole."""
        roles = {"agent": "assistant"}
        messages = []
        for step in steps:
            role = _word(step.get("source")) or "unknown"
            words = _text(step.get("message"))
            messages.append({"role": roles.get(role, role), "parts": [] if words is None else [text_part(words)]})
        stream = f"input/{agent}" if agent is not None else "input"
        self._talk.report.not_known("whether the recorded input of a model call is whole")
        self._talk.put("input", id=identifier, actor=agent, data={"messages": messages, "copied": True}, streams=(stream,))

    def _step(self, step: dict[str, Any], name: str, agent: str | None, embedded: dict[str, dict[str, Any]], depth: int) -> None:
        talk, source = self._talk, step.get("source")
        talk.arrived(f"step {name}")
        at, before = moment_ns(step.get("timestamp")), talk.n_steps
        actor = agent if source == "agent" else "user" if source == "user" else None
        told = {key: step[key] for key in ("metrics", "model_name", "llm_call_count", "reasoning_effort") if step.get(key) is not None}
        if isinstance(step.get("extra"), dict):
            told["extra"] = step["extra"]
        data: dict[str, Any] = without_labels(told, talk.sink, talk.id, name, also=_REWARDS)
        if (thought := _text(step.get("reasoning_content"))) is not None:
            talk.put("note", id=f"{name}/reasoning", actor=actor, text=thought, data={"thought": True}, time_ns=at)
        if said := _text(step.get("message")):
            talk.say(said, actor=actor, role=_word(source), id=name, data=data | _other_parts(step["message"]), time_ns=at)
        calls = [self._call(call, f"{name}/call/{n}", actor, at) for n, call in enumerate(_objects(step.get("tool_calls")))]
        observed = step.get("observation")
        for n, result in enumerate(_objects(observed.get("results") if isinstance(observed, dict) else None)):
            self._result(result, f"{name}/result/{n}", actor, calls, embedded, depth)
        if talk.n_steps == before:
            talk.put("note", id=name, actor=actor, data=data, time_ns=at)

    def _call(self, call: dict[str, Any], identifier: str, actor: str | None, at: int | None) -> str:
        return self._talk.call(
            _word(call.get("function_name")),
            call.get("arguments", NOT_RECORDED),
            actor=actor,
            call=_word(call.get("tool_call_id")),
            id=identifier,
            time_ns=at,
            data={"extra": call["extra"]} if isinstance(call.get("extra"), dict) else None,
        )

    def _result(
        self,
        result: dict[str, Any],
        identifier: str,
        actor: str | None,
        calls: list[str],
        embedded: dict[str, dict[str, Any]],
        depth: int,
    ) -> None:
        """What came back, after the sub-agents that the call started."""
        talk = self._talk
        refs = _objects(result.get("subagent_trajectory_ref"))
        for ref in refs:
            words = [word for key in ("trajectory_id", "session_id") if (word := _word(ref.get(key))) is not None]
            child = next((embedded[word] for word in words if word in embedded), None)
            if child is None:
                self._elsewhere.append(
                    {key: ref[key] for key in ("session_id", "trajectory_id", "trajectory_path") if ref.get(key) is not None}
                )
                talk.note("subagent_elsewhere", f"the trajectory of a sub-agent is in another file: {ref.get('trajectory_path') or words}")
                continue
            if id(child) in self._told:
                continue
            self._told.add(id(child))
            self._child(child, f"{words[0]}/", actor, depth)
        call, content = _word(result.get("source_call_id")), result.get("content")
        if call is None and not calls:
            # What came back of a command that stands in the message itself.
            if content is not None or not refs:
                talk.say(_text(content), actor=None, recipients=None if actor is None else (actor,), role="observation", id=identifier)
            return
        if "content" not in result and refs:
            return
        text = _text(content)
        talk.answer(
            call if call is not None else calls[0] if len(calls) == 1 else None,
            (text if text is not None else content) if "content" in result else NOT_RECORDED,
            id=identifier,
            data=_other_parts(content),
        )


def _objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _name_of(child: dict[str, Any]) -> Any:
    about = child.get("agent")
    return about.get("name") if isinstance(about, dict) else None


def _text(value: Any) -> str | None:
    """The words of a message: a text, or the parts of one."""
    if isinstance(value, list):
        words = [part["text"] for part in _objects(value) if isinstance(part.get("text"), str)]
        return "\n".join(words) if words else None
    return value if isinstance(value, str) else None


def _other_parts(value: Any) -> dict[str, Any]:
    """Parts that are no text, such as images."""
    others = [part for part in _objects(value) if not isinstance(part.get("text"), str)]
    return {"parts": others} if others else {}


IMPORTER = Atif()
