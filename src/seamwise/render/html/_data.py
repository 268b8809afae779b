"""What the page holds: stories whose steps are kept once, by number, however often they are told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation

import msgspec

from seamwise import __version__
from seamwise.audit import Result, Summary
from seamwise.render._rollup import count_words, counts, damage, masked_words, read_words, repeated_needs
from seamwise.render._step_line import StepLine
from seamwise.render._story import GAP_WORDS, LABELS, Gap, Saying, Stories, Story, leaning_words, lines_of, stories
from seamwise.render.audit_text import claim_words
from seamwise.render.plain import one_line

_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_LIMIT = re.compile(r"\bof (\d[\d,]*(?:\.\d+)?)")


class Part(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a step is to some verdicts: one step can serve two streams, with another actor and other fields in each."""

    actor: str = ""
    to: str = ""
    tool: str = ""
    call: str = ""
    when: str = ""
    fields: dict[str, str] = {}
    by: list[int] = []
    """Verdicts that tell of it so."""


class Step(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A step of the trace panel: what it is to everybody, and its parts."""

    trace: int
    n: int
    id: str
    kind: str
    text: str = ""
    parts: list[Part] = []


class Use(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step in one verdict's story."""

    step: int
    part: int = 0
    """Which of the step's parts it has there."""
    fields: tuple[tuple[str, str], ...] = ()
    gist: str | None = None
    """None: the step's text itself."""
    why: str = ""
    known: tuple[str, ...] = ()


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Words and the steps they are about."""

    words: str
    steps: tuple[Use, ...] = ()
    tag: str = ""


class Chart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The running total of a key over the steps of the witness."""

    totals: tuple[str, ...]
    limit: str = ""


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One verdict of the page."""

    contract: str
    kind: str
    instance: str
    status: str
    headline: str = ""
    risk: str = ""
    doc: str = ""
    quote: str = ""
    optional: bool = False
    steps: tuple[Use, ...] = ()
    others: tuple[Use, ...] = ()
    chart: Chart | None = None
    reason: str = ""
    clashes: tuple[Told, ...] = ()
    gaps: tuple[Told, ...] = ()
    leaning: str = ""
    claims: tuple[str, ...] = ()
    order: str = ""
    dropped: tuple[str, ...] = ()
    weightless: tuple[Use, ...] = ()
    notes: tuple[Told, ...] = ()
    read: int = 0


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """All of the page's data."""

    version: str
    read: str
    masked: str
    counted: str
    statuses: tuple[tuple[str, str, int], ...]
    """Status, its label and how many there are."""
    contracts: tuple[str, ...]
    problems: tuple[str, ...]
    useful: tuple[tuple[str, str], ...]
    traces: tuple[tuple[str, str], ...]
    """Short and whole name of each trace."""
    steps: tuple[Step, ...]
    verdicts: tuple[Verdict, ...]


def page(summary: Summary, results: Iterable[Result]) -> Page:
    """The page's data."""
    all_told = stories(results)
    table = _Steps(all_told)
    verdicts = tuple(_verdict(s, table, i) for i, s in enumerate(all_told.stories))
    unknown = [s for s in all_told.stories if LABELS[s.status] == "unknown"]
    useful = [
        (words, f"{'decides' if sure else 'can decide'} {n:,} of {len(unknown):,} unknown")
        for words, n, sure in repeated_needs(unknown)[:5]
    ]
    problems = [f"{e.where}: {e.message}" + (f" ({e.hint})" if e.hint else "") for e in summary.errors]
    return Page(
        version=__version__,
        read=read_words(summary),
        masked=masked_words(summary),
        counted=count_words(summary),
        statuses=tuple((status.value, LABELS[status], n) for status, n in counts(summary).items()),
        contracts=tuple(map(one_line, summary.contracts)),
        problems=(*map(one_line, problems), *damage(summary)),
        useful=tuple(useful),
        traces=tuple((short, whole) for whole, short in table.names.items()),
        steps=tuple(table.steps),
        verdicts=verdicts,
    )


class _Steps:
    """The steps of all stories, each once, with the fullest words that were told of it."""

    def __init__(self, told: Stories) -> None:
        self.steps: list[Step] = []
        self._texts: dict[tuple[str, str, int], str] = {}
        for line in (line for s in told.stories for line in lines_of(s)):
            key = (line.trace, line.id, line.n)
            self._texts[key] = max(self._texts.get(key, ""), line.text, key=len)
        self.names = {trace: told.names[trace] for trace in dict.fromkeys(trace for trace, _, _ in self._texts)}
        self._traces = {trace: i for i, trace in enumerate(self.names)}
        self._places: dict[tuple[str, str, int], int] = {}

    def use(self, line: StepLine, verdict: int) -> Use:
        """The step as part of that verdict's story."""
        key = (line.trace, line.id, line.n)
        text = self._texts[key]
        at = self._places.setdefault(key, len(self.steps))
        if at == len(self.steps):
            self.steps.append(Step(trace=self._traces[line.trace], n=line.n, id=line.id, kind=line.kind, text=text, parts=[]))
        part = _part(self.steps[at], line)
        by = self.steps[at].parts[part].by
        if verdict not in by:
            by.append(verdict)
        gist = None if line.gist == text else line.gist
        return Use(step=at, part=part, fields=line.fields, gist=gist, why=line.why, known=line.known)


def _part(step: Step, line: StepLine) -> int:
    """Which part of the step the line tells: the one of that actor, tool and so on whose fields do not say otherwise, or a new one."""
    fields = dict((*line.fields, *line.prose))
    for at, part in enumerate(step.parts):
        same = all(getattr(part, name) == getattr(line, name) for name in ("actor", "to", "tool", "call", "when"))
        if same and all(part.fields.get(name, value) == value for name, value in fields.items()):
            part.fields.update(fields)
            return at
    step.parts.append(Part(actor=line.actor, to=line.to, tool=line.tool, call=line.call, when=line.when, fields=fields, by=[]))
    return len(step.parts) - 1


def _verdict(s: Story, table: _Steps, number: int) -> Verdict:
    def uses(lines: Sequence[StepLine]) -> tuple[Use, ...]:
        return tuple(table.use(line, number) for line in lines)

    def told(x: Saying) -> Told:
        return Told(words=x.words, steps=uses(x.steps), tag=x.code)

    def gap(x: Gap) -> Told:
        return Told(words=" and ".join(x.needs), steps=uses(x.steps), tag=GAP_WORDS[x.sort])

    return Verdict(
        contract=s.contract,
        kind=s.kind,
        instance=s.instance,
        status=s.status.value,
        headline=s.headline,
        risk=s.risk,
        doc=s.doc,
        quote=s.quote,
        optional=not s.required,
        steps=uses(s.steps),
        others=uses(s.others),
        chart=chart(s),
        reason=s.reason,
        clashes=tuple(map(told, s.clashes)),
        gaps=tuple(map(gap, s.gaps)),
        leaning=leaning_words(s),
        claims=tuple(map(claim_words, s.claims)),
        order=s.order,
        dropped=s.dropped,
        weightless=uses(s.weightless),
        notes=tuple(map(told, s.notes)),
        read=s.read,
    )


def chart(s: Story) -> Chart | None:
    """The running total of the witness's amounts, and the limit where the headline names it; None where they do not add up to one."""
    if s.kind != "within_total" or len(s.steps) < 2:
        return None
    total, totals = Decimal(0), []
    for line in s.steps:
        fields = dict(line.fields)
        amount = _decimal(fields.get("amount", ""))
        if amount is None:
            return None
        if fields.get("status") not in ("failed", "timeout"):
            total += -abs(amount) if "reverses" in fields else amount
        totals.append(f"{total:f}")
    limit = _LIMIT.search(s.headline)
    return Chart(totals=tuple(totals), limit=limit.group(1).replace(",", "") if limit else "")


def _decimal(text: str) -> Decimal | None:
    found = _NUMBER.search(text)
    try:
        return Decimal(found.group().replace(",", "")) if found else None
    except InvalidOperation:
        return None
