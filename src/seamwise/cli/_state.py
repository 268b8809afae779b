"""What an audit keeps for the next one: where it may lie, and what is told of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from seamwise.audit import State

_NAMED = 5
"""Files that a note names."""


def state_of(folder: str, paths: tuple[str, ...]) -> State:
    """The state in a folder that does not lie among what is read.

    Raises:
        UsageError: It does, or is no folder for a state.
    """
    from seamwise.audit import State
    from seamwise.errors import UsageError

    place = os.path.join(os.path.realpath(folder), "")
    for path in paths:
        if path != "-" and place.startswith(os.path.join(os.path.realpath(path), "")):
            raise UsageError(f"expected a folder for --state beside the recordings, got `{folder}`, which lies below `{path}`")
    return State(folder)


def tell_state(state: State) -> None:
    """How much was known, and which files are not what they were; on stderr, as it says nothing of the recordings themselves."""
    from seamwise.render.plain import one_line

    parts = [f"{len(state.known):,} of {len(state.known) + len(state.read):,} files known from before"]
    for word, files in (("changed and read again", state.changed), ("not there any more", state.gone)):
        if files:
            named = ", ".join(map(one_line, files[:_NAMED])) + (f" and {len(files) - _NAMED:,} more" if len(files) > _NAMED else "")
            parts.append(f"{word}: {named}")
    if state.forgotten:
        parts.append("the page, the options or the program is another one than before, so nothing was used")
    click.echo(f"state: {'; '.join(parts)}", err=True)
