"""Which sort of text a trajectory is, told by what it holds; then the steps of that sort."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared import loguru
from seamwise.importers._shared.document import plain
from seamwise.importers._shared.talk import Talk
from seamwise.importers.autogen import _console, _console02
from seamwise.importers.chatdev import _entries as chatdev
from seamwise.importers.mad import _ag2, _appworld, _hyperagent, _openmanus, _rounds
from seamwise.importers.mad._turns import turns
from seamwise.importers.metagpt import _logs as metagpt
from seamwise.record import Trace

_CHATDEV = re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]+\] ", re.MULTILINE)


def segmented(text: str, name: str, where: str, sink: Sink) -> Iterator[Trace]:
    """The runs in a text; where no sort is recognised, one run with the whole text as a note."""
    text = plain(text)
    if (listed := _ag2.messages(text)) is not None:
        yield turns(Talk(name, sink, where=where), listed)
        return
    if _appworld.fits(text):
        yield from _appworld.runs(text, name, where, sink)
        return
    if _console.fits(text) and not loguru.HEADER.search(text):
        yield from _console.read(text, name, where, sink)
        return
    if _console02.fits(text):
        yield from _console02.read(text, name, where, sink)
        return
    talk = Talk(name, sink, where=where)
    if _hyperagent.fits(text):
        _hyperagent.tell(talk, text)
    elif _CHATDEV.search(text):
        chatdev.tell(talk, chatdev.entries(text))
    elif _openmanus.fits(text):
        _openmanus.tell(talk, text)
    elif _rounds.fits(text):
        _rounds.tell(talk, text)
    elif not metagpt.tell(talk, text):
        talk.arrived("text")
        talk.note("unsegmented", "the text of the run is of no known sort; it was kept as one note")
        talk.put("note", text=text, data={"printed": True})
    yield talk.trace()
