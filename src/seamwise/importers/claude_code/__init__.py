"""Claude Code: session logs (JSON Lines) and those of their sub-agents.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/claude_code.md``. In short:

- A session is one trace, named after the session. The log of a sub-agent is a file of its own and gives a further part of the same trace:
  traces of one id are parts of one run. Each log is the sequence of its own writer; across logs the clock orders.
- The agents are ``main`` and, for each sub-agent, ``Type(id)``: the id tells apart what the type does not.
- One answer of the model is spread over several lines; what it cost is told once.

Modules in reading order: ``_lines`` (lines by session, whose they are), ``_entries`` (which line is which step).
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace

_ABOUT_AN_AGENT = frozenset({"agentType", "spawnDepth", "description", "toolUseId"})


class ClaudeCode:
    """The importer of Claude Code."""

    name = "claude_code"
    version = 1
    summary = "Claude Code session logs, those of their sub-agents, and what its SDK streams"

    def sniff(self, head: bytes) -> int:
        """Whether the lines bear a session and a place in its chain, or the file tells of one sub-agent."""
        seen = outline(head)
        if seen.has("sessionId", "uuid", "type") and (seen.has("parentUuid") or seen.has("isSidechain")):
            return 90
        if seen.has("leafUuid", "summary", "type"):
            return 75
        if seen.says("type", "file-history-snapshot") or (seen.says("type", "queue-operation") and seen.has("sessionId")):
            return 75  # a first line that may be longer than what is looked at
        if seen.has("session_id", "type") and (seen.has("parent_tool_use_id") or seen.has("claude_code_version")):
            return 86
        return 70 if seen.has("agentType") and seen.paths <= _ABOUT_AN_AGENT else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The sessions of a log.

        Raises:
            FormatError: There is no entry of a session in it.
        """
        from seamwise.importers._shared.document import lines
        from seamwise.importers.claude_code._entries import Session
        from seamwise.importers.claude_code._lines import by_session, has_log_beside, type_beside

        seen = outline(source.head)
        if seen.has("agentType") and seen.paths <= _ABOUT_AN_AGENT:
            if has_log_beside(source.path):
                sink.report.records += 1
                sink.report.merged += 1
                return
            raise FormatError(
                "expected a session, got only what a session says of the type of one sub-agent",
                where=source.path,
                hint="give the log beside it (`agent-<id>.jsonl`); this file is read with it",
            )
        type = type_beside(source.path)
        n = 0
        for session, entries in by_session(lines(source, sink), sink).items():
            n += 1
            yield Session(session, entries, sink, source.path, type).trace()
        if n == 0:
            raise FormatError("expected a session of Claude Code, got none", where=source.path)


IMPORTER = ClaudeCode()
