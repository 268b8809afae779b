"""Attributes that are no part of the run: evaluation labels. They are sealed, wherever a recording keeps them."""

from __future__ import annotations

from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.labels import is_label, seal
from seamwise.importers._shared.text import parsed

_PACKED = ("metadata", "ai.telemetry.metadata", "traceloop.association.properties.metadata")
"""Attributes that hold a JSON object in which labels may hide."""


OFFERS = ("gen_ai.tool.definitions", "llm.tools.", "llm.request.functions.", "ai.prompt.tools")
"""How attributes begin that say which tools were offered."""


class Seal:
    """Takes labels out of attributes. One per file: what names have been looked at is remembered.

    Args:
        sink: Where labels go.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._seen: set[str] = set()
        self._labels: set[str] = set()
        self._offers: set[str] = set()

    def take(self, attributes: dict[str, Any], trace: str, step: str | None) -> None:
        """Moves the labels among the attributes to the sealed side."""
        keys = attributes.keys()
        if not keys <= self._seen:
            self._look_at(keys - self._seen)
        if self._labels and not self._labels.isdisjoint(keys):
            self._move(attributes, trace, step)

    def has_offers(self, attributes: dict[str, Any]) -> bool:
        """Whether some of the attributes, all looked at by :meth:`take`, say which tools were offered."""
        return not self._offers.isdisjoint(attributes)

    def _look_at(self, fresh: set[str]) -> None:
        if len(self._seen) > 100_000:
            self._seen.clear()
        self._seen |= fresh
        self._labels |= {key for key in fresh if is_label(key) or key in _PACKED}
        self._offers |= {key for key in fresh if key.startswith(OFFERS)}

    def _move(self, attributes: dict[str, Any], trace: str, step: str | None) -> None:
        for key in [k for k in attributes if k in self._labels]:
            if key in _PACKED and not is_label(key):
                packed = parsed(attributes[key])
                if isinstance(packed, dict) and any(map(is_label, packed)):
                    attributes[key] = {k: v for k, v in packed.items() if not is_label(k)}
                    for inner, value in packed.items():
                        if is_label(inner):
                            self.put(trace, step, f"{key}.{inner}", value)
                continue
            self.put(trace, step, key, attributes.pop(key))

    def put(self, trace: str, step: str | None, key: str, value: Any) -> None:
        """Seals one label."""
        seal(self._sink, trace, step, key, value)
