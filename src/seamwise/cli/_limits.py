"""Limits on hostile input, as options say them: ``line_bytes=1G``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamwise.importers import Limits

_SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def limits_of(options: tuple[str, ...]) -> Limits:
    """The limits with those of the options changed.

    Raises:
        UsageError: There is no such limit, or its value is no positive whole number (K, M and G behind it multiply by 1024).
    """
    from msgspec.structs import fields, replace

    from seamwise.errors import UsageError, did_you_mean
    from seamwise.importers import Limits

    known = [field.name for field in fields(Limits)]
    changed: dict[str, int] = {}
    for option in options:
        name, _, value = option.partition("=")
        if name not in known:
            hint = did_you_mean(name, known) or f"limits: {', '.join(known)}"
            raise UsageError(f"unknown limit `{name}`", hint=hint)
        number = re.fullmatch(r"(\d{1,15})([KMG]?)", value.strip().upper())
        if number is None or int(number[1]) == 0:
            raise UsageError(f"expected a positive whole number for the limit `{name}`, got `{value}`", hint=f"for example {name}=64M")
        changed[name] = int(number[1]) * _SIZES[number[2]]
    return replace(Limits(), **changed)
