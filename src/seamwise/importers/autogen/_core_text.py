"""What AutoGen's own samples print of the core: blocks under a line of dashes, each headed by who speaks.

--------------------------------------------------------------------------------
TriageAgent:
Delegating to IssuesAndRepairsAgent
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import plain
from seamwise.importers._shared.talk import Talk
from seamwise.importers.autogen._messages import message
from seamwise.record import Trace

_RULE = re.compile(r"^-{80}\n", re.MULTILINE)
_SPEAKER = re.compile(r"(?:\w+ )?(?P<name>[\w.-]+:[\w.-]+|(?<![^\n])[\w.-]+)(?: round (?P<round>\d+))?:")
_DELEGATES = re.compile(r"Delegating to ([\w.-]+)\s*")


def fits(text: str) -> bool:
    """Whether the text holds such blocks."""
    return len([block for block in _blocks(plain(text)) if _SPEAKER.fullmatch(block.partition("\n")[0])]) > 1


def read(text: str, name: str, where: str, sink: Sink) -> Iterator[Trace]:
    """The one run of a text; each block is a record."""
    talk = Talk(name, sink, where=where)
    for index, block in enumerate(_blocks(plain(text))):
        head, _, body = block.partition("\n")
        said, delegated = _SPEAKER.fullmatch(head), _DELEGATES.fullmatch(body)
        if said is None:
            talk.arrived(f"block {index}")
            talk.put("note", id=str(index), text=block, data={"printed": True})
        elif delegated is not None:
            talk.arrived(f"block {index}")
            talk.handoff(said["name"], delegated[1], text=body.strip(), id=str(index))
        else:
            entry = {"source": said["name"], "content": body.strip("\n")}
            message(talk, entry if said["round"] is None else {**entry, "round": int(said["round"])}, index)
    yield talk.trace()


def _blocks(text: str) -> list[str]:
    return [block.strip("\n") for block in _RULE.split(text) if block.strip()]
