"""One stream of a pack: its rules, its key, and what is stated about its completeness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seamwise.binding._cursor import Cursor
from seamwise.binding._field import Change, change_of, compile_field
from seamwise.binding._path import MISSING, Getter
from seamwise.binding._rule import Rule, compile_rule
from seamwise.record import Claim

STREAM_KEYS = ("from", "key", "route", "recording", "authority")
STATEMENT_KEYS = ("by", "because")
KEY_KEYS = ("field", "path", "lower", "strip", "map", "pattern", "json", "value")


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

    @property
    def keyed(self) -> bool:
        """Whether its records lie in a stream for each key."""
        return self.key_field is not None or self.key is not None

    @property
    def key_name(self) -> str:
        """What a person calls its key."""
        return self.key_field or "key"

    def may_hold(self, kind: str) -> bool:
        """Whether a rule makes records of this kind, as far as rules say."""
        return any(rule.kind == kind if rule.kind is not None else kind in rule.kinds for rule in self.rules)

    @property
    def currencies(self) -> frozenset[str]:
        """The currencies that its rules speak of; a field ``currency`` that is read off the records counts as ``*``."""
        named = {f.currency for rule in self.rules for f in rule.fields if f.currency is not None}
        return frozenset(named | {"*" for rule in self.rules for f in rule.fields if f.name == "currency"})


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
    )
    _check_currencies(stream, parts["from"])
    return stream


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
    return text.replace("%", "%25").replace("/", "%2F").replace("*", "%2A") if any(c in "%/*" for c in text) else text


def key_shown(text: str) -> str:
    """The key that :func:`key_text` wrote."""
    return text.replace("%7E", "~").replace("%2A", "*").replace("%2F", "/").replace("%25", "%") if "%" in text else text
