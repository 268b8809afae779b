"""Objects as Python prints them: ``TextMessage(source='a', content='x')``, ``source='a' content='x'``, ``[FunctionCall(id='1')]``.

They are parsed, never evaluated. An object becomes a dict with its class under ``type``, unless it has a field of that name.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from seamwise.importers._shared.text import clean

_LONGEST = 1 << 21
"""Characters that are parsed; more stay text, for a tree of them may take a hundred times their memory."""
_NESTED = 2000
_TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*(?:'|\\?\Z)|"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[\](){}]|(?:(?<=\s)|\A)[A-Za-z_]\w*=""", re.DOTALL)


def notation(text: str) -> Any:
    """The value of a text in Python's notation, or None where it is none."""
    if len(text) > _LONGEST or max(map(text.count, "([{")) > _NESTED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in foreign text
            return clean(_value(ast.parse(text.strip(), mode="eval").body))
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None


def fields(text: str) -> dict[str, Any] | None:
    """The fields of ``a=1 b='x'``, or None where the text is nothing of the sort."""
    if len(text) > _LONGEST:
        return None
    names: list[tuple[str, int, int]] = []
    depth = 0
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign[-1] == "=" and depth == 0:
            names.append((sign[:-1], token.start(), token.end()))
    if not names or text[: names[0][1]].strip():
        return None
    made = {}
    for i, (name, _, start) in enumerate(names):
        end = names[i + 1][1] if i + 1 < len(names) else len(text)
        written = text[start:end].strip()
        value = notation(written)
        made[name] = written if value is None and written != "None" else value
    return made


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return str(value) if isinstance(value, complex) or value is ... else value
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {str(_value(key)): _value(value) for key, value in zip(node.keys, node.values, strict=True) if key is not None}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand)
        return -value if isinstance(value, (int, float)) else None
    if isinstance(node, (ast.Name, ast.Attribute)):
        return ast.unparse(node)
    if isinstance(node, ast.Call):
        return _object(node)
    raise ValueError


def _object(node: ast.Call) -> Any:
    name = ast.unparse(node.func)
    if name in ("datetime.datetime", "datetime"):
        return _moment(node)
    made: dict[str, Any] = {"type": name.rpartition(".")[2]}
    if node.args:
        made["args"] = [_value(arg) for arg in node.args]
    made.update({word.arg: _value(word.value) for word in node.keywords if word.arg is not None})
    return made


def _moment(node: ast.Call) -> str:
    """A time in ISO 8601; with a zone only where the notation names one that is known."""
    parts = [int(_value(arg)) for arg in node.args] + [0] * 7
    zone = next((ast.unparse(word.value).lower() for word in node.keywords if word.arg == "tzinfo"), "")
    year, month, day, hour, minute, second, micro = parts[:7]
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micro:06}" + ("+00:00" if "utc" in zone else "")
