"""What one agent remembers of its own conversation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seamwise.runtime._workflow import Memory

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage


@dataclass
class Line:
    """One message of a conversation and the step of the trace that holds it."""

    message: ChatMessage
    step: str


@dataclass
class PrivateMemory:
    """Turns, by the stage in which they happened. Nobody else reads them."""

    policy: Memory
    turns: list[tuple[int, list[Line]]] = field(default_factory=list)

    def begin(self, stage: int) -> list[Line]:
        """A new turn; what the policy does not keep is forgotten now."""
        if self.policy.keep == "turn":
            self.turns.clear()
        elif self.policy.keep == "stage":
            self.turns = [(s, lines) for s, lines in self.turns if s == stage]
        if self.policy.last is not None:
            self.turns = self.turns[-self.policy.last :] if self.policy.last else []
        lines: list[Line] = []
        self.turns.append((stage, lines))
        return lines

    def all(self) -> list[Line]:
        """Everything remembered, in order."""
        return [line for _, lines in self.turns for line in lines]
