"""Steps as results name them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

import msgspec

from seamwise.audit._items import Placed
from seamwise.audit._redact import SHORT, SMALL, field_of, words_of
from seamwise.audit._result import StepRef
from seamwise.binding import ROW, Bound
from seamwise.kernel import Record
from seamwise.record import Step, names_secret

S = TypeVar("S", bound=msgspec.Struct)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StepRef).decode
_APART = frozenset({"actor", "recipients", "t", "text"})
"""Fields that have a place of their own in a reference."""


class Held(NamedTuple):
    """A record of an instance that lives across traces, with all that is told of its step; the trace itself is let go."""

    record: Record
    told: StepRef | bytes
    """The reference to its step; as it is kept on disk, where it was read back."""
    place: int

    @property
    def ref(self) -> StepRef:
        """The reference to its step."""
        return unpacked(self.told) if isinstance(self.told, bytes) else self.told

    @property
    def packed(self) -> bytes:
        """The reference as it is kept on disk."""
        return self.told if isinstance(self.told, bytes) else packed(self.told)


def packed(ref: StepRef) -> bytes:
    """A reference as it is written, where it can be written at all."""
    try:
        return _encode(ref)
    except (ValueError, TypeError):  # what UTF-8 cannot hold
        return pickle.dumps(ref, protocol=5)


def unpacked(content: bytes) -> StepRef:
    """The reference that was packed."""
    if is_line(content):
        return _decode(content)
    ref = pickle.loads(content)
    assert isinstance(ref, StepRef)
    return ref


def is_line(content: bytes) -> bool:
    """Whether a packed reference is one as it is written."""
    return content.startswith(b"{")


def held(bound: Bound, *, redact: bool) -> Held:
    """The record with its reference."""
    return Held(bound.record, ref_of(bound, redact=redact), bound.place)


class Made:
    """References to the steps of a scope, each made once.

    Args:
        redact: Whether texts are cut and masked.
    """

    def __init__(self, *, redact: bool) -> None:
        self._redact = redact
        self._refs: dict[int, StepRef] = {}
        self._lines: dict[int, bytes] = {}

    def ref(self, placed: Placed) -> StepRef:
        """The reference to a record's step."""
        ref = self._refs.get(placed.at)
        if ref is None:
            item = placed.item
            assert isinstance(item, (Bound, Held))
            ref = self._refs[placed.at] = ref_of(item, redact=self._redact)
        return ref

    def line(self, placed: Placed) -> bytes:
        """The reference as it is written.

        Raises:
            UnicodeEncodeError: It holds what UTF-8 cannot.
        """
        line = self._lines.get(placed.at)
        if line is None:
            item = placed.item
            if isinstance(item, Held) and isinstance(item.told, bytes) and is_line(item.told):
                return item.told
            line = self._lines[placed.at] = _encode(self.ref(placed))
        return line


def ref_of(item: Bound | Held, *, redact: bool) -> StepRef:
    """The reference to an item's step."""
    if isinstance(item, Held):
        return item.ref
    record, place, step, opening = item
    actor, recipients = record.fields.get("actor"), record.fields.get("recipients")
    return StepRef(
        trace=record.trace or "",
        step=step.id,
        index=place + 1,
        kind=step.kind,
        actor=actor if isinstance(actor, str) else None,
        recipients=recipients if isinstance(recipients, tuple) else None,
        tool=step.tool if step.tool is not None or opening is None else opening.tool,
        call=step.call,
        time_ns=t if type(t := record.fields.get("t")) is int else step.time_ns,
        fields={
            name: value
            if (kind := type(value)) is bool
            or (kind is int and -SMALL < value < SMALL)
            or (kind is str and len(value) < SHORT and not names_secret(name))
            else field_of(plain(value), redact=redact, name=name)
            for name, value in record.fields.items()
            if name not in _APART
        },
        text=words_of(spoken(step, opening), redact=redact),
    )


def step_ref(trace: str, place: int, step: Step, *, redact: bool) -> StepRef:
    """The reference to a step that no rule took."""
    return StepRef(
        trace=trace,
        step=step.id,
        index=place + 1,
        kind=step.kind,
        actor=step.actor,
        recipients=step.recipients,
        tool=step.tool,
        call=step.call,
        time_ns=step.time_ns,
        text=words_of(step.text, redact=redact),
    )


def spoken(step: Step, opening: Step | None) -> str | None:
    """What a step says; of a call, what it was asked and what it answered."""
    caller = opening if opening is not None else step if step.kind == "tool_call" else None
    asked = None if caller is None or caller.data is None else caller.data.get("arguments")
    if asked is None:
        return step.text
    shown = asked if isinstance(asked, str) else as_json(asked)
    return shown if step is caller or step.text is None else f"{shown} -> {step.text}"


def as_json(value: Any) -> str:
    """A recorded value as compact JSON; what UTF-8 cannot hold as escapes."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A field's value as JSON holds it; exact numbers as text."""
    kind = type(value)
    if kind is str or kind is int or kind is bool:
        return value
    if isinstance(value, Decimal):
        return format(value, "f") if abs(value.adjusted()) < 40 else str(value)
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (str, int, bool, float)) or value is None:
        return value
    return str(value)


def writable(told: S) -> S:
    """The struct, with what UTF-8 cannot hold replaced in its texts."""
    try:
        _encode(told)
    except UnicodeEncodeError:
        return msgspec.convert(_scrubbed(msgspec.to_builtins(told)), type(told))
    return told


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_scrubbed(name): _scrubbed(item) for name, item in value.items()}
    return [_scrubbed(item) for item in value] if isinstance(value, (list, tuple)) else value


def told(ref: StepRef) -> str:
    """``trace monday #16, billing, issue_credit``: the id whole, as only whoever shows it knows which others it has to be told from.

    A row of a table is told by its place: ``payments.csv:14``.
    """
    if ref.kind == ROW and ref.trace.startswith("table:"):
        return f"{ref.step}, {ref.actor}" if ref.actor else ref.step
    parts = [f"trace {ref.trace} #{ref.index}", ref.actor or "", ref.tool or ref.kind]
    return ", ".join(part for part in parts if part)


def moment(ns: int) -> str:
    """A moment in words, UTC."""
    try:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=ns // 1000)
    except OverflowError:
        return f"{ns} ns"
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def marked(ref: StepRef, *marks: str) -> StepRef:
    """The reference with these marks besides its own."""
    return msgspec.structs.replace(ref, marks=tuple(dict.fromkeys((*ref.marks, *marks))))
