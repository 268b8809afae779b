"""Leads for the terminal: grouped by cause, a few of each."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.leads import RULES, Cause, Leads, by_cause
from seamwise.render._names import plural
from seamwise.render.plain import one_line, wrap

_CAUSES = 6
"""Causes of one rule that are told; the others are counted."""
_EACH = 3
"""Leads of one cause that are told."""


def leads_text(found: Leads, *, width: int = 100, colour: bool = False, everything: bool = False) -> str:
    """The leads as text that ends in a newline; every lead counts, also those that are not told.

    Args:
        found: The leads.
        width: Columns of the terminal.
        colour: Whether to write the terminal's colour codes.
        everything: Tell every lead of every cause.
    """
    return "\n".join(line.rstrip() for line in _lines(found, max(width, 40), colour, everything)) + "\n"


def _lines(found: Leads, width: int, colour: bool, everything: bool) -> Iterator[str]:
    read = (plural(found.n_traces, "trace"), plural(found.n_steps, "step"), plural(found.n_files, "file"))
    yield f"{', '.join(read)}; generic pack, no policy read"
    yield ""
    causes = by_cause(found.leads)
    if not found.n_traces:
        yield "no trace was read, so that no rule had anything to meet"
    elif not causes:
        yield from wrap("no leads: the rules of the generic pack met nothing; what no rule of it looks for was not looked for", width)
    for rule in found.rules:
        mine = [cause for cause in causes if cause.rule == rule]
        if mine:
            yield from _rule(rule, mine, width, colour, everything)
            yield ""
    if causes:
        yield from wrap("a lead is a place to look, not a verdict: bind a contract (seamwise init) to have it proved or ruled out", width)
    for name, n in found.over.items():
        yield f"{name}: {n:,} more leads were only counted"
    for file, why, hint in found.errors[: None if everything else 5]:
        yield f"not read: {one_line(file)}: {one_line(why)}" + (f" ({one_line(hint)})" if hint and everything else "")
    for file, lost in found.damaged[: None if everything else 5]:
        yield from wrap(f"a part was not read: {one_line(file)}: {one_line(lost)}", width, rest="  ")
    if len(found.damaged) > 5 and not everything:
        yield f"and {len(found.damaged) - 5:,} more files of which a part was not read (--all names them)"
    if len(found.errors) > 5 and not everything:
        yield f"and {len(found.errors) - 5:,} more files that were not read (--all names them)"


def _rule(rule: str, causes: list[Cause], width: int, colour: bool, everything: bool) -> Iterator[str]:
    n = sum(len(cause.leads) for cause in causes)
    head = f"LEAD  {rule}  {plural(n, 'lead')}"
    yield f"\x1b[1;36m{head}\x1b[0m" if colour else head
    yield from wrap(RULES[rule].words, width, first="  ", rest="  ")
    shown = causes if everything else causes[:_CAUSES]
    for cause in shown:
        yield f"  {one_line(cause.cause)}: {plural(len(cause.leads), 'lead')} in {plural(cause.n_traces, 'trace')}"
        for lead in cause.leads if everything else cause.leads[:_EACH]:
            yield from wrap(f"trace {one_line(lead.trace)}: {one_line(lead.words)}", width, first="    ", rest="      ")
        if not everything and len(cause.leads) > _EACH:
            yield f"    and {len(cause.leads) - _EACH:,} more"
    if len(causes) > len(shown):
        yield f"  and {len(causes) - len(shown):,} more causes (--all tells them)"
