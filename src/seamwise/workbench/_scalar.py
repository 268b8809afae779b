"""Texts as they may stand in a page."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def scalar(text: str) -> str:
    """A text as YAML, quoted where it needs it."""
    if _PLAIN.match(text) and text.lower() not in _RESERVED:
        return text
    return '"' + "".join(c if c.isprintable() and c not in '"\\' else _escaped(c) for c in text) + '"'


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def comment(text: str) -> str:
    """A text that stays on its line, in a comment."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
