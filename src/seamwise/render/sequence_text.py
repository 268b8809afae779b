"""A trace as a sequence diagram in text: agents as columns, arrows between them, time (file order) downwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from seamwise.record import Step, Trace
from seamwise.render.plain import cells, cut, one_line
from seamwise.render.step_text import DIRECTED, colour_of, gist, shown_name
from seamwise.render.trace_text import Numbered, ending, heading, select_steps

_LEAST_COLUMN = 12
"""Fewest terminal columns of an agent; with more agents than fit, the quiet ones share a column."""
_LEAST_CELLS = 40
_LEAST_LABEL = 30
"""Columns that a label should have; with fewer to the right of where it belongs, it goes further left."""


class _Marks(NamedTuple):
    """The characters that a diagram is drawn with."""

    life: str
    dash: str
    right: str
    left: str
    note: str
    more: str


_FINE = _Marks("│", "─", "▶", "◀", "●", "…")
_ASCII = _Marks("|", "-", ">", "<", "*", "~")


class SequenceView:
    """A rich renderable of one trace. Made by :func:`sequence_view`."""

    def __init__(self, trace: Trace, chosen: list[Numbered], n_hidden: int) -> None:
        self._trace = trace
        self._chosen = chosen
        self._n_hidden = n_hidden

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width, _LEAST_CELLS)
        marks = _ASCII if options.ascii_only else _FINE
        yield from heading(self._trace, len(self._chosen) + self._n_hidden, width)
        gutter = len(str(len(self._trace.steps))) + 2
        names, shared = _columns(self._chosen, width - gutter)
        sheet = _Sheet(gutter, width, names, shared, marks)
        if self._chosen:
            yield sheet.names()
        for place, step in self._chosen:
            yield from sheet.step(place, step)
        yield from ending(len(self._chosen), self._n_hidden)


def sequence_view(
    trace: Trace,
    *,
    agents: Collection[str] = (),
    kinds: Collection[str] = (),
    streams: Collection[str] = (),
    limit: int | None = None,
) -> SequenceView:
    """A trace to print with rich, as a sequence diagram that fits the terminal's width.

    An arrow goes from an actor to each recipient. A step that goes to nobody in particular is a mark in its actor's column. A recipient
    that was not recorded is ``?``. Where more agents take part than fit, the quietest share one column.

    Args:
        trace: What to show.
        agents: See :func:`select_steps`.
        kinds: See :func:`select_steps`.
        streams: See :func:`select_steps`.
        limit: Most steps shown; the rest is counted.
    """
    chosen = select_steps(trace, agents=agents, kinds=kinds, streams=streams)
    shown = chosen if limit is None else chosen[:limit]
    return SequenceView(trace, shown, len(chosen) - len(shown))


def _columns(chosen: list[Numbered], width: int) -> tuple[list[str], frozenset[str]]:
    """The agents with a column of their own, in order of appearance, and those that share one."""
    busy: Counter[str] = Counter()
    for _, step in chosen:
        busy.update(name for name in (step.actor, *(step.recipients or ())) if name is not None)
    room = max(2, width // _LEAST_COLUMN)
    if len(busy) <= room:
        return list(busy), frozenset()
    kept = {name for name, _ in busy.most_common(room - 1)}
    return [name for name in busy if name in kept], frozenset(busy.keys() - kept)


class _Sheet:
    """Paper ruled with one life line an agent."""

    def __init__(self, gutter: int, width: int, names: list[str], shared: frozenset[str], marks: _Marks) -> None:
        self._gutter, self._width, self._marks = gutter, width, marks
        self._heads: list[tuple[str, str]] = [(shown_name(name, 99), colour_of(name)) for name in names]
        if shared:
            self._heads.append((f"{len(shared)} others", "dim"))
        self._pitch = max((width - gutter) // max(len(self._heads), 1), 2)
        column = {name: i for i, name in enumerate(names)} | dict.fromkeys(shared, len(names))
        self._x = {name: gutter + i * self._pitch + 1 for name, i in column.items()}
        self._lines = [gutter + i * self._pitch + 1 for i in range(len(self._heads))]

    def names(self) -> Text:
        """The line of names above the life lines."""
        row = _Row(self._width)
        for (name, colour), x in zip(self._heads, self._lines, strict=True):
            row.put(x - 1, cut(name, self._pitch - 2), f"bold {colour}")
        return row.text(self._marks)

    def step(self, place: int, step: Step) -> list[Text]:
        """The rows of one step: what it is about, then its arrow; or both in one, for a step that goes nowhere."""
        start = None if step.actor is None else self._x[step.actor]
        ends = sorted({self._x[name] for name in step.recipients or ()} - {start})
        colour = "dim" if step.actor is None else colour_of(step.actor)
        first = self._blank(place)
        if not ends:
            self._note(first, step, start, colour)
            return [first.text(self._marks)]
        points = ends if start is None else [start, *ends]
        left, right = min(points), max(points)
        room = self._width - left - 2
        if room >= _LEAST_LABEL:
            first.put_text(left + 2, self._label(step, room))
        else:
            label = self._label(step, self._width - self._gutter)
            first.put_text(self._width - cells(label.plain), label)
        arrow = self._blank(None)
        marks = self._marks
        if start is None:
            left = max(left - 4, 0)
            arrow.put(left, "?", "dim")
            left += 1
        else:
            left += left == start
        for x in range(left, right):
            arrow.put(x, marks.dash, colour)
        if start is not None:
            arrow.put(start, marks.life, "dim")
        for x in ends:
            rightwards = start is None or x > start
            arrow.put(x - 1 if rightwards else x + 1, marks.right if rightwards else marks.left, colour)
            arrow.put(x, marks.life, "dim")
        return [first.text(marks), arrow.text(marks)]

    def _note(self, row: _Row, step: Step, start: int | None, colour: str) -> None:
        """A mark in the actor's column, with the label on the side where there is room."""
        to = ""
        if step.recipients == ():
            to = f"{self._marks.dash * 2}{self._marks.right} nobody "
        elif step.recipients is None and step.kind in DIRECTED:
            to = f"{self._marks.dash * 2}{self._marks.right} ? "
        x = self._gutter if start is None else start
        row.put(x, "?" if start is None else self._marks.note, colour)
        room = self._width - x - 2
        if room < _LEAST_LABEL and x - self._gutter > room:
            label = self._label(step, x - self._gutter - 1 - len(to))
            row.put_text(x - 1 - cells(label.plain) - len(to), label)
            row.put(x - 1 - len(to), " " + to.rstrip(), colour)
        else:
            row.put(x + 2, to, colour)
            row.put_text(x + 2 + len(to), self._label(step, room - len(to)))

    def _label(self, step: Step, width: int) -> Text:
        label = Text()
        if step.kind != "message":
            label.append(cut(one_line(step.kind), 16), "dim")
        about = gist(step, width - cells(label.plain) - bool(label))
        if about:
            label.append(" " * bool(label))
            label.append_text(about)
        return label

    def _blank(self, place: int | None) -> _Row:
        row = _Row(self._width)
        for x in self._lines:
            row.put(x, self._marks.life, "dim")
        if place is not None:
            row.put(0, f"#{place}", "dim")
        return row


class _Row:
    """One line of a terminal as cells, so that things can be laid over one another."""

    def __init__(self, width: int) -> None:
        self._cells = [" "] * width
        self._styles = [""] * width

    def put(self, x: int, text: str, style: str) -> None:
        """Lays text over the row from column ``x`` on; what does not fit is cut."""
        for char in text:
            size = cells(char)
            if size == 0 and 0 < x <= len(self._cells):
                self._cells[x - 1] += char
            elif x >= 0 and x + size <= len(self._cells):
                self._cells[x] = char
                self._styles[x] = style
                if size == 2:
                    self._cells[x + 1] = ""
            x += size

    def put_text(self, x: int, text: Text) -> None:
        """Lays styled text over the row."""
        for i, char in enumerate(text.plain):
            style = next((str(span.style) for span in reversed(text.spans) if span.start <= i < span.end), "")
            self.put(x, char, style)
            x += cells(char)

    def text(self, marks: _Marks) -> Text:
        """The row as rich has it."""
        line = Text(no_wrap=True, overflow="ignore")
        for style, run in groupby(zip(self._styles, self._cells, strict=True), key=itemgetter(0)):
            line.append("".join(char for _, char in run).replace("…", marks.more), style)
        line.rstrip()
        return line
