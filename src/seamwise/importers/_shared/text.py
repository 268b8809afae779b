"""JSON inside strings, and JSON that is not quite JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec

Noted = Callable[[str, str], None]
"""Called with a code and words for each repair."""

_decode = msgspec.json.Decoder().decode
_SURROGATE = re.compile("[\ud800-\udfff]")


def parsed(text: Any, depth: int = 64, levels: int = 3) -> Any:
    """The JSON value inside a string, also where it was encoded up to three times; anything else as it is.

    Only objects and lists are looked for, so that a text such as ``"12"`` stays text. What lies deeper than ``depth`` stays text.
    """
    for _ in range(levels):
        if type(text) is not str:
            return text
        start = text[:1]
        if start not in _STARTS and text.lstrip()[:1] not in _STARTS:
            return text
        if not start:
            return text
        try:
            value = _decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            value = _loosely(text)
        kind = type(value)
        if kind is dict or kind is list:
            if len(text) > 2 * depth and text.count("{") + text.count("[") > depth and nesting(value) > depth:
                return text
            return value
        if kind is not str or value[:1] not in _STARTS:
            return text
        text = value
    return text


_STARTS = frozenset('{["')


def _loosely(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    try:
        return clean(value)
    except RecursionError:
        return None


def clean(value: Any, noted: Noted | None = None) -> Any:
    """The value without lone surrogates and without what JSON does not have; the very value where nothing has to be changed.

    Without recursion: what is nested as deeply as a reader lets through is deeper than the interpreter can follow.
    """
    if not isinstance(value, (dict, list, tuple)):
        return _clean_scalar(value, noted)
    if is_sound(value, _ANY_DEPTH):
        return value
    root: list[Any] = [None]
    todo: list[tuple[Any, Any, Any]] = [(value, root, 0)]
    """What is still to be copied: the value, where it goes, and under which key."""
    while todo:
        inner, target, key = todo.pop()
        made: Any
        if isinstance(inner, dict):
            made = {}
            members: list[tuple[Any, Any]] = [(str(_clean_scalar(k, noted)), v) for k, v in inner.items()]
        else:
            made = [None] * len(inner)
            members = [(i, v) for i, v in enumerate(inner)]
        target[key] = made
        for name, member in members:
            if isinstance(member, (dict, list, tuple)):
                made[name] = None  # keeps its place
                todo.append((member, made, name))
            else:
                made[name] = _clean_scalar(member, noted)
    return root[0]


_ANY_DEPTH = 1 << 30


def _clean_scalar(value: Any, noted: Noted | None) -> Any:
    if isinstance(value, str):
        if not value.isascii() and _SURROGATE.search(value):
            if noted is not None:
                noted("lone_surrogate", "half of a UTF-16 pair stands alone; it was replaced")
            return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        return value
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "replace")
    return value


def is_sound(value: Any, depth: int) -> bool:
    """Whether a list or an object may stand in a step as it is: :func:`clean` would change nothing, and it is no deeper than ``depth``.

    What is decoded from sound JSON is, so that nearly nothing has to be copied.
    """
    here = [value]
    for _ in range(depth):
        inside: list[Any] = []
        for container in here:
            if type(container) is dict:
                for key in container:
                    if type(key) is not str or not (key.isascii() or _SURROGATE.search(key) is None):
                        return False
                members: Any = container.values()
            else:
                members = container
            for member in members:
                kind = type(member)
                if kind is str:
                    if not (member.isascii() or _SURROGATE.search(member) is None):
                        return False
                elif kind is dict or kind is list:
                    inside.append(member)
                elif kind is float:
                    if member - member != 0:
                        return False
                elif member is not None and kind is not int and kind is not bool:
                    return False
        if not inside:
            return True
        here = inside
    return False


def nesting(value: Any) -> int:
    """Levels of lists and objects inside one another, without recursion."""
    levels = 0
    level: list[Any] = [value] if type(value) in _NESTS else []
    while level:
        levels += 1
        level = [inner for outer in level for inner in (outer.values() if type(outer) is dict else outer) if type(inner) in _NESTS]
    return levels


_NESTS = frozenset({dict, list})
