"""A result as it is written, with its place among the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from seamwise.audit._known import Sought
from seamwise.audit._place import place_of
from seamwise.audit._result import Result, StepRef
from seamwise.kernel import Status

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Result).decode
_STATUSES = tuple(Status)
_REQUIRED = 0x80


class Told(NamedTuple):
    """A result that is on its way to the others."""

    place: bytes
    """Where it stands among them."""
    mark: int
    """Its status, and whether it is required; see :func:`mark_of`."""
    line: bytes
    """The result as it is written."""
    crossing: tuple[StepRef, Sought] | None = None
    """What is still to be looked for in the trace of its crossing step."""


def told(result: Result, contracts: Mapping[str, int], crossing: tuple[StepRef, Sought] | None = None) -> Told:
    """The result as it is written.

    Args:
        result: The result.
        contracts: Contract -> its place in the pack.
        crossing: What is still to be looked for.
    """
    place = place_of(result, contracts[result.contract])
    return Told(place, mark_of(result.status, required=result.required), encode(result), crossing)


def mark_of(status: Status, *, required: bool) -> int:
    """Status and requirement in one byte."""
    return _STATUSES.index(status) | (_REQUIRED if required else 0)


def marked_status(mark: int) -> tuple[Status, bool]:
    """What :func:`mark_of` put together."""
    return _STATUSES[mark & ~_REQUIRED], bool(mark & _REQUIRED)
