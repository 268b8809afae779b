"""The definition of ``state_kept``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from seamwise.kernel import Done, Execution, Outcome, stream_covers


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One object that several agents write and read, and the item of it that matters."""

    object: str
    """What the states are states of."""
    item: str | None = None
    """The item that is to be kept; None: only reads are judged."""
    states: str | None = None
    """The stream of writes and reads; None: ``state/<object>``."""
    licences: str | None = None
    """The stream of licences to change an item; None: ``licences/<object>``."""
    removal: str = "absent"
    """What a licence's ``to`` says where it licenses the removal of its item."""

    def __post_init__(self) -> None:
        if self.state_stream == self.licence_stream:
            raise ValueError(f"expected two streams, got `{self.state_stream}` for states and licences alike")

    @property
    def state_stream(self) -> str:
        """Where writes and reads are recorded."""
        return f"state/{self.object}" if self.states is None else self.states

    @property
    def licence_stream(self) -> str:
        """Where licences are recorded."""
        return f"licences/{self.object}" if self.licences is None else self.licences


def outcome(run: Execution, params: Params) -> Outcome:
    """A read returns what was written last, and what a state held the next one holds unchanged, or a licence lies between."""
    last: Done | None = None
    licensed: list[Any] = []
    for op in run:
        if op.get("status") != "ok":
            continue
        if stream_covers(params.licence_stream, op.stream):
            if op["item"] == params.item:
                licensed.append(op["to"])
        elif stream_covers(params.state_stream, op.stream) and op["access"] == "read":
            # versions rise with every write, so another than the last write's is a lower one
            if last is not None and op["version"] != last["version"]:
                return Outcome.VIOLATED
        elif stream_covers(params.state_stream, op.stream):
            if params.item is not None and last is not None and not kept(params.item, last["items"], op["items"], licensed, params.removal):
                return Outcome.VIOLATED
            last, licensed = op, []
    return Outcome.KEPT


def kept(item: str, before: Mapping[str, Any], after: Mapping[str, Any], licensed: list[Any], removal: str) -> bool:
    """Whether an item is as it was, or what became of it was licensed since."""
    if item not in before:
        return True
    if item in after and after[item] == before[item]:
        return True
    return after.get(item, removal) in licensed
