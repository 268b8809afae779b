"""An analysis for the terminal: its main tables."""

from __future__ import annotations

from msgspec import structs

from seamwise.render.plain import cells, cut, one_line, pad, wrap
from seamwise.render.study_cells import NUMERIC, cell_text
from seamwise.study.analysis import Analysis, Table

_WIDEST_WORDS = 34
_PRIMARY = "realized"


def head_lines(told: Analysis) -> list[str]:
    """What was analysed, what was left out, and whether scripts spoke: the lines above every table."""
    lines = [
        f"{told.valid} valid of {told.episodes} episodes, {_many(len(told.worlds), 'world')}, {_many(len(told.models), 'model')}; "
        f"judge: {told.judge or 'none'}"
    ]
    if told.synthetic:
        lines.append(f"synthetic: in {told.synthetic} of {told.valid} valid episodes personas or the rule judge spoke")
    if told.damaged:
        lines.append(f"{_many(len(told.damaged), 'file')} could not be read and {'is' if len(told.damaged) == 1 else 'are'} in no table")
    lines += told.notes
    return lines


def analysis_text(told: Analysis, *, width: int) -> str:
    """The main tables, one below the other."""
    lines = [line for words in head_lines(told) for line in wrap(one_line(words), width)]
    for table in told.tables:
        if table.main and table.rows:
            lines += ["", *_table(table, width)]
    end = "All tables: --html FILE, --csv FOLDER or --json. Intervals: 95 %, Wilson for shares, whole models resampled for means."
    lines += ["", *wrap(end, width)]
    return "\n".join(lines) + "\n"


def _table(table: Table, width: int) -> list[str]:
    rows = table.rows
    if table.name == "contrasts":
        # in the terminal the primary endpoint is enough
        at = [c.name for c in table.columns].index("measure")
        rows = tuple(r for r in rows if r[at] == _PRIMARY)
    if table.brief:
        kept = [i for i, c in enumerate(table.columns) if c.name in table.brief]
        rows = tuple(tuple(r[i] for i in kept) for r in rows)
        table = structs.replace(table, columns=tuple(table.columns[i] for i in kept))
    body = [[cell_text(v, c) for v, c in zip(row, table.columns, strict=True)] for row in rows]
    shown = [[cut(text, _WIDEST_WORDS) if c.kind == "text" else text for text, c in zip(row, table.columns, strict=True)] for row in body]
    heads = [c.label for c in table.columns]
    sizes = [max(cells(head), *(cells(row[i]) for row in shown)) for i, head in enumerate(heads)]
    title = f"{table.title}{'  (synthetic)' if table.synthetic else ''}"
    lines = [title, *(f"  {line}" for line in wrap(table.about, width - 2))]
    right = [c.kind in NUMERIC for c in table.columns]
    if sum(sizes) + 2 * len(sizes) <= width:
        lines += [_line(row, sizes, right) for row in (heads, *shown)]
    else:
        lines += [line for row in shown for line in _stacked(row, heads, table, width)]
    return lines + [line for note in table.notes for line in wrap(one_line(note), width, first="  note: ", rest="    ")]


def _line(row: list[str], sizes: list[int], right: list[bool]) -> str:
    return ("  " + "  ".join(pad(text, size, right=r) for text, size, r in zip(row, sizes, right, strict=True))).rstrip()


def _stacked(row: list[str], heads: list[str], table: Table, width: int) -> list[str]:
    """A row too wide for the terminal: its words on one line, its numbers beneath with their names."""
    words = [text for text, c in zip(row, table.columns, strict=True) if c.kind == "text"]
    numbers = [f"{head} {text}" for text, head, c in zip(row, heads, table.columns, strict=True) if c.kind != "text"]
    return [*wrap("  ".join(words), width, first="  ", rest="    "), *wrap("; ".join(numbers), width, first="    ", rest="    ")]


def _many(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
