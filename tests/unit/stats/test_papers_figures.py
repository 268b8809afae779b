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
