"""Which steps a rule takes by their content, where tool and kind do not say it: ``when: {path: arguments.action, equals: approve}``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seamwise.binding._cursor import Cursor
from seamwise.binding._field import PathReader, frozen, paths_of
from seamwise.binding._path import MISSING, Getter, compile_path
from seamwise.record import Step

When = Callable[[Step | None, Step], bool]
"""Whether an operation is one that the rule takes. What was not recorded answers no test but ``present: false``."""
WHEN_KEYS = ("path", "equals", "in", "present", "match")


def compile_when(cursor: Cursor, read: PathReader = compile_path) -> tuple[When, ...]:
    """The tests under the cursor, one or a list; all must hold.

    Args:
        cursor: The tests.
        read: Compiles their paths.

    Raises:
        PackError: It is none.
    """
    parts = cursor.items() if isinstance(cursor.value, (list, tuple)) else [cursor]
    return tuple(_test(part, read) for part in parts)


def _test(cursor: Cursor, read: PathReader) -> When:
    parts = cursor.fields(WHEN_KEYS, required=("path",))
    words = [word for word in WHEN_KEYS[1:] if word in parts]
    if len(words) != 1:
        raise cursor.error(f"expected one of `equals`, `in`, `present`, `match`, got {' and '.join(words) or 'none of them'}")
    get, word = paths_of(parts["path"], read), words[0]
    if word == "present":
        wanted = parts["present"].flag()
        return lambda opening, step: (get(opening, step) is not MISSING) is wanted
    if word == "match":
        pattern = parts["match"].pattern()
        return lambda opening, step: isinstance(value := get(opening, step), str) and pattern.search(value) is not None
    values = parts["in"].items() if word == "in" else [parts["equals"]]
    return _among(get, [frozen(value.value) for value in values])


def _among(get: Getter, values: list[Any]) -> When:
    def among(opening: Step | None, step: Step) -> bool:
        value = get(opening, step)
        if value is MISSING:
            return False
        value = frozen(value)
        return any(value == other and isinstance(value, bool) is isinstance(other, bool) for other in values)

    return among
