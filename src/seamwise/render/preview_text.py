"""How a page binds recordings, for the terminal: stream by stream, then what no rule takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from seamwise.render._names import plural, short, value_words
from seamwise.render._rollup import disagreements
from seamwise.render.plain import cells, cut, one_line, pad, wrap
from seamwise.workbench import FieldSeen, Preview, StreamSeen, Untaken

_UNTAKEN = 12
"""Things that no rule takes which are named; the others are counted."""


def preview_text(shown: Preview, *, width: int = 100, colour: bool = False, everything: bool = False) -> str:
    """The preview as text that ends in a newline.

    Args:
        shown: The preview.
        width: Columns of the terminal.
        colour: Whether to write the terminal's colour codes.
        everything: Name everything that no rule takes.
    """
    page = _Page(max(width, 40), colour)
    return "\n".join(line.rstrip() for line in page.lines(shown, everything)) + "\n"


class _Page:
    def __init__(self, width: int, colour: bool) -> None:
        self.width = width
        self.colour = colour

    def lines(self, shown: Preview, everything: bool) -> Iterator[str]:
        """All lines."""
        read = (plural(shown.n_traces, "trace"), plural(shown.n_steps, "step"), plural(shown.n_files, "file"))
        yield from wrap(f"{', '.join(read)}; {one_line(shown.page)} takes {shown.n_taken:,} of the steps; nothing is judged", self.width)
        for error in shown.errors:
            told = f"{one_line(error.where)}: {one_line(error.message)}" + (f" ({one_line(error.hint)})" if error.hint else "")
            yield from self.warned(told)
        for line in disagreements(shown.tables):
            yield from self.warned(line)
        for stream in shown.streams:
            yield ""
            yield from self.stream(stream)
        if not shown.streams:
            yield ""
            yield from wrap("the page binds nothing: it has no streams (seamwise init writes some)", self.width)
        yield from self.untaken(shown.untaken, everything)

    def warned(self, text: str) -> Iterator[str]:
        """A line that needs a look."""
        for i, line in enumerate(wrap(text, self.width, first="! ", rest="  ")):
            yield f"{self.paint('!', '1;33')}{line[1:]}" if i == 0 else line

    def paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def stream(self, s: StreamSeen) -> Iterator[str]:
        """One stream."""
        head = f"{plural(s.n, 'record')} in {plural(s.traces, 'trace')}" if s.n else "no record"
        keys = f", {plural(s.keys, s.key)}" if s.key is not None and s.keys else ""
        yield f"{self.paint(one_line(s.name), '1')}  {head}{keys}"
        for rule in s.rules:
            if not rule.n:
                yield from self.warned(
                    f"{rule.place}: {one_line(rule.selects)} takes nothing" + (f": {one_line(rule.hint)}" if rule.hint else "")
                )
        if not s.n:
            return
        for words in s.no_success:
            yield from self.warned(one_line(words))
        if s.without_key:
            yield from self.warned(f"{s.without_key} of {plural(s.n, 'record')} without a key: they may be anybody's")
        if s.weightless:
            yield f"  {s.weightless} of {plural(s.n, 'record')} without weight: their source has no authority"
        yield f"  outcomes: {_counted(s.outcomes)}; kinds: {_counted(s.kinds)}; order: {_counted(s.order)}"
        rows = [[one_line(f.name), f"{f.n:,} of {s.n:,}", _counted(f.types, 2), ", ".join(map(one_line, f.samples))] for f in s.fields]
        sizes = [max(cells(row[i]) for row in rows) if rows else 0 for i in range(3)]
        for field, row in zip(s.fields, rows, strict=True):
            left = "    " + "  ".join(pad(cell, size, right=i == 1) for i, (cell, size) in enumerate(zip(row, sizes, strict=False)))
            yield cut(f"{left}  {row[3]}", self.width)
            yield from self.field(field)
        for example in s.examples:
            at = _shorter(str(example["at"]))
            fields = ", ".join(f"{one_line(name)} {value_words(value)}" for name, value in example["fields"].items())
            told = f"{at}, {one_line(str(example['kind']))}: {fields}"
            yield from wrap(told, self.width, first="  e.g. ", rest="       ")

    def field(self, f: FieldSeen) -> Iterator[str]:
        """What is wrong with a field, if anything."""
        if f.missing:
            where = f", first at {_shorter(f.first_missing)}" if f.first_missing else ""
            yield from wrap(f"not recorded in {f.missing:,}{where}", self.width, first="      - ", rest="        ")
        if f.unparsed:
            for i, line in enumerate(
                wrap(f"does not parse in {f.unparsed:,}: {one_line(f.first_unparsed)}", self.width, first="      ! ", rest="        ")
            ):
                yield f"      {self.paint('!', '1;33')}{line[7:]}" if i == 0 else line

    def untaken(self, untaken: Sequence[Untaken], everything: bool) -> Iterator[str]:
        """What no rule takes."""
        tools = [u for u in untaken if u.tool is not None]
        kinds = [u for u in untaken if u.tool is None]
        for title, found in (("calls that no rule takes", tools), ("steps that no rule takes", kinds)):
            if not found:
                continue
            yield ""
            told = found if everything else found[:_UNTAKEN]
            words = ", ".join(f"{one_line(u.tool or u.kind)} {u.n:,}" for u in told)
            more = f", and {plural(len(found) - len(told), 'other')} (--all names them)" if len(found) > len(told) else ""
            yield from wrap(f"{title}: {words}{more}", self.width, rest="  ")


_ID = re.compile(r"(?<=trace )[0-9a-f]{16,32}(?= #)")


def _shorter(place: str) -> str:
    """A place with the long number of its trace cut to its first digits."""
    return _ID.sub(lambda found: short(found[0]), one_line(place))


def _counted(counts: dict[str, int], most: int = 6) -> str:
    found = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    if len(found) == 1 and most == 2:
        return found[0][0]
    told = ", ".join(f"{one_line(name)} {n:,}" for name, n in found[:most])
    return told + (f" and {len(found) - most} more" if len(found) > most else "") or "none"
