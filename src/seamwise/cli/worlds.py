"""``seamwise worlds``: the worlds there are, one of them, and whether they keep what a world must keep."""

from __future__ import annotations

import click

from seamwise.cli._extras import need_worlds
from seamwise.cli._screen import width_of


@click.command(name="worlds")
@click.argument("name", required=False)
@click.argument("which", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="With `check`: seeds per persona and condition.")
def command(name: str | None, which: tuple[str, ...], as_json: bool, seeds: int) -> None:
    """List the worlds; with a NAME (kpi_gaming, or A1), tell of that one; with `check [NAME ...]`, let worlds prove themselves.

    A world is an executable workflow in which one risk can be measured. `check` plays each with scripted personas, without a network: a
    reference solution, a planted failure, graders that refuse agents who do nothing, and the kernel's word against the world's own truth.
    It ends with 1 where one of these does not hold.
    """
    need_worlds()
    import msgspec

    from seamwise.errors import UsageError
    from seamwise.render.world_text import world_text, worlds_text
    from seamwise.worlds import load_world, world_names

    if name == "check":
        _check(which or tuple(world_names()), as_json, seeds)
        return
    if which:
        raise UsageError(f"expected one name, got `{' '.join((str(name), *which))}`", hint="`seamwise worlds check` takes several")
    worlds = [load_world(n) for n in ([name] if name else world_names())]
    if as_json:
        told = [
            {
                "name": w.name,
                "risk": w.risk,
                "title": w.title,
                "about": w.about,
                "roles": {r: list(role.tools) for r, role in w.workflow.roles.items()},
                "conditions": {c: condition.about for c, condition in w.conditions.items()},
                "factors": {f: list(levels) for f, levels in w.factors.items()},
                "arms": list(w.arms),
                "contracts": {m: list(mapped.contracts) for m, mapped in w.measurements.items()},
                "digest": w.digest,
            }
            for w in worlds
        ]
        click.echo(msgspec.json.format(msgspec.json.encode(told if name is None else told[0])).decode())
    else:
        click.echo(world_text(worlds[0], width=width_of()) if name else worlds_text(worlds, width=width_of()), nl=False)


def _check(names: tuple[str, ...], as_json: bool, seeds: int) -> None:
    import msgspec

    from seamwise.render.world_text import check_lines
    from seamwise.worlds import load_world
    from seamwise.worlds.conformance import check_world

    failed = 0
    for name in names:
        world = load_world(name)
        if not as_json:
            click.echo(f"{world.risk}  {world.name}")
        for check in check_world(world, seeds=seeds):
            failed += not check.ok
            if as_json:
                click.echo(
                    msgspec.json.encode(
                        {"world": world.name, "check": check.name, "ok": check.ok, "why": check.why, "note": check.note}
                    ).decode()
                )
            else:
                click.echo("\n".join(check_lines(check, width=width_of())))
    if failed:
        raise SystemExit(1)
