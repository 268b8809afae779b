"""One result told as people read it: every word safe to show, nothing decided here.

A :class:`Story` is what the terminal, Markdown and the page have in common; they lay it out and add no words of their own about the
verdict. All strings in it went through :mod:`seamwise.render.plain`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from seamwise.audit import GapRef, NoteRef, Result, Statement, StepRef
from seamwise.kernel import SEVERITY, Status
from seamwise.render.plain import one_line, visible

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

_PERIODS = frozenset({"day", "week", "month", "quarter", "year", "period"})
_TOLD = frozenset({"headline"})
"""Codes of notes that stand elsewhere."""
_LONGEST_VALUE = 80
_LONGEST_NAME = 28
_WORDS = re.compile(r"[^\W\d_]{2,}")
_JSON = json.JSONDecoder()
_HEXADECIMAL = re.compile(r"[0-9a-f]{16,32}(?:/\w+)?|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
"""Ids of traces and spans, and UUIDs."""


class StepLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step as a line."""

    trace: str
    """The trace's whole id; the layout shortens it."""
    n: int
    id: str
    kind: str
    actor: str = ""
    to: str = ""
    tool: str = ""
    call: str = ""
    when: str = ""
    """``2026-01-09 10:32:00`` in UTC, or nothing where it was not recorded."""
    fields: tuple[tuple[str, str], ...] = ()
    """The decisive fields, without those that the instance's name says already."""
    prose: tuple[tuple[str, str], ...] = ()
    """Fields that are sentences; the gist holds them."""
    text: str = ""
    """The whole of its words, in lines as they were recorded."""
    gist: str = ""
    """On one line: of a call's arguments and answer, what the fields do not say already."""
    marks: tuple[str, ...] = ()
    why: str = ""
    """What its marks mean: ``crosses the limit``."""
    known: tuple[str, ...] = ()
    """What its actor had been given before."""


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
    read: int = 0
    """How many records the instance read."""


def story(result: Result) -> Story:
    """The result as people read it."""
    words = {(note.code, s.trace, s.step): note.words for note in result.notes for s in note.steps}
    marked = {(mark, s.trace, s.step) for s in result.witness or () for mark in s.marks}

    def line(step: StepRef) -> StepLine:
        return step_line(step, result.instance, words)

    leaning = tuple(_statement(s) for s in result.leaning_on)
    stated = {s.name for s in result.leaning_on} | {f"claim:{s.name}" for s in result.leaning_on}
    witness = tuple(line(s) for s in result.witness or ())
    shown = {(s.trace, s.step) for s in result.witness or ()}
    notes = [
        note
        for note in result.notes
        if note.code not in _TOLD and not (note.steps and all((note.code, s.trace, s.step) in marked for s in note.steps))
    ]
    counted = [s for note in result.notes if note.code == "headline" for s in note.steps]
    return Story(
        contract=one_line(result.contract),
        kind=one_line(result.kind),
        instance=instance_words(result.instance),
        status=result.status,
        headline=one_line(result.headline),
        risk=one_line(result.risk or ""),
        doc=one_line(result.policy.doc) if result.policy else "",
        quote=one_line(result.policy.quote) if result.policy else "",
        required=result.required,
        steps=witness,
        others=tuple(line(s) for s in counted if result.witness and (s.trace, s.step) not in shown),
        leaning=leaning,
        without=LABELS[result.without] if result.without is not None else "",
        claims=tuple(
            Saying(words=one_line(c.words or c.name), by=one_line(c.by), because=one_line(c.basis))
            for c in result.claims
            if c.name not in stated
        ),
        order=", ".join(one_line(o) for o in result.order),
        gaps=tuple(_gap(g, line) for g in result.gaps),
        reason=one_line(result.reason or ""),
        clashes=tuple(_note(n, line) for n in result.clashes),
        weightless=tuple(line(s) for s in result.weightless),
        dropped=tuple(map(one_line, result.dropped)),
        notes=tuple(_note(n, line) for n in notes),
        read=result.evidence_steps,
    )


def _statement(s: Statement) -> Saying:
    return Saying(
        code="claim" if s.name.startswith("claim:") else "statement",
        words=one_line(s.because or s.words),
        because=one_line(s.words) if s.because else "",
        by="" if s.by == "user" else one_line(s.by),
    )


def _note(note: NoteRef, line: Any) -> Saying:
    return Saying(code=one_line(note.code).replace("_", " "), words=one_line(note.words), steps=tuple(line(s) for s in note.steps))


def _gap(gap: GapRef, line: Any) -> Gap:
    return Gap(sort=gap.sort, needs=tuple(map(one_line, gap.needs)), steps=tuple(line(s) for s in gap.steps))


def step_line(step: StepRef, instance: Mapping[str, str], words: Mapping[tuple[str, str, str], str]) -> StepLine:
    """The step as a line of the story about that instance.

    Args:
        step: The step.
        instance: What the story is about.
        words: Mark, trace and step -> what the verdict says of it.
    """
    why = [_mark(mark, one_line(words.get((mark, step.trace, step.step), ""))) for mark in step.marks]
    fields = list(_fields(step, instance))
    sentences = {value_words(v) for v in step.fields.values() if _is_prose(v)}
    prose = tuple(f for f in fields if f[1] in sentences)
    told = [*instance.values(), *(value_words(v) for v in step.fields.values() if not _is_prose(v))]
    said = gist(step.text or "", told)
    return StepLine(
        trace=one_line(step.trace),
        n=step.index,
        id=one_line(step.step),
        kind=one_line(step.kind),
        actor=one_line(step.actor or ""),
        to=", ".join(map(one_line, step.recipients or ())),
        tool=one_line(step.tool or ""),
        call=one_line(step.call or ""),
        when=when(step.time_ns),
        fields=tuple(f for f in fields if f not in prose),
        prose=prose,
        text=visible(step.text or "").strip(),
        gist="; ".join([*(value for _, value in prose if value not in said), *([said] if said else [])]),
        marks=tuple(map(one_line, step.marks)),
        why="; ".join(why),
        known=tuple(map(one_line, step.known_before)),
    )


def _mark(mark: str, words: str) -> str:
    if mark == "crossing":
        return words or "crosses the limit"
    name = one_line(mark).replace("_", " ")
    return f"{name}: {words}" if words else name


def _fields(step: StepRef, instance: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """The fields that say something of the step: no name of its own, nothing that the instance says, no good ending."""
    said = {"actor": step.actor, "tool": step.tool, "call": step.call, "status": "ok"}
    currency = step.fields.get("currency") if "amount" in step.fields else None
    for name, value in step.fields.items():
        if name in ("t", "recipients") or value == "" or (name in said and value == said[name]) or (name == "currency" and currency):
            continue
        words = value_words(value)
        if name == "amount" and isinstance(currency, str):
            words = f"{words} {one_line(currency)}"
        if instance.get(name) != words and words != step.tool:
            yield one_line(name).replace("_", " "), words


def _is_prose(value: Any) -> bool:
    """Whether a field holds words of somebody and no name or number."""
    return isinstance(value, str) and " " in value and len(_WORDS.findall(value)) > 1


def gist(text: str, told: Iterable[str]) -> str:
    """The text on one line; JSON in it (a call's arguments, its answer) by those of its values that are not told already.

    ``{"customer": "c17", "amount": 15.0, "reason": "goodwill"} -> {"status": "done"}`` becomes ``goodwill -> done``.
    """
    known = {_bare(t) for t in told}
    parts = []
    rest = text.strip()
    while rest.startswith(("{", "[")):
        try:
            value, end = _JSON.raw_decode(rest)
        except (ValueError, RecursionError):
            break
        parts.append(_values(value, known))
        rest = rest[end:].strip()
        if not rest.startswith("->"):
            break
        rest = rest[2:].strip()
    return " -> ".join(filter(None, [*parts, one_line(rest)]))


def _values(value: Any, known: set[str]) -> str:
    if not isinstance(value, dict):
        return value_words(value)
    left = {one_line(str(k)): value_words(v) for k, v in value.items()}
    left = {k: v for k, v in left.items() if _bare(v) not in known}
    if len(left) == 1:
        return next(iter(left.values()))
    return ", ".join(f"{k}: {v}" for k, v in left.items())


def _bare(value: str) -> str:
    """A value for comparing: numbers without the zeros that end them."""
    return value.rstrip("0").rstrip(".") if "." in value and value.replace(".", "", 1).lstrip("-").isdigit() else value


def value_words(value: Any) -> str:
    """A field's value on one line."""
    if isinstance(value, str):
        words = value
    elif isinstance(value, bool):
        words = "yes" if value else "no"
    elif value is None:
        words = "none"
    elif isinstance(value, (list, tuple)) and all(isinstance(v, (str, int, float)) for v in value):
        words = ", ".join(map(str, value)) or "nothing"
    else:
        words = json.dumps(value, ensure_ascii=False, default=str)
    words = one_line(words)
    return words if len(words) <= _LONGEST_VALUE else words[: _LONGEST_VALUE - 1] + "…"


def when(time_ns: int | None) -> str:
    """A moment in UTC, to the second; nothing where it was not recorded or is no moment of a calendar."""
    if time_ns is None:
        return ""
    try:
        return f"{datetime.fromtimestamp(time_ns // 1_000_000_000, UTC):%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return ""


def instance_words(instance: Mapping[str, str]) -> str:
    """``customer c17, 2026-Q1``: names and values, a period by its value alone."""
    words = []
    for name, value in instance.items():
        value = one_line(str(value))
        words.append(value if name in _PERIODS else f"{one_line(name).replace('_', ' ')} {short(value)}")
    return ", ".join(words)


def short(name: str) -> str:
    """A long id without its tail: the first eight digits of a hexadecimal one, twenty-seven characters of any other."""
    if _HEXADECIMAL.fullmatch(name):
        return name[:8]
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def short_names(traces: Iterable[str]) -> dict[str, str]:
    """Each trace's short name; those that would share one keep theirs whole."""
    names = {t: short(t) for t in dict.fromkeys(traces)}
    count: dict[str, int] = {}
    for name in names.values():
        count[name] = count.get(name, 0) + 1
    return {t: name if count[name] == 1 else t for t, name in names.items()}


def quoted(text: str) -> str:
    """The text in quotation marks, in other ones than it holds itself."""
    return f"“{text}”" if '"' in text else f'"{text}"'


def leaning_words(s: Story) -> str:
    """``leaning on your statement "..." (without it: unknown)``; nothing where the verdict leans on nobody's word."""
    if not s.leaning:
        return ""
    said = [f"{f'the {x.code} by {x.by}' if x.by else f'your {x.code}'} {quoted(x.words)}" for x in s.leaning]
    return f"leaning on {' and '.join(said)}" + (f" (without {'it' if len(said) == 1 else 'them'}: {s.without})" if s.without else "")


def lines_of(s: Story) -> Iterable[StepLine]:
    """Every step that the story mentions."""
    yield from s.steps
    yield from s.others
    for part in (s.clashes, s.notes, s.gaps):
        for item in part:
            yield from item.steps
    yield from s.weightless


def plural(n: int, noun: str) -> str:
    """``1 customer``, ``5,000 customers``, ``2 policies``."""
    if n == 1:
        return f"1 {noun}"
    many = (
        noun[:-1] + "ies"
        if noun.endswith("y") and noun[-2:-1] not in "aeiou"
        else noun + ("es" if noun.endswith(("s", "x", "ch")) else "s")
    )
    return f"{n:,} {many}"
