"""Google ADK: sessions, lists of events, results of evaluations.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/adk.md``. In short:

- One session is one trace; keys may be in snake case, camel case or both.
- A function response is that of the call with its id; without ids, of the oldest call of that name in the same invocation.
- Only deltas of state are recorded: each is a ``state`` step of its scope (session, ``user:``, ``app:``, ``temp:``), never the whole.
- An evaluation set holds what agents are expected to do, and no run: it is refused. The result of an evaluation holds both: the run is
  read, expectations and scores are sealed.

Modules in reading order: ``_keys`` (both spellings), ``_session`` (events), ``_calls`` (which response answers which call), ``_evals``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace


class Adk:
    """The importer of Google ADK."""

    name = "adk"
    version = 1
    summary = "Google ADK: sessions, lists of events, results of evaluations"

    def sniff(self, head: bytes) -> int:
        """Whether events bear an author and an invocation, or the keys of an evaluation stand there."""
        seen = outline(head)
        for place in ("events[].", "[].events[].", "[].", ""):
            if seen.has(f"{place}author") and (seen.has(f"{place}invocation_id") or seen.has(f"{place}invocationId")):
                return 88
        if seen.has("eval_case_results") or seen.has("evalCaseResults") or (head.lstrip()[:2] == b'"{' and b"eval_case_results" in head):
            return 88
        if any(seen.has(f"{sets}[].conversation") for sets in ("eval_cases", "evalCases")):
            return 88
        if any(seen.has(f"{place}query", f"{place}expected_tool_use") for place in ("[].", "[].data[].")):
            return 85
        both = [a and b for a, b in ((seen.has("app_name"), seen.has("user_id")), (seen.has("appName"), seen.has("userId")))]
        return 60 if any(both) and seen.has("state") else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The sessions of a file.

        Raises:
            FormatError: There is no run in it.
        """
        from seamwise.importers._shared.document import pieces
        from seamwise.importers._shared.text import parsed
        from seamwise.importers.adk._evals import expectations_only, results
        from seamwise.importers.adk._keys import get
        from seamwise.importers.adk._session import is_event, session

        loose: list[Any] = []
        """Events outside a session."""
        n, only = 0, None
        for piece in pieces(source, sink):
            value = parsed(piece.value, sink.limits.depth) if isinstance(piece.value, str) else piece.value
            for entry in value if isinstance(value, list) else [value]:
                if isinstance(entry, dict) and isinstance(get(entry, "events"), list):
                    n += 1
                    yield session(entry, sink, source.path)
                elif isinstance(entry, dict) and isinstance(get(entry, "eval_case_results"), list):
                    for trace in results(entry, sink, source.path):
                        n += 1
                        yield trace
                elif (why := expectations_only(entry)) is not None:
                    only = why
                    sink.report.records += 1
                    sink.report.drop(why)
                elif is_event(entry):
                    loose.append(entry)
                else:
                    sink.report.records += 1
                    sink.report.drop("no session and no event of ADK")
        if loose:
            n += 1
            yield session({"events": loose}, sink, source.path)
        if n == 0:
            if only is not None:
                raise FormatError(
                    f"expected a run, got {only}: what agents should say and do, not what they did",
                    where=source.path,
                    hint="import the session, or the result of the evaluation (`.adk/eval_history/*.evalset_result.json`)",
                )
            raise FormatError("expected sessions or events of ADK, got none", where=source.path)


IMPORTER = Adk()
