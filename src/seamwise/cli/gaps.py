"""``seamwise gaps``: what to record so that next time it can be decided."""

from __future__ import annotations

import click

from seamwise.cli._screen import width_of


@click.command(name="gaps")
@click.argument("path", metavar="RESULTS")
@click.option("--since", metavar="RESULTS", help="An earlier result file: tell what became of its unknowns.")
@click.option("--json", "as_json", is_flag=True, help="The plan as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="The plan as Markdown.")
def command(path: str, since: str | None, as_json: bool, as_markdown: bool) -> None:
    """Roll up the unknowns of RESULTS, a file that `seamwise audit --out` wrote (`-` is standard input).

    The fewest changes of what is recorded or stated that decide the most instances come first, each with the setting or the line that makes
    your format record it.
    """
    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown do not go together\ngive one of them")
    from seamwise.audit import gap_plan, read_results

    summary, results = read_results(path)
    before = None if since is None else read_results(since)[1]
    plan = gap_plan(summary, results, before=before)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(plan), indent=2))
        return
    from seamwise.render.plan_text import plan_text

    click.echo(plan_text(plan, width=width_of(), markdown=as_markdown), nl=False)
