"""An option that names one thing: given twice, neither may silently win."""

from __future__ import annotations

import click


def once(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    """The one value of an option that collects all that were given; None where there is none.

    Raises:
        click.UsageError: It was given more than once.
    """
    if len(values) > 1:
        named = " and ".join(f"`{value}`" for value in values)
        raise click.UsageError(f"expected {option.opts[0]} once, got {named}\nread one of them at a time", ctx=ctx)
    return values[0] if values else None
