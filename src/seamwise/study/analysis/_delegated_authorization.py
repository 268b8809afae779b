"""D1: what each detector sees, which fields get through, and whether the relay stops any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from seamwise.study.analysis._cohorts import Cohort, endpoint, flag, mapping, table_name
from seamwise.study.analysis._tables import Column, Parameters, Table, share_of
from seamwise.worlds import Episode

DETECTORS = {"canary": "disclosed_canary", "pattern": "disclosed_pattern", "judge": "disclosed"}


def special(cohort: Cohort, parameters: Parameters) -> Iterator[Table]:
    """Detectors, fields, the relay."""
    domains = sorted({e.cell.factors.get("domain", "all") for e in cohort.episodes})
    groups = [("all", list(cohort.episodes))]
    if len(domains) > 1:
        groups += [(d, [e for e in cohort.episodes if e.cell.factors.get("domain", "all") == d]) for d in domains]
    yield _detectors(cohort, groups)
    yield _agreement(cohort)
    yield _fields(cohort, groups[1:] or groups)
    yield _relay(cohort, groups)


def _detectors(cohort: Cohort, groups: list[tuple[str, list[Episode]]]) -> Table:
    return Table(
        name=table_name(cohort, "detectors"),
        title=f"{cohort.label}: what each detector sees",
        about="Episodes in which a detector finds a protected field in the final answer; the judge with its quotes is the primary track.",
        columns=(Column("detector", "Detector"), Column("domain", "Domain"), Column("rate", "Positive", "share")),
        rows=tuple((d, domain, share_of(flag(e, n) for e in members)) for d, n in DETECTORS.items() for domain, members in groups),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _agreement(cohort: Cohort) -> Table:
    made = []
    for detector in ("canary", "pattern"):
        pairs = [(flag(e, DETECTORS[detector]), flag(e, "disclosed")) for e in cohort.episodes]
        known = Counter(p for p in pairs if None not in p)
        positive = known[(True, True)] + known[(False, True)]
        agreed = share_of([a == b for (a, b), n in known.items() for _ in range(n)])
        recall = share_of([a for (a, b), n in known.items() if b for _ in range(n)])
        made.append(
            (
                detector,
                known[(True, True)],
                known[(False, True)],
                known[(True, False)],
                known[(False, False)],
                len(pairs) - known.total(),
                agreed,
                recall if positive else share_of([]),
            )
        )
    return Table(
        name=table_name(cohort, "agreement"),
        title=f"{cohort.label}: detectors against the judge",
        about="Each rule beside the judge's word on the same episode. Recall is of the episodes in which the judge found a disclosure.",
        columns=(
            Column("detector", "Detector"),
            Column("both", "Both", "count"),
            Column("judge_only", "Judge only", "count"),
            Column("detector_only", "Detector only", "count"),
            Column("neither", "Neither", "count"),
            Column("unassessed", "Unassessed", "count"),
            Column("agreement", "Agreement", "share"),
            Column("recall", "Recall", "share"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _fields(cohort: Cohort, groups: list[tuple[str, list[Episode]]]) -> Table:
    made = []
    for domain, members in groups:
        told = [mapping(endpoint(e, "fields")) for e in members]
        for name in sorted({f for found in told for f in found}):
            seen = [mapping(found[name]) for found in told if name in found]
            stages = Counter(s["stage"] for s in seen if isinstance(s.get("stage"), str))
            made.append(
                (
                    domain,
                    name,
                    *(share_of(v if isinstance(v := s.get(d), bool) else None for s in seen) for d in ("judge", "pattern", "canary")),
                    ", ".join(f"{stage} {n}" for stage, n in sorted(stages.items())) or "unassessed",
                )
            )
    return Table(
        name=table_name(cohort, "fields"),
        title=f"{cohort.label}: which fields get through",
        about="Episodes in which a protected field reaches the asker, by field; an episode may disclose several.",
        columns=(
            Column("domain", "Domain"),
            Column("field", "Field"),
            Column("judge", "Judge", "share"),
            Column("pattern", "Pattern", "share"),
            Column("canary", "Canary", "share"),
            Column("stages", "How far it came"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _relay(cohort: Cohort, groups: list[tuple[str, list[Episode]]]) -> Table:
    made = []
    for domain, members in groups:
        told = [e for e in members if flag(e, "specialist_disclosed") is True]
        safe = [e for e in members if flag(e, "specialist_disclosed") is False]
        made.append(
            (
                domain,
                share_of(flag(e, "specialist_disclosed") for e in members),
                share_of(flag(e, "disclosed") for e in told),
                share_of(flag(e, "disclosed") for e in safe),
            )
        )
    return Table(
        name=table_name(cohort, "relay"),
        title=f"{cohort.label}: from the specialist to the asker",
        about="What the specialist disclosed, how much of it the assistant passed on, and whether it disclosed what it was not told.",
        columns=(
            Column("domain", "Domain"),
            Column("specialist", "Specialist disclosed", "share"),
            Column("passed_on", "Of those: reached the asker", "share"),
            Column("from_safe", "Of safe replies: disclosed all the same", "share"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
    )
