"""Episodes in cohorts (a world and an arm), and how one measure is read off an episode: yes, no, a number, or nothing known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from seamwise.study.analysis._worlds import About, about_world
from seamwise.worlds import MEASURED, Episode

Flag = Callable[[Episode], bool | None]


class Cohort(NamedTuple):
    """The valid episodes of one world in one arm."""

    about: About
    arm: str
    episodes: tuple[Episode, ...]
    """Eligible ones: there was an opportunity to fail, and the guarded action was not the right one."""
    controls: tuple[Episode, ...]
    """Legitimate instances, in which the guarded action is right."""
    without: tuple[Episode, ...]
    """Episodes without an opportunity."""

    @property
    def label(self) -> str:
        """Code of the risk, and the arm where it is not the main one."""
        return self.about.code if self.arm == "main" else f"{self.about.code} {self.arm}"

    @property
    def synthetic(self) -> bool:
        """Whether a script spoke in any of them."""
        return any(e.synthetic for e in (*self.episodes, *self.controls, *self.without))

    @property
    def conditions(self) -> list[str]:
        """Those that occur, in the world's order."""
        return ordered((e.cell.condition for e in self.episodes), self.about.conditions)

    @property
    def crosses(self) -> Mapping[str, Mapping[str, str]]:
        """What the conditions of this arm cross -> condition -> level."""
        return self.about.crosses.get(self.arm, {})

    @property
    def models(self) -> list[str]:
        """Those that occur, sorted."""
        return sorted({e.cell.model for e in self.episodes})

    def under(self, condition: str) -> list[Episode]:
        """The eligible episodes of a condition."""
        return [e for e in self.episodes if e.cell.condition == condition]

    def grouped(self) -> list[tuple[str, list[Episode]]]:
        """Every condition with its episodes, and ``all`` of them where there is more than one."""
        groups = [(c, self.under(c)) for c in self.conditions]
        return groups if len(groups) < 2 else [*groups, ("all", list(self.episodes))]


def cohorts(episodes: Iterable[Episode]) -> list[Cohort]:
    """Worlds by the code of their risk, the main arm first."""
    groups: dict[tuple[str, str], list[Episode]] = {}
    for episode in episodes:
        if episode.status == "valid" and episode.outcome is not None:
            groups.setdefault((episode.cell.world, episode.cell.arm), []).append(episode)
    made = []
    for (world, arm), members in groups.items():
        without = [e for e in members if measurement(e, "opportunity") is False and not e.legitimate]
        controls = [e for e in members if e.legitimate]
        eligible = [e for e in members if measurement(e, "opportunity") is not False and not e.legitimate]
        made.append(Cohort(about_world(world), arm, tuple(eligible), tuple(controls), tuple(without)))
    return sorted(made, key=lambda c: (c.about.code, c.about.name, c.arm != "main", c.arm))


def ordered(values: Iterable[str], order: Sequence[str]) -> list[str]:
    """Each value once: those of the order in it, then the others sorted."""
    seen = set(values)
    return [v for v in order if v in seen] + sorted(seen - set(order))


def measurement(episode: Episode, name: str) -> bool | None:
    """One of the five three-valued measurements."""
    value = getattr(episode.outcome, name).value if episode.outcome is not None else None
    return value if isinstance(value, bool) else None


def endpoint(episode: Episode, name: str) -> Any:
    """An endpoint as it stands; None: unassessed, or this world has none of that name."""
    return episode.outcome.endpoints.get(name) if episode.outcome is not None else None


def flag(episode: Episode, name: str) -> bool | None:
    """A measurement or a boolean endpoint."""
    if name in MEASURED:
        return measurement(episode, name)
    value = endpoint(episode, name)
    return value if isinstance(value, bool) else None


def number(episode: Episode, name: str) -> float | None:
    """A number among the endpoints, or ``utility``."""
    value = episode.outcome.utility if name == "utility" and episode.outcome is not None else endpoint(episode, name)
    return as_number(value)


def as_number(value: object) -> float | None:
    """The value where it is a finite number; a truth value is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) else None


def word(episode: Episode, name: str) -> str | None:
    """A word among the endpoints."""
    value = endpoint(episode, name)
    return value if isinstance(value, str) else None


def mapping(value: object) -> Mapping[str, Any]:
    """The value where it is a mapping, else an empty one: what was damaged by hand is unassessed."""
    return value if isinstance(value, Mapping) else {}


def names_of(episodes: Iterable[Episode], kind: type) -> list[str]:
    """Names of endpoints whose values are all of a kind (bool, float, str) where they are not None; sorted."""
    kinds: dict[str, set[type]] = {}
    for episode in episodes:
        for name, value in (episode.outcome.endpoints if episode.outcome is not None else {}).items():
            found = kinds.setdefault(name, set())
            if value is not None:
                found.add(bool if isinstance(value, bool) else float if isinstance(value, int | float) else type(value))
    return sorted(name for name, found in kinds.items() if found == {kind})


def unknown_names(episodes: Iterable[Episode]) -> list[str]:
    """Endpoints that are unassessed in every episode."""
    members = list(episodes)
    known = {n for kind in (bool, float, str, dict, list) for n in names_of(members, kind)}
    return sorted(
        {n for e in members if e.outcome for n, v in e.outcome.endpoints.items() if v is None}
        - known
        - {n for e in members if e.outcome for n, v in e.outcome.endpoints.items() if v is not None}
    )


def both(first: bool | None, second: bool | None) -> bool | None:
    """Three-valued and."""
    if first is False or second is False:
        return False
    return None if first is None or second is None else True


def table_name(cohort: Cohort, what: str) -> str:
    """Of a table of one cohort: ``a1_crossing``, ``b1_factorial_evidence``."""
    return f"{re.sub(r'[^a-z0-9]+', '_', cohort.label.lower())}_{what}"
