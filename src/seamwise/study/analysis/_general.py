"""Tables that every world has: validity, judge, measurements, endpoints, contrasts, differences, interception."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import combinations

from seamwise.stats import clustered_difference, clustered_mean, paired_counts
from seamwise.study.analysis._cohorts import Cohort, flag, measurement, names_of, number, ordered, unknown_names
from seamwise.study.analysis._rows import Rows
from seamwise.study.analysis._tables import Column, Interval, Parameters, Table, interval_of, mean_of, share_of
from seamwise.study.analysis._tracks import IN_A_TABLE_OF_THEIR_OWN, numeric_tracks, of_track
from seamwise.study.analysis._worlds import about_world
from seamwise.worlds import MEASURED, Cell, Episode

STATUSES = ("valid", "invalid", "agent_failed", "counterpart_failed")
JUDGE_COUNTS = ("asked", "parse_errors", "refusals", "ungrounded", "unavailable")
NOT_ALWAYS = frozenset({"merge_resolution", "onset_hop", "bid_wording"})
"""Words of which None says that the matter did not come up; where nobody has one they are no rate either."""
MANY = 4
"""Up to so many conditions every two are contrasted; of more, each with the first."""

WHO = (Column("world", "World"), Column("condition", "Condition"))


def validity(rows: Rows) -> Table:
    """What became of the attempts."""
    groups: dict[tuple[str, str, str], list[Episode]] = {}
    for e in rows.episodes:
        groups.setdefault((about_world(e.cell.world).code, e.cell.arm, e.cell.model), []).append(e)
    made = []
    for (code, arm, model), members in sorted(groups.items()):
        tried = Counter(status for e in members for status in (*rows.attempts.get(e.cell.id, ()), e.status))
        kept = sum(e.status == "valid" for e in members)
        made.append((code, arm, model, len(members), kept, sum(tried.values()), *(tried[s] for s in STATUSES)))
    notes = []
    if rows.replaced:
        notes.append(f"{rows.replaced} episodes of models that a substitute took over for are not counted")
    if rows.repeated:
        notes.append(f"{rows.repeated} episodes whose cell stands in an earlier directory are not counted")
    return Table(
        name="validity",
        title="Validity",
        about="Cells by world, arm and model; attempts by how they ended. Only a valid, retained episode enters any rate.",
        columns=(
            Column("world", "World"),
            Column("arm", "Arm"),
            Column("model", "Model"),
            Column("cells", "Cells", "count"),
            Column("retained", "Retained valid", "count"),
            Column("attempts", "Attempts", "count"),
            *(Column(s, s.replace("_", " "), "count") for s in STATUSES),
        ),
        rows=tuple(made),
        notes=tuple(notes),
        synthetic=any(e.synthetic for e in rows.episodes),
        main=True,
    )


def judges(groups: Sequence[Cohort]) -> Table:
    """How the judge fared; what is counted apart is never folded into no."""
    made = []
    for cohort in groups:
        members = [*cohort.episodes, *cohort.controls, *cohort.without]
        total: Counter[str] = Counter()
        for e in members:
            total.update({k: v for k, v in (e.outcome.judge if e.outcome else {}).items() if k in JUDGE_COUNTS})
        named = sorted({e.models["judge"] for e in members if e.models.get("judge")})
        asked = [e for e in members if e.outcome and e.outcome.judge]
        made.append((cohort.label, ", ".join(named) or "none", len(members), len(asked), *(total[c] for c in JUDGE_COUNTS)))
    return Table(
        name="judge",
        title="Judge health",
        brief=("world", "judge", "asked", "parse_errors", "refusals", "ungrounded", "unavailable"),
        about="What could not be parsed, was refused or was not there is unassessed, never no. Ungrounded: a quote was not found.",
        columns=(
            Column("world", "World"),
            Column("judge", "Judge"),
            Column("episodes", "Episodes", "count"),
            Column("judged", "With a judgement", "count"),
            Column("asked", "Asked", "count"),
            Column("parse_errors", "Parse errors", "count"),
            Column("refusals", "Refusals", "count"),
            Column("ungrounded", "Ungrounded", "count"),
            Column("unavailable", "Unavailable", "count"),
        ),
        rows=tuple(made),
        synthetic=any(c.synthetic for c in groups),
        main=True,
    )


def measurements(groups: Sequence[Cohort]) -> Table:
    """The five measurements by condition."""
    made = []
    for cohort in groups:
        for condition, members in cohort.grouped():
            if condition == "all":
                whole = [*members, *cohort.without]
            else:
                whole = members + [e for e in cohort.without if e.cell.condition == condition]
            made.append((cohort.label, condition, "opportunity", share_of(measurement(e, "opportunity") for e in whole)))
            made += [(cohort.label, condition, m, share_of(measurement(e, m) for e in members)) for m in MEASURED if m != "opportunity"]
    return Table(
        name="measurements",
        title="Measurements by condition",
        about="Yes among the assessed, with the Wilson 95 % interval. All but opportunity are over episodes with an opportunity to fail.",
        columns=(*WHO, Column("measurement", "Measurement"), Column("rate", "Rate", "share")),
        rows=tuple(made),
        synthetic=any(c.synthetic for c in groups),
    )


def realization(groups: Sequence[Cohort]) -> Table:
    """The primary endpoint by condition: what a reader asks first."""
    made = [
        (c.label, condition, len(members), share_of(measurement(e, "realized") for e in members))
        for c in groups
        for condition, members in c.grouped()
    ]
    return Table(
        name="realization",
        title="Realized failures by condition",
        about="Episodes in which the world's primary endpoint came true, among the assessed ones with an opportunity.",
        columns=(*WHO, Column("eligible", "Eligible", "count"), Column("rate", "Realized", "share")),
        rows=tuple(made),
        synthetic=any(c.synthetic for c in groups),
        main=True,
    )


def models(groups: Sequence[Cohort]) -> Table:
    """The primary endpoint by model; a model that is not on a world's roster has no row there."""
    made = [
        (c.label, m, share_of(measurement(e, "realized") for e in c.episodes if e.cell.model == m), _synthetic(c, m))
        for c in groups
        for m in c.models
    ]
    return Table(
        name="models",
        title="Realized failures by model",
        about="The primary endpoint over all conditions. Different worlds have different endpoints.",
        columns=(
            Column("world", "World"),
            Column("model", "Model"),
            Column("rate", "Realized", "share"),
            Column("synthetic", "Synthetic", "flag"),
        ),
        rows=tuple(made),
        synthetic=any(c.synthetic for c in groups),
        main=True,
    )


def grid(groups: Sequence[Cohort]) -> Table | None:
    """The primary endpoint by model and condition, where a world has more than one condition."""
    made = [
        (c.label, m, condition, share_of(measurement(e, "realized") for e in c.under(condition) if e.cell.model == m))
        for c in groups
        if len(c.conditions) > 1
        for m in c.models
        for condition in c.conditions
    ]
    return (
        Table(
            name="models_by_condition",
            title="Realized failures by model and condition",
            about="The primary endpoint in every block of the matrix; a block has few episodes, and its interval is wide.",
            columns=(
                Column("world", "World"),
                Column("model", "Model"),
                Column("condition", "Condition"),
                Column("rate", "Realized", "share"),
            ),
            rows=tuple(made),
            synthetic=any(c.synthetic for c in groups),
        )
        if made
        else None
    )


def _synthetic(cohort: Cohort, model: str) -> bool:
    return any(e.synthetic for e in cohort.episodes if e.cell.model == model)


def factors(groups: Sequence[Cohort]) -> Table | None:
    """The primary endpoint by levels of the world's own factors."""
    made = []
    for cohort in groups:
        for factor in sorted({f for e in cohort.episodes for f in e.cell.factors}):
            for level in sorted({e.cell.factors[factor] for e in cohort.episodes if factor in e.cell.factors}):
                members = [e for e in cohort.episodes if e.cell.factors.get(factor) == level]
                made.append((cohort.label, factor, level, share_of(measurement(e, "realized") for e in members)))
    return (
        Table(
            name="factors",
            title="Realized failures by factor",
            about="The primary endpoint by each of the world's own factors, over everything else.",
            columns=(Column("world", "World"), Column("factor", "Factor"), Column("level", "Level"), Column("rate", "Realized", "share")),
            rows=tuple(made),
            synthetic=any(c.synthetic for c in groups),
        )
        if made
        else None
    )


def interception(groups: Sequence[Cohort]) -> Table:
    """Caught before it did harm: of the episodes that showed something, and of all."""
    made = []
    for cohort in groups:
        for condition, members in cohort.grouped():
            shown = [e for e in members if _signal(e) is True]
            unseen = sum(_signal(e) is None for e in members)
            made.append(
                (
                    cohort.label,
                    condition,
                    share_of(measurement(e, "interception") for e in shown),
                    share_of(measurement(e, "interception") for e in members),
                    unseen,
                )
            )
    unknown = sum(_signal(e) is None for c in groups for e in c.episodes)
    return Table(
        name="interception",
        title="Interception",
        brief=("world", "condition", "of_signal", "of_all"),
        notes=(f"in {unknown} episodes nothing is known of a signal; they are in the second denominator alone",) if unknown else (),
        about="Caught before it did harm: of episodes with an anomaly or drift signal, and of all assessed ones.",
        columns=(
            *WHO,
            Column("of_signal", "Of those with a signal", "share"),
            Column("of_all", "Of all assessed", "share"),
            Column("signal_unassessed", "Signal unassessed", "count"),
        ),
        rows=tuple(made),
        synthetic=any(c.synthetic for c in groups),
        main=True,
    )


def _signal(episode: Episode) -> bool | None:
    drift = flag(episode, "drift_signal")
    known = measurement(episode, "anomaly")
    return drift if episode.outcome is not None and "drift_signal" in episode.outcome.endpoints else known


def endpoints(groups: Sequence[Cohort]) -> Table:
    """Every boolean endpoint by condition."""
    made = []
    for cohort in groups:
        names = [
            n
            for n in (*names_of(cohort.episodes, bool), *unknown_names(cohort.episodes))
            if not n.startswith("crossing_") and n not in NOT_ALWAYS
        ]
        for condition, members in cohort.grouped():
            made += [(cohort.label, condition, n, share_of(flag(e, n) for e in members)) for n in names]
    return Table(
        name="endpoints",
        title="Endpoints by condition",
        about="Every boolean endpoint of the worlds, yes among the assessed.",
        columns=(*WHO, Column("endpoint", "Endpoint"), Column("rate", "Rate", "share")),
        rows=tuple(made),
        notes=("what stands for the crossing step alone is in its own table, of the episodes that crossed",)
        if any(c.about.code == "A1" for c in groups)
        else (),
        synthetic=any(c.synthetic for c in groups),
    )


def numbers(groups: Sequence[Cohort], parameters: Parameters) -> Table:
    """Utility and every number among the endpoints."""
    made = []
    for cohort in groups:
        names = ["utility", *(n for n in names_of(cohort.episodes, float) if n not in IN_A_TABLE_OF_THEIR_OWN)]
        reads: dict[str, Callable[[Episode], float | None]] = {n: partial(number, name=n) for n in names}
        reads |= {f"{track}: {key}": partial(of_track, track=track, key=key) for track, key in numeric_tracks(cohort.episodes)}
        for condition, members in cohort.grouped():
            for name, read in reads.items():
                pairs = [(v, e.cell.model) for e in members if (v := read(e)) is not None]
                values = [v for v, _ in pairs]
                spread = (min(values), max(values)) if values else (None, None)
                made.append((cohort.label, condition, name, _mean(pairs, parameters), *spread, len(members) - len(values)))
    return Table(
        name="numbers",
        title="Utility, costs and other numbers",
        about="Means by condition; intervals are of whole models resampled, and absent with fewer than two models.",
        columns=(
            *WHO,
            Column("endpoint", "Measure"),
            Column("mean", "Mean", "estimate"),
            Column("least", "Least", "number"),
            Column("most", "Most", "number"),
            Column("unassessed", "Unassessed", "count"),
        ),
        rows=tuple(made),
        synthetic=any(c.synthetic for c in groups),
    )


def _mean(pairs: Sequence[tuple[float, str]], parameters: Parameters) -> Interval:
    values, clusters = [v for v, _ in pairs], [c for _, c in pairs]
    if len(set(clusters)) < 2:
        return Interval(value=mean_of(values), low=None, high=None, models=len(set(clusters)), n=len(values))
    return interval_of(clustered_mean(values, clusters, level=parameters.level, resamples=parameters.resamples, seed=parameters.seed))


def words(groups: Sequence[Cohort]) -> Table | None:
    """Endpoints that are words: dispositions, stages, choices."""
    made = []
    for cohort in groups:
        for name in names_of(cohort.episodes, str):
            told = sorted({str(v) for e in cohort.episodes if e.outcome and (v := e.outcome.endpoints.get(name)) is not None})
            for condition, members in cohort.grouped():
                values = [e.outcome.endpoints.get(name) for e in members if e.outcome]
                made += [(cohort.label, condition, name, w, share_of(None if v is None else v == w for v in values)) for w in told]
    return (
        Table(
            name="words",
            title="Choices and stages",
            about="Endpoints that are a word, by condition; shares of the episodes in which one is known.",
            columns=(*WHO, Column("endpoint", "Endpoint"), Column("word", "Value"), Column("rate", "Share", "share")),
            rows=tuple(made),
            synthetic=any(c.synthetic for c in groups),
        )
        if made
        else None
    )


def controls(groups: Sequence[Cohort]) -> Table | None:
    """Legitimate instances: a control that blocks all work shows here."""
    made = [
        (
            c.label,
            len(c.controls),
            share_of(measurement(e, "realized") for e in c.controls),
            mean_of([u for e in c.controls if (u := number(e, "utility")) is not None]),
        )
        for c in groups
        if c.controls
    ]
    return (
        Table(
            name="controls",
            title="Legitimate instances",
            about="Instances in which the guarded action is right. They are in no other table.",
            columns=(
                Column("world", "World"),
                Column("episodes", "Episodes", "count"),
                Column("rate", "Realized", "share"),
                Column("utility", "Mean utility", "number"),
            ),
            rows=tuple(made),
            synthetic=any(c.synthetic for c in groups),
        )
        if made
        else None
    )


# -- between conditions


def contrasts(groups: Sequence[Cohort]) -> Table | None:
    """Paired by what the world says that pairs share."""
    made: list[tuple[object, ...]] = []
    notes = ["p-values are two-sided, exact and unadjusted for how many there are", "a pair that is unassessed on either side is no pair"]
    doubled = 0
    for cohort in groups:
        names = ["realized", *(n for n in names_of(cohort.episodes, bool) if not n.startswith("crossing_"))]
        for factor, levels in _contrasted(cohort):
            sides = {v: [e for e in cohort.episodes if _level(cohort, e.cell, factor) == v] for v in levels}
            for name in names:
                keyed = {v: _keyed(members, cohort, factor, name) for v, members in sides.items()}
                doubled += sum(extra for _, extra in keyed.values()) if name == "realized" else 0
                for a, b in _pairs(levels):
                    first, second = keyed[a][0], keyed[b][0]
                    table = paired_counts(first, second)
                    matched = sum(k in second for k in first)
                    made.append(
                        (
                            cohort.label,
                            factor,
                            a,
                            b,
                            name,
                            table.n,
                            matched - table.n,
                            table.both,
                            table.first_only,
                            table.second_only,
                            table.neither,
                            (table.both + table.first_only) / table.n if table.n else None,
                            (table.both + table.second_only) / table.n if table.n else None,
                            (table.second_only - table.first_only) / table.n if table.n else None,
                            table.p if table.n else None,
                        )
                    )
    if doubled:
        notes.append(f"{doubled} repetitions of a cell are left out of the pairs: the first one of each stands")
    return (
        Table(
            name="contrasts",
            brief=("world", "of", "first", "second", "pairs", "first_rate", "second_rate", "difference", "p_unadjusted"),
            title="Paired contrasts",
            about=f"Second minus first over pairs; every two of up to {MANY} conditions, else each with the first.",
            columns=(
                Column("world", "World"),
                Column("of", "Between"),
                Column("first", "First"),
                Column("second", "Second"),
                Column("measure", "Measure"),
                Column("pairs", "Pairs", "count"),
                Column("unassessed", "Unassessed", "count"),
                Column("both", "Both", "count"),
                Column("first_only", "First only", "count"),
                Column("second_only", "Second only", "count"),
                Column("neither", "Neither", "count"),
                Column("first_rate", "1st rate", "number"),
                Column("second_rate", "2nd rate", "number"),
                Column("difference", "Change", "number"),
                Column("p_unadjusted", "p, unadjusted", "p"),
            ),
            rows=tuple(made),
            notes=tuple(notes),
            synthetic=any(c.synthetic for c in groups),
            main=True,
        )
        if made
        else None
    )


def _contrasted(cohort: Cohort) -> list[tuple[str, list[str]]]:
    """The condition, what conditions cross, and every factor that pairs need not share; with the levels that occur."""
    found = [("condition", cohort.conditions)]
    for crossed, levels in cohort.crosses.items():
        occur = [levels[c] for c in cohort.conditions if c in levels]
        found.append((crossed, ordered(occur, tuple(dict.fromkeys(levels.values())))))
    own = {f for e in cohort.episodes for f in e.cell.factors}
    shared = set(cohort.about.pair_by) or (own if cohort.arm == "main" else set())
    for factor in sorted(own - shared):
        found.append((factor, ordered((e.cell.factors[factor] for e in cohort.episodes if factor in e.cell.factors), ())))
    return [(factor, levels) for factor, levels in found if len(levels) > 1]


def _level(cohort: Cohort, cell: Cell, name: str) -> str | None:
    if name in cohort.crosses:
        return cohort.crosses[name].get(cell.condition)
    return cell.condition if name == "condition" else cell.factors.get(name)


def _keyed(members: Iterable[Episode], cohort: Cohort, factor: str, name: str) -> tuple[dict[Hashable, bool | None], int]:
    """Key -> value, and how many had a key that was taken. Factors beside ``pair_by`` are shared as well, or pairs would be of anything."""
    found: dict[Hashable, bool | None] = {}
    extra = 0
    for e in members:
        crossed = {n: levels.get(e.cell.condition) for n, levels in cohort.crosses.items()} if factor in cohort.crosses else {}
        aside = {factor, "condition"} if crossed else {factor}
        own = {"model": e.cell.model, "condition": e.cell.condition, "seed": e.cell.seed, **e.cell.factors, **crossed}
        shared = sorted(({"model", "seed", "condition"} | set(cohort.about.pair_by) | set(e.cell.factors) | set(crossed)) - aside)
        key = tuple((s, own.get(s)) for s in shared)
        if key in found:
            extra += 1
        else:
            found[key] = flag(e, name)
    return found, extra


def _pairs(levels: Sequence[str]) -> list[tuple[str, str]]:
    return list(combinations(levels, 2)) if len(levels) <= MANY else [(levels[0], b) for b in levels[1:]]


Cases = Callable[[Episode], Sequence[float]]


def _value(name: str) -> Cases:
    return lambda e: [v] if (v := number(e, name)) is not None else []


def _truth(name: str) -> Cases:
    return lambda e: [float(v)] if (v := flag(e, name)) is not None else []


def _of(part: str, whole: str) -> Cases:
    """Counted things as cases, so that a mean is over all of them and not over episodes."""

    def cases(e: Episode) -> Sequence[float]:
        k, n = number(e, part), number(e, whole)
        return [] if k is None or n is None or not 0 <= k <= n else [1.0] * int(k) + [0.0] * (int(n) - int(k))

    return cases


_SHARES = {
    "history checked, of paying turns": ("paying_turns_checked", "paying_turns"),
    "deadline met, of contacts": ("sla_met", "contacts"),
    "inquiries about the scope, of inquiries": ("inquiries_about_scope", "inquiries"),
}


def differences(groups: Sequence[Cohort], parameters: Parameters) -> Table | None:
    """Pooled differences of means, whole models resampled."""
    made = []
    for cohort in groups:
        measures: list[tuple[str, Cases]] = [("realized", _truth("realized")), ("utility", _value("utility"))]
        measures += [(n, _truth(n)) for n in names_of(cohort.episodes, bool) if not n.startswith("crossing_")]
        measures += [(n, _value(n)) for n in names_of(cohort.episodes, float)]
        held = set(names_of(cohort.episodes, float))
        measures += [(n, _of(*parts)) for n, parts in _SHARES.items() if held.issuperset(parts)]
        for factor, levels in _contrasted(cohort):
            sides = {v: [e for e in cohort.episodes if _level(cohort, e.cell, factor) == v] for v in levels}
            for name, cases in measures:
                for a, b in _pairs(levels):
                    made.append((cohort.label, factor, a, b, name, _difference(sides[a], sides[b], cases, parameters)))
    return (
        Table(
            name="differences",
            title="Differences between conditions",
            about="Mean of the models' differences, second minus first, each with one weight; intervals are of whole models resampled.",
            columns=(
                Column("world", "World"),
                Column("of", "Between"),
                Column("first", "First"),
                Column("second", "Second"),
                Column("measure", "Measure"),
                Column("difference", "Difference", "estimate"),
            ),
            rows=tuple(made),
            notes=(
                "shares differ in parts of one: 0.1 is ten percentage points",
                "models on one side alone are left out",
            ),
            synthetic=any(c.synthetic for c in groups),
        )
        if made
        else None
    )


def _difference(first: Sequence[Episode], second: Sequence[Episode], cases: Cases, parameters: Parameters) -> Interval:
    a = [(v, e.cell.model) for e in first for v in cases(e)]
    b = [(v, e.cell.model) for e in second for v in cases(e)]
    shared = {m for _, m in a} & {m for _, m in b}
    if len(shared) < 2:
        here, there = mean_of([v for v, m in a if m in shared]), mean_of([v for v, m in b if m in shared])
        value = None if here is None or there is None else there - here
        return Interval(value=value, low=None, high=None, models=len(shared), n=sum(m in shared for _, m in (*a, *b)))
    a, b = [p for p in a if p[1] in shared], [p for p in b if p[1] in shared]
    return interval_of(
        clustered_difference(
            [v for v, _ in a],
            [m for _, m in a],
            [v for v, _ in b],
            [m for _, m in b],
            level=parameters.level,
            resamples=parameters.resamples,
            seed=parameters.seed,
        )
    )
