"""Ids for runs whose format gives none that is unique beyond its file.

Traces of one id are taken for parts of one run, wherever they stand. So a run without an id of its own is named after its content: the
same run in two files is one, two runs that a benchmark numbers alike are two.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="deterministic").encode


def named(name: str, content: Any) -> str:
    """The name with a fingerprint of the run's content behind it."""
    return f"{name}-{fingerprint(content)}"


def fingerprint(content: Any) -> str:
    """Twelve hex digits that differ where the content does; keys may stand in any order."""
    try:
        encoded = _encode(content)
    except (RecursionError, ValueError, TypeError, OverflowError):
        encoded = ascii(content).encode()
    return hashlib.blake2b(encoded, digest_size=6).hexdigest()
