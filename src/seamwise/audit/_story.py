"""From a verdict on records to a result about steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from sys import intern
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._beside import OPEN, UNNAMED
from seamwise.audit._items import Placed, operation_of
from seamwise.audit._known import Sought, sought_in
from seamwise.audit._refs import Held, Made, marked, plain, ref_of, writable
from seamwise.audit._result import Ledger, LedgerLine, NoteRef, Policy, Result, Statement, StepRef
from seamwise.audit._words import MAX_GAPS, Speaker, claims_of
from seamwise.binding import Bound, Contract, Stream
from seamwise.kernel import Clash, Evidence, Note, Outcome, Status, Verdict, merge

_MARKS = frozenset({"crossing", "anomaly", "interception", "path", "isolated_violation", "information_loss"})
"""Notes whose steps are marked in the witness."""
_BESIDE_TABLE = {UNNAMED: "unnamed", OPEN: "open_and_no_row"}
"""Source that a table beside a record gives it -> the mark that says so."""
_OPEN = frozenset({Status.SUPPORTED, Status.MEASUREMENT_INVALID, Status.UNKNOWN})
"""What a running sum is told of."""
MAX_LINES = 400
"""Contributions of one key that are told; of more the last."""
_OUTCOMES = {outcome: n for n, outcome in enumerate(Outcome)}


class Case(NamedTuple):
    """One instance, judged."""

    contract: Contract
    instance: Mapping[str, str]
    evidence: Evidence
    items: Sequence[Placed]
    verdict: Verdict
    extra: tuple[Statement, ...] = ()
    """Further statements that the verdict leans on."""
    params: Mapping[str, Any] = {}
    """What the instance adds to the contract's parameters."""


def result_of(case: Case, streams: Sequence[Stream], made: Made) -> Result:
    """The result that tells a judged instance. It can be written: what UTF-8 cannot hold is replaced.

    Args:
        case: The instance.
        streams: The pack's streams.
        made: References to the steps of the scope.
    """
    try:
        result = _Story(case, streams, made).result()
    except Exception as error:  # a verdict that cannot be told is none, and its neighbours are told all the same
        result = Result(
            contract=case.contract.name,
            kind=case.contract.kind.name,
            instance=dict(case.instance),
            status=Status.NOT_JUDGED,
            reason=f"the verdict cannot be told: {type(error).__name__}: {error}",
        )
    return writable(result)


class _Story:
    def __init__(self, case: Case, streams: Sequence[Stream], made: Made) -> None:
        self._case = case
        self._items = {placed.record.id: placed for placed in reversed(case.items)}
        self._refs = _Refs(self._items, made)
        self._streams = streams
        self._speaker: Speaker | None = None

    def _foreign(self, name: str) -> str | None:
        """The currency of the limits, where a record has an amount and it is in another currency, or in none that was recorded."""
        currency = self._case.contract.given.get("currency")
        if not isinstance(currency, str) or name not in self._items:
            return None
        fields = self._items[name].record.fields
        return currency if "amount" in fields and fields.get("currency") != currency else None

    @property
    def speaker(self) -> Speaker:
        if self._speaker is None:
            names = {operation_of(placed.record): placed.record.id for placed in reversed(self._case.items)}
            self._speaker = Speaker(self._refs, _Calls(self._refs, names), self._streams, self._foreign)
        return self._speaker

    def result(self) -> Result:
        case, verdict, contract = self._case, self._case.verdict, self._case.contract
        headline = next((n.words for n in verdict.notes if n.code == "headline"), "")
        claims = claims_of(verdict.witness or (), case.evidence, self.speaker) if _speaks(verdict) else ()
        return Result(
            contract=contract.name,
            kind=contract.kind.name,
            instance=dict(case.instance),
            status=verdict.status,
            possible=_in_order(verdict.possible),
            headline=self._plain(headline) if headline else "",
            risk=contract.risk,
            policy=None if contract.policy is None else Policy(doc=contract.policy.doc, quote=contract.policy.quote),
            required=contract.required,
            witness=self._witness(),
            claims=claims,
            order=verdict.order,
            gaps=tuple(self.speaker.gap(gap) for gap in verdict.gaps[:MAX_GAPS]),
            reason=verdict.reason,
            clashes=tuple(self._clash(clash) for clash in verdict.clashes),
            weightless=tuple(self._weightless(name) for name in verdict.weightless if name in self._items),
            leaning_on=self._leaning({claim.name: claim.words for claim in claims}),
            without=verdict.without,
            dropped=tuple(map(self._plain, verdict.dropped)),
            notes=tuple(self._note(note) for note in verdict.notes if note.code != "headline" or verdict.status is Status.SUPPORTED),
            confirmed=verdict.confirmed,
            evidence_steps=len(self._items),
            ledger=self._ledger(),
        )

    def _weightless(self, name: str) -> StepRef:
        """The step of a record without weight, marked where a table beside it is the reason and not who wrote it."""
        mark = _BESIDE_TABLE.get(self._items[name].record.source or "")
        return msgspec.structs.replace(self._refs[name], marks=(mark,)) if mark else self._refs[name]

    def _ledger(self) -> Ledger | None:
        """The running sum of a key that is not clear."""
        case, kind = self._case, self._case.contract.kind
        if kind.sums is None or case.verdict.status not in _OPEN:
            return None
        ops = sorted(merge(case.evidence.weighty().records).ops, key=lambda op: self._items[op.id].at)
        sums = kind.sums(ops, case.contract.params(**case.params))
        skipped = max(0, len(sums.lines) - MAX_LINES)
        return Ledger(
            limit=str(plain(sums.limit)),
            unit=sums.unit,
            lines=tuple(
                LedgerLine(
                    step=self._refs[line.record],
                    total=str(plain(line.total)),
                    amount=None if line.amount is None else str(plain(line.amount)),
                    counts=line.counts,
                )
                for line in sums.lines[skipped:]
            ),
            skipped=skipped,
        )

    def _plain(self, words: str) -> str:
        return self.speaker.plain(words) if "#" in words else words  # every record's id holds one

    def _witness(self) -> tuple[StepRef, ...] | None:
        """The steps of the witness in the order of the scope, with what each is in the story."""
        witness = self._case.verdict.witness
        if witness is None:
            return None
        marks: dict[str, list[str]] = {}
        for note in self._case.verdict.notes:
            if note.code in _MARKS:
                for name in note.records:
                    marks.setdefault(self._operation(name), []).append(note.code)
        found = [self._items[m.name] for m in witness if m.sort == "record" and m.name in self._items]
        found.sort(key=lambda placed: placed.at)
        out: dict[tuple[str, str], StepRef] = {}
        for placed in found:
            ref = self._refs[placed.record.id]
            given = marks.get(operation_of(placed.record))
            out.setdefault((ref.trace, ref.step), marked(ref, *given) if given else ref)
        return tuple(out.values())

    def _operation(self, name: str) -> str:
        placed = self._items.get(name)
        return name if placed is None else operation_of(placed.record)

    def _clash(self, clash: Clash) -> NoteRef:
        steps = tuple(self._refs[name] for name in sorted(clash.members) if name in self._items)
        return NoteRef(code="clash", words=self._plain(clash.why), steps=steps)

    def _note(self, note: Note) -> NoteRef:
        steps = tuple(self._refs[name] for name in note.records if name in self._items)
        return NoteRef(code=note.code, words=self._plain(note.words), steps=steps)

    def _leaning(self, claimed: Mapping[str, str]) -> tuple[Statement, ...]:
        """The user's statements, with their own reasons where the contract gives them."""
        out = []
        for assumption in self._case.verdict.leaning_on:
            spoken = self._case.contract.spoken.get(assumption.name.split(":")[0])
            out.append(
                Statement(
                    name=assumption.name,
                    words=claimed.get(assumption.name, assumption.words),
                    by=intern(spoken.by if spoken else assumption.by),
                    because=spoken.because if spoken else assumption.because,
                )
            )
        return (*out, *self._case.extra)


class _Refs(Mapping[str, StepRef]):
    """Record id -> reference, made when first asked for."""

    def __init__(self, items: Mapping[str, Placed], made: Made) -> None:
        self._items = items
        self._made = made

    def __getitem__(self, name: str) -> StepRef:
        return self._made.ref(self._items[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class _Calls(Mapping[str, StepRef]):
    """Operation -> the reference of its first record."""

    def __init__(self, refs: _Refs, names: Mapping[str, str]) -> None:
        self._refs = refs
        self._names = names

    def __getitem__(self, name: str) -> StepRef:
        return self._refs[self._names[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _speaks(verdict: Verdict) -> bool:
    return verdict.witness is not None and any(m.sort != "record" for m in verdict.witness)


@cache
def _in_order(possible: frozenset[Outcome]) -> tuple[Outcome, ...]:
    return tuple(sorted(possible, key=_OUTCOMES.__getitem__))


def crossing_of(case: Case, result: Result) -> tuple[StepRef, Sought] | None:
    """The crossing step of a supported verdict and the amounts before it, where the kind names them."""
    if case.verdict.status is not Status.SUPPORTED:
        return None
    notes = {note.code: note for note in case.verdict.notes}
    crossing, counted = notes.get("crossing"), notes.get("headline")
    step = next((ref for note in result.notes if note.code == "crossing" for ref in note.steps), None)
    if crossing is None or counted is None or step is None:
        return None
    items = {placed.record.id: placed for placed in case.items}
    last = items.get(crossing.records[0])
    if last is None:
        return None
    earlier: list[tuple[Decimal, StepRef]] = []
    for name in counted.records:
        placed = items.get(name)
        amount = None if placed is None else placed.record.fields.get("amount")
        if placed is not None and placed.at < last.at and isinstance(amount, (Decimal, int)) and isinstance(placed.item, (Bound, Held)):
            earlier.append((Decimal(amount), ref_of(placed.item, redact=True)))
    key = next((value for name, value in case.instance.items() if name not in ("trace", case.contract.period)), "")
    own = last.record.fields.get("amount")
    sought = sought_in(earlier, key, Decimal(own) if isinstance(own, (Decimal, int)) else None)
    return None if sought is None else (step, sought)


def with_known(result: Result, words: tuple[str, ...]) -> Result:
    """The result with what the actor of its crossing step had been given."""
    if not words:
        return result

    def with_words(refs: Iterable[StepRef]) -> tuple[StepRef, ...]:
        return tuple(msgspec.structs.replace(ref, known_before=words) for ref in refs)

    witness = tuple(with_words((ref,))[0] if "crossing" in ref.marks else ref for ref in result.witness or ())
    notes = tuple(msgspec.structs.replace(note, steps=with_words(note.steps)) if note.code == "crossing" else note for note in result.notes)
    return msgspec.structs.replace(result, witness=witness, notes=notes)
