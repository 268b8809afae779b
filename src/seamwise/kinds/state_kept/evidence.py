"""What ``state_kept`` reads: writes and reads of one object, and licences to change an item of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise, product
from typing import Any, Literal, NamedTuple

from seamwise.kernel import Evidence, Execution, Op, Outcome, Slot, Spec, leaves_of, merge, stream_covers, took_effect
from seamwise.kinds.state_kept.p import Params

OTHER = "~"
"""Stands for any name or value that nothing mentions, and for any version that no read returned."""
UNRECORDED = "tool_result"
"""The kind of an unrecorded operation of the object: it may be a write or a read."""

Access = Literal["write", "read"]
Version = int | float


def access(op: Op) -> Access | None:
    """Whether a record is of a write (kind ``state``) or of a read; None: of either, unless the field ``access`` says."""
    if op.kind == "state":
        return "write"
    said = op.fields.get("access")
    return "read" if op.kind == "read" or said == "read" else "write" if said == "write" else None


def version_of(op: Op) -> Version | None:
    """The version that was written, or returned; None: not recorded, or nothing that can be compared."""
    version = op.fields.get("version")
    if isinstance(version, str):
        return int(version) if version.isdecimal() else None
    return version if isinstance(version, (int, float)) and not isinstance(version, bool) else None


class Absent:
    """The item is surely not in the state."""


def content(op: Op, item: str) -> Any:
    """What a state holds of the item: its value, ``Absent``, or None where the record does not say."""
    items = op.fields.get("items")
    if not isinstance(items, Mapping):
        return None
    if item in items:
        return plain(items[item])
    return Absent if op.fields.get("whole") is True else None


class Plain(NamedTuple):
    """A value that is no word or number, as something that can be looked up and is equal to nothing of another sort."""

    sort: str
    value: Any


def plain(value: Any) -> Any:
    """The value as something that can be looked up."""
    if isinstance(value, Plain):
        return value
    if isinstance(value, Mapping):
        return Plain("mapping", frozenset((k, plain(v)) for k, v in value.items()))
    if isinstance(value, (list, tuple)):
        return Plain("list", tuple(map(plain, value)))
    return Plain("flag", value) if isinstance(value, bool) else value


def licensed(op: Op) -> Any:
    """What a licence says that its item may become; None: not recorded."""
    to = op.fields.get("to")
    return None if to is None else plain(to)


def written(op: Op) -> Version | None:
    """The version of a write that surely took effect; None: of none, or not recorded."""
    return version_of(op) if access(op) == "write" and took_effect(op) else None


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one object."""
    ops = merge(evidence.weighty().records).ops
    stream = params.state_stream
    versions = sorted({v for op in ops if (v := version_of(op)) is not None})
    sure = {written(op) for op in ops if any(stream_covers(stream, s) for s in op.streams)}
    # versions that reads returned and that no recorded write surely has: some unrecorded one has them, or all writes are newer
    loose = sorted({v for op in ops if access(op) != "write" and (v := version_of(op)) is not None} - sure)
    below = (versions[0] if versions else 0) - 1
    values: list[Any] = []
    if params.item is not None:
        named = [v for op in ops if (v := content(op, params.item)) is not None and v is not Absent]
        named += [v for op in ops if (v := licensed(op)) is not None and v != params.removal]
        values = list(dict.fromkeys([*named, OTHER])) if named else [OTHER, OTHER * 2]
    recorded = sum(took_effect(op) is not False and any(stream_covers(stream, s) for s in op.streams) for op in ops)
    removals = sum(op.get("to") in (None, params.removal) for op in ops if "to" in op.fields or op.kind == "licence")
    slots = [
        Slot(
            name="states",
            kinds=frozenset(),
            stream=stream,
            leaves=leaves_of(stream, evidence),
            hidden_kind=UNRECORDED,
            # one for each version that must have been written, and one to violate or to let the item be removed; two where there is none
            hidden_max=min(4, len(loose) + max(1, removals if params.item is not None else 0, 2 - recorded)),
            closes={"items": "whole"},
            fill=partial(_states, params, versions, loose, below, values),
        )
    ]
    if params.item is not None:
        slots.append(
            Slot(
                name="licences",
                kinds=frozenset(),
                stream=params.licence_stream,
                leaves=leaves_of(params.licence_stream, evidence),
                hidden_kind="licence",
                hidden_max=max(1, min(3, recorded - 1)),
                fill=partial(_licences, params, values),
            )
        )
    outcomes = frozenset({Outcome.VIOLATED, Outcome.KEPT})
    return Spec(slots=tuple(slots), axioms=partial(versions_rise, params), outcomes=outcomes, apart=True, reads_actor=False)


def versions_rise(params: Params, run: Execution) -> bool:
    """Versions rise with every write and may skip; a read returns one that was written before it, or one older than all of them."""
    effective = [op for op in run.inside(params.state_stream) if op.get("status") == "ok"]
    numbers = [op["version"] for op in effective if op["access"] == "write" and op["version"] != OTHER]
    if any(a >= b for a, b in pairwise(numbers)):
        return False
    earlier: set[Any] = set()
    for op in effective:
        if op["access"] == "write":
            earlier.add(op["version"])
        elif op["version"] not in earlier and (op["version"] == OTHER or any(op["version"] >= n for n in numbers)):
            return False
    return True


def _states(
    params: Params, versions: list[Version], loose: list[Version], below: Version, values: list[Any], op: Op
) -> Iterator[dict[str, Any]]:
    which, version = access(op), version_of(op)
    unrecorded = op.ids == ("~",)
    done = True if unrecorded else took_effect(op)
    for way in ("write", "read") if which is None else (which,):
        if done is False:
            break
        state = {"status": "ok", "access": way}
        if way == "read":
            # of an unrecorded read only a stale one matters
            returned = (version,) if version is not None else (below,) if unrecorded else (*versions, OTHER, below)
            yield from (_with(params, {**state, "version": v}, {}) for v in returned)
            continue
        held = [None] if params.item is None else _contents(op, params.item, values)
        for v, items in product((version,) if version is not None else (*loose, OTHER), held):
            yield _with(params, {**state, "version": v}, items)
    if not done:
        yield _with(params, {"status": "failed", "access": which or "write", "version": OTHER if version is None else version}, {})


def _with(params: Params, state: dict[str, Any], items: dict[str, Any] | None) -> dict[str, Any]:
    return state if params.item is None else {**state, "items": items or {}}


def _contents(op: Op, item: str, values: list[Any]) -> list[dict[str, Any] | None]:
    held = content(op, item)
    if held is None:
        return [*({item: v} for v in values), {}]
    return [{} if held is Absent else {item: held}]


def _licences(params: Params, values: list[Any], op: Op) -> Iterator[dict[str, Any]]:
    done, item, to = took_effect(op), op.get("item"), licensed(op)
    ends = (to,) if to is not None else (*values, params.removal)
    for name in (params.item, OTHER) if item is None else (item,):
        if done is not False:
            # what another item may become is not read
            yield from ({"status": "ok", "item": name, "to": v} for v in (ends if name == params.item else ends[:1]))
    if not done:
        yield {"status": "failed", "item": params.item if item is None else item, "to": ends[0]}
