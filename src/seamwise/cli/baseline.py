"""``seamwise baseline``: the findings of a result file written down as accepted."""

from __future__ import annotations

import os

import click

from seamwise.cli._baseline import load_baseline, today

EPILOG = """\b
Exit codes:
  0  the baseline was written
  2  usage: a file or an option is not as it must be
  4  internal: a defect of Seamwise"""


@click.command(name="baseline", epilog=EPILOG)
@click.argument("path", metavar="RESULTS")
@click.option("--because", required=True, metavar="TEXT", help="Why the new findings are accepted.")
@click.option("--until", required=True, metavar="DAY", help="The last day on which they are, such as 2027-01-31.")
@click.option("--contract", "contracts", metavar="NAME", multiple=True, help="Only findings of this contract. May be given several times.")
@click.option("--out", metavar="FILE", default="-", show_default=True, help="The baseline; what it accepts already keeps reason and day.")
def command(path: str, because: str, until: str, contracts: tuple[str, ...], out: str) -> int:
    """Accept the findings of RESULTS, a file that `seamwise audit --out` wrote.

    A finding is a verdict that is supported, invalid or not judged. Where FILE is a baseline already, its entries keep reason and day, and
    those that no result has any more are left out.
    """
    from seamwise.audit import baseline_text, day_of, read_results
    from seamwise.cli._output import write
    from seamwise.errors import UsageError, did_you_mean

    day = day_of(until)
    if day < today():
        raise UsageError(f"expected a day to come for --until, got `{until}`")
    if not because.strip():
        raise UsageError("expected why the findings are accepted for --because, got nothing")
    summary, results = read_results(path)
    for name in contracts:
        if name not in summary.contracts:
            raise UsageError(f"no contract `{name}`", where=path, hint=did_you_mean(name, summary.contracts))
    old = load_baseline(out) if out != "-" and os.path.exists(out) else None
    if old is not None and contracts:
        raise UsageError("--contract does not go with a baseline that is there already", hint="name another file")
    made = baseline_text([r for r in results if not contracts or r.contract in contracts], reason=because.strip(), until=day, old=old)
    write(out, [made.text.encode()], quiet=False)
    click.echo(f"{made.n_new} accepted, {made.n_kept} kept, {made.n_gone} left out: no result has them any more", err=True)
    return 0
