"""What recordings hold, as plain records."""

from __future__ import annotations

import msgspec


class PathSeen(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One path into calls of a tool (or into steps of a kind)."""

    path: str
    """As the binding language writes it: ``arguments.customer_id``."""
    n: int = 0
    """How many times something was recorded there."""
    types: dict[str, int] = {}
    """``text``, ``number``, ``true or false``, ``list`` -> how often."""
    samples: tuple[str, ...] = ()
    """The first different values, masked and shortened."""
    distinct: int = 0
    """How many different values there are, up to a bound."""


class ToolSeen(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A tool."""

    name: str
    calls: int = 0
    callers: dict[str, int] = {}
    """Agent -> its calls."""
    ok: int = 0
    failed: int = 0
    """How its calls ended, by the status of their results."""
    unstated: int = 0
    """Results that say nothing of how it ended."""
    open: int = 0
    """Calls without a result, or that timed out."""
    paths: dict[str, PathSeen] = {}
    texts: tuple[str, ...] = ()
    """The first different texts of results, masked and shortened."""


class KindSeen(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A kind of step that is no call of a tool."""

    name: str
    n: int = 0
    actors: dict[str, int] = {}
    paths: dict[str, PathSeen] = {}


class Inventory(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What recordings hold."""

    n_files: int = 0
    n_traces: int = 0
    n_steps: int = 0
    first_ns: int | None = None
    last_ns: int | None = None
    agents: dict[str, int] = {}
    """Agent -> steps by it."""
    tools: dict[str, ToolSeen] = {}
    kinds: dict[str, KindSeen] = {}
    left_out: dict[str, int] = {}
    """What there was too much of: ``tools``, ``paths`` -> how many are not told."""
    errors: tuple[tuple[str, str], ...] = ()
    """What could not be read: where, why."""
