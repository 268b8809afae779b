"""Paths into the content of a step: ``arguments.customer_id``, ``result.items[0].price``, ``data.attributes['user.id']``.

The first word says which part of the operation is meant. A call and its ending are one operation, so ``arguments`` are the call's and
``result`` is the ending's, whichever of the two is being read. JSON inside a string is decoded on the way. A path that leads nowhere gives
``MISSING``, never a default.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from seamwise.binding._cursor import Cursor
from seamwise.errors import did_you_mean
from seamwise.record import Step


class _Missing:
    """The type of :data:`MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = _Missing()
"""What was not recorded."""

Getter = Callable[[Step | None, Step], Any]
"""Reads a value off an operation: its opening (where one is recorded) and the step at hand."""

_decode = msgspec.json.Decoder().decode
_PARTS = re.compile(r"\.?([^.\[\]'\"\s]+)|\[(-?\d{1,6})\]|\[(\*)\]|\[(?:'([^']*)'|\"([^\"]*)\")\]")
MAX_PARTS = 30
MAX_JSON_BYTES = 4 << 20
EACH: Final = "[*]"


def _arguments(opening: Step | None, step: Step) -> Any:
    data = step.data if opening is None else opening.data
    return MISSING if data is None else data.get("arguments", MISSING)


def _result(opening: Step | None, step: Step) -> Any:
    data = step.data
    return MISSING if data is None else data.get("result", MISSING)


def _data(opening: Step | None, step: Step) -> Any:
    if opening is not None and opening.data is not None:
        return opening.data if step.data is None else {**opening.data, **step.data}
    return MISSING if step.data is None else step.data


def _text(opening: Step | None, step: Step) -> Any:
    if step.text is not None:
        return step.text
    result = _result(opening, step)
    return result if isinstance(result, str) else MISSING


def _actor(opening: Step | None, step: Step) -> Any:
    actor = step.actor if opening is None or opening.actor is None else opening.actor
    return MISSING if actor is None else actor


def _recipients(opening: Step | None, step: Step) -> Any:
    return MISSING if step.recipients is None else step.recipients


def _plain(name: str) -> Getter:
    def get(opening: Step | None, step: Step) -> Any:
        value = getattr(step, name)
        if value is None and opening is not None:
            value = getattr(opening, name)
        return MISSING if value is None else value

    return get


def _status(opening: Step | None, step: Step) -> Any:
    return MISSING if step.status is None else step.status


ROOTS: dict[str, Getter] = {
    "arguments": _arguments,
    "result": _result,
    "data": _data,
    "text": _text,
    "actor": _actor,
    "recipients": _recipients,
    "status": _status,
    "tool": _plain("tool"),
    "channel": _plain("channel"),
    "time": _plain("time_ns"),
    "id": _plain("id"),
    "call": _plain("call"),
    "kind": _plain("kind"),
    "source": _plain("source"),
}
"""The first word of a path, and what it reads."""


def compile_path(cursor: Cursor) -> Getter:
    """Reads what the path under the cursor names.

    Raises:
        PackError: It is no path, or begins with an unknown word.
    """
    text = cursor.text()
    parts = split_path(cursor, text)
    root = parts[0]
    if not isinstance(root, str) or root not in ROOTS:
        hint = did_you_mean(str(root), ROOTS) or f"a path begins with one of {', '.join(ROOTS)}; a constant is written `{{value: {text}}}`"
        raise cursor.error(f"expected a path into a step, got `{text}`", hint=hint)
    get, rest = ROOTS[root], parts[1:]
    if not rest:
        return get
    if len(rest) == 1 and isinstance(rest[0], str) and rest[0] != EACH:
        name = rest[0]

        def entry(opening: Step | None, step: Step) -> Any:
            whole = get(opening, step)
            if type(whole) is dict:
                value = whole.get(name)
                return MISSING if value is None else value
            return follow(whole, rest)

        return entry

    def deep(opening: Step | None, step: Step) -> Any:
        return follow(get(opening, step), rest)

    return deep


def split_path(cursor: Cursor, text: str, *, bracketed: bool = False) -> tuple[str | int, ...]:
    """The parts of a path.

    Args:
        cursor: Where it stands, for messages.
        text: The path.
        bracketed: Whether it may begin with a name in brackets.

    Raises:
        PackError: It is no path.
    """
    parts: list[str | int] = []
    at = 0
    while at < len(text):
        match = _PARTS.match(text, at)
        if match is None or (at == 0 and text[0] in (".[" if not bracketed else ".")):
            hint = "words joined by dots, `[0]` for the first of a list, `['a.b']` for a name that holds a dot"
            raise cursor.error(f"expected a path, got `{text}` at its character {at + 1}", hint=hint)
        word, index, each, single, double = match.groups()
        parts.append(word if word is not None else int(index) if index is not None else EACH if each else single or double or "")
        at = match.end()
    if len(parts) > MAX_PARTS:
        raise cursor.error(f"expected a path of at most {MAX_PARTS} parts, got {len(parts)}")
    return tuple(parts)


def follow(value: Any, parts: tuple[str | int, ...]) -> Any:
    """The value at the end of the path, or MISSING."""
    for i, part in enumerate(parts):
        if isinstance(value, str):
            value = decoded(value)
        if part == EACH:
            if not isinstance(value, (list, tuple)):
                return MISSING
            found = (follow(item, parts[i + 1 :]) for item in value)
            return [item for item in found if item is not MISSING]
        if isinstance(part, int):
            if not isinstance(value, (list, tuple)) or not -len(value) <= part < len(value):
                return MISSING
            value = value[part]
        elif isinstance(value, dict):
            value = value.get(part, MISSING)
        else:
            return MISSING
    return MISSING if value is None else value


def decoded(text: str) -> Any:
    """The JSON in a text, or the text itself where there is none."""
    start = text[:1] if text[:1] in "{[" else text.lstrip()[:1]
    if start not in ("{", "[") or len(text) > MAX_JSON_BYTES:
        return text
    try:
        return _decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return text
