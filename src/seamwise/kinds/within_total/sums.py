"""The recorded contributions of a key one after another, with the sum after each; for people, never for verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

from seamwise.kernel import Op, Sum, Sums
from seamwise.kinds.within_total.entries import ZERO, Entry, entry_of, names_of
from seamwise.kinds.within_total.p import EXACT, Params


def sums(ops: Sequence[Op], params: Params) -> Sums:
    """The sums of the judged period in the order of the operations; failed ones are left out, and open ones change no sum.

    What is taken back is subtracted when it is; whether the sum before it was over the limit is the verdict's to say.
    """
    entries = [entry_of(op, params) for op in ops]
    known = {name: e for e in entries if not e.reversal for name in names_of(e.op)}
    standing: dict[str, Decimal] = {}
    lines: list[Sum] = []
    with localcontext(EXACT):
        for e in entries:
            about = known.get(e.target, e) if e.reversal and e.target is not None else e
            period = about.period or ""
            if e.status is False or (params.period is not None and params.per is not None and period not in ("", params.period)):
                continue
            amount = _worth(e, about)
            counts = None if e.status is None or amount is None else not _over(about, params)
            if counts and amount is not None:
                standing[period] = standing.get(period, ZERO) + amount
            lines.append(Sum(e.op.id, amount, counts, standing.get(period, ZERO)))
    return Sums(params.limit, params.currency or "", tuple(lines))


def _worth(e: Entry, about: Entry) -> Decimal | None:
    amount = about.amount if e.amount is None else e.amount
    return -amount if e.reversal and amount is not None else amount


def _over(e: Entry, params: Params) -> bool:
    """Whether a contribution is above its own limit, and so outside the sum."""
    return params.each is not None and e.amount is not None and e.amount > params.each
