"""What else a ledger shows: the sum in words, the crossing step, isolated violations."""

from __future__ import annotations

from decimal import Decimal

from seamwise.kernel import Note, Op, Status, Verdict, View
from seamwise.kinds.within_total.entries import Entry, entry_of
from seamwise.kinds.within_total.p import Params, ledger

ZERO = Decimal(0)


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """Headline, crossing and isolated violations, read off the recorded contributions."""
    mine = [entry_of(op, params) for op in view.pool(ledger(params)).sure]
    mine = [e for e in mine if e.status and not e.reversal and (params.period is None or params.per is None or e.period == params.period)]
    within = counted(mine, params)
    out = [_headline(view, params, within)]
    out += [
        Note(
            code="isolated_violation",
            records=e.op.ids[:1],
            words=f"{e.actor or 'somebody'} exceeded its own limit: {e.amount} of {params.each}",
        )
        for e in mine
        if e.amount is not None and params.each is not None and e.amount > params.each
    ]
    by_actor: dict[str, Decimal] = {}
    for e in within:
        if e.actor is not None and e.amount is not None:
            by_actor[e.actor] = by_actor.get(e.actor, ZERO) + e.amount
    if verdict.status is not Status.SUPPORTED and params.min_actors > 1:
        for actor, total in by_actor.items():
            if total > params.limit:
                ids = tuple(e.op.id for e in within if e.actor == actor)
                out.append(
                    Note(code="isolated_violation", records=ids, words=f"{actor} alone crossed the limit: {total} of {params.limit}")
                )
    if verdict.status is Status.SUPPORTED:
        out += _crossing(view, params, within)
    return out


def counted(entries: list[Entry], params: Params) -> list[Entry]:
    """The contributions of the judged period that took effect, each within its own limit."""
    return [
        e
        for e in entries
        if e.status
        and not e.reversal
        and (params.period is None or params.per is None or e.period == params.period)
        and e.amount is not None
        and (params.each is None or e.amount <= params.each)
    ]


def _headline(view: View, params: Params, within: list[Entry]) -> Note:
    back = [entry_of(op, params) for op in view.pool(ledger(params)).sure]
    gone = sum((e.amount or ZERO for e in back if e.reversal and e.status), ZERO)
    return Note(code="headline", records=tuple(e.op.id for e in within), words=words_of(within, gone, params))


def words_of(within: list[Entry], gone: Decimal, params: Params) -> str:
    """The sum in words: ``65.00 of 40.00 by 5 actors, each within 20.00``."""
    total = sum((e.amount or ZERO for e in within), ZERO)
    actors = {e.actor for e in within if e.actor is not None}
    unit = f" {params.currency}" if params.currency else ""
    words = f"{total}{unit} of {params.limit} by {len(actors)} actor{'s' if len(actors) != 1 else ''}"
    if params.each is not None:
        words += f", each within {params.each}"
    return words + (f"; {gone} taken back" if gone else "")


def in_order(view: View, entries: list[Entry]) -> list[Entry] | None:
    """The entries in their known order, or None where it is not total."""
    rank: list[tuple[int, Entry]] = []
    ops: list[Op] = [e.op for e in entries]
    for e in entries:
        rank.append((sum(view.precedes(op, e.op) for op in ops), e))
    rank.sort(key=lambda pair: pair[0])
    return [e for _, e in rank] if [r for r, _ in rank] == list(range(len(rank))) else None


def _crossing(view: View, params: Params, within: list[Entry]) -> list[Note]:
    """The payment whose sum first exceeds the limit, where the order is known (and nothing was taken back)."""
    if len(within) > 500:
        return []
    ordered = in_order(view, within)
    if ordered is None:
        return []
    running: dict[str, Decimal] = {}
    actors: dict[str, set[str]] = {}
    for e in ordered:
        period = e.period or ""
        before = running.get(period, ZERO)
        running[period] = before + (e.amount or ZERO)
        actors.setdefault(period, set()).add(e.actor or "")
        if running[period] > params.limit and len(actors[period]) >= params.min_actors:
            return [Note(code="crossing", records=(e.op.id,), words=f"crosses the limit: {before} before it, {running[period]} with it")]
    return []
