"""The one place where older schema versions become the present one.

Version 1 is current. Version 0 was the draft before the first release: ``time`` in seconds (a number, or a decimal string) stood for
``time_ns``, and ``to`` (one name or a list) for ``recipients``. A change of the schema adds one :class:`Upgrade` to the chain, from the
version before it, and raises ``SCHEMA_VERSION``; nothing else in the project knows that older versions existed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from typing import Any, NamedTuple

from seamwise.errors import SchemaError, UsageError
from seamwise.record._trace import SCHEMA_VERSION

Document = dict[str, Any]


class Upgrade(NamedTuple):
    """From one version to the next: what becomes of a header line and of a step line."""

    header: Callable[[Document], Document]
    step: Callable[[Document], Document]


_CHAIN: dict[int, Upgrade] = {}


def register_upgrade(version: int, upgrade: Upgrade) -> None:
    """Adds the upgrade from ``version`` to ``version + 1``.

    Raises:
        UsageError: There is one already.
    """
    if version in _CHAIN:
        raise UsageError(f"expected one upgrade from version {version}, got a second")
    _CHAIN[version] = upgrade


def check_version(version: object) -> int:
    """The version, where it can be read.

    Raises:
        SchemaError: It is not a version, is newer than this program, or older than the chain reaches.
    """
    if not isinstance(version, int) or isinstance(version, bool):
        raise SchemaError(f"expected a schema version such as `{SCHEMA_VERSION}`, got `{version!r}`", where="$.seamwise")
    if version > SCHEMA_VERSION:
        message = f"expected schema version {SCHEMA_VERSION} or older, got `{version}`"
        raise SchemaError(message, where="$.seamwise", hint="the file was written by a newer Seamwise; update this one to read it")
    if any(step not in _CHAIN for step in range(version, SCHEMA_VERSION)):
        raise SchemaError(f"expected a schema version that was ever published, got `{version}`", where="$.seamwise")
    return version


def upgrade_header(document: Document, version: int) -> Document:
    """The header line as the present version has it."""
    for step in range(version, SCHEMA_VERSION):
        document = _CHAIN[step].header(document)
    return {**document, "seamwise": SCHEMA_VERSION}


def upgrade_step(document: Document, version: int) -> Document:
    """The step line as the present version has it."""
    for step in range(version, SCHEMA_VERSION):
        document = _CHAIN[step].step(document)
    return document


def _header_0(document: Document) -> Document:
    return document


def _step_0(document: Document) -> Document:
    new = {key: value for key, value in document.items() if key not in ("time", "to")}
    for old, name in (("time", "time_ns"), ("to", "recipients")):
        if old in document and name in document:
            raise SchemaError(f"expected `{old}` (version 0) or `{name}` (version 1), got both", where="$")
    if document.get("time") is not None:
        new["time_ns"] = _nanoseconds(document["time"])
    if document.get("to") is not None:
        to = document["to"]
        new["recipients"] = [to] if isinstance(to, str) else to
    return new


def _nanoseconds(seconds: object) -> int:
    """Exact for integers and strings; a float has about 100 ns near the present day, and its shortest decimal form is what counts."""
    if isinstance(seconds, (int, float, str)) and not isinstance(seconds, bool):
        with suppress(ArithmeticError, ValueError):
            moment = Decimal(str(seconds))
            if moment.is_finite() and abs(moment) < 10**12:
                return round(moment.scaleb(9))
    raise SchemaError(f"expected seconds as a number or a decimal string, got `{str(seconds)[:40]}`", where="$.time")


register_upgrade(0, Upgrade(header=_header_0, step=_step_0))
