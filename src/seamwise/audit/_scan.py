"""Reading one file: its traces bound, what is decided in a trace decided, what lives across traces kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from sys import intern
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._heap import Heap, HeldTrace, Span
from seamwise.audit._items import Placed, operation_of
from seamwise.audit._judging import Judging
from seamwise.audit._known import Knowing
from seamwise.audit._layout import Ground
from seamwise.audit._reads import Reads
from seamwise.audit._recall import Recall, Scope
from seamwise.audit._refs import Held, Made, held
from seamwise.audit._remarks import Names
from seamwise.audit._result import ReadError, Statement
from seamwise.audit._spool import Mark, Spool, digest_of
from seamwise.audit._story import with_known
from seamwise.audit._told import Told, decode, encode
from seamwise.audit._unmet import near_names
from seamwise.binding import Bound, Contract, Coverage, Pack, Precedence, Stream, disagreements, joined, recorded_context
from seamwise.importers import ScatteredError, Wanted, whole
from seamwise.kernel import Context
from seamwise.record import Trace

BATCHES = 3
"""So often a file may be read: in haste, without, and once more without trust in its recorder."""
MAX_CONTEXTS = 1000
"""Different organizations that are remembered."""
CONTEXT_PARTS = ("rights", "scope", "tools", "attested")
"""Parts of the organization that traces may record and contracts read."""


class Options(NamedTuple):
    """How an audit is to be done."""

    prove: bool = True
    redact: bool = True
    distrusted: frozenset[str] = frozenset()
    """Streams whose stated count was found not to be met: what is complete in one trace is then not known."""
    format: str | None = None
    stdin: str | None = None
    """Where standard input was put aside, so that it can be read twice."""


@dataclass(slots=True)
class FilePart:
    """What one file gives to an audit."""

    path: str
    report: dict[str, Any] = field(default_factory=dict)
    errors: list[ReadError] = field(default_factory=list)
    lost: bool = False
    """Whether something that the file holds was not read."""
    batch: int = 0
    """The batch of its results."""
    traces: array[int] = field(default_factory=lambda: array("Q"))
    """Digests of the ids of its traces."""
    n_steps: int = 0
    coverage: list[Coverage] = field(default_factory=list)
    held: list[Span] = field(default_factory=list)
    """Where it is kept what contracts across traces read of it."""
    operations: dict[str, set[str]] = field(default_factory=dict)
    """Stream with a stated count -> its operations in the file."""
    context: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Part -> entry -> the values that traces record of it, told apart."""
    names: dict[int, set[str]] = field(default_factory=dict)
    """Stream (by place) -> the names that its records hold, where a contract names one."""
    remarks: set[str] = field(default_factory=set)
    """What recordings say of the organization otherwise than the page."""
    near: set[str] = field(default_factory=set)
    """Tools of its steps whose names are nearly those of rules that took nothing in it."""
    mark: Mark | None = None
    """By what the file is known, where it is kept for another audit."""
    known: bool = False
    """Whether it was kept by an earlier audit, and not read."""


class Family(NamedTuple):
    """Contracts across traces that read the same streams."""

    streams: tuple[int, ...]
    contracts: tuple[Contract, ...]


class Scanner:
    """Reads files for one pack.

    Args:
        pack: Streams and contracts.
        options: How.
        spool: Where results go.
    """

    def __init__(self, pack: Pack, options: Options, spool: Spool) -> None:
        self.pack = pack
        self.options = options
        self.spool = spool
        self.heap = Heap()
        """Where it is kept what contracts across traces read."""
        self.streams = tuple(pack.streams.values())
        self.binder = pack.binder()
        self.reads = {c.name: Reads(c, self.streams) for c in pack.contracts}
        self.anchors = {c.name: tuple(n for n, s in enumerate(self.streams) if s.name in c.streams) for c in pack.contracts}
        """Contract -> its anchors' streams, by place in the pack."""
        self.trace_contracts = tuple(c for c in pack.contracts if c.across == "trace")
        self._begun_by: dict[int, list[int]] = {}
        """Stream -> contracts (by place among those of one trace) that may have an instance where it holds a record."""
        for i, contract in enumerate(self.trace_contracts):
            for n in self.anchors[contract.name] or self.reads[contract.name].streams:
                self._begun_by.setdefault(n, []).append(i)
        families: dict[tuple[int, ...], list[Contract]] = {}
        for contract in pack.contracts:
            if contract.across == "corpus":
                families.setdefault(self.reads[contract.name].streams, []).append(contract)
        self.families = tuple(Family(streams, tuple(contracts)) for streams, contracts in families.items())
        self.counted = {n: s.name for n, s in enumerate(self.streams) if s.recording is not None and s.recording.count is not None}
        self.clock = _clock_statement(pack)
        self.judging = Judging(prove=options.prove)
        self.recall = Recall(pack.contracts, self.streams, self.reads, self.judging, remember=options.prove)
        self._contexts: dict[bytes, tuple[Context, frozenset[str]]] = {}
        self.names = Names(pack.contracts, self.reads, self.streams)
        self._wanted = wanted_by(self.streams, self.reads.values())

    def scan(self, path: str, place: int) -> FilePart:
        """What the file gives. Damage is told, never raised; where something was lost, nothing in the file counts as complete.

        Args:
            path: The file.
            place: Its place among all files.
        """
        first = BATCHES * place
        try:
            part = self._scan(path, first, trusted=True, hasty=True)
        except ScatteredError:
            part = self._scan(path, first + 1, trusted=True)
        if part.lost and self.trace_contracts and any(s.recording is not None for s in self.streams):
            part.batch = self._scan(path, first + 2, trusted=False).batch
        return part

    def _scan(self, path: str, batch: int, *, trusted: bool, hasty: bool = False) -> FilePart:
        from seamwise.audit._files import Reading

        part = FilePart(path=path, batch=batch, coverage=self.binder.coverage())
        self.binder.begin()
        if self._wanted is not None:
            self._wanted.begin()
        reading = Reading(path, self.options.format, stdin=self.options.stdin, wanted=self._wanted, hasty=hasty)
        for trace in reading.traces():
            digest = digest_of(trace.id)
            part.traces.append(digest)
            part.n_steps += len(trace.steps)
            self.take(trace, digest, part, trusted=trusted)
        part.report, part.lost = reading.report(), reading.lost
        part.errors += reading.errors
        tools = self.binder.tools() | (set() if self._wanted is None else self._wanted.tools())
        part.near = near_names(self.streams, part.coverage, tools)
        return part

    def learn(self, path: str, n_traces: int) -> None:
        """Meets the shapes of a file's first traces, and says nothing of them."""
        from seamwise.audit._files import Reading

        part = FilePart(path=path, coverage=self.binder.coverage())
        reading = Reading(path, self.options.format, stdin=self.options.stdin, wanted=self._wanted)
        own, heap, self.spool, self.heap = self.spool, self.heap, Spool(), Heap()
        for trace in islice(reading.traces(), n_traces):
            self.take(trace, 0, part, trusted=True)
        self.spool, self.heap = own, heap

    def take(self, trace: Trace, digest: int, part: FilePart, *, trusted: bool) -> None:
        """Adds one trace, with the digest of its id, to what a file gives."""
        bounds = self.binder.bind(trace, part.coverage)
        if not any(bounds):
            return
        for n, name in self.counted.items():
            part.operations.setdefault(name, set()).update(operation_of(b.record) for b in bounds[n] if b.record.source is None)
        for n in self.names.watched:
            if bounds[n]:
                self.names.of(bounds[n], part.names.setdefault(n, set()))
        order = _InTrace(trace, bounds, redact=self.options.redact)
        for told in self._judged(trace, order, part.remarks, trusted=trusted):
            self.spool.add(part.batch, digest, told)
        kept = self._kept(trace, order)
        if kept is not None:
            _add_span(part.held, self.heap.add(digest, kept))
            _add_context(part.context, trace)

    def _judged(self, trace: Trace, order: _InTrace, remarks: set[str], *, trusted: bool) -> Iterator[Told]:
        ground: Ground | None = None
        knowing: Knowing | None = None
        begun = {i for n, part in enumerate(order.bounds) if part for i in self._begun_by.get(n, ())}
        # that nothing happens beside a stream is the user's word; a recording can speak of what it holds
        stated = [c for c in trace.header.claims if c.sort == "recording"]
        for i in sorted(begun):
            contract = self.trace_contracts[i]
            reads = self.reads[contract.name]
            if ground is None:
                ground = self._ground(trace, remarks, trusted=trusted)
            claims = tuple([c for c in stated if reads.concerns(c.stream)])
            scope = Scope(trace.id, order.placed(reads.streams), order.made)
            for told in self.recall.told(contract, scope, ground._replace(claims=claims) if claims else ground):
                if told.crossing is not None:
                    knowing = knowing or Knowing(whole(trace))
                    told = known(told, knowing)
                yield told

    def _ground(self, trace: Trace, remarks: set[str], *, trusted: bool) -> Ground:
        clock = self.clock if self._uses_clock(trace) else None
        return Ground(self._context(trace, remarks), trusted=trusted, distrusted=self.options.distrusted, clock=clock)

    def _context(self, trace: Trace, into: set[str]) -> Context:
        """The organization as stated and as the trace records it; equal ones are one object, so that verdicts can be told again.

        Args:
            trace: The trace.
            into: Where it is told how the two disagree.
        """
        organization = trace.header.organization
        if not (organization.rights or organization.scopes or organization.tools or organization.attested or organization.complete):
            return self.pack.context
        recorded = recorded_context(organization)
        if not recorded.parts and not recorded.complete:
            return self.pack.context
        name = msgspec.json.encode((recorded.parts, recorded.complete))
        known = self._contexts.get(name)
        if known is None:
            if len(self._contexts) >= MAX_CONTEXTS:
                self._contexts.clear()
                self.judging.forget()
                self.recall.forget()
            remarks = frozenset(disagreements(self.pack.context, recorded.parts))
            known = self._contexts[name] = joined(self.pack.context, recorded), remarks
        into.update(known[1])
        return known[0]

    def _uses_clock(self, trace: Trace) -> bool:
        return self.clock is not None and any(s.time_ns is not None and not _compares(trace, s.source) for s in trace.steps)

    def _kept(self, trace: Trace, order: _InTrace) -> HeldTrace | None:
        items: dict[int, dict[int, list[Held]]] = {}
        for f, family in enumerate(self.families):
            if any(order.bounds[n] for n in family.streams):
                items[f] = order.held(family.streams)
        return HeldTrace(trace.id, items, self._uses_clock(trace)) if items else None


class _InTrace:
    """The bound records of one trace, with the stated order among those that a contract reads."""

    def __init__(self, trace: Trace, bounds: list[list[Bound]], *, redact: bool) -> None:
        self._trace = trace
        self.bounds = bounds
        self._precedence: Precedence | None = None
        self._linked: dict[tuple[int, ...], Mapping[int, Sequence[Bound]]] = {}
        self._bare: Mapping[int, Sequence[Bound]] | None = None
        self._placed: dict[tuple[int, ...], dict[int, list[Placed]]] = {}
        self._held: dict[str, Held] = {}
        self._redact = redact
        self.made = Made(redact=redact)
        """References to steps that were made already."""

    def linked(self, streams: tuple[int, ...]) -> Mapping[int, Sequence[Bound]]:
        """The records of at least these streams, each naming those of them that are stated to come before it."""
        if self._bare is not None:
            return self._bare
        if self._precedence is None:
            self._precedence = Precedence(self._trace.steps)
            if self._precedence.silent:
                self._bare = {n: part for n, part in enumerate(self.bounds) if part}
                return self._bare
        found = self._linked.get(streams)
        if found is None:
            found = self._linked[streams] = self._link(streams)
        return found

    def _link(self, streams: tuple[int, ...]) -> Mapping[int, Sequence[Bound]]:
        chosen = {n: part for n in streams if (part := self.bounds[n])}
        if sum(map(len, chosen.values())) < 2 or self._precedence is None:
            return chosen
        before = self._precedence.before(b.place for part in chosen.values() for b in part)
        if not before:
            return chosen
        ids: dict[int, list[str]] = {}
        for part in chosen.values():
            for b in part:
                ids.setdefault(b.place, []).append(b.record.id)
        return {n: [_after(b, before.get(b.place, ()), ids) for b in part] for n, part in chosen.items()}

    def placed(self, streams: tuple[int, ...]) -> dict[int, list[Placed]]:
        """The records of at least these streams, each with its place in the order of the trace; streams without any are left out."""
        linked = self.linked(streams)
        name = () if linked is self._bare else streams
        found = self._placed.get(name)
        if found is None:
            width = len(self.bounds)
            found = {n: [Placed(b.place * width + n, b.record, b) for b in part] for n, part in linked.items() if part}
            self._placed[name] = found
        return found

    def held(self, streams: tuple[int, ...]) -> dict[int, list[Held]]:
        """The same, to be kept when the trace is let go."""
        out: dict[int, list[Held]] = {}
        linked = self.linked(streams)
        for n in streams:
            if part := linked.get(n):
                out[n] = [self._hold(b) for b in part]
        return out

    def _hold(self, bound: Bound) -> Held:
        name = f"{bound.record.id} {bound.record.streams}"
        kept = self._held.get(name)
        if kept is None:
            kept = self._held[name] = held(bound, redact=self._redact)
        return kept if kept.record is bound.record else kept._replace(record=bound.record)


def _add_span(spans: list[Span], more: Span) -> None:
    """Adds a span, or makes the last one longer."""
    if spans and spans[-1].path == more.path and spans[-1].end == more.start:
        more = Span(more.path, spans.pop().start, more.end)
    spans.append(more)


def known(told: Told, knowing: Knowing) -> Told:
    """A result with what the actor of its crossing step had been given."""
    words = knowing.before(*told.crossing) if told.crossing is not None else ()
    return told._replace(line=encode(with_known(decode(told.line), words)), crossing=None) if words else told


def _after(bound: Bound, before: Sequence[int], ids: Mapping[int, Sequence[str]]) -> Bound:
    if not before:
        return bound
    after = tuple(name for place in before for name in ids[place])
    return bound._replace(record=msgspec.structs.replace(bound.record, after=after))


def wanted_by(streams: Sequence[Stream], reads: Iterable[Reads]) -> Wanted | None:
    """The steps that some rule may take, by kind and tool; None: there is a rule that may take any.

    Of all other steps an audit reads their places, whether they have a moment, and the order that they give to those that rules take; of
    their trace the clocks, and claims on streams that contracts read. An importer keeps these. What an agent had been given is looked up
    in the whole trace.
    """
    rules = [rule for stream in streams for rule in stream.rules]
    if not all(rule.kinds for rule in rules):
        return None
    return Wanted(((rule.kinds, rule.tools) for rule in rules), claimed=frozenset().union(*(r.families for r in reads)))


def _compares(trace: Trace, source: str | None) -> bool:
    """Whether a source states a clock that compares with those of others."""
    clock = trace.header.clocks.get(source or "")
    return clock is not None and clock.reach == "all"


def _clock_statement(pack: Pack) -> Statement | None:
    if pack.clock is None:
        return None
    words = f"clocks that nothing else is said of agree within {pack.clock.skew_ns / 1e9:g} s"
    return Statement(name="clock", words=words, by=intern(pack.clock_by), because=pack.clock.basis)


def _add_context(into: dict[str, dict[str, Any]], trace: Trace) -> None:
    """Adds what a trace records of the organization; an entry of which two traces differ is in doubt."""
    recorded = recorded_context(trace.header.organization)
    for part in CONTEXT_PARTS:
        for entry, value in recorded.parts.get(part, {}).items():
            add_entry(into, part, entry, [value])


def add_entry(into: dict[str, dict[str, Any]], part: str, entry: str, values: list[Any]) -> None:
    """Adds values of an entry that are not there yet."""
    known = into.setdefault(part, {}).setdefault(entry, [])
    known += [value for value in values if value not in known][: 2 - len(known)]
