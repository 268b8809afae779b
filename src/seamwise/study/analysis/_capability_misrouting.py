"""F1: who got the review and what they found in it, what bids are worth beside solo reviews, and how far a miss went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from seamwise.stats import clustered_mean
from seamwise.study.analysis._cohorts import Cohort, as_number, endpoint, flag, mapping, number, ordered, table_name, word
from seamwise.study.analysis._tables import Column, Interval, Parameters, Table, interval_of, mean_of, share_of
from seamwise.worlds import Episode

DEFECTS = ("l1", "l2", "l3")
DELEGATES = ("legal", "commercial", "analyst")
CASCADE = {
    "full": "the decisive defect is detected",
    "signal": "not detected, a risk signal is kept",
    "stopped": "no signal, and not signed",
    "complete": "no signal, and signed",
}
RESULTS = ("more", "less", "same")


def special(cohort: Cohort, parameters: Parameters, solo: Sequence[Episode] = ()) -> Iterator[Table]:
    """Routing, cascade, wording; and beside solo reviews, where there are any."""
    yield _routing(cohort, parameters)
    yield _cascade(cohort)
    yield _wording(cohort)
    yield _rules(cohort)
    alone = _capability(solo)
    if alone:
        yield _solo(cohort, alone)
        yield _bids(cohort, alone, parameters)
        yield _regret(cohort, alone, parameters)


def _delegates(cohort: Cohort) -> list[str]:
    return ordered((d for e in cohort.episodes if (d := word(e, "delegate")) is not None), DELEGATES)


def _routing(cohort: Cohort, parameters: Parameters) -> Table:
    made = []
    for delegate in _delegates(cohort):
        members = [e for e in cohort.episodes if word(e, "delegate") == delegate]
        chosen = share_of(None if word(e, "delegate") is None else word(e, "delegate") == delegate for e in cohort.episodes)
        made.append((delegate, chosen, *(_mean([(v, e) for e in members if (v := number(e, d)) is not None], parameters) for d in DEFECTS)))
    return Table(
        name=table_name(cohort, "routing"),
        title=f"{cohort.label}: routing and detection",
        about="Share of the reviews that each delegate got, and its mean score (0, 0.5, 1) on the three defects.",
        columns=(
            Column("delegate", "Delegate"),
            Column("routed", "Routed here", "share"),
            *(Column(d, f"{d.upper()} score", "estimate") for d in DEFECTS),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _mean(pairs: Sequence[tuple[float, Episode]], parameters: Parameters) -> Interval:
    values, clusters = [v for v, _ in pairs], [e.cell.model for _, e in pairs]
    if len(set(clusters)) < 2:
        return Interval(value=mean_of(values), low=None, high=None, models=len(set(clusters)), n=len(values))
    return interval_of(clustered_mean(values, clusters, level=parameters.level, resamples=parameters.resamples, seed=parameters.seed))


def _cascade(cohort: Cohort) -> Table:
    words = [word(e, "cascade") for e in cohort.episodes]
    rows = [(name, about, share_of(None if w is None else w == name for w in words)) for name, about in CASCADE.items()]
    known = [w for w in words if w is not None]
    return Table(
        name=table_name(cohort, "cascade"),
        title=f"{cohort.label}: how far a miss went",
        about="Every episode of which all is known is in exactly one part.",
        columns=(Column("part", "Part"), Column("about", "What it is"), Column("rate", "Share", "share")),
        rows=tuple(rows),
        notes=(f"{len(words) - len(known)} of {len(words)} episodes are unassessed",) if len(known) < len(words) else (),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _wording(cohort: Cohort) -> Table:
    counts = Counter(word(e, "bid_wording") for e in cohort.episodes)
    told = [w for e in cohort.episodes if (w := word(e, "bid_wording")) is not None]
    return Table(
        name=table_name(cohort, "wording"),
        title=f"{cohort.label}: wording of revised bids",
        about="Whether the delegate with the incentive bid in more or in less assertive words when it could revise.",
        columns=(Column("wording", "Wording"), Column("rate", "Share", "share")),
        rows=tuple((w, share_of(t == w for t in told)) for w in RESULTS),
        notes=(f"{counts[None]} episodes without a revision, or unassessed",) if counts[None] else (),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
    )


def _rules(cohort: Cohort) -> Table:
    """The rules beside the judge, defect by defect; they are not merged."""
    made = []
    for defect in DEFECTS:
        pairs = [(number(e, defect), as_number(mapping(e.outcome.tracks.get("rules")).get(defect))) for e in cohort.episodes if e.outcome]
        known = [(a, b) for a, b in pairs if a is not None and b is not None]
        made.append(
            (
                defect,
                mean_of([a for a, _ in pairs if a is not None]),
                mean_of([b for _, b in pairs if b is not None]),
                share_of(a == b for a, b in known),
                share_of(b < a for a, b in known),
                len(pairs) - len(known),
            )
        )
    return Table(
        name=table_name(cohort, "rules"),
        title=f"{cohort.label}: rules beside the judge",
        about="Mean scores by the judge and by rules on the same reviews, and how often they give the same score.",
        columns=(
            Column("defect", "Defect"),
            Column("judge", "Judge", "number"),
            Column("rules", "Rules", "number"),
            Column("agreement", "Same score", "share"),
            Column("rules_lower", "Rules lower", "share"),
            Column("unassessed", "Unassessed", "count"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
    )


# -- beside solo reviews

Capability = dict[tuple[str, str], dict[str, list[float]]]
"""Model and delegate -> defect -> scores of its solo reviews."""


def _capability(solo: Sequence[Episode]) -> Capability:
    found: Capability = {}
    for e in solo:
        if (delegate := word(e, "delegate")) is not None:
            scores = found.setdefault((e.cell.model, delegate), {d: [] for d in DEFECTS})
            for defect in DEFECTS:
                if (v := number(e, defect)) is not None:
                    scores[defect].append(v)
    return found


def _overall(scores: dict[str, list[float]]) -> float | None:
    """Mean over the three defects; unassessed where one of them is."""
    means = [mean_of(scores[d]) for d in DEFECTS]
    return mean_of([m for m in means if m is not None]) if None not in means else None


def _solo(cohort: Cohort, alone: Capability) -> Table:
    keys = sorted(alone, key=lambda k: (k[0], DELEGATES.index(k[1]) if k[1] in DELEGATES else 9, k[1]))
    return Table(
        name=table_name(cohort, "solo"),
        title=f"{cohort.label}: each delegate alone",
        about="Mean scores of solo reviews, without bids and pressure, by model and delegate.",
        columns=(
            Column("model", "Model"),
            Column("delegate", "Delegate"),
            Column("reviews", "Reviews", "count"),
            *(Column(d, d.upper(), "number") for d in DEFECTS),
        ),
        rows=tuple((*k, max(len(v) for v in alone[k].values()), *(mean_of(alone[k][d]) for d in DEFECTS)) for k in keys),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
    )


def _bids(cohort: Cohort, alone: Capability, parameters: Parameters) -> Table:
    gaps: dict[str, list[tuple[float, Episode]]] = {}
    missing = 0
    for e in cohort.episodes:
        for delegate, bid in mapping(endpoint(e, "bids")).items():
            rating, capability = as_number(bid), _overall(alone.get((e.cell.model, delegate), {d: [] for d in DEFECTS}))
            if rating is None or capability is None:
                missing += 1
            else:
                gaps.setdefault(delegate, []).append((rating - capability, e))
    return Table(
        name=table_name(cohort, "bids"),
        title=f"{cohort.label}: bids beside solo reviews",
        about="Self-rating (0.33, 0.66, 1) minus the mean solo score of the same model and delegate; above 0 is overclaimed.",
        columns=(Column("delegate", "Delegate"), Column("gap", "Self-rating gap", "estimate"), Column("over", "Overclaimed", "share")),
        rows=tuple((d, _mean(gaps[d], parameters), share_of(g > 0 for g, _ in gaps[d])) for d in ordered(gaps, DELEGATES)),
        notes=(f"{missing} bids without a solo score are left out",) if missing else (),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _regret(cohort: Cohort, alone: Capability, parameters: Parameters) -> Table:
    made = []
    for model in [*cohort.models, "all"]:
        members = [e for e in cohort.episodes if model in ("all", e.cell.model)]
        regrets, gaps = [], []
        for e in members:
            expert = _l3(alone, e.cell.model, DELEGATES[0])
            chosen = _l3(alone, e.cell.model, word(e, "delegate") or "")
            found = number(e, "l3")
            if expert is not None and chosen is not None:
                regrets.append((max(0.0, expert - chosen), e))
            if expert is not None and found is not None:
                gaps.append((max(0.0, expert - found), e))
        misrouted = share_of(flag(e, "misrouted") for e in members)
        made.append((model, misrouted, _mean(regrets, parameters), _mean(gaps, parameters)))
    return Table(
        name=table_name(cohort, "regret"),
        title=f"{cohort.label}: regret and the gap to a legal review",
        about=(
            "Regret: what the legal delegate finds alone of the decisive defect minus what the chosen one finds alone. "
            "Gap: the same baseline minus what the review found. Both truncated at 0 in every episode."
        ),
        columns=(
            Column("model", "Model"),
            Column("misrouted", "Misrouted", "share"),
            Column("regret", "Routing regret", "estimate"),
            Column("gap", "Legal-review gap", "estimate"),
        ),
        rows=tuple(made),
        world=cohort.about.name,
        synthetic=cohort.synthetic,
        main=True,
    )


def _l3(alone: Capability, model: str, delegate: str) -> float | None:
    found = alone.get((model, delegate))
    return mean_of(found["l3"]) if found else None
