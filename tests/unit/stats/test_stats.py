"""What the statistics do with odd numbers, and that they agree with SciPy where it has the same."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, spearmanr

from seamwise.errors import UsageError
from seamwise.stats import (
    clustered_difference,
    clustered_mean,
    kendall,
    mcnemar,
    noise_floor,
    paired_counts,
    rank_pair,
    rate,
    sign_test,
    spearman,
    spearman_rows,
    wilson,
)


def test_of_nothing_there_is_no_rate() -> None:
    assert rate(0, 0).share is None
    assert str(rate(0, 0)) == "no rate"
    assert str(rate(47, 60)) == "47/60 78.3% [66.4%, 86.9%]"


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipys(counts: tuple[int, int]) -> None:
    k, n = counts
    theirs = binomtest(k, n).proportion_ci(method="wilson")
    assert wilson(k, n) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(b: int, c: int) -> None:
    assert mcnemar(b, c) == pytest.approx(binomtest(b, b + c).pvalue if b + c else 1.0)
    assert sign_test(b, c) == mcnemar(c, b)


def test_mcnemar_of_many_pairs_does_not_overflow() -> None:
    assert mcnemar(3000, 3000) == 1.0
    assert 0 <= mcnemar(0, 5000) < 1e-300


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(UsageError):
        rate(k, n)


def test_what_is_unassessed_is_no_pair() -> None:
    table = paired_counts({1: True, 2: True, 3: None, 4: False, 5: True}, {1: False, 2: True, 3: True, 4: None})
    assert (table.both, table.first_only, table.second_only, table.neither, table.n) == (1, 1, 0, 0, 2)


def test_one_seed_one_interval_and_another_seed_nearly_the_same() -> None:
    values, clusters = [1.0, 2.0, 5.0, 0.0, 4.0, 4.0], list("aabbcc")
    one = clustered_mean(values, clusters, seed=1)
    assert one == clustered_mean(values, clusters, seed=1)
    other = clustered_mean(values, clusters, seed=2)
    assert other.value == one.value == pytest.approx(16 / 6)
    assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=0.2)


def test_the_interval_is_that_of_clusters_not_of_cases() -> None:
    values = [0.0] * 50 + [1.0] * 50
    wide = clustered_mean(values, ["a"] * 50 + ["b"] * 50)
    assert (wide.low, wide.high) == (0.0, 1.0)
    narrow = clustered_mean(values, list(range(100)))
    assert narrow.high - narrow.low < 0.25


@pytest.mark.parametrize(
    ("values", "clusters"), [([1.0], ["a"]), ([1.0, 2.0], ["a", "a"]), ([1.0, 2.0], ["a"]), ([1.0, float("nan")], ["a", "b"])]
)
def test_what_has_no_interval_is_refused(values: list[float], clusters: list[str]) -> None:
    with pytest.raises(UsageError):
        clustered_mean(values, clusters)


def test_a_difference_is_that_of_clusters_on_both_sides() -> None:
    told = clustered_difference([1, 1, 3], ["a", "a", "b"], [2, 5, 9], ["a", "b", "only"])
    assert told.value == pytest.approx(1.5)
    assert told.n_clusters == 2


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_spearman_is_scipys_and_undefined_where_it_is(pairs: list[tuple[int, int]]) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    mine = spearman(x, y)
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert mine is None
        assert kendall(x, y) is None
    else:
        assert mine == pytest.approx(spearmanr(x, y).statistic)


def test_rows_are_correlated_one_by_one() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 4, (50, 7)).astype(float), rng.integers(0, 4, (50, 7)).astype(float)
    rows = spearman_rows(x, y)
    assert [spearman(list(a), list(b)) for a, b in zip(x, y, strict=True)] == pytest.approx(list(rows))


def test_the_floor_of_many_episodes_is_near_one_and_of_few_is_not() -> None:
    rates = [1, 2, 3, 4, 5, 6, 7, 8]
    many = noise_floor([100 * r for r in rates], 1000, [100 * r for r in rates], 1000, resamples=500)
    few = noise_floor(rates, 10, rates, 10, resamples=500)
    assert np.median(many) > 0.98
    assert np.median(few) < 0.95
    with pytest.raises(UsageError):
        noise_floor([5], 4, [1], 4)


@pytest.mark.slow
def test_an_interval_costs_at_most_three_times_bare_numpy() -> None:
    values, clusters = np.random.default_rng(1).random(480), [i % 10 for i in range(480)]

    def bare() -> None:
        drawn = np.random.default_rng(0).integers(0, 10, (20_000, 10))
        sums, sizes = np.bincount(clusters, weights=values), np.bincount(clusters)
        np.percentile(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), [2.5, 97.5])

    def fastest(call: Callable[[], object]) -> float:
        call()
        times = []
        for _ in range(9):
            started = time.perf_counter()
            call()
            times.append(time.perf_counter() - started)
        return min(times)

    assert fastest(lambda: clustered_mean(list(values), clusters)) <= 3 * fastest(bare)


def test_a_noise_floor_takes_a_number_of_episodes_for_each_model() -> None:
    alike = rank_pair({"a": 1, "b": 2, "c": 4}, 6, {"a": 3, "b": 2, "c": 5}, 8, resamples=200)
    each = rank_pair({"a": 1, "b": 2, "c": 4}, dict.fromkeys("abc", 6), {"a": 3, "b": 2, "c": 5}, dict.fromkeys("abc", 8), resamples=200)
    assert alike == each
    # of the same count, more episodes are a lower rate
    told = rank_pair({"a": 2, "b": 2}, {"a": 4, "b": 8}, {"a": 2, "b": 1}, 8, resamples=200)
    assert told.rho == pytest.approx(1.0)
    with pytest.raises(UsageError):
        rank_pair({"a": 5, "b": 2}, {"a": 4, "b": 8}, {"a": 2, "b": 1}, 8, resamples=10)
