"""Statements that a stream is complete."""

from __future__ import annotations

from typing import Literal

import msgspec

ClaimSort = Literal["recording", "route"]


class Claim(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A statement about a stream, by somebody, on some basis.

    A *recording* claim says "all ``count`` operations of this stream (in ``range``) are counted here": a source's word, or frozen in a
    lock file at first reading. A *route* claim says "nothing of this kind happens beside this stream": structural, the user's word.
    Only a claim turns silence into evidence; the two are never mixed.
    """

    sort: ClaimSort
    """Recording or route."""
    stream: str
    """The stream, or a pattern ending in ``/*``."""
    range: str | None = None
    """What part of it: a decision id, a period such as ``2026-Q1``, or None for all of it."""
    count: int | None = None
    """Number of distinct operations in the range. A recording claim without a count licenses nothing."""
    by: str = "source"
    """Who says so: ``source`` (the recorder itself), ``importer:<name>``, ``lock``, ``user`` or a name."""
    basis: str = ""
    """Why one may believe it, in words."""
