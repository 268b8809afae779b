"""Digests: one trace, one name, wherever it stands."""

from __future__ import annotations

import hashlib

import msgspec

from seamwise.record._canonical import canonical_bytes
from seamwise.record._trace import Trace

_DOMAIN = b"seamwise trace 1\n"
"""Goes first into every digest, so that a later way of computing it cannot be mistaken for this one."""


def trace_digest(trace: Trace) -> str:
    """The sha256 of what a trace says, as hex.

    It does not depend on the order of keys, on the order in which steps stand in the list (which means nothing; ``seq`` and ``order``
    do), on identical copies, on the file, or on ``header.origin``, which is for people. Two traces with one digest say the same.

    Raises:
        SchemaError: The trace holds what JSON cannot (NaN, tuples in ``data``), so that it could not be written either.
        LimitError: It is nested deeper than the interpreter can follow.
    """
    whole = hashlib.sha256(_DOMAIN)
    whole.update(_digest(canonical_bytes(msgspec.structs.replace(trace.header, origin={}))))
    for digest in sorted({_digest(canonical_bytes(step)) for step in trace.steps}):
        whole.update(digest)
    return whole.hexdigest()


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
