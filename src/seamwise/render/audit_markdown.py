"""An audit as GitHub-flavoured Markdown: made to stand in a pull request or a ticket."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from seamwise.audit import Result, Summary
from seamwise.kernel import Status
from seamwise.render._names import quoted
from seamwise.render._rollup import (
    Group,
    count_words,
    damage,
    fresh_words,
    grouped,
    listed,
    masked_words,
    read_words,
    repeated_needs,
    table,
)
from seamwise.render._step_line import StepLine
from seamwise.render._story import GAP_WORDS, LABELS, Story, leaning_words, stories
from seamwise.render.audit_text import claim_words, field_words
from seamwise.render.plain import cut, one_line

_ACTIVE = re.compile(r"[\\`*{}\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")
_REFERS = re.compile(r"[@#](?=\w)|\b(?:https?|ftp|mailto|www|gh)(?=[:.-])", re.IGNORECASE)
"""What a forge would make a link of even where Markdown does not: mentions, numbers of tickets, addresses."""
_BEGINS = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+#](?:\s|$))|(?=[=-]+$))")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_IN_CODE = re.compile(r"[`|<>&\\]")
"""What a code span cannot hold, or a table not within one."""
_TEXT = 160
_UNKNOWN_OPEN = 20
"""Up to so many unknowns stand open; more are folded."""


MAX_BYTES = 1_000_000
"""A step summary of GitHub holds 1 MiB."""
_ROOM = 400
"""Bytes that are kept for what is said of the rest."""
_MANY = 500
"""Names that are listed; of more their number."""


class Block(NamedTuple):
    """Lines that stand or fall together, and how many verdicts they tell."""

    lines: list[str]
    n: int = 0


def audit_markdown(summary: Summary, results: Iterable[Result], *, limit: int = MAX_BYTES) -> str:
    """The audit as Markdown that ends in a newline.

    Args:
        summary: What was read, and the counts.
        results: The verdicts, most severe first.
        limit: Bytes; what does not fit is left out from the end, and said to be.
    """
    told = stories(results)
    out: list[str] = []
    size = left = 0
    for block in _blocks(summary, told.stories, told.names):
        more = sum(len(line.encode("utf-8", "replace")) + 1 for line in block.lines)
        if left or size + more > limit - _ROOM:
            left += max(block.n, 1)
            continue
        out += block.lines
        size += more
    if left:
        out += ["", "> [!NOTE]", f"> {left:,} more are left out, since a summary holds no more; the result file and the page have them."]
    return "\n".join(out) + "\n"


def md(text: str) -> str:
    """Recorded text as Markdown that shows it: no markup, link, mention or HTML in it acts."""
    escaped = _ACTIVE.sub(lambda m: _ENTITIES.get(m.group(), f"\\{m.group()}"), _REFERS.sub("\\g<0>\u200b", one_line(text)))
    return _BEGINS.sub(lambda m: f"{m[1]}\\", escaped)


def html(text: str) -> str:
    """Recorded text for inside an HTML element of the Markdown, where no Markdown is read."""
    return escape(_REFERS.sub("\\g<0>\u200b", one_line(text)), quote=True)


def _blocks(summary: Summary, verdicts: Sequence[Story], names: dict[str, str]) -> Iterator[Block]:
    yield Block(list(_head(summary)))
    by_status: dict[Status, list[Story]] = {status: [] for status in LABELS}
    for s in verdicts:
        by_status[s.status].append(s)
    failing = [s for status in (Status.SUPPORTED, Status.MEASUREMENT_INVALID, Status.NOT_JUDGED) for s in by_status[status]]
    for s in failing:
        if not s.accepted:
            yield Block(list(_section(s, names)), 1)
    accepted = [s for s in failing if s.accepted]
    if accepted:
        lines = [f"- {LABELS[s.status]}: {md(s.contract)}, {md(s.instance)}: {md(s.accepted)}" for s in accepted[:_MANY]]
        yield Block(["", "## Accepted", "", *lines, *_beyond(accepted)], len(accepted))
    unknown = by_status[Status.UNKNOWN]
    for s in unknown[:_UNKNOWN_OPEN]:
        yield Block(list(_section(s, names)), 1)
    rest = unknown[_UNKNOWN_OPEN:]
    if rest:
        yield Block(list(_folded(f"{len(rest):,} more unknown", [*_brief(rest[:_MANY]), *_beyond(rest)])), len(rest))
    many = repeated_needs(unknown)[:5]
    if many:
        lines = [f"- [ ] {md(w)}: {'decides' if sure else 'can decide'} {n:,} of {len(unknown):,} unknown" for w, n, sure in many]
        yield Block(["", "## One thing, several answers", "", *lines])
    for status in (Status.RULED_OUT, Status.NOT_APPLICABLE):
        groups = grouped(by_status[status])
        if groups:
            yield Block(["", f"## {LABELS[status].capitalize()}"])
            for group in groups:
                yield Block(list(_group(group)), len(group.members))


def _beyond(stories: Sequence[Story]) -> list[str]:
    return [f"- and {len(stories) - _MANY:,} more"] if len(stories) > _MANY else []


def _head(summary: Summary) -> Iterator[str]:
    yield "# Seamwise audit"
    yield ""
    yield f"{read_words(summary)}: **{count_words(summary)}**" + "".join(
        f"<br>{md(words)}" for words in (fresh_words(summary), masked_words(summary)) if words
    )
    columns, rows = table(summary)
    if rows and len(columns) > 1:
        yield ""
        yield f"| {' | '.join(columns)} |"
        yield f"| --- |{' ---: |' * (len(columns) - 1)}"
        for row in rows[:_MANY]:
            yield f"| {' | '.join(md(cell) if i == 0 else cell.strip('.') for i, cell in enumerate(row))} |"
    problems = [f"{md(e.where)}: {md(e.message)}" + (f" ({md(e.hint)})" if e.hint else "") for e in summary.errors]
    problems += [md(p) for p in damage(summary)]
    if problems:
        yield ""
        yield "> [!WARNING]"
        yield from (f"> - {p}" for p in problems[:_MANY])
        if len(problems) > _MANY:
            yield f"> - and {len(problems) - _MANY:,} more"


def _section(s: Story, names: dict[str, str]) -> Iterator[str]:
    yield ""
    yield f"## {LABELS[s.status].upper()}: {md(s.contract)}, {md(s.instance)}"
    yield ""
    if s.headline:
        yield f"**{md(s.headline)}**"
        yield ""
    if s.reason:
        yield f"{'The contract failed on this instance, the others stand' if s.status is Status.NOT_JUDGED else 'Reason'}: {md(s.reason)}"
        yield ""
    if s.quote or s.doc:
        yield f"> {md(s.quote or s.doc)}" + (f"<br><sub>{md(s.doc)}</sub>" if s.doc and s.quote else "")
        yield ""
    if s.steps:
        yield from _steps(s.steps, names)
    if s.others:
        yield "Counted too, and not needed for the proof:"
        yield ""
        yield from _steps(s.others, names)
    for clash in s.clashes:
        yield f"These contradict one another: {md(clash.words or clash.code)}"
        yield ""
        yield from _steps(clash.steps, names)
    if s.gaps:
        yield "To decide it:" if len(s.gaps) == 1 else "To decide it, any one of:"
        yield ""
        for gap in s.gaps:
            yield f"- [ ] {md(' and '.join(gap.needs))} ({GAP_WORDS[gap.sort]})"
        yield ""
    if s.leaning:
        yield md(leaning_words(s)[:1].upper() + leaning_words(s)[1:])
        yield ""
    yield from _more(s, names)


def _more(s: Story, names: dict[str, str]) -> Iterator[str]:
    """What only some readers want, folded."""
    more: list[str] = []
    more += [f"- {md(claim_words(c))}" for c in s.claims]
    more += [f"- the order of the steps is told by {md(s.order)}"] if s.order else []
    more += [f"- dropped: {md(d)}" for d in s.dropped]
    for x in s.weightless:
        more.append(f"- without weight, since {md(x.why) or 'its word does not count here'}: {_place(x, names)} {md(x.actor)} {_words(x)}")
    more += [f"- {md(n.code)}: {md(n.words)} {', '.join(_place(x, names) for x in n.steps)}" for n in s.notes]
    if more:
        yield from _folded("What it rests on", more)


def _folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"
    yield ""


def _steps(steps: Sequence[StepLine], names: dict[str, str]) -> Iterator[str]:
    yield "| step | when (UTC) | agent | tool | | words |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for x in steps:
        words = _words(x)
        if x.why:
            words += f" **← {md(x.why)}**"
        for known in x.known:
            words += f"<br>known to {md(x.actor or 'its actor')} before: {md(known)}"
        yield f"| {_place(x, names)} | {x.when[:16]} | {md(x.actor or '?')} | {md(x.tool or x.kind)} | {md(field_words(x))} | {words} |"
    yield ""


def _place(x: StepLine, names: dict[str, str]) -> str:
    place = f"{names[x.trace]} #{x.n}"
    # a code span in a table still ends at a bar, and holds no escapes
    return f"<code>{md(place)}</code>" if _IN_CODE.search(place) else f"`{place}`"


def _words(x: StepLine) -> str:
    return md(quoted(cut(x.gist, _TEXT))) if x.gist else ""


def _brief(stories: Iterable[Story]) -> Iterator[str]:
    for s in stories:
        needs = " or ".join(" and ".join(g.needs) for g in s.gaps) or s.reason
        yield f"- {md(s.contract)}, {md(s.instance)}: {md(needs)}"


def _group(group: Group) -> Iterator[str]:
    yield ""
    leaning = f": {html(group.leaning)}" if group.leaning else ""
    yield from _folded(
        f"<b>{html(group.contract)}</b>, {html(group.noun)}{leaning}",
        [md(f"{tail}: {words}" if tail else words) + "<br>" for tail, names in group.names for words in (listed(names, _MANY),)],
    )
    if isolated := group.isolated():  # not folded: nobody looks for it below a verdict that is clear
        yield md(isolated[:1].upper() + isolated[1:])
        yield ""
