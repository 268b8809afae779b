"""How an operation ended, as far as its span says.

The decision. OpenTelemetry leaves the status *unset* unless there is an error, and only an application's developer sets *ok*. So

- ``failed``: the status is ERROR, or ``error.type`` is recorded;
- ``timeout`` (the outcome is open): the same, where the error is a timeout, a cancellation or a lost connection: the other side may have
  done the work;
- ``ok``: the status is OK, or a result is recorded and no error of any sort is (the tool answered);
- not recorded (None): the span ended, its status is unset, and there is no result. That it ended does not say that its effect happened.

A result whose own content reports an error (``{"success": false}``) is no status: it is noted as a suspected failure. Where the status
is OK it stays ``ok`` (the record says so); where the status is unset, the presence of such a result does not make it ``ok``. What counts
as success for a tool is for a binding's ``ok:`` rule to say.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from seamwise.importers.otlp._nodes import Node
from seamwise.record import Status


class Ending(NamedTuple):
    """How it ended, and what was recorded of an error."""

    status: Status | None
    error: dict[str, Any] | None


_OK, _OPEN_ENDED = Ending("ok", None), Ending(None, None)

_OPEN = re.compile(
    r"time[ _-]?(?:d[ _-]?)?out|deadline[ _-]?exceeded|cancel|abort|connection[ _-]?(?:reset|closed|aborted|error|lost)|broken[ _-]?pipe|"
    r"unavailable|disconnect|^_OTHER$|^(?:408|499|502|503|504)$",
    re.IGNORECASE,
)
"""Errors that leave the outcome open."""

_OPEN_WORDS = re.compile(
    r"time[ -]?d[ -]?out|timeout|deadline exceeded|connection (?:reset|closed|aborted|lost)|broken pipe", re.IGNORECASE
)


def ending_of(node: Node, *, answered: bool, suspected: bool = False) -> Ending:
    """How the operation of a span ended.

    Args:
        node: The span.
        answered: A result is recorded.
        suspected: The result itself reports an error.
    """
    error: dict[str, Any] | None = None
    kind = node.attributes.get("error.type")
    if not node.code and kind is None and not node.events:
        return _OK if answered and not suspected else _OPEN_ENDED
    if node.code == 2 or kind is not None or node.events:
        error = _error(node, kind)
    if node.code == 1:
        return Ending(None if kind is not None else "ok", error)
    if node.code == 2 or kind is not None:
        said = error or {}
        is_open = _OPEN.search(str(said.get("type", ""))) or _OPEN_WORDS.search(str(said.get("message", "")))
        return Ending("timeout" if is_open else "failed", error)
    if answered and not suspected and error is None:
        return Ending("ok", None)
    return Ending(None, error)


def _error(node: Node, kind: Any) -> dict[str, Any] | None:
    error: dict[str, Any] = {}
    if kind is not None:
        error["type"] = kind
    status = node.span.status
    if status is not None and status.message and node.code == 2:
        error["message"] = status.message
    for event in node.events:
        if event.name == "exception":
            for key, name in (("exception.type", "type"), ("exception.message", "message")):
                if key in event.attributes:
                    error.setdefault(name, event.attributes[key])
    if not error and node.code == 2:
        error["type"] = "ERROR"
    return error or None
