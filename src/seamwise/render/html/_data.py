"""What the page holds: stories whose steps are kept once, by number, however often they are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from seamwise import __version__
from seamwise.audit import Inbox, Result, Scene, Summary
from seamwise.kernel import Status
from seamwise.render._names import plural
from seamwise.render._rollup import count_words, counts, damage, fresh_words, masked_words, read_words, repeated_needs
from seamwise.render._step_line import StepLine
from seamwise.render._story import GAP_WORDS, LABELS, Gap, Saying, Stories, Story, leaning_words, lines_of, stories
from seamwise.render.audit_text import claim_words
from seamwise.render.html._scenery import Scenery, scenery
from seamwise.render.plain import one_line, visible

MAX_CLEAR = 1_000
"""Clear verdicts (ruled out, not applicable) that are told with their steps; of more the page holds the names."""
_CLEAR = frozenset({Status.RULED_OUT, Status.NOT_APPLICABLE})


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


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One contribution to a running sum."""

    step: int
    part: int = 0
    amount: str = ""
    """Empty: not recorded."""
    total: str
    state: str = ""
    """``open``: how it ended is not recorded; ``apart``: it is not in the sum; empty: it is."""


class Chart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key's running sum against its limit, as the audit told it."""

    limit: str
    unit: str = ""
    lines: tuple[Line, ...] = ()
    crossing: int = -1
    """The line of the crossing step."""
    skipped: int = 0


class Item(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing in an agent's input."""

    n: int
    kind: str
    source: str = ""
    text: str = ""


class Input(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was in an agent's input at a step."""

    trace: int
    n: int
    actor: str
    items: tuple[Item, ...] = ()
    skipped: int = 0
    whole: bool = False


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One verdict of the page; sentences that many verdicts share stand in the page's texts, by number."""

    contract: int
    instance: str
    status: str
    headline: str = ""
    optional: bool = False
    accepted: str = ""
    brief: bool = False
    """Whether its steps are left out of the page."""
    steps: tuple[Use, ...] = ()
    others: tuple[Use, ...] = ()
    chart: Chart | None = None
    input: Input | None = None
    reason: str = ""
    clashes: tuple[Told, ...] = ()
    gaps: tuple[Told, ...] = ()
    leaning: int = 0
    claims: tuple[int, ...] = ()
    order: int = 0
    dropped: tuple[str, ...] = ()
    weightless: tuple[Use, ...] = ()
    notes: tuple[Told, ...] = ()
    isolated: tuple[str, ...] = ()
    read: int = 0


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A contract, and where it comes from."""

    name: str
    kind: str = ""
    risk: str = ""
    doc: str = ""
    quote: str = ""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """All of the page's data."""

    version: str
    read: str
    notes: tuple[str, ...]
    """What is new, and what was masked."""
    counted: str
    statuses: tuple[tuple[str, str, int], ...]
    """Status, its label and how many there are."""
    contracts: tuple[Policy, ...]
    texts: tuple[str, ...]
    """Sentences that verdicts share; the first is empty."""
    left_out: str
    """What of the audit this page does not hold."""
    problems: tuple[str, ...]
    useful: tuple[tuple[str, str], ...]
    traces: tuple[tuple[str, str], ...]
    """Short and whole name of each trace."""
    steps: tuple[Step, ...]
    scenes: tuple[Scenery, ...]
    verdicts: tuple[Verdict, ...]


def page(summary: Summary, results: Iterable[Result], scenes: Iterable[Scene] = ()) -> Page:
    """The page's data."""
    all_told = stories(results)
    brief = _brief(all_told.stories)
    table = _Steps(all_told, brief)
    texts: dict[str, int] = {"": 0}
    contracts: dict[str, Policy] = {one_line(name): Policy(name=one_line(name)) for name in summary.contracts}
    for s in all_told.stories:
        if not contracts.setdefault(s.contract, Policy(name=s.contract)).kind:
            contracts[s.contract] = Policy(name=s.contract, kind=s.kind, risk=s.risk, doc=s.doc, quote=s.quote)
    numbers = {name: n for n, name in enumerate(contracts)}
    verdicts = tuple(_verdict(s, table, i, numbers, texts, brief=i in brief) for i, s in enumerate(all_told.stories))
    seen = tuple(scenery(scene, table.number(scene.trace)) for scene in scenes)
    unknown = [s for s in all_told.stories if LABELS[s.status] == "unknown"]
    useful = [
        (words, f"{'decides' if sure else 'can decide'} {n:,} of {len(unknown):,} unknown")
        for words, n, sure in repeated_needs(unknown)[:5]
    ]
    problems = [f"{e.where}: {e.message}" + (f" ({e.hint})" if e.hint else "") for e in summary.errors]
    return Page(
        version=__version__,
        read=read_words(summary),
        notes=tuple(filter(None, (fresh_words(summary), masked_words(summary)))),
        counted=count_words(summary),
        statuses=tuple((status.value, LABELS[status], n) for status, n in counts(summary).items()),
        contracts=tuple(contracts.values()),
        texts=tuple(texts),
        left_out=_left_out(summary, len(brief), len(seen)),
        problems=(*map(one_line, problems), *damage(summary)),
        useful=tuple(useful),
        traces=tuple((short, whole) for whole, short in table.names.items()),
        steps=tuple(table.steps),
        scenes=seen,
        verdicts=verdicts,
    )


def _brief(told: Sequence[Story]) -> frozenset[int]:
    """The verdicts that are told without their steps: clear ones, where there are many."""
    clear = [n for n, s in enumerate(told) if s.status in _CLEAR]
    return frozenset(clear[MAX_CLEAR:])


def _left_out(summary: Summary, n_brief: int, n_scenes: int) -> str:
    """What this page does not hold, in words."""
    out = []
    if n_brief:
        out.append(f"the steps of {plural(n_brief, 'clear verdict')}")
    if n_scenes:
        out.append("steps of traces that only clear verdicts cite")
    if summary.n_unseen:
        out.append(f"all but the cited steps of {plural(summary.n_unseen, 'long trace')}")
    if not out:
        return ""
    return f"Left out of this page: {'; '.join(out)}. The recordings hold them, and the result file the steps of every verdict."


class _Steps:
    """The steps of all stories, each once, with the fullest words that were told of it."""

    def __init__(self, told: Stories, brief: frozenset[int]) -> None:
        self.steps: list[Step] = []
        self._texts: dict[tuple[str, str, int], str] = {}
        for line in (line for n, s in enumerate(told.stories) if n not in brief for line in (*lines_of(s), *s.ledger_steps)):
            key = (line.trace, line.id, line.n)
            self._texts[key] = max(self._texts.get(key, ""), line.text, key=len)
        self._short = told.names
        self.names: dict[str, str] = {}
        self._traces: dict[str, int] = {}
        for trace, _, _ in self._texts:
            self.number(trace)
        self._places: dict[tuple[str, str, int], int] = {}

    def number(self, trace: str) -> int:
        """The number of a trace on the page."""
        name = one_line(trace)
        if name not in self._traces:
            self._traces[name] = len(self._traces)
            self.names[name] = self._short.get(name, name)
        return self._traces[name]

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


def _verdict(s: Story, table: _Steps, number: int, contracts: Mapping[str, int], texts: dict[str, int], *, brief: bool) -> Verdict:
    def uses(lines: Sequence[StepLine]) -> tuple[Use, ...]:
        return () if brief else tuple(table.use(line, number) for line in lines)

    def told(x: Saying) -> Told:
        return Told(words=x.words, steps=uses(x.steps), tag=x.code)

    def gap(x: Gap) -> Told:
        return Told(words=" and ".join(x.needs), steps=uses(x.steps), tag=GAP_WORDS[x.sort])

    def shared(words: str) -> int:
        return texts.setdefault(words, len(texts))

    return Verdict(
        contract=contracts[s.contract],
        instance=s.instance,
        status=s.status.value,
        headline=s.headline,
        optional=not s.required,
        accepted=s.accepted,
        brief=brief,
        steps=uses(s.steps),
        others=uses(s.others),
        chart=None if brief else _chart(s, table, number),
        input=None if s.inbox is None else _input(s.inbox, table),
        reason=s.reason,
        clashes=tuple(map(told, s.clashes)),
        gaps=tuple(map(gap, s.gaps)),
        leaning=shared(leaning_words(s)),
        claims=() if brief else tuple(shared(claim_words(c)) for c in s.claims),
        order=shared(s.order),
        dropped=s.dropped,
        weightless=uses(s.weightless),
        notes=() if brief else tuple(map(told, s.notes)),
        isolated=s.isolated,
        read=s.read,
    )


def _chart(s: Story, table: _Steps, number: int) -> Chart | None:
    """The running sum that the audit told, its steps as those of the page."""
    if s.ledger is None or not s.ledger.lines:
        return None
    lines = []
    for line, shown in zip(s.ledger.lines, s.ledger_steps, strict=True):
        use = table.use(shown, number)
        state = "open" if line.counts is None else "" if line.counts else "apart"
        lines.append(Line(step=use.step, part=use.part, amount=one_line(line.amount or ""), total=one_line(line.total), state=state))
    crossing = {(x.trace, x.n, x.call) for x in s.steps if "crossing" in x.marks}
    calls = {(trace, call) for trace, _, call in crossing if call}
    at = next((n for n, x in enumerate(s.ledger_steps) if (x.trace, x.n, x.call) in crossing or (x.trace, x.call) in calls), -1)
    return Chart(limit=one_line(s.ledger.limit), unit=one_line(s.ledger.unit), lines=tuple(lines), crossing=at, skipped=s.ledger.skipped)


def _input(inbox: Inbox, table: _Steps) -> Input:
    items = tuple(Item(n=x.index, kind=one_line(x.kind), source=one_line(x.source), text=visible(x.text).strip()) for x in inbox.items)
    return Input(
        trace=table.number(inbox.trace),
        n=inbox.index,
        actor=one_line(inbox.actor),
        items=items,
        skipped=inbox.skipped,
        whole=inbox.whole,
    )
