"""What a scripted model sees, and what it may answer: exactly the messages and tools that a language model would get."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from seamwise.models._personas import Persona

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage
    from inspect_ai.tool import ToolInfo


@dataclass(frozen=True)
class Asked:
    """A tool call that a model asks for."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """What a scripted model answers: words, calls, or both."""

    text: str = ""
    calls: tuple[Asked, ...] = ()


def say(text: str) -> Reply:
    """Words alone; they end the agent's turn."""
    return Reply(text)


def call(name: str, /, **arguments: Any) -> Reply:
    """One tool call."""
    return Reply("", (Asked(name, arguments),))


@dataclass(frozen=True)
class Done:
    """A call that the agent made earlier, with its answer."""

    name: str
    arguments: Mapping[str, Any]
    answer: str
    this_turn: bool
    """After the last message that somebody else sent."""


@dataclass(frozen=True)
class Scene:
    """What stands in front of one agent when it is its turn to speak.

    ``role`` is who is asked (``judge`` for a judge). ``rng`` is seeded by the episode, the role and the length of the conversation.
    """

    persona: Persona
    world: str
    role: str
    system: str
    messages: Sequence[ChatMessage]
    tools: Mapping[str, ToolInfo]
    rng: random.Random = field(repr=False)

    @cached_property
    def heard(self) -> list[str]:
        """What others sent, in order."""
        return [m.text for m in self.messages if m.role == "user"]

    @property
    def last(self) -> str:
        """What others sent last."""
        return self.heard[-1] if self.heard else ""

    @cached_property
    def done(self) -> list[Done]:
        """The agent's own calls that were answered, as far as it remembers."""
        asked: dict[str, Any] = {}
        turn_begins = max((n for n, m in enumerate(self.messages) if m.role == "user"), default=-1)
        found: list[Done] = []
        for number, message in enumerate(self.messages):
            if message.role == "assistant":
                asked.update({c.id: c for c in message.tool_calls or []})
            elif message.role == "tool" and message.tool_call_id in asked:
                made = asked[message.tool_call_id]
                found.append(Done(made.function, made.arguments, message.text, number > turn_begins))
        return found

    def did(self, name: str, *, this_turn: bool = False) -> Done | None:
        """The latest answered call of a tool, or None."""
        for done in reversed(self.done):
            if done.name == name and (done.this_turn or not this_turn):
                return done
        return None

    def has(self, *tools: str) -> bool:
        """Whether all these tools are there."""
        return all(tool in self.tools for tool in tools)

    def find(self, pattern: str) -> re.Match[str] | None:
        """The latest place where a pattern stands in what others sent or in tools' answers; letter case aside."""
        for message in reversed(self.messages):
            if message.role in ("user", "tool") and (found := re.search(pattern, message.text, re.IGNORECASE)):
                return found
        return None

    def this_turn(self) -> list[Done]:
        """The calls of this turn that were answered."""
        return [d for d in self.done if d.this_turn]

    def reads(self) -> dict[str, Any]:
        """What the last message says, where it is a JSON object (a judge's question is one); else nothing."""
        try:
            value = json.loads(self.last)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def told(self, pattern: str) -> bool:
        """Whether a pattern stands in the prompt or in what others sent; letter case aside."""
        return bool(re.search(pattern, self.system, re.IGNORECASE)) or any(re.search(pattern, h, re.IGNORECASE) for h in self.heard)


Playbook = Callable[[Scene], Reply]
"""The rules by which personas act in one world."""

_PLAYBOOKS: dict[str, Playbook] = {}


def register_playbook(world: str, playbook: Playbook) -> None:
    """Make a world's rules known to the personas of this process."""
    _PLAYBOOKS[world] = playbook


def playbook_of(world: str) -> Playbook | None:
    """A world's rules, or None."""
    return _PLAYBOOKS.get(world)
