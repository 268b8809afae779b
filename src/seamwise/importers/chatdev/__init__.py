"""ChatDev: the log of a simulated software company, in which agents talk in pairs.

A line ``[2023-25-08 09:36:58 INFO] Programmer: **Programmer<->Code Reviewer on : CodeReviewComment, turn 0**`` heads what the Programmer
says to the other of the pair. The date is year, day, month, and has no zone. What it cannot tell stands in ``docs/formats/chatdev.md``.

Source: the logs of ChatDev's repository, and ``chatdev/utils.py`` and ``chatdev/phase.py`` there, which write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_HEADER = re.compile(rb"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]+\] ", re.MULTILINE)
_OWN = re.compile(rb"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]+\] (?:[^\n:]{1,60}: )?(?:\*\*|AgentTech|ChatDev|flask app\.py)", re.MULTILINE)


class ChatDev:
    """The importer of ChatDev's logs."""

    name = "chatdev"
    version = 1
    summary = "logs of ChatDev: who said what to whom in which phase"

    def sniff(self, head: bytes) -> int:
        """Whether lines have its header, and one of its own words behind it."""
        text = plain_text(head)[0]
        if text.lstrip()[:1] != b"[" or not _HEADER.search(text):
            return 0
        return 85 if _OWN.search(text) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The one run of a log; records are its entries.

        Raises:
            FormatError: No line has the header.
        """
        from seamwise.importers._shared.document import content_name, text_of_file
        from seamwise.importers._shared.talk import Talk
        from seamwise.importers.chatdev._entries import entries, tell

        talk = Talk(content_name("run", source), sink, where=source.path)
        listed = entries(text_of_file(source, sink))
        if not any(entry.logged for entry in listed):
            raise FormatError("expected lines headed `[date time LEVEL]`, got none", where=source.path)
        tell(talk, listed)
        yield talk.trace()


IMPORTER = ChatDev()
