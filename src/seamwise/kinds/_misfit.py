"""What a value does not fit, in the words of a person who writes a page: lists and mappings, not arrays and objects."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from seamwise.errors import did_you_mean

WORDS = {
    "array": "a list",
    "object": "a mapping",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "bool": "`true` or `false`",
    "null": "nothing",
}
_AT = re.compile(r"(?P<message>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_PART = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[(\.\.\.)\]")
_EXPECTED = re.compile(r"[Ee]xpected `([^`]*)`(.*), got `([^`]*)`$", re.DOTALL)
_NAMED = re.compile(r"(Invalid enum value|Object missing required field|Object contains unknown field) [`']?(.*?)[`']?$", re.DOTALL)


class Misfit(NamedTuple):
    """What is wrong, and where."""

    message: str
    path: tuple[str | int, ...]
    """Names and places in lists from the outside in; an entry of a mapping that is not named ends it."""
    hint: str | None = None


def misfit_of(error: Exception, type_: Any = None) -> Misfit:
    """The complaint of msgspec in our words.

    Args:
        error: What :func:`msgspec.convert` raised.
        type_: The struct that was to be made; with it the words that a field allows are named.
    """
    match = _AT.match(str(error))
    message, place = (match["message"], match["path"] or "") if match else (str(error), "")
    path: list[str | int] = []
    for name, index, entry in _PART.findall(place):
        if entry:
            break
        path.append(name or int(index))
    expected, named = _EXPECTED.match(message), _NAMED.match(message)
    if expected:
        wanted = expected[1].split(" | ")
        words = [WORDS.get(w, f"`{w}`") for w in wanted if w != "null" or len(wanted) == 1]
        return Misfit(f"expected {' or '.join(words)}{expected[2]}, got {WORDS.get(expected[3], f'`{expected[3]}`')}", tuple(path))
    if message == "Invalid decimal string":
        return Misfit("expected a number, got a text that is none", tuple(path))
    if named and named[1].startswith("Invalid enum"):
        allowed = _allowed(type_, path)
        known = f"one of {', '.join(f'`{a}`' for a in allowed)}" if allowed else "another word"
        return Misfit(f"expected {known}, got `{named[2]}`", tuple(path), did_you_mean(named[2], allowed))
    if named and "missing" in named[1]:
        return Misfit(f"expected `{named[2]}`, got nothing", tuple(path), f"`{named[2]}` is a parameter that the kind needs")
    if named:
        return Misfit(f"unknown key `{named[2]}`", tuple(path), None if path else did_you_mean(named[2], _fields(type_)))
    return Misfit(message[:1].lower() + message[1:], tuple(path))


def _fields(type_: Any) -> dict[str, Any]:
    is_struct = isinstance(type_, type) and issubclass(type_, msgspec.Struct)
    return {field.encode_name: field.type for field in msgspec.structs.fields(type_)} if is_struct else {}


def _allowed(type_: Any, path: list[str | int]) -> list[str]:
    """The words that the field at the path may be."""
    if len(path) != 1:
        return []
    field = _fields(type_).get(str(path[0]))
    literals = [field] if get_origin(field) is Literal else [t for t in get_args(field) if get_origin(t) is Literal]
    return [str(word) for literal in literals for word in get_args(literal)]
