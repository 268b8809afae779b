"""A result with blanks, as it is written: whoever fills in names and steps has the line that the filled result would be written as."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._items import Item
from seamwise.audit._place import front, names, natural
from seamwise.audit._refs import Held, Made, marked, told
from seamwise.audit._result import Result, StepRef
from seamwise.audit._shape import BEGIN, END, Shape
from seamwise.audit._told import Told, encode, mark_of
from seamwise.binding import Bound, step_shown
from seamwise.kernel import Record

Blank = tuple[str, int, tuple[str, ...]]
"""What is to be filled in: its sort, the place of the record or name that it is about, and marks. The sorts:

``N`` a name, ``S`` the own id of the step of that name, ``C`` the call of a record, ``U`` a record's step in words: all inside a text;
``H`` the headline; ``R`` a reference to a record's step, marked. Of a place among results only names are blanks.
"""
Part = bytes | Blank
Headline = Callable[[Sequence[Record], Sequence[str]], str]
"""Writes a headline, given the records and names of a lot."""

_LEFT = ("\\u000e", "x0e")
"""The beginning of a blank as it is written, also inside a value that is told as Python writes it."""
_HEADLINE = f"{BEGIN}H0{END}"
_LINE = re.compile(
    rb'\{"trace":"\\u000eT\d+\\u000f"[^{}]*?(?:"marks":\[(?P<marks>[^\[\]]*)\],)?"at":(?P<ref>\d+)\}'
    rb"|trace \\u000eT\d+\\u000f #0, \\u000eU(?P<told>\d+)\\u000f, \\u000eX\\u000f"
    rb"|\\u000eI(?P<id>\d+)\\u000f#\\u000eS\d+\\u000f"
    rb"|\\u000e(?P<sort>[NSCH])(?P<at>\d+)\\u000f"
)
_VALUE = re.compile(f"{BEGIN}(?P<sort>[NS])(?P<at>\\d+){END}")


class BlankRef(StepRef, frozen=True, kw_only=True):
    """Stands for the reference of a record."""

    at: int
    """The record's place in the shape."""


def blank_ref(at: int, first: int, called: bool) -> BlankRef:
    """The reference of a record with blanks for its words.

    Args:
        at: The record's place in the shape.
        first: The first place of a record of the same step.
        called: Whether the step belongs to a call.
    """
    return BlankRef(
        trace=f"{BEGIN}T{first}{END}",
        step=f"{first}",
        index=0,
        kind="",
        actor=f"{BEGIN}U{at}{END}",
        tool=f"{BEGIN}X{END}",
        call=f"{BEGIN}C{at}{END}" if called else None,
        at=at,
    )


def step_of(item: Item) -> tuple[str, str, str | None]:
    """Trace, step and call of what a record came with."""
    if isinstance(item, Held):
        return item.ref.trace, item.ref.step, item.ref.call
    assert isinstance(item, Bound)
    return item.record.trace or "", item.step.id, item.step.call


class Template(NamedTuple):
    """A result with blanks."""

    line: tuple[Part, ...]
    place: tuple[Part, ...]
    mark: int
    headline: Headline | None

    def mentions(self, text: str) -> bool:
        """Whether a text stands outside of all blanks."""
        return any(type(part) is bytes and text.encode() in part for part in self.line)

    def told(self, shape: Shape, made: Made) -> Told:
        """The result of a lot.

        Raises:
            UnicodeEncodeError: A name holds what UTF-8 cannot.
        """
        lot, names = shape.lot, shape.names
        place = [part if isinstance(part, bytes) else self._named(part, names) for part in self.place]
        line: list[bytes] = []
        for part in self.line:
            # asked of every part of every result, so the commonest blanks are filled where they stand
            if isinstance(part, bytes):
                line.append(part)
                continue
            sort, at, marks = part
            if sort == "R":
                line.append(encode(marked(made.ref(lot[at][1]), *marks)) if marks else made.line(lot[at][1]))
            elif sort == "N":
                line.append(encode(names[at])[1:-1])
            else:
                line.append(encode(self._said(sort, at, shape, made))[1:-1])
        return Told(b"".join(place), self.mark, b"".join(line))

    def _named(self, blank: Blank, names: Sequence[str]) -> bytes:
        sort, at, _ = blank
        return natural(names[at] if sort == "N" else step_shown(names[at]))

    def _said(self, sort: str, at: int, shape: Shape, made: Made) -> str:
        """What stands in a blank inside a text."""
        if sort == "S":
            return step_shown(shape.names[at])
        if sort == "U":
            return told(made.ref(shape.lot[at][1]))
        if sort == "C":
            return step_of(shape.lot[at][1].item)[2] or ""
        assert self.headline is not None
        return self.headline([placed.record for _, placed in shape.lot], shape.names)


def template_of(result: Result, contract: int, headline: Headline | None = None) -> Template | None:
    """The result as a template; None: its instance is named in a way that cannot be filled in.

    Args:
        result: A result with blanks.
        contract: The contract's place in the pack.
        headline: Writes the headline for each lot; None: it is the result's, with its blanks.
    """
    if headline is not None:
        result = msgspec.structs.replace(result, headline=_HEADLINE)
    place: list[Part] = [front(result.status, contract)]
    for name, value in result.instance.items():
        blank = _VALUE.fullmatch(value)
        if BEGIN in name or (blank is None and BEGIN in value):
            return None
        place.append(natural(value) if blank is None else (blank["sort"], int(blank["at"]), ()))
    place.append(names(result.instance))
    template = Template(_parts(encode(result)), _joined(place), mark_of(result.status, required=result.required), headline)
    return None if any(map(template.mentions, _LEFT)) else template


def _parts(line: bytes) -> tuple[Part, ...]:
    parts: list[Part] = []
    at = 0
    for found in _LINE.finditer(line):
        parts += (line[at : found.start()], _blank(found))
        at = found.end()
    return _joined([*parts, line[at:]])


def _blank(found: re.Match[bytes]) -> Blank:
    if found["ref"] is not None:
        marks = msgspec.json.decode(b"[" + found["marks"] + b"]", type=tuple[str, ...]) if found["marks"] else ()
        return "R", int(found["ref"]), marks
    if found["id"] is not None:
        return "N", int(found["id"]), ()
    if found["told"] is not None:
        return "U", int(found["told"]), ()
    return found["sort"].decode(), int(found["at"]), ()


def _joined(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The same with constant parts put together."""
    out: list[Any] = []
    for part in parts:
        if type(part) is bytes and out and type(out[-1]) is bytes:
            out[-1] += part
        elif part != b"":
            out.append(part)
    return tuple(out)
