"""Results counted and put together: the summary line, the table of contracts, what is told once for many instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from seamwise.audit import StepRef, Summary, TableTold
from seamwise.kernel import Status
from seamwise.record import mask_words
from seamwise.render._names import plural, short
from seamwise.render._story import LABELS, ORDER, Story, leaning_words
from seamwise.render.plain import one_line

_FILES = 3
_TAILS = 6
_DIFFERING = 8


class Group(msgspec.Struct, kw_only=True):
    """Instances of one contract with one status that lean on the same statements."""

    contract: str
    status: Status
    leaning: str
    members: list[Story]

    def _parts(self) -> tuple[str, list[str], set[str]]:
        """The word that all names begin with (``customer``) or nothing, the values after it, and what follows them."""
        names = [m.instance.partition(", ") for m in self.members]
        heads = [head.partition(" ") for head, _, _ in names]
        nouns = {noun for noun, _, _ in heads}
        tails = {tail for _, _, tail in names}
        same = len(nouns) == 1 and all(value for _, _, value in heads)
        return (nouns.pop() if same else ""), [value for _, _, value in heads], tails

    @property
    def noun(self) -> str:
        """``5 customers, 2026-Q1`` where all instances are of one sort, ``5 instances`` otherwise."""
        noun, values, tails = self._parts()
        if not noun:
            return plural(len(values), "instance")
        if len(tails) == 1:
            tail = tails.pop()
            return plural(len(values), noun) + (f", {tail}" if tail else "")
        distinct = len(set(values))
        return plural(distinct, noun) if distinct == len(values) else f"{plural(len(values), 'instance')} of {plural(distinct, noun)}"

    def isolated(self, most: int = 3) -> str:
        """The isolated violations of the members, up to so many of them named; nothing where there is none."""
        found = [m for m in self.members if m.isolated]
        if not found:
            return ""
        if len(self.members) == 1:
            said, n = list(found[0].isolated), len(found[0].isolated)
            count = "with an isolated violation" if n == 1 else f"with {n:,} isolated violations"
        else:
            said, n = [f"{m.instance}: {words}" for m in found for words in m.isolated], sum(len(m.isolated) for m in found)
            count = f"{len(found):,} of them with an isolated violation"
        return f"{count}: {'; '.join(said[:most])}" + (f"; and {n - most:,} more" if n > most else "")

    @property
    def names(self) -> list[tuple[str, list[str]]]:
        """The instances' names, without what :attr:`noun` says of all of them; where they differ in their tails, by tail."""
        noun, values, tails = self._parts()
        if not noun:
            return [("", [m.instance for m in self.members])]
        if len(tails) == 1:
            return [("", values)]
        if len(tails) > _TAILS:
            return [("", [m.instance for m in self.members])]
        by_tail: dict[str, list[str]] = {}
        for member, value in zip(self.members, values, strict=True):
            by_tail.setdefault(member.instance.partition(", ")[2], []).append(value)
        return list(by_tail.items())


def listed(names: Sequence[str], most: int | None = None) -> str:
    """The names in a row; beyond so many only their number."""
    separator = "; " if any(", " in name for name in names) else ", "
    if most is None or len(names) <= most:
        return separator.join(names)
    return f"{separator.join(names[:most])} and {len(names) - most:,} more"


def grouped(stories: Iterable[Story]) -> list[Group]:
    """Stories by contract, status and what they lean on, in the order in which they first come."""
    groups: dict[tuple[str, Status, str], Group] = {}
    for s in stories:
        leaning = leaning_words(s)
        key = (s.contract, s.status, leaning)
        if key not in groups:
            groups[key] = Group(contract=s.contract, status=s.status, leaning=leaning, members=[])
        groups[key].members.append(s)
    return list(groups.values())


def counts(summary: Summary) -> dict[Status, int]:
    """How many instances there are of each status, most severe first, without those of which there are none."""
    total = {status: sum(c.get(status.value, 0) for c in summary.contracts.values()) for status in ORDER}
    return {status: n for status, n in total.items() if n}


def count_words(summary: Summary) -> str:
    """``1 supported, 2 unknown, 5 ruled out``."""
    return ", ".join(f"{n:,} {LABELS[status]}" for status, n in counts(summary).items()) or "nothing to judge"


def read_words(summary: Summary) -> str:
    """``29 traces, 412 steps, 1 file; 5 contracts, 37 instances``."""
    return (
        f"{plural(summary.n_traces, 'trace')}, {plural(summary.n_steps, 'step')}, {plural(summary.n_files, 'file')}; "
        f"{plural(len(summary.contracts), 'contract')}, {plural(sum(counts(summary).values()), 'instance')}"
    )


def fresh_words(summary: Summary) -> str:
    """What is new, where CI reads the audit: ``1 new finding (1 supported), 2 accepted by baseline.yaml``."""
    fresh = summary.fresh
    if fresh is None:
        return ""
    new = ", ".join(f"{fresh.new[status.value]:,} {LABELS[status]}" for status in ORDER if fresh.new.get(status.value))
    words = f"{plural(sum(fresh.new.values()), 'new finding')}" + (f" ({new})" if new else "")
    if fresh.baseline:
        words += f", {fresh.n_accepted:,} accepted by {one_line(fresh.baseline)}"
    return words + (f"; {plural(fresh.n_unmet, 'entry')} of it met nothing" if fresh.n_unmet else "")


def masked_words(summary: Summary) -> str:
    """What was masked, or that nothing was since somebody asked for it; nothing where there was nothing to mask."""
    if summary.whole:
        return "recorded words stand whole, secrets too (--no-redact)"
    return f"masked: {mask_words(summary.masked)}" if summary.masked else ""


def table(summary: Summary) -> tuple[list[str], list[list[str]]]:
    """Column heads and rows of the contracts' table: statuses that occur, a dot for none."""
    used = list(counts(summary))
    head = ["contract", *(LABELS[s] for s in used)]
    rows = [[one_line(name), *(f"{c[s.value]:,}" if c.get(s.value) else "." for s in used)] for name, c in summary.contracts.items()]
    return head, rows


def damage(summary: Summary) -> list[str]:
    """What needs a look, one line each: what imports dropped, records bound without fields, streams and contracts that met nothing."""
    out = [one_line(words) for words in summary.fresh.expired] if summary.fresh is not None else []
    refused = [one_line(str(read.get("file", "?"))) for read in summary.reads if read.get("refused")]
    if refused:
        named = ", ".join(refused[:_FILES]) + (f" and {len(refused) - _FILES} more" if len(refused) > _FILES else "")
        out.append(f"{plural(len(refused), 'file')} not taken for a recording: {named}")
    for read in summary.reads:
        for field, words in (("dropped", "records left out"), ("note_counts", "noted")):
            counted = read.get(field)
            counted = {k: n for k, n in counted.items() if k not in _WEAKEN_NOTHING} if isinstance(counted, dict) else {}
            if any(counted.values()):
                told = ", ".join(f"{n} {one_line(str(k)).replace('_', ' ')}" for k, n in counted.items())
                out.append(f"{one_line(str(read.get('file', '?')))}: {words}: {told}")
    for stream, bound in summary.binding.items():
        if isinstance(bound, dict):
            out += [f"stream `{one_line(stream)}`: {words}" for words in _unbound(bound)]
    return [*out, *map(one_line, summary.remarks), *disagreements(summary.tables), *_silent(summary)]


_WEAKEN_NOTHING = frozenset({"suspected_failure", "told_twice"})
"""Notes of importers that a result file keeps and that need no look: every record was read, and no verdict is weaker for them."""

_SORTS = {"differs": _DIFFERING, "traced_only": _DIFFERING, "key": _DIFFERING, "row_only": 0}
"""Sort of disagreement -> so many are told one by one; a row without a trace is nothing unusual, and counted."""


def disagreements(tables: Sequence[TableTold]) -> Iterator[str]:
    """What systems of record and traces say of one another, a line for each stream and for each of the first that differ."""
    for told in tables:
        names = " and ".join(f"{t.get('table')} ({t.get('place')}, {plural(int(t.get('rows', 0)), 'row')})" for t in told.tables)
        parts = []
        if told.same_as is not None:
            parts.append(f"{told.matched} of {plural(told.taken, 'record')} matched by `{told.same_as}`")
            for n, words in (
                (told.differing, "differing"),
                (told.row_only, "in no trace"),
                (told.traced_only, "traced and in no row"),
                (told.open, "traced, open and in no row"),
                (told.unnamed, f"traced without `{told.same_as}` and so without weight"),
            ):
                parts += [f"{n} {words}"] if n else []
        else:
            parts.append(f"{plural(told.taken, 'record')} beside {told.traced} traced, not matched one by one (no `same_as`)")
            parts += [f"{plural(told.keys, 'key')} with other sums"] if told.keys else []
        if told.refuted:
            parts.append("so the table does not hold all, and is not used as if it did")
        yield one_line(f"stream `{told.stream}`, table {names}: {', '.join(parts)}")
        left = dict(_SORTS)
        for said in told.disagreements:
            if left[said.sort] > 0:
                left[said.sort] -= 1
                where = " and ".join(_place(ref) for ref in said.steps)
                yield one_line(f"{said.words} - at {where}" if where else said.words)


def _place(ref: StepRef) -> str:
    """``payments.csv:14``; ``trace 37fe43eb #16, billing, issue_credit``."""
    if ref.kind == "row":
        return ref.step
    return ", ".join(part for part in (f"trace {short(ref.trace)} #{ref.index}", ref.actor or "", ref.tool or ref.kind) if part)


def _silent(summary: Summary) -> Iterator[str]:
    """Streams without a record and contracts without an instance: most often a misspelt name. Nothing where nothing was read."""
    if not summary.n_steps:
        return
    for stream, bound in summary.binding.items():
        if isinstance(bound, dict) and not bound.get("records"):
            yield f"stream `{one_line(stream)}`: no step of these recordings matches its rules"
    for contract, judged in summary.contracts.items():
        if not any(judged.values()):
            yield f"contract `{one_line(contract)}` has no instance: nothing in these recordings is what it judges"


def _unbound(bound: dict[str, Any]) -> Iterator[str]:
    """What a stream's rules met and could not use."""
    n = bound.get("records", 0)
    if bound.get("without_key"):
        yield f"{bound['without_key']} of {plural(n, 'record')} without a key"
    for key in bound.get("joined_spellings", ()):
        yield f"the key `{one_line(str(key))}` is written in two ways, with composed and with split characters; both are one"
    for field, count in bound.get("unparsed", {}).items():
        first = bound.get("first_unparsed", {}).get(field)
        where = f"; first: {one_line(first)}" if isinstance(first, str) else ""
        yield f"`{one_line(field)}` does not parse in {count} of {plural(n, 'record')}{where}"
    yield from map(one_line, bound.get("no_success", ()))
    for field, count in bound.get("missing", {}).items():
        if count == n:
            yield f"`{one_line(field)}` was found in none of {plural(n, 'record')}; its path may be wrong"


def repeated_needs(stories: Sequence[Story]) -> list[tuple[str, int, bool]]:
    """Needs that stand alone in gaps of several unknowns: the words, for how many, whether each is then decided."""
    found: dict[str, tuple[int, bool]] = {}
    for s in stories:
        for words, sure in {g.needs[0]: g.sort == "resolves" for g in s.gaps if len(g.needs) == 1}.items():
            n, all_sure = found.get(words, (0, True))
            found[words] = (n + 1, all_sure and sure)
    many = [(words, n, sure) for words, (n, sure) in found.items() if n > 1]
    return sorted(many, key=lambda x: (-x[1], x[0]))
