"""AppWorld's log: a supervisor and one agent per app, told by headings that stand on lines of their own, indented by depth."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.talk import Talk
from seamwise.record import Trace

_BANNER = re.compile(r"^[ \t]*\*{5,} Task (?P<n>\d+)/\d+ \((?P<id>[^)\n]*)\) \*{5,}[ \t]*$", re.MULTILINE)
_WHO = r"[\w ]{1,40}?"
_HEADING = re.compile(
    rf"^[ \t]*(?:Response from (?P<api>\w+) API|(?:Response|Reply) from (?P<speaker>{_WHO}) Agent|Message to (?P<to>{_WHO}) Agent"
    rf"|Entering (?P<enters>{_WHO}) Agent message loop|Exiting (?P<exits>{_WHO}) Agent message loop|(?P<output>Code Execution Output))"
    r"[ \t]*$",
    re.MULTILINE,
)


def fits(text: str) -> bool:
    """Whether the text holds such headings."""
    return len(_HEADING.findall(text)) > 1 or _BANNER.search(text) is not None


def runs(text: str, name: str, where: str, sink: Sink) -> Iterator[Trace]:
    """The runs of a text, one for each task that a banner announces."""
    banners = list(_BANNER.finditer(text))
    starts = [banner.start() for banner in banners]
    if not starts or text[: starts[0]].strip():
        starts = [0, *starts]
    for n, start in enumerate(starts):
        part = text[start : starts[n + 1] if n + 1 < len(starts) else len(text)]
        banner = _BANNER.match(part)
        alone = len(starts) == 1
        talk = Talk(name if alone else f"{name}/{banner['id'] if banner else n}", sink, where=where)
        if banner is not None:
            talk.about({"task_id": banner["id"]})
        tell(talk, part[banner.end() :] if banner else part)
        yield talk.trace()


def tell(talk: Talk, text: str) -> None:
    """The steps of one run. Who sends a message stands in no heading; who receives it does."""
    found = list(_HEADING.finditer(text))
    if before := text[: found[0].start() if found else len(text)].strip():
        talk.arrived("start")
        talk.put("note", text=before, data={"heading": "task"})
    for index, heading in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        body = text[heading.end() : end].strip("\n").rstrip()
        identifier = f"block/{index}"
        talk.arrived(f"block {index}")
        if heading["speaker"] is not None:
            talk.say(body, actor=heading["speaker"], id=identifier)
        elif heading["to"] is not None:
            talk.say(body, actor=None, recipients=(heading["to"],), id=identifier)
        elif heading["enters"] is not None or heading["exits"] is not None:
            kind, name = ("agent_start", heading["enters"]) if heading["enters"] else ("agent_end", heading["exits"])
            talk.put(kind, actor=name, id=identifier)
            if body.strip():
                talk.put("note", text=body, data={"printed": True}, id=f"{identifier}/1")
        else:
            talk.put("note", text=body, data={"heading": heading.group().strip()}, id=identifier)
