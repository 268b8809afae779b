"""Keys in snake case and in camel case: newer versions of ADK write the one, older the other, some files both."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=256)
def _camel(snake: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), snake)


def get(entry: dict[str, Any], key: str) -> Any:
    """The value under a key in either spelling; None where there is none, or it is null."""
    value = entry.get(key)
    return value if value is not None else entry.get(_camel(key))


def text(entry: dict[str, Any], key: str) -> str | None:
    """The same, if it is a text that is not empty."""
    value = get(entry, key)
    return value if isinstance(value, str) and value else None


def mapping(entry: dict[str, Any], key: str) -> dict[str, Any]:
    """The same, if it is an object; else an empty one."""
    value = get(entry, key)
    return value if isinstance(value, dict) else {}


def listed(entry: dict[str, Any], key: str) -> list[Any]:
    """The same, if it is a list; else an empty one."""
    value = get(entry, key)
    return value if isinstance(value, list) else []
