"""One result told as people read it: every word safe to show, nothing decided here.

A :class:`Story` is what the terminal, Markdown and the page have in common; they lay it out and add no words of their own about the
verdict. All strings in it went through :mod:`seamwise.render.plain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from seamwise.audit import Inbox, Ledger, NoteRef, Result, Statement, StepRef
from seamwise.kernel import SEVERITY, Status
from seamwise.render._names import instance_words, quoted, short_names, traces_in, with_short_names
from seamwise.render._step_line import StepLine, step_line
from seamwise.render.plain import one_line

LABELS: dict[Status, str] = {
    Status.SUPPORTED: "supported",
    Status.MEASUREMENT_INVALID: "invalid",
    Status.NOT_JUDGED: "not judged",
    Status.UNKNOWN: "unknown",
    Status.RULED_OUT: "ruled out",
    Status.NOT_APPLICABLE: "not applicable",
}
"""What people read; ``invalid`` is short for measurement_invalid."""

ORDER = sorted(LABELS, key=lambda status: -SEVERITY[status])
"""The statuses, most severe first."""

GAP_WORDS = {
    "resolves": "decides it, whatever it says",
    "may_resolve": "can decide it, depending on what it says",
    "judgement": "needs somebody's judgement",
}
"""The three sorts of gap."""

_TOLD = frozenset({"headline"})
"""Codes of notes that stand elsewhere."""
_ITS_STEPS = frozenset({"path"})
"""Codes of notes whose words name nothing but the steps that stand below them."""
_HERE = "this is the step"
"""What is said at the step of a note whose words the headline has said."""


class Saying(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A statement, claim or note with the steps it is about."""

    words: str
    code: str = ""
    by: str = ""
    because: str = ""
    steps: tuple[StepLine, ...] = ()


class Gap(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One smallest set of missing things, as actions."""

    sort: str
    needs: tuple[str, ...]
    steps: tuple[StepLine, ...] = ()


class Story(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A result as people read it."""

    contract: str
    kind: str
    instance: str
    """``customer c17, 2026-Q1``."""
    status: Status
    headline: str = ""
    risk: str = ""
    doc: str = ""
    quote: str = ""
    required: bool = True
    steps: tuple[StepLine, ...] = ()
    """The witness."""
    others: tuple[StepLine, ...] = ()
    """Steps that the headline counts and the proof does not need."""
    leaning: tuple[Saying, ...] = ()
    without: str = ""
    """What the verdict is without those statements."""
    claims: tuple[Saying, ...] = ()
    """Claims and context of the witness that are no statements of the user."""
    order: str = ""
    gaps: tuple[Gap, ...] = ()
    reason: str = ""
    clashes: tuple[Saying, ...] = ()
    weightless: tuple[StepLine, ...] = ()
    dropped: tuple[str, ...] = ()
    notes: tuple[Saying, ...] = ()
    isolated: tuple[str, ...] = ()
    """Isolated violations, in words: what the records show against somebody alone, whatever the verdict is."""
    read: int = 0
    """How many records the instance read."""
    ledger: Ledger | None = None
    """The running sum, as the audit told it."""
    ledger_steps: tuple[StepLine, ...] = ()
    """The steps of its lines."""
    inbox: Inbox | None = None
    accepted: str = ""
    """``accepted until 2027-01-31: reason``, where a baseline accepts it."""


class Stories(NamedTuple):
    """Stories that are told together."""

    stories: list[Story]
    names: dict[str, str]
    """Each trace's short name, which no other trace of these stories has."""


def stories(results: Iterable[Result]) -> Stories:
    """The results as people read them, ids shortened so far that they stay apart."""
    results = list(results)
    values: dict[str, set[str]] = {"trace": {one_line(s.trace) for r in results for s in _refs(r)}}
    values["trace"].update(trace for r in results for words in _sentences(r) for trace in traces_in(words))
    for r in results:
        for name, value in r.instance.items():
            values.setdefault(name, set()).add(one_line(str(value)))
    names = {name: short_names(of) for name, of in values.items()}
    return Stories([story(r, names) for r in results], names["trace"])


def _refs(result: Result) -> Iterator[StepRef]:
    """Every step that the result mentions."""
    yield from result.witness or ()
    for part in (result.clashes, result.notes, result.gaps):
        for item in part:
            yield from item.steps
    yield from result.weightless
    if result.ledger is not None:
        yield from (line.step for line in result.ledger.lines)


def _sentences(result: Result) -> Iterator[str]:
    """Every sentence of the audit that may name a trace."""
    yield result.headline
    for part in (result.notes, result.clashes):
        yield from (note.words for note in part)
    for gap in result.gaps:
        yield from gap.needs
    for step in result.witness or ():
        yield from step.known_before
    yield from result.dropped


def story(result: Result, names: Mapping[str, Mapping[str, str]] | None = None) -> Story:
    """The result as people read it; :func:`stories` tells several."""
    traces = None if names is None else names.get("trace")

    def said(words: str) -> str:
        return one_line(with_short_names(words, traces))

    headline = said(result.headline)
    words = {(note.code, s.trace, s.step): said(note.words) for note in result.notes for s in note.steps}
    words |= {key: "" if key[0] in _ITS_STEPS else _HERE for key, told in words.items() if key[0] in _ITS_STEPS or told == headline}
    marked = {(mark, s.trace, s.step) for s in result.witness or () for mark in s.marks}

    def line(step: StepRef) -> StepLine:
        return step_line(step, result.instance, words, said)

    leaning = tuple(_statement(s) for s in result.leaning_on)
    stated = {s.name for s in result.leaning_on} | {f"claim:{s.name}" for s in result.leaning_on}
    witness = tuple(line(s) for s in result.witness or ())
    shown = {(s.trace, s.step) for s in result.witness or ()}
    notes = [
        note
        for note in result.notes
        if note.code not in _TOLD
        and not (note.steps and all((note.code, s.trace, s.step) in marked for s in note.steps))
        and not (said(note.words) == headline and all((s.trace, s.step) in shown for s in note.steps))
    ]
    counted = [s for note in result.notes if note.code == "headline" for s in note.steps]
    return Story(
        contract=one_line(result.contract),
        kind=one_line(result.kind),
        instance=instance_words(result.instance, names),
        status=result.status,
        headline=headline,
        risk=one_line(result.risk or ""),
        doc=one_line(result.policy.doc) if result.policy else "",
        quote=one_line(result.policy.quote) if result.policy else "",
        required=result.required,
        steps=witness,
        others=tuple(line(s) for s in counted if result.witness and (s.trace, s.step) not in shown),
        leaning=leaning,
        without=LABELS[result.without] if result.without is not None else "",
        claims=tuple(
            Saying(words=said(c.words or c.name), by=one_line(c.by), because=one_line(c.basis))
            for c in result.claims
            if c.name not in stated
        ),
        order=", ".join(one_line(o) for o in result.order),
        gaps=tuple(Gap(sort=g.sort, needs=tuple(map(said, g.needs)), steps=tuple(map(line, g.steps))) for g in result.gaps),
        reason=said(result.reason or ""),
        clashes=tuple(_note(n, line, said) for n in result.clashes),
        weightless=tuple(line(s) for s in result.weightless),
        dropped=tuple(map(said, result.dropped)),
        notes=tuple(_note(n, line, said) for n in notes),
        isolated=tuple(said(note.words) for note in result.notes if note.code == "isolated_violation"),
        read=result.evidence_steps,
        ledger=result.ledger,
        ledger_steps=tuple(line(x.step) for x in result.ledger.lines) if result.ledger else (),
        inbox=result.inbox,
        accepted=f"accepted until {one_line(result.accepted.until)}: {one_line(result.accepted.reason)}" if result.accepted else "",
    )


def _statement(s: Statement) -> Saying:
    return Saying(
        code="claim" if s.name.startswith("claim:") else "statement",
        words=one_line(s.because or s.words),
        because=one_line(s.words) if s.because else "",
        by="" if s.by == "user" else one_line(s.by),
    )


def _note(note: NoteRef, line: Callable[[StepRef], StepLine], said: Callable[[str], str]) -> Saying:
    words = "" if note.code in _ITS_STEPS and note.steps else said(note.words)
    return Saying(code=one_line(note.code).replace("_", " "), words=words, steps=tuple(map(line, note.steps)))


def leaning_words(s: Story) -> str:
    """``leaning on your statement "..." (on the records alone: unknown)``; nothing where the verdict leans on nobody's word."""
    if not s.leaning:
        return ""
    said = [f"{f'the {x.code} by {x.by}' if x.by else f'your {x.code}'} {quoted(x.words)}" for x in s.leaning]
    return f"leaning on {' and '.join(said)}" + (f" (on the records alone: {s.without})" if s.without else "")


def weightless_parts(s: Story) -> Iterator[tuple[str, list[StepLine]]]:
    """The steps without weight by the reason: who wrote them, or a table beside them (then each step says more)."""
    for head, marked in (("without weight, since their word does not count here", False), ("without weight beside the table", True)):
        steps = [line for line in s.weightless if bool(line.marks) is marked]
        if steps:
            yield head, steps


def lines_of(s: Story) -> Iterable[StepLine]:
    """Every step that the story mentions."""
    yield from s.steps
    yield from s.others
    for part in (s.clashes, s.notes, s.gaps):
        for item in part:
            yield from item.steps
    yield from s.weightless
