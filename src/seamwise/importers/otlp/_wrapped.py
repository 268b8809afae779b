"""Arguments and results that an instrumentation wrapped: Traceloop records how a function was called, not only with what."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.arguments import python_literal
from seamwise.importers._shared.text import parsed

IN, OUT = "traceloop.entity.input", "traceloop.entity.output"
WRAPPED = frozenset({IN, OUT})
"""Attributes whose content may be wrapped."""


def unwrapped(key: str, value: Any, attributes: dict[str, Any]) -> Any:
    """The arguments or the result alone; what else was recorded goes back among the attributes.

    Args:
        key: The attribute that it stood under.
        value: What stood there, parsed.
        attributes: Those of the span.
    """
    if not isinstance(value, dict):
        return value
    if key == IN:
        if value.keys() == {"args", "kwargs"} and value["args"] in ([], None) and isinstance(value["kwargs"], dict):
            return value["kwargs"]
        name = "inputs" if isinstance(value.get("inputs"), dict) else "input_str" if isinstance(value.get("input_str"), str) else None
        found = value.get(name) if name is not None else None
    else:
        name, found = "output", value.get("output")
    if name is None or found is None:
        return value
    rest = {k: v for k, v in value.items() if k != name and v not in (None, [], {})}
    if name == "inputs":
        rest.pop("input_str", None)  # The same in Python's notation.
    if rest:
        attributes[key] = rest
    if isinstance(found, str):
        inner = parsed(found)
        literal = python_literal(found) if isinstance(inner, str) else None
        return inner if literal is None else literal
    return found
