"""A step as a line of a story: who, which tool, the decisive fields, and of its words what the fields do not say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from seamwise.audit import StepRef
from seamwise.render._names import value_words, when
from seamwise.render.plain import one_line, visible

_WORDS = re.compile(r"[^\W\d_]{2,}")
_JSON = json.JSONDecoder()
_MARKS = {
    "path": "on the path",
    "unnamed": "the name that `same_as` matches by was not recorded, so whether a row of the table is it cannot be told",
    "open_and_no_row": "its outcome was not recorded, and it is in no row of the table, which holds all",
}


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


def step_line(
    step: StepRef, instance: Mapping[str, str], words: Mapping[tuple[str, str, str], str], tell: Callable[[str], str] = one_line
) -> StepLine:
    """The step as a line of the story about that instance.

    Args:
        step: The step.
        instance: What the story is about.
        words: Mark, trace and step -> what the verdict says of it.
        tell: Makes a sentence of the audit one that is shown.
    """
    marks = [mark for mark in step.marks if mark != "path"] or step.marks
    why = [_mark(mark, one_line(words.get((mark, step.trace, step.step), ""))) for mark in marks]
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
        known=tuple(map(tell, step.known_before)),
    )


def _mark(mark: str, words: str) -> str:
    if mark == "crossing":
        return words or "crosses the limit"
    if mark in _MARKS:
        return _MARKS[mark]
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
