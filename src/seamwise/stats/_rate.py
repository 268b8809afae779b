"""A share with its interval. Wilson's, which is honest at 0 and at 1 and for few cases."""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

from seamwise.errors import UsageError


class Rate(NamedTuple):
    """How many of how many, and the interval of the share; an empty cohort has no rate."""

    k: int
    n: int
    share: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        """``47/60 78.3 % [66.4, 86.9]``, or ``no rate`` for an empty cohort."""
        if self.share is None or self.low is None or self.high is None:
            return "no rate"
        return f"{self.k}/{self.n} {self.share:.1%} [{self.low:.1%}, {self.high:.1%}]"


def wilson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a share, in closed form.

    Args:
        k: Cases with the event, 0 to n.
        n: Cases, at least 1.
        level: Confidence, between 0 and 1.

    Raises:
        UsageError: The numbers are not of that kind.
    """
    if not 0 <= k <= n or n == 0:
        raise UsageError(f"expected 0 <= k <= n and n > 0, got k={k}, n={n}")
    if not 0 < level < 1:
        raise UsageError(f"expected a level between 0 and 1, got `{level}`")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, z2 = k / n, z * z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = z * (share * (1 - share) / n + z2 / (4 * n * n)) ** 0.5 / (1 + z2 / n)
    low = 0.0 if k == 0 else max(0.0, middle - half)
    high = 1.0 if k == n else min(1.0, middle + half)
    return low, high


def rate(k: int, n: int, level: float = 0.95) -> Rate:
    """How many of how many with the Wilson interval; without any cases there is no rate.

    Raises:
        UsageError: k is not between 0 and n.
    """
    if n == 0 and k == 0:
        return Rate(0, 0, None, None, None)
    low, high = wilson(k, n, level)
    return Rate(k, n, k / n, low, high)
