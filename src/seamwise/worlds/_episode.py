"""One episode: a cell of a matrix, played and measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from seamwise.models import VoiceFailedError
from seamwise.record import Trace, trace_digest
from seamwise.runtime import InvalidExecution, Runtime, Voices, Workflow, dump_workflow
from seamwise.worlds._cell import Cell
from seamwise.worlds._outcome import Outcome, Truth
from seamwise.worlds._world import Ended, Instance, World

Status = Literal["valid", "invalid", "agent_failed", "counterpart_failed"]
"""``valid``: played to its end and measured. ``invalid``: the prescribed course did not take place. The other two: a model gave no answer.
Only a valid episode is measured; a judge that was not there leaves its measurements unassessed, and the episode valid."""


class Episode(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept of an episode beside its trace."""

    cell: Cell
    status: Status
    why: str = ""
    """Why it is not valid."""
    outcome: Outcome | None = None
    truth: Truth | None = None
    models: dict[str, str] = {}
    """``agent``, ``counterpart`` and ``judge``, as they were named."""
    synthetic: bool = False
    """A script spoke for the agents, the counterpart or the judge."""
    legitimate: bool = False
    digests: dict[str, str] = {}
    """Of ``world``, ``workflow`` and ``trace``."""
    usage: dict[str, int] = {}
    """``calls``, ``input_tokens`` and ``output_tokens`` of the three parts together."""


@dataclass(frozen=True)
class Played:
    """An episode and its trace."""

    episode: Episode
    trace: Trace
    ended: Ended | None
    """None: it was not played to its end."""


async def play_episode(world: World, cell: Cell, voices: Voices, *, workflow: Workflow | None = None) -> Played:
    """Play one episode and measure it.

    Args:
        world: The world.
        cell: Which episode.
        voices: Who speaks; their seed must be the cell's.
        workflow: A changed workflow instead of the declared one.

    Raises:
        BudgetSpentError: Nothing is left to spend; what was said so far stands in the journal.
    """
    declared = world.workflow_for(cell, workflow)
    instance = world.make(cell)
    setting = world.set_up(instance, declared)
    runtime = Runtime(
        world=world.name,
        trace=cell.id,
        workflow=declared,
        texts=instance.texts,
        tools=setting.tools,
        documents=world.documents,
        clock=setting.clock,
        state=setting.state,
        voices=voices,
        seed=cell.seed,
    )
    status: Status = "valid"
    why = ""
    try:
        await world.play(runtime, instance)
    except InvalidExecution as error:
        status, why = "invalid", str(error)
    except VoiceFailedError as error:
        status, why = ("counterpart_failed" if error.part == "counterpart" else "agent_failed"), str(error)
    parts = world.organization(runtime, instance) if world.organization else {}
    trace = runtime.trace(**parts)
    ended = Ended(instance, runtime, trace, declared, voices.judge) if status == "valid" else None
    outcome, truth = await world.measure(ended) if ended is not None else (None, None)
    if len(runtime.recorder.steps) > len(trace.steps):
        trace = runtime.trace(**parts)  # a judge's word was recorded beside what it judges
    return Played(_episode(world, instance, voices, declared, trace, status, why, outcome, truth), trace, ended)


def _episode(
    world: World,
    instance: Instance,
    voices: Voices,
    workflow: Workflow,
    trace: Trace,
    status: Status,
    why: str,
    outcome: Outcome | None,
    truth: Truth | None,
) -> Episode:
    import hashlib

    spoke = [v for v in (voices.agent, voices.counterpart, voices.judge) if v is not None]
    used: dict[str, Any] = {name: sum(getattr(v.usage, name) for v in spoke) for name in ("calls", "input_tokens", "output_tokens")}
    return Episode(
        cell=instance.cell,
        status=status,
        why=why,
        outcome=outcome,
        truth=truth,
        models={v.part: v.name for v in spoke},
        synthetic=any(v.synthetic for v in spoke),
        legitimate=instance.legitimate,
        digests={
            "world": world.digest,
            "workflow": hashlib.sha256(dump_workflow(workflow).encode()).hexdigest(),
            "trace": trace_digest(trace),
        },
        usage=used,
    )
