"""What a file holds, told by its first bytes: which keys stand where, and some short values.

    outline(head).has("history[].role", "mistake_agent")

A path names object keys, ``[]`` stands for any element of a list. The values of a file of lines are read as if each were the document, so
paths begin at the line's value. The bytes may break off anywhere.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from seamwise.importers._source import plain_text

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)(?:"|\\?\Z)|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)
_DEEP = 8
"""Levels that are looked at."""
_SHORT = 80
"""Longest text that is remembered as a value."""
_MANY = 40
"""Most values remembered of one path."""


class Outline(NamedTuple):
    """What was seen."""

    start: str
    """The first character that is not white space: ``{``, ``[``, another one, or nothing."""
    paths: frozenset[str]
    """Paths of all keys seen, such as ``messages[].role``."""
    values: dict[str, frozenset[str]]
    """Path -> short texts that stand there."""

    def has(self, *paths: str) -> bool:
        """Whether all of the paths were seen."""
        return self.paths.issuperset(paths)

    def says(self, path: str, *texts: str) -> bool:
        """Whether one of the texts stands at the path."""
        return not self.values.get(path, frozenset()).isdisjoint(texts)


@lru_cache(maxsize=8)
def outline(head: bytes) -> Outline:
    """The outline of a file's first bytes; it never raises."""
    text = plain_text(head)[0].decode("utf-8", "replace")
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return Outline(start, frozenset(), {})
    paths: set[str] = set()
    values: dict[str, set[str]] = {}
    stack: list[tuple[str, str]] = []
    """Open brackets, each with the path of what stands in it."""
    place, key = "", None
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign in "{[":
            inner = place if sign == "{" or len(stack) >= _DEEP else f"{place}[]"  # deeper paths are not kept, nor made
            stack.append((sign, inner))
            place, key = inner, None
        elif sign in "}]":
            if not stack or (stack[-1][0] == "{") != (sign == "}"):
                break
            stack.pop()
            place, key = (stack[-1][1] if stack else ""), None
        elif sign == ",":
            place, key = (stack[-1][1] if stack else ""), None
        elif sign == ":":
            if key is None or not stack:
                break
            if len(stack) <= _DEEP:
                place = f"{place}.{key}" if place else key
                paths.add(place)
            key = None
        elif sign[0] == '"' and stack and stack[-1][0] == "{" and place == stack[-1][1]:
            key = token.group(1)
        elif sign[0] == '"' and len(sign) <= _SHORT and len(stack) <= _DEEP:
            known = values.setdefault(place, set())
            if len(known) < _MANY:
                known.add(token.group(1))
    return Outline(start, frozenset(paths), {path: frozenset(known) for path, known in values.items()})
