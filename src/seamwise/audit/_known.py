"""What an agent had been given before its step crossed a limit.

The running total, or the earlier amounts, are looked for as exact numbers in what reached the agent before its step: the inputs of its
model calls, messages to it, answers of its tools. An equal number alone shows nothing, since amounts repeat: it must stand together with
the key, and be neither the crossing amount itself nor a word of the request that the step carries out. What is found is cited by its
step; where nothing is found, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from seamwise.audit._refs import as_json
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
MAX_GIVEN = 300
"""So many of the latest steps that gave an agent something are looked through."""
MAX_EARLIER = 20
"""So many of the latest earlier amounts are looked for one by one."""


class Sought(NamedTuple):
    """Numbers to look for."""

    total: Decimal
    """The running total before the step."""
    earlier: tuple[tuple[Decimal, StepRef], ...]
    """The amounts that make it up."""
    key: str
    """Whose total it is; a number counts only beside it."""
    own: Decimal | None = None
    """The crossing step's own amount: an equal one is met in every input that holds the request."""


class Knowing:
    """One trace, asked what its agents had been given."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._order: Order | None = None
        self._given: dict[str, list[tuple[int, Step]]] | None = None
        self._texts: dict[int, str] = {}
        self._calls: dict[str, Step] = {}

    def before(self, crossing: StepRef, sought: Sought) -> tuple[str, ...]:
        """What the actor of a step had been given before it, each with the step that shows it."""
        given = self.reached(crossing)[-MAX_GIVEN:]
        if not given or not sought.key:
            return ()
        whose = re.compile(rf"(?<!\w){re.escape(sought.key)}(?!\w)")
        request = self._request(crossing)
        if sought.total and len(sought.earlier) > 1 and sought.total != sought.own:
            pattern = _number(sought.total)
            shows = [(place, step) for place, step in given if _together(self._text(place, step), pattern, whose)]
            if shows and not pattern.search(request):
                place, step = next(((p, s) for p, s in reversed(shows) if s.kind == "input"), shows[-1])
                return (f"the total {_plain(sought.total)} was {_where(step)} at #{place + 1}",)
        said: list[str] = []
        for amount, ref in sought.earlier[-MAX_EARLIER:]:
            pattern = _number(amount)
            if amount == sought.own or pattern.search(request):
                continue
            for place, step in reversed(given):
                if _together(self._text(place, step), pattern, whose) and any(
                    _together(t, pattern, whose) for t in self._parts(place, step)
                ):
                    said.append(f"the {_plain(amount)} of trace {ref.trace} #{ref.index} was {_where(step)} at #{place + 1}")
                    break
        return tuple(said[:MAX_SAID])

    def _request(self, crossing: StepRef) -> str:
        """The arguments of the crossing operation: what was asked for now is no news of what was before."""
        end = self._trace.steps[crossing.index - 1]
        start = self._calls.get(end.call, end) if end.call is not None else end
        data = start.data or {}
        return as_json(data.get("arguments", data if start is not end else {}))[:MAX_TEXT_BYTES]

    def _parts(self, place: int, step: Step) -> Iterator[str]:
        """The messages of an input, each for itself; anything else as a whole."""
        messages = (step.data or {}).get("messages") if step.kind == "input" else None
        if isinstance(messages, list):
            yield from ((m if isinstance(m, str) else as_json(m))[:MAX_TEXT_BYTES] for m in messages)
        else:
            yield self._text(place, step)

    def reached(self, crossing: StepRef) -> list[tuple[int, Step]]:
        """The steps before the crossing one that gave its actor something, the latest last."""
        steps = self._trace.steps
        place = crossing.index - 1
        if not 0 <= place < len(steps) or steps[place].id != crossing.step or crossing.actor is None:
            return []
        if self._given is None:
            self._lay_out()
        end = steps[place]
        start = self._calls.get(end.call, end) if end.call is not None else end
        out = [
            (n, step)
            for n, step in (self._given or {}).get(crossing.actor, ())
            if (step.call is None or step.call != end.call) and step is not start and step is not end and self._precedes(step, start)
        ]
        return sorted(out, key=lambda found: (found[1].time_ns or 0, found[0]))

    def _lay_out(self) -> None:
        given: dict[str, list[tuple[int, Step]]] = {}
        for place, step in enumerate(self._trace.steps):
            if step.kind in GIVEN:
                reached = (step.actor,) if step.kind in ("input", "tool_result") else step.recipients or ()
                for actor in reached:
                    if actor is not None:
                        given.setdefault(actor, []).append((place, step))
            elif step.kind == "tool_call" and step.call is not None:
                self._calls.setdefault(step.call, step)
        self._given = given

    def _precedes(self, step: Step, other: Step) -> bool:
        """Whether a step is known, or recorded, to lie before another."""
        if step.seq is not None and other.seq is not None and step.source == other.source:
            return step.seq < other.seq
        if self._order is None:
            self._order = precedence(self._trace.steps, self._trace.header.clocks)
        if self._order.before(step.id, other.id):
            return True
        earlier = step.time_ns is not None and other.time_ns is not None and step.time_ns < other.time_ns
        return earlier and not self._order.before(other.id, step.id)

    def _text(self, place: int, step: Step) -> str:
        text = self._texts.get(place)
        if text is None:
            text = _content(step)
            call = self._calls.get(step.call) if step.kind == "tool_result" and step.call is not None else None
            if call is not None and call.data is not None:
                text += "\n" + as_json(call.data)[:MAX_TEXT_BYTES]  # an answer is about whom it was asked for
            self._texts[place] = text
        return text


def known_before(trace: Trace, crossing: StepRef, sought: Sought) -> tuple[str, ...]:
    """The same, of one step of a trace."""
    return Knowing(trace).before(crossing, sought)


def _content(step: Step) -> str:
    parts = [step.text or ""]
    if step.data is not None:
        parts.append(as_json(step.data)[:MAX_TEXT_BYTES])
    return "\n".join(parts)


def _together(text: str, number: re.Pattern[str], whose: re.Pattern[str]) -> bool:
    """Whether a text holds a number and a key, and not one word that is both."""
    numbers = _ends(number.finditer(text))
    keys = _ends(whose.finditer(text)) if numbers else ()
    return any(n.end() <= k.start() or k.end() <= n.start() for n in numbers for k in keys)


def _ends(found: Iterator[re.Match[str]]) -> tuple[re.Match[str], ...]:
    """The first and the last."""
    every = list(found)
    return (every[0], every[-1]) if every else ()


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


def sought_in(records: Sequence[tuple[Decimal, StepRef]], key: str, own: Decimal | None = None) -> Sought | None:
    """What to look for, given the earlier amounts and the crossing one; None: there are none."""
    if not records:
        return None
    return Sought(sum((amount for amount, _ in records), Decimal(0)), tuple(records), key, own)
