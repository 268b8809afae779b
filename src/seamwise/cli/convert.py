"""``seamwise convert``: recordings of any format as native traces, with what became of every record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from seamwise.importers import ImportReport, Label, Limits
    from seamwise.record import Trace

EPILOG = """\b
Exit codes:
  0  all of it was converted
  2  usage: there is no such file or format, or the output cannot be written
  3  some of it could not be read, or a record of a run was dropped; the rest was converted
  4  internal: a defect of Seamwise"""


@click.command(name="convert", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--out", required=True, metavar="FILE", help="Where the native traces go (`.zst` compresses; `-` is standard output).")
@click.option("--labels", metavar="FILE", help="Where evaluation labels go, sealed, as JSON Lines; without it they are counted.")
@click.option("--report", metavar="FILE", help="Where the import reports go, as JSON Lines: one a file.")
@click.option("--format", "format", metavar="NAME", help="Read the files as this format instead of looking at their content.")
@click.option("--limit", "limits", metavar="NAME=N", multiple=True, help="Raise or lower a limit on hostile input, such as line_bytes=1G.")
@click.option("--quiet", is_flag=True, help="Nothing but errors.")
def command(
    paths: tuple[str, ...], out: str, labels: str | None, report: str | None, format: str | None, limits: tuple[str, ...], quiet: bool
) -> int:
    """Write the recordings at PATH as native traces, which are read many times faster.

    Nothing is invented and nothing lost in silence: each file's records are kept, merged or dropped with a reason, and the sums are told.
    Secrets are not masked here, since this is a recording and not a report.
    """
    from seamwise.cli._limits import limits_of
    from seamwise.cli._output import Output, check, keep_inputs, write
    from seamwise.record import write_traces

    bounds = limits_of(limits)
    output = Output(False, None, None, False, quiet, True, out)
    check(output)
    keep_inputs(output, paths, format=format)
    done = _Conversion(paths, format, bounds)
    write_traces(out, done.traces())
    if labels is not None:
        write(labels, (_line(label) for label in done.labels), quiet=quiet)
    if report is not None:
        write(report, (_line(one) for one in done.reports), quiet=quiet)
    if not quiet:
        for words in done.told():
            click.echo(words, err=True)
    return 3 if done.errors or any(one.n_lost for one in done.reports) else 0


def _line(record: Any) -> bytes:
    import msgspec

    return msgspec.json.encode(record) + b"\n"


class _Conversion:
    """The traces of all files, one after another, and what is known at their end."""

    def __init__(self, paths: tuple[str, ...], format: str | None, limits: Limits) -> None:
        self._paths = paths
        self._format = format
        self._limits = limits
        self.reports: list[ImportReport] = []
        self.labels: list[Label] = []
        self.errors: list[str] = []

    def traces(self) -> Iterator[Trace]:
        """The traces; a file that cannot be read is told and stops nothing."""
        from seamwise.errors import SeamwiseError
        from seamwise.importers import open_recording, recordings

        for found in recordings(self._paths, format=self._format, limits=self._limits):
            if found.refused is not None:
                self.errors.append(f"{found.path}: {found.refused}" + (f" ({found.hint})" if found.hint else ""))
                continue
            try:
                recording = open_recording(found.path, format=self._format, limits=self._limits)
                self.reports.append(recording.report)
                yield from recording.traces
                self.labels += recording.labels
            except SeamwiseError as error:
                self.errors.append(f"{found.path}: {error.message}")

    def told(self) -> Iterator[str]:
        """What became of the files, a line each, and the sum."""
        from seamwise.render._names import plural
        from seamwise.render.plain import one_line

        for one in self.reports:
            dropped = ", ".join(f"{n:,} {reason}" for reason, n in one.dropped.items())
            words = f"{one.file}: {one.format}, {plural(one.traces, 'trace')}, {plural(one.records, 'record')}: {one.kept:,} kept"
            words += f", {one.merged:,} merged" if one.merged else ""
            words += f", dropped: {dropped}" if dropped else ""
            words += f", {sum(one.sealed.values()):,} labels sealed" if one.sealed else ""
            yield one_line(words)
        yield from (f"not read: {one_line(words)}" for words in self.errors)
        n_traces, n_steps = sum(r.traces for r in self.reports), sum(r.steps for r in self.reports)
        yield f"{plural(n_traces, 'trace')}, {plural(n_steps, 'step')} of {plural(len(self.reports), 'file')}"
