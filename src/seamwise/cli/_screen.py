"""What the terminal is like: its width, whether it shows colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

_WITHOUT_TERMINAL = 100
_WIDEST = 120


def width_of() -> int:
    """Columns to write in: ``COLUMNS`` where it is set, else the terminal's up to 120, else 100."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdigit() and 0 < int(asked) < 10_000:
        return int(asked)
    try:
        return min(os.get_terminal_size(sys.stdout.fileno()).columns or _WITHOUT_TERMINAL, _WIDEST)
    except (OSError, ValueError):
        return _WITHOUT_TERMINAL


def colour_wanted(no_color: bool) -> bool:
    """Whether to write colours: on a terminal, unless somebody asked for none (``--no-color``, ``NO_COLOR``, ``TERM=dumb``)."""
    if no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def tell_masks(hidden: Mapping[str, int], *, hint: str = "--no-redact shows them") -> None:
    """Says on stderr what is masked in what was written; nothing where nothing is."""
    import click

    from seamwise.record import mask_words

    if hidden:
        click.echo(f"note: masked: {mask_words(hidden)}", err=True)
        if hint:
            click.echo(f"hint: {hint}", err=True)
