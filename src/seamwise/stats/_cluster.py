"""Means and differences whose cases come in clusters (models, most often): whole clusters are resampled.

Episodes of one model are not independent, so an interval over episodes would be too narrow. The resampling works on the clusters' sums and
sizes and so costs the same for any number of episodes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from seamwise.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 20_000


class Estimate(NamedTuple):
    """A pooled value with its interval."""

    value: float
    low: float
    high: float
    n_clusters: int
    n: int
    resamples: int
    seed: int


def clustered_mean(
    values: Sequence[float], clusters: Sequence[Hashable], *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Estimate:
    """The mean over all cases, with the percentile interval of the cluster bootstrap.

    Args:
        values: One number a case.
        clusters: The cluster of each case, shape as values.
        level: Confidence.
        resamples: How many draws of clusters with replacement.
        seed: Of the generator; the same seed gives the same interval.

    Raises:
        UsageError: The lengths differ, there are fewer than two clusters, or a value is no finite number.
        MissingExtraError: NumPy and SciPy are not installed.
    """
    sums, sizes = _by_cluster(values, clusters)
    low, high = _interval(sums, sizes, level, resamples, seed)
    return Estimate(float(sums.sum() / sizes.sum()), low, high, len(sums), len(values), resamples, seed)


def clustered_difference(
    first: Sequence[float],
    first_clusters: Sequence[Hashable],
    second: Sequence[float],
    second_clusters: Sequence[Hashable],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """The mean of the clusters' differences of means, second minus first, each cluster with one weight.

    Clusters that are not on both sides are left out: they say nothing of a difference.

    Raises:
        UsageError: As in :func:`clustered_mean`.
        MissingExtraError: NumPy and SciPy are not installed.
    """
    a, b = _means(first, first_clusters), _means(second, second_clusters)
    both = [name for name in a if name in b]
    differences = [b[name] - a[name] for name in both]
    made = clustered_mean(differences, both, level=level, resamples=resamples, seed=seed)
    return made._replace(n=len(first) + len(second))


def _means(values: Sequence[float], clusters: Sequence[Hashable]) -> dict[Hashable, float]:
    if len(values) != len(clusters):
        raise UsageError(f"expected a cluster for each value, got {len(values)} values and {len(clusters)} clusters")
    groups: dict[Hashable, list[float]] = {}
    for value, name in zip(values, clusters, strict=True):
        groups.setdefault(name, []).append(value)
    return {name: sum(group) / len(group) for name, group in groups.items()}


def _by_cluster(values: Sequence[float], clusters: Sequence[Hashable]) -> tuple[Floats, Floats]:
    """Sums and sizes of the clusters, in the order in which they first come."""
    np = _numpy()
    if len(values) != len(clusters):
        raise UsageError(f"expected a cluster for each value, got {len(values)} values and {len(clusters)} clusters")
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise UsageError("expected finite numbers, got one that is not", hint="leave out what is unassessed; it is not zero")
    place: dict[Hashable, int] = {}
    index = np.asarray([place.setdefault(name, len(place)) for name in clusters], dtype=np.intp)
    if len(place) < 2:
        raise UsageError(f"expected at least two clusters, got {len(place)}", hint="an interval over one model says nothing of others")
    sums: Floats = np.bincount(index, weights=array)
    sizes: Floats = np.bincount(index).astype(float)
    return sums, sizes


def _interval(sums: Floats, sizes: Floats, level: float, resamples: int, seed: int) -> tuple[float, float]:
    np = _numpy()
    from scipy.stats import bootstrap

    def pooled(total: Floats, size: Floats, axis: int = -1) -> Floats:
        shares: Floats = np.asarray(total.sum(axis=axis) / size.sum(axis=axis))
        return shares

    done = bootstrap(
        (sums, sizes),
        pooled,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=resamples,
        confidence_level=level,
        rng=np.random.default_rng(seed),
    )
    return float(done.confidence_interval.low), float(done.confidence_interval.high)


def _numpy() -> Any:
    try:
        import numpy
        import scipy.stats  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("statistics of studies need NumPy and SciPy", hint='pip install "seamwise[stats]"') from error
    return numpy
