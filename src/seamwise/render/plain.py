"""Recorded text made safe to show, and measured: what an agent wrote never moves a cursor, colours a line or reorders one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
"""Controls, format characters (bidi marks, zero-width ones), surrogates, unassigned, line and paragraph separators."""

_KEPT = frozenset("\n\t\u200d\u00ad")
"""Lines and tabs are laid out here; a joiner holds emoji together; a soft hyphen hides nothing."""

_SUSPECT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u06dd\u070f\u180e\u200b\u200c\u200e\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff"
    r"\ud800-\udfff\U000e0000-\U000e0fff\U0001bca0-\U0001bcaf\U0001d173-\U0001d17a]"
)
_SPACES = re.compile(r"[ \t\r\n\f\v]+")


def visible(text: str) -> str:
    r"""The text with every character that could act instead of being read written as its escape: ``\x1b``, ``\u202e``."""
    if text.isascii() and text.isprintable():
        return text
    return _SUSPECT.sub(_escape, text.replace("\r\n", "\n"))


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    if char in _KEPT or (char == "\u202f") or unicodedata.category(char) not in _CATEGORIES:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(text: str) -> str:
    """The visible text on one line, runs of white space folded into one space."""
    return visible(_SPACES.sub(" ", text)).strip()


def cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) or c == "\u200d" else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, width: int, *, right: bool = False) -> str:
    """The text filled up with spaces to that many columns."""
    space = " " * max(0, width - cells(text))
    return space + text if right else text + space


def cut(text: str, width: int) -> str:
    """The text, cut with an ellipsis where it takes more columns than that."""
    if cells(text) <= width:
        return text
    out, used = [], 0
    for char in text:
        size = cells(char)
        if used + size > max(0, width - 1):
            break
        out.append(char)
        used += size
    return "".join(out).rstrip() + "…"


def wrap(text: str, width: int, *, first: str = "", rest: str = "") -> Iterator[str]:
    """The text in lines of at most that many columns, broken at spaces; words that are longer are broken where they must be."""
    line, used, begun = first, cells(first), False
    for word in text.split():
        size = cells(word)
        if begun and used + 1 + size > width:
            yield line
            line, used, begun = rest, cells(rest), False
        if begun:
            line, used = f"{line} {word}", used + 1 + size
            continue
        while used + cells(word) > width > used + 8:
            piece = _fitting(word, width - used)
            yield line + piece
            word, line, used = word[len(piece) :], rest, cells(rest)
        line, used, begun = line + word, used + cells(word), True
    if begun or first:
        yield line.rstrip()


def _fitting(word: str, width: int) -> str:
    used = 0
    for i, char in enumerate(word):
        used += cells(char)
        if used > width:
            return word[: max(1, i)]
    return word
