"""Findings that somebody accepted, with a reason and until a day; whatever is not among them is new.

A finding is a verdict that fails a run: supported, invalid or not judged. Its name is made of contract, instance, status and the shape of
its witness (which kinds of step by which agents with which tools), so it stays the same from run to run: no line, no step number and no
moment is in it. A finding whose witness takes another shape is another finding.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._result import Accepted, Fresh, Result, Summary
from seamwise.binding import Document, read_yaml
from seamwise.errors import SchemaError, UsageError, did_you_mean
from seamwise.kernel import SEVERITY, Status
from seamwise.record import masked

VERSION = 1
FAILING = frozenset({Status.SUPPORTED, Status.MEASUREMENT_INVALID, Status.NOT_JUDGED})
"""What fails a run unless it is accepted."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_KEYS = ("finding", "contract", "instance", "status", "headline", "reason", "until")
_encode = msgspec.json.Encoder(order="sorted").encode


class Entry(NamedTuple):
    """One accepted finding."""

    finding: str
    reason: str
    until: date
    """The last day on which it is accepted."""
    where: str
    about: str
    """Contract and instance, for messages."""


class Baseline(NamedTuple):
    """The accepted findings of a file."""

    name: str
    entries: dict[str, Entry]


def finding_of(result: Result) -> str:
    """The name of the finding: 16 digits that the same finding has in every run."""
    steps = list(result.witness or ())
    if result.status is Status.MEASUREMENT_INVALID:
        steps = [step for clash in result.clashes for step in clash.steps]
    shape = sorted(Counter((step.kind, step.actor or "", step.tool or "") for step in steps).items())
    error = (result.reason or "").partition(":")[0] if result.status is Status.NOT_JUDGED else ""
    instance = {name: masked(value) for name, value in result.instance.items()}
    return sha256(_encode([result.contract, instance, result.status.value, shape, error])).hexdigest()[:16]


def with_baseline(summary: Summary, results: Sequence[Result], baseline: Baseline | None, *, today: date) -> tuple[Summary, list[Result]]:
    """The audit with its accepted findings marked, and the new ones counted: how CI reads it.

    Args:
        summary: The summary.
        results: The results.
        baseline: None: nothing is accepted, and every finding is new.
        today: The day on which entries may be over.
    """
    entries = {} if baseline is None else baseline.entries
    out: list[Result] = []
    met: set[str] = set()
    worst = Status.NOT_APPLICABLE
    new: Counter[str] = Counter()
    for result in results:
        if result.status in FAILING:
            name = finding_of(result)
            entry = entries.get(name)
            if entry is not None:
                met.add(name)
            if entry is not None and entry.until >= today:
                out.append(msgspec.structs.replace(result, accepted=Accepted(reason=entry.reason, until=entry.until.isoformat())))
                continue
            new[result.status.value] += 1
            if (result.required or result.status is Status.SUPPORTED) and SEVERITY[result.status] > SEVERITY[worst]:
                worst = result.status
        out.append(result)
    over = [e for e in entries.values() if e.until < today]
    fresh = Fresh(
        baseline="" if baseline is None else baseline.name,
        new=dict(new),
        n_accepted=sum(r.accepted is not None for r in out),
        n_unmet=len(entries) - len(met),
        expired=tuple(f"{e.where}: accepted until {e.until.isoformat()}, which is over: {e.about}" for e in over),
        worst=worst,
    )
    return msgspec.structs.replace(summary, fresh=fresh), out


def read_baseline(content: bytes, name: str) -> Baseline:
    """The baseline that a file holds.

    Raises:
        SchemaError: It does not fit; the message names file, line and entry.
    """
    document = read_yaml(content, name)
    value = document.value
    if not isinstance(value, dict) or set(value) != {"version", "accepted"}:
        raise SchemaError("expected `version` and `accepted`", where=name, hint="`seamwise baseline RESULTS --out FILE` writes one")
    if value["version"] != VERSION:
        raise SchemaError(f"expected version {VERSION}, got `{value['version']}`", where=document.where(("version",)))
    listed = value["accepted"]
    if listed is not None and not isinstance(listed, list):
        raise SchemaError("expected a list of findings", where=document.where(("accepted",)))
    entries: dict[str, Entry] = {}
    for n, item in enumerate(listed or ()):
        entry = _entry(document, n, item)
        if entry.finding in entries:
            raise SchemaError(f"expected every finding once, got `{entry.finding}` again", where=entry.where)
        entries[entry.finding] = entry
    return Baseline(name, entries)


def _entry(document: Document, n: int, item: Any) -> Entry:
    where = document.where(("accepted", n))
    if not isinstance(item, dict):
        raise SchemaError(f"expected an entry with `finding`, `reason` and `until`, got `{item}`", where=where)
    for key in item:
        if key not in _KEYS:
            at = document.where(("accepted", n, key), key=True)
            raise SchemaError(f"unknown key `{key}`", where=at, hint=did_you_mean(key, _KEYS) or f"keys: {', '.join(_KEYS)}")
    for key, what in (("finding", "the finding's 16 digits"), ("reason", "why it is accepted"), ("until", "a day such as 2027-01-31")):
        if not isinstance(item.get(key), str) or not item[key].strip():
            at = document.where(("accepted", n, key) if key in item else ("accepted", n))
            raise SchemaError(f"expected {what} as `{key}`, got {f'`{item[key]}`' if item.get(key) else 'nothing'}", where=at)
    try:
        until = day_of(item["until"])
    except UsageError as error:
        raise SchemaError(error.message, where=document.where(("accepted", n, "until"))) from error
    instance = item.get("instance")
    named = ", ".join(f"{name} {value}" for name, value in instance.items()) if isinstance(instance, dict) else ""
    about = " ".join(filter(None, (str(item.get("contract") or item["finding"]), named)))
    return Entry(item["finding"], item["reason"].strip(), until, where, about)


def day_of(text: str) -> date:
    """The day that a text names.

    Raises:
        UsageError: It names none.
    """
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise UsageError(f"expected a day such as 2027-01-31, got `{text}`")


class Written(NamedTuple):
    """A baseline as text, and what became of the old one's entries."""

    text: str
    n_kept: int
    n_new: int
    n_gone: int
    """Entries that no result has any more: they are left out."""


def baseline_text(results: Iterable[Result], *, reason: str, until: date, old: Baseline | None = None) -> Written:
    """A baseline that accepts every finding of the results; what an old one accepts keeps its reason and its day."""
    found = {finding_of(result): result for result in results if result.status in FAILING}
    known = {} if old is None else old.entries
    lines = [
        "# Findings that are accepted, each with a reason and the last day on which it is. `seamwise audit --baseline` reads it.",
        f"version: {VERSION}",
        "accepted:" if found else "accepted: []",
    ]
    for name, result in found.items():
        kept = known.get(name)
        lines += [
            f"  - finding: {_quoted(name)}",
            f"    contract: {_quoted(result.contract)}",
            f"    instance: {_quoted({key: masked(value) for key, value in result.instance.items()})}",
            f"    status: {result.status.value}",
            f"    headline: {_quoted(masked(result.headline or result.reason or ''))}",
            f"    reason: {_quoted(kept.reason if kept else reason)}",
            f"    until: {_quoted((kept.until if kept else until).isoformat())}",
        ]
    n_kept = sum(name in known for name in found)
    return Written("\n".join(lines) + "\n", n_kept, len(found) - n_kept, len(known) - n_kept)


def _quoted(value: Any) -> str:
    """A value as JSON, which is YAML too."""
    return json.dumps(value).replace("\x7f", "\\u007f")
