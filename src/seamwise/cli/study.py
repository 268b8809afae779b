"""``seamwise study``: the matrix of a published study, over models that one names."""

from __future__ import annotations

from typing import Any

import click

from seamwise.cli._extras import need_worlds
from seamwise.cli._study import AGENT, EPILOG, pairs, play, run_options


@click.command(name="study", epilog=EPILOG)
@click.argument("name", type=click.Choice(["eair"]), metavar="NAME")
@click.option("--model", "models", metavar="M", multiple=True, help="Who speaks for the agents; may be given several times.")
@click.option("--power-model", "power_models", metavar="M", multiple=True, help="For B1-power; without it the first three models.")
@click.option("--cohort", "cohorts", metavar="C", multiple=True, help="Only this cohort: A1, B1, B1-power, C1, D1, F1, F1-solo.")
@run_options
def command(name: str, models: tuple[str, ...], power_models: tuple[str, ...], cohorts: tuple[str, ...], **options: Any) -> int:
    """Play the matrix of the study NAME (`eair`, the worlds of the EAIR paper) and measure what came of it.

    With ten models it has the paper's 60 (A1), 480 + 48 (B1), 150 (C1), 90 (D1) and 240 + 90 (F1) episodes. Without --model three
    scripts play.
    """
    need_worlds()
    from seamwise.study import Plan, eair_blocks

    plan = Plan(
        blocks=tuple(eair_blocks(models or (AGENT, "seamwise/hurried", "seamwise/compliant"), power_models=power_models, names=cohorts)),
        counterpart=options["counterpart_model"],
        judge=None if options["judge_model"] == "none" else options["judge_model"],
        attempts=options["attempts"],
        substitutes=pairs(options["substitutes"], "--substitute"),
    )
    return play(plan, options)
