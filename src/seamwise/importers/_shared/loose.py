"""JSON that is not quite JSON: damaged, cut off, in another encoding. What can still be read is read, and every repair is noted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from seamwise.importers._report import ImportReport
from seamwise.importers._shared.text import clean, nesting

SHORT = 60
"""Characters of foreign text that a note may quote."""


class Damage(NamedTuple):
    """Where the notes of one piece of a file go."""

    report: ImportReport
    where: str
    depth: int
    """Deepest nesting that is read."""

    def note(self, code: str, words: str) -> None:
        """One note."""
        self.report.note(code, self.where, words)


_MOST_UNREADABLE = 10_000
"""After so many unreadable pieces of one text, the rest of it is not tried."""

_FAR = 1 << 20
"""Characters."""


def values(content: bytes, damage: Damage) -> Iterator[Any]:
    """The JSON values of a piece of text, one after another; what cannot be read is noted and counted as one dropped record."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        damage.note("bad_utf8", f"byte {error.start} is not UTF-8; such bytes were replaced")
        text = content.decode("utf-8", "replace")
    if "\0" in text:
        damage.note("nul", "NUL characters stand between values; they were removed")
        text = text.replace("\0", "")
    decoder = _decoder(damage)
    at, end, opened = 0, len(text), 0
    before, unreadable = 0, 0
    """Characters that were cut off in front of the text; pieces that could not be read."""
    while at < end:
        while at < end and text[at] in " \t\r\n,":
            at += 1
        if at == end:
            return
        start = at
        try:
            value, at = decoder.raw_decode(text, at)
        except RecursionError:
            damage.note("too_deep", f"character {before + at}: nested deeper than can be read")
            lost(damage, "nested too deeply")
            return
        except json.JSONDecodeError as error:
            here = f"character {before + error.pos}"
            if decoder.strict and error.msg.startswith("Invalid control"):
                damage.note("control_character", f"{here}: a string holds an unescaped control character; it was kept")
                decoder = _decoder(damage, strict=False)
                continue
            if text[at] == "[" and opened < 3:
                # A list that breaks off or breaks: its elements are read one by one.
                opened += 1
                at += 1
                damage.note(
                    "broken_list",
                    f"{here}: the list is damaged or cut off ({error.msg}); its elements were read singly",
                )
                continue
            if text[at] in "]}" and at + 1 == len(text.rstrip()):
                return
            cut = " (the text breaks off)" if error.pos >= end - 1 or "Unterminated" in error.msg else ""
            damage.note("unreadable", f"{here}: {error.msg[:1].lower()}{error.msg[1:]}{cut}: `{text[at : at + SHORT]}`")
            lost(damage, "unreadable")
            whole = _closed(text, at, error.pos)
            if whole is not None:
                at, closers = whole
                try:
                    value = decoder.decode(text[start:at] + closers)
                except (json.JSONDecodeError, RecursionError):
                    continue
                damage.note("cut_off", "a request is damaged or breaks off; the whole records before that were read")
                yield clean(value, damage.note)
            at = _next_line(text, at)
            unreadable += 1
            if unreadable == _MOST_UNREADABLE:
                damage.note("gave_up", f"character {before + at}: {unreadable} pieces could not be read; the rest was not tried")
                lost(damage, "behind too many unreadable pieces")
                return
            if at > _FAR:  # Saying where an error stands costs the length of the text before it.
                text, before, at = text[at:], before + at, 0
                end = len(text)
            continue
        if nesting(value) > 8 * damage.depth:
            damage.note("too_deep", f"nested deeper than {8 * damage.depth} levels")
            lost(damage, "nested too deeply")
            continue
        yield clean(value, damage.note)


def lost(damage: Damage, reason: str) -> None:
    """Counts one record that arrived and stands in no trace."""
    damage.report.records += 1
    damage.report.drop(reason)


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["\[\]{}]', re.DOTALL)
_RECORDS = re.compile(r'"(?:spans|logRecords|log_records|child_spans|observations|runs|child_runs|post|patch)"\s*:\s*$')
"""Where lists of records begin: of a document that breaks off, those before the break are read."""


def _closed(text: str, at: int, end: int) -> tuple[int, str] | None:
    """Where the last whole record ends of a request that is good up to ``end``, and what closes it there; None where there is none."""
    stack: list[str] = []
    best: tuple[int, str] | None = None
    for token in _TOKEN.finditer(text, at, end):
        sign = token.group()
        if sign == '"':
            break  # The text breaks off inside a string.
        if sign == "{":
            stack.append("}")
        elif sign == "[":
            stack.append("]records" if _RECORDS.search(text, max(0, token.start() - 40), token.start()) else "]")
        elif sign in ("]", "}"):
            if not stack or stack.pop()[0] != sign:
                break
            if stack and stack[-1] == "]records":
                best = (token.end(), "".join(level[0] for level in reversed(stack)))
    return best


def _next_line(text: str, at: int) -> int:
    """Where the next line begins that could begin a value."""
    while True:
        at = text.find("\n", at) + 1
        if at == 0:
            return len(text)
        if text[at : at + 1] in ("{", "["):
            return at


def _decoder(damage: Damage, *, strict: bool = True) -> json.JSONDecoder:
    def number(text: str) -> Any:
        value = float(text)
        try:
            exact = Decimal(text)
            if exact == exact.to_integral_value() and abs(exact) > 2**53:
                return int(exact)
        except (InvalidOperation, ValueError, OverflowError):
            pass
        return value

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            keys = [k for k, _ in items]
            twice = sorted({k for k in keys if keys.count(k) > 1})
            damage.note("duplicate_key", f"an object names `{twice[0][:SHORT]}` more than once; the last counts")
        return made

    def constant(text: str) -> str:
        damage.note("not_a_number", f"`{text}` is not JSON; it was kept as text")
        return text

    return json.JSONDecoder(parse_float=number, object_pairs_hook=pairs, parse_constant=constant, strict=strict)
