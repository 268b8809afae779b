"""YAML as plain values. Nothing is constructed but lists, objects, texts and bytes, and what breaks off is read as far as it goes.

Dates and fractions stay text: a cassette's words are inside texts, and what is not looked at need not be understood. An alias is the very
value that it stands for, so that aliases of aliases cost nothing.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, NamedTuple

_PLAIN: dict[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_MOST = 20_000_000
"""Values that may be reached in a document; an alias that would make it more is left out."""
_DEEPEST = 200
"""Levels of nesting; what lies deeper is left out."""


class Yaml(NamedTuple):
    """What a document holds."""

    value: Any
    damage: str | None
    """Where and why it could not be read further; None: it was read to its end."""


def load(text: str) -> Yaml:
    """The first document of a text."""
    import yaml

    root: list[Any] = []
    anchors: dict[str, Any] = {}
    stack: list[tuple[Any, list[Any], str | None]] = [(root, [], None)]
    """Open containers, each with the key of an object that waits for its value, and the name that an alias may call it by."""
    sizes: dict[str, int] = {}
    """Name -> how many values stand inside what it names, each counted as often as it is reached."""
    counts = [0]
    """Values inside each open container, the root first."""
    deep = 0

    def add(value: Any) -> None:
        container, waiting, _ = stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif waiting:
            container[waiting.pop()] = value
        else:
            waiting.append(value if isinstance(value, str) else str(value))

    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.DocumentEndEvent):
                break
            if isinstance(event, yaml.ScalarEvent):
                value = None if deep else _scalar(event)
            elif isinstance(event, yaml.AliasEvent):
                size = sizes.get(event.anchor or "", 0)
                # Values that are shared cost nothing here, but who walks through them meets them as often as they are reached.
                value = anchors.get(event.anchor or "") if counts[0] + sum(counts[1:]) + size <= _MOST else None
                counts[-1] += size if value is not None else 0
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                if deep or len(stack) > _DEEPEST:
                    deep += 1
                    continue
                made: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
                add(made)
                stack.append((made, [], event.anchor))
                counts.append(0)
                continue
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                if deep:
                    deep -= 1
                    continue
                done, _, anchor = stack.pop()
                size = counts.pop() + 1
                counts[-1] += size
                if anchor is not None:
                    anchors[anchor], sizes[anchor] = done, size  # only now, so that no value can be inside itself
                continue
            else:
                continue
            if not deep:
                add(value)
                counts[-1] += 1
                if isinstance(event, yaml.ScalarEvent) and event.anchor is not None:
                    anchors[event.anchor] = value
    except yaml.YAMLError as error:
        words = " ".join(str(error).split())[:200]
        return Yaml(root[0] if root else None, words)
    return Yaml(root[0] if root else None, None)


def _scalar(event: Any) -> Any:
    tag = event.tag or ""
    if tag.endswith(":binary"):
        try:
            return base64.b64decode("".join(event.value.split()))
        except (binascii.Error, ValueError):
            return event.value
    if event.style not in (None, "") or tag.endswith(":str"):
        return event.value
    if event.value in _PLAIN:
        return _PLAIN[event.value]
    return int(event.value) if _WHOLE.fullmatch(event.value) else event.value
