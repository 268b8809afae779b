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
                value = anchors.get(event.anchor or "")
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                if deep or len(stack) > _DEEPEST:
                    deep += 1
                    continue
                made: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
                add(made)
                stack.append((made, [], event.anchor))
                continue
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                if deep:
                    deep -= 1
                    continue
                done, _, anchor = stack.pop()
                if anchor is not None:
                    anchors[anchor] = done  # only now, so that no value can be inside itself
                continue
            else:
                continue
            if not deep:
                add(value)
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
