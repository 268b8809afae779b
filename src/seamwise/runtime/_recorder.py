"""The one recorder: what happens in a world, as native steps with honest claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from seamwise.record import After, Claim, Clock, Header, Organization, Ref, Status, Step, Trace
from seamwise.runtime._clock import SimulatedClock


class Recorder:
    """Writes steps in the order in which they happen.

    It sees everything that the runtime does, so that it may say of each of its streams how many operations that stream holds. Streams in
    which nothing happened are declared beforehand (`declare`) and claimed with zero. It never says that a stream is the only route: that is
    for the policy to state.

    Args:
        trace: Id of the trace.
        clock: Gives each step its moment.
    """

    def __init__(self, trace: str, clock: SimulatedClock) -> None:
        self.trace_id = trace
        self.clock = clock
        self.steps: list[Step] = []
        self._operations: dict[str, set[str]] = {}
        self._calls = 0

    def declare(self, *streams: str) -> None:
        """Name streams that exist whether or not anything is written to them."""
        for stream in streams:
            self._operations.setdefault(stream, set())

    def new_call(self) -> str:
        """An id for a call; a call and its ending share it."""
        self._calls += 1
        return f"c{self._calls}"

    def add(
        self,
        kind: str,
        *,
        actor: str | None = None,
        recipients: Iterable[str] | None = None,
        channel: str | None = None,
        tool: str | None = None,
        call: str | None = None,
        status: Status | None = None,
        text: str | None = None,
        data: Mapping[str, Any] | None = None,
        refs: Iterable[Ref] = (),
        streams: Iterable[str] = (),
        source: str | None = None,
        after: str | None = None,
    ) -> str:
        """Write one step and give back its id (``s1``, ``s2`` ...). Fields are those of `seamwise.record.Step`.

        A step of another ``source`` than the runtime itself (a judge's word) stands outside the runtime's own order; ``after`` names the
        step that it is known to follow.
        """
        number = len(self.steps) + 1
        step = Step(
            id=f"s{number}",
            kind=kind,
            actor=actor,
            recipients=None if recipients is None else tuple(recipients),
            channel=channel,
            tool=tool,
            call=call,
            status=status,
            text=text,
            data=None if data is None else dict(data),
            refs=tuple(refs),
            streams=tuple(streams),
            time_ns=self.clock.time_ns if source is None else None,
            seq=number if source is None else None,
            order=() if after is None else (After(step=after, basis="message"),),
            source=source,
        )
        self.steps.append(step)
        for stream in step.streams:
            self._operations.setdefault(stream, set()).add(call or step.id)
        return step.id

    def trace(self, organization: Organization, origin: Mapping[str, Any]) -> Trace:
        """All of it, with a counted recording claim for each stream."""
        claims = tuple(
            Claim(sort="recording", stream=stream, count=len(operations), by="source", basis="the runtime writes each operation itself")
            for stream, operations in sorted(self._operations.items())
        )
        clocks = {"": Clock(skew_ns=0, basis="one simulated clock", reach="trace")}
        header = Header(id=self.trace_id, organization=organization, claims=claims, clocks=clocks, origin=dict(origin))
        return Trace(header=header, steps=tuple(self.steps))
