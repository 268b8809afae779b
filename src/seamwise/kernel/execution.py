"""Complete executions: what a contract's predicate is defined on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seamwise.kernel.evidence import stream_covers


class Done:
    """One operation of a complete execution: every field that the contract reads has its value."""

    __slots__ = ("_fields", "beside", "ids", "kind", "stream", "streams")

    def __init__(
        self,
        ids: tuple[str, ...],
        kind: str,
        stream: str,
        fields: Mapping[str, Any],
        *,
        beside: bool = False,
        also: tuple[str, ...] = (),
    ) -> None:
        self.ids = ids
        """The names it goes by; unrecorded operations have names of their own."""
        self.beside = beside
        """Whether it went by another route than the stream, so that the stream's count does not hold it."""
        self.kind = kind
        self.stream = stream
        """The stream of the contract that it is in, key and all."""
        self.streams = (stream, *(s for s in also if s != stream))
        """All streams that it is in."""
        self._fields = fields

    def __getitem__(self, field: str) -> Any:
        return self._fields[field]

    def is_in(self, stream: str) -> bool:
        """Whether it is in a stream or below it."""
        return any(stream_covers(stream, s) for s in self.streams)

    @property
    def id(self) -> str:
        """The first of its names."""
        return self.ids[0]

    def get(self, field: str, default: Any = None) -> Any:
        """The field's value, or the default where the operation has no such field."""
        return self._fields.get(field, default)

    def __repr__(self) -> str:
        return f"{'+'.join(self.ids)}:{self.kind}@{self.stream}{dict(self._fields)}"


class Execution:
    """Operations in their total order, and the organization they happened in."""

    __slots__ = ("context", "ops")

    def __init__(self, ops: tuple[Done, ...], context: Mapping[str, Mapping[str, Any]]) -> None:
        self.ops = ops
        self.context = context
        """Part -> entry -> value; what is not there does not exist."""

    def __iter__(self) -> Iterator[Done]:
        return iter(self.ops)

    def of_kind(self, *kinds: str) -> list[Done]:
        """The operations of these kinds, in order."""
        return [op for op in self.ops if op.kind in kinds]

    def inside(self, stream: str) -> list[Done]:
        """The operations in a stream or below it, in order."""
        return [op for op in self.ops if op.is_in(stream)]

    def before(self, op: Done) -> list[Done]:
        """The operations before this one, in order."""
        return list(self.ops[: self.ops.index(op)])

    def first(self, **fields: Any) -> Done | None:
        """The first operation with these field values (``kind`` and ``id`` among them), or None."""
        for op in self.ops:
            if all((getattr(op, k) if k in ("kind", "id") else op.get(k)) == v for k, v in fields.items()):
                return op
        return None
