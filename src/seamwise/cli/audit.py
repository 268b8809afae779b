"""``seamwise audit``: what the records of past runs say about each contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seamwise.cli._baseline import load_baseline, today
from seamwise.cli._exit import EXIT_CODES
from seamwise.cli._once import once
from seamwise.cli._output import Output, check, deliver, keep_inputs, on_terminal, output_options
from seamwise.cli._state import state_of, tell_state

if TYPE_CHECKING:
    from seamwise.audit import Progress


@click.command(name="audit", epilog=EXIT_CODES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--org",
    metavar="FILE",
    callback=once,
    multiple=True,
    help="The page of streams and contracts: org.yaml. Without it only leads are told.",
)
@click.option("--leads", "with_leads", is_flag=True, help="Tell leads of the generic pack too, after the verdicts.")
@output_options
@click.option("--out", metavar="FILE", help="Write the result file, which `seamwise report` renders again; `-` is standard output.")
@click.option("--contract", "contracts", metavar="NAME", multiple=True, help="Only this contract. May be given several times.")
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Read and judge in N processes.")
@click.option("--format", "format", metavar="NAME", help="Read the files as this format instead of looking at their content.")
@click.option("--baseline", metavar="FILE", help="Accepted findings: fail only on new ones. `seamwise baseline` writes the file.")
@click.option("--new-only", is_flag=True, help="Fail as with a baseline that accepts nothing: not on what is unknown.")
@click.option("--state", "folder", metavar="DIR", help="Continue the last audit: files that it kept in DIR are not read again.")
@click.option("--no-redact", is_flag=True, help="Write recorded words whole, without masking what looks like a secret.")
def command(
    paths: tuple[str, ...],
    org: str | None,
    with_leads: bool,
    as_json: bool,
    markdown: str | None,
    junit: str | None,
    html: str | None,
    everything: bool,
    quiet: bool,
    no_color: bool,
    out: str | None,
    contracts: tuple[str, ...],
    jobs: int,
    format: str | None,
    baseline: str | None,
    new_only: bool,
    folder: str | None,
    no_redact: bool,
) -> int:
    """Judge the recordings at PATH against the contracts of org.yaml.

    A PATH is a file, a folder, or `-` for standard input. Each verdict is supported (with the steps that prove it), ruled out (with what
    shows it), or unknown (with what would decide it). Without org.yaml leads are told: what deserves a look, before there is a policy.
    """
    output = Output(as_json, markdown, html, everything, quiet, no_color, out, junit)
    if org is None:
        return _first_run(paths, output, contracts, {"--baseline": baseline, "--state": folder}, jobs=jobs, format=format)
    check(output)
    keep_inputs(output, paths, format=format, org=org, baseline=baseline)
    accepted = None if baseline is None else load_baseline(baseline)
    from msgspec.structs import replace

    from seamwise.audit import Pictured, audit, audit_with_scenes, exit_code, redacted, with_baseline
    from seamwise.cli._pack import load_pack

    pack = load_pack(org, contracts)
    state = None if folder is None else state_of(folder, paths)
    with _progress(quiet) as on_progress:
        judged = audit_with_scenes if output.pictured else audit
        done = judged(paths, pack, jobs=jobs, format=format, redact=not no_redact, on_progress=on_progress, state=state)
    if state is not None and not quiet:
        tell_state(state)
    summary, results, scenes = done if isinstance(done, Pictured) else Pictured(*done, ())
    summary, results = (replace(summary, whole=True), results) if no_redact else redacted(summary, results, scenes)
    if accepted is not None or new_only:
        summary, results = with_baseline(summary, results, accepted, today=today())
    deliver(summary, results, output, scenes)
    if with_leads and not output.quiet and not output.as_json and "-" not in output.files.values():
        from seamwise.cli.leads import tell_leads

        click.echo()
        tell_leads(paths, as_json=False, everything=everything, jobs=jobs, format=format, no_color=no_color)
    return exit_code(summary)


def _first_run(
    paths: tuple[str, ...], output: Output, contracts: tuple[str, ...], given: dict[str, str | None], *, jobs: int, format: str | None
) -> int:
    """Leads alone, as there is no policy to judge by."""
    from seamwise.audit import find
    from seamwise.cli.leads import tell_leads
    from seamwise.errors import UsageError

    asked = [*output.files, *(["--contract"] if contracts else []), *(word for word, value in given.items() if value is not None)]
    if asked:
        raise UsageError(f"{asked[0]} needs a page of contracts", hint="name it with --org; `seamwise init PATH` writes a first one")
    files = find(paths, format=format)
    found = tell_leads(paths, as_json=output.as_json, everything=output.everything, jobs=jobs, format=format, no_color=output.no_color)
    page = next((path for path in paths if _is_page(path)), None)
    hint = "`seamwise init PATH` writes a first org.yaml, and --org names it" if page is None else f"did you mean `--org {page}`?"
    click.echo(f"hint: no policy was read; {hint}", err=True)
    # what lies beside recordings in a folder is no failure; a recording that cannot be read is, and a file that was named
    beside = {str(entry["file"]) for entry in files.refused}
    return 3 if not found.n_traces or any(file not in beside for file, _, _ in found.errors) else 0


def _is_page(path: str) -> bool:
    """Whether a path that was given as a recording is a page of streams and contracts."""
    if not path.endswith((".yaml", ".yml")) or not Path(path).is_file():
        return False
    with open(path, encoding="utf-8", errors="replace") as file:
        return any(line.startswith(("streams:", "contracts:")) for line in file.read(1 << 20).splitlines())


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """What the driver tells its progress to: a line on stderr, where that is a terminal."""
    if quiet or not on_terminal():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TextColumn("files, {task.fields[told]}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, told="0 traces")

        def told(progress: Progress) -> None:
            words = f"{progress.traces:,} traces, {progress.steps:,} steps"
            bar.update(task, completed=progress.files_done, total=progress.files, told=words)

        yield told
