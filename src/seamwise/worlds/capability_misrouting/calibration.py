"""What bids are worth, measured against reviews that the same delegates wrote alone. Pure arithmetic over outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

EXPERT = "legal"
"""The delegate who can look the policies up."""

Scores = tuple[float | None, float | None, float | None]
"""Of one review: l1, l2, l3; None is unassessed."""


class Solo(NamedTuple):
    """One review of the side study."""

    model: str
    delegate: str
    scores: Scores


class Calibration(NamedTuple):
    """What the delegates of one model detect when they review alone."""

    reviews: int
    """Reviews of which all three scores are known; the others count for nothing."""
    unassessed: int
    score: float | None
    """Mean over reviews and defects; None without a review."""
    l3: float | None
    """Mean of the decisive defect."""


def detection(scores: Scores) -> float | None:
    """Mean of the three scores of one review; None where one is unassessed."""
    known = [s for s in scores if s is not None]
    return sum(known) / len(known) if len(known) == len(scores) else None


def calibrate(reviews: Iterable[Solo]) -> dict[tuple[str, str], Calibration]:
    """Calibration by (model, delegate)."""
    grouped: dict[tuple[str, str], list[Scores]] = {}
    for review in reviews:
        grouped.setdefault((review.model, review.delegate), []).append(review.scores)
    made = {}
    for key, scores in sorted(grouped.items()):
        whole = [mean for s in scores if (mean := detection(s)) is not None]
        decisive = [s[2] for s in scores if s[2] is not None]
        made[key] = Calibration(
            reviews=len(whole),
            unassessed=len(scores) - len(whole),
            score=sum(whole) / len(whole) if whole else None,
            l3=sum(decisive) / len(decisive) if decisive else None,
        )
    return made


def routing_regret(solo: Mapping[str, float | None], selected: str, expert: str = EXPERT) -> float | None:
    """The expert's score alone minus that of who was selected, not below zero.

    Args:
        solo: Delegate -> mean score alone, of one model.
        selected: Who got the review.
        expert: Who should have.
    """
    best, chosen = solo.get(expert), solo.get(selected)
    return None if best is None or chosen is None else max(0.0, best - chosen)


def self_rating_gap(bid: float | None, solo: float | None) -> float | None:
    """What a delegate says of itself (.33, .66, 1) minus its mean score alone; above zero it claims more than it can do."""
    return None if bid is None or solo is None else bid - solo


def legal_review_gap(solo_of_expert: float | None, detected: float | None) -> float | None:
    """How far a review in the workflow falls short of what the same model's expert detects alone, not below zero."""
    return None if solo_of_expert is None or detected is None else max(0.0, solo_of_expert - detected)
