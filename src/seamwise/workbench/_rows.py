"""What a page binds, as plain records."""

from __future__ import annotations

from typing import Any

import msgspec

from seamwise.audit import ReadError, TableTold


class FieldSeen(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One field of a stream's records."""

    name: str
    n: int = 0
    """Records that have it."""
    missing: int = 0
    """Records for which its path led nowhere."""
    first_missing: str = ""
    """The first step for which it did."""
    unparsed: int = 0
    first_unparsed: str = ""
    """Where the page says how it is read, what was expected, what was recorded, and on which step."""
    types: dict[str, int] = {}
    samples: tuple[str, ...] = ()
    """The first different values, masked and shortened."""


class RuleSeen(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One rule of a stream."""

    place: str
    selects: str
    """``tool issue_credit``, ``table payments``."""
    n: int = 0
    """Records that it made."""
    hint: str = ""
    """Where it made none: what was probably meant."""


class StreamSeen(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One stream."""

    name: str
    key: str | None = None
    n: int = 0
    traces: int = 0
    keys: int = 0
    """Different keys."""
    without_key: int = 0
    kinds: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    """``ok``, ``failed``, ``open`` (an opening without an ending, a timeout, a status that nobody knows) -> operations."""
    order: dict[str, int] = {}
    """How records can be ordered: ``sequence``, ``clock``, ``time alone``, ``none``."""
    weightless: int = 0
    """Records whose source has no authority."""
    fields: tuple[FieldSeen, ...] = ()
    rules: tuple[RuleSeen, ...] = ()
    no_success: tuple[str, ...] = ()
    """Where ``ok`` looks for a value that no result has, in words, masked."""
    examples: tuple[dict[str, Any], ...] = ()
    """The first records, masked: where they stand, their kind, their fields."""


class Untaken(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Steps of one kind and tool that no rule takes."""

    kind: str
    tool: str | None = None
    n: int = 0


class Preview(msgspec.Struct, kw_only=True, omit_defaults=True):
    """How a page binds recordings."""

    page: str
    n_files: int = 0
    n_traces: int = 0
    n_steps: int = 0
    n_taken: int = 0
    """Steps that some rule takes."""
    streams: tuple[StreamSeen, ...] = ()
    tables: tuple[TableTold, ...] = ()
    untaken: tuple[Untaken, ...] = ()
    """Most frequent first."""
    errors: tuple[ReadError, ...] = ()
    refused: tuple[str, ...] = ()
    """Files below a folder that nobody takes for recordings."""
