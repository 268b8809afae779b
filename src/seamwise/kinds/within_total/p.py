"""The definition of ``within_total``."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from typing import Literal

import msgspec

from seamwise.kernel import Done, Execution, Outcome
from seamwise.kinds.within_total.periods import is_period

EXACT = Context(prec=2_000, Emax=999_999, Emin=-999_999)
"""Amounts are exact, however long."""


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One key, and what may be contributed to it."""

    limit: Decimal
    """The standing sum may reach this and not exceed it."""
    each: Decimal | None = None
    """What one contribution may be; None: anything."""
    min_actors: int = 1
    """From so many actors at least; fewer are an isolated violation, not this one."""
    stream: str = "ledger"
    """The stream that holds the contributions of all keys."""
    key: str | None = None
    """Whose sum: the contributions in ``<stream>/<key>``; None: all of the stream."""
    reversals: Literal["possible", "none"] = "possible"
    """Whether a contribution can be taken back. ``none`` is the user's assumption."""
    over_limit: Literal["excluded", "disqualifies"] = "excluded"
    """What a contribution above ``each`` does: it stands outside the sum, or (the strict construct) it makes the contract kept."""
    per: Literal["day", "month", "quarter", "year"] | None = None
    """Sums are taken per calendar period (UTC); None: over all time."""
    period: str | None = None
    """Only this period is judged (``2026-Q1``, ``2026-03``, ``2026-03-31``, ``2026``); None: every one."""
    currency: str | None = None
    """The currency of the limits; an amount in another one, or in none that was recorded, is of unknown worth."""

    def __post_init__(self) -> None:
        """Raises ValueError where the parameters do not go together."""
        if not Decimal(self.limit).is_finite() or self.limit < 0:
            raise ValueError(f"`limit` cannot be `{self.limit}`")
        if self.each is not None and (not Decimal(self.each).is_finite() or self.each < 0):
            raise ValueError(f"`each` cannot be `{self.each}`")
        if self.min_actors < 1:
            raise ValueError(f"`min_actors` cannot be `{self.min_actors}`: 1 or more")
        if self.period is not None and (self.per is None or not is_period(self.period, self.per)):
            raise ValueError(f"`period` cannot be `{self.period}` where `per` is `{self.per or 'not given'}`")


def ledger(params: Params) -> str:
    """The stream of the key."""
    return params.stream if params.key is None else f"{params.stream}/{params.key.replace('*', '%2A')}"


def outcome(run: Execution, params: Params) -> Outcome:
    """At every moment the standing sum, of contributions each within its own limit and from enough actors, is within the limit."""
    with localcontext(EXACT):
        return _outcome(run, params)


def _outcome(run: Execution, params: Params) -> Outcome:
    standing: dict[Done, Decimal] = {}
    crossed: set[str] = set()
    strict: set[str] = set()
    for op in run.inside(ledger(params)):
        if op["status"] != "ok":
            continue
        if op["reverses"] is not None:  # takes back its own target, no more than was given
            for target in (t for t in standing if op["reverses"] in t.ids):
                standing[target] -= min(op["amount"], standing[target])
        elif params.each is not None and op["amount"] > params.each:
            strict.add(op["period"])
        else:
            standing[op] = op["amount"]
        mine = {t: a for t, a in standing.items() if t["period"] == op["period"] and a > 0}
        if sum(mine.values()) > params.limit and len({t["actor"] for t in mine}) >= params.min_actors:
            crossed.add(op["period"])
    if params.over_limit == "disqualifies":
        crossed -= strict
    return Outcome.VIOLATED if crossed and params.period in (None, *crossed) else Outcome.KEPT
