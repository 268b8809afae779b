"""``seamwise analyze``: what the episodes of a study come to."""

from __future__ import annotations

from pathlib import Path

import click

from seamwise.cli._screen import width_of

EPILOG = """\b
Exit codes:
  0  everything was read
  2  usage: a directory, an option or what stands there is not as it must be
  3  a file could not be read; the rest was analysed
  4  internal: a defect of Seamwise"""


@click.command(name="analyze", epilog=EPILOG)
@click.argument("directories", nargs=-1, required=True, metavar="DIR...")
@click.option("--html", metavar="FILE", help="Write every table and figure as one page.")
@click.option("--csv", "folder", metavar="FOLDER", help="Write every table as a CSV file, and analysis.json beside them.")
@click.option("--json", "as_json", is_flag=True, help="The whole analysis as JSON instead of the main tables.")
@click.option(
    "--resamples", metavar="N", type=click.IntRange(100, 1_000_000), default=20_000, show_default=True, help="Draws for each interval."
)
@click.option("--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draws.")
def command(directories: tuple[str, ...], html: str | None, folder: str | None, as_json: bool, resamples: int, seed: int) -> int:
    """Analyse the episodes of the run directories DIR: rates, contrasts, intervals and the tables of each world.

    Nothing is played or scored. Only valid, retained episodes count; what is unassessed is shown and is never no.
    """
    import msgspec

    from seamwise.cli._output import write
    from seamwise.render.plain import one_line
    from seamwise.study.analysis import analyze, load_rows

    _need_stats()
    rows = load_rows(directories)
    told = analyze(rows, resamples=resamples, seed=seed)
    as_bytes = msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"
    if html is not None:
        from seamwise.render.study_html import study_html

        write(html, [study_html(told).encode()], quiet=False)
    if folder is not None:
        from seamwise.render.study_csv import analysis_csv

        _write_folder(Path(folder), {name: text.encode() for name, text in analysis_csv(told).items()} | {"analysis.json": as_bytes})
    if as_json:
        write("-", [as_bytes], quiet=True)
    elif html != "-":
        from seamwise.render.study_text import analysis_text

        click.echo(analysis_text(told, width=width_of()), nl=False)
    for file, why in rows.damaged:
        click.echo(f"note: not read: {one_line(file)}: {one_line(why)}", err=True)
    return 3 if rows.damaged else 0


def _write_folder(folder: Path, files: dict[str, bytes]) -> None:
    from seamwise.cli._output import write
    from seamwise.errors import UsageError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder `{folder}`: {(error.strerror or str(error)).lower()}") from error
    for name, content in files.items():
        write(str(folder / name), [content], quiet=True)
    click.echo(f"wrote {len(files)} files to {folder}", err=True)


def _need_stats() -> None:
    """An analysis needs NumPy and SciPy.

    Raises:
        MissingExtraError: They are not installed.
    """
    from importlib.util import find_spec

    from seamwise.errors import MissingExtraError

    for module in ("numpy", "scipy"):
        if find_spec(module) is None:
            raise MissingExtraError(f"expected `{module}` to be installed, got none", hint="pip install 'seamwise[stats]'")
