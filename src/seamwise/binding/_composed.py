"""One spelling for one name: what a person sees as one character can be written as one or as several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize


def composed(text: str) -> str:
    """The text with its characters composed (Unicode NFC): two texts that look alike to the letter are then one."""
    return text if text.isascii() else normalize("NFC", text)


def all_composed(value: Any) -> Any:
    """The value with all texts in it composed, the names of a mapping too."""
    if type(value) is str:
        return value if value.isascii() else normalize("NFC", value)
    if isinstance(value, tuple):
        return tuple(all_composed(item) for item in value)
    if isinstance(value, list):
        return [all_composed(item) for item in value]
    if isinstance(value, Mapping):
        made: Any = type(value)
        return made([(all_composed(name), all_composed(item)) for name, item in value.items()])
    return value
