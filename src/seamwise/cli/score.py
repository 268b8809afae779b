"""``seamwise score``: stored episodes measured again, from what the models said."""

from __future__ import annotations

from pathlib import Path

import click

from seamwise.cli._extras import need_worlds

EPILOG = """\b
Exit codes:
  0  every episode came out as it is stored
  2  usage: it is no run directory
  3  an episode came out otherwise
  4  internal: a defect of Seamwise"""


@click.command(name="score", epilog=EPILOG)
@click.argument("directory", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each episode.")
def command(directory: str, as_json: bool) -> int:
    """Play the episodes in DIR again from their journals and compare every byte; no model is called.

    A difference says that the world, or Seamwise, has changed since; nothing in DIR is changed.
    """
    need_worlds()
    import msgspec

    from seamwise.cli._study import tell_episodes
    from seamwise.study import RunDirectory, score_again
    from seamwise.worlds import load_world

    found = score_again(Path(directory))
    differs = [one for one in found if one.differs]
    if as_json:
        for one in found:
            click.echo(msgspec.json.encode({"cell": one.cell, "status": one.status, "differs": one.differs, "after": one.after.outcome}))
    else:
        tell_episodes([one.after for one in found], as_json=False)
    manifest = RunDirectory(Path(directory)).manifest()
    for name, digest in (manifest.worlds if manifest else {}).items():
        if load_world(name).digest != digest:
            click.echo(f"note: the world `{name}` has changed since these episodes were played", err=True)
    for one in differs:
        click.echo(f"differs: {one.cell}: {', '.join(one.differs)}{_told(one)}", err=True)
    click.echo(f"{len(found) - len(differs)} of {len(found)} episodes came out as they are stored", err=True)
    return 3 if differs else 0


def _told(one: object) -> str:
    """Which measurements came out otherwise."""
    from seamwise.cli._study import PARTS

    before, after = (getattr(one, name) for name in ("before", "after"))
    if before.status != after.status:
        return f" ({before.status}, now {after.status}: {after.why})"
    if before.outcome is None or after.outcome is None:
        return ""
    parts = [
        f"{part} {getattr(before.outcome, part).value}, now {getattr(after.outcome, part).value}"
        for part in PARTS
        if getattr(before.outcome, part).value != getattr(after.outcome, part).value
    ]
    if before.outcome.utility != after.outcome.utility:
        parts.append(f"utility {before.outcome.utility}, now {after.outcome.utility}")
    return f" ({'; '.join(parts)})" if parts else ""
