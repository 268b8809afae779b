"""The formats that can be read, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from seamwise.importers import FormatFacts
from seamwise.render.plain import cells, one_line, pad, wrap


def formats_text(facts: Sequence[FormatFacts], *, width: int) -> str:
    """All formats, one paragraph each; what a third party brings says so."""
    size = max((cells(one_line(f.name)) for f in facts), default=0)
    lines: list[str] = []
    for f in facts:
        words = one_line(f.summary) + ("" if f.by == "seamwise" else f" (from {one_line(f.by)})")
        lines += wrap(words, width, first=pad(one_line(f.name), size) + "  ", rest=" " * (size + 2))
    return "\n".join(lines) + "\n" if lines else ""


def format_text(facts: FormatFacts, *, width: int) -> str:
    """One format: what is read, and where to learn the rest."""
    told = (
        ("format", facts.name),
        ("reads", facts.summary),
        ("version", str(facts.version)),
        ("from", facts.by),
        ("documentation", facts.page or "none named"),
        ("named with", f"--format {facts.name}, where the content does not tell it"),
    )
    return "".join(line + "\n" for label, words in told for line in wrap(one_line(words), width, first=pad(label, 15), rest=" " * 15))
