"""Every world as a task of Inspect AI: ``inspect eval seamwise/kpi_gaming --model seamwise/careful``.

Inspect's own model is the agents under test; who else speaks is an argument of the task. The log holds the whole episode: what agents said
and called as messages, every model call as an event, the six measurements as one score.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolCallError

from seamwise.models import Journal, Voice
from seamwise.models.registry import SeamwiseAPI
from seamwise.record import Trace
from seamwise.runtime import Voices
from seamwise.study._engine import count_offline, speaker
from seamwise.study._matrix import ALL, make_block
from seamwise.worlds import MEASURED, Cell, Episode, load_world, play_episode, world_names

__all__ = ["SeamwiseAPI", "measured", "messages_of", "play_world", "six_measurements", "world_task"]


@metric
def measured() -> Metric:
    """Mean over what was assessed; NaN where nothing was. What is unassessed never counts as zero."""

    def mean(scores: list[SampleScore]) -> float:
        known = [v for s in scores if isinstance(v := s.score.value, int | float) and not math.isnan(v)]
        return sum(known) / len(known) if known else math.nan

    return mean


@metric
def assessed() -> Metric:
    """How many were assessed."""

    def count(scores: list[SampleScore]) -> float:
        return float(sum(1 for s in scores if isinstance(v := s.score.value, int | float) and not math.isnan(v)))

    return count


@solver
def play_world(spec: str, counterpart_model: str, judge_model: str | None) -> Solver:
    """Play the sample's cell with the active model as the agents under test."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        count_offline(model)
        asked: Cell = msgspec.convert(state.metadata["cell"], Cell)
        cell = msgspec.structs.replace(asked, model=str(model))
        journal = Journal()
        agent = Voice(model, "agent", seed=cell.seed, journal=journal)
        counterpart = speaker(counterpart_model, "counterpart", cell.seed, journal, agent.budget)
        judge = speaker(judge_model, "judge", cell.seed, journal, agent.budget) if judge_model else None
        played = await play_episode(load_world(spec), cell, Voices(agent, counterpart, judge))
        episode = msgspec.structs.replace(played.episode, truth=None)
        state.messages = messages_of(played.trace)
        last = next((m for m in reversed(state.messages) if isinstance(m, ChatMessageAssistant)), None)
        state.output = ModelOutput.from_content(str(model), last.text if last else "")
        state.metadata["episode"] = msgspec.to_builtins(episode)
        state.completed = True
        return state

    return solve


@scorer(metrics={"*": [measured(), assessed()]})
def six_measurements() -> Scorer:
    """The six measurements of an episode; 1 is yes, 0 is no, NaN is unassessed."""

    async def score(state: TaskState, target: Target) -> Score:
        episode = msgspec.convert(state.metadata["episode"], Episode)
        names = [*MEASURED, "utility"]
        if episode.outcome is None:
            return Score(
                value=dict.fromkeys(names, math.nan),
                explanation=f"{episode.status}: {episode.why}",
                metadata={"status": episode.status, "synthetic": episode.synthetic},
            )
        outcome = episode.outcome
        values = {name: _number(getattr(outcome, name).value) for name in MEASURED} | {"utility": _number(outcome.utility)}
        told = [f"{name}: {getattr(outcome, name).why}" for name in MEASURED if getattr(outcome, name).why]
        return Score(
            value=values,
            explanation="\n".join(told) or None,
            metadata={"status": episode.status, "synthetic": episode.synthetic, "endpoints": msgspec.to_builtins(outcome.endpoints)},
        )

    return score


def _number(value: float | bool | None) -> float:
    return math.nan if value is None else float(value)


def messages_of(trace: Trace) -> list[ChatMessage]:
    """An episode as one conversation to read: who said what to whom, and every call with its answer."""
    found: list[ChatMessage] = []
    for role, known in trace.header.organization.roles.items():
        prompt = known.get("prompt") if isinstance(known, dict) else None
        if prompt:
            found.append(ChatMessageSystem(content=f"[{role}]\n{prompt}"))
    for step in trace.steps:
        if step.kind == "message":
            whom = ", ".join(step.recipients or ())
            failed = " (not delivered)" if step.status == "failed" else ""
            found.append(ChatMessageUser(content=f"[{step.channel}: {step.actor} to {whom}{failed}]\n{step.text or ''}".rstrip()))
        elif step.kind == "model_result" and step.text:
            found.append(ChatMessageAssistant(content=f"[{step.actor}]\n{step.text}"))
        elif step.kind == "tool_call":
            call = ToolCall(id=step.call or step.id or "", function=step.tool or "", arguments=_arguments(step.data))
            found.append(ChatMessageAssistant(content=f"[{step.actor}]", tool_calls=[call]))
        elif step.kind == "tool_result":
            answer = _answer(step.text, step.data)
            error = ToolCallError("unknown", answer) if step.status == "failed" else None
            found.append(ChatMessageTool(content=answer, tool_call_id=step.call or step.id or "", function=step.tool or "", error=error))
    return found


def _arguments(data: Any) -> dict[str, Any]:
    given = data.get("arguments") if isinstance(data, dict) else None
    return dict(given) if isinstance(given, dict) else {}


def _answer(text: str | None, data: Any) -> str:
    if text is not None or not isinstance(data, dict):
        return text or ""
    return json.dumps(data.get("result"), ensure_ascii=False)


def world_task(
    spec: str,
    *,
    condition: str | Sequence[str] | None = None,
    seeds: int = 1,
    arm: str = "main",
    factors: dict[str, str | list[str]] | None = None,
    counterpart_model: str = "seamwise/compliant",
    judge_model: str | None = "seamwise/rule-judge",
) -> Task:
    """A world's episodes as a task: one sample for each cell."""
    world = load_world(spec)
    named = () if condition is None else tuple(condition.split(",") if isinstance(condition, str) else condition)
    levels = {name: [level] if isinstance(level, str) else list(level) for name, level in (factors or {}).items()}
    block = make_block(world, models=("agent",), conditions=named, seeds=seeds, factors=levels, arm=arm, spec=spec)
    return Task(
        name=world.name,
        dataset=list(_samples(block.cells())),
        solver=play_world(spec, counterpart_model, judge_model),
        scorer=six_measurements(),
        metadata={"world": world.name, "risk": world.risk, "digest": world.digest},
    )


def _samples(cells: Iterable[Cell]) -> Iterable[Sample]:
    for cell in cells:
        names = [cell.condition, *(v for _, v in sorted(cell.factors.items())), f"seed {cell.seed}"]
        yield Sample(id="/".join(names), input=f"{cell.world}: {', '.join(names)}", metadata={"cell": msgspec.to_builtins(cell)})


def _task_of(name: str) -> Callable[..., Task]:
    def make(
        condition: str | list[str] | None = None,
        seeds: int = 1,
        arm: str = "main",
        factors: dict[str, str | list[str]] | None = None,
        counterpart_model: str = "seamwise/compliant",
        judge_model: str | None = "seamwise/rule-judge",
    ) -> Task:
        return world_task(
            name,
            condition=condition,
            seeds=seeds,
            arm=arm,
            factors=factors,
            counterpart_model=counterpart_model,
            judge_model=judge_model,
        )

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"Episodes of the world `{name}`; a factor's level may be `{ALL}`."
    registered: Callable[..., Task] = task(name=name)(make)
    return registered


for _name in world_names():
    globals()[_name] = _task_of(_name)
