"""An analysis as one self-contained page: no script, no request, nothing recorded that can act in it.

Figures stand with their tables. Long tables are folded; a reader without scripts, without images or without colours loses nothing.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files

from seamwise.render.plain import visible
from seamwise.render.study_cells import NUMERIC, cell_text
from seamwise.render.study_figures import figures
from seamwise.render.study_text import head_lines
from seamwise.study.analysis import Analysis, Table, about_world

_FOLDED = 24
"""Tables with more rows are folded."""


def study_html(told: Analysis) -> str:
    """The page, in ASCII."""
    style = files("seamwise.render").joinpath("study.css").read_text(encoding="utf-8")
    drawn = figures(told)
    sections = [("all", "All worlds", [t for t in told.tables if not t.world])]
    for world in told.worlds:
        mine = [t for t in told.tables if t.world == world]
        if mine:
            about = about_world(world)
            sections.append((world, f"{about.code} {about.title}", mine))
    menu = "".join(f'<li><a href="#{_id(key)}">{_text(title)}</a></li>' for key, title, _ in sections)
    body = "".join(
        f'<section id="{_id(key)}"><h2>{_text(title)}</h2>{"".join(_table(t, drawn.get(t.name, [])) for t in tables)}</section>'
        for key, title, tables in sections
    )
    page = _TEMPLATE.format(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'",
        style=style,
        badge=_badge(told.synthetic > 0),
        head="".join(f"<p>{_text(line)}</p>" for line in head_lines(told)),
        damaged=_damaged(told),
        menu=menu,
        body=body,
        drawn=_text(
            f"Intervals: Wilson, 95 %, for shares; whole models resampled ({told.parameters.resamples} draws, seed {told.parameters.seed}) "
            "for means and differences. p-values are unadjusted."
        ),
    )
    return page.encode("ascii", "xmlcharrefreplace").decode()


def _hash(style: str) -> str:
    return f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}"


def _text(words: str) -> str:
    return escape(visible(words))


def _id(key: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in key)


def _badge(synthetic: bool) -> str:
    return ' <span class="badge">synthetic</span>' if synthetic else ""


def _damaged(told: Analysis) -> str:
    if not told.damaged:
        return ""
    items = "".join(f"<li><code>{_text(file)}</code>: {_text(why)}</li>" for file, why in told.damaged)
    return f'<details class="problem"><summary>Not read: {len(told.damaged)}</summary><ul>{items}</ul></details>'


def _table(table: Table, drawn: list[str]) -> str:
    title = f"<h3>{_text(table.title)}{_badge(table.synthetic)}</h3><p>{_text(table.about)}</p>"
    notes = "".join(f'<p class="note">{_text(note)}</p>' for note in table.notes)
    name = f'tabindex="0" role="group" aria-label="{_text(table.title)}: figure"'
    pictures = f"<figure {name}>{''.join(drawn)}</figure>" if drawn else ""
    # a matrix takes the width for itself
    beside = ' class="beside"' if drawn and not any('class="wide"' in svg for svg in drawn) else ""
    return f'<article id="{_id(table.name)}"{beside}>{title}{pictures}{_grid(table)}{notes}</article>'


def _grid(table: Table) -> str:
    if not table.rows:
        return '<p class="note">no rows: nothing of this kind was recorded</p>'
    heads = "".join(f'<th scope="col"{_side(c.kind)}>{_text(c.label)}</th>' for c in table.columns)
    rows = []
    for row in table.rows:
        cells = [
            f'<th scope="row">{_text(cell_text(v, c))}</th>' if i == 0 else f"<td{_side(c.kind)}>{_text(cell_text(v, c))}</td>"
            for i, (v, c) in enumerate(zip(row, table.columns, strict=True))
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    grid = (
        f'<div class="grid" tabindex="0" role="region" aria-label="{_text(table.title)}: table"><table>'
        f'<caption class="hidden">{_text(table.title)}</caption><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
    return grid if len(rows) <= _FOLDED else f"<details><summary>Table, {len(rows)} rows</summary>{grid}</details>"


def _side(kind: str) -> str:
    return ' class="num"' if kind in NUMERIC else ""


_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Seamwise analysis</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">To the tables</a>
<header><h1>Seamwise analysis{badge}</h1>{head}{damaged}<nav aria-label="Worlds"><ul>{menu}</ul></nav></header>
<main id="main">{body}</main>
<footer><p>{drawn}</p></footer>
</body>
</html>
"""
