"""``seamwise run``: episodes of a world, measured."""

from __future__ import annotations

from typing import Any

import click

from seamwise.cli._extras import need_worlds
from seamwise.cli._study import AGENT, EPILOG, pairs, play, run_options


@click.command(name="run", epilog=EPILOG)
@click.argument("world")
@click.option("--model", "models", metavar="M", multiple=True, help="Who speaks for the agents; may be given several times.")
@click.option("--condition", "conditions", metavar="C", multiple=True, help="Only this condition; may be given several times.")
@click.option("--factor", "factors", metavar="NAME=LEVEL", multiple=True, help="A level of a factor; `all` for every level.")
@click.option("--arm", metavar="A", default="main", show_default=True, help="A side study of the world.")
@click.option("--seeds", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Seeds 0 to N-1.")
@run_options
def command(
    world: str, models: tuple[str, ...], conditions: tuple[str, ...], factors: tuple[str, ...], arm: str, seeds: int, **options: Any
) -> int:
    """Play episodes of WORLD and measure what came of them.

    Models are named as Inspect AI names them (`openai/...`, `anthropic/...`); `seamwise/careful` and others are scripts
    that need no key and no network. Without --model three of them play. A run in a directory that was stopped goes on where it stood.
    """
    need_worlds()
    from seamwise.study import Plan, make_block
    from seamwise.worlds import load_world

    found = load_world(world)
    levels: dict[str, list[str]] = {}
    for option in factors:
        for name, level in pairs([option], "--factor").items():
            levels.setdefault(name, []).append(level)
    block = make_block(
        found,
        models=models or (AGENT, "seamwise/hurried", "seamwise/compliant"),
        conditions=conditions,
        seeds=seeds,
        factors=levels,
        arm=arm,
        spec=world if ":" in world else None,
    )
    plan = Plan(
        blocks=(block,),
        counterpart=options["counterpart_model"],
        judge=None if options["judge_model"] == "none" else options["judge_model"],
        attempts=options["attempts"],
        substitutes=pairs(options["substitutes"], "--substitute"),
    )
    return play(plan, options)
