"""Time as a world has it: it stands still until something takes time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class SimulatedClock:
    """A clock that only moves when it is told to.

    Args:
        start: The first moment, with its time zone.
    """

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError("a simulated clock begins at a moment with a time zone")
        self.start = start.astimezone(UTC)
        self.now = self.start

    def advance(self, minutes: float) -> None:
        """Let time pass. Minutes are never negative: no clock of ours runs back."""
        if minutes < 0:
            raise ValueError(f"expected minutes of zero or more, got {minutes}")
        self.now += timedelta(minutes=minutes)

    def jump_to(self, moment: datetime) -> None:
        """Go on to a later moment; an earlier one is refused."""
        if moment < self.now:
            raise ValueError(f"expected a moment not before {self.now.isoformat()}, got {moment.isoformat()}")
        self.now = moment.astimezone(UTC)

    @property
    def minutes(self) -> float:
        """Minutes since the start."""
        return (self.now - self.start).total_seconds() / 60

    @property
    def time_ns(self) -> int:
        """The moment in Unix nanoseconds UTC, exact."""
        since = self.now - datetime(1970, 1, 1, tzinfo=UTC)
        return ((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000
