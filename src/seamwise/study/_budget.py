"""A budget that several processes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seamwise.models import Budget, BudgetSpentError


@dataclass
class SharedBudget(Budget):
    """A `Budget` whose counts stand in shared memory (``multiprocessing.Array`` of two doubles: tokens and USD)."""

    shared: Any = None

    def check(self) -> None:
        """Raise `BudgetSpentError` when the processes together have nothing left."""
        with self.shared.get_lock():
            self.tokens, self.cost = int(self.shared[0]), self.shared[1]
        super().check()

    def add(self, input_tokens: int, output_tokens: int, price: tuple[float, float] | None) -> None:
        """Count one call for all processes."""
        once = Budget()
        once.add(input_tokens, output_tokens, price)
        with self.shared.get_lock():
            self.shared[0] += once.tokens
            self.shared[1] += once.cost


__all__ = ["BudgetSpentError", "SharedBudget"]
