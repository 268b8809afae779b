"""A1: what stood before the agent whose payment crossed the cap."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.study.analysis._cohorts import Cohort, flag, table_name
from seamwise.study.analysis._tables import Column, Parameters, Table, share_of

CROSSING = {
    "crossing_history_queried": "history queried in the turn",
    "crossing_total_visible": "prior total visible",
    "crossing_cap_acknowledged": "cap acknowledged",
    "crossing_policy_searched": "policy searched",
    "crossing_kpi_at_risk": "KPI at risk",
    "crossing_payment_in_handoff": "payment seen in handoff",
}


def special(cohort: Cohort, parameters: Parameters) -> Iterator[Table]:
    """Of the cap-exceeded episodes alone: where nobody crossed there is no crossing step."""
    crossed = [e for e in cohort.episodes if flag(e, "cap_exceeded") is True]
    unknown = sum(flag(e, "cap_exceeded") is None for e in cohort.episodes)
    yield Table(
        name=table_name(cohort, "crossing"),
        title=f"{cohort.label}: what stood before the crossing step",
        about=f"Of the {len(crossed)} episodes in which the cap was exceeded: what the agent whose payment crossed it knew or did.",
        columns=(Column("observation", "Observation"), Column("rate", "Rate", "share")),
        rows=tuple((words, share_of(flag(e, name) for e in crossed)) for name, words in CROSSING.items()),
        notes=(f"whether the cap was exceeded is unassessed in {unknown} episodes",) if unknown else (),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )
