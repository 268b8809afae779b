"""``seamwise gateway``: models behind OpenAI's chat interface, on this machine alone."""

from __future__ import annotations

from pathlib import Path

import click

from seamwise.cli._extras import need_worlds

EPILOG = """\b
Exit codes:
  0  it was stopped with an interrupt
  2  usage: the port is taken, or an option is not as it must be
  4  internal: a defect of Seamwise"""


@click.command(name="gateway", epilog=EPILOG)
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Where to listen on 127.0.0.1; 0 takes a free port.")
@click.option("--journal", metavar="FILE", help="Keep every reply here, and answer from here what was asked before.")
@click.option("--offline", is_flag=True, help="Answer from the journal alone; call no model.")
@click.option("--max-tokens", metavar="N", type=click.IntRange(min=1), help="Refuse requests once so many tokens are used.")
@click.option("--fault", "faults", metavar="KIND", multiple=True, help="Let requests go wrong: error, rate_limit, timeout, malformed.")
@click.option("--every", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Every N-th request goes wrong.")
def command(port: int, journal: str | None, offline: bool, max_tokens: int | None, faults: tuple[str, ...], every: int) -> int:
    """Serve every model that Inspect AI knows, and scripts such as `seamwise/careful`, at /v1/chat/completions.

    Clients say with the headers x-seamwise-world and x-seamwise-role whom a script plays. Whoever may open a port here may use it.
    """
    need_worlds()
    import threading

    from seamwise.errors import UsageError
    from seamwise.models import Budget, Journal
    from seamwise.models.gateway import Faults, Gateway
    from seamwise.worlds import load_world

    if offline and journal is None:
        raise UsageError("--offline needs --journal: it answers from there")
    kept = Journal(Path(journal) if journal else None, offline=offline)
    try:
        gateway = Gateway(
            journal=kept,
            budget=Budget(max_tokens=max_tokens),
            faults=Faults(faults, every),  # type: ignore[arg-type]  # checked there
            port=port,
            prepare=load_world,
        )
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {(error.strerror or str(error)).lower()}") from error
    with gateway:
        click.echo(gateway.base_url)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
    return 0
