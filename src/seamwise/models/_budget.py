"""What a run may use up."""

from __future__ import annotations

from dataclasses import dataclass


class BudgetSpentError(Exception):
    """The next call would go beyond what the run may use. What was measured so far stands."""


@dataclass
class Budget:
    """Counts what calls use; ``check`` refuses the next one when a bound is reached.

    Prices are USD per million tokens: (input, output). A model without a price costs an unknown amount, and a bound on cost is then refused
    beforehand by whoever set it.
    """

    max_tokens: int | None = None
    max_cost: float | None = None
    tokens: int = 0
    cost: float = 0.0

    def check(self) -> None:
        """Raise `BudgetSpentError` when nothing is left."""
        if self.max_tokens is not None and self.tokens >= self.max_tokens:
            raise BudgetSpentError(f"{self.tokens:,} of {self.max_tokens:,} tokens are used")
        if self.max_cost is not None and self.cost >= self.max_cost:
            raise BudgetSpentError(f"{self.cost:.2f} of {self.max_cost:.2f} USD are used")

    def add(self, input_tokens: int, output_tokens: int, price: tuple[float, float] | None) -> None:
        """Count one call."""
        self.tokens += input_tokens + output_tokens
        if price is not None:
            self.cost += (input_tokens * price[0] + output_tokens * price[1]) / 1e6
