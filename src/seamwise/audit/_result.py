"""What an audit says: one result an instance, and a summary; plain records that are written, read again and rendered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from seamwise.kernel import Confirmation, Outcome, Status

RESULT_VERSION = 1


class StepRef(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step of a trace, with as much of it as a person needs to recognise it."""

    trace: str
    step: str
    """The step's id in its trace."""
    index: int
    """Its position in its trace, from 1, as `#12`."""
    kind: str
    actor: str | None = None
    recipients: tuple[str, ...] | None = None
    tool: str | None = None
    call: str | None = None
    time_ns: int | None = None
    fields: dict[str, Any] = {}
    """The bound fields that the contract read, amounts and times as text."""
    text: str | None = None
    """The step's words, cut to a few hundred characters, redacted unless asked otherwise."""
    marks: tuple[str, ...] = ()
    """What it is in the story: ``crossing``, ``anomaly``, ``interception`` ..."""
    known_before: tuple[str, ...] = ()
    """For the crossing step: what its actor had been given, each with the step that shows it, in words."""


class ClaimRef(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A claim or a context entry in a witness."""

    name: str
    """``claim:ledger/c1``, ``context:rights/edit_liability``."""
    words: str
    by: str = ""
    basis: str = ""


class GapRef(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One smallest set of missing things."""

    sort: Literal["resolves", "may_resolve", "judgement"]
    needs: tuple[str, ...]
    """In words a person can act on, naming trace and step."""
    steps: tuple[StepRef, ...] = ()
    """The steps that they are about."""
    wants: tuple[str, ...] = ()
    """The same without the instance: ``ending #0``, ``field amount #0``, ``route ledger``, ``context rights``; ``#0`` is the first of the
    steps. Equal wants of many instances are met by one change of what is recorded."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a contract comes from."""

    doc: str = ""
    quote: str = ""


class Statement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A statement of the user that a verdict leans on."""

    name: str
    words: str
    by: str = "user"
    because: str = ""


class NoteRef(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What else the records show."""

    code: str
    words: str
    steps: tuple[StepRef, ...] = ()


class LedgerLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One contribution to a key's sum."""

    step: StepRef
    total: str
    """The sum after it."""
    amount: str | None = None
    """What it adds; negative: takes back; None: not recorded."""
    counts: bool | None = None
    """Whether it is in the sum; None: how it ended, or its amount, is not recorded."""


class Ledger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The running sum of a key against its limit, over the recorded contributions in the order of the records."""

    limit: str
    unit: str = ""
    lines: tuple[LedgerLine, ...] = ()
    skipped: int = 0
    """Contributions before the first of these lines that are not told; the sums hold them."""


class Given(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that an agent had been given."""

    index: int
    """The step that gave it, from 1."""
    kind: str
    """``message``, ``tool_result``, ``delivery``; within a model's input the role: ``system``, ``user``, ``assistant``, ``tool``."""
    source: str = ""
    """Who or what it came from, as far as recorded."""
    text: str = ""
    """Its words, cut and masked as those of steps are."""


class Inbox(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was in an agent's input when it took a step: its last recorded model input, and what reached it after that."""

    trace: str
    index: int
    """The step, from 1."""
    actor: str
    items: tuple[Given, ...] = ()
    skipped: int = 0
    """Earlier things that are not told."""
    whole: bool = False
    """Whether the recording says of that model input that it is complete."""


class Accepted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """That somebody accepted a finding."""

    reason: str
    until: str
    """The last day on which it is accepted: ``2027-01-31``."""


class Fresh(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How CI reads an audit: what is new."""

    baseline: str = ""
    """The file of accepted findings; empty: there is none."""
    new: dict[str, int] = {}
    """Status -> how many findings nobody accepted."""
    n_accepted: int = 0
    n_unmet: int = 0
    """Accepted findings that no result has any more."""
    expired: tuple[str, ...] = ()
    """Entries whose day is over, in words."""
    worst: Status = Status.NOT_APPLICABLE
    """The most severe status of the new findings that fail a run."""


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="result", tag_field="type"):
    """The verdict on one instance of one contract."""

    contract: str
    kind: str
    instance: dict[str, str]
    """What it is anchored at, in order: ``{"customer": "c17", "quarter": "2026-Q1"}``, ``{"trace": ..., "sign_off": ...}``."""
    status: Status
    possible: tuple[Outcome, ...] = ()
    headline: str = ""
    """One line: ``65.00 of 40.00 by 5 agents, each within 20.00``."""
    risk: str | None = None
    policy: Policy | None = None
    required: bool = True
    """Whether an undecided instance of this contract counts for the exit code."""
    witness: tuple[StepRef, ...] | None = None
    """The steps of the witness, in their known order."""
    claims: tuple[ClaimRef, ...] = ()
    """Claims and context entries of the witness."""
    order: tuple[str, ...] = ()
    """Whose word the order is."""
    gaps: tuple[GapRef, ...] = ()
    reason: str | None = None
    clashes: tuple[NoteRef, ...] = ()
    weightless: tuple[StepRef, ...] = ()
    leaning_on: tuple[Statement, ...] = ()
    without: Status | None = None
    """The status without those statements."""
    dropped: tuple[str, ...] = ()
    notes: tuple[NoteRef, ...] = ()
    confirmed: Confirmation | None = None
    """Whether the definition alone confirmed the witness of a violation."""
    evidence_steps: int = 0
    """How many records the instance read."""
    accepted: Accepted | None = None
    """Where a baseline accepts it."""
    ledger: Ledger | None = None
    """Of a key whose sum is judged, and not clear: the sum over its contributions."""
    inbox: Inbox | None = None
    """Of a supported verdict with a crossing step, where the traces were looked at again: what its agent had been given."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """A step of a scene: as much as a picture of the run needs. Steps without bearing on a verdict have no other place in results."""

    kind: str
    actor: str | None = None
    recipients: tuple[str, ...] | None = None
    tool: str | None = None
    call: str | None = None
    time_ns: int | None = None
    text: str | None = None


class Scene(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="scene", tag_field="type"):
    """All steps of a trace that a verdict cites, in the order of the recording; stands after the results of a result file."""

    trace: str
    steps: tuple[Seen, ...]


class ReadError(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that could not be read; it never stops the rest."""

    where: str
    message: str
    hint: str | None = None


class Disagreement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a system of record and the traces do not say alike."""

    sort: Literal["differs", "row_only", "traced_only", "key"]
    """A row and its call differ; a row is in no trace; a call that took effect is in no row; the two have other sums for a key."""
    words: str
    steps: tuple[StepRef, ...] = ()
    """The row, and the step."""


class TableTold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stream that reads systems of record, compared with what the traces say."""

    stream: str
    tables: tuple[dict[str, Any], ...]
    """Each with its name, its place and its number of rows."""
    taken: int
    """Records that its rows make."""
    traced: int = 0
    """Operations that the traces tell of."""
    same_as: str | None = None
    """The field that names an operation in both; without it they cannot be matched one by one."""
    matched: int = 0
    differing: int = 0
    """Of the matched ones, those that differ."""
    row_only: int = 0
    traced_only: int = 0
    open: int = 0
    """Traced calls in no row of which nobody recorded how they ended."""
    unnamed: int = 0
    """Traced operations whose name was not recorded: whether they are in the table nobody knows, and they have no weight."""
    keys: int = 0
    """Keys for which the two have other sums."""
    complete: bool = False
    """Whether its rows count as all that there is."""
    refuted: bool = False
    """Whether they were said to be all, and a trace shows that they are not."""
    disagreements: tuple[Disagreement, ...] = ()
    """The first of each sort."""


class Summary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="summary", tag_field="type"):
    """What was read and how the verdicts fall; the first line of a result file."""

    result_version: int = RESULT_VERSION
    seamwise: str = ""
    n_files: int = 0
    n_traces: int = 0
    n_steps: int = 0
    contracts: dict[str, dict[str, int]] = {}
    """Contract -> status -> number of instances, contracts in the pack's order; a contract without instances is there with none."""
    worst: Status = Status.NOT_APPLICABLE
    worst_required: Status = Status.NOT_APPLICABLE
    """The most severe status of required contracts."""
    reads: tuple[dict[str, Any], ...] = ()
    """Import reports, one a file."""
    errors: tuple[ReadError, ...] = ()
    tables: tuple[TableTold, ...] = ()
    """Systems of record, and how they agree with the traces; one a stream."""
    remarks: tuple[str, ...] = ()
    """What of the page and the recordings does not go together, a sentence each; it changes no verdict and no exit code."""
    masked: dict[str, int] = {}
    """What is masked in the results: kind of secret -> how many masks."""
    whole: bool = False
    """Whether recorded words stand as they were recorded, unmasked, since somebody asked for it."""
    fresh: Fresh | None = None
    """Where CI reads it: what is new; the exit code goes by that."""
    n_scenes: int = 0
    """Traces of which all steps are told, as scenes after the results."""
    n_unseen: int = 0
    """Traces that a verdict which is not clear cites and of which, as they would be too many steps, only the cited ones are told."""
    binding: dict[str, Any] = {}
    """Stream -> how many records were bound, how many matched a rule without yielding its fields."""


class Pictured(NamedTuple):
    """An audit with the scenes of the traces that its open verdicts cite: all that a result file holds."""

    summary: Summary
    results: Sequence[Result]
    scenes: tuple[Scene, ...]
