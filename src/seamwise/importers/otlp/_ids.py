"""Trace and span ids: lower-case hex, whatever they were written as."""

from __future__ import annotations

import base64
import binascii

_BASE64_LENGTHS = {12: 8, 11: 8, 24: 16, 22: 16}
"""Length of an id in base64, with and without padding -> its bytes."""

_HEX_LENGTHS = {8: 16, 16: 32}


def hex_id(written: str) -> str:
    """Lower-case hex of an id in hex or base64; an id of any other shape stays as it is."""
    n = len(written)
    if n == 16 or n == 32:
        return written.lower()
    size = _BASE64_LENGTHS.get(n)
    if size is not None:
        try:
            content = base64.b64decode(written + "=" * (-n % 4), validate=True)
        except (binascii.Error, ValueError):
            return written
        if len(content) == size:
            return content.hex()
    return written


def is_regular(identifier: str, size: int) -> bool:
    """Whether it is the hex of that many bytes (8 for spans, 16 for traces)."""
    return len(identifier) == _HEX_LENGTHS[size] and not identifier.strip("0123456789abcdef")


def is_absent(identifier: str | None) -> bool:
    """Whether it stands for no id: empty, or zeros."""
    return not identifier or not identifier.strip("0")
