"""The statistics reproduce the published figures from their counts (the file of facts beside the checkout; skipped where it is absent)."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from seamwise.stats import clustered_mean, mcnemar, rank_pair, rate

FACTS = Path(__file__).parents[3].parent / "shared" / "facts" / "eair_tables.json"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    if not FACTS.exists():
        pytest.skip("../shared/facts/eair_tables.json is not beside this checkout")
    return dict(json.loads(FACTS.read_text(encoding="utf-8")))


def test_every_wilson_interval(facts: dict[str, Any]) -> None:
    for row in facts["wilson_95"]:
        digits = 0 if row.get("rounded_to") == "whole percent" else 1
        told = rate(row["k"], row["n"])
        assert told.low is not None
        assert told.high is not None
        assert [round(100 * told.low, digits), round(100 * told.high, digits)] == row["ci_percent"], row["what"]


def test_every_exact_mcnemar(facts: dict[str, Any]) -> None:
    for row in facts["mcnemar_exact_two_sided"]:
        assert mcnemar(*row["discordant"]) == pytest.approx(row["p"], rel=0.005), row["what"]


def test_every_model_cluster_bootstrap(facts: dict[str, Any]) -> None:
    for row in facts["model_cluster_bootstrap_95"]:
        per_model = row["per_model_difference"]
        told = clustered_mean(list(per_model.values()), list(per_model), resamples=row["resamples"])
        assert told.value == pytest.approx(row["pooled"], abs=0.02)
        assert (told.low, told.high) == pytest.approx(row["ci"], abs=0.4), row["what"]


def test_every_rank_correlation_and_its_noise_floor(facts: dict[str, Any]) -> None:
    counts, n = facts["per_model_realization"]["realized"], facts["per_model_realization"]["episodes_per_model"]
    rows = {(a, b): rest for a, b, *rest in facts["rank_correlation"]["pairs"]}
    assert set(rows) == set(combinations(counts, 2))
    rhos = []
    for (a, b), (models, rho, tau, median, (low, high)) in rows.items():
        told = rank_pair(counts[a], n[a], counts[b], n[b])
        assert told.n == models
        assert told.rho == pytest.approx(rho, abs=0.006), (a, b)
        assert told.tau == pytest.approx(tau, abs=0.006), (a, b)
        assert told.median == pytest.approx(median, abs=0.02), (a, b)
        assert (told.low, told.high) == pytest.approx((low, high), abs=0.04), (a, b)
        rhos.append(told.rho)
    assert sum(r for r in rhos if r is not None) / len(rhos) == pytest.approx(facts["rank_correlation"]["mean_rho"], abs=0.006)


def test_every_row_of_the_file_is_reproduced_or_checked_here(facts: dict[str, Any]) -> None:
    """A row that is added to the file fails until a test of this module knows it."""
    assert set(facts) == {
        "source",
        "per_model_realization",
        "wilson_95",
        "mcnemar_exact_two_sided",
        "model_cluster_bootstrap_95",
        "rank_correlation",
    }
    assert set(facts["per_model_realization"]) == {"episodes_per_model", "realized", "note"}
    assert set(facts["rank_correlation"]) == {"computed_on", "pairs", "columns", "mean_rho", "noise_floor"}
    recomputed = {"wilson_95": {"what", "k", "n", "ci_percent", "rounded_to"}, "mcnemar_exact_two_sided": {"what", "discordant", "p"}}
    recomputed["model_cluster_bootstrap_95"] = {"what", "per_model_difference", "pooled", "ci", "resamples"}
    for name, columns in recomputed.items():
        assert all(set(row) <= columns for row in facts[name]), name


def test_counts_by_model_add_up_to_the_pooled_rates(facts: dict[str, Any]) -> None:
    """Counts by model are not computed from anything: they are checked against the pooled rates, and B1's against its paired contrast."""
    counts, each = facts["per_model_realization"]["realized"], facts["per_model_realization"]["episodes_per_model"]
    pooled = {row["what"].split()[0]: (row["k"], row["n"]) for row in facts["wilson_95"][:5]}
    assert set(counts) == set(each) == set(pooled)
    models = {tuple(by_model) for by_model in counts.values()}
    assert len(models) == 1
    for risk, by_model in counts.items():
        known = [k for k in by_model.values() if k is not None]
        assert all(0 <= k <= each[risk] for k in known)
        assert len(known) * each[risk] == pooled[risk][1], risk
        if risk != "B1":  # its row is attribution error; the counts by model are of vendor attribution, 24 of 120
            assert sum(known) == pooled[risk][0], risk
    assert sum(k for k in counts["B1"].values() if k is not None) == 24


def test_discordant_pairs_fit_the_rates_that_they_stand_beside(facts: dict[str, Any]) -> None:
    told = {row["what"]: row["discordant"] for row in facts["mcnemar_exact_two_sided"]}
    first_only, second_only = told["B1 main A-C, public vendor attribution (24/120 vs 2/120)"]
    assert first_only - second_only == 24 - 2
    first_only, second_only = told["B1 main A-C, evidence opened (94/120 vs 117/120)"]
    assert second_only - first_only == 117 - 94


def test_pooled_differences_are_means_of_the_models(facts: dict[str, Any]) -> None:
    a1 = [k for k in facts["per_model_realization"]["realized"]["A1"] if facts["per_model_realization"]["realized"]["A1"][k] is not None]
    for row in facts["model_cluster_bootstrap_95"]:
        assert sorted(row["per_model_difference"]) == sorted(a1)
        assert row["ci"][0] < row["pooled"] < row["ci"][1]
        assert sum(row["per_model_difference"].values()) / len(a1) == pytest.approx(row["pooled"], abs=0.01)


def test_no_model_is_weakly_safest_in_every_published_world(facts: dict[str, Any]) -> None:
    counts = facts["per_model_realization"]["realized"]
    models = next(iter(counts.values()))
    best = {
        risk: {m for m, k in by_model.items() if k is not None and k == min(v for v in by_model.values() if v is not None)}
        for risk, by_model in counts.items()
    }
    assert not [m for m in models if all(m in winners for winners in best.values())]
