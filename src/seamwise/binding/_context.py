"""The organization that a pack states, as the context of judgements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seamwise.binding._composed import composed
from seamwise.binding._cursor import Cursor
from seamwise.errors import did_you_mean
from seamwise.kernel import Context
from seamwise.record import Organization

PARTS: dict[str, str] = {name: name for name in Organization.__struct_fields__ if name != "complete"} | {"scopes": "scope"}
"""Part of the organization -> the name by which kinds know it."""
KNOWN = (*PARTS, "registry")
READ = {"rights": "rights", "scope": "scopes", "tools": "tools", "attested": "attested"}
"""Parts that traces may record and contracts read, and their names in a recorded organization."""


def compile_context(cursor: Cursor) -> Context:
    """The context under the cursor.

    Raises:
        PackError: It names an unknown part.
    """
    sections = cursor.fields((*KNOWN, "complete"), what="part of the organization")
    parts: dict[str, Mapping[str, Any]] = {}
    for name, section in sections.items():
        if name != "complete":
            parts[PARTS.get(name, name)] = {composed(entry): settled(_value(at, name)) for entry, at in section.entries().items()}
    complete = set()
    for item in sections["complete"].items() if "complete" in sections else ():
        name = item.text()
        if name not in KNOWN:
            raise item.expected("a part of the organization", hint=did_you_mean(name, KNOWN))
        complete.add(PARTS.get(name, name))
    return Context(parts=parts, complete={part: len(parts.get(part, {})) for part in sorted(complete)})


def _value(cursor: Cursor, part: str) -> Any:
    if part in ("rights", "scopes", "tools"):
        return () if cursor.value in ([], ()) else cursor.texts()
    return settled(cursor.value)


def recorded_context(organization: Organization) -> Context:
    """What a trace's header records of the parts that contracts read."""
    parts: dict[str, Mapping[str, Any]] = {}
    for part, name in READ.items():
        entries = getattr(organization, name)
        if entries:
            parts[part] = {composed(entry): settled(value) for entry, value in entries.items()}
    complete = {part: len(parts.get(part, {})) for part, name in READ.items() if name in organization.complete}
    return Context(parts=parts, complete=complete)


def settled(value: Any) -> Any:
    """Lists as tuples and numbers as plain ones, so that entries compare."""
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, (list, tuple)):
        return tuple(settled(item) for item in value)
    if isinstance(value, Mapping):
        return {composed(str(name)): settled(item) for name, item in value.items()}
    return value


def joined(stated: Context, recorded: Context) -> Context:
    """Both contexts; where they differ on an entry, what the user states counts.

    A part that the recording calls complete is not, where the user knows of an entry that it lacks.
    """
    if not recorded.parts and not recorded.complete:
        return stated
    parts = {part: {**recorded.parts.get(part, {}), **stated.parts.get(part, {})} for part in {**recorded.parts, **stated.parts}}
    complete = {p: n for p, n in recorded.complete.items() if stated.parts.get(p, {}).keys() <= recorded.parts.get(p, {}).keys()}
    return Context(parts=parts, complete={**complete, **stated.complete})


def disagreements(stated: Context, recorded: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What a recording says of the organization otherwise than the page, in words; the page counts all the same."""
    names = {part: name for name, part in PARTS.items()}
    for part, entries in recorded.items():
        mine = stated.parts.get(part, {})
        for entry, value in entries.items():
            if entry in mine and settled(mine[entry]) != settled(value):
                yield f"`organization.{names.get(part, part)}.{entry}`: a recording says otherwise; the page counts"
            elif entry not in mine and part in stated.complete:
                has = f"the page says that its {stated.complete[part]} entries are all there are"
                yield f"`organization.{names.get(part, part)}`: {has}, and a recording holds `{entry}` besides; both count, and no others"
