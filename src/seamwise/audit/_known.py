"""What an agent had been given before its step crossed a limit.

The running total, or the earlier amounts, are looked for as exact numbers in what reached the agent before its step: the inputs of its
model calls, messages to it, answers of its tools. What is found is cited by its step; where nothing is found, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from seamwise.audit._refs import as_json, short
from seamwise.audit._result import StepRef
from seamwise.record import Order, Step, Trace, precedence

GIVEN = {
    "input": "in its input",
    "tool_result": "in the answer of its tool",
    "message": "in a message to it",
    "delivery": "in a delivery to it",
}
"""Kinds of step that give an agent something, and how that is said."""
MAX_TEXT_BYTES = 8 << 20
MAX_SAID = 3


class Sought(NamedTuple):
    """Numbers to look for."""

    total: Decimal
    """The running total before the step."""
    earlier: tuple[tuple[Decimal, StepRef], ...]
    """The amounts that make it up."""
    key: str
    """Whose total it is; a single amount counts only in a step that names it."""


def known_before(trace: Trace, crossing: StepRef, sought: Sought) -> tuple[str, ...]:
    """What the actor of a step had been given before it, each with the step that shows it."""
    given = [(place, step) for place, step in _given(trace, crossing) if step.kind in GIVEN]
    texts = [(place, step, _content(step)) for place, step in given]
    if sought.total and len(sought.earlier) > 1:
        shows = [(place, step) for place, step, text in texts if _number(sought.total).search(text)]
        if shows:
            place, step = next(((p, s) for p, s in reversed(shows) if s.kind == "input"), shows[-1])
            return (f"the total {_plain(sought.total)} was {_where(step)} at #{place + 1}",)
    said: list[str] = []
    for amount, ref in sought.earlier:
        pattern = _number(amount)
        for place, step, text in reversed(texts):
            if pattern.search(text) and sought.key and re.search(rf"(?<!\w){re.escape(sought.key)}(?!\w)", text):
                said.append(f"the {_plain(amount)} of trace {short(ref.trace)} #{ref.index} was {_where(step)} at #{place + 1}")
                break
    return tuple(said[:MAX_SAID])


def _given(trace: Trace, crossing: StepRef) -> Iterator[tuple[int, Step]]:
    """The steps before the crossing one that gave its actor something, in the order of the file."""
    steps = trace.steps
    end = next((s for s in steps if s.id == crossing.step), None)
    if end is None or crossing.actor is None:
        return
    start = next((s for s in steps if s.call == end.call and s.kind == "tool_call"), end) if end.call is not None else end
    order: Order | None = None
    for place, step in enumerate(steps):
        if step.kind not in GIVEN or step.id in (start.id, end.id) or not _reached(step, crossing.actor):
            continue
        if step.call is not None and step.call == end.call:
            continue
        order = precedence(steps, trace.header.clocks) if order is None else order
        if order.before(step.id, start.id) or (_earlier(step, start) and not order.before(start.id, step.id)):
            yield place, step


def _earlier(step: Step, other: Step) -> bool:
    return step.time_ns is not None and other.time_ns is not None and step.time_ns < other.time_ns


def _reached(step: Step, actor: str) -> bool:
    if step.kind in ("input", "tool_result"):
        return step.actor == actor
    return step.recipients is not None and actor in step.recipients


def _content(step: Step) -> str:
    parts = [step.text or ""]
    if step.data is not None:
        parts.append(as_json(step.data)[:MAX_TEXT_BYTES])
    return "\n".join(parts)


def _where(step: Step) -> str:
    return f"{GIVEN[step.kind]} {step.tool}" if step.kind == "tool_result" and step.tool else GIVEN[step.kind]


def _plain(number: Decimal) -> str:
    return format(number, "f")


def _number(number: Decimal) -> re.Pattern[str]:
    """The number in the ways that it may be written, and not as a part of another one."""
    text = format(number.normalize(), "f")
    whole, _, part = text.partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",?", digits)
    tail = rf"\.{part}0*" if part else r"(?:\.0+)?"
    return re.compile(rf"(?:(?<=\":)|(?<=\": )|(?<![\w.,:/#\-])){re.escape(sign)}{grouped}{tail}(?![\w/%\-]|:\d|[.,]\d)")


def sought_in(records: Sequence[tuple[Decimal, StepRef]], key: str) -> Sought | None:
    """What to look for, given the earlier amounts; None: there are none."""
    if not records:
        return None
    return Sought(sum((amount for amount, _ in records), Decimal(0)), tuple(records), key)
