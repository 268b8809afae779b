"""What of a recording's words goes into results: cut short, and with secrets masked (the policy is ``seamwise.record.masked``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from seamwise.audit._result import Result, Scene, Summary
from seamwise.record import masked, masked_value, masks_in

MAX_TEXT = 300
"""Characters of a step's text in a result."""
MAX_FIELD = 200
SHORT = 10
"""A field's text of fewer characters is taken as it is, unless its name is that of a secret."""

SMALL = 100_000
"""A field's whole number below this is taken as it is."""

_encode = msgspec.json.Encoder().encode


def cut(text: str, length: int) -> str:
    """The beginning of a text, with a mark where it goes on."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def words_of(text: str | None, *, redact: bool, length: int = MAX_TEXT) -> str | None:
    """A step's text as it may stand in a result."""
    if text is None or not redact:
        return text
    return _told(text, length)


def _told(text: str, length: int, name: str = "") -> str:
    """The beginning of a text, masked before it is cut."""
    out: str = masked_value(text[: length * 8], name)
    if len(out) <= length < len(text):  # a mask took the place of much, so that what was not looked at comes into view
        out = masked_value(text, name)
    return cut(out, length)


def field_of(value: Any, *, redact: bool, name: str = "") -> Any:
    """A field's value as it may stand in a result."""
    if not redact or type(value) is bool:
        return value
    if type(value) is int:
        return masked_value(value, name)
    if isinstance(value, str):
        return _told(value, MAX_FIELD, name)
    if isinstance(value, list):
        return [field_of(item, redact=redact, name=name) for item in value]
    if isinstance(value, dict):
        return {masked(key): field_of(item, redact=redact, name=key) for key, item in value.items()}
    return value


def _masked(results: Iterable[Result]) -> Iterator[Result]:
    """The results, also with the secrets masked that stand in names and sentences; their steps were masked when referred to."""
    for result in results:
        words = "\n".join(_words(result))
        yield result if masked(words) == words else msgspec.convert(masked_value(msgspec.to_builtins(result)), Result)


def _words(result: Result) -> Iterator[str]:
    """What a result says in its own words."""
    yield result.headline
    for name, value in result.instance.items():
        yield f"{name}={value}"
    if result.reason:
        yield result.reason
    for part in (result.notes, result.clashes, result.claims, result.leaning_on):
        for said in part:
            yield said.words
    for gap in result.gaps:
        yield from gap.needs
    yield from result.dropped


def masks_of(told: Iterable[Result | Scene]) -> dict[str, int]:
    """The masks in results and scenes, by kind; a step that several verdicts cite counts in each."""
    found: Counter[str] = Counter()
    for record in told:
        line = _encode(record)
        if b"[masked " in line:
            found += masks_in(line.decode())
    return dict(sorted(found.items()))


def redacted(summary: Summary, results: Iterable[Result], scenes: Iterable[Scene] = ()) -> tuple[Summary, list[Result]]:
    """The audit as it may be written: its names and sentences masked too, and the masks counted, those of its scenes among them."""
    out = list(_masked(results))
    return msgspec.structs.replace(
        msgspec.convert(masked_value(msgspec.to_builtins(summary)), Summary), masked=masks_of((*out, *scenes))
    ), out
