"""One origin counted twice: two accepted items of one decision come from the same source.

Innocent: the second carries no weight, or repeats the first under its own id and was merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.leads._facts import Facts, told
from seamwise.leads._lead import Hit


def find(facts: Facts) -> Iterator[Hit]:
    """Admissions of one decision that share their origin."""
    known: dict[Any, tuple[int, str]] = {}
    for i, step in enumerate(facts.steps):
        data = step.data or {}
        origin, item = data.get("origin"), data.get("item")
        if step.kind != "admission" or data.get("accepted") is not True or origin in (None, "", []) or item is None:
            continue
        if data.get("weight") in (0, "0", 0.0):
            continue
        key = (str(data.get("decision", "")), str(origin))
        first, other = known.setdefault(key, (i, str(item)))
        if first != i and other != str(item):
            yield Hit(
                f"origin {origin}",
                f"{told(facts.steps[first], first)} and {told(step, i)} both count, and both come from `{origin}`",
                ((first, "counted"), (i, "counted again")),
            )
