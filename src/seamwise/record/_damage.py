"""What was wrong with a recording: limits on the way in, damage as data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from seamwise.errors import FormatError, LimitError, SchemaError, SeamwiseError

DamageCode = Literal[
    "empty",
    "no_header",
    "bad_header",
    "newer_version",
    "not_json",
    "bad_encoding",
    "truncated",
    "wrong_shape",
    "unknown_field",
    "unreadable",
    "too_long",
    "too_deep",
    "too_many_steps",
    "too_large",
    "duplicate_step",
    "conflicting_step",
    "byte_order_mark",
]
"""The closed list of what can be wrong with a native file."""

_SCHEMA_CODES = frozenset({"bad_header", "newer_version", "wrong_shape", "unknown_field"})
_LIMIT_CODES = frozenset({"too_long", "too_deep", "too_many_steps", "too_large"})

MIB = 1024 * 1024


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a recording is read before it is refused. Input is hostile until it is read."""

    max_line_bytes: int = 64 * MIB
    """Longest line, in bytes."""
    max_steps: int = 1_000_000
    """Most steps in one trace; the rest is left out and counted."""
    max_depth: int = 200
    """Deepest nesting in one line, its own braces included."""
    max_bytes: int = 64 * 1024 * MIB
    """Most bytes in one file, after decompression."""
    max_ratio: int = 1000
    """Most bytes that one compressed byte may become; checked from 16 MiB of output on."""


DEFAULT_LIMITS = Limits()


class Damage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was wrong, and what became of it."""

    code: DamageCode
    """What sort of damage."""
    message: str
    """One sentence: expected, got, what became of it."""
    lost: bool = True
    """Something that the file holds is not in the traces. False: everything is kept, the damage is only worth knowing."""
    file: str = ""
    """The file, or ``<stdin>``."""
    line: int | None = None
    """Line, from 1."""
    path: str | None = None
    """Place inside the line, such as ``$.recipients[0]``."""
    trace: str | None = None
    """Id of the trace in which it stands, where that is known."""
    count: int = 1
    """How many lines, steps or fields it is about."""
    hint: str | None = None
    """What to do about it."""

    @property
    def where(self) -> str:
        """File, line and path, as far as known."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return place if self.path is None else f"{place} `{self.path}`"

    def error(self) -> SeamwiseError:
        """The same as an exception."""
        leaf = SchemaError if self.code in _SCHEMA_CODES else LimitError if self.code in _LIMIT_CODES else FormatError
        return leaf(self.message, where=self.where, hint=self.hint)


@dataclass(slots=True)
class ReadReport:
    """What reading met, next to the traces that it gave.

    Counts are complete; ``damage`` holds the first ``max_listed`` entries, so that a hostile file cannot fill memory with complaints.
    """

    n_traces: int = 0
    """Traces given."""
    n_steps: int = 0
    """Steps in them."""
    n_copies_dropped: int = 0
    """Steps left out because an identical one stands in the same trace."""
    damage: list[Damage] = field(default_factory=list)
    """What was wrong, in the order of the file."""
    n_by_code: Counter[str] = field(default_factory=Counter)
    """Number of entries per code, the unlisted ones included."""
    n_lost: int = 0
    """Entries by which something was lost."""
    max_listed: int = 1000
    """Most entries kept in ``damage``."""

    def add(self, damage: Damage) -> None:
        """Counts one entry and lists it where there is room."""
        self.n_by_code[damage.code] += 1
        self.n_lost += damage.lost
        if len(self.damage) < self.max_listed:
            self.damage.append(damage)
