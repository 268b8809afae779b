"""Spellings of one name made one: ``CUST-0042``, ``cust-42 `` and ``Cust–42`` may be one customer, if the page says so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from seamwise.binding._cursor import Cursor

SPELLING_KEYS = ("strip", "lower", "upper", "fold", "zeros", "prefix")
_ZEROS = re.compile(r"(?<![0-9.,])0+(?=[0-9])")


def spelling_changes(parts: dict[str, Cursor]) -> list[Callable[[Any], Any]]:
    """What these words do to a text, in the order of :data:`SPELLING_KEYS`; what is no text is left alone.

    Raises:
        PackError: A word has another value than it may.
    """
    out: list[Callable[[Any], Any]] = []
    if "strip" in parts:
        out.append(_stripping(parts["strip"]))
    if "lower" in parts and parts["lower"].flag():
        out.append(lambda value: value.lower() if isinstance(value, str) else value)
    if "upper" in parts:
        if "lower" in parts:
            raise parts["upper"].error("expected either `lower` or `upper`, got both", key=True)
        if parts["upper"].flag():
            out.append(lambda value: value.upper() if isinstance(value, str) else value)
    if "fold" in parts and parts["fold"].flag():
        out.append(lambda value: folded(value) if isinstance(value, str) else value)
    if "zeros" in parts:
        parts["zeros"].one_of(("drop",))
        out.append(lambda value: _ZEROS.sub("", value) if isinstance(value, str) else value)
    if "prefix" in parts:
        lead = parts["prefix"].text()
        out.append(lambda value: f"{lead}{value}" if isinstance(value, (str, int)) and not isinstance(value, bool) else value)
    return out


def folded(text: str) -> str:
    """One text for all spellings that differ in case, width, composed letters or white space alone."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def _stripping(cursor: Cursor) -> Callable[[Any], Any]:
    if cursor.value is True:
        return lambda value: value.strip() if isinstance(value, str) else value
    if not isinstance(cursor.value, str):
        raise cursor.expected("`true` (white space) or the leading text to take off")
    lead = cursor.text()
    return lambda value: value.removeprefix(lead) if isinstance(value, str) else value
