"""Other tracks: what further detectors and judges say of the same episodes, beside the primary one and never merged with it."""

from __future__ import annotations

from collections.abc import Sequence

from seamwise.study.analysis._cohorts import Cohort, as_number
from seamwise.study.analysis._tables import Column, Table, share_of
from seamwise.worlds import Episode

IN_A_TABLE_OF_THEIR_OWN = frozenset({"l1", "l2", "l3"})
"""Measures that a world's own tables hold."""


def tracks(groups: Sequence[Cohort]) -> Table | None:
    """Other ways to measure the same, beside the primary track and never merged into it."""
    made = []
    for cohort in groups:
        keys = sorted({(t, k) for e in cohort.episodes if e.outcome for t, found in e.outcome.tracks.items() for k in found})
        for track, key in keys:
            values = [e.outcome.tracks.get(track, {}).get(key) for e in cohort.episodes if e.outcome]
            if all(isinstance(v, bool | None) for v in values):
                made.append((cohort.label, track, key, share_of(values)))
    return (
        Table(
            name="tracks",
            title="Other tracks",
            about="What other detectors and judges say of the same episodes, beside the primary track and never merged with it.",
            columns=(Column("world", "World"), Column("track", "Track"), Column("measure", "Measure"), Column("rate", "Rate", "share")),
            rows=tuple(made),
            synthetic=any(c.synthetic for c in groups),
        )
        if made
        else None
    )


def of_track(episode: Episode, track: str, key: str) -> float | None:
    """A number that a track gives of an episode; None where it is unassessed."""
    return as_number(episode.outcome.tracks.get(track, {}).get(key)) if episode.outcome is not None else None


def numeric_tracks(episodes: Sequence[Episode]) -> list[tuple[str, str]]:
    """Measures of other tracks that are numbers wherever they are known; those that are yes or no stand in the table of tracks."""
    kinds: dict[tuple[str, str], set[bool]] = {}
    for episode in episodes:
        for track, found in (episode.outcome.tracks if episode.outcome is not None else {}).items():
            for key, value in found.items():
                if value is not None and key not in IN_A_TABLE_OF_THEIR_OWN:
                    kinds.setdefault((track, key), set()).add(as_number(value) is not None)
    return sorted(pair for pair, numeric in kinds.items() if numeric == {True})
