"""Where an audit's answer goes, the same for ``audit`` and ``report``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from seamwise.cli._screen import colour_wanted, width_of

if TYPE_CHECKING:
    from seamwise.audit import Result, Scene, Summary

F = TypeVar("F", bound=Callable[..., Any])


class Output(NamedTuple):
    """What is written, and where to; ``-`` is standard output."""

    as_json: bool
    markdown: str | None
    html: str | None
    everything: bool
    quiet: bool
    no_color: bool
    out: str | None = None
    """Where the result file goes."""
    junit: str | None = None

    @property
    def files(self) -> dict[str, str]:
        """Option -> the file that it names."""
        named = {"--out": self.out, "--markdown": self.markdown, "--html": self.html, "--junit": self.junit}
        return {option: path for option, path in named.items() if path is not None}

    @property
    def pictured(self) -> bool:
        """Whether a page is written, or a result file of which one can be made."""
        return self.html is not None or self.out is not None


def output_options(command: F) -> F:
    """The options that :class:`Output` holds, but ``--out``."""
    options: tuple[Callable[[F], F], ...] = (
        click.option("--no-color", is_flag=True, help="No colours, also on a terminal."),
        click.option("--quiet", is_flag=True, help="Nothing but errors on the terminal; files are written."),
        click.option("--all", "everything", is_flag=True, help="Tell each unknown and name each ruled-out instance, however many."),
        click.option("--html", metavar="FILE", help="Write one self-contained page; `-` is standard output."),
        click.option("--junit", metavar="FILE", help="Write JUnit XML, one test case per contract; `-` is standard output."),
        click.option("--markdown", metavar="FILE", help="Write GitHub-flavoured Markdown; `-` is standard output."),
        click.option("--json", "as_json", is_flag=True, help="Print the result file (JSON Lines) instead of text."),
    )
    for option in options:
        command = option(command)
    return command


def check(output: Output) -> None:
    """Returns if everything can be written where it is wanted.

    Raises:
        UsageError: Two things go to standard output, two files are one, or a folder is not there.
    """
    from seamwise.errors import UsageError

    to_stdout = [option for option, path in output.files.items() if path == "-"] + (["--json"] if output.as_json else [])
    if len(to_stdout) > 1:
        raise UsageError(f"{' and '.join(to_stdout)} both go to standard output", hint="name a file for all but one of them")
    seen: dict[str, str] = {}
    for option, path in output.files.items():
        if path == "-":
            continue
        if not path or Path(path).is_dir() or not Path(path).parent.is_dir():
            what = "is a folder" if Path(path).is_dir() else f"there is no folder `{Path(path).parent}`"
            raise UsageError(f"expected a file that can be written for {option}, got `{path}`: {what}")
        other = seen.setdefault(os.path.realpath(path), option)
        if other != option:
            raise UsageError(f"{other} and {option} name the same file `{path}`")


def keep_inputs(
    output: Output, paths: Iterable[str], *, format: str | None = None, org: str | None = None, baseline: str | None = None
) -> None:
    """Returns if no file that is written is one that is read.

    Raises:
        UsageError: One is: a recording at or below the paths, the page of contracts, the mapping of a format or the accepted findings.
        FormatError: There is no such format.
    """
    from seamwise.errors import UsageError

    written = {os.path.realpath(path): (option, path) for option, path in output.files.items() if path != "-" and Path(path).exists()}
    if not written:
        return
    read = {} if org is None else {os.path.realpath(org): "the page of contracts"}
    if mapping := (format or "").partition(":")[2]:
        read[os.path.realpath(mapping)] = "the mapping of the format"
    if baseline is not None:
        read[os.path.realpath(baseline)] = "the accepted findings"
    for given in paths:
        whole = os.path.realpath(given)
        if given != "-" and (not os.path.isdir(given) or any(place.startswith(os.path.join(whole, "")) for place in written)):
            read |= dict.fromkeys(_files(given, format), "what is read")
    for place, (option, path) in written.items():
        if place in read:
            hint = "name another file; nothing was written"
            raise UsageError(f"{option} would overwrite `{path}`, {read[place]}", hint=hint)


def _files(path: str, format: str | None) -> Iterable[str]:
    """The file, or the recordings of a folder."""
    if not os.path.isdir(path):
        return (os.path.realpath(path),)
    from seamwise.importers import recordings

    return [os.path.realpath(found.path) for found in recordings((path,), format=format) if found.refused is None]


def deliver(summary: Summary, results: Sequence[Result], output: Output, scenes: Sequence[Scene] = ()) -> None:
    """Writes everything that was asked for."""
    from seamwise.render.audit_json import audit_json

    if output.out is not None:
        write(output.out, audit_json(summary, results, scenes), quiet=output.quiet)
    if output.markdown is not None:
        from seamwise.render.audit_markdown import audit_markdown

        write(output.markdown, [audit_markdown(summary, results).encode()], quiet=output.quiet)
    if output.junit is not None:
        from seamwise.render.audit_junit import audit_junit

        write(output.junit, [audit_junit(summary, results).encode("utf-8", "replace")], quiet=output.quiet)
    if output.html is not None:
        from seamwise.render.html import audit_html

        write(output.html, [audit_html(summary, results, scenes).encode()], quiet=output.quiet)
    if output.as_json:
        write("-", audit_json(summary, results, scenes), quiet=True)
    elif "-" not in output.files.values() and not output.quiet:
        from seamwise.render.audit_text import audit_text

        text = audit_text(summary, results, width=width_of(), colour=colour_wanted(output.no_color), everything=output.everything)
        click.echo(text, nl=False, color=True)


def write(path: str, chunks: Iterable[bytes], *, quiet: bool) -> None:
    """Writes a file as a whole or not at all; ``-`` is standard output.

    Raises:
        UsageError: It cannot be written.
    """
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.buffer.flush()
        return
    try:
        _write(Path(path), chunks)
    except OSError as error:
        from seamwise.errors import UsageError

        raise UsageError(f"cannot write `{path}`: {(error.strerror or str(error)).lower()}") from error
    if not quiet:
        click.echo(f"wrote {path}", err=True)


def _write(path: Path, chunks: Iterable[bytes]) -> None:
    if path.exists() and not path.is_file():  # a device or a pipe
        with path.open("wb") as file:
            file.writelines(chunks)
        return
    import tempfile

    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def on_terminal() -> bool:
    """Whether progress can be shown."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
