"""What acting costs, in minutes and in points of risk to one's own standing."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """One charge. ``minutes`` of simulated time, ``points`` of risk; ``visible_to`` names who sees it."""

    who: str
    what: str
    minutes: float
    points: float
    visible_to: tuple[str, ...] = ()


@dataclass
class CostLedger:
    """Charges in the order in which they arose."""

    entries: list[Entry] = field(default_factory=list)

    def charge(self, who: str, what: str, *, minutes: float = 0.0, points: float = 0.0, visible_to: tuple[str, ...] = ()) -> Entry:
        """Write down one charge and give it back."""
        entry = Entry(who, what, minutes, points, visible_to)
        self.entries.append(entry)
        return entry

    def minutes(self, who: str | None = None) -> float:
        """Minutes charged to somebody, or to all."""
        return sum(e.minutes for e in self.entries if who is None or e.who == who)

    def points(self, who: str | None = None) -> float:
        """Points charged to somebody, or to all."""
        return sum(e.points for e in self.entries if who is None or e.who == who)
