"""``seamwise bind``: how a page binds recordings, and their counts frozen in a lock file."""

from __future__ import annotations

import click

from seamwise.cli._exit import USAGE_ONLY
from seamwise.cli._output import write
from seamwise.cli._screen import colour_wanted, width_of


@click.command(name="bind", epilog=USAGE_ONLY)
@click.argument("org", metavar="ORG.YAML")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--preview", "as_preview", is_flag=True, help="Show what the page binds, what did not match and what did not parse (the default)."
)
@click.option("--lock", "as_lock", is_flag=True, help="Write org.lock.json beside the page: what the recordings hold now.")
@click.option("--json", "as_json", is_flag=True, help="Print the preview as JSON.")
@click.option("--all", "everything", is_flag=True, help="Name everything that no rule takes, however much.")
@click.option("--format", "format", metavar="NAME", help="Read the files as this format instead of looking at their content.")
@click.option("--no-color", is_flag=True, help="No colours, also on a terminal.")
def command(
    org: str, paths: tuple[str, ...], as_preview: bool, as_lock: bool, as_json: bool, everything: bool, format: str | None, no_color: bool
) -> int:
    """Bind the recordings at PATH by the streams of ORG.YAML, and judge nothing.

    The preview shows for each stream its records, coverage, keys, outcomes and examples, then what no rule takes. The lock freezes how many
    operations there are, for streams that say `recording: {by: lock}`.
    """
    from seamwise.binding import Pack, lock_path, write_lock
    from seamwise.errors import UsageError
    from seamwise.workbench import lock_of, preview

    if as_lock and (as_preview or as_json):
        raise UsageError("expected either --preview or --lock, got both")
    pack = Pack.load(org, lock=False)
    if as_lock:
        lock = lock_of(paths, pack, format=format)
        write(str(lock_path(org)), [write_lock(lock)], quiet=False)
        return 0
    shown = preview(paths, pack, format=format)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(shown), indent=2))
    else:
        from seamwise.render.preview_text import preview_text

        click.echo(preview_text(shown, width=width_of(), colour=colour_wanted(no_color), everything=everything), nl=False, color=True)
    return 0 if shown.n_traces or any(stream.n for stream in shown.streams) else 3
