"""Causes of leads that somebody accepted, with a reason and until a day: they are counted and no longer told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from seamwise.binding import Document, read_yaml
from seamwise.errors import SchemaError, did_you_mean
from seamwise.leads._group import Cause, by_cause
from seamwise.leads._lead import Lead
from seamwise.leads._rules import RULES

VERSION = 1
_KEYS = ("rule", "cause", "reason", "until")


class Entry(NamedTuple):
    """One accepted cause."""

    reason: str
    until: date
    """The last day on which it is accepted."""
    where: str


Accepted = dict[tuple[str, str], Entry]
"""(Rule, cause) -> why and until when."""


class Sorted(NamedTuple):
    """Leads beside what was accepted."""

    leads: list[Lead]
    """Those to tell: new ones, and those whose acceptance is over."""
    n_accepted: int
    expired: list[str]
    """Entries that are over, in words."""
    n_unmet: int
    """Entries that no lead has any more."""


def read_accepted(content: bytes, name: str) -> Accepted:
    """The accepted causes of a file.

    Raises:
        SchemaError: It does not fit; the message names file, line and entry.
        PackError: It is no YAML.
    """
    document = read_yaml(content, name)
    value = document.value
    if not isinstance(value, dict) or set(value) != {"version", "leads"} or value["version"] != VERSION:
        raise SchemaError(f"expected `version: {VERSION}` and `leads`", where=name, hint="`seamwise leads PATH --accept FILE` writes one")
    if value["leads"] is not None and not isinstance(value["leads"], list):
        raise SchemaError("expected a list of causes", where=document.where(("leads",)))
    out: Accepted = {}
    for n, item in enumerate(value["leads"] or ()):
        rule, cause, entry = _entry(document, n, item)
        if (rule, cause) in out:
            raise SchemaError(f"expected every cause once, got `{cause}` of `{rule}` again", where=entry.where)
        out[(rule, cause)] = entry
    return out


def _entry(document: Document, n: int, item: Any) -> tuple[str, str, Entry]:
    where = document.where(("leads", n))
    if not isinstance(item, dict):
        raise SchemaError(f"expected an entry with {', '.join(_KEYS)}, got `{item}`", where=where)
    for key in item:
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS) or f"keys: {', '.join(_KEYS)}"
            raise SchemaError(f"unknown key `{key}`", where=document.where(("leads", n, key), key=True), hint=hint)
    for key in _KEYS:
        if not isinstance(item.get(key), str) or not item[key].strip():
            raise SchemaError(f"expected a text as `{key}`", where=where)
    if item["rule"] not in RULES:
        hint = did_you_mean(item["rule"], RULES) or f"rules: {', '.join(RULES)}"
        raise SchemaError(f"unknown rule `{item['rule']}`", where=document.where(("leads", n, "rule")), hint=hint)
    try:
        until = date.fromisoformat(item["until"])
    except ValueError as error:
        at = document.where(("leads", n, "until"))
        raise SchemaError(f"expected a day such as 2027-01-31, got `{item['until']}`", where=at) from error
    return item["rule"], item["cause"], Entry(item["reason"].strip(), until, where)


def without_accepted(leads: Iterable[Lead], accepted: Accepted, *, today: date) -> Sorted:
    """The leads that are not accepted today, and what became of the entries."""
    told: list[Lead] = []
    met: set[tuple[str, str]] = set()
    n_accepted = 0
    for lead in leads:
        key = (lead.rule, lead.cause)
        entry = accepted.get(key)
        if entry is not None:
            met.add(key)
        if entry is not None and entry.until >= today:
            n_accepted += 1
        else:
            told.append(lead)
    expired = [
        f"{entry.where}: `{cause}` of `{rule}` was accepted until {entry.until.isoformat()}"
        for (rule, cause), entry in accepted.items()
        if entry.until < today
    ]
    return Sorted(told, n_accepted, expired, len(accepted) - len(met))


def accepted_text(leads: Iterable[Lead], *, reason: str, until: date, old: Accepted | None = None) -> str:
    """A file that accepts every cause of the leads; what an old one accepts keeps its reason and its day."""
    causes: list[Cause] = by_cause(leads)
    lines = ["# Causes of leads that are accepted. `seamwise leads --accepted` reads it.", f"version: {VERSION}"]
    lines.append("leads:" if causes else "leads: []")
    for cause in causes:
        kept = (old or {}).get((cause.rule, cause.cause))
        lines += [
            f"  - rule: {cause.rule}",
            f"    cause: {json.dumps(cause.cause)}",
            f"    reason: {json.dumps(kept.reason if kept else reason)}",
            f"    until: {json.dumps((kept.until if kept else until).isoformat())}",
        ]
    return "\n".join(lines) + "\n"
