"""``seamwise formats``: the formats of recordings that can be read, and one of them."""

from __future__ import annotations

import click

from seamwise.cli._screen import width_of


@click.command(name="formats")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the formats of recordings that can be read; with a NAME, tell of that one.

    Formats are told by content. `--format NAME` of the other commands names one where that goes wrong.
    """
    import msgspec

    from seamwise.importers import format_facts
    from seamwise.importers._registry import importer_named
    from seamwise.render.format_text import format_text, formats_text

    facts = format_facts()
    if name is not None:
        wanted = importer_named(name).name
        facts = [f for f in facts if f.name == wanted]
    if as_json:
        told = facts if name is None else facts[0]
        click.echo(msgspec.json.format(msgspec.json.encode(told)).decode())
    elif name is None:
        click.echo(formats_text(facts, width=width_of()), nl=False)
    else:
        click.echo(format_text(facts[0], width=width_of()), nl=False)
