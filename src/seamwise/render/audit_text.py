"""An audit for the terminal: what is supported first, each verdict with its story, then what would decide the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from seamwise.audit import Result, Summary
from seamwise.kernel import Status
from seamwise.render._names import plural, quoted
from seamwise.render._rollup import (
    Group,
    count_words,
    counts,
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
from seamwise.render._story import GAP_WORDS, LABELS, Saying, Story, leaning_words, stories, weightless_parts
from seamwise.render.plain import cells, cut, one_line, pad, wrap

Paint = Callable[[str, str], str]
"""Text and the name of a style -> the text in that style."""

_STYLES = {
    "supported": "1;31",
    "invalid": "1;35",
    "not judged": "1;35",
    "unknown": "1;33",
    "ruled out": "32",
    "not applicable": "2",
    "bold": "1",
    "dim": "2",
    "mark": "31",
}
_NUMBER = re.compile(r"-?[\d,]*\.?\d+|")
_HANGING = re.compile(r"[\s>-]+…$")
_NARROW = 40
_AT_MOST = 12
"""Unknown instances of one contract that are told in full; the others are named."""
_NAMES = 8


def plain(text: str, _: str) -> str:
    """The text as it is."""
    return text


def ansi(text: str, style: str) -> str:
    """The text between the terminal's codes for the style."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if text and style in _STYLES else text


def audit_text(summary: Summary, results: Iterable[Result], *, width: int = 100, colour: bool = False, everything: bool = False) -> str:
    """The audit as text that ends in a newline.

    Args:
        summary: What was read, and the counts.
        results: The verdicts, most severe first.
        width: Columns of the terminal; never less than 40.
        colour: Whether to write the terminal's colour codes.
        everything: Tell each unknown and each ruled out instance, however many there are.
    """
    told = stories(results)
    page = _Page(max(width, _NARROW), ansi if colour else plain, everything, told.names)
    return "\n".join(line.rstrip() for line in page.lines(summary, told.stories)) + "\n"


def story_text(s: Story, names: dict[str, str], *, width: int) -> list[str]:
    """One verdict as lines of plain text."""
    return [line.rstrip() for line in _Page(width, plain, False, names).full(s)]


class _Page:
    """Lays stories out in lines of one width."""

    def __init__(self, width: int, paint: Paint, everything: bool, names: dict[str, str]) -> None:
        self.width = width
        self.paint = paint
        self.everything = everything
        self.names = names
        self.quoted: set[str] = set()
        """Contracts whose policy was told: unknowns do not tell it again."""

    def lines(self, summary: Summary, stories: Sequence[Story]) -> Iterator[str]:
        """All lines of the audit."""
        by_status: dict[Status, list[Story]] = {status: [] for status in LABELS}
        for s in stories:
            by_status[s.status].append(s)
        yield from self.head(summary)
        for status in (Status.SUPPORTED, Status.MEASUREMENT_INVALID, Status.NOT_JUDGED):
            for s in by_status[status]:
                if not s.accepted:
                    yield ""
                    yield from self.full(s)
        for s in stories:
            if s.accepted:
                yield ""
                yield from self.accepted(s)
        for told, left in self.unknown(by_status[Status.UNKNOWN]):
            yield ""
            yield from self.full(told) if told else self.group(left)
        yield from self.useful(by_status[Status.UNKNOWN])
        for status in (Status.RULED_OUT, Status.NOT_APPLICABLE):
            groups = grouped(by_status[status])
            if groups:
                yield ""
            for group in groups:
                yield from self.group(group)

    # -- the head

    def head(self, summary: Summary) -> Iterator[str]:
        yield from wrap(f"{read_words(summary)}: {count_words(summary)}", self.width)
        for words in filter(None, (fresh_words(summary), masked_words(summary))):
            yield from wrap(words, self.width)
        columns, rows = table(summary)
        if len(columns) > 1 and len(rows) > 1:
            sizes = [max(cells(row[i]) for row in [columns, *rows]) for i in range(len(columns))]
            if sum(sizes) + 2 * len(sizes) <= self.width:
                yield ""
                styles = ["dim", *(LABELS[s] for s in counts(summary))]
                yield "  ".join(self.paint(pad(c, n, right=i > 0), styles[i]) for i, (c, n) in enumerate(zip(columns, sizes, strict=True)))
                for row in rows:
                    yield "  ".join(pad(c, n, right=i > 0) for i, (c, n) in enumerate(zip(row, sizes, strict=True)))
            else:
                yield ""
                for row in rows:
                    told = ", ".join(f"{n} {label}" for n, label in zip(row[1:], columns[1:], strict=True) if n != ".")
                    yield from wrap(f"{row[0]}: {told or 'no instances'}", self.width, rest="  ")
        problems = [
            *(f"{one_line(e.where)}: {one_line(e.message)}" + (f" ({one_line(e.hint)})" if e.hint else "") for e in summary.errors),
            *damage(summary),
        ]
        if problems:
            yield ""
        for problem in problems:
            for i, line in enumerate(wrap(problem, self.width, first="! ", rest="  ")):
                yield self.paint("!", "unknown") + line[1:] if i == 0 else line

    # -- one verdict

    def full(self, s: Story) -> Iterator[str]:
        """A verdict with its story."""
        label = LABELS[s.status]
        title = f"{s.contract}{f' ({s.risk})' if s.risk else ''}  {s.instance}"
        yield f"{self.paint(label.upper(), label)}  {self.paint(cut(title, self.width - len(label) - 2), 'bold')}"
        if s.headline:
            yield from self.said(s.headline)
        if s.status is Status.NOT_JUDGED:
            yield from self.said(f"the contract failed on this instance, the others stand: {s.reason or 'no error was kept'}")
        elif s.reason:
            yield from self.said(_reason(s.reason))
        if (s.quote or s.doc) and (s.status is not Status.UNKNOWN or s.contract not in self.quoted):
            self.quoted.add(s.contract)
            yield from self.said(f"{s.doc or 'policy'}: {quoted(s.quote)}" if s.quote else f"policy: {s.doc}", "dim")
        if s.steps:
            yield from self.steps(s.steps)
        if s.others:
            yield from self.said("counted too, and not needed for the proof:", "dim")
            yield from self.steps(s.others)
        for clash in s.clashes:
            yield from self.said(f"these contradict one another: {clash.words or clash.code}")
            yield from self.steps(clash.steps)
        yield from self.gaps(s)
        if s.leaning:
            yield from self.said(leaning_words(s))
        for claim in s.claims:
            yield from self.said(f"resting on {claim_words(claim)}", "dim")
        if s.order:
            yield from self.said(f"their order is told by {s.order}", "dim")
        for text in s.dropped:
            yield from self.said(f"dropped: {text}")
        for head, steps in weightless_parts(s):
            yield from self.said(f"{head}:", "dim")
            yield from self.steps(steps)
        for note in s.notes:
            yield from self.said(f"{note.code}: {note.words}" if note.words else note.code, "dim")
            yield from self.steps(note.steps)

    def accepted(self, s: Story) -> Iterator[str]:
        """A finding that somebody accepted, in brief."""
        label = LABELS[s.status]
        yield f"{self.paint(f'accepted, {label}', 'dim')}  {self.paint(s.contract, 'bold')}  {s.instance}"
        yield from self.said(s.accepted)
        yield from self.said(s.headline, "dim") if s.headline else ()

    def said(self, text: str, style: str = "", indent: str = "  ") -> Iterator[str]:
        for line in wrap(text, self.width, first=indent, rest=indent + "  "):
            yield self.paint(line, style) if style else line

    def steps(self, steps: Sequence[StepLine]) -> Iterator[str]:
        """Steps as aligned columns; what does not fit beside goes below."""
        rows = [[f"{self.names[s.trace]} #{s.n}", s.when[:10], s.actor or "?", s.tool or s.kind, field_words(s)] for s in steps]
        sizes = [max((cells(r[i]) for r in rows), default=0) for i in range(5)]
        numbers = all(_NUMBER.fullmatch(r[4]) for r in rows)
        if sum(sizes) + 2 * 5 + 2 > self.width:
            sizes[1] = 0
        for step, row in zip(steps, rows, strict=True):
            left = "    " + "  ".join(
                pad(cell, size, right=numbers and i == 4) for i, (cell, size) in enumerate(zip(row, sizes, strict=True)) if size
            )
            room = self.width - cells(left) - 2
            words = step.gist
            quote = quoted(words) if words else ""
            if cells(left.rstrip()) > self.width:
                yield from wrap(left, self.width, first="    ", rest="        ")
            elif quote and room >= min(cells(quote), 24):
                yield f"{left}  {self.paint(_quoted(words, room), 'dim')}"
                quote = ""
            else:
                yield left
            if quote:
                yield self.paint(f"        {_quoted(words, self.width - 8)}", "dim")
            if step.why:
                for line in wrap(f"<- {step.why}", self.width, first="      ", rest="         "):
                    yield self.paint(line, "mark")
            for known in step.known:
                yield from self.said(f"known to {step.actor or 'its actor'} before: {known}", indent="         ")

    def gaps(self, s: Story) -> Iterator[str]:
        if not s.gaps:
            return
        one = "to decide it:" if len(s.gaps) == 1 else "to decide it, any one of:"
        yield f"  {one}"
        for gap in s.gaps[: None if self.everything else _NAMES]:
            words = " and ".join(gap.needs)
            yield from wrap(f"{words} ({GAP_WORDS[gap.sort]})", self.width, first="    [ ] ", rest="        ")
        if len(s.gaps) > _NAMES and not self.everything:
            yield f"        and {plural(len(s.gaps) - _NAMES, 'other way')}"

    # -- many verdicts

    def unknown(self, stories: Sequence[Story]) -> Iterator[tuple[Story | None, Group]]:
        """Each unknown to tell, and after the first few of a contract the group of the others."""
        groups: dict[str, list[Story]] = {}
        for s in stories:
            groups.setdefault(s.contract, []).append(s)
        for name, members in groups.items():
            most = len(members) if self.everything or len(members) <= _AT_MOST + 1 else _AT_MOST
            rest = Group(contract=name, status=Status.UNKNOWN, leaning="", members=members[most:])
            for s in members[:most]:
                yield s, rest
            if rest.members:
                yield None, rest

    def group(self, group: Group) -> Iterator[str]:
        """Many instances on one line and what they lean on."""
        label = LABELS[group.status]
        more = "more: " if group.status is Status.UNKNOWN else ""
        one = group.members[0] if len(group.members) == 1 else None
        what = one.instance if one else more + group.noun
        head = f"{self.paint(label, label)}  {self.paint(group.contract, 'bold')}"
        if cells(label) + cells(group.contract) + cells(what) + 4 <= self.width:
            yield f"{head}  {what}"
        else:
            yield head
            yield from self.said(what)
        if one:
            yield from self.said(one.headline, "dim") if one.headline else ()
        else:
            for tail, names in group.names:
                words = listed(names, None if self.everything else _NAMES)
                yield from self.said(f"{tail}: {words}" if tail else words, "dim")
        if isolated := group.isolated():
            yield from self.said(isolated, "mark")
        if group.leaning:
            yield from self.said(group.leaning)

    def useful(self, stories: Sequence[Story]) -> Iterator[str]:
        """What would decide more than one unknown."""
        many = repeated_needs(stories)[:5]
        if many:
            yield ""
            yield "one thing, several answers:"
        for words, n, sure in many:
            yield from wrap(
                f"{words}: {'decides' if sure else 'can decide'} {n:,} of {len(stories):,} unknown",
                self.width,
                first="    [ ] ",
                rest="        ",
            )


def _quoted(words: str, room: int) -> str:
    return quoted(_HANGING.sub("…", cut(words, max(4, room - 2))))


def _reason(reason: str) -> str:
    kind, colon, rest = reason.partition(":")
    if kind == "beyond_fragment":
        return f"outside what this contract decides exactly{colon}{rest}"
    return "proof was not asked for" if kind == "not_proved" else reason


def field_words(step: StepLine) -> str:
    """The decisive fields: an amount by its value alone, the others with their names."""
    return ", ".join(value if name == "amount" else f"{name} {value}" for name, value in step.fields)


def claim_words(claim: Saying) -> str:
    """A claim with its author and basis."""
    return claim.words + (f", says {claim.by}" if claim.by else "") + (f": {claim.because}" if claim.because else "")
