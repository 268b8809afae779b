"""What a judgement may rest on: records, claims, context, order.

Evidence is a bag of members. A *member* is what can be deleted on its own: all copies of one record id, one claim, one context entry,
the completeness of one part of the context. Deleting members never changes the others: a claim keeps its count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from seamwise.record import Claim

CLOCK = "clock "
"""How the name of a chain begins that is one process's clock; positions on it are moments."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One authoritative record, its native content already bound to the fields that contracts read.

    A field that is absent was not recorded and may have any value. ``actor`` and ``recipients`` are fields like any other.
    """

    id: str
    """Unique in the evidence; two records of one id are copies of one another."""
    kind: str
    fields: Mapping[str, Any] = {}
    streams: tuple[str, ...] = ()
    """Streams it was written to. A prefix (``ledger``) means that the key was not recorded: it is in some ``ledger/...``."""
    call: str | None = None
    """Records of one call are one operation."""
    time: tuple[int, int] | None = None
    """Earliest and latest moment in Unix nanoseconds, both inclusive."""
    chain: tuple[str, int] | None = None
    """Whose sequence it stands in, and where: records of one chain are ordered by position. It may be one process's clock
    (:data:`CLOCK`)."""
    after: tuple[str, ...] = ()
    """Ids of records that it is known to follow."""
    trace: str | None = None
    source: str | None = None
    """Set where its writer has no authority over the operation: such a record has no weight."""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """Rights, scopes, tools and attestations; they hold for the whole case unless a record says otherwise."""

    parts: Mapping[str, Mapping[str, Any]] = {}
    """Part -> entry -> value. An entry is whole or absent."""
    complete: Mapping[str, int] = {}
    """Parts that are said to hold every entry there is, and how many that is: like a claim, the count stays when an entry is lost."""

    def is_complete(self, part: str) -> bool:
        """Whether every entry of the part is here."""
        return part in self.complete and len(self.parts.get(part, {})) >= self.complete[part]

    def known(self, part: str, entry: str) -> bool:
        """Whether the entry's value, or its absence, is known."""
        return entry in self.parts.get(part, {}) or self.is_complete(part)

    def get(self, part: str, entry: str) -> Any:
        """The entry's value; None where it is absent (check :meth:`known` first)."""
        return self.parts.get(part, {}).get(entry)


MemberSort = Literal["record", "claim", "context", "complete"]


class Member(msgspec.Struct, frozen=True, order=True):
    """Something that can be deleted from evidence on its own."""

    sort: MemberSort
    name: str
    """A record id; ``stream[@range][ by author]`` of a claim; ``part/entry``; the name of a part."""

    def __str__(self) -> str:
        return self.name if self.sort == "record" else f"{self.sort}:{self.name}"


def claim_name(claim: Claim) -> str:
    """How a claim is named as a member: ``ledger/c1``, ``inbox/agg@d1``, ``route/ledger``, ``ledger by user``.

    What one author says of one stream and range is one member, however often it is said.
    """
    name = f"route/{claim.stream}" if claim.sort == "route" else claim.stream
    if claim.range is not None:
        name = f"{name}@{claim.range}"
    return name if claim.by == "source" else f"{name} by {claim.by}"


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Records, claims and context of one instance."""

    records: tuple[Record, ...] = ()
    claims: tuple[Claim, ...] = ()
    context: Context = Context()
    all_routes: bool = False
    """Every stream is the only route of what it records (the notation of the verdict cases); otherwise route claims say so."""

    def claim_members(self) -> list[tuple[Member, Claim]]:
        """Each claim with its member."""
        return [(Member("claim", claim_name(claim)), claim) for claim in self.claims]

    def members(self) -> list[Member]:
        """Everything that can be deleted on its own: context first, then claims (the users' own before those of sources), then records."""
        out: list[Member] = [Member("complete", part) for part in sorted(self.context.complete)]
        out += [Member("context", f"{part}/{entry}") for part, entries in self.context.parts.items() for entry in entries]
        claims = dict.fromkeys(member for member, _ in self.claim_members())
        out += sorted(claims, key=lambda m: " by user" not in m.name)
        out += [Member("record", name) for name in dict.fromkeys(r.id for r in self.records)]
        return out

    def keep(self, members: Iterable[Member]) -> Evidence:
        """The evidence with only these members left."""
        kept: dict[str, set[str]] = {"record": set(), "claim": set(), "context": set(), "complete": set()}
        for member in members:
            kept[member.sort].add(member.name)
        records, claims, entries, complete = kept["record"], kept["claim"], kept["context"], kept["complete"]
        return Evidence(
            records=tuple([r for r in self.records if r.id in records]),
            claims=tuple([c for c in self.claims if claim_name(c) in claims]) if claims else (),
            context=Context(
                parts={part: {e: v for e, v in of.items() if f"{part}/{e}" in entries} for part, of in self.context.parts.items()},
                complete={part: n for part, n in self.context.complete.items() if part in complete},
            ),
            all_routes=self.all_routes,
        )

    def without(self, members: Iterable[Member]) -> Evidence:
        """The evidence with these members deleted."""
        gone: dict[str, set[str]] = {"record": set(), "claim": set(), "context": set(), "complete": set()}
        for member in members:
            gone[member.sort].add(member.name)
        records, claims, entries, complete = gone["record"], gone["claim"], gone["context"], gone["complete"]
        context = self.context
        if entries or complete:
            context = Context(
                parts={part: {e: v for e, v in of.items() if f"{part}/{e}" not in entries} for part, of in context.parts.items()},
                complete={part: n for part, n in context.complete.items() if part not in complete},
            )
        return Evidence(
            records=tuple([r for r in self.records if r.id not in records]) if records else self.records,
            claims=tuple([c for c in self.claims if claim_name(c) not in claims]) if claims else self.claims,
            context=context,
            all_routes=self.all_routes,
        )

    def weighty(self) -> Evidence:
        """The evidence without records that have no authority, and without values that say nothing.

        A null was not recorded, and neither was a flag that is neither true nor false.
        """
        if any(not _is_sound(name, value) for r in self.records for name, value in r.fields.items()):
            records = tuple(msgspec.structs.replace(r, fields=_sound(r.fields)) for r in self.records)
            return msgspec.structs.replace(self, records=records).weighty()
        if any(r.source is not None for r in self.records):
            return msgspec.structs.replace(self, records=tuple(r for r in self.records if r.source is None))
        return self

    def routed(self, stream: str) -> bool:
        """Whether nothing of what the stream records happens beside it."""
        return self.all_routes or any(c.sort == "route" and stream_covers(c.stream, stream) for c in self.claims)

    def unordered(self) -> Evidence:
        """The evidence without any known order: no chains, no precedences, no times."""
        return msgspec.structs.replace(
            self, records=tuple(msgspec.structs.replace(r, chain=None, after=(), time=None) for r in self.records)
        )


FLAGS = frozenset({"accepted", "correct", "gives", "sent", "structured", "verified", "whole", "withdrawn"})
"""Fields that are true or false."""
_WORDS = {"true": True, "false": False}


def _is_sound(name: str, value: Any) -> bool:
    return value is not None and (name not in FLAGS or isinstance(value, bool))


def _sound(fields: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in fields.items():
        said = _WORDS.get(value.strip().lower()) if name in FLAGS and isinstance(value, str) else value
        if _is_sound(name, said):
            out[name] = said
    return out


def stream_covers(claimed: str, stream: str) -> bool:
    """Whether a claim on ``claimed`` speaks of ``stream`` as a whole.

    ``ledger`` covers ``ledger/c1``; ``outbox/*`` covers ``outbox/src1`` and ``outbox``.
    """
    base = claimed[:-2] if claimed.endswith("/*") else claimed
    return stream in (claimed, base) or stream.startswith(base + "/")
