"""``seamwise init``: a first org.yaml from what recordings hold."""

from __future__ import annotations

import os

import click

from seamwise.cli._exit import USAGE_ONLY
from seamwise.cli._output import Output, keep_inputs, write


@click.command(name="init", epilog=USAGE_ONLY)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "-o", "--out", "output", metavar="FILE", default="org.yaml", show_default=True, help="Where to write it; `-` is standard output."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print what was seen as JSON; no page is written.")
@click.option("--format", "format", metavar="NAME", help="Read the files as this format instead of looking at their content.")
def command(paths: tuple[str, ...], output: str, force: bool, as_json: bool, format: str | None) -> int:
    """Write a starter org.yaml from the recordings at PATH.

    It holds a stream for every tool, with its fields and masked sample values, and contracts that could be bound, switched off. It loads as
    it is.
    """
    from seamwise.errors import UsageError
    from seamwise.workbench import inventory, starter

    if not as_json and output != "-" and os.path.lexists(output) and not force:
        raise UsageError(
            f"expected a file that is not there, got `{output}`", hint="write it elsewhere with `-o FILE`, or over it with `--force`"
        )
    if not as_json:
        keep_inputs(Output(False, None, None, False, True, True, out=output), paths, format=format)
    seen = inventory(paths, format=format)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(seen), indent=2))
        return 0 if seen.n_traces else 3
    for where, why in seen.errors:
        click.echo(f"note: {_line(where)}: {_line(why)}", err=True)
    if not seen.n_traces:
        raise UsageError("expected recordings with at least one trace, got none", hint="which formats are read, `seamwise formats` lists")
    page = starter(seen, command=" ".join(("seamwise init", *paths)))
    write(output, [page.encode()], quiet=True)
    if output != "-":
        n, tools = len(seen.agents), sum(1 for tool in seen.tools.values() if tool.calls)
        click.echo(f"wrote {_line(output)}: {n} agent{'s' * (n != 1)}, {tools} tool{'s' * (tools != 1)}", err=True)
        click.echo(f"next: seamwise bind {_line(output)} {' '.join(map(_line, paths))} --preview", err=True)
    return 0


def _line(text: str) -> str:
    from seamwise.record import masked
    from seamwise.render.plain import one_line

    return one_line(masked(text))
