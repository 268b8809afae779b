"""One rule of a stream: which steps it takes, and what a record of them holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from seamwise.binding._cursor import Cursor
from seamwise.binding._field import Field, PathReader, compile_field
from seamwise.binding._match import Match, compile_match
from seamwise.binding._moment import MomentRule, compile_moment
from seamwise.binding._ok import Ok, compile_ok
from seamwise.binding._path import ROOTS, Getter, compile_path
from seamwise.binding._table import ROW, TABLE_KEYS, Columns, TableRule, compile_table
from seamwise.binding._when import When, compile_when
from seamwise.errors import did_you_mean
from seamwise.record import STEP_KINDS, Step

RECORD_KEYS = ("when", "match", "as", "fields", "actor", "recipients", "time", "ok")
"""What a rule may say of its records, whatever they are read off."""
RULE_KEYS = ("tool", "kind", "agent", "channel", "name", "opens", *RECORD_KEYS)
TABLE_RULE_KEYS = (*TABLE_KEYS, "name", *RECORD_KEYS)
SELECTORS = ("tool", "kind", "agent", "channel", "name")
OPENING_KINDS = frozenset({"tool_call", "action", "model_call"})
"""Steps of these kinds open an operation, which a later step ends."""
CALLS = ("tool_call", "tool_result")
"""What a rule that names a tool and no kind takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule, compiled."""

    tools: tuple[str, ...]
    kinds: tuple[str, ...]
    tests: tuple[Callable[[Step], bool], ...]
    """What else must hold of the step itself."""
    when: tuple[When, ...]
    """What must hold of the operation's content."""
    kind: str | None
    """Kind of the record; None: the step's own."""
    opens: str | None
    """Kind of the record of an opening; None: the step's own."""
    fields: tuple[Field, ...]
    whole: bool
    """Without ``fields``: whatever ``data`` holds is a field of its name."""
    actor: Getter | None
    recipients: Getter | None
    ok: Ok | None
    time: MomentRule | None = None
    """Where the moment is read, if it is not the step's own."""
    table: TableRule | None = None
    """The table whose rows it takes, instead of steps."""
    selectors: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """``agent``, ``channel`` and ``name`` with the words that they ask for."""
    place: str = field(compare=False, default="")
    """Where it stands, for messages."""

    def may_take(self, kind: str, tool: str | None) -> bool:
        """Whether it takes steps of this kind and tool, as far as those say."""
        if self.tools and (tool is None or not _any(self.tools, tool)):
            return False
        return not self.kinds or _any(self.kinds, kind)

    @property
    def looks(self) -> bool:
        """Whether kind and tool alone do not say that it takes a step."""
        return bool(self.tests or self.when)

    def takes(self, opening: Step | None, step: Step) -> bool:
        """Whether agent, channel, name and content are what the rule asks for; of a call, the opening or the ending may say it."""
        told = all(test(step) for test in self.tests) or (opening is not None and all(test(opening) for test in self.tests))
        return told and all(test(opening, step) for test in self.when)

    def overlaps(self, other: Rule) -> bool:
        """Whether some step may be taken by both."""
        return _meet(self.tools, other.tools) and _meet(self.kinds, other.kinds)


def compile_rule(cursor: Cursor) -> Rule:
    """The rule under the cursor.

    Raises:
        PackError: It is none.
    """
    if any(word in cursor.entries() for word in ("table", "sqlite", "postgres", "query")):
        return _table_rule(cursor)
    parts = cursor.fields(RULE_KEYS)
    if not any(word in parts for word in SELECTORS):
        words = ", ".join(f"`{s}`" for s in (*SELECTORS, "table"))
        raise cursor.error(f"expected at least one of {words}, got none", hint="say which steps it takes")
    tools = parts["tool"].texts() if "tool" in parts else ()
    kinds = parts["kind"].texts() if "kind" in parts else ()
    for kind in kinds:
        near = did_you_mean(kind, STEP_KINDS) if kind not in STEP_KINDS and "*" not in kind else None
        if near:
            raise parts["kind"].error(f"expected a kind of step, got `{kind}`", hint=near)
    selectors = tuple((word, parts[word].texts()) for word in ("agent", "channel", "name") if word in parts)
    tests = tuple(_test(word, wanted) for word, wanted in selectors)
    opens = parts["opens"].one_of(sorted(OPENING_KINDS)) if "opens" in parts else None
    kinds = kinds or (CALLS if tools else ())
    return _rule(cursor, parts, compile_path, tools=tools, kinds=kinds, tests=tests, selectors=selectors, opens=opens)


def _table_rule(cursor: Cursor) -> Rule:
    parts = cursor.fields(TABLE_RULE_KEYS)
    columns = Columns()
    complete = parts["complete"].flag() if "complete" in parts else True
    ref = compile_table(parts, cursor)
    table = TableRule(ref=ref, complete=complete, columns=columns.named, reader=columns, where=cursor.document.where(cursor.path))
    return _rule(cursor, parts, columns, kinds=(ROW,), table=table)


def _rule(cursor: Cursor, parts: dict[str, Cursor], read: PathReader, **selecting: Any) -> Rule:
    """The rule whose words are these; what it takes is given."""
    match: Match | None = None
    if "match" in parts:
        match = compile_match(parts["match"], read)
        read = match.reader(read)
    fields = _fields(parts["fields"], read) if "fields" in parts else []
    if match is not None and "fields" not in parts:
        fields = [compile_field(name, parts["match"].at(value=f"match.{name}"), read) for name in match.names]
    when = compile_when(parts["when"], read) if "when" in parts else ()
    return Rule(
        **{"tools": (), "tests": (), "opens": None, **selecting},
        when=when if match is None else (match.takes, *when),
        kind=parts["as"].text() if "as" in parts else None,
        fields=tuple(fields),
        whole="fields" not in parts and match is None,
        actor=_who(parts["actor"], read, table="table" in selecting) if "actor" in parts else None,
        recipients=_who(parts["recipients"], read, table="table" in selecting) if "recipients" in parts else None,
        ok=_ok(parts, fields, read),
        time=compile_moment(parts["time"], read) if "time" in parts else None,
        place=cursor.document.where(cursor.path),
    )


def _ok(parts: dict[str, Cursor], fields: list[Field], read: PathReader) -> Ok | None:
    if "ok" not in parts:
        return None
    if any(f.name == "status" for f in fields):
        hint = "`ok` says how success is told, a field `status` holds a word of the record"
        raise parts["ok"].error("expected either `ok` or a field `status`, got both", hint=hint, key=True)
    return compile_ok(parts["ok"], read)


def _fields(cursor: Cursor, read: PathReader) -> list[Field]:
    out = []
    for name, entry in cursor.entries().items():
        if name == "t":
            hint = "the moment of a record is its step's; another one is read with `time` of the rule"
            raise entry.error("expected another name than `t`; it is the record's own", hint=hint, key=True)
        out.append(compile_field(name, entry, read))
    return out


def _who(cursor: Cursor, read: PathReader, *, table: bool) -> Getter:
    """An actor or recipients: a path where the text begins like one, else a constant; of a table a column."""
    first = cursor.value.split(".")[0].split("[")[0] if isinstance(cursor.value, str) else None
    if first is not None and first not in ROOTS and first != "match" and not table:
        constant = cursor.text()
        return lambda opening, step: constant
    return compile_field("actor", cursor, read).get


def _test(word: str, wanted: tuple[str, ...]) -> Callable[[Step], bool]:
    if word == "agent":
        return _whole("actor", wanted)
    if word == "channel":
        return _whole("channel", wanted)

    def name(step: Step) -> bool:
        value = None if step.data is None else step.data.get("name")
        return isinstance(value, str) and _any(wanted, value)

    return name


def _whole(attribute: str, wanted: tuple[str, ...]) -> Callable[[Step], bool]:
    def test(step: Step) -> bool:
        value: Any = getattr(step, attribute)
        return value is not None and _any(wanted, value)

    return test


def _any(wanted: tuple[str, ...], value: str) -> bool:
    return any(value == word or ("*" in word and fnmatchcase(value, word)) for word in wanted)


def _meet(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    if not some or not others:
        return True
    return any(a == b or "*" in a or "*" in b for a in some for b in others)
