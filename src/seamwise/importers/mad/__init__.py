"""MAST/MAD: the traces of the study "Why Do Multi-Agent LLM Systems Fail?", of seven systems, with the annotations sealed.

- Records: ``{mas_name, benchmark_name, llm_name, trace_id, trace, mast_annotation}``, and those of the human study with ``annotations``.
- The files of its repository: ``{instance_id, problem_statement, trajectory, other_data}``.
- The logs themselves: of HyperAgent, AppWorld and OpenManus as text files (those of the other systems are read by their own importers).

A trajectory is read by what it holds, whatever system it is said to be of: AG2's messages (also as concatenated literals), ChatDev's and
MetaGPT's logs, HyperAgent's lines, AppWorld's headings, the console of Magentic-One, OpenManus's log, rounds of reasoners, reviewing peers.
What holds none of these stays one note. What the format cannot tell stands in ``docs/formats/mad.md``.

Modules in reading order: ``_records`` (files and records), ``_segment`` (which sort of text), then one module per sort.

Source: the data card and repository of MAST, and readers of its data by third parties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_HYPERAGENT = re.compile(rb"^HyperAgent_\S+ - [A-Z]+ - ", re.MULTILINE)
_APPWORLD = re.compile(rb"^[ \t]*(?:(?:Response|Reply) from|Message to) [\w ]{1,40} Agent[ \t]*\r?$", re.MULTILINE)
_BANNER = re.compile(rb"^[ \t]*\*{10,} Task \d+/\d+ \([^)\n]*\) \*{4,}", re.MULTILINE)
_OPENMANUS = re.compile(rb"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+ \| [A-Z]+ *\| app\.[\w.]+:[\w<>]+:\d+ - ", re.MULTILINE)


class Mad:
    """The importer of MAST/MAD."""

    name = "mad"
    version = 1
    summary = (
        "MAST/MAD records and files of seven systems (AG2, ChatDev, MetaGPT, HyperAgent, AppWorld, Magentic-One, OpenManus); sealed labels"
    )

    def sniff(self, head: bytes) -> int:
        """Whether the keys of a record stand there, or lines of a system that has no importer of its own."""
        seen = outline(head)
        if seen.start in ("{", "["):
            for stem in ("", "[]."):
                if seen.has(f"{stem}mas_name") and any(
                    seen.has(f"{stem}{key}") for key in ("trace", "trace_id", "mast_annotation", "annotations")
                ):
                    return 95
                if seen.has(f"{stem}instance_id", f"{stem}problem_statement", f"{stem}trajectory"):
                    return 85
                if seen.has(f"{stem}run_id", f"{stem}prompt", f"{stem}content"):
                    return 50
            return 0
        text = plain_text(head)[0]
        if _HYPERAGENT.search(text):
            return 88
        if _BANNER.search(text) or len(_APPWORLD.findall(text)) > 1:
            return 85
        return 85 if _OPENMANUS.search(text) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The runs of a file; records are turns, entries and pieces of text.

        Raises:
            FormatError: There is no trajectory in it.
        """
        from seamwise.importers.mad._records import read

        return read(source, sink)


IMPORTER = Mad()
