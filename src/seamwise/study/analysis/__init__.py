"""What the episodes of a study come to: rows in, tables out; nothing is printed or drawn here.

    from seamwise.study.analysis import analyze, load_rows

    told = analyze(load_rows(["runs/a1"]))
    told.table("realization").records()

What each table says, and of how many: ``docs/analysis.md``.
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.errors import UsageError
from seamwise.study.analysis import (
    _authority_bias,
    _capability_misrouting,
    _delegated_authorization,
    _general,
    _information_drift,
    _kpi_gaming,
    _ranks,
    _tracks,
)
from seamwise.study.analysis._cohorts import Cohort, cohorts
from seamwise.study.analysis._rows import Rows, load_rows
from seamwise.study.analysis._tables import Analysis, Column, Interval, Parameters, Share, Table
from seamwise.study.analysis._worlds import about_world

__all__ = ["Analysis", "Column", "Interval", "Parameters", "Rows", "Share", "Table", "about_world", "analyze", "load_rows"]


def analyze(rows: Rows, *, resamples: int = 20_000, seed: int = 0) -> Analysis:
    """Every table that these episodes can fill.

    Args:
        rows: As `load_rows` finds them.
        resamples: How often models are drawn for an interval, and counts for a noise floor.
        seed: Of the generator; the same gives the same bytes.

    Raises:
        UsageError: Fewer than one resample.
        MissingExtraError: NumPy and SciPy are not installed.
    """
    if resamples < 1:
        raise UsageError(f"expected at least one resample, got {resamples}")
    parameters = Parameters(resamples=resamples, seed=seed)
    found = cohorts(rows.episodes)
    groups = [c for c in found if c.episodes]
    valid = [e for e in rows.episodes if e.status == "valid" and e.outcome is not None]
    notes = [
        f"{c.label}: {len(c.without)} episodes without an opportunity to fail are in no rate but that of opportunity"
        for c in found
        if c.without and c.arm != "solo"
    ]
    return Analysis(
        episodes=len(rows.episodes),
        valid=len(valid),
        worlds=tuple(dict.fromkeys(c.about.name for c in found)),
        models=tuple(sorted({e.cell.model for e in rows.episodes})),
        judge=next((e.models["judge"] for e in valid if e.models.get("judge")), None),
        synthetic=sum(e.synthetic for e in valid),
        parameters=parameters,
        damaged=rows.damaged,
        notes=tuple(notes),
        tables=tuple(t for t in _tables(rows, found, groups, parameters) if t is not None),
    )


def _tables(rows: Rows, found: list[Cohort], groups: list[Cohort], parameters: Parameters) -> Iterator[Table | None]:
    yield _general.realization(groups)
    yield _general.models(groups)
    yield _general.interception(groups)
    yield _general.contrasts(groups)
    yield from (_ranks.correlations(groups, parameters), _ranks.safest(groups))
    for cohort in groups:
        yield from _special(cohort, found, parameters)
    yield _general.grid(groups)
    yield _general.measurements(groups)
    yield _general.endpoints(groups)
    yield _general.factors(groups)
    yield _tracks.tracks(groups)
    yield _general.numbers(groups, parameters)
    yield _general.words(groups)
    yield _general.differences(groups, parameters)
    yield _general.controls(found)
    yield _general.judges(found)
    yield _general.validity(rows)


def _special(cohort: Cohort, found: list[Cohort], parameters: Parameters) -> Iterator[Table]:
    name = cohort.about.name
    if name == "capability_misrouting" and cohort.arm == "main":
        solo = [e for c in found if c.about.name == name and c.arm == "solo" for e in (*c.episodes, *c.without)]
        yield from _capability_misrouting.special(cohort, parameters, solo)
    elif name == "kpi_gaming":
        yield from _kpi_gaming.special(cohort, parameters)
    elif name == "authority_bias":
        yield from _authority_bias.special(cohort, parameters)
    elif name == "information_drift":
        yield from _information_drift.special(cohort, parameters)
    elif name == "delegated_authorization":
        yield from _delegated_authorization.special(cohort, parameters)
