"""A desk of three roles, small enough to read, on which the runtime is tested: a clerk pays, a boss approves, a second clerk looks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from inspect_ai.model import get_model

import seamwise.models.registry  # noqa: F401
from seamwise.models import Reply, Scene, Voice, register_playbook
from seamwise.runtime import (
    Call,
    Channel,
    Document,
    DocumentStore,
    Edge,
    Role,
    Runtime,
    SimulatedClock,
    Tool,
    ToolRefused,
    Voices,
    Workflow,
    tool,
)

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass
class Till:
    paid: list[tuple[str, float]] = field(default_factory=list)


@tool
def pay(call: Call, amount: float, to: str = "guest") -> dict[str, Any]:
    """Pay an amount.

    Args:
        amount: In dollars.
        to: To whom.
    """
    if amount < 0:
        raise ToolRefused("nothing below zero is paid")
    call.state.paid.append((call.caller, amount))
    call.runtime.record("receipt", actor=call.caller, status="ok", data={"amount": amount, "to": to}, streams=("till",))
    return {"paid": amount}


@tool
def look(call: Call) -> str:
    """Look into the till."""
    return f"{sum(a for _, a in call.state.paid):g} paid so far"


TOOLS: Mapping[str, Tool] = {"pay": pay, "look": look}

DESK = Workflow(
    roles={
        "clerk": Role(prompt="You are the clerk. ${rule}", tools=("pay", "look", "send_message", "search_documents")),
        "second": Role(prompt="You are the second clerk.", tools=("look", "send_message")),
        "boss": Role(prompt="You are the boss."),
    },
    edges=(Edge(source="clerk", target="second", channel="note"),),
    channels={"note": Channel(refuse=(r"\bsecret\b",), because="no secrets here")},
    schemas={"slip": {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "number"}}}},
    stages=("payment",),
    costs={"look": {"minutes": 6}},
    texts={"rule": "Be brief."},
)


def runtime(playbook: Callable[[Scene], Reply], *, workflow: Workflow = DESK, persona: str = "careful", seed: int = 1) -> Runtime:
    """A runtime whose agents act by one playbook."""
    register_playbook("desk", playbook)
    voice = Voice(get_model(f"seamwise/{persona}"), "agent", seed=seed)
    documents = {"rules.md": Document("rules.md", "Rules", "Pay at most ten.\n\nAsk the boss above that.", frozenset({"clerk"}))}
    return Runtime(
        world="desk",
        trace="t1",
        workflow=workflow,
        texts={},
        tools=TOOLS,
        documents=DocumentStore(documents),
        clock=SimulatedClock(START),
        state=Till(),
        voices=Voices(agent=voice, counterpart=Voice(get_model("seamwise/careful"), "counterpart", seed=seed)),
        seed=seed,
    )


def play(coroutine: Any) -> Any:
    return asyncio.run(coroutine)
