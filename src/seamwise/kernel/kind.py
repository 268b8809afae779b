"""What a contract kind is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from seamwise.kernel.evidence import Evidence, Record
from seamwise.kernel.execution import Execution
from seamwise.kernel.operation import Op
from seamwise.kernel.outcome import Outcome
from seamwise.kernel.spec import Spec
from seamwise.kernel.view import View

P = TypeVar("P", bound=msgspec.Struct)


class BeyondFragmentError(Exception):
    """The evidence is outside what the kind's monitor decides exactly; the verdict is unknown for this reason.

    Args:
        reason: What of the evidence is outside, in words.
    """


class Assumption(msgspec.Struct, frozen=True, kw_only=True):
    """Something the user states and a verdict leans on."""

    name: str
    """``reversals: none``."""
    words: str
    """What is assumed, in a sentence."""
    by: str = "user"
    """Whose statement; ``case``: a ground rule of the kind (tools do not change unless a record says so)."""
    because: str = ""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something the records show beside the verdict: an isolated violation, an anomaly, an interception, a loss of information."""

    code: str
    """``isolated_violation``, ``anomaly``, ``interception``, ``information_loss``, ``path``, ``crossing`` ..."""
    records: tuple[str, ...] = ()
    """The records it is read off."""
    words: str = ""


class Anchor(msgspec.Struct, frozen=True, kw_only=True):
    """What an instance of a contract is anchored at, for those who find instances in a corpus."""

    by: Literal["record", "key", "trace"]
    """Each record of a kind (a decision, a sign-off), each key of a stream (a customer), or each trace."""
    kind: str = ""
    """The record kind of the anchors."""
    stream: str = ""
    """The stream that holds the anchors, or whose keys they are, unless the contract names another."""
    field: str = ""
    """The field that holds the anchor's identity; empty: the record's own id."""
    param: str = ""
    """The parameter that the identity goes into."""
    join: tuple[str, ...] = ()
    """Fields that evidence shares with its anchor: a record that has another value there belongs to another instance."""


class Sum(NamedTuple):
    """One operation of a key that is summed, and the sum after it."""

    record: str
    """The id of its first record."""
    amount: Decimal | None
    """What it adds; negative: takes back; None: not recorded."""
    counts: bool | None
    """Whether it is in the sum; None: open."""
    total: Decimal
    """The sum after it."""


class Sums(NamedTuple):
    """The sums of a key, and what they may reach."""

    limit: Decimal
    unit: str
    lines: tuple[Sum, ...]


_BY_TRACE = Anchor(by="trace")


def _no_assumptions(_: Any) -> tuple[Assumption, ...]:
    return ()


def _no_notes(*_: Any) -> list[Note]:
    return []


def _same(params: Any) -> Any:
    return params


def _as_given(params: Any, _: Any) -> Any:
    return params


def _not_refuted(*_: Any) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[P]):
    """A contract kind: the definition, the evidence it needs, and a fast way to the same answer.

    ``outcome`` is *the* definition. ``spec`` and ``outcome`` alone make the enumerator and the verifier; ``possible`` is the monitor's
    way and the only other implementation. The laws hold the two together.
    """

    name: str
    doc: str
    """The kind's explanation, for people."""
    params: type[P]
    """Parameters of an instance; the type validates them."""
    outcome: Callable[[Execution, P], Outcome]
    """p: what one complete execution is."""
    spec: Callable[[P, Evidence], Spec]
    """What the instance reads."""
    possible: Callable[[View, P], frozenset[Outcome]]
    """The outcomes over all completions. Contradictions go into ``view.clashes``.

    Raises BeyondFragmentError outside the declared fragment.
    """
    opaque: frozenset[str] = frozenset()
    """Fields whose text values the kind compares by equality only (with one another and with parameters), ``t`` among them where it reads
    no periods; instances that differ in such names alone have one shape."""
    blurred: Callable[[Sequence[Record], P], Sequence[Mapping[str, Any]]] | None = None
    """What the kind tells apart of records: for each of them its fields, without those that are not read, and with equal values where
    values lead to one verdict. Of records that share an operation all fields are told apart, whatever it says. It is asked only where the
    verdict rules out and nothing is noted besides; with ``headline`` that note is written for each instance. None: all are told apart."""
    headline: Callable[[Sequence[Record], P], str] | None = None
    """The words of the note ``headline`` of such a verdict, which may name what ``blurred`` does not tell apart."""
    anchor: Anchor = _BY_TRACE
    """What an instance is anchored at."""
    fragment: str = "order total or chains per source; claims nested or disjoint"
    """What evidence the monitor decides exactly."""
    memory: str = "the records of the open instance"
    """What a live instance holds."""
    assumptions: Callable[[P], tuple[Assumption, ...]] = _no_assumptions
    """The user's statements among the parameters."""
    relaxed: Callable[[P], P] = _same
    """The parameters without those statements."""
    refuted: Callable[[View, P], tuple[str, ...]] = _not_refuted
    """Ids of records that refute an assumption."""
    infer: Callable[[P, Evidence], P] = _as_given
    """Parameters that a case leaves out where its evidence leaves no choice (whose ledger it is); for cases, not for corpora."""
    notes: Callable[[View, P, Any], list[Note]] = _no_notes
    sums: Callable[[Sequence[Op], P], Sums] | None = None
    """Where the kind sums something up: the running sums over an instance's operations, for people."""
    """What else the records show, given the verdict."""
