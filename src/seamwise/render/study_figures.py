"""Figures of an analysis as SVG: every number in them stands in a table, and nothing is worked out here but places on the paper.

Colours are classes of the page, so that light and dark are one drawing. A figure is an image with a name to a screen reader; what it shows
is in the table beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import sqrt
from typing import Any

from seamwise.render.plain import cut, visible
from seamwise.render.study_cells import interval_text, number_text, share_text
from seamwise.study.analysis import Analysis, Interval, Share, Table

WIDE, WIDTH = 560, 380
"""Matrices need the first and are scrolled on a narrow screen; everything else fits one."""
_ROW = 54
_LEFT, _RIGHT = 10, 10


CHANGES = {
    "realized": "Change in realized failures",
    "total_paid": "Change in what was paid, dollars",
    "history checked, of paying turns": "Change in history checks",
    "l3": "Change in the score on the decisive defect",
}
"""Differences that are drawn, each measure by itself, since units differ."""


def _change(row: dict[str, Any]) -> str:
    return f"{row['world']}, {row['of']}: {row['second']} minus {row['first']}"


def figures(told: Analysis) -> dict[str, list[str]]:
    """Name of a table -> its figures, as SVG."""
    made: dict[str, list[str]] = {}
    for table in told.tables:
        drawn = [svg for svg in _of(table) if svg]
        if drawn:
            made[table.name] = drawn
    return made


def _of(table: Table) -> list[str]:
    rows = table.records()
    kind = table.name.split("_", 1)[-1]
    if table.name == "realization":
        return [_bars("Realized failures by condition", [(f"{r['world']} {r['condition']}", r["rate"]) for r in rows])]
    if table.name == "models":
        return [_bubbles(rows)]
    if table.name == "contrasts":
        return [_dumbbells([r for r in rows if r["measure"] == "realized" and r["first_rate"] is not None])]
    if table.name == "differences":
        return [
            _effects(title, [(_change(r), r["difference"]) for r in rows if r["measure"] == measure]) for measure, title in CHANGES.items()
        ]
    if kind.endswith("crossing"):
        return [_bars("Before the crossing step", [(r["observation"], r["rate"]) for r in rows])]
    if kind.endswith("handoffs"):
        return [_heatmap(rows)]
    if kind.endswith("dispositions"):
        return [_dispositions(rows)]
    if kind.endswith("evidence"):
        return [
            _bars(
                "Public vendor attribution by access to evidence",
                [(f"{r['condition']}, evidence opened: {r['evidence']}", r["public_vendor"]) for r in rows],
            )
        ]
    if kind.endswith("detectors"):
        return [_bars("Positive episodes by detector", [(f"{r['detector']}, {r['domain']}", r["rate"]) for r in rows])]
    if kind.endswith("fields"):
        return [_bars("Protected fields that reach the asker, by the judge", [(f"{r['domain']}: {r['field']}", r["judge"]) for r in rows])]
    if kind.endswith("cascade"):
        return [_partition("How far a miss went", [(r["about"], r["rate"]) for r in rows])]
    if kind.endswith("routing"):
        return [_bars("Where the review went", [(r["delegate"], r["routed"]) for r in rows])]
    if kind.endswith("bids"):
        return [_effects("Self-rating minus solo score", [(r["delegate"], r["gap"]) for r in rows])]
    return []


def _svg(title: str, height: float, body: Sequence[str], width: float = WIDTH) -> str:
    name = escape(visible(title))
    return (
        f'<svg class="{"slim" if width == WIDTH else "wide"}" viewBox="0 0 {width:g} {_n(height)}" '
        f'width="{width:g}" height="{_n(height)}" role="img" aria-label="{name}">'
        f"<title>{name}</title>{''.join(body)}</svg>"
    )


def _n(value: float) -> str:
    """A place on the paper: two digits after the point at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    held = f' class="{kind}"' if kind else ""
    return f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"{held}>{escape(visible(words))}</text>'


def _rect(x: float, y: float, width: float, height: float, kind: str, more: str = "") -> str:
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(max(0, width))}" height="{_n(height)}" class="{kind}"{more}/>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" class="{kind}"/>'


def _dot(x: float, y: float, radius: float, kind: str) -> str:
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="{kind}"/>'


def _bars(title: str, rows: Sequence[tuple[str, Share]]) -> str:
    """Shares from 0 to 100 % with their intervals; the words stand above each bar, so that it fits a narrow screen."""
    if not rows:
        return ""
    wide = WIDTH - _LEFT - _RIGHT
    body = []
    for i, (label, share) in enumerate(rows):
        y = 8 + i * _ROW
        body += [_text(_LEFT, y + 12, cut(label, 52)), _text(_LEFT, y + 42, share_text(share), "soft")]
        body.append(_rect(_LEFT, y + 19, wide, 10, "track"))
        if share.share is not None and share.low is not None and share.high is not None:
            body.append(_rect(_LEFT, y + 19, wide * share.share, 10, "fill"))
            body += _whisker(_LEFT + wide * share.low, _LEFT + wide * share.high, y + 24)
    return _svg(title, 12 + len(rows) * _ROW, body)


def _whisker(low: float, high: float, y: float) -> list[str]:
    return [_line(low, y, high, y, "whisker"), _line(low, y - 4, low, y + 4, "whisker"), _line(high, y - 4, high, y + 4, "whisker")]


def _effects(title: str, rows: Sequence[tuple[str, Interval]]) -> str:
    """Differences around zero."""
    rows = [(label, v) for label, v in rows if v.value is not None]
    if not rows:
        return ""
    ends = [abs(x) for _, v in rows for x in (v.value, v.low, v.high) if x is not None]
    reach = max(0.1, *ends) * 1.05
    middle, half = WIDTH / 2, WIDTH / 2 - _LEFT
    height = 24 + len(rows) * _ROW
    body = [_line(middle, 4, middle, height - 18, "axis")]
    for i, (label, v) in enumerate(rows):
        y = 4 + i * _ROW
        body += [_text(_LEFT, y + 12, cut(label, 52)), _text(_LEFT, y + 42, interval_text(v), "soft")]
        if v.low is not None and v.high is not None:
            body += _whisker(middle + half * v.low / reach, middle + half * v.high / reach, y + 25)
        body.append(_dot(middle + half * (v.value or 0) / reach, y + 25, 5, "fill"))
    body.append(_text(_LEFT, height - 4, number_text(-reach), "soft"))
    body += [_text(middle, height - 4, "0", "soft", "middle"), _text(WIDTH - _RIGHT, height - 4, f"+{number_text(reach)}", "soft", "end")]
    return _svg(title, height, body)


def _bubbles(rows: Sequence[dict[str, Any]]) -> str:
    """Models by worlds; the area is the rate, and a dot is a model that a world has no rate for."""
    worlds = list(dict.fromkeys(r["world"] for r in rows))
    models = sorted({r["model"] for r in rows})
    if not rows or len(models) < 2:
        return ""
    rates = {(r["model"], r["world"]): r["rate"].share for r in rows}
    left, cell = 170.0, 30.0
    step = (WIDE - left - _RIGHT) / len(worlds)
    body = [_text(left + (i + 0.5) * step, 16, cut(w, 12), "", "middle") for i, w in enumerate(worlds)]
    for j, model in enumerate(models):
        y = 26 + (j + 0.5) * cell
        body += [_line(_LEFT, y + cell / 2, WIDE - _RIGHT, y + cell / 2, "grid"), _text(_LEFT, y + 4, cut(model, 24))]
        for i, world in enumerate(worlds):
            x, share = left + (i + 0.5) * step, rates.get((model, world))
            if share is None:
                body.append(_dot(x - 14, y, 2, "none"))
                continue
            body.append(_dot(x - 14, y, 13 * sqrt(share), "bubble"))
            body.append(_text(x + 3, y + 4, f"{100 * share:.0f} %", "soft"))
    return _svg("Rate of realized failures by model and world", 30 + len(models) * cell, body, WIDE)


def _dumbbells(rows: Sequence[dict[str, Any]]) -> str:
    """Two rates of the same pairs."""
    if not rows:
        return ""
    wide = WIDTH - _LEFT - _RIGHT - 12
    body = []
    for i, r in enumerate(rows):
        y = 8 + i * _ROW
        p = "no p" if r["p_unadjusted"] is None else f"p {r['p_unadjusted']:.2g} unadjusted"
        body.append(_text(_LEFT, y + 12, cut(f"{r['world']}, {r['of']}: {r['first']} to {r['second']}", 52)))
        body.append(_text(_LEFT, y + 42, f"{100 * r['difference']:+.1f} points, {p}", "soft"))
        a, b = _LEFT + 6 + wide * r["first_rate"], _LEFT + 6 + wide * r["second_rate"]
        body += [_line(_LEFT, y + 25, WIDTH - _RIGHT, y + 25, "grid"), _line(a, y + 25, b, y + 25, "bar")]
        body += [
            f'<circle cx="{_n(a)}" cy="{_n(y + 25)}" r="5" class="hollow"/>',
            f'<circle cx="{_n(b)}" cy="{_n(y + 25)}" r="5" class="fill"/>',
        ]
    return _svg("Paired rates of realized failures, first (hollow) and second (filled)", 12 + len(rows) * _ROW, body)


def _heatmap(rows: Sequence[dict[str, Any]]) -> str:
    hops = list(dict.fromkeys(r["hop"] for r in rows))
    axes = list(dict.fromkeys(r["axis"] for r in rows))
    if not rows:
        return ""
    left, cell = 92.0, 38.0
    step = (WIDE - left - _RIGHT) / len(axes)
    at = {(r["hop"], r["axis"]): r["rate"] for r in rows}
    body = [_text(left + (i + 0.5) * step, 16, cut(a.replace("_", " "), 13), "", "middle") for i, a in enumerate(axes)]
    for j, hop in enumerate(hops):
        y = 24 + j * cell
        body.append(_text(_LEFT, y + cell / 2 + 4, hop.replace("_", " ")))
        for i, axis in enumerate(axes):
            rate = at[(hop, axis)]
            x = left + i * step
            body.append(_rect(x + 1, y + 1, step - 2, cell - 2, "track"))
            if rate.share is None:
                body += [
                    _rect(x + 1, y + 1, step - 2, cell - 2, "track"),
                    _text(x + step / 2, y + cell / 2 + 4, "no rate", "soft", "middle"),
                ]
                continue
            body.append(_rect(x + 1, y + 1, step - 2, cell - 2, "track"))
            body.append(_rect(x + 1, y + 1, step - 2, cell - 2, "heat", f' fill-opacity="{_n(0.75 * rate.share)}"'))
            body.append(_text(x + step / 2, y + 17, f"{100 * rate.share:.0f} %", "strong", "middle"))
            body.append(_text(x + step / 2, y + 31, f"{rate.k}/{rate.n}", "strong", "middle"))
    return _svg("Misstated information by handoff and axis", 28 + len(hops) * cell, body, WIDE)


def _stack(title: str, rows: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> str:
    """Whole numbers that make up a whole, in bars of one length."""
    rows = [(label, parts) for label, parts in rows if sum(n for _, n in parts)]
    if not rows:
        return ""
    wide = WIDTH - _LEFT - _RIGHT
    body = []
    for i, (label, parts) in enumerate(rows):
        y, x, whole = 8 + i * _ROW, float(_LEFT), sum(n for _, n in parts)
        body.append(_text(_LEFT, y + 12, cut(label, 30)))
        body.append(_text(_LEFT, y + 42, ", ".join(f"{n} {name}" for name, n in parts if n), "soft"))
        for j, (_, n) in enumerate(parts):
            body.append(_rect(x, y + 19, wide * n / whole, 12, f"part-{j}"))
            x += wide * n / whole
    return _svg(title, 12 + len(rows) * _ROW, body)


def _dispositions(rows: Sequence[dict[str, Any]]) -> str:
    parts = (("drifted", "drifted"), ("drift-free", "drift_free"), ("withheld", "withheld"), ("unassessed", "unassessed"))
    return _stack("What became of the email", [(r["condition"], [(name, r[key]) for name, key in parts]) for r in rows])


def _partition(title: str, rows: Sequence[tuple[str, Share]]) -> str:
    """One bar in parts, and beneath it what each is."""
    if not rows or not rows[0][1].n:
        return ""
    kinds = ("part-1", "fill", "part-2", "part-0")  # from what was caught to what was not
    wide, x = WIDTH - _LEFT - _RIGHT, float(_LEFT)
    body = []
    for i, (about, share) in enumerate(rows):
        part = wide * (share.share or 0)
        body.append(_rect(x, 8, part, 30, kinds[i % 4]))
        y = 58 + i * 40
        body += [
            _rect(_LEFT, y - 10, 12, 12, kinds[i % 4]),
            _text(_LEFT + 20, y, about),
            _text(_LEFT + 20, y + 16, share_text(share), "soft"),
        ]
        x += part
    return _svg(title, 52 + len(rows) * 40, body)
