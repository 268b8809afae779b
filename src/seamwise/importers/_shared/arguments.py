"""Arguments of tool calls as they are really recorded: JSON, JSON in a string (also twice), Python's notation, or broken."""

from __future__ import annotations

import ast
import warnings
from typing import Any, NamedTuple

from seamwise.importers._shared.text import clean, nesting, parsed

_LONGEST = 1 << 20
"""Characters of Python notation that are read; more stay text."""


class Arguments(NamedTuple):
    """What was recorded."""

    value: Any
    """An object where it could be read as one, else what was recorded."""
    readable: bool
    """Whether it is an object or list; nothing that cannot be read becomes an empty object."""


def arguments_of(recorded: Any, depth: int = 64) -> Arguments:
    """The arguments of a call.

    Repairs are made by parsing alone, never by replacing characters: a text with apostrophes stays what it was.
    """
    value = parsed(recorded, depth)
    if isinstance(value, (dict, list)):
        return Arguments(value, True)
    if isinstance(value, str):
        literal = python_literal(value, depth)
        if isinstance(literal, (dict, list)):
            return Arguments(literal, True)
    return Arguments(value, False)


def python_literal(text: str, depth: int = 64) -> Any:
    """The JSON value of a text in Python's notation (``{'a': None}``), or None where it is none, or lies deeper than ``depth``."""
    text = text.strip()
    if text[:1] not in ("{", "[", "(") or len(text) > _LONGEST or max(map(text.count, "{[(")) > 2000:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in foreign text
            value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    try:
        made = clean(_plain(value))
    except (RecursionError, TypeError):
        return None
    return None if nesting(made) > depth else made


def _plain(value: Any) -> Any:
    """The value as JSON has it; what JSON does not have is refused."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, dict) and all(isinstance(k, (str, int)) for k in value):
        return {str(k): _plain(v) for k, v in value.items()}
    raise TypeError
