"""Paired contrasts: the same thing under two conditions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import comb
from typing import NamedTuple

from seamwise.errors import UsageError


class Paired(NamedTuple):
    """A two-by-two table of pairs, and its exact test."""

    both: int
    first_only: int
    second_only: int
    neither: int
    p: float
    """Two-sided, unadjusted."""

    @property
    def n(self) -> int:
        """Pairs."""
        return self.both + self.first_only + self.second_only + self.neither


def mcnemar(first_only: int, second_only: int) -> float:
    """The exact two-sided McNemar test: the discordant pairs against a fair coin.

    Raises:
        UsageError: A count is negative.
    """
    if first_only < 0 or second_only < 0:
        raise UsageError(f"expected counts, got {first_only} and {second_only}")
    n, k = first_only + second_only, min(first_only, second_only)
    # whole numbers: exact for any n, where floating tails would underflow
    tail = sum(comb(n, i) for i in range(k + 1))
    return float(min(1.0, 2 * tail / 2**n)) if n < 1000 else min(1.0, 2.0 * _tail(k, n))


def _tail(k: int, n: int) -> float:
    from scipy.stats import binom

    return float(binom.cdf(k, n, 0.5))


def paired_counts(first: Mapping[Hashable, bool | None], second: Mapping[Hashable, bool | None]) -> Paired:
    """The table of the keys that both conditions hold; a key that is unassessed (None) in either is no pair.

    Args:
        first: Key (model, role, seed ...) -> whether the event happened under the first condition.
        second: The same under the second.
    """
    table = {(a, b): 0 for a in (True, False) for b in (True, False)}
    for key, a in first.items():
        b = second.get(key)
        if a is not None and b is not None:
            table[(bool(a), bool(b))] += 1
    only_a, only_b = table[(True, False)], table[(False, True)]
    return Paired(table[(True, True)], only_a, only_b, table[(False, False)], mcnemar(only_a, only_b))


def sign_test(n_less: int, n_more: int) -> float:
    """The exact two-sided sign test; ties are left out by the caller, who says how many there were."""
    return mcnemar(n_less, n_more)
