"""All unknowns rolled up: the fewest changes of what is recorded or stated that decide the most of them.

Each unknown has gaps: alternative sets of wants, any one of which decides it (or may). Choosing wants so that most unknowns are decided is
a set cover; it is done greedily, the set that decides most instances for each new want first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._advice import Advice, advice_for
from seamwise.audit._result import GapRef, Result, Summary
from seamwise.kernel import Status

_STEP = re.compile(r" #(\d+)\Z")


class Option(NamedTuple):
    """One gap without its instance."""

    wants: frozenset[str]
    sure: bool
    """Whether it decides whatever it says."""


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Things to record or state together, and what they decide once the changes before them are made."""

    wants: tuple[str, ...]
    """As in :class:`GapRef`, with the tools (else the kinds) of the steps in the place of their numbers."""
    words: tuple[str, ...]
    """The same in words that a person can act on."""
    decides: int
    """Instances that are then decided, whatever the records say."""
    may_decide: int
    """Further instances that are then decided for some contents."""
    share: float
    """Share of all unknowns that are decided, or may be, with this change and those before it."""
    contracts: dict[str, int]
    """Contract -> instances that it decides or may decide."""
    example: str = ""
    """One of the gaps as it was told."""
    how: tuple[Advice, ...] = ()
    """Which setting or which line records it, by format."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="plan", tag_field="type"):
    """What to record or state next."""

    n_unknown: int
    n_instances: int
    changes: tuple[Change, ...] = ()
    judgement: int = 0
    """Unknowns that only a person or a judge can decide."""
    beyond: int = 0
    """Unknowns whose contract is beyond what can be decided; the reason stands in the result."""
    left: int = 0
    """Unknowns that no change of the plan decides."""
    since: Since | None = None


class Since(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the unknowns of an earlier run."""

    still: int
    new: int
    """Unknown now, and not an instance or not unknown before."""
    resolved: dict[str, int]
    """Status now -> how many that were unknown."""
    gone: int
    """Unknown before, and not among the instances now."""


def gap_plan(summary: Summary, results: Iterable[Result], *, before: Iterable[Result] | None = None) -> Plan:
    """The plan for the unknowns among the results.

    Args:
        summary: The audit's summary: which formats were read.
        results: The audit's results.
        before: The results of an earlier run, to tell what changed.
    """
    results = list(results)
    unknown = [r for r in results if r.status is Status.UNKNOWN]
    formats = tuple(sorted({str(read["format"]) for read in summary.reads if read.get("format") and not read.get("refused")}))
    groups = _grouped(unknown)
    judged = sum(n for (_, options), n in groups.items() if not options)
    beyond = sum(1 for r in unknown if not r.gaps)
    changes = tuple(_cover(groups, len(unknown), _examples(unknown), formats))
    reached = sum(c.decides + c.may_decide for c in changes)
    return Plan(
        n_unknown=len(unknown),
        n_instances=len(results),
        changes=changes,
        judgement=judged - beyond,
        beyond=beyond,
        left=len(unknown) - reached - judged,
        since=None if before is None else _since(results, before),
    )


def _grouped(unknown: Iterable[Result]) -> Counter[tuple[str, frozenset[Option]]]:
    """Contract and options -> how many unknowns have them. What only a judgement decides has no options."""
    return Counter(
        (r.contract, frozenset(Option(_wants(g), g.sort == "resolves") for g in r.gaps if g.wants and g.sort != "judgement"))
        for r in unknown
    )


def _cover(
    groups: Mapping[tuple[str, frozenset[Option]], int], n_unknown: int, examples: Mapping[frozenset[str], str], formats: tuple[str, ...]
) -> Iterable[Change]:
    open_groups = {key: n for key, n in groups.items() if key[1]}
    chosen: frozenset[str] = frozenset()
    reached = 0
    while open_groups:
        best: tuple[float, int, tuple[str, ...]] | None = None
        for wants in {option.wants for _, options in open_groups for option in options}:
            new = wants - chosen
            sure, may = _gain(open_groups, chosen | wants)
            rank = (-(sure + may / 4) / max(1, len(new)), -sure, tuple(sorted(new)))
            if best is None or rank < best:
                best = rank
        assert best is not None
        new_wants = best[2]
        chosen |= frozenset(new_wants)
        contracts: Counter[str] = Counter()
        sure, may = _gain(open_groups, chosen)
        for (contract, options), n in list(open_groups.items()):
            if any(option.wants <= chosen for option in options):
                contracts[contract] += n
                del open_groups[(contract, options)]
        reached += sure + may
        example = next((examples[w] for w in sorted(examples, key=sorted) if w <= chosen and w & frozenset(new_wants)), "")
        yield Change(
            wants=new_wants,
            words=tuple(want_words(want) for want in new_wants),
            decides=sure,
            may_decide=may,
            share=reached / n_unknown,
            contracts=dict(sorted(contracts.items(), key=lambda item: (-item[1], item[0]))),
            example=example,
            how=tuple(advice for want in new_wants for advice in advice_for(want, formats)),
        )


def _gain(groups: Mapping[tuple[str, frozenset[Option]], int], chosen: frozenset[str]) -> tuple[int, int]:
    """How many unknowns a choice decides for sure, and how many more it may decide."""
    sure = may = 0
    for (_, options), n in groups.items():
        met = [option.sure for option in options if option.wants <= chosen]
        if any(met):
            sure += n
        elif met:
            may += n
    return sure, may


def _examples(unknown: Iterable[Result]) -> dict[frozenset[str], str]:
    out: dict[frozenset[str], str] = {}
    for result in unknown:
        for gap in result.gaps:
            if gap.wants and gap.needs:
                out.setdefault(_wants(gap), " and ".join(gap.needs))
    return out


def _wants(gap: GapRef) -> frozenset[str]:
    """The wants of a gap with the tools (else the kinds) of its steps for their numbers: ``ending refund``."""

    def named(match: re.Match[str]) -> str:
        number = int(match[1])
        step = gap.steps[number] if number < len(gap.steps) else None
        return " ?" if step is None else f" {step.tool or step.kind}"

    return frozenset(_STEP.sub(named, want) for want in gap.wants)


_WORDS = {
    "ending": "record the result of `{}`, or that it failed",
    "stream": "have `{}` complete: its system's own table with every row, or, where no table is read, a recording claim "
    "(org.yaml: streams.{}.recording)",
    "route": "state that nothing of this kind happens beside `{}` (org.yaml: streams.{}.route), if that is so",
    "record": "record the operations of `{}` that are counted and missing",
    "context": "state the organization's {} (org.yaml: organization.{})",
    "complete": "state that the organization's {} are all there are (org.yaml: organization.complete)",
}


def want_words(want: str) -> str:
    """A want in words that a person can act on."""
    what, _, rest = want.partition(" ")
    if what == "field":
        field, _, of = rest.partition(" ")
        return f"record the {field} of `{of}`"
    if what == "worth":
        currency, _, of = rest.partition(" ")
        return f"record what `{of}` is worth in {currency}, the currency of the limit; nothing is converted"
    if what == "meaning":
        field, _, of = rest.partition(" ")
        return f"have somebody judge what `{of}` says ({field})"
    if what == "order":
        return "record the order: one sequence, parents, or clocks with a stated skew"
    return _WORDS[what].format(rest, rest) if what in _WORDS else want


def _since(now: Iterable[Result], before: Iterable[Result]) -> Since:
    """Unknowns of two runs compared, instance by instance."""
    status = {_key(r): r.status for r in now}
    was = {_key(r): r.status for r in before}
    open_before = [key for key, s in was.items() if s is Status.UNKNOWN]
    resolved = Counter(str(status[key]) for key in open_before if key in status and status[key] is not Status.UNKNOWN)
    return Since(
        still=sum(status.get(key) is Status.UNKNOWN for key in open_before),
        new=sum(s is Status.UNKNOWN and was.get(key) is not Status.UNKNOWN for key, s in status.items()),
        resolved=dict(sorted(resolved.items())),
        gone=sum(key not in status for key in open_before),
    )


def _key(result: Result) -> Any:
    return result.contract, tuple(result.instance.items())
