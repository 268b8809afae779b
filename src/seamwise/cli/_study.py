"""What ``run``, ``score`` and ``study`` share: options that name models, progress, and the table of measurements."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from seamwise.study import Estimate, Plan, Progress, Ran, Spending
    from seamwise.worlds import Episode

AGENT, COUNTERPART, JUDGE = "seamwise/careful", "seamwise/compliant", "seamwise/rule-judge"

EPILOG = """\b
Exit codes:
  0  every episode is valid
  2  usage: there is no such world, model or option, or the directory holds another run
  3  an episode is not valid, or the run stopped before its end
  4  internal: a defect of Seamwise"""

PARTS = ("opportunity", "anomaly", "realized", "terminal", "interception")


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that bound and steer a run."""
    options: tuple[Callable[..., Any], ...] = (
        click.option("--judge-model", metavar="M", default=JUDGE, show_default=True, help="Who judges; `none` for nobody."),
        click.option(
            "--counterpart-model", metavar="M", default=COUNTERPART, show_default=True, help="Who speaks for customers and others."
        ),
        click.option("--out", metavar="DIR", help="Keep the run here; the same command again goes on where it stood."),
        click.option("--jobs", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Play in N processes."),
        click.option("--attempts", metavar="N", type=click.IntRange(min=1), default=3, show_default=True, help="Tries at one episode."),
        click.option(
            "--substitute", "substitutes", metavar="M=OTHER", multiple=True, help="Who takes over when M fails three times in a row."
        ),
        click.option("--incompatible", metavar="M=WHY", multiple=True, help="M cannot take part; its substitute takes over at once."),
        click.option(
            "--max-cost", metavar="USD", type=click.FloatRange(min=0, min_open=True), help="Make no further call once this much is spent."
        ),
        click.option("--max-tokens", metavar="N", type=click.IntRange(min=1), help="Make no further call once so many tokens are used."),
        click.option("--price", "prices", metavar="M=IN,OUT", multiple=True, help="USD per million input and output tokens of M."),
        click.option("--dry-run", is_flag=True, help="Tell the cells and what they would take; play nothing."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def pairs(options: Sequence[str], name: str) -> dict[str, str]:
    """``a=b`` options as a mapping.

    Raises:
        UsageError: One is not of that form, or two name the same.
    """
    from seamwise.errors import UsageError

    found: dict[str, str] = {}
    for option in options:
        key, sign, value = option.partition("=")
        if not key or not sign or not value:
            raise UsageError(f"expected {name} NAME=VALUE, got `{option}`")
        if key in found:
            raise UsageError(f"{name} names `{key}` twice")
        found[key] = value
    return found


def spending_of(max_cost: float | None, max_tokens: int | None, prices: Sequence[str]) -> Spending:
    """The bounds that the options name."""
    from seamwise.errors import UsageError
    from seamwise.study import Spending

    known: dict[str, tuple[float, float]] = {}
    for model, text in pairs(prices, "--price").items():
        try:
            read, written = (float(part) for part in text.split(","))
        except ValueError:
            raise UsageError(f"expected --price {model}=INPUT,OUTPUT in USD per million tokens, got `{text}`") from None
        known[model] = (read, written)
    return Spending(max_tokens=max_tokens, max_cost=max_cost, prices=known)


def play(plan: Plan, options: dict[str, Any]) -> int:
    """Run a plan as the options say, and tell what came of it; returns the exit code."""
    import tempfile

    from seamwise.study import estimate, read_episodes, run_plan

    spending = spending_of(options["max_cost"], options["max_tokens"], options["prices"])
    if options["dry_run"]:
        _tell_estimate(plan, estimate(plan, spending), as_json=options["as_json"])
        return 0
    with tempfile.TemporaryDirectory(prefix="seamwise-run-") as passing:
        out = Path(options["out"] or passing)
        ran = run_plan(
            plan,
            out,
            jobs=options["jobs"],
            spending=spending,
            incompatible=pairs(options["incompatible"], "--incompatible"),
            progress=_progress(),
        )
        _end_progress()
        episodes = read_episodes(out)
    tell_episodes(episodes, as_json=options["as_json"])
    _tell_rules(ran)
    if options["out"] is None:
        click.echo("note: nothing was kept; --out DIR keeps episodes and traces", err=True)
    return 0 if ran.stopped is None and all(e.status == "valid" for e in episodes) else 3


def tell_episodes(episodes: Sequence[Episode], *, as_json: bool) -> None:
    """The episodes as JSON Lines, or a table of their measurements."""
    import msgspec

    if as_json:
        for episode in episodes:
            click.echo(msgspec.json.encode(msgspec.structs.replace(episode, truth=None), order="deterministic"))
        return
    click.echo(table(episodes), nl=False)
    notes = []
    if any(e.synthetic for e in episodes):
        notes.append(
            "synthetic: scripts speak for agents, counterpart or judge; this measures the worlds and says nothing about any language model"
        )
    if any(m.value is None for e in episodes if e.outcome for m in _measurements(e)):
        notes.append("k/n: of n assessed; what is unassessed is left out and never counts as no")
    for note in notes:
        click.echo(note)
    for episode in episodes:
        if episode.status != "valid":
            click.echo(f"not valid: {episode.cell.id}: {episode.status}: {episode.why}"[:300], err=True)


def table(episodes: Sequence[Episode]) -> str:
    """One row for each world, arm, condition, level and model; ``k/n`` of the assessed."""
    groups: dict[tuple[str, ...], list[Episode]] = {}
    for e in episodes:
        cell = e.cell
        where = cell.world if cell.arm == "main" else f"{cell.world}/{cell.arm}"
        key: tuple[str, ...] = (where, cell.condition, " ".join(v for _, v in sorted(cell.factors.items())), cell.model)
        groups.setdefault(key, []).append(e)
    rows: list[tuple[str, ...]] = [("world", "condition", "factors", "model", "valid", *PARTS, "utility")]
    for key, members in groups.items():
        valid = [e for e in members if e.status == "valid"]
        outcomes = [e.outcome for e in valid if e.outcome is not None]
        shares = []
        for part in PARTS:
            known = [v for o in outcomes if (v := getattr(o, part).value) is not None]
            shares.append(f"{sum(known)}/{len(known)}" if known else "-")
        useful = [o.utility for o in outcomes if o.utility is not None]
        rows.append((*key, f"{len(valid)}/{len(members)}", *shares, f"{sum(useful) / len(useful):.2f}" if useful else "-"))
    return columns(rows)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of words as columns; columns that hold nothing but their heading are left out."""
    from seamwise.render.plain import one_line

    shown = [n for n in range(len(rows[0])) if any(row[n] for row in rows[1:])] or list(range(len(rows[0])))
    widths = {n: max(len(one_line(row[n])) for row in rows) for n in shown}
    return "".join("  ".join(f"{one_line(row[n]):{widths[n]}}" for n in shown).rstrip() + "\n" for row in rows)


def _measurements(episode: Episode) -> Iterable[Any]:
    return (getattr(episode.outcome, part) for part in PARTS)


def _tell_estimate(plan: Plan, taken: Estimate, *, as_json: bool) -> None:
    import msgspec

    if as_json:
        cells = [c.id for b in plan.blocks for c in b.cells()]
        click.echo(
            msgspec.json.encode(
                {
                    "plan": plan,
                    "cells": cells,
                    "calls": taken.calls,
                    "input_tokens": taken.input_tokens,
                    "output_tokens": taken.output_tokens,
                    "cost": taken.cost,
                }
            )
        )
        return
    rows: list[tuple[str, ...]] = [("world", "arm", "models", "conditions", "factors", "seeds", "episodes")]
    for b in plan.blocks:
        levels = ", ".join(f"{name} {len(chosen)}" for name, chosen in b.factors.items())
        rows.append((b.world, b.arm, str(len(b.models)), str(len(b.conditions)), levels, str(len(b.seeds)), str(b.size)))
    click.echo(columns(rows), nl=False)
    cost = "of an unknown price" if taken.cost is None else f"about {taken.cost:,.2f} USD at the prices of the agents' models"
    click.echo(
        f"{taken.cells:,} episodes, about {taken.calls:,} calls, {taken.input_tokens:,} input and "
        f"{taken.output_tokens:,} output tokens, {cost}"
    )
    click.echo("counted on one scripted episode of each condition; language models write more")


def _tell_rules(ran: Ran) -> None:
    for one in ran.manifest.replaced:
        click.echo(f"note: `{one.substitute}` took over from `{one.model}` in block {one.block + 1}: {one.why}", err=True)
    if ran.progress.retried:
        click.echo(f"note: {ran.progress.retried} attempts were given up; the manifest lists them", err=True)
    if ran.stopped is not None:
        click.echo(f"stopped: {ran.stopped}; {ran.progress.waiting} of {ran.progress.total} episodes are left", err=True)


def _progress() -> Callable[[Progress], None]:
    from seamwise.cli._output import on_terminal

    if not on_terminal():
        return lambda _: None

    def show(progress: Progress) -> None:
        said = ", ".join(f"{n} {status}" for status, n in sorted(progress.statuses.items()))
        click.echo(f"\r\x1b[K{progress.done}/{progress.total} episodes" + (f": {said}" if said else ""), err=True, nl=False)

    return show


def _end_progress() -> None:
    from seamwise.cli._output import on_terminal

    if on_terminal():
        sys.stderr.write("\r\x1b[K")
