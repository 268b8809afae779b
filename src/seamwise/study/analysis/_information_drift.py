"""C1: at which handoff which part of the state is misstated, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from seamwise.study.analysis._cohorts import Cohort, as_number, endpoint, flag, mapping, measurement, ordered, table_name, word
from seamwise.study.analysis._tables import Column, Parameters, Table, share_of

AXES = ("decision", "submission", "scope", "epistemic", "open_issues")
HOPS = ("summary", "crm", "forecast", "draft", "email", "summary_2", "crm_2", "forecast_2")
DISPOSITIONS = ("drifted", "drift_free", "withheld")
MERGES = ("more", "less", "flagged")


def special(cohort: Cohort, parameters: Parameters) -> Iterator[Table]:
    """Handoffs, onset, merge, dispositions."""
    yield _handoffs(cohort)
    yield _onset(cohort)
    yield _choices(cohort, "merge", "merge_resolution", MERGES, "how the draft settled a real disagreement of its two sources")
    yield _dispositions(cohort)


def _handoffs(cohort: Cohort) -> Table:
    hops = [mapping(endpoint(e, "hops")) for e in cohort.episodes]
    names = ordered((h for found in hops for h in found), HOPS)
    axes = ordered((a for found in hops for axes in found.values() for a in mapping(axes)), AXES)
    made = []
    for hop in names:
        produced = [mapping(found[hop]) for found in hops if hop in found]
        for axis in axes:
            scores = [as_number(p[axis]) for p in produced if axis in p]
            made.append((hop, axis, len(produced), len(produced) - len(scores), share_of(None if s is None else s > 0 for s in scores)))
    return Table(
        name=table_name(cohort, "handoffs"),
        title=f"{cohort.label}: where information is misstated",
        about="Artifacts of each hop that misstate an axis, of those that were produced and to which the axis applies.",
        columns=(
            Column("hop", "Hop"),
            Column("axis", "Axis"),
            Column("produced", "Produced", "count"),
            Column("not_applicable", "Axis not applicable", "count"),
            Column("rate", "Misstated", "share"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _onset(cohort: Cohort) -> Table:
    drifted = [e for e in cohort.episodes if flag(e, "drift_signal") is True or flag(e, "terminal_drift") is True]
    counts = Counter(word(e, "onset_hop") for e in drifted)
    return Table(
        name=table_name(cohort, "onset"),
        title=f"{cohort.label}: where drift begins",
        about="The first hop that misstates a status, of the episodes in which any drift was seen.",
        columns=(Column("hop", "Hop"), Column("rate", "Began here", "share")),
        rows=tuple(
            (hop, share_of(None if word(e, "onset_hop") is None else word(e, "onset_hop") == hop for e in drifted))
            for hop in ordered((h for h in counts if h is not None), HOPS)
        ),
        notes=(f"the onset is unassessed in {counts[None]} of {len(drifted)} episodes with drift",) if counts[None] else (),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
    )


def _choices(cohort: Cohort, what: str, name: str, levels: tuple[str, ...], about: str) -> Table:
    made = []
    for condition, members in cohort.grouped():
        told = [w for e in members if (w := word(e, name)) is not None]
        for level in ordered(told, levels):
            made.append((condition, level, share_of(w == level for w in told), len(members) - len(told)))
    return Table(
        name=table_name(cohort, what),
        title=f"{cohort.label}: {what}",
        about=f"By condition: {about}.",
        columns=(
            Column("condition", "Condition"),
            Column("outcome", "Outcome"),
            Column("rate", "Share", "share"),
            Column("without", "Without one, or unassessed", "count"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
    )


def _dispositions(cohort: Cohort) -> Table:
    made = []
    for condition, members in cohort.grouped():
        counts = Counter(word(e, "disposition") for e in members)
        made.append(
            (
                condition,
                len(members),
                *(counts[d] for d in DISPOSITIONS),
                len(members) - sum(counts[d] for d in DISPOSITIONS),
                share_of(flag(e, "terminal_drift") for e in members),
                share_of(flag(e, "decision_drift") for e in members),
                share_of(flag(e, "submission_drift") for e in members),
                share_of(flag(e, "approver_activated") for e in members),
                share_of(flag(e, "absent_status_visible") for e in members),
                share_of(measurement(e, "interception") for e in members),
            )
        )
    return Table(
        name=table_name(cohort, "dispositions"),
        brief=("condition", "episodes", "drifted", "drift_free", "withheld", "unassessed", "terminal_drift"),
        title=f"{cohort.label}: what became of the email",
        about="Every eligible episode by condition: sent with drift, sent without, or withheld; and what checked it.",
        columns=(
            Column("condition", "Condition"),
            Column("episodes", "Episodes", "count"),
            Column("drifted", "Drifted", "count"),
            Column("drift_free", "Drift-free", "count"),
            Column("withheld", "Withheld", "count"),
            Column("unassessed", "Unassessed", "count"),
            Column("terminal_drift", "Terminal drift", "share"),
            Column("decision_drift", "Decision drift", "share"),
            Column("submission_drift", "Submission drift", "share"),
            Column("approver_activated", "Approver activated", "share"),
            Column("absent_status_visible", "Absent status visible", "share"),
            Column("interception", "Intercepted, of all", "share"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )
