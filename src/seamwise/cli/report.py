"""``seamwise report``: a result file rendered again; nothing is judged."""

from __future__ import annotations

import click

from seamwise.cli._exit import EXIT_CODES
from seamwise.cli._output import Output, check, deliver, keep_inputs, output_options


@click.command(name="report", epilog=EXIT_CODES)
@click.argument("path", metavar="RESULTS")
@output_options
def command(
    path: str, as_json: bool, markdown: str | None, junit: str | None, html: str | None, everything: bool, quiet: bool, no_color: bool
) -> int:
    """Render RESULTS, a file that `seamwise audit --out` wrote, again.

    `-` is standard input. Text, Markdown and page are the same bytes as the audit's own, and so is the exit code.
    """
    output = Output(as_json, markdown, html, everything, quiet, no_color, junit=junit)
    check(output)
    keep_inputs(output, (path,))
    from seamwise.audit import exit_code, read_written

    summary, results, scenes = read_written(path)
    deliver(summary, results, output, scenes)
    return exit_code(summary)
