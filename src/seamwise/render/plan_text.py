"""A plan of what to record next, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.audit import Change, Plan
from seamwise.render._names import plural
from seamwise.render.plain import one_line, wrap


def plan_text(plan: Plan, *, width: int = 100, markdown: bool = False) -> str:
    """The plan as text that ends in a newline.

    Args:
        plan: The plan.
        width: Columns of the terminal.
        markdown: Write a Markdown list instead.
    """
    lines = _markdown(plan) if markdown else _lines(plan, max(width, 40))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _head(plan: Plan) -> str:
    decided = sum(c.decides for c in plan.changes)
    may = sum(c.may_decide for c in plan.changes)
    words = f"{plan.n_unknown:,} unknown of {plural(plan.n_instances, 'instance')}"
    if plan.changes:
        words += f"; {plural(len(plan.changes), 'change')} {'decides' if len(plan.changes) == 1 else 'decide'} {decided:,}"
        words += f" and may decide {may:,} more" if may else ""
    return words


def _gains(change: Change, n_unknown: int) -> str:
    words = f"decides {change.decides:,} of {n_unknown:,}" if change.decides else ""
    if change.may_decide:
        of = " more" if words else f" of {n_unknown:,}"
        words += f"{', ' if words else ''}can decide {change.may_decide:,}{of}, depending on what it says"
    return f"{words} ({change.share:.0%} so far)"


def _rest(plan: Plan) -> Iterator[str]:
    if plan.judgement:
        yield f"{plural(plan.judgement, 'unknown')} only a judgement decides: what a recorded text means"
    if plan.beyond:
        yield f"{plural(plan.beyond, 'unknown')} beyond what can be decided; `seamwise report --all` gives the reasons"
    if plan.left:
        yield f"{plural(plan.left, 'unknown')} that no single change decides"
    since = plan.since
    if since is not None:
        resolved = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in since.resolved.items())
        yield (
            f"since the earlier run: {since.still:,} still unknown, {since.new:,} newly unknown, "
            f"{sum(since.resolved.values()):,} decided{f' ({resolved})' if resolved else ''}, {since.gone:,} no longer among the instances"
        )


def _lines(plan: Plan, width: int) -> Iterator[str]:
    yield _head(plan)
    told: dict[str, int] = {}
    again: set[tuple[str, str]] = set()
    for number, change in enumerate(plan.changes, 1):
        yield ""
        yield from wrap(f"{number}. {one_line('; and '.join(change.words))}", width, rest="   ")
        yield from wrap(_gains(change, plan.n_unknown), width, first="   ", rest="   ")
        yield from wrap(", ".join(f"{one_line(name)} {n:,}" for name, n in change.contracts.items()), width, first="   ", rest="   ")
        if change.example:
            yield from wrap(f"for example: {one_line(change.example)}", width, first="   ", rest="     ")
        for advice in change.how:
            first = told.setdefault(advice.words, number)
            words = advice.words if first == number else f"as for {first}"
            if (advice.format, words) not in again:
                again.add((advice.format, words))
                yield from wrap(f"{advice.format}: {words}", width, first="     ", rest="       ")
        again.clear()
    rest = list(_rest(plan))
    if rest:
        yield ""
    for words in rest:
        yield from wrap(words, width)


def _markdown(plan: Plan) -> Iterator[str]:
    yield f"**{_head(plan)}**"
    yield ""
    for number, change in enumerate(plan.changes, 1):
        yield f"{number}. {one_line('; and '.join(change.words))}: {_gains(change, plan.n_unknown)}"
        for advice in change.how:
            yield f"   - {advice.format}: `{advice.words.replace('`', '')}`"
    yield from (f"\n{words}" for words in _rest(plan))
