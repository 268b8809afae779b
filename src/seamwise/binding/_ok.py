"""How a binding tells whether an operation took effect."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal

from seamwise.binding._cursor import Cursor, shown
from seamwise.binding._field import PathReader, frozen, paths_of
from seamwise.binding._path import MISSING, Getter, compile_path
from seamwise.record import Step, is_whole

OK_KEYS = ("path", "equals", "in", "present", "match")

Told = Literal["ok", "failed"] | None
"""What an ending tells; None: not recorded."""

Ok = Callable[[Step | None, Step], tuple[Told, Mapping[str, str] | None]]
"""Reads off an ending whether the operation took effect, and what named groups of a pattern say besides."""


def compile_ok(cursor: Cursor, read: PathReader = compile_path) -> Ok:
    """How success is told: ``{path: result.status, equals: done}``, ``{match: "issued [0-9]+"}`` and the like.

    A result that was recorded and says something else means that nothing took effect. Where what is to be looked at was not recorded,
    nothing is known.

    Args:
        cursor: The test.
        read: Compiles its path.

    Raises:
        PackError: It is none of them.
    """
    parts = cursor.fields(OK_KEYS)
    tests = [word for word in ("equals", "in", "present", "match") if word in parts]
    if len(tests) != 1:
        raise cursor.error(f"expected one of `equals`, `in`, `present`, `match`, got {' and '.join(tests) or 'none of them'}")
    test = tests[0]
    if test == "match":
        return _matching(parts, read)
    if "path" not in parts:
        raise cursor.error("expected `path`, got nothing", hint=f"`{{path: result.status, {test}: ...}}`")
    get = paths_of(parts["path"], read)
    if test == "present":
        return _present(get, wanted=parts["present"].flag())
    good = parts["in"].items() if test == "in" else [parts["equals"]]
    paths = parts["path"].value
    named = " or ".join(map(str, paths)) if isinstance(paths, list) else str(paths)
    asks = f"`{named}` = {' or '.join(f'`{shown(item.value)}`' for item in good)}"
    return Equals(get, frozenset(map(_plain, good)), asks)


class Equals:
    """The test whether a value is one of some.

    Args:
        get: Reads the value.
        good: The values that mean success.
        asks: The test in words, the path and the values in backquotes.
    """

    def __init__(self, get: Getter, good: frozenset[Any], asks: str) -> None:
        self.get = get
        self.asks = asks
        self._good = good

    def __call__(self, opening: Step | None, step: Step) -> tuple[Told, None]:
        value = self.get(opening, step)
        if value is MISSING or value is None:
            return None, None
        try:
            good = _typed(frozen(value)) in self._good
        except TypeError:
            good = False
        if good:
            return "ok", None
        return ("failed" if is_whole(value) else None), None  # what was masked may have said that it took effect


def _plain(cursor: Cursor) -> Any:
    value = frozen(cursor.value)
    if isinstance(value, (tuple, dict)) or value is None:
        raise cursor.expected("text, a number, true or false")
    return _typed(value)


def _typed(value: Any) -> Any:
    """``True`` and ``1`` are two things."""
    return (bool, value) if isinstance(value, bool) else value


def _present(get: Any, *, wanted: bool) -> Ok:
    def present(opening: Step | None, step: Step) -> tuple[Told, None]:
        data = step.data
        if step.text is None and (data is None or "result" not in data):
            return None, None
        value = get(opening, step)
        return ("ok" if (value is not MISSING and value is not None) is wanted else "failed"), None

    return present


def _matching(parts: dict[str, Cursor], read: PathReader) -> Ok:
    pattern: re.Pattern[str] = parts["match"].pattern()
    for name in pattern.groupindex:
        if name in ("status", "actor", "t"):
            raise parts["match"].error(f"expected another name than `{name}` for a group; it is the record's own")
    path = parts["match"].at(value="text") if "path" not in parts else parts["path"]
    get = paths_of(path, read)
    named = bool(pattern.groupindex)

    def match(opening: Step | None, step: Step) -> tuple[Told, Mapping[str, str] | None]:
        value = get(opening, step)
        if not isinstance(value, str):
            return None, None
        found = pattern.search(value)
        if found is None:
            return ("failed" if is_whole(value) else None), None
        return "ok", {name: text for name, text in found.groupdict().items() if text is not None} if named else None

    return match
