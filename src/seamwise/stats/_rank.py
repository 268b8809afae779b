"""Rank correlations between two risks over models, and how high they could come out at all.

With few episodes a model, rates are coarse, and even two risks that order the models alike would not correlate perfectly. The *noise
floor* says what to expect then: the second risk's rates are handed out in the first risk's order, every count is drawn anew at its risk's
number of episodes, and the correlation is taken each time.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from seamwise.errors import UsageError
from seamwise.stats._cluster import RESAMPLES, _numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]


class RankPair(NamedTuple):
    """Two risks compared over the models that were run on both."""

    n: int
    """Models."""
    rho: float | None
    """Tie-adjusted Spearman; None where a risk has one rate for all."""
    tau: float | None
    """Kendall's tau-b."""
    median: float
    """Median of the noise floor."""
    low: float
    high: float
    """Its 95 % range."""


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Spearman's rho with average ranks for ties; None where one side is constant.

    Raises:
        UsageError: The lengths differ, or there are fewer than two.
    """
    np = _numpy()
    _check(x, y)
    found = spearman_rows(np.asarray([x], dtype=float), np.asarray([y], dtype=float))[0]
    return None if np.isnan(found) else float(found)


def kendall(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Kendall's tau-b; None where one side is constant.

    Raises:
        UsageError: The lengths differ, or there are fewer than two.
    """
    np = _numpy()
    _check(x, y)
    from scipy.stats import kendalltau

    found = kendalltau(x, y).statistic
    return None if np.isnan(found) else float(found)


def spearman_rows(x: Floats, y: Floats) -> Floats:
    """Tie-adjusted Spearman of each row of x with the same row of y; NaN where one side is constant.

    Args:
        x: Shape (rows, models).
        y: The same shape.
    """
    np = _numpy()
    from scipy.stats import rankdata

    a, b = (rankdata(side, axis=1) for side in (x, y))
    a -= a.mean(axis=1, keepdims=True)
    b -= b.mean(axis=1, keepdims=True)
    scale = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        rows: Floats = np.where(scale > 0, (a * b).sum(axis=1) / scale, np.nan)
    return rows


def noise_floor(
    first: Sequence[int],
    first_n: int | Sequence[int],
    second: Sequence[int],
    second_n: int | Sequence[int],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Floats:
    """Correlations that would be seen if both risks ordered the models alike; the rare undefined ones are left out.

    Args:
        first: Counts of the first risk, one a model.
        first_n: Episodes of each of its counts: one number for all, or one a model.
        second: Counts of the second, in the same order of models.
        second_n: Episodes of each of them, likewise.
        resamples: How often the counts are drawn.
        seed: Of the generator.

    Raises:
        UsageError: The lengths differ, there are fewer than two, or a count is not between 0 and its number of episodes.
    """
    np = _numpy()
    _check(first, second)
    n, m = _each(first, first_n), _each(second, second_n)
    p = np.asarray(first, dtype=float) / n
    q = np.empty_like(p)
    q[np.argsort(p, kind="stable")] = np.sort(np.asarray(second, dtype=float) / m)
    rng = np.random.default_rng(seed)
    drawn = spearman_rows(rng.binomial(n, p, size=(resamples, len(p))) / n, rng.binomial(m, q, size=(resamples, len(q))) / m)
    defined: Floats = drawn[~np.isnan(drawn)]
    return defined


def rank_pair(
    first: Mapping[Hashable, int | None],
    first_n: int | Mapping[Hashable, int],
    second: Mapping[Hashable, int | None],
    second_n: int | Mapping[Hashable, int],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> RankPair:
    """Two risks over the models that are on both rosters (their counts are not None).

    Args:
        first: Counts of the first risk by model.
        first_n: Episodes of each of its models: one number for all, or by model.
        second: The same of the second risk.
        second_n: Likewise.
        resamples: How often the counts are drawn for the noise floor.
        seed: Of the generator.

    Raises:
        UsageError: Fewer than two models are on both.
    """
    np = _numpy()
    names = [name for name, a in first.items() if a is not None and second.get(name) is not None]
    x, y = [int(first[name] or 0) for name in names], [int(second[name] or 0) for name in names]
    n, m = (of if isinstance(of, int) else [of[name] for name in names] for of in (first_n, second_n))
    floor = noise_floor(x, n, y, m, resamples=resamples, seed=seed)
    # a floor of which every draw is constant says nothing
    low, median, high = (float(v) for v in np.percentile(floor, [2.5, 50, 97.5])) if len(floor) else (float("nan"),) * 3
    rate_x, rate_y = [float(v) for v in np.asarray(x) / _each(x, n)], [float(v) for v in np.asarray(y) / _each(y, m)]
    return RankPair(len(names), spearman(rate_x, rate_y), kendall(rate_x, rate_y), median, low, high)


def _each(counts: Sequence[int], of: int | Sequence[int]) -> Whole:
    """Episodes of each count."""
    np = _numpy()
    n: Whole = np.broadcast_to(np.asarray(of, dtype=np.int64), (len(counts),))
    if min(n) < 1 or any(not 0 <= k <= most for k, most in zip(counts, n, strict=True)):
        raise UsageError(f"expected counts from 0 to {of}, got {list(counts)}")
    return n


def _check(x: Sequence[float], y: Sequence[float]) -> None:
    if len(x) != len(y) or len(x) < 2:
        raise UsageError(f"expected two lists of one length, at least two long, got {len(x)} and {len(y)}")
