"""Evidence as a monitor sees it: operations, their known order, and how many more there may be.

A :class:`Pool` says of one stream which operations surely are in it, which may be, and how many unrecorded ones there can be: none where
a claim's count is met, some number where it is short, any number where nothing closes the stream. Contradictions that are met on the way
are collected in ``View.clashes``; a view with clashes has no completions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from seamwise.kernel.evidence import Evidence, Member, stream_covers
from seamwise.kernel.operation import Clash, Op, merge
from seamwise.kernel.order import Order
from seamwise.record import Claim


class Pool(NamedTuple):
    """What is known of the operations of one stream (and range)."""

    sure: list[Op]
    """Surely in it."""
    maybe: list[Op]
    """Possibly in it: their key or range was not recorded."""
    least: int
    """At least so many of ``maybe`` and of unrecorded ones are in it."""
    most: int | None
    """At most so many of them; None: any number."""
    hidden: int | None
    """At most so many unrecorded ones; None: any number."""
    forced: int
    """At least so many of ``maybe`` are in it."""
    room: int | None
    """At most so many of ``maybe`` are in it; None: all of them can be."""

    @property
    def closed(self) -> bool:
        """Whether nothing is in it beside ``sure``."""
        return self.most == 0

    @property
    def may_hide(self) -> bool:
        """Whether an unrecorded operation may be in it."""
        return self.most != 0 and self.hidden != 0

    @property
    def candidates(self) -> list[Op]:
        """``maybe``, where any of them can be in it."""
        return [] if self.room == 0 else self.maybe

    @property
    def must_hide(self) -> int:
        """So many unrecorded operations are in it at least."""
        return max(0, self.least - len(self.maybe))


class View:
    """The evidence of one instance, merged and ordered. Build a new one where evidence changes."""

    __slots__ = ("_order", "_recording", "clashes", "context", "evidence", "ops")

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        merged = merge(evidence.records)
        self.ops: list[Op] = merged.ops
        self.clashes: list[Clash] = list(merged.clashes)
        self.context = evidence.context
        self._order: Order | None = None
        self._recording = [c for c in evidence.claims if c.sort == "recording" and c.count is not None]
        if len(self._recording) > 1:
            self._agree()

    def _agree(self) -> None:
        """Records claims that cannot both be true whatever was recorded: one stream counted twice, a part larger than its whole."""
        claims = self.recording()
        for i, a in enumerate(claims):
            for b in claims[i + 1 :]:
                same = _base(a.stream) == _base(b.stream)
                if same and a.range == b.range and a.count != b.count:
                    self.clash([a, b], f"`{a.stream}` is counted as {a.count} and as {b.count}")
                    continue
                for whole, part in ((a, b), (b, a)):
                    larger = (part.count or 0) > (whole.count or 0)
                    if larger and whole.range is None and (part.range is not None or not same) and stream_covers(whole.stream, part.stream):
                        self.clash([whole, part], f"`{part.stream}` is said to hold more operations than `{whole.stream}`")

    @property
    def order(self) -> Order:
        """The known order of the evidence, worked out when first asked for."""
        if self._order is None:
            self._order = Order(self.ops)
            self.clashes += self._order.clashes
        return self._order

    @property
    def order_may_clash(self) -> bool:
        """Whether the recorded order can contradict itself: one writer's sequence alone never does."""
        return any(len(op.ends) > 1 for op in self.ops) or any(r.after or r.time is not None for r in self.evidence.records)

    def precedes(self, a: Op, b: Op) -> bool:
        """Whether ``a`` is known to have taken effect before ``b``."""
        return self.order.precedes(a, b)

    def may_precede(self, a: Op, b: Op) -> bool:
        """Whether ``a`` can have taken effect before ``b``."""
        return not self.order.precedes(b, a)

    def clash(self, members: Iterable[Op | Claim | str], why: str) -> None:
        """Records that these operations, claims or named members contradict one another."""
        names: set[str] = set()
        for m in members:
            if isinstance(m, Op):
                names.update(m.ids)
            elif isinstance(m, Claim):
                names.add(self.claim_member(m))
            else:
                names.add(m)
        self.clashes.append(Clash(frozenset(names), why))

    def claim_member(self, claim: Claim) -> str:
        """The name of a claim as a member."""
        return next((str(member) for member, c in self.evidence.claim_members() if c is claim), str(Member("claim", claim.stream)))

    def routed(self, stream: str) -> bool:
        """Whether nothing of what the stream records happens beside it."""
        return self.evidence.routed(stream)

    def recording(self) -> list[Claim]:
        """The recording claims that count something."""
        return self._recording

    def pool(self, stream: str, *, range: str | None = None, range_field: str = "for") -> Pool:
        """What is known of a stream (``ledger/c1``, ``outbox/*``), or of one range of it."""
        sure: list[Op] = []
        maybe: list[Op] = []
        base = _base(stream)
        below = base + "/"
        known: dict[tuple[str, ...], bool | None] = {}  # operations of one sort stand in the same streams
        for op in self.ops:
            streams = op.streams
            if streams in known:
                inside = known[streams]
            else:
                inside = known[streams] = _within(streams, stream, base, below)
            if inside is not False and range is not None:
                value = op.fields.get(range_field)
                if value is None and range_field not in op.fields:
                    inside = None
                elif value != range:
                    inside = False
            if inside:
                sure.append(op)
            elif inside is None:
                maybe.append(op)
        least, most, hidden = 0, None, None
        for claim in self.recording():
            bound = self._bound(claim, stream, range, range_field, sure, maybe)
            if bound is None:
                continue
            lo, hi, unseen = bound
            least = max(least, lo)
            most = hi if most is None else most if hi is None else min(most, hi)
            hidden = unseen if hidden is None else min(hidden, unseen)
        if range is None:
            least = max(least, self._children(stream))
        self._check_parts(stream, range, range_field)
        if most is not None and hidden is not None and least > min(most, len(maybe) + hidden):
            self.clash(self._counted(stream), "two claims count the same stream differently")
        forced = 0 if hidden is None else max(0, least - hidden)
        room = most
        if not self.routed(stream):
            # what goes by another route is in no count, but a recorded operation is where its record says
            most = hidden = None
        if maybe and forced >= len(maybe):
            n = len(maybe)
            sure, maybe, least, forced = [*sure, *maybe], [], least - n, 0
            most, room = None if most is None else most - n, None if room is None else room - n
        return Pool(sure, maybe, least, most, hidden, forced, room)

    def _too_few(self, claim: Claim, ops: Sequence[Op]) -> None:
        """Records that a claim counts fewer operations than are recorded, naming of each what stands in the stream."""
        base = _base(claim.stream)
        there = {r.id for r in self.evidence.records if _within(r.streams, claim.stream, base, base + "/")}
        names = [i for op in ops for i in ([i for i in op.ids if i in there] if claim.range is None else op.ids)]
        self.clash([claim, *names], f"`{claim.stream}` is said to hold {claim.count} operations and {len(ops)} are recorded")

    def _counted(self, stream: str) -> list[Claim]:
        return [c for c in self.recording() if stream_covers(c.stream, stream) or stream_covers(stream, c.stream)]

    def _bound(
        self,
        claim: Claim,
        stream: str,
        range: str | None,
        range_field: str,
        sure: list[Op],
        maybe: list[Op],
    ) -> tuple[int, int | None, int] | None:
        """What one claim says of a pool: least and most in it beside the sure ones, most unrecorded; None: nothing."""
        count = claim.count or 0
        if claim.range is not None and (range is None or claim.range != range):
            return None
        if not stream_covers(claim.stream, stream):
            return None
        same = _base(claim.stream) == _base(stream)
        if same and claim.range == range:
            missing = count - len(sure)
            if missing < 0:
                self._too_few(claim, sure)
                return 0, 0, 0
            return missing, missing, missing
        whole = [op for op in self.ops if _inside(op, claim.stream)]
        if claim.range is not None:
            whole = [op for op in whole if op.fields.get(range_field) == claim.range]
        unseen = count - len(whole)
        if unseen < 0:
            self._too_few(claim, whole)
            return 0, 0, 0
        free = sum(1 for op in maybe if _inside(op, claim.stream))
        taken = 0 if same else self._deficits(claim, stream)
        if taken > free + unseen:
            self.clash(self._counted(claim.stream), "the counts of the parts do not fit into the count of the whole")
            return 0, 0, 0
        # what is in the stream is in the claimed one, which covers it
        return 0, free + unseen - taken, unseen

    def _children(self, stream: str) -> int:
        """How many operations the claimed streams below this one lack beyond what is recorded without a key."""
        need: dict[str, int] = {}
        for c in self.recording():
            if c.range is None and _base(c.stream) != _base(stream) and stream_covers(stream, c.stream):
                need[c.stream] = max(need.get(c.stream, 0), self._lack(c))
        if not need:
            return 0
        keyless = sum(1 for op in self.ops if _inside(op, stream) and any(_inside(op, child) is None for child in need))
        return max(0, sum(need.values()) - keyless)

    def _check_parts(self, stream: str, range: str | None, range_field: str) -> None:
        """Records claims on parts of what is asked about that count fewer operations than are recorded."""
        for c in self.recording():
            part = c.range is not None if range is None else c.range is None or c.range == range
            if not part or not stream_covers(stream, c.stream) or (c.range == range and _base(c.stream) == _base(stream)):
                continue
            present = [op for op in self.ops if _inside(op, c.stream) and c.range in (None, op.fields.get(range_field))]
            if (c.count or 0) < len(present):
                self._too_few(c, present)

    def _lack(self, claim: Claim) -> int:
        """How many operations a claim counts beyond those surely in its stream."""
        present = [op for op in self.ops if _inside(op, claim.stream)]
        if (claim.count or 0) < len(present):
            self._too_few(claim, present)
        return max(0, (claim.count or 0) - len(present))

    def _deficits(self, parent: Claim, stream: str) -> int:
        """How many operations the closed siblings of a stream still lack: they take them from what is left of the parent."""
        need: dict[str, int] = {}
        for c in self.recording():
            if c.range is None and c.stream != parent.stream and stream_covers(parent.stream, c.stream) and not _related(c.stream, stream):
                need[c.stream] = max(need.get(c.stream, 0), self._lack(c))
        return sum(need.values())


def _base(stream: str) -> str:
    return stream[:-2] if stream.endswith("/*") else stream


def _related(a: str, b: str) -> bool:
    return stream_covers(a, b) or stream_covers(b, a)


def _inside(op: Op, stream: str) -> bool | None:
    """True: in the stream; None: its key was not recorded and it may be; False: not in it."""
    base = _base(stream)
    return _within(op.streams, stream, base, base + "/")


def _within(streams: tuple[str, ...], stream: str, base: str, below: str) -> bool | None:
    """The same of an operation's streams, given the stream without its pattern and what streams below that begin with."""
    maybe = False
    for s in streams:
        if s in (stream, base) or s.startswith(below):
            return True
        if base.startswith(s + "/"):
            maybe = True
    return None if maybe else False


def field_is(op: Op, field: str, value: Any) -> bool | None:
    """True or False where the field was recorded, None where it may be either."""
    return op.fields[field] == value if field in op.fields else None
