"""``seamwise contracts``: the kinds of contract, and one of them explained."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from seamwise.cli._screen import colour_wanted, width_of

if TYPE_CHECKING:
    from seamwise.kernel import Kind
    from seamwise.render.kind_text import Case


@click.command(name="contracts")
@click.argument("kind", required=False)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@click.option("--no-color", is_flag=True, help="No colours, also on a terminal.")
def command(kind: str | None, as_json: bool, no_color: bool) -> None:
    """List the kinds of contract; with a KIND, explain that one.

    A contract is written in org.yaml: its kind, its parameters, and the words of the policy that it comes from.
    """
    from seamwise.kinds import kind_names, kind_of
    from seamwise.render.kind_text import kind_facts, kind_text, kinds_text

    if kind is None:
        all_facts = [kind_facts(kind_of(name)) for name in kind_names()]
        click.echo(_json(all_facts) if as_json else kinds_text(all_facts, width=width_of()), nl=False)
        return
    facts = kind_facts(kind_of(kind), _cases(kind_of(kind)))
    if as_json:
        click.echo(_json(facts), nl=False)
        return
    if colour_wanted(no_color):
        from rich.console import Console
        from rich.markdown import Markdown

        Console(file=sys.stdout, width=width_of()).print(Markdown(facts.explanation, hyperlinks=False))
        click.echo()
    else:
        click.echo(facts.explanation + "\n")
    click.echo(kind_text(facts, width=width_of()), nl=False)


def _cases(kind: Kind[Any]) -> Iterator[Case]:
    """The cases that stand in the kind's folder, if it has any."""
    from importlib.resources import files

    from seamwise.render.kind_text import Case

    try:
        text = files(kind.outcome.__module__.rpartition(".")[0]).joinpath("cases.yaml").read_text(encoding="utf-8")
    except (OSError, ValueError, ModuleNotFoundError):
        return
    import yaml

    for case in yaml.safe_load(text) or ():
        yield Case(name=case["name"], expect=str(case.get("expect", "")), why=str(case.get("why", "")))


def _json(value: object) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value)).decode() + "\n"
