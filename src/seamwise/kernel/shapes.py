"""Judging a shape once.

A corpus holds thousands of instances that differ in names alone: other run, other customer, other record ids. A kind says which of its
fields it compares by equality only (``Kind.opaque``); with those names replaced by tokens, instances of one shape are one bundle, which is
judged once and told again with the real names put back. INVARIANT: the verdict is the one that :func:`~seamwise.kernel.judge.judge` gives
(a law test holds it).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from seamwise.kernel.evidence import CLOCK, Evidence, Member, Record
from seamwise.kernel.judge import judge
from seamwise.kernel.kind import Assumption, Kind, Note
from seamwise.kernel.operation import Clash
from seamwise.kernel.verdict import Gap, Need, Verdict

_REPEATED = "\\\\x02"
"""The beginning of a token inside a value that words tell as Python writes it, as the representation of these words has it."""
_TOKEN = re.compile("\x02(\\d+)\x03")

MANY, TRIED, WORTH = 64, 16, 8
"""Evidence of more records than the first hardly ever has the shape of another. Once the second number was met, shapes of such evidence are
looked for only while one in as many as the third was known."""


class ShapeCache:
    """Verdicts of one contract, by the shape of the evidence.

    Args:
        kind: The contract kind.
        template: Parameters whose ``param`` is a placeholder.
        param: The parameter that holds an instance's identity; empty: there is none.
        confirm: See :func:`~seamwise.kernel.judge.judge`; once per shape.
        max_shapes: How many shapes are remembered.
    """

    def __init__(self, kind: Kind[Any], template: Any, param: str = "", *, confirm: int = 0, max_shapes: int = 20_000) -> None:
        self.kind = kind
        self.template = template
        self.param = param
        self.confirm = confirm
        self.max_shapes = max_shapes
        named = strings_in(msgspec.to_builtins(template))
        # a parameter that names a stream names its key, too
        self.literals = frozenset(named | {s.partition("/")[2] for s in named})
        anchor = kind.anchor
        self._renames = anchor.by == "key" or not anchor.field or anchor.field in kind.opaque
        self.hits = 0
        self.misses = 0
        self._many_met = self._many_known = 0
        self._known: dict[Any, Verdict] = {}
        self._contexts: dict[int, Any] = {}
        self._with_context: dict[int, frozenset[str]] = {}

    def judge(self, identity: str, evidence: Evidence) -> Verdict:
        """The verdict of the instance with this identity."""
        if "/" in identity:  # a key within a key
            return judge(self.kind, self._params(identity), evidence, confirm=self.confirm)
        many = len(evidence.records) > MANY
        if many and self._many_met > TRIED and self._many_known * WORTH < self._many_met:
            return judge(self.kind, self._params(identity), evidence, confirm=self.confirm)
        self._many_met += many
        names = _Names(self._literals(evidence) if self._renames else self._literals(evidence) | {identity})
        token = names.of(identity)
        bundle = _tokenised(evidence, names, self.kind.opaque)
        # a context is told by its identity, so it is held for as long as the cache lives
        self._contexts.setdefault(id(evidence.context.parts), evidence.context.parts)
        key = _key(bundle, token)
        try:
            verdict = self._known.get(key)
        except TypeError:  # something in a field does not hash: this one is judged by itself
            return judge(self.kind, self._params(identity), evidence, confirm=self.confirm)
        if verdict is None:
            self.misses += 1
            verdict = judge(self.kind, self._params(token), bundle, confirm=self.confirm)
            if _REPEATED in repr(verdict):  # a token stands where no name can be put back
                return judge(self.kind, self._params(identity), evidence, confirm=self.confirm)
            if len(self._known) < self.max_shapes:
                self._known[key] = verdict
        else:
            self.hits += 1
            self._many_known += many
        return _told(verdict, names.values)

    def _literals(self, evidence: Evidence) -> frozenset[str]:
        parts = evidence.context.parts
        if not parts:
            return self.literals
        known = self._with_context.get(id(parts))
        if known is None:
            known = self._with_context[id(parts)] = self.literals | frozenset(strings_in(dict(parts)))
        return known

    def _params(self, identity: str) -> Any:
        return msgspec.structs.replace(self.template, **{self.param: identity}) if self.param else self.template


class _Names:
    """Names in the order they are met, each with its token; literals stay themselves."""

    __slots__ = ("literals", "tokens", "values")

    def __init__(self, literals: frozenset[str]) -> None:
        self.literals = literals
        self.tokens: dict[str, str] = {}
        self.values: list[str] = []

    def of(self, name: str) -> str:
        token = self.tokens.get(name)
        if token is None:
            if name in self.literals or not name:
                return name
            token = self.tokens[name] = f"\x02{len(self.values)}\x03"
            self.values.append(name)
        return token

    def stream(self, stream: str) -> str:
        family, *keys = stream.split("/")
        return "/".join([family, *(key if key == "*" else self.of(key) for key in keys)])

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.of(value)
        if isinstance(value, tuple):
            return tuple(self.value(v) for v in value)
        if isinstance(value, Mapping):
            renamed = {self.of(k) if isinstance(k, str) else k: self.value(v) for k, v in value.items()}
            return renamed if type(value) is dict else type(value)(renamed)  # type: ignore[call-arg]  # a mapping that hashes stays one
        return value


def _tokenised(e: Evidence, names: _Names, opaque: frozenset[str]) -> Evidence:
    moments = sorted({m for r in e.records for m in (*(r.time or ()), *([r.fields["t"]] if isinstance(r.fields.get("t"), int) else []))})
    rank = {m: i for i, m in enumerate(moments)}
    places: dict[str, list[int]] = {}
    for r in e.records:
        if r.chain is not None:
            places.setdefault(r.chain[0], []).append(r.chain[1])
    position = {chain: {p: i for i, p in enumerate(sorted(set(ps)))} for chain, ps in places.items()}
    records = []
    for r in e.records:
        fields = {k: names.value(v) if k in opaque else v for k, v in r.fields.items()}
        if "t" in opaque and "t" in fields:
            fields["t"] = rank.get(fields["t"], fields["t"])  # of a moment that only orders, its place is all that counts
        records.append(
            Record(
                id=names.of(r.id),
                kind=r.kind,
                fields=fields,
                streams=tuple(names.stream(s) for s in r.streams),
                call=None if r.call is None else names.of(r.call),
                time=None if r.time is None else (rank[r.time[0]], rank[r.time[1]]) if "t" in opaque else r.time,
                chain=None if r.chain is None else (_line(r.chain[0], names.of(r.chain[0])), position[r.chain[0]][r.chain[1]]),
                after=tuple(names.of(a) for a in r.after),
                source=r.source,
            )
        )
    # a range is the name of something only where the field that says it is; a calendar period is none
    part = names.of if "for" in opaque else str
    claims = tuple(
        msgspec.structs.replace(c, stream=names.stream(c.stream), range=None if c.range is None else part(c.range), basis=names.of(c.basis))
        for c in e.claims
    )
    return Evidence(records=tuple(records), claims=claims, context=e.context, all_routes=e.all_routes)


def _key(e: Evidence, token: str) -> Any:
    return (
        token,
        e.all_routes,
        id(e.context.parts),
        tuple(e.context.complete.items()),
        tuple((r.id, r.kind, _frozen(r.fields), r.streams, r.call, r.time, r.chain, r.after, r.source) for r in e.records),
        tuple((c.sort, c.stream, c.range, c.count, c.by, c.basis) for c in e.claims),
    )


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple((k, _frozen(v)) for k, v in value.items())
    if isinstance(value, (tuple, list)):
        return tuple(_frozen(v) for v in value)
    return (type(value), value) if isinstance(value, (bool, int, float)) else value


def strings_in(value: Any) -> set[str]:
    """Every string in a value, the names of entries among them."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return set().union(*(strings_in(k) | strings_in(v) for k, v in value.items())) if value else set()
    if isinstance(value, (list, tuple, set, frozenset)):
        return set().union(*(strings_in(v) for v in value)) if value else set()
    return set()


def _told(v: Verdict, values: list[str]) -> Verdict:
    """The verdict with the real names put back."""

    def real(m: re.Match[str]) -> str:
        return values[int(m[1])] if int(m[1]) < len(values) else m[0]

    def put(text: str) -> str:
        return _TOKEN.sub(real, text) if "\x02" in text else text

    return msgspec.structs.replace(
        v,
        witness=None if v.witness is None else tuple(Member(m.sort, put(m.name)) for m in v.witness),
        gaps=tuple(Gap(needs=tuple(Need(n.what, put(n.name), put(n.words)) for n in g.needs), sort=g.sort) for g in v.gaps),
        reason=None if v.reason is None else put(v.reason),
        clashes=tuple(Clash(frozenset(map(put, c.members)), put(c.why)) for c in v.clashes),
        weightless=tuple(map(put, v.weightless)),
        leaning_on=tuple(Assumption(name=put(a.name), words=put(a.words), by=a.by, because=put(a.because)) for a in v.leaning_on),
        dropped=tuple(map(put, v.dropped)),
        notes=tuple(Note(code=n.code, records=tuple(map(put, n.records)), words=put(n.words)) for n in v.notes),
    )


def _line(chain: str, token: str) -> str:
    """A chain's token, which still says whether it is a clock: whose word an order is stands in the verdict."""
    return f"{CLOCK}{token}" if chain.startswith(CLOCK) else token
