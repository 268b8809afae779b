"""HyperAgent's log: ``HyperAgent_x - INFO - Planner's Response: ...``, ``Navigator->Planner: ...``."""

from __future__ import annotations

import re

from seamwise.importers._shared.talk import Talk

_HEADER = re.compile(r"^HyperAgent_(?P<run>\S+) - (?P<level>[A-Z]+) - ", re.MULTILINE)
_SAID = re.compile(r"(?P<name>[\w -]{1,60})['\u2019]s Response:[ \t]*")
_TO = re.compile(r"(?P<name>[\w -]{1,60})->(?P<to>[\w -]{1,60}):[ \t]*")


def fits(text: str) -> bool:
    """Whether the text holds such lines."""
    return _HEADER.search(text) is not None


def tell(talk: Talk, text: str) -> None:
    """The steps of a log: who said what, and, behind an arrow, to whom."""
    found = list(_HEADER.finditer(text))
    if before := text[: found[0].start()].strip():
        talk.arrived("start")
        talk.put("note", text=before, data={"printed": True})
    for index, header in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        body = text[header.end() : end].strip("\n")
        talk.arrived(f"entry {index}")
        said, to = _SAID.match(body), _TO.match(body)
        data = {"level": header["level"]} if header["level"] != "INFO" else {}
        if to is not None:
            talk.say(body[to.end() :].strip(), actor=to["name"].strip(), recipients=(to["to"].strip(),), data=data, id=f"entry/{index}")
        elif said is not None:
            talk.say(body[said.end() :].strip(), actor=said["name"].strip(), data=data, id=f"entry/{index}")
        else:
            talk.put("note", text=body, data=data, id=f"entry/{index}")
