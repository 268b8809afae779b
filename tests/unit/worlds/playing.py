"""Playing worlds in tests: with personas, with scripted agents, with judges that see everything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from inspect_ai.model import get_model

import seamwise.models.registry  # noqa: F401
from seamwise.models import Voice
from seamwise.runtime import Voices, Workflow
from seamwise.worlds import Played, World, play_episode
from seamwise.worlds.conformance import voices_of
from unit.models.scripts import answering, fails, output


def played(
    world: World, persona: str = "careful", *, workflow: Workflow | None = None, voices: Voices | None = None, **cell: Any
) -> Played:
    """One episode with a persona."""
    address = world.cell(model=f"seamwise/{persona}", **cell)
    return asyncio.run(play_episode(world, address, voices or voices_of(persona, address.seed), workflow=workflow))


def with_judge(persona: str, act: Callable[..., Any], seed: int = 0) -> Voices:
    """A persona, and a judge that is a function of what it is asked."""
    usual = voices_of(persona, seed)
    return Voices(usual.agent, usual.counterpart, Voice(answering(act), "judge", seed=seed, retries=0))


def failing(part: str, persona: str = "careful") -> Voices:
    """One of the three parts cannot be reached."""
    usual = voices_of(persona, 0)
    parts = {"agent": usual.agent, "counterpart": usual.counterpart, "judge": usual.judge}
    parts[part] = Voice(answering(fails), part, retries=0)  # type: ignore[arg-type]
    return Voices(**parts)


def judge_prompts(world: World, persona: str, **cell: Any) -> list[str]:
    """Everything that a judge is asked in an episode."""
    seen: list[str] = []

    def act(messages: list[Any], *_: Any) -> Any:
        seen.extend(m.text for m in messages)
        return output('{"scores": []}')

    played(world, persona, voices=with_judge(persona, act), **cell)
    return seen


def agents(act: Callable[..., Any]) -> Voices:
    """Agents that are a function of what they are asked; the other parts as usual."""
    usual = voices_of("careful", 0)
    return Voices(Voice(answering(act), "agent", retries=0), usual.counterpart, usual.judge)


__all__ = ["agents", "failing", "get_model", "judge_prompts", "output", "played", "with_judge"]
