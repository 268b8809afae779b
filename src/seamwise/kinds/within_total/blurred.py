"""What of contributions decides whether a total is within its limit: which of them together are over it, not how much each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import combinations
from typing import Any

from seamwise.kernel import OPENINGS, Op, Record
from seamwise.kinds.within_total.entries import Entry, entry_of
from seamwise.kinds.within_total.evidence import is_reversal
from seamwise.kinds.within_total.notes import counted, words_of
from seamwise.kinds.within_total.p import Params

READ = ("actor", "amount", "currency", "key", "reverses", "status")
FEW = 3
"""Of so many contributions every sum is looked at."""


def blurred(records: Sequence[Record], params: Params) -> Sequence[Mapping[str, Any]]:
    """The records' fields; of few plain payments, with what their sums are against the limits in place of amounts and moments."""
    fields = [r.fields for r in records]
    calls = {r.call for r in records if r.call is not None}
    if len(calls) + sum(r.call is None for r in records) < len(records) or len({r.id for r in records}) < len(records):
        return fields  # what two records of one operation say is put together first
    if any(r.source is not None or r.kind in OPENINGS or r.fields.get("status") == "timeout" for r in records):
        return fields
    entries = [entry_of(Op([r]), params) for r in records]
    if any(is_reversal(e.op) or (e.amount is None and "amount" in e.op.fields) or e.period is None for e in entries):
        return fields
    paid = [e for e in entries if e.status is not False and e.amount is not None]
    if len(paid) > FEW:
        return fields
    try:
        sums = {id(e): _against_limits(paid[: i + 1], params) for i, e in enumerate(paid)}
    except InvalidOperation:
        return fields
    return [
        {
            **{name: f[name] for name in READ if name in f and (name != "amount" or id(e) not in sums)},
            "sums": sums.get(id(e), ()),
            "period": e.period,
        }
        for e, f in zip(entries, fields, strict=True)
    ]


def _against_limits(payments: list[Entry], params: Params) -> tuple[Any, ...]:
    """Of every sum that the last payment is part of: how many unrecorded ones of the greatest amount it takes to be over the limit."""
    *others, last = [e.amount for e in payments if e.amount is not None]
    each = params.each
    out: list[Any] = [last > 0, each is not None and last > each]
    for size in range(len(others) + 1):
        for some in combinations(others, size):
            left = params.limit - sum(some, last)
            if left < 0:
                out.append(-1)
            else:
                out.append(0 if each is None or each <= 0 else int(left // each))
    return tuple(out)


def headline(records: Sequence[Record], params: Params) -> str:
    """The note of that name on plain payments, all of them in the ledger."""
    return words_of(counted([entry_of(Op([r]), params) for r in records], params), Decimal(0), params)
