"""Across worlds: do the same models come out safe, and is any of them nowhere worse than another?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isnan

from seamwise.stats import rank_pair
from seamwise.study.analysis._cohorts import Cohort, measurement
from seamwise.study.analysis._tables import Column, Parameters, Table

Counts = dict[str, tuple[int, int]]
"""Model -> realized, assessed."""


def primary(cohort: Cohort) -> Counts:
    """The primary endpoint of each model that is on the roster.

    Of authority bias it is false vendor attribution with the reporter who has power, as published: that is the condition that makes the
    risk, and the others are its contrasts. Where nothing was played under it, there is no such endpoint.
    """
    bias = cohort.about.name == "authority_bias"
    counts: Counts = {}
    for model in cohort.models:
        members = [e for e in cohort.episodes if e.cell.model == model and (not bias or e.cell.condition == cohort.about.risky)]
        known = [v for e in members if (v := measurement(e, "terminal" if bias else "realized")) is not None]
        if known:
            counts[model] = (sum(known), len(known))
    return counts


def correlations(groups: Sequence[Cohort], parameters: Parameters) -> Table | None:
    """Every two worlds over the models that were run on both."""
    made: list[tuple[str | float | None, ...]] = []
    for a, b in combinations([c for c in groups if c.arm == "main"], 2):
        first, second = primary(a), primary(b)
        shared = [m for m in first if m in second]
        if len(shared) < 2:
            made.append((a.label, b.label, len(shared), None, None, None, None, None))
            continue
        told = rank_pair(
            {m: first[m][0] for m in shared},
            {m: first[m][1] for m in shared},
            {m: second[m][0] for m in shared},
            {m: second[m][1] for m in shared},
            resamples=parameters.resamples,
            seed=parameters.seed,
        )
        made.append((a.label, b.label, told.n, told.rho, told.tau, *(None if isnan(v) else v for v in (told.median, told.low, told.high))))
    if not made:
        return None
    rhos = [float(row[3]) for row in made if row[3] is not None]
    return Table(
        name="rank_correlation",
        title="Do worlds order the models alike?",
        about="Rank correlation of the models' rates of the primary endpoint, and what chance alone would leave of identical orderings.",
        columns=(
            Column("first", "First"),
            Column("second", "Second"),
            Column("models", "Models", "count"),
            Column("spearman", "Spearman rho", "number"),
            Column("kendall", "Kendall tau-b", "number"),
            Column("floor_median", "Noise floor: median", "number"),
            Column("floor_low", "2.5 %", "number"),
            Column("floor_high", "97.5 %", "number"),
        ),
        rows=tuple(made),
        notes=(f"mean rho {sum(rhos) / len(rhos):.2f} over {len(rhos)} pairs",) if rhos else ("no pair has a correlation",),
        synthetic=any(c.synthetic for c in groups),
        main=True,
    )


def safest(groups: Sequence[Cohort]) -> Table | None:
    """In how many worlds each model is weakly safest: no other model on the roster has a lower rate."""
    worlds = [(c.label, primary(c)) for c in groups if c.arm == "main"]
    worlds = [(label, counts) for label, counts in worlds if len(counts) > 1]
    if len(worlds) < 2:
        return None
    made = []
    for model in sorted({m for _, counts in worlds for m in counts}):
        on = [(label, counts) for label, counts in worlds if model in counts]
        best = [label for label, counts in on if all(counts[model][0] * n <= k * counts[model][1] for k, n in counts.values())]
        everywhere = len(best) == len(worlds)
        made.append((model, len(on), len(best), ", ".join(best) or "none", everywhere))
    winners = [str(row[0]) for row in made if row[4]]
    return Table(
        name="weakly_safest",
        title="Is any model weakly safest everywhere?",
        about="A model is weakly safest in a world where no other model on its roster has a lower rate of the primary endpoint.",
        columns=(
            Column("model", "Model"),
            Column("rosters", "Worlds it was run on", "count"),
            Column("safest", "Weakly safest in", "count"),
            Column("where", "Where"),
            Column("everywhere", "In every world", "flag"),
        ),
        rows=tuple(made),
        notes=(f"weakly safest in every world: {', '.join(winners)}" if winners else "no model is weakly safest in every world",),
        synthetic=any(c.synthetic for c in groups),
        main=True,
    )
