"""SWE-agent: trajectories (``.traj``), with or without the history of messages, and demonstrations that hold a history alone.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/swe_agent.md``. In short: a step of the trajectory is
what the agent said, the command that it gave and what came back. The history says the same once more; of it only what no step holds becomes
a step (the system prompt, the task). Demonstrations inside a history are no part of the run and are counted as dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import documents
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.text import parsed
from seamwise.importers._source import Source
from seamwise.record import Trace

_WORD = re.compile(r"\s*([\w./~-]+)")
_DEMO = "a demonstration, which is no part of the run"


class SweAgent:
    """The importer of SWE-agent."""

    name = "swe_agent"
    version = 1
    summary = "SWE-agent trajectories (.traj), also those with a history alone"

    def sniff(self, head: bytes) -> int:
        """Whether steps with an action and an observation stand there, or a history whose messages bear an agent."""
        seen = outline(head)
        if seen.has("trajectory[].action", "trajectory[].observation"):
            return 88
        if seen.has("history[].role", "history[].agent") and (seen.has("history[].message_type") or seen.has("history[].action")):
            return 87
        return 60 if seen.has("environment", "trajectory") else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The run of a file.

        Raises:
            FormatError: There is none in it.
        """
        n = 0
        for piece in documents(source, sink):
            value = piece.value
            if isinstance(value, dict) and (isinstance(value.get("trajectory"), list) or isinstance(value.get("history"), list)):
                n += 1
                yield _Run(value, sink, source.path).trace()
            else:
                sink.report.records += 1
                sink.report.drop("no trajectory")
        if n == 0:
            raise FormatError("expected a trajectory of SWE-agent, got none", where=source.path)


class _Run:
    """One trajectory."""

    def __init__(self, recorded: dict[str, Any], sink: Sink, path: str) -> None:
        self._recorded = recorded
        self._steps = _objects(recorded.get("trajectory"))
        self._history = _objects(recorded.get("history"))
        name = recorded.get("environment")
        self._talk = Talk(named(name if isinstance(name, str) and name else "run", [self._steps, self._history]), sink, where=path)
        self._last: str | None = None
        """The call of the history whose answer is to come."""
        agents = {a for entry in self._history if not entry.get("is_demo") and isinstance(a := entry.get("agent"), str) and a}
        self._agent = agents.pop() if len(agents) == 1 else None
        for key in ("trajectory", "history"):
            entries = recorded.get(key)
            for _ in range(len(entries) - len(_objects(entries)) if isinstance(entries, list) else 0):
                self._talk.dropped("no step and no message")

    def trace(self) -> Trace:
        """The steps of the trajectory, and of the history what no step says."""
        places: dict[str, list[int]] = {}
        for k in reversed(range(len(self._steps))):
            if isinstance(said := self._steps[k].get("response"), str):
                places.setdefault(said.strip(), []).append(k)
        done, answered = 0, None
        for i, entry in enumerate(self._history):
            if entry.get("is_demo"):
                self._talk.dropped(_DEMO, harmless=True)
                continue
            content = _text(entry.get("content"))
            if entry.get("role") == "assistant":
                waiting = places.get((content or "").strip(), [])
                while waiting and waiting[-1] < done:
                    waiting.pop()
                if waiting:
                    last = waiting.pop()
                    for k in range(done, last + 1):
                        self._step(k, entry if k == last else {})
                    done, answered = last + 1, self._steps[last].get("observation")
                    self._talk.repeated()
                    continue
            elif isinstance(answered, str) and content is not None and answered.strip()[:2000] in content:
                answered = None
                self._talk.repeated()
                continue
            self._message(i, entry, content)
        for k in range(done, len(self._steps)):
            self._step(k, {})
        self._end()
        return self._talk.trace()

    def _step(self, k: int, entry: dict[str, Any]) -> None:
        """A step of the trajectory; ``entry`` is the message of the history that repeats it."""
        talk, step = self._talk, self._steps[k]
        talk.arrived(f"step {k}")
        agent = entry["agent"] if isinstance(entry.get("agent"), str) else self._agent
        before = talk.n_steps
        said = _text(step.get("response")) or _text(step.get("thought"))
        if said:
            talk.say(said, actor=agent, role="assistant", id=f"t{k}")
        calls = self._calls(f"t{k}", agent, entry.get("tool_calls") or step.get("tool_calls"), step.get("action"))
        observation = step.get("observation")
        if calls or observation not in (None, ""):
            data = {"execution_time": step["execution_time"]} if isinstance(step.get("execution_time"), (int, float)) else None
            # Of several calls in one step the trajectory holds one observation: it is that of the last.
            talk.answer(calls[-1] if calls else None, NOT_RECORDED if observation is None else observation, id=f"t{k}/end", data=data)
        state = parsed(step.get("state"))
        if isinstance(state, dict) and state:
            talk.put("state", id=f"t{k}/state", data={"object": "environment", "items": state})
        if talk.n_steps == before:
            talk.put("note", id=f"t{k}", actor=agent)

    def _message(self, i: int, entry: dict[str, Any], content: str | None) -> None:
        """A message of the history that no step of the trajectory holds."""
        talk, role = self._talk, entry.get("role")
        talk.arrived(f"message {i} of the history")
        agent = entry["agent"] if isinstance(entry.get("agent"), str) else None
        sort = entry.get("message_type")
        data = {"message_type": sort} if isinstance(sort, str) else None
        if role == "assistant":
            if content:
                talk.say(content, actor=agent, role=role, id=f"h{i}", data=data)
            calls = self._calls(f"h{i}", agent, entry.get("tool_calls"), entry.get("action"))
            self._last = calls[-1] if calls else None
            if not content and not calls:
                talk.say(content, actor=agent, role=role, id=f"h{i}", data=data)
        elif self._last is not None and (role == "tool" or sort == "observation" or sort is None):
            ids = entry.get("tool_call_ids")
            known = [number for number in ids if isinstance(number, str)] if isinstance(ids, list) else []
            for number in known or [self._last]:
                talk.answer(number, content, id=f"h{i}")
            self._last = None
        else:
            # What a message to the agent is comes from the environment; its field `agent` names whose history it stands in.
            talk.say(content, actor=None, recipients=None if agent is None else (agent,), role=_text(role), id=f"h{i}", data=data)

    def _calls(self, name: str, agent: str | None, recorded: Any, action: Any) -> list[str]:
        """The calls of a turn: as the model made them, or else the command that was run, named after its first word."""
        made: list[str] = []
        for n, call in enumerate(_objects(recorded)):
            function = call["function"] if isinstance(call.get("function"), dict) else {}
            tool, number = function.get("name"), call.get("id")
            made.append(
                self._talk.call(
                    tool if isinstance(tool, str) else None,
                    function.get("arguments", NOT_RECORDED),
                    actor=agent,
                    call=number if isinstance(number, str) else f"{name}/call/{n}",
                    id=f"{name}/call/{n}",
                    data={"command": action} if isinstance(action, str) and n == 0 else None,
                )
            )
        if not made and isinstance(action, str) and action.strip():
            word = _WORD.match(action)
            tool = word[1] if word else None
            made.append(self._talk.call(tool, {"command": action}, actor=agent, call=f"{name}/call", id=f"{name}/call"))
        return made

    def _end(self) -> None:
        info = self._recorded.get("info")
        if not isinstance(info, dict):
            return
        talk = self._talk
        facts = without_labels(info, talk.sink, talk.id, None)
        if isinstance(submission := facts.pop("submission", None), str) and submission:
            talk.put("action", id="submission", actor=self._agent, data={"payload": submission, "status": facts.get("exit_status")})
        talk.about({key: facts[key] for key in ("exit_status", "model_stats") if facts.get(key) is not None})


def _objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    """The words of a content: a text, or the parts of one."""
    if isinstance(value, list):
        words = [part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return "\n".join(words) if words else None
    return value if isinstance(value, str) else None


IMPORTER = SweAgent()
