"""The entry point: the group of commands, and what becomes of errors."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import click

from seamwise import __version__
from seamwise.cli._exit import BROKEN_PIPE, EXIT_CODES, INTERNAL, INTERRUPTED, USAGE
from seamwise.errors import SeamwiseError, did_you_mean

_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What a place says that takes no more bytes."""


class ClosedError(Exception):
    """Our output goes nowhere any more."""


class Commands(click.Group):
    """The commands of this package, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, sorted."""
        package = import_module("seamwise.cli")
        return sorted(m.name.replace("_", "-") for m in iter_modules(package.__path__) if not m.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, with ``--debug`` added; None where there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = import_module(f"seamwise.cli.{cmd_name.replace('-', '_')}").command
        if not any(p.name == "debug" for p in found.params):
            found.params.append(_debug_option())
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that was named.

        Raises:
            ClosedError: Whoever read our output has seen enough. (Click would end the process with 1, which says something else here.)
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ClosedError from error

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name.

        Raises:
            UsageError: There is none of that name.
        """
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = self.list_commands(ctx)
            hint = did_you_mean(args[0], known) or f"commands: {', '.join(known)}"
            raise click.UsageError(f"no command `{args[0]}`\n{hint}", ctx=ctx)
        return super().resolve_command(ctx, args)


def _set_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().meta["seamwise.debug"] = True
        os.environ["SEAMWISE_DEBUG"] = "1"


def _debug_option() -> click.Option:
    return click.Option(
        ["--debug"], is_flag=True, expose_value=False, is_eager=True, callback=_set_debug, help="Show tracebacks of internal errors."
    )


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
    params=[_debug_option()],
)
@click.version_option(__version__, prog_name="seamwise", message="%(prog)s %(version)s")
def commands() -> None:
    """Finds where multi-agent workflows break at the seams, and proves it from the records."""


def main(args: Sequence[str] | None = None) -> None:
    """Runs the command line and ends the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # recorded text may hold what the terminal's encoding does not
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code. Every error is told here, on stderr."""
    try:
        code = _run(args)
        sys.stdout.flush()
        return code
    except (BrokenPipeError, ClosedError):
        # whoever read our output has seen enough
        _discard()
        return BROKEN_PIPE
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _discard()
        return tell(f"cannot write the output: {(error.strerror or str(error)).lower()}")


def _discard() -> None:
    """What standard output still buffers goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(args: Sequence[str] | None) -> int:
    try:
        value: Any = commands.main(args=None if args is None else list(args), prog_name="seamwise", standalone_mode=False)
        return value if isinstance(value, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        return _click_error(error)
    except SeamwiseError as error:
        return tell(str(error), error.hint)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except (BrokenPipeError, ClosedError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            raise
        return _internal(error)


def tell(message: str, hint: str | None = None) -> int:
    """Tells an error that a person can put right, on one line and its hint on another; returns the exit code."""
    from seamwise.record import masked
    from seamwise.render.plain import one_line

    click.echo(f"error: {one_line(masked(message))}", err=True)
    if hint:
        click.echo(f"hint: {one_line(masked(hint))}", err=True)
    return USAGE


def _click_error(error: click.ClickException) -> int:
    message, _, hint = error.format_message().partition("\n")
    message = message.rstrip(".")
    if not hint:
        ctx = getattr(error, "ctx", None)
        possibilities = getattr(error, "possibilities", None)
        hint = f"did you mean `{possibilities[0]}`?" if possibilities else f"see `{ctx.command_path if ctx else 'seamwise'} --help`"
    if getattr(error, "possibilities", None):
        message = message.split(" Did you mean")[0].rstrip(".")
    return tell(_QUOTED.sub(r"`\1`", message[:1].lower() + message[1:]), hint)


def _internal(error: Exception) -> int:
    """Tells a defect on one line, and where its traceback was written."""
    import traceback

    from seamwise.record import masked
    from seamwise.render.plain import one_line

    trace = masked("".join(traceback.format_exception(error)))
    what = one_line(masked(f"{type(error).__name__}: {error}"))
    if os.environ.get("SEAMWISE_DEBUG"):
        click.echo(trace, err=True, nl=False)
        click.echo(f"error: internal: {what}", err=True)
        return INTERNAL
    click.echo(f"error: internal: {what}", err=True)
    try:
        place = _keep(trace)
    except OSError:
        click.echo("hint: run it again with --debug to see the traceback; please report it", err=True)
    else:
        click.echo(f"hint: this is a defect of Seamwise; please report it with the traceback in {place}", err=True)
    return INTERNAL


def _keep(trace: str) -> Path:
    """Writes a traceback to a file of its own, which only its owner reads."""
    import tempfile

    handle, name = tempfile.mkstemp(prefix="seamwise-error-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"seamwise {__version__}, Python {sys.version}\narguments: {sys.argv[1:]!r}\n\n{trace}")
    return Path(name)
