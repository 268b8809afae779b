"""Leads told together: those of one rule with one cause."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from seamwise.leads._lead import Lead


class Cause(msgspec.Struct, kw_only=True):
    """Leads of one rule with one cause."""

    rule: str
    cause: str
    leads: list[Lead]

    @property
    def n_traces(self) -> int:
        """In how many traces."""
        return len({(lead.file, lead.trace) for lead in self.leads})


def by_cause(leads: Iterable[Lead]) -> list[Cause]:
    """The leads by rule and cause: rules in the order given, within a rule the cause that most traces show first."""
    groups: dict[tuple[str, str], Cause] = {}
    rank: dict[str, int] = {}
    for lead in leads:
        rank.setdefault(lead.rule, len(rank))
        groups.setdefault((lead.rule, lead.cause), Cause(rule=lead.rule, cause=lead.cause, leads=[])).leads.append(lead)
    return sorted(groups.values(), key=lambda group: (rank[group.rule], -group.n_traces, group.cause))
