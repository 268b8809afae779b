"""``seamwise risks``: the thirteen interaction risks, and one of them."""

from __future__ import annotations

import click

from seamwise.cli._screen import width_of


@click.command(name="risks")
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(code: str | None, as_json: bool) -> None:
    """List the interaction risks; with a CODE (A1, C1 ...), tell of that one.

    A risk is a workflow operation and a property that it must preserve. The kind of contract that decides it on records stands beside it.
    """
    from seamwise.render.risk_text import risk_text, risks_text
    from seamwise.risks import families, risk_named, risks

    told = list(risks().values()) if code is None else [risk_named(code)]
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(told if code is None else told[0])).decode())
    elif code is None:
        click.echo(risks_text(told, families(), width=width_of()), nl=False)
    else:
        click.echo(risk_text(told[0], families()[told[0].family], width=width_of()), nl=False)
