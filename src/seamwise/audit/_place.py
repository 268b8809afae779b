"""Where a result stands among the others, as bytes that sort: most severe first, then in the order of the pack, then by instance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from seamwise.audit._result import Result
from seamwise.kernel import SEVERITY, Status

_DIGITS = re.compile(r"(\d+)")
_ESCAPES = str.maketrans({"\x00": "\x01\x01", "\x01": "\x01\x02"})
_LONG = 4000
"""A number of so many digits is text."""


def place_of(result: Result, contract: int) -> bytes:
    """The place of a result.

    Args:
        result: The result.
        contract: The contract's place in the pack.
    """
    return b"".join((front(result.status, contract), *map(natural, result.instance.values()), names(result.instance)))


def front(status: Status, contract: int) -> bytes:
    """The beginning of the place of every result of this status and contract."""
    return bytes((255 - SEVERITY[status],)) + contract.to_bytes(4, "big")


@lru_cache(maxsize=1024)
def natural(text: str) -> bytes:
    """A value of an instance: ``c9`` before ``c17``."""
    out = ["\x01"]
    for n, part in enumerate(_DIGITS.split(text)):
        if n % 2 and part.isascii() and len(part) < _LONG:
            digits = part.lstrip("0")
            out.append(f"\x02{chr(len(digits))}{digits}{part}\x00")
        else:
            out.append(f"\x01{part.translate(_ESCAPES)}\x00")
    out.append("\x00")
    return "".join(out).encode()


def names(instance: Mapping[str, str] | Sequence[str]) -> bytes:
    """The end of a place: what the values of the instance are called."""
    return "".join(["\x00", *(f"\x01{name.translate(_ESCAPES)}\x00" for name in instance), "\x00"]).encode()


def contract_of(place: bytes) -> int:
    """The contract's place in the pack, of a result's place."""
    return int.from_bytes(place[1:5], "big")
