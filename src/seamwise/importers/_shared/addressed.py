"""Labels of speakers that say more than a name: to whom something is said, or that it is said to nobody.

``Orchestrator (-> WebSurfer)``, ``Admin (to chat_manager)``, ``Orchestrator (thought)``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LABEL = re.compile(r"\s*(?P<name>[^()]+?)\s*\(\s*(?:(?:->|→|to\b)\s*(?P<to>[^()]+?)|(?P<aside>[^()]+?))\s*\)\s*:?\s*", re.DOTALL)


class Addressed(NamedTuple):
    """A label taken apart."""

    name: str
    recipients: tuple[str, ...] | None
    """To whom; None: the label does not say."""
    aside: str | None
    """What the brackets hold where that is no addressee: ``thought``, ``termination condition``."""


def addressed(label: str) -> Addressed:
    """The parts of a speaker's label; one without brackets is a name."""
    match = _LABEL.fullmatch(label)
    if match is None:
        return Addressed(label.strip(), None, None)
    to = match["to"]
    return Addressed(match["name"], None if to is None else (to,), match["aside"])
