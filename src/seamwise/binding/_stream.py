"""One stream of a pack: its rules, its key, and what is stated about its completeness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seamwise.binding._composed import composed
from seamwise.binding._cursor import Cursor
from seamwise.binding._field import Change, change_of, compile_field
from seamwise.binding._path import MISSING, Getter
from seamwise.binding._rule import Rule, compile_rule
from seamwise.binding._spelling import SPELLING_KEYS
from seamwise.binding._table import PREFIX, TableRef
from seamwise.errors import did_you_mean
from seamwise.record import Claim

STREAM_KEYS = ("from", "key", "route", "recording", "authority", "same_as")
STATEMENT_KEYS = ("by", "because")
KEY_KEYS = ("field", "path", "value", "json", "pattern", *SPELLING_KEYS, "map")
BY_LOCK = "lock"
"""Who says how many operations there are where a lock file froze their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A statement that all operations of a stream are recorded."""

    by: str
    because: str
    count: int | None
    """How many there are; None: as many as are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A stream, compiled."""

    name: str
    rules: tuple[Rule, ...]
    key_field: str | None
    """The field that holds the key; None where there is no key, or it is no field."""
    key: Getter | None
    """Reads the key where it is no field."""
    key_change: Change | None
    """What is done to the field's value to make it the key; the field then holds the key."""
    route: Claim | None
    recording: Recording | None
    authority: frozenset[str]
    """Sources whose word counts; empty: any."""
    same_as: str | None = None
    """The field that names an operation: what a table and a trace say of one name is one operation."""

    @property
    def keyed(self) -> bool:
        """Whether its records lie in a stream for each key."""
        return self.key_field is not None or self.key is not None

    @property
    def key_name(self) -> str:
        """What a person calls its key."""
        return self.key_field or "key"

    @property
    def tables(self) -> tuple[TableRef, ...]:
        """The tables whose rows it holds."""
        return tuple(dict.fromkeys(rule.table.ref for rule in self.rules if rule.table is not None))

    @property
    def counted_by_tables(self) -> bool:
        """Whether its tables are said to hold all that there is."""
        return bool(self.tables) and all(rule.table.complete for rule in self.rules if rule.table is not None)

    def has_weight(self, source: str | None) -> bool:
        """Whether the word of a recorded step counts, by its source; no recording speaks for a table."""
        return not self.authority or (source in self.authority and not str(source).startswith(PREFIX))

    def may_hold(self, kind: str) -> bool:
        """Whether a rule makes records of this kind, as far as rules say."""
        return any(rule.kind == kind if rule.kind is not None else kind in rule.kinds for rule in self.rules)

    @property
    def currencies(self) -> frozenset[str]:
        """The currencies that its rules speak of; a field ``currency`` that is read off the records counts as ``*``."""
        named = {f.currency for rule in self.rules for f in rule.fields if f.currency is not None}
        return frozenset(named | {"*" for rule in self.rules for f in rule.fields if f.name == "currency"})

    def may_speak_of(self, currency: str) -> bool:
        """Whether a record of it can be in a currency; one whose rule names no unit may be in any."""
        fields = [f for rule in self.rules for f in rule.fields]
        amounts = [f.currency for f in fields if f.is_amount and f.name == "amount"]
        return currency in amounts or None in amounts or not amounts or any(f.name == "currency" for f in fields)


def compile_stream(name: str, cursor: Cursor) -> Stream:
    """The stream under the cursor.

    Raises:
        PackError: It is none.
    """
    if not name or name.startswith("/") or name.endswith("/") or "//" in name or "*" in name or "~" in name:
        raise cursor.error(f"expected the name of a stream, got `{name}`", hint="words joined by `/`, without `*` and `~`", key=True)
    parts = cursor.fields(STREAM_KEYS, required=("from",))
    rules = tuple(compile_rule(item) for item in parts["from"].items())
    if not rules:
        raise parts["from"].expected("at least one rule")
    key_field, key, key_change = _key(parts["key"], rules) if "key" in parts else (None, None, None)
    stream = Stream(
        name=name,
        rules=rules,
        key_field=key_field,
        key=key,
        key_change=key_change,
        route=_route(name, parts["route"]) if "route" in parts else None,
        recording=_recording(parts["recording"]) if "recording" in parts else None,
        authority=frozenset(parts["authority"].texts()) if "authority" in parts else frozenset(),
        same_as=_same_as(parts["same_as"], rules) if "same_as" in parts else None,
    )
    _check_currencies(stream, parts["from"])
    _check_tables(stream, parts, cursor)
    return stream


def _same_as(cursor: Cursor, rules: tuple[Rule, ...]) -> str:
    named = cursor
    if isinstance(cursor.value, Mapping):
        named = cursor.fields(("field",), required=("field",))["field"]
    name = named.text()
    for rule in rules:
        if rule.table is not None and not rule.whole and all(f.name != name for f in rule.fields):
            known = sorted(f.name for f in rule.fields)
            hint = did_you_mean(name, known) or f"its fields are {', '.join(known)}"
            raise named.error(f"expected a field that the table `{rule.table.ref.name}` binds, got `{name}`", hint=hint)
    if all(rule.table is None for rule in rules):
        raise cursor.error("expected `same_as` where the stream reads a table, got none of it", key=True)
    return name


def _check_tables(stream: Stream, parts: dict[str, Cursor], cursor: Cursor) -> None:
    """What a table and the traces say is told apart: by whose word counts, or by a name that both give an operation."""
    sources = [ref.source for ref in stream.tables]
    for source in sorted(stream.authority):
        if source.startswith(PREFIX) and source not in sources:
            hint = did_you_mean(source, sources) or (f"its tables are {', '.join(sources)}" if sources else "it reads no table")
            raise parts["authority"].error(f"expected a table of the stream, got `{source}`", hint=hint)
    if not sources:
        return
    if stream.recording is not None:
        hint = "take `recording` away: a stream that reads a table is complete where the table holds all of it, whatever traces hold"
        raise parts["recording"].error("expected no `recording` for a stream that reads a table, got one", hint=hint, key=True)
    if stream.key is not None:
        raise parts["key"].error("expected a field as the key of a stream that reads a table, got a path", hint="bind it: `key: customer`")
    traces_weigh = not stream.authority or any(not source.startswith(PREFIX) for source in stream.authority)
    if stream.same_as is not None and traces_weigh:
        _check_all_named(stream, stream.same_as, parts["from"])
    if any(rule.table is None for rule in stream.rules) and traces_weigh and stream.same_as is None:
        hint = f"`authority: [{sources[0]}]` (the table alone counts), or `same_as: FIELD` (the field that names an operation in both)"
        raise cursor.error(
            "expected `authority` or `same_as`, got neither: what is in the table and in a trace would count twice", hint=hint
        )


def _key(cursor: Cursor, rules: tuple[Rule, ...]) -> tuple[str | None, Getter | None, Change | None]:
    if isinstance(cursor.value, str):
        _check_bound(cursor.value, cursor, rules)
        return cursor.value, None, None
    if not isinstance(cursor.value, Mapping):
        raise cursor.expected("the name of a field, or a mapping with `field` or `path`")
    parts = cursor.fields(KEY_KEYS)
    if "field" not in parts:
        return None, compile_field("key", cursor).get, None
    if "path" in parts or "value" in parts:
        raise cursor.error("expected either `field` or `path`, got both")
    name = parts.pop("field")
    _check_bound(name.text(), name, rules)
    return name.text(), None, change_of(parts)


def _check_bound(name: str, cursor: Cursor, rules: tuple[Rule, ...]) -> None:
    if name in ("recipients", "actor"):
        return
    for rule in rules:
        if rule.whole or any(f.name == name for f in rule.fields):
            return
    known = sorted({f.name for rule in rules for f in rule.fields})
    raise cursor.error(f"expected a field of the rules, got `{name}`", hint=f"the rules bind {', '.join(known) or 'no fields'}")


def _statement(parts: dict[str, Cursor], cursor: Cursor) -> tuple[str, str]:
    return parts["by"].text() if "by" in parts else "user", _because(parts, cursor)


def _because(parts: dict[str, Cursor], cursor: Cursor) -> str:
    if "because" not in parts:
        raise cursor.error("expected `because`, got nothing", hint="say why one may believe it; the verdict quotes it")
    return parts["because"].text()


def _route(name: str, cursor: Cursor) -> Claim:
    parts = cursor.fields(STATEMENT_KEYS)
    by, because = _statement(parts, cursor)
    return Claim(sort="route", stream=name, by=by, basis=because)


def _recording(cursor: Cursor) -> Recording:
    parts = cursor.fields((*STATEMENT_KEYS, "count"))
    if "by" in parts and parts["by"].value == BY_LOCK:
        if "count" in parts:
            raise parts["count"].error("expected no `count`, as the lock file holds it, got one", key=True)
        because = parts["because"].text() if "because" in parts else "frozen at first reading"
        return Recording(by=BY_LOCK, because=because, count=None)
    by, because = _statement(parts, cursor)
    return Recording(by=by, because=because, count=parts["count"].number() if "count" in parts else None)


def _check_currencies(stream: Stream, cursor: Cursor) -> None:
    """A stream whose rules state currencies states one for every amount; half a statement would leave amounts of unknown worth."""
    if not stream.currencies:
        return
    for i, rule in enumerate(stream.rules):
        amounts = [f for f in rule.fields if f.is_amount]
        if any(f.currency is None for f in amounts) and not any(f.name == "currency" for f in rule.fields):
            name = next(f.name for f in amounts if f.currency is None)
            raise cursor.at(i, "fields", name).error(
                f"expected a currency for `{name}`, as other rules of `{stream.name}` state one, got none",
                hint="write `unit: USD` or `unit: USD cents`",
            )


def key_text(value: Any) -> str | None:
    """A key as it stands in a stream's name, or None where the value is none."""
    if isinstance(value, bool) or value is None or value is MISSING or isinstance(value, (tuple, dict)):
        return None
    text = str(value)
    if not text:
        return None
    if text == "~":
        return "%7E"
    text = composed(text)
    return text.replace("%", "%25").replace("/", "%2F").replace("*", "%2A") if any(c in "%/*" for c in text) else text


def key_shown(text: str) -> str:
    """The key that :func:`key_text` wrote."""
    return text.replace("%7E", "~").replace("%2A", "*").replace("%2F", "/").replace("%25", "%") if "%" in text else text


def _check_all_named(stream: Stream, name: str, cursor: Cursor) -> None:
    """Where the word of traces counts beside a table's, every rule reads the name by which the two are told to be one operation."""
    for rule, item in zip(stream.rules, cursor.items(), strict=True):
        in_pattern = f"(?P<{name}>" in str(item.value.get("ok", "")) + str(item.value.get("match", ""))
        if not rule.whole and not in_pattern and all(f.name != name for f in rule.fields):
            hint = f"bind it under `fields`, or as a group `(?P<{name}>...)` of `ok`; or say whose word counts: `authority: [...]`"
            raise item.error(f"expected `{name}`, which `same_as` names, got a rule that does not read it", hint=hint)
