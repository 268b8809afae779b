"""One recorded event."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["ok", "failed", "timeout"]
"""How an operation ended. ``failed``: its source says nothing took effect. ``timeout``: the outcome is open. Absent: not recorded."""

OrderBasis = Literal["sequence", "parent", "message", "clock"]
"""Why one step is known to follow another: one writer's sequence, parent and child, send and receive, a clock with a stated skew."""

RefKind = Literal["answers", "derives_from", "part_of", "handoff_of", "duplicate_of"]


class Ref(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What a step points at inside its trace."""

    kind: RefKind
    """How it relates."""
    step: str
    """Id of the other step, in the same trace."""


class After(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A known precedence: this step follows another."""

    step: str
    """Id of the step that came before, in the same trace."""
    basis: OrderBasis
    """Why that is known; it stands in the witness of any verdict that leans on it."""


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One recorded event: a message, a tool call, its result, a state update, a delivery, a read, a handoff, an action, a receipt ...

    What was not recorded is absent (None), and absent never means "nobody", "nothing" or "zero".

    INVARIANT: ``data`` holds JSON values only (dict, list, str, int, finite float, bool, None), so a step is never part of a reference
    cycle. The garbage collector need not look at it, which halves the time of reading a corpus (``gc=False``). The native reader reports
    a field that is not named here; it is never dropped in silence.
    """

    id: str
    """Unique inside its trace."""
    kind: str
    """One of :data:`STEP_KINDS`, or a word of the importer's own."""
    actor: str | None = None
    """Who did it; None: not recorded."""
    recipients: tuple[str, ...] | None = None
    """Who it went to; None: not recorded; empty: recorded as nobody."""
    channel: str | None = None
    """By what way it went (a thread, an e-mail box, a queue); its stream when no other is named."""
    tool: str | None = None
    """The tool called or answering, for ``tool_call`` and ``tool_result``."""
    call: str | None = None
    """The call that this step belongs to: a call and its ending share it and are one operation."""
    status: Status | None = None
    """How the operation ended, where this step is or holds its ending."""
    text: str | None = None
    """What was said or returned, verbatim."""
    data: dict[str, Any] | None = None
    """Structured content: ``arguments``, ``result``, ``items`` ... as recorded."""
    refs: tuple[Ref, ...] = ()
    """What it answers or derives from."""
    streams: tuple[str, ...] = ()
    """Streams whose authoritative source wrote it."""
    time_ns: int | None = None
    """Moment in Unix nanoseconds UTC; None: not recorded."""
    seq: int | None = None
    """Position in the sequence of its ``source``; two steps of one source with positions are in that order."""
    order: tuple[After, ...] = ()
    """Other steps that it is known to follow."""
    source: str | None = None
    """Who wrote the record (a process, a service, an exporter); None: the trace's one recorder."""


STEP_KINDS: dict[str, str] = {
    "message": "something said by an actor to recipients",
    "input": "the complete or partial input of one model call or decision (data.items or data.messages; data.whole)",
    "delivery": "items placed in a receiver's input (data.items, data.for)",
    "model_call": "a language model was called",
    "model_result": "what the model returned",
    "tool_call": "a tool was called (tool, call, data.arguments)",
    "tool_result": "a tool answered (tool, call, status, data.result)",
    "agent_start": "an agent began a piece of work",
    "agent_end": "an agent finished it",
    "handoff": "control passed from the actor to the recipients",
    "state": "a version of a shared object (data.object, data.version, data.items, data.whole)",
    "read": "a version of a shared object was read",
    "licence": "a change to a shared object was allowed",
    "admission": "an item was accepted or rejected (data.item, data.accepted, data.weight, data.origin, data.verified)",
    "decision": "an actor decided (data.decision, data.value)",
    "action": "an action was submitted (data.payload)",
    "receipt": "a system answered an action (data.status, data.caller, data.payload)",
    "approval": "an authority gave its word (data.status, data.subject)",
    "check": "a check was performed (data.subject, data.version)",
    "sign_off": "an actor signed something off (data.sign_off, data.subject)",
    "edit": "an actor changed a document (data.action, data.subject, data.version)",
    "route": "work was assigned to a delegate (data.task, data.to)",
    "span": "a recorded interval of work that is none of the above",
    "note": "anything else that was recorded",
}
"""The kinds of step that Seamwise's own importers write, and what each is."""
