"""AG2's chats as text: Python literals one after another, or messages written out with indents."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._shared.arguments import python_literal

_TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*(?:'|\\?\Z)|"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}]""", re.DOTALL)
"""A text that breaks off inside quotes ends there: were it looked at again from each quote in it, it would take its square in time."""
_CONTENT = re.compile(r"([ \t]*)content:[ \t]*(.*)")
_ROLE = re.compile(r"([ \t]*)role:[ \t]*(\S*)[ \t]*")
_NAME = re.compile(r"([ \t]*)name:[ \t]*(\S.*?)[ \t]*")


def messages(text: str) -> list[Any] | None:
    """The messages of a text of either sort, or None where it is none."""
    start = text.lstrip()[:200]
    if re.match(r"\[?\s*\{\s*['\"](?:content|role|name)['\"]\s*:", start):
        return _literals(text)
    return _written(text.split("\n"))


def _written(lines: list[str]) -> list[Any] | None:
    """Messages written out: ``content:``, the lines of it, ``role:`` and ``name:`` with the same indent."""
    out: list[Any] = []
    before: list[str] = []
    body: list[str] | None = None
    indent, at, n = "", 0, 0
    while at < len(lines):
        role = _ROLE.fullmatch(lines[at]) if body is not None else None
        name = _NAME.fullmatch(lines[at + 1]) if role is not None and at + 1 < len(lines) else None
        begins = _CONTENT.fullmatch(lines[at]) if body is None else None
        if role is not None and name is not None and role[1] == name[1] == indent:
            out.append({"content": _dedented(body or []), "role": role[2], "name": name[2]})
            body, n, at = None, n + 1, at + 2
            continue
        if begins is not None:
            if any(line.strip() for line in before):
                out.append({"text": "\n".join(before).strip()})
            before, body, indent = [], [begins[2]], begins[1]
        else:
            (before if body is None else body).append(lines[at])
        at += 1
    if rest := "\n".join([*before, *(body or [])]).strip():
        out.append({"text": rest})
    return out if n > 1 else None


def _literals(text: str) -> list[Any] | None:
    """Literals one after another; what does not parse is kept as text."""
    out: list[Any] = []
    depth = start = end = 0
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign == "{":
            if depth == 0:
                start = token.start()
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                written = text[start : token.end()]
                value = python_literal(written)
                out.append(value if isinstance(value, dict) else {"text": written})
                end = token.end()
    if rest := text[end:].strip(" \t\n,[]"):
        out.append({"text": rest})
    return out if any("content" in entry for entry in out) else None


def _dedented(lines: list[str]) -> str:
    cut = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    return "\n".join([lines[0].strip(), *(line[cut:] for line in lines[1:])]).strip() if lines else ""
