"""``seamwise leads``: what recordings show without any policy."""

from __future__ import annotations

import click

from seamwise.cli._screen import colour_wanted, tell_masks, width_of

EPILOG = """\b
Exit codes:
  0  it was read, whatever the leads
  2  usage: there is no such file, rule or format
  3  nothing could be read
  4  internal: a defect of Seamwise"""


@click.command(name="leads", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--rule", "rules", metavar="NAME", multiple=True, help="Only this rule, also one that is switched off. May be given several times."
)
@click.option("--json", "as_json", is_flag=True, help="The leads as JSON Lines.")
@click.option("--all", "everything", is_flag=True, help="Tell every lead; without it a few of each cause.")
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Read in N processes.")
@click.option("--format", "format", metavar="NAME", help="Read the files as this format instead of looking at their content.")
@click.option(
    "--rules",
    "list_rules",
    is_flag=True,
    help="List the rules and end.",
    is_eager=True,
    expose_value=False,
    callback=lambda c, _, v: _list(c, v),
)
@click.option("--no-color", is_flag=True, help="No colours, also on a terminal.")
def command(
    paths: tuple[str, ...], rules: tuple[str, ...], as_json: bool, everything: bool, jobs: int, format: str | None, no_color: bool
) -> int:
    """Look for what deserves a look in the recordings at PATH; no org.yaml is needed.

    Rules read structure only: calls and answers, addressed messages, versions, approvals. A lead is a place to look and proves nothing.
    """
    from seamwise.leads import find_leads

    found = find_leads(paths, rules=rules, format=format, jobs=jobs)
    if as_json:
        import msgspec

        for lead in found.leads:
            click.echo(msgspec.json.encode(lead))
    else:
        from seamwise.record import masks_in
        from seamwise.render.leads_text import leads_text

        text = leads_text(found, width=width_of(), colour=colour_wanted(no_color), everything=everything)
        click.echo(text, nl=False, color=True)
        tell_masks(masks_in(text), hint="")
    return 0 if found.n_traces else 3


def _list(ctx: click.Context, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from seamwise.leads import RULES

    for rule in RULES.values():
        click.echo(f"{rule.name:22} {'' if rule.on else '(off) '}{rule.words}")
    ctx.exit(0)
