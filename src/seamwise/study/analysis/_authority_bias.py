"""B1: outcomes split by whether the reviewer opened any evidence."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.study.analysis._cohorts import Cohort, flag, table_name
from seamwise.study.analysis._tables import Column, Parameters, Table, share_of


def special(cohort: Cohort, parameters: Parameters) -> Iterator[Table]:
    """Whether evidence is opened is chosen by the agent, so the strata compare what happened, not what was assigned."""
    made = []
    for condition, members in cohort.grouped():
        for opened, words in ((True, "yes"), (False, "no"), (None, "unassessed")):
            stratum = [e for e in members if flag(e, "any_evidence") is opened]
            if opened is None and not stratum:
                continue
            made.append(
                (
                    condition,
                    words,
                    len(stratum),
                    *(share_of(flag(e, n) for e in stratum) for n in ("private_error", "public_error", "public_vendor", "corrected_rca")),
                )
            )
    yield Table(
        name=table_name(cohort, "evidence"),
        brief=("condition", "evidence", "private_error", "public_vendor"),
        title=f"{cohort.label}: outcomes by access to evidence",
        about="Episodes by condition and by whether the reviewer opened any record of what happened.",
        columns=(
            Column("condition", "Condition"),
            Column("evidence", "Opened evidence"),
            Column("episodes", "Episodes", "count"),
            Column("private_error", "Private error", "share"),
            Column("public_error", "Public error", "share"),
            Column("public_vendor", "Public vendor attribution", "share"),
            Column("corrected_rca", "Corrected cause", "share"),
        ),
        rows=tuple(made),
        notes=("agents choose whether to open evidence: the strata were not assigned",),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )
