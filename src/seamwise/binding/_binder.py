"""From the steps of a trace to the records of each stream.

The rules are laid out once as an index ``(kind, tool) -> rules``, so that a step which no rule takes costs one look into a dictionary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from seamwise.binding._actors import Actors
from seamwise.binding._composed import all_composed
from seamwise.binding._coverage import Coverage
from seamwise.binding._field import UNPARSED
from seamwise.binding._moment import Moment
from seamwise.binding._ok import Equals
from seamwise.binding._path import MISSING
from seamwise.binding._rule import OPENING_KINDS, Rule
from seamwise.binding._stream import Stream, key_text
from seamwise.binding._table import TableRef
from seamwise.kernel import CLOCK, Record
from seamwise.kernel.operation import STATED
from seamwise.record import Clock, Header, Step, Trace, is_whole

CALL_KINDS = frozenset({"tool_call", "tool_result", "model_call", "model_result"})
"""Steps whose ``data`` is arguments and results, not fields."""

MAX_PLANS = 50_000
"""Pairs of kind and tool that are remembered; a recording that invents a tool for every step does not fill the memory."""

SILENT = STATED | OPENING_KINDS
"""Kinds of record that without a status leave open what happened."""

OPEN = "unknown"
"""The status of an event that a call was to bring about, where it was not recorded how the call ended."""

NO_SOURCE = "(not recorded)"
"""The source of a record without one, where a stream names those with authority."""


_ESCAPES = str.maketrans({"%": "%25", "/": "%2F", "#": "%23", "~": "%7E"})


TAKES_BACK = "reverses"
"""The field that makes a record a reversal by being there, whatever it holds."""
UNREADABLE = ""
"""What it holds where a name was recorded and cannot be read: something is taken back, and nobody knows what. Without the field the record
would be read as a payment."""


def escaped(part: str) -> str:
    """An id as a part of a longer one: what parts are joined by is escaped, so that ids of two traces never run together."""
    if part.isalnum():
        return part
    if "%" in part or "#" in part or "~" in part:
        return part.translate(_ESCAPES)
    return part.replace("/", "%2F")  # what most ids hold of it, if anything


def step_shown(record_id: str) -> str:
    """The step's own id in that of its record."""
    own = record_id.rpartition("#")[2]
    return own.replace("%7E", "~").replace("%23", "#").replace("%2F", "/").replace("%25", "%") if "%" in own else own


class Bound(NamedTuple):
    """A record, and the step that it is read off."""

    record: Record
    place: int
    """The step's place in its trace, from 0."""
    step: Step
    opening: Step | None
    """The call that the step ends, where it was recorded."""


class Taker(NamedTuple):
    """A rule as one stream uses it."""

    stream: int
    rule: Rule
    suffix: str
    """Tells this stream's record of a step from those that other streams make of it as another kind."""
    at: int = 0
    """The rule's place in its stream."""


class Binder:
    """Binds traces to streams.

    Args:
        streams: The pack's streams.
        clock: The clock that the user states for sources that have none.
        actors: Who is meant by recorded actors.
    """

    def __init__(self, streams: Sequence[Stream], *, clock: Clock | None = None, actors: Actors | None = None) -> None:
        self.streams = tuple(streams)
        self._clock = clock
        self._actors = actors
        self._takers = _takers(self.streams)
        self._plans: dict[tuple[str, str | None], tuple[Taker, ...]] = {}
        self._naming = {n: (s.name, s.same_as) for n, s in enumerate(self.streams) if s.same_as is not None}

    def tools(self) -> set[str]:
        """The tools of the steps that were looked at since :meth:`begin`, as far as they are remembered."""
        return {tool for _, tool in self._plans if tool is not None}

    def begin(self) -> None:
        """Forgets which tools were met; what is bound is the same."""
        self._plans.clear()

    def coverage(self) -> list[Coverage]:
        """Empty counts, one for each stream."""
        return [Coverage(stream=stream.name) for stream in self.streams]

    def bind(self, trace: Trace, coverage: Sequence[Coverage] | None = None) -> list[list[Bound]]:
        """The records of each stream, in the order of the steps.

        Args:
            trace: The trace.
            coverage: Counts to add to, one for each stream.
        """
        taken, endings = self._take(trace.steps)
        out: list[list[Bound]] = [[] for _ in self.streams]
        if not taken:
            return out
        openings: dict[str, tuple[Step, tuple[Taker, ...]]] = {}
        for _, step, takers in taken:
            if step.kind in OPENING_KINDS and step.call is not None:
                openings.setdefault(step.call, (step, takers))
        for i, step in endings:  # an ending that names its call and no tool is of its call's tool
            opened = openings.get(step.call or "")
            if opened is not None:
                takers = self._plan(step.kind, opened[0].tool)
                if takers:
                    taken.append((i, step, takers))
        if endings:
            taken.sort(key=_place)
        maker = _Maker(self.streams, trace, self._clock, coverage or self.coverage(), actors=self._actors)
        ended: set[tuple[int, str]] = set()
        unended: list[tuple[int, Step, tuple[Taker, ...]]] = []
        for i, step, takers in taken:
            if step.kind in OPENING_KINDS:
                unended.append((i, step, takers))
                continue
            opened = openings.get(step.call) if step.call is not None else None
            opening = None if opened is None else opened[0]
            for taker in _first_of_each(takers, opening, step):
                out[taker.stream].append(maker.make(taker, i, step, opening))
                stream = self.streams[taker.stream]
                # an ending without weight does not speak for an opening that has some
                heard = opening is not None and (stream.has_weight(step.source) or not stream.has_weight(opening.source))
                if heard and step.status != "timeout":
                    ended.add((taker.stream, step.call or ""))
        mixed: set[int] = set()
        for i, step, takers in unended:
            for taker in _first_of_each(takers, None, step):
                told = step.kind == "tool_call" and taker.rule.opens is None and (taker.stream, step.call or "") in ended
                if not told:  # the ending says all that the plain opening of a call says
                    out[taker.stream].append(maker.make(taker, i, step, None))
                    mixed.add(taker.stream)
        for n in mixed:
            out[n].sort(key=_by_place)
        if maker.has_open:
            _close(out)
        if self._naming:
            _rename(out, self._naming)
        maker.count(out)
        return out

    def bind_table(self, table: TableRef, rows: Iterable[Step], coverage: Sequence[Coverage]) -> list[list[Bound]]:
        """The records of each stream that a table's rows make, in the order of the rows.

        Args:
            table: The table.
            rows: Its rows as steps.
            coverage: Counts to add to, one for each stream.
        """
        takers = _takers(self.streams, table)
        out: list[list[Bound]] = [[] for _ in self.streams]
        trace = Trace(header=Header(id=table.source), steps=())
        maker = _Maker(self.streams, trace, self._clock, coverage, table=table)
        for i, step in enumerate(rows):
            done: set[int] = set()
            doubtful: set[int] = set()
            for taker in takers:
                assert taker.rule.table is not None
                if taker.stream in done:
                    continue
                reader = taker.rule.table.reader
                reader.missed = False
                if not taker.rule.looks or taker.rule.takes(None, step):
                    done.add(taker.stream)
                    out[taker.stream].append(maker.make(taker, i, step, None))
                elif reader.missed:
                    doubtful.add(taker.stream)
            for n in doubtful - done:
                coverage[n].n_undecided += 1
        _rename(out, self._naming)
        maker.count(out)
        return out

    def _take(self, steps: Sequence[Step]) -> tuple[list[tuple[int, Step, tuple[Taker, ...]]], list[tuple[int, Step]]]:
        """The steps that rules may take, and endings that do not say of which tool they are."""
        plans = self._plans
        taken = []
        endings = []
        for i, step in enumerate(steps):
            key = (step.kind, step.tool)
            takers = plans.get(key)
            if takers is None:
                takers = self._plan(*key)
            if takers:
                taken.append((i, step, takers))
            elif step.tool is None and step.call is not None and step.kind not in OPENING_KINDS:
                endings.append((i, step))
        return taken, endings

    def _plan(self, kind: str, tool: str | None) -> tuple[Taker, ...]:
        plan = self._plans.get((kind, tool))
        if plan is None:
            if len(self._plans) >= MAX_PLANS:
                self._plans.clear()
            plan = tuple(t for t in self._takers if t.rule.may_take(kind, tool))
            self._plans[(kind, tool)] = plan
        return plan


def _place(taken: tuple[int, Step, Any]) -> int:
    return taken[0]


def _by_place(bound: Bound) -> int:
    return bound.place


def _close(out: list[list[Bound]]) -> None:
    """Where another ending of a call says how it ended, one that does not contradict it by standing open."""
    records = [bound.record for bounds in out for bound in bounds if bound.record.source is None and bound.record.call is not None]
    told = {r.call for r in records if r.fields.get("status", OPEN) not in (OPEN, "timeout")}
    for bounds in out:
        for at, (record, place, step, opening) in enumerate(bounds):
            if record.call in told and record.fields.get("status") == OPEN and record.kind not in SILENT:
                fields = {name: value for name, value in record.fields.items() if name != "status"}
                bounds[at] = Bound(msgspec.structs.replace(record, fields=fields), place, step, opening)


def _first_of_each(takers: tuple[Taker, ...], opening: Step | None, step: Step) -> Iterable[Taker]:
    """Of each stream the first rule that takes the step."""
    if len(takers) == 1 and not takers[0].rule.looks:
        return takers
    done: set[int] = set()
    out = []
    for taker in takers:
        if taker.stream not in done and (not taker.rule.looks or taker.rule.takes(opening, step)):
            done.add(taker.stream)
            out.append(taker)
    return out


def _rename(out: list[list[Bound]], naming: Mapping[int, tuple[str, str]]) -> None:
    """Gives operations that have a name of their own the call of that name, so that a table and a trace tell of one operation.

    Each stream names its own; a stream without names follows one that has some. Two names for one call are a contradiction that the
    records show by themselves.
    """
    calls: dict[str, dict[int, set[str]]] = {}
    for n, (stream, field) in naming.items():
        for record, _, _, _ in out[n]:
            value = key_text(record.fields.get(field))
            if value is not None:
                calls.setdefault(record.call or record.id, {}).setdefault(n, set()).add(named_call(stream, value))
    for n, bounds in enumerate(out if calls else ()):
        for at, bound in enumerate(bounds):
            found = calls.get(bound.record.call or bound.record.id, {})
            names = found.get(n, set()) if n in naming else set().union(*found.values())
            if len(names) == 1:
                bounds[at] = bound._replace(record=msgspec.structs.replace(bound.record, call=next(iter(names))))


def named_call(stream: str, name: str) -> str:
    """The call of the operation of that name; no call of a trace is called so."""
    return f"~{escaped(stream)}/{escaped(name)}"


def _takers(streams: tuple[Stream, ...], table: TableRef | None = None) -> tuple[Taker, ...]:
    """All rules (for steps, or for a table) in the pack's order.

    Where two streams read one step as two kinds, those are two operations, told apart by a suffix.
    """
    out: list[Taker] = []
    for n, stream in enumerate(streams):
        for at, rule in enumerate(stream.rules):
            if (None if rule.table is None else rule.table.ref) != table:
                continue
            earlier = {t.rule.kind for t in out if t.stream != n and t.rule.overlaps(rule)}
            suffix = f"~{rule.kind or 'step'}" if earlier and any(kind != rule.kind for kind in earlier) else ""
            out.append(Taker(n, rule, suffix, at))
    return tuple(out)


class _Maker:
    """Makes the records of one trace."""

    def __init__(
        self,
        streams: tuple[Stream, ...],
        trace: Trace,
        clock: Clock | None,
        coverage: Sequence[Coverage],
        *,
        actors: Actors | None = None,
        table: TableRef | None = None,
    ) -> None:
        self._streams = streams
        self._trace = trace.id
        self._table = table
        self._actors = actors
        # no trace's name, escaped, holds a tilde: a recording cannot pass for a table
        self._prefix = ("~" if table is not None else "") + escaped(trace.id) + "#"
        self._call_prefix = escaped(trace.id) + "/"
        self._clocks = trace.header.clocks
        self._clock = clock
        self._coverage = coverage
        self._chains: dict[str | None, str] = {}
        self.has_open = False
        """Whether a record stands open for which its call's ending does not say how it ended."""

    def make(self, taker: Taker, index: int, step: Step, opening: Step | None) -> Bound:
        """The record that a rule reads off a step."""
        stream, rule, suffix = self._streams[taker.stream], taker.rule, taker.suffix
        counts = self._coverage[taker.stream]
        counts.rules[taker.at] = counts.rules.get(taker.at, 0) + 1
        opens = step.kind in OPENING_KINDS
        fields: dict[str, Any] = {}
        actor: Any = step.actor if opening is None or opening.actor is None else opening.actor
        if rule.actor is not None:
            actor = rule.actor(opening, step)
        elif self._actors is not None:
            actor = self._actors.acting(actor, opening, step)
        if actor is not None and actor is not MISSING and actor is not UNPARSED:
            fields["actor"] = actor if type(actor) is str and actor.isascii() else all_composed(actor)
        recipients: Any = step.recipients
        if rule.recipients is not None:
            recipients = rule.recipients(opening, step)
            recipients = (recipients,) if isinstance(recipients, str) else recipients
        elif self._actors is not None:
            recipients = self._actors.addressed(recipients)
        if recipients is not None and recipients is not MISSING and recipients is not UNPARSED:
            fields["recipients"] = all_composed(recipients)
        if rule.whole and step.kind not in CALL_KINDS:
            if step.data:
                counts.read_whole(fields, step.data)
            if step.text is not None:
                fields["text"] = step.text
            if stream.key_field is not None:
                counts.spelled(fields.get(stream.key_field))
            for name, value in fields.items():
                fields[name] = all_composed(value)
        for name, get, currency, is_amount, why in rule.fields:
            value = get(opening, step)
            if value is MISSING:
                counts.missing[name] = counts.missing.get(name, 0) + 1
            elif value is UNPARSED:
                counts.unparsed[name] = counts.unparsed.get(name, 0) + 1
                if name not in counts.failures and why is not None:
                    counts.failed(name, why.place, *why(opening, step), self._at(index, step))
                if name == TAKES_BACK:
                    fields[name] = UNREADABLE
            else:
                kind = type(value)
                if kind is not bool and kind is not int and not (kind is str and value.isascii()):
                    if name == stream.key_field:
                        counts.spelled(value)
                    value = all_composed(value)
                fields[name] = value
                if is_amount and currency is not None and name == "amount":
                    fields["currency"] = currency
        if not opens:
            self._end(taker, counts, fields, opening, step)
        for name in [name for name, value in fields.items() if not is_whole(value)]:
            # what is left of a masked or cut value is no value: two that read alike may have been two
            counts.unparsed[name] = counts.unparsed.get(name, 0) + 1
            counts.failed(name, rule.place, "a value that was neither masked nor cut", fields.pop(name), self._at(index, step))
            if name == TAKES_BACK:
                fields[name] = UNREADABLE
        if self._table is not None and "status" not in fields:
            fields["status"] = OPEN  # a row says by being there that it happened, unless `ok` looks for more and finds nothing
        time = None
        chain = None if step.seq is None else (self._chains.get(step.source) or self._chain(step.source), step.seq)
        if rule.time is not None:
            time = self._moment(rule, fields, opening, step, counts, index)
        elif step.time_ns is not None:
            fields["t"] = step.time_ns
            time = self._time(step)
            if step.seq is None:
                chain = self._by_own_clock(step)
        streams = self._streams_of(stream, fields, opening, step, counts)
        record = Record(
            id=self._prefix + escaped(step.id) + suffix,
            kind=(rule.opens or step.kind) if opens else (rule.kind or step.kind),
            fields=fields,
            streams=streams,
            call=None if step.call is None else self._call_prefix + escaped(step.call) + suffix,
            time=time,
            chain=chain,
            trace=self._trace,
            source=None if self._weighs(stream, step) else (step.source or NO_SOURCE),
        )
        return Bound(record, index, step, opening)

    def _weighs(self, stream: Stream, step: Step) -> bool:
        """Whether the word of the step's source counts."""
        if self._table is not None:
            return not stream.authority or self._table.source in stream.authority
        return not stream.authority or stream.has_weight(step.source)

    def _at(self, index: int, step: Step) -> str:
        """Where a person finds a step."""
        return step.id if self._table is not None else f"trace {self._trace} #{index + 1}"

    def _moment(self, rule: Rule, fields: dict[str, Any], opening: Step | None, step: Step, counts: Coverage, index: int) -> Any:
        """Reads the moment that the rule says counts; what it covers by the clock that is stated, where one is."""
        assert rule.time is not None
        found = rule.time.get(opening, step)
        if found is MISSING:
            counts.missing["time"] = counts.missing.get("time", 0) + 1
        elif not isinstance(found, Moment):
            counts.unparsed["time"] = counts.unparsed.get("time", 0) + 1
            expects = "a moment with a zone, or a day"
            counts.failed("time", rule.time.place, expects, rule.time.raw(opening, step), self._at(index, step))
        else:
            fields["t"] = found.t
            clock = self._comparing(step)
            if clock is not None and clock.skew_ns >= 0:
                return (found.t - clock.skew_ns, found.last + clock.skew_ns)
        return None

    def _chain(self, source: str | None) -> str:
        name = self._chains[source] = self._call_prefix + escaped(source or "")
        return name

    def _end(self, taker: Taker, counts: Coverage, fields: dict[str, Any], opening: Step | None, step: Step) -> None:
        """How the operation ended, as far as it was recorded."""
        status, rule = step.status, taker.rule
        if rule.ok is not None and status != "failed" and status != "timeout":
            told, named = rule.ok(opening, step)
            if told is not None:
                fields["status"] = told
                if isinstance(rule.ok, Equals):
                    counts.ended(taker.at, rule.place, rule.ok.asks, None if told == "ok" else rule.ok.get(opening, step))
            if named:
                for name, text in named.items():
                    fields.setdefault(name, text)
        elif status is not None and (status != "ok" or "status" not in fields):
            fields["status"] = status
        if rule.kind is not None and rule.kind not in SILENT and step.kind in CALL_KINDS and "status" not in fields:
            # a record of an event says by being there that it happened; an ending of a call does not
            fields["status"] = OPEN
            self.has_open = True

    def _streams_of(self, stream: Stream, fields: dict[str, Any], opening: Step | None, step: Step, counts: Coverage) -> tuple[str, ...]:
        name = stream.name
        if stream.key is not None:
            value = stream.key(opening, step)
            counts.spelled(value)
            if not is_whole(value):
                value = UNPARSED
        elif stream.key_field is not None:
            value = fields.get(stream.key_field, MISSING)
            if stream.key_change is not None and value is not MISSING:
                value = stream.key_change(value)
                if value is UNPARSED:
                    fields.pop(stream.key_field)
                else:
                    fields[stream.key_field] = value
        else:
            return (name, *step.streams) if step.streams else (name,)
        if isinstance(value, tuple):
            keys = [text for item in value if (text := key_text(item)) is not None]
        else:
            text = key_text(value if value is not UNPARSED else None)
            keys = [] if text is None else [text]
        if not keys:
            counts.n_without_key += 1
            own: tuple[str, ...] = (name,)
        else:
            own = tuple(f"{name}/{key}" for key in keys)
        return (*own, *step.streams) if step.streams else own

    def _time(self, step: Step) -> tuple[int, int] | None:
        """The moment as far as it orders: only by a clock that somebody states."""
        if step.time_ns is None:
            return None
        clock = self._comparing(step)
        if clock is None or clock.skew_ns < 0:
            return None
        return (step.time_ns - clock.skew_ns, step.time_ns + clock.skew_ns)

    def _comparing(self, step: Step) -> Clock | None:
        """The clock by which a step compares with those of other sources: its own, if it reaches so far, or the user's."""
        own = self._clocks.get(step.source or "")
        return own if own is not None and own.reach == "all" else self._clock

    def _by_own_clock(self, step: Step) -> tuple[str, int] | None:
        """The place of a step among those of its own source, where that is one process with an exact clock."""
        own = self._clocks.get(step.source or "")
        if own is None or own.reach == "all" or own.skew_ns != 0 or step.time_ns is None:
            return None
        name = escaped(step.source or "")
        return f"{CLOCK}{name}" if own.reach == "source" else f"{CLOCK}{self._call_prefix}{name}", step.time_ns

    def count(self, out: list[list[Bound]]) -> None:
        """Adds how much was bound."""
        for n, bounds in enumerate(out):
            if bounds:
                counts = self._coverage[n]
                counts.n_records += len(bounds)
                counts.n_traces += 1
