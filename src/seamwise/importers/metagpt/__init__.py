"""MetaGPT: its messages as JSON, its logs, its communication log and its pool of experiences.

``sent_from`` says who, ``send_to`` to whom (``<all>`` is everybody, ``<none>`` nobody), ``role`` in what role, ``cause_by`` by which
action. What it cannot tell stands in ``docs/formats/metagpt.md``. Modules: ``_messages`` (JSON), ``_logs`` (text), ``_pool`` (experiences).

Source: ``metagpt/schema.py`` (Message, Memory), ``metagpt/roles/role.py`` (what is logged), ``metagpt/exp_pool``; the communication log is
that of the scripts of the MAST study.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_LOGGED = re.compile(rb"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+ \| [A-Z]+ *\| metagpt\.[\w.]+:[\w<>]+:\d+ - ", re.MULTILINE)
_COMMUNICATION = re.compile(rb"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] (?:FROM: [^\n]+ TO: |NEW MESSAGES:)", re.MULTILINE)
_STEMS = ("", "[].", "messages[].", "history[].", "storage[].", "memory.storage[].", "history.storage[].", "env.history.storage[].")


class MetaGPT:
    """The importer of MetaGPT."""

    name = "metagpt"
    version = 1
    summary = "MetaGPT: messages (memory, environment history), logs, communication logs, experience pools"

    def sniff(self, head: bytes) -> int:
        """Whether its messages or experiences stand in the JSON, or its lines in the text."""
        seen = outline(head)
        if seen.start in ("{", "["):
            if any(seen.has(f"{stem}cause_by", f"{stem}content") for stem in _STEMS):
                return 90
            if seen.has("[].req", "[].resp"):
                return 80
        text = plain_text(head)[0]
        if b"=== MetaGPT Agent Communication Log" in text:
            return 90
        if _LOGGED.search(text) or (_COMMUNICATION.search(text) and b"CONTENT:" in text):
            return 85
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The runs of a file; records are messages, entries of a log, experiences.

        Raises:
            FormatError: Nothing of MetaGPT is in it.
        """
        from seamwise.importers.metagpt import _logs, _messages

        if outline(source.head).start == "{" or (outline(source.head).start == "[" and not _COMMUNICATION.search(source.head)):
            yield from _messages.read(source, sink)
        else:
            yield from _logs.read(source, sink)


IMPORTER = MetaGPT()
