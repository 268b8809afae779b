"""The state of reading one native file: which trace is open, what was lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter

import msgspec

from seamwise.errors import LimitError, SeamwiseError
from seamwise.record._canonical import without_copies
from seamwise.record._damage import Damage, DamageCode, Limits, ReadReport
from seamwise.record._line import HEADER_PREFIX, Line, depth_of, may_not_be_deeper, printable, read_line, too_deep, unreadable_line
from seamwise.record._step import Step
from seamwise.record._trace import SCHEMA_VERSION, Header, Trace

_STEPS = msgspec.json.Decoder(Step)
_decode_step, _decode_steps = _STEPS.decode, _STEPS.decode_lines
_decode_header = msgspec.json.Decoder(Header).decode
_DECODE_ERRORS = (msgspec.MsgspecError, ValueError, RecursionError)
_UNREADABLE = ("not_json", "bad_encoding")
_NEXT_HEADER = b"\n" + HEADER_PREFIX
_NEXT = b"}\n{"
"""What is left between two objects, each on a line of its own, of what holds no other signs than ``_SIGNS``. Inside a JSON value a comma
lies between ``}`` and ``{``, and no string holds a line's end, so it parts two of them."""
_SIGNS = b",{}]\n"
_OTHERS = bytes(byte for byte in range(256) if byte not in _SIGNS)
_KEPT_OF_LONG_LINE = 1024
"""Bytes by which it is told whether a line that is too long was a header."""
_id_of = attrgetter("id")


class Reader:
    """Turns blocks of bytes into traces.

    Args:
        file: Name for messages.
        limits: What is refused.
        report: Where damage goes; None: the first loss raises.
    """

    def __init__(self, file: str, limits: Limits, report: ReadReport | None) -> None:
        self._file = file
        self._limits = limits
        self._strict = report is None
        self._report = ReadReport(max_listed=0) if report is None else report
        self._tail: list[bytes] = []
        self._n_tail = 0
        self._skipping = False
        self._started = False
        self._found_something = False
        self._line = 0
        self._header: Header | None = None
        self._version = SCHEMA_VERSION
        self._refused: Damage | None = None
        self._n_without_header = 0
        self._n_over = 0
        self._steps: list[Step] = []

    def feed(self, block: bytes) -> Iterator[Trace]:
        """The traces that end in this block."""
        if not self._started:
            self._started = True
            block = self._without_mark(block)
        at, end = 0, block.rfind(b"\n") + 1
        if end and (self._tail or self._skipping):
            at = block.find(b"\n") + 1
            self._add_tail(block[: at - 1])
            first, skipped = b"".join(self._tail), self._skipping
            self._tail.clear()
            self._n_tail, self._skipping = 0, False
            if skipped:
                self._line += 1
                yield from self._take(self._too_long(first), first)
            else:
                yield from self._lines([first])
        if self._limits.max_line_bytes < len(block):
            for line in block[at : end - 1].split(b"\n") if at < end else ():
                yield from self._one(line)
        else:
            yield from self._whole_lines(block, at, end)
        if end < len(block):
            self._add_tail(block[end:])

    def finish(self) -> Iterator[Trace]:
        """The last trace; what is left of a last line that has no end is read or named."""
        tail = b"".join(self._tail)
        if self._skipping:
            self._line += 1
            yield from self._take(self._too_long(tail), tail)
        elif tail.strip():
            self._line += 1
            yield from self._read(tail, last=True)
        yield from self._flush()
        if not self._found_something:
            hint = 'an empty recording still has a header line, such as {"seamwise": 1, "id": "run-1"}'
            self._note(Damage(code="empty", message="expected a header line, got an empty file", hint=hint), line=None)

    def break_off(self, error: SeamwiseError) -> Iterator[Trace]:
        """The last trace as far as it came, where the bytes themselves ended in an error."""
        code: DamageCode = "too_large" if isinstance(error, LimitError) else "unreadable"
        self._note(Damage(code=code, message=error.message, hint=error.hint), line=self._line + 1)
        self._tail.clear()
        yield from self._flush()

    def _without_mark(self, block: bytes) -> bytes:
        if not block.startswith(b"\xef\xbb\xbf"):
            return block
        message = "expected no byte order mark, got one; it is passed over"
        self._note(Damage(code="byte_order_mark", message=message, lost=False), line=1)
        return block[3:]

    def _add_tail(self, part: bytes) -> None:
        if self._skipping:
            return
        self._tail.append(part)
        self._n_tail += len(part)
        if self._n_tail > self._limits.max_line_bytes:
            self._skipping = True
            self._tail = [b"".join(self._tail)[:_KEPT_OF_LONG_LINE]]

    def _too_long(self, line: bytes) -> Line:
        message = f"expected a line of at most {self._limits.max_line_bytes} bytes, got a longer one; it is left out"
        damage = Damage(code="too_long", message=message, hint="raise `max_line_bytes` if the recording is trusted")
        return unreadable_line(line, self._version, damage)

    def _whole_lines(self, block: bytes, at: int, end: int) -> Iterator[Trace]:
        """Lines of which none is too long. The steps up to the next header are decoded in one call where they are plainly good."""
        while at < end:
            if self._header is not None and self._version == SCHEMA_VERSION and not block.startswith(HEADER_PREFIX, at):
                stop = block.find(_NEXT_HEADER, at, end) + 1 or end
                if not self._plainly_good(block[at:stop]):
                    yield from self._lines(block[at : stop - 1].split(b"\n"))
                at = stop
            if at < end:
                stop = block.find(b"\n", at, end) + 1
                yield from self._one(block[at : stop - 1])
                at = stop

    def _plainly_good(self, lines: bytes) -> bool:
        """Whether these lines hold one good step each, and nothing else; they are then taken."""
        signs = lines.translate(None, _OTHERS)
        n = signs.count(b"\n")
        if signs.count(_NEXT) != n - 1 or len(self._steps) + n > self._limits.max_steps:
            return False
        # each line but the deepest closes one at least; where that is not enough to know it, they are counted line by line
        if signs.count(b"}") + signs.count(b"]") - n + 1 > self._limits.max_depth and not all(
            may_not_be_deeper(line, self._limits.max_depth) for line in signs.split(b"\n")
        ):
            return False
        try:
            steps = _decode_steps(lines)
        except _DECODE_ERRORS:
            return False  # a second look explains
        if len(steps) != n:
            return False  # some line holds more than one
        self._steps += steps
        self._line += n
        return True

    def _lines(self, lines: list[bytes]) -> Iterator[Trace]:
        """Lines one by one. As long as they are good steps they are decoded without a look from Python; what stops that is looked at."""
        at, n_lines, first_line = 0, len(lines), self._line + 1
        rest = iter(lines)
        while at < n_lines:
            if self._header is not None and self._version == SCHEMA_VERSION:
                n_before = len(self._steps)
                with suppress(*_DECODE_ERRORS):  # a second look explains; the list keeps what came before the error
                    self._steps.extend(map(_decode_step, rest))
                stopped = at + len(self._steps) - n_before
                self._line = first_line + stopped - 1
                self._check(lines[at:stopped], n_before, first_line + at)
                at = stopped
                if at == n_lines:
                    return
            else:
                next(rest)
            yield from self._one(lines[at])
            at += 1

    def _check(self, lines: list[bytes], n_before: int, first_line: int) -> None:
        """Takes back those of the steps just decoded that are nested too deep, or too many. ``data`` alone can be deep."""
        depth, steps = self._limits.max_depth, self._steps
        deep = [
            i
            for i, line in enumerate(lines)
            if len(line) > 2 * depth
            and steps[n_before + i].data is not None
            and not may_not_be_deeper(line, depth)
            and 1 + depth_of(steps[n_before + i].data) > depth
        ]
        for i in reversed(deep):
            del steps[n_before + i]
        for i in deep:
            self._note(too_deep(depth), line=first_line + i)
        if len(steps) > self._limits.max_steps:
            self._n_over += len(steps) - self._limits.max_steps
            del steps[self._limits.max_steps :]
            if self._strict:
                self._note_over()

    def _one(self, line: bytes) -> Iterator[Trace]:
        """A line that is not plainly a good step, most often a header: the trace before it ends."""
        self._line += 1
        if len(line) > self._limits.max_line_bytes:
            yield from self._take(self._too_long(line), line)
            return
        if line.startswith(HEADER_PREFIX):
            header: Header | None = None
            with suppress(*_DECODE_ERRORS):  # a second look explains
                header = _decode_header(line)
            if header is not None and header.schema_version == SCHEMA_VERSION and may_not_be_deeper(line, self._limits.max_depth):
                yield from self._flush()
                self._header, self._version = header, SCHEMA_VERSION
                return
        if line and not line.isspace():
            yield from self._read(line)

    def _read(self, line: bytes, *, last: bool = False) -> Iterator[Trace]:
        """One line that is not plainly a good step."""
        found = read_line(line, max_depth=self._limits.max_depth, version=self._version)
        if found.record is None and found.damage[0].code in _UNREADABLE:
            if (at := line.rfind(HEADER_PREFIX)) > 0:
                # A recorder did not finish a step and was started again: the header behind it is good.
                yield from self._take(found._replace(in_doubt=False), line)
                yield from self._read(line[at:], last=last)
                return
            if last:
                found = found._replace(damage=(_cut_off(),), in_doubt=False)
        yield from self._take(found, line)

    def _take(self, found: Line, line: bytes) -> Iterator[Trace]:
        if found.is_header or (found.in_doubt and self._header is not None):
            yield from self._flush()
            self._header = found.record if isinstance(found.record, Header) else None
            self._version = found.version
            for damage in found.damage:
                if self._header is None and not self._strict:
                    self._refused = msgspec.structs.replace(_in_doubt(damage) if found.in_doubt else damage, line=self._line)
                else:
                    self._note(damage, line=self._line)
        elif self._header is None:
            self._n_without_header += 1
            if self._refused is None:
                damage = found.damage[0] if found.damage else _no_header(line)
                self._refused = msgspec.structs.replace(damage, line=self._line)
                if self._strict:
                    self._note(self._refused, line=self._line)
        else:
            self._take_one(found)

    def _take_one(self, found: Line) -> None:
        for damage in found.damage:
            self._note(damage, line=self._line)
        if not isinstance(found.record, Step):
            return
        if len(self._steps) >= self._limits.max_steps:
            self._n_over += 1
            if self._strict:
                self._note_over()
        else:
            self._steps.append(found.record)

    def _flush(self) -> Iterator[Trace]:
        """Ends the open trace, or accounts for what had no header."""
        header, steps = self._header, self._steps
        if self._n_over:
            self._note_over()
        if self._refused is not None:
            n = self._n_without_header
            message = f"{self._refused.message}; {n} line{'s' * (n != 1)} without a header left out" if n else self._refused.message
            self._note(msgspec.structs.replace(self._refused, message=message, count=max(n, 1)), line=self._refused.line)
        self._header, self._steps, self._refused = None, [], None
        self._n_over = self._n_without_header = 0
        if header is None:
            return
        self._found_something = True
        if len(set(map(_id_of, steps))) != len(steps):
            steps = self._without_copies(header, steps)
        self._report.n_traces += 1
        self._report.n_steps += len(steps)
        yield Trace(header=header, steps=tuple(steps))

    def _note_over(self) -> None:
        message = f"expected at most {self._limits.max_steps} steps in a trace, got more; the rest is left out"
        self._note(Damage(code="too_many_steps", message=message, count=self._n_over, hint="raise `max_steps`"), line=self._line)

    def _without_copies(self, header: Header, steps: list[Step]) -> list[Step]:
        kept, shared = without_copies(steps)
        if n := len(steps) - len(kept):
            self._report.n_copies_dropped += n
            message = f"expected every step once, got {n} identical cop{'ies' if n > 1 else 'y'}; dropped"
            self._note(Damage(code="duplicate_step", message=message, lost=False, count=n, trace=header.id), line=None)
        for id, n in shared.items():
            message = f"expected one step `{printable(id)[:60]}`, got {n} different ones; all are kept"
            self._note(Damage(code="conflicting_step", message=message, lost=False, count=n, trace=header.id), line=None)
        return kept

    def _note(self, damage: Damage, *, line: int | None) -> None:
        trace = damage.trace or (None if self._header is None else self._header.id)
        damage = msgspec.structs.replace(damage, file=self._file, line=line, trace=trace)
        if self._strict and damage.lost:
            raise damage.error()
        self._found_something |= damage.lost
        self._report.add(damage)


def _cut_off() -> Damage:
    message = "expected the end of the last line, got the end of the file; the line is left out"
    return Damage(code="truncated", message=message, hint="the recorder or the copy was cut off; all lines before it are kept")


def _no_header(line: bytes) -> Damage:
    message = f"expected a header line before anything else, got `{_excerpt(line)}`"
    hint = 'begin each trace with a header line such as {"seamwise": 1, "id": "run-1"}; name other formats with --format'
    return Damage(code="no_header", message=message, hint=hint)


def _in_doubt(damage: Damage) -> Damage:
    message = f"{damage.message}; it may have been a header, so what follows is not added to the trace before it"
    return msgspec.structs.replace(damage, message=message)


def _excerpt(line: bytes) -> str:
    return printable(line[:60].decode("utf-8", "replace").strip())[:40]
