"""``seamwise leads``: what recordings show without any policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seamwise.cli._screen import colour_wanted, width_of

if TYPE_CHECKING:
    from seamwise.leads import Accepted, Lead, Leads

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
@click.option("--accepted", metavar="FILE", help="Causes that are accepted: they are counted and not told.")
@click.option("--accept", metavar="FILE", help="Write the causes that are found to FILE as accepted; needs --because and --until.")
@click.option("--because", metavar="TEXT", help="Why they are accepted.")
@click.option("--until", metavar="DAY", help="The last day on which they are, such as 2027-01-31.")
@click.option("--no-color", is_flag=True, help="No colours, also on a terminal.")
def command(
    paths: tuple[str, ...],
    rules: tuple[str, ...],
    as_json: bool,
    everything: bool,
    jobs: int,
    format: str | None,
    accepted: str | None,
    accept: str | None,
    because: str | None,
    until: str | None,
    no_color: bool,
) -> int:
    """Look for what deserves a look in the recordings at PATH; no org.yaml is needed.

    Rules read structure only: calls and answers, addressed messages, versions, approvals. A lead is a place to look and proves nothing.
    """
    from seamwise.cli._baseline import today
    from seamwise.errors import UsageError
    from seamwise.leads import find_leads, without_accepted

    known = {} if accepted is None else _accepted(accepted)
    if (accept is None) != (because is None) or (accept is None) != (until is None):
        raise UsageError("--accept, --because and --until go together")
    found = find_leads(paths, rules=rules, format=format, jobs=jobs)
    sorted_out = without_accepted(found.leads, known, today=today())
    if accept is not None and because is not None and until is not None:
        _accept(accept, found.leads, because, until)
    _print(found._replace(leads=sorted_out.leads), as_json=as_json, everything=everything, no_color=no_color)
    if known:
        click.echo(f"note: {sorted_out.n_accepted} accepted, {sorted_out.n_unmet} entries that no lead has any more", err=True)
    for words in sorted_out.expired:
        click.echo(f"note: over: {words}", err=True)
    return 0 if found.n_traces else 3


def tell_leads(paths: tuple[str, ...], *, as_json: bool, everything: bool, jobs: int, format: str | None, no_color: bool) -> Leads:
    """Tells the leads of all rules that are on, and returns them."""
    from seamwise.leads import find_leads

    found = find_leads(paths, format=format, jobs=jobs)
    _print(found, as_json=as_json, everything=everything, no_color=no_color)
    return found


def _print(found: Leads, *, as_json: bool, everything: bool, no_color: bool) -> None:
    if as_json:
        import msgspec

        from seamwise.render.plain import one_line

        for lead in found.leads:
            click.echo(msgspec.json.encode(lead))
        for file, why in [*((file, f"not read: {why}") for file, why, _ in found.errors), *found.damaged]:
            click.echo(f"note: {one_line(file)}: {one_line(why)}", err=True)
        return
    from seamwise.render.leads_text import leads_text

    text = leads_text(found, width=width_of(), colour=colour_wanted(no_color), everything=everything)
    click.echo(text, nl=False, color=True)


def _accepted(path: str) -> Accepted:
    from seamwise.errors import UsageError
    from seamwise.leads import read_accepted

    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read `{path}`: {(error.strerror or str(error)).lower()}") from error
    return read_accepted(content, path)


def _accept(path: str, leads: list[Lead], because: str, until: str) -> None:
    from seamwise.audit import day_of
    from seamwise.cli._baseline import today
    from seamwise.cli._output import write
    from seamwise.errors import UsageError
    from seamwise.leads import accepted_text

    day = day_of(until)
    if day < today() or not because.strip():
        raise UsageError(f"expected a reason and a day to come, got `{because}` and `{until}`")
    old = _accepted(path) if Path(path).exists() else None
    write(path, [accepted_text(leads, reason=because.strip(), until=day, old=old).encode()], quiet=False)


def _list(ctx: click.Context, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from seamwise.leads import RULES

    for rule in RULES.values():
        click.echo(f"{rule.name:22} {'' if rule.on else '(off) '}{rule.words}")
    ctx.exit(0)
