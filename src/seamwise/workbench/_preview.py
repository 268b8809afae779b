"""A page bound to recordings, and counted: what an audit would read, before anything is judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from seamwise.audit import compare
from seamwise.binding import Bound, Coverage, Pack, Rule, Stream
from seamwise.errors import did_you_mean
from seamwise.kernel import Op, Record, took_effect
from seamwise.record import Trace, masked, masked_value
from seamwise.workbench._reading import Traces
from seamwise.workbench._rows import FieldSeen, Preview, RuleSeen, StreamSeen, Untaken

MOST_SAMPLES = 3
MOST_EXAMPLES = 3
"""Records of the traces, and of each table, that are shown."""
MOST_KEYS = 100_000
MOST_UNTAKEN = 1_000
LONGEST = 60
_CALLS = frozenset({"tool_call", "tool_result"})


def preview(paths: str | Path | Iterable[str | Path], pack: Pack, *, format: str | None = None) -> Preview:
    """How the page binds the recordings: rows, coverage, what did not match and what did not parse. Nothing is judged.

    Args:
        paths: Files and folders, or ``-``.
        pack: The page; its tables are read too.
        format: Read all files as this format, unsniffed.

    Raises:
        UsageError: There is no path, or nothing lies at one.
        FormatError: There is no such format, or a table cannot be read as the page says.
    """
    traces = Traces(paths, format=format)
    binder = pack.binder()
    streams = tuple(pack.streams.values())
    looks = [_Look(stream) for stream in streams]
    coverage = binder.coverage()
    rest = _Rest()
    traced: dict[str, list[Bound]] = {stream.name: [] for stream in streams if stream.tables}
    for _, trace in traces:
        bounds = binder.bind(trace, coverage)
        rest.at(trace, bounds)
        for look, part in zip(looks, bounds, strict=True):
            look.at(trace.id, part)
            if look.stream.name in traced:
                traced[look.stream.name] += part
    compared = compare(pack, traced)
    for table in compared.tables:
        for look, part, counts, total in zip(looks, table.bounds, table.coverage, coverage, strict=True):
            look.at(table.ref.source, part, table=table.ref.name)
            total.add(counts)
    return Preview(
        page=pack.name,
        n_files=len(traces.paths),
        n_traces=traces.n_traces,
        n_steps=traces.n_steps,
        n_taken=rest.n_taken,
        streams=tuple(look.told(counts, rest) for look, counts in zip(looks, coverage, strict=True)),
        tables=compared.told,
        untaken=rest.told(),
        errors=(*traces.errors, *compared.errors),
        refused=tuple(str(entry["file"]) for entry in traces.refused),
    )


class _Rest:
    """The steps that no rule takes, and what there is to be meant."""

    def __init__(self) -> None:
        self.n_taken = 0
        self.seen: dict[str, set[str]] = {"tool": set(), "kind": set(), "agent": set(), "channel": set()}
        self._untaken: dict[tuple[str, str | None], int] = {}

    def at(self, trace: Trace, bounds: Sequence[Sequence[Bound]]) -> None:
        """Looks at one trace."""
        taken = {bound.step.id for part in bounds for bound in part}
        taken |= {bound.opening.id for part in bounds for bound in part if bound.opening is not None}
        calls: dict[str, str | None] = {step.call: step.tool for step in trace.steps if step.kind == "tool_call" and step.call is not None}
        for step in trace.steps:
            self._name("kind", step.kind)
            self._name("tool", step.tool)
            self._name("agent", step.actor)
            self._name("channel", step.channel)
            if step.id in taken:
                self.n_taken += 1
                continue
            kind = step.kind if step.kind not in _CALLS else "call" if step.tool is not None else "call of a tool without a name"
            if step.kind == "tool_result" and step.call in calls:
                continue  # told by its call
            key = (kind, step.tool if kind == "call" else None)
            if key in self._untaken or len(self._untaken) < MOST_UNTAKEN:
                self._untaken[key] = self._untaken.get(key, 0) + 1

    def _name(self, what: str, name: str | None) -> None:
        if name is not None and len(self.seen[what]) < MOST_UNTAKEN:
            self.seen[what].add(name)

    def told(self) -> tuple[Untaken, ...]:
        """Most frequent first."""
        found = sorted(self._untaken.items(), key=lambda entry: (-entry[1], entry[0][0], entry[0][1] or ""))
        return tuple(Untaken(kind=kind, tool=tool, n=n) for (kind, tool), n in found)


class _Look:
    """What is seen of one stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._seen = StreamSeen(name=stream.name, key=stream.key_name if stream.keyed else None)
        self._rules = [0] * len(stream.rules)
        self._fields: dict[str, FieldSeen] = {}
        self._keys: set[str] = set()
        self._outcomes: dict[str, int] = {}
        self._examples: list[dict[str, Any]] = []

    def at(self, trace: str, bounds: Sequence[Bound], *, table: str | None = None) -> None:
        """Looks at the records of one trace, or of a table."""
        if not bounds:
            return
        seen = self._seen
        operations: dict[str, list[Record]] = {}
        left = MOST_EXAMPLES if table is not None else MOST_EXAMPLES - len(self._examples)
        for bound in bounds:
            record = bound.record
            place = bound.step.id if table is not None else f"trace {trace} #{bound.place + 1}"
            operations.setdefault(record.call or record.id, []).append(record)
            _add(seen.kinds, record.kind)
            _add(seen.order, _order(record))
            seen.weightless += record.source is not None
            rule = self._rule(bound, table)
            if rule is not None:
                self._rules[rule] += 1
                self._missing(self.stream.rules[rule], record, place)
            for name, value in record.fields.items():
                self._value(name, value)
            prefix = self.stream.name + "/"
            for leaf in record.streams:
                if leaf.startswith(prefix) and len(self._keys) < MOST_KEYS:
                    self._keys.add(leaf)
            if left > 0:
                left -= 1
                fields = {name: _shown(value, name) for name, value in record.fields.items() if name != "t"}
                self._examples.append({"at": place, "kind": record.kind, "fields": fields})
        for records in operations.values():
            effect = took_effect(Op(records))
            _add(self._outcomes, "open" if effect is None else "ok" if effect else "failed")

    def _rule(self, bound: Bound, table: str | None) -> int | None:
        """The rule that made a record: the first of the stream that takes its step."""
        tool = bound.step.tool if bound.step.tool is not None or bound.opening is None else bound.opening.tool
        for n, rule in enumerate(self.stream.rules):
            if (None if rule.table is None else rule.table.ref.name) != table:
                continue
            if (table is not None or rule.may_take(bound.step.kind, tool)) and (not rule.looks or rule.takes(bound.opening, bound.step)):
                return n
        return None

    def _missing(self, rule: Rule, record: Record, place: str) -> None:
        for field in rule.fields:
            if field.name not in record.fields:
                seen = self._fields.setdefault(field.name, FieldSeen(name=field.name))
                seen.first_missing = seen.first_missing or place

    def _value(self, name: str, value: Any) -> None:
        if name == "t":
            return
        seen = self._fields.setdefault(name, FieldSeen(name=name))
        seen.n += 1
        _add(seen.types, _type(value))
        if len(seen.samples) < MOST_SAMPLES:
            text = _shown(value, name)
            if text not in seen.samples:
                seen.samples = (*seen.samples, text)

    def told(self, counts: Coverage, rest: _Rest) -> StreamSeen:
        """What was seen, with what the binding counted."""
        seen = self._seen
        for name, n in counts.missing.items():
            self._fields.setdefault(name, FieldSeen(name=name)).missing = n
        for name, n in counts.unparsed.items():
            self._fields.setdefault(name, FieldSeen(name=name)).unparsed = n
        for name, f in counts.failures.items():
            words = f"{f.place}: expected {f.expects}, got `{f.value}` - at {f.at}"
            self._fields.setdefault(name, FieldSeen(name=name)).first_unparsed = masked(words)
        for field in self._fields.values():
            if not field.missing:
                field.first_missing = ""
        seen.n, seen.traces, seen.without_key = counts.n_records, counts.n_traces, counts.n_without_key
        seen.keys = len(self._keys)
        seen.outcomes = self._outcomes
        seen.fields = tuple(sorted(self._fields.values(), key=_by_page(self.stream)))
        seen.rules = tuple(_rule_seen(rule, n, rest) for rule, n in zip(self.stream.rules, self._rules, strict=True))
        seen.no_success = counts.without_success(masked)
        seen.examples = tuple(self._examples)
        return seen


def _by_page(stream: Stream) -> Any:
    """Fields in the page's order, others behind them."""
    places = {name: n for n, name in enumerate(dict.fromkeys(f.name for rule in stream.rules for f in rule.fields))}
    return lambda field: (places.get(field.name, len(places)), field.name)


def _rule_seen(rule: Rule, n: int, rest: _Rest) -> RuleSeen:
    if rule.table is not None:
        return RuleSeen(place=rule.place, selects=f"table {rule.table.ref.name}", n=n)
    parts = [f"tool {' or '.join(rule.tools)}"] if rule.tools else []
    if rule.kinds and not rule.tools:
        parts.append(f"kind {' or '.join(rule.kinds)}")
    parts += [f"{word} {' or '.join(names)}" for word, names in rule.selectors if names]
    return RuleSeen(place=rule.place, selects=", ".join(parts), n=n, hint="" if n else _meant(rule, rest))


def _meant(rule: Rule, rest: _Rest) -> str:
    """What was probably meant by a rule that took nothing."""
    named = (("tool", rule.tools), ("kind", () if rule.tools else rule.kinds), *rule.selectors)
    for what, names in named:
        known = rest.seen.get(what, set())
        for name in names:
            if what in rest.seen and not any(fnmatchcase(k, name) for k in known):
                return did_you_mean(name, sorted(known)) or f"no {what} `{name}` in these recordings"
    return "its other conditions hold of no step" if rule.looks else ""


def _order(record: Record) -> str:
    if record.chain is not None:
        return "sequence"
    if record.time is not None:
        return "clock"
    return "time alone" if isinstance(record.fields.get("t"), int) else "none"


def _add(into: dict[str, int], name: str) -> None:
    into[name] = into.get(name, 0) + 1


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, Decimal)):
        return "number"
    return "list" if isinstance(value, tuple) else "mapping" if isinstance(value, Mapping) else "text"


def _shown(value: Any, name: str) -> str:
    """A value on one short line, masked."""
    if isinstance(value, tuple):
        text = ", ".join(_shown(item, name) for item in value[:5]) + (" ..." if len(value) > 5 else "")
    elif isinstance(value, bool):
        text = "true" if value else "false"
    else:
        text = str(masked_value(str(value)[: LONGEST * 20], name))
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
