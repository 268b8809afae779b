"""What every rule asks about a trace, read once: its calls with their answers, who took part, and what is known to be cut or trimmed.

Rules go by the place of a step in the recording. That is no known order, and enough for a lead: a lead proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from seamwise.record import Step, Trace

_TRANSFER = re.compile(
    r"(?:transfer|hand[ _-]?(?:off|over)|delegate|route|escalate)(?:[ _-].*)?[ _-](?:to|work)(?:[ _-].*)?|ask question to .*",
    re.IGNORECASE | re.DOTALL,
)
_INTERRUPT = re.compile(
    r"interrupt|resume|human.?input|ask.?(?:human|user)|request.?(?:info|input|approval)|confirm|await|wait|pause", re.IGNORECASE
)
"""Names of tools that wait for somebody outside the recording."""


class Call(msgspec.Struct, eq=False):
    """A tool call and what answered it."""

    at: int
    """Position of the call in the trace; -1: the call itself is not recorded."""
    name: str
    tool: str | None = None
    actor: str | None = None
    arguments: Any = None
    answers: list[int] = []

    @property
    def is_handoff(self) -> bool:
        """Whether it is named like a handoff: control passes, and an answer is a formality."""
        return bool(self.tool and _TRANSFER.fullmatch(self.tool))

    @property
    def waits(self) -> bool:
        """Whether it is named like one that waits for a person."""
        return bool(self.tool and _INTERRUPT.search(self.tool))


class Facts:
    """One trace as the rules see it."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.steps = trace.steps

    @cached_property
    def at(self) -> dict[str, int]:
        """Step id -> position."""
        return {step.id: i for i, step in enumerate(self.steps)}

    @cached_property
    def calls(self) -> dict[str, Call]:
        """Name of the call -> the call."""
        out: dict[str, Call] = {}
        for i, step in enumerate(self.steps):
            if step.call is None:
                continue
            if step.kind == "tool_call":
                call = out.setdefault(step.call, Call(i, step.call))
                if call.at < 0:
                    call.at = i
                call.tool, call.actor = step.tool, step.actor
                call.arguments = (step.data or {}).get("arguments")
            elif step.kind == "tool_result":
                call = out.setdefault(step.call, Call(-1, step.call, tool=step.tool))
                call.answers.append(i)
        return out

    @cached_property
    def agents(self) -> frozenset[str]:
        """Everybody who did something."""
        return frozenset(step.actor for step in self.steps if step.actor is not None)

    @cached_property
    def last_of(self) -> dict[str | None, int]:
        """Actor -> position of its last step."""
        return {step.actor: i for i, step in enumerate(self.steps)}

    @cached_property
    def is_cut(self) -> bool:
        """Whether the recording says of itself that it breaks off."""
        return bool(self.trace.header.origin.get("cut"))

    @cached_property
    def is_trimmed(self) -> bool:
        """Whether the recording says of itself that its beginning is gone."""
        return bool(self.trace.header.origin.get("trimmed"))

    def retried(self, call: Call) -> int | None:
        """The position of a later answered call of the same tool with the same arguments by anybody: the retry that made it good."""
        for other in self._same.get(_key(call), ()):
            if other.at > call.at and any(self.steps[i].status != "failed" for i in other.answers):
                return other.at
        return None

    @cached_property
    def _same(self) -> dict[Any, list[Call]]:
        out: dict[Any, list[Call]] = {}
        for call in self.calls.values():
            out.setdefault(_key(call), []).append(call)
        return out


def _key(call: Call) -> Any:
    return call.tool, msgspec.json.encode(call.arguments, order="sorted") if call.arguments is not None else None


def entries(value: Any, limit: int = 4000) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Every entry of every object inside a JSON value: its key, its value, and the object that holds it; at most so many."""
    todo: list[Any] = [value]
    left = limit
    while todo and left > 0:
        inner = todo.pop()
        if isinstance(inner, dict):
            for key, item in inner.items():
                left -= 1
                yield key, item, inner
                if isinstance(item, (dict, list)):
                    todo.append(item)
        elif isinstance(inner, list):
            todo += [item for item in inner if isinstance(item, (dict, list))]
            left -= len(inner)


def scalars(value: Any, limit: int = 4000) -> Iterator[str]:
    """Texts and numbers inside a JSON value, as text."""
    todo: list[Any] = [value]
    left = limit
    while todo and left > 0:
        inner = todo.pop()
        left -= 1
        if isinstance(inner, dict):
            todo += inner.values()
        elif isinstance(inner, list):
            todo += inner
        elif isinstance(inner, str):
            yield inner
        elif isinstance(inner, (int, float)) and not isinstance(inner, bool):
            yield str(inner)


def told(step: Step, at: int) -> str:
    """A step in a sentence: ``#12 (clerk, refund)``."""
    who = ", ".join(word for word in (step.actor, step.tool) if word)
    return f"#{at + 1} ({who})" if who else f"#{at + 1}"
