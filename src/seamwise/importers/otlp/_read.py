"""From the bytes of a file to buckets of spans by trace, and from those to traces.

A file of lines is read twice: first (fast, in outline) for the last line of each trace, then each trace is given out when that line has
passed, so that memory is what the open traces need. In haste the first reading is left out: a trace is given out when a line does not go
on with it, and all is void if a later one does. Where only some traces are asked for, their lines alone are read in full, and they are
given out at the end. Everything else is read whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.loose import Damage, values
from seamwise.importers._shared.names import alike
from seamwise.importers._source import Source, plain_text
from seamwise.importers._wanted import ScatteredError
from seamwise.importers.otlp import _proto, _tolerant
from seamwise.importers.otlp import _wire as wire
from seamwise.importers.otlp._attributes import Seal
from seamwise.importers.otlp._ids import hex_id, is_absent, is_regular
from seamwise.importers.otlp._resources import Resources
from seamwise.importers.otlp._trace import Bucket, Built, build
from seamwise.record import Trace

_TRACE_ID = re.compile(rb'"trace_?[iI]d"\s*:\s*"([^"]+)"')

_TOP_KEYS = frozenset("resourceSpans resourceLogs resourceMetrics batches resource_spans resource_logs resource_metrics".split())

UNTRACED = "untraced"
"""The trace of records that name no trace."""

Requests = Iterator[tuple[int, wire.Request]]


class Reader:
    """Reads one file; one use.

    Spans of another container come in by :meth:`of`: it takes requests, whoever made them, and the rest is the same.
    """

    def __init__(self, source: Source, sink: Sink) -> None:
        self._source = source
        self._sink = sink
        self._report = sink.report
        self._seal = Seal(sink)
        self._resources = Resources()
        self._buckets: dict[str, Bucket] = {}
        self._trace_ids: dict[str, str] = {}
        self._requests = 0
        self._given: set[str] | None = None
        """In haste: the traces that were given out."""
        self._one = True
        """In haste: whether all records seemed to be of one process when a trace was given out last."""
        self._own_ids = False
        self._conversations: dict[str, list[str]] = {}
        self._unresolved: list[tuple[str, str]] = []
        self._agents: dict[str, list[str]] = {}

    def traces(self) -> Iterator[Trace]:
        """The traces: in the order of their first record, or (large files) of their last.

        Raises:
            FormatError: The file holds nothing that is OTLP.
            ScatteredError: Haste was asked for and was wrong.
        """
        due: dict[int, list[str]] | None = None
        if _proto.is_protobuf(self._source.head):
            requests = _proto.requests(self._source, self._sink)
        elif self._is_lines():
            if self._sink.only is None and not self._source.is_short:
                if self._sink.hasty:
                    self._given = set()
                else:
                    due = self._last_lines()
            requests = self._of_lines()
        else:
            requests = self._of_document()
        return self.of(requests, "OTLP", due=due)

    def writer_unknown(self) -> None:
        """Remembers that the file does not say which process wrote some record: one resource is then no sign of one process."""
        self._resources.may_be_one = False

    def of(
        self,
        requests: Requests,
        expected: str,
        *,
        own_ids: bool = False,
        due: dict[int, list[str]] | None = None,
    ) -> Iterator[Trace]:
        """The traces of export requests, each with the line that it stands on (0: not in a line of its own).

        Args:
            requests: The requests. They are counted here; what never became one is counted by whoever made them.
            expected: What the file should hold, for the error.
            own_ids: Whether trace ids of another shape than sixteen bytes are regular in the format.
            due: Line -> traces that are complete after it.

        Raises:
            FormatError: There was no request.
        """
        self._own_ids = own_ids
        passed = 0
        for line, request in requests:
            self._requests += 1
            if due and line > passed:
                for number in range(passed, line):
                    for trace in due.pop(number, ()):
                        if self._is_asked(trace):
                            yield self._built(trace)
                passed = line
            elif self._given is not None and line > passed:
                yield from self._complete(passed, self._given)
                passed = line
            self._take(line, request)
        if self._given:
            self._look_back()
        for trace in list(self._buckets):
            if self._is_asked(trace):
                yield self._built(trace)
        self._across()
        if not self._requests:
            raise FormatError(
                f"expected {expected}, got nothing that can be read as it",
                where=self._source.path,
                hint="; ".join(f"{note.where}: {note.words}" for note in self._report.notes[:3]) or None,
            )

    # ---- what the file is ----

    def _is_lines(self) -> bool:
        """Whether the file is lines of requests rather than one document: told by the first line, or, if that is bad, by one below."""
        if self._source.head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return False
        head = plain_text(self._source.head)[0]
        if head.lstrip()[:1] == b"[":
            return False
        lines = [line for line in head.split(b"\n") if line.strip()]
        if not self._source.is_short:
            if len(lines) == 1:
                return True
            lines.pop()
        for number, line in enumerate(lines[:20]):
            if line[:1] != b"{" and number:
                continue
            try:
                keys = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
            except (msgspec.DecodeError, RecursionError):
                continue
            if number == 0 or not _TOP_KEYS.isdisjoint(keys):
                return True
        return len(lines) > 1 and all(line[:2] == b'{"' for line in lines[:20])

    def _last_lines(self) -> dict[int, list[str]]:
        """Line -> the traces whose id it is the last to bear; on the way it becomes known whether there is one resource or more.

        In a line of another dialect ids are looked for in the bytes. One that is not found so (an id written with escapes) has no last
        line, and its trace is given out at the end of the file.
        """
        last: dict[str, int] = {}
        resources = self._resources
        for number, content in self._source.lines():
            if content is None:
                continue
            groups, written = self._outline(content)
            if written is None:
                if not groups and content.strip():
                    resources.may_be_one = False
                written = dict.fromkeys([found.decode("utf-8", "replace") for found in _TRACE_ID.findall(content)])
            for name in written:
                last[name] = number
        due: dict[str, int] = {}
        for name, number in last.items():
            trace = self._trace_id(name)
            due[trace] = max(due.get(trace, 0), number)
        by_line: dict[int, list[str]] = {}
        for trace, number in due.items():
            by_line.setdefault(number, []).append(trace)
        return by_line

    def _outline(self, content: bytes) -> tuple[int, dict[str, None] | None]:
        """How many resources a line names, all told; and the trace ids in it as they are written, None where it is not plain which."""
        try:
            groups = wire.decode_outline(content).groups()
            for group in groups:
                self._resources.source(group.resource)
        except (msgspec.DecodeError, RecursionError):
            return 0, None
        return len(groups), wire.traces_of(groups) if groups else None

    def _lacks(self, content: bytes, only: frozenset[str]) -> bool:
        """Whether a line plainly holds nothing of the traces that are asked for."""
        written = self._outline(content)[1]
        return written is not None and only.isdisjoint(map(self._trace_id, written))

    # ---- requests ----

    def _of_lines(self) -> Requests:
        report = self._report
        path, depth = self._source.path, self._sink.limits.depth
        decode, only = wire.decode_request, self._sink.only
        for number, content in self._source.lines():
            if only is not None and content is not None and self._lacks(content, only):
                self._requests += 1
                continue
            if content is None:
                report.records += 1
                report.drop("a line over the limit")
                report.note("line_too_long", f"{path}, line {number}", f"longer than {self._sink.limits.line_bytes} bytes; skipped")
                continue
            try:
                request = decode(content)
                if self._fits(request) and (self._given is None or request.names_writers()):
                    yield number, request
                    continue
            except (msgspec.DecodeError, RecursionError):
                pass
            if not content.strip():
                continue
            if self._given is not None:
                raise ScatteredError
            damage = Damage(report, f"{path}, line {number}", depth)
            content, repair = plain_text(content) if number == 1 else (content, None)
            if repair is not None:
                damage.note("encoding", repair)
            for value in values(content, damage):
                for request in _tolerant.requests(value, damage):
                    yield number, request

    def _of_document(self) -> Requests:
        content, repair = plain_text(self._source.read())
        damage = Damage(self._report, self._source.path, self._sink.limits.depth)
        if repair is not None:
            damage.note("encoding", repair)
        try:
            decoded = wire.decode_document(content)
            all_of = decoded if isinstance(decoded, list) else [decoded]
            if all(map(self._fits, all_of)):
                for request in all_of:
                    yield 0, request
                return
        except (msgspec.DecodeError, RecursionError):
            pass
        for value in values(content, damage):
            for request in _tolerant.requests(value, damage):
                yield 0, request

    def _fits(self, request: wire.Request) -> bool:
        """Whether all of a request was understood, its resources too."""
        if not request.fits():
            return False
        try:
            for group in (*(request.resourceSpans or ()), *(request.batches or ()), *(request.resourceLogs or ())):
                self._resources.source(group.resource)
        except (msgspec.DecodeError, RecursionError):
            return False
        return True

    # ---- buckets ----

    def _take(self, line: int, request: wire.Request) -> None:
        """Counts the records of a request and puts each into the bucket of its trace."""
        report, most = self._report, self._sink.limits.spans_per_trace
        buckets = self._buckets
        if request.resourceMetrics is not None:
            report.records += 1
            report.drop("metrics: they hold no steps", harmless=True)
        for group in (request.resourceSpans or []) + (request.batches or []):
            source = self._resources.source(group.resource)
            for scope in group.scopeSpans or group.instrumentationLibrarySpans or ():
                spans = scope.spans or ()
                report.records += len(spans)
                for span in spans:
                    trace = self._trace_ids.get(span.traceId) or self._trace_id(span.traceId)
                    bucket = buckets.get(trace) or self._begin(trace)
                    bucket.line = line
                    if len(bucket.spans) >= most:
                        bucket.over += 1
                    else:
                        bucket.spans.append((span, source, line))
        for logs in request.resourceLogs or ():
            source = self._resources.source(logs.resource)
            for scope_logs in logs.scopeLogs or ():
                for log in scope_logs.logRecords or ():
                    report.records += 1
                    self._take_log(log, source, line)

    def _take_log(self, log: wire.LogRecord, source: str, line: int) -> None:
        name = log.eventName or ""
        if not name:
            name = next((kv.value.stringValue or "" for kv in log.attributes or () if kv.key == "event.name" and kv.value), "")
        if is_absent(log.traceId) and not name.startswith("gen_ai."):
            self._report.drop("a log record outside any trace")
            return
        trace = self._trace_id(log.traceId)
        bucket = self._buckets.get(trace) or self._begin(trace)
        bucket.line = line
        if len(bucket.logs) >= self._sink.limits.spans_per_trace:
            bucket.over += 1
        else:
            bucket.logs.append((log, source, line))

    def _begin(self, trace: str) -> Bucket:
        """The bucket of a trace that is met for the first time."""
        if self._given is not None and trace in self._given:
            raise ScatteredError
        self._buckets[trace] = bucket = Bucket()
        return bucket

    def _trace_id(self, written: str | None) -> str:
        if written is None or is_absent(written):
            return UNTRACED
        known = self._trace_ids.get(written)
        if known is None:
            known = hex_id(written)
            if is_absent(known):
                known = UNTRACED
            elif not self._own_ids and not is_regular(known, 16):
                if self._given is not None:
                    raise ScatteredError  # what is odd is noted before the first trace
                self._report.note("odd_id", self._source.path, f"trace id `{known[:60]}` is not 16 bytes; kept as it is")
            self._trace_ids[written] = known
        return known

    # ---- traces ----

    def _complete(self, line: int, given: set[str]) -> Iterator[Trace]:
        """In haste: the traces that the line which was read last did not go on with."""
        if given:
            self._look_back()
        self._one = self._resources.may_be_one
        for trace in [trace for trace, bucket in self._buckets.items() if bucket.line < line]:
            given.add(trace)
            yield self._built(trace)

    def _look_back(self) -> None:
        """In haste: whether what was given out knew as much of the writers as is known now."""
        if self._one != self._resources.may_be_one:
            raise ScatteredError

    def _is_asked(self, trace: str) -> bool:
        """Whether a trace is in the file and asked for; one that is not asked for is let go."""
        only = self._sink.only
        if only is None or trace in only:
            return trace in self._buckets
        bucket = self._buckets.pop(trace, None)
        if bucket is not None:
            self._report.drop("traces that were not asked for", len(bucket.spans) + len(bucket.logs) + bucket.over)
        return False

    def _built(self, trace: str) -> Trace:
        built: Built = build(trace, self._buckets.pop(trace), self._resources, self._sink, self._seal)
        for conversation in built.conversations:
            self._conversations.setdefault(conversation, []).append(trace)
        self._unresolved += [(trace, label) for label in built.unresolved]
        for agent in built.agents:
            self._agents.setdefault(alike(agent), []).append(trace)
        return built.trace

    def _across(self) -> None:
        """Notes traces that may be one run. They are never merged, least of all on time."""
        for conversation, traces in self._conversations.items():
            if len(traces) > 1:
                self._report.note(
                    "one_conversation",
                    self._source.path,
                    f"traces {', '.join(traces[:5])}{' ...' if len(traces) > 5 else ''} ({len(traces)}) bear the conversation id "
                    f"`{conversation}`; they were kept apart, and `header.origin.conversations` joins them",
                )
        for trace, label in self._unresolved:
            others = [t for t in self._agents.get(alike(label), ()) if t != trace]
            if others:
                self._report.note(
                    "may_belong_together",
                    self._source.path,
                    f"trace {trace} hands off to `{label}`, and an agent of that name works in "
                    f"{', '.join(others[:3])}; they were kept apart",
                )
