"""Words of the language that make different systems say one thing: actors, moments, patterns, spellings, units."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from seamwise.binding import Pack
from seamwise.binding._moment import moment_of
from seamwise.errors import PackError
from seamwise.record import Clock, Header, Step, Trace

DAY = 86_400 * 10**9
START = 1_767_225_600 * 10**9  # 2026-01-01


def bound(rule: dict[str, Any], *steps: Step, **more: Any) -> list[dict[str, Any]]:
    """The fields of the records that one rule makes of these steps."""
    pack = Pack(streams={"s": {"from": [rule]}}, **more)
    trace = Trace(header=Header(id="t"), steps=steps)
    return [dict(b.record.fields) for b in pack.binder().bind(trace)[0]]


def note(**fields: Any) -> Step:
    return Step(id=fields.pop("id", "s"), kind="note", **fields)


def one(field: Any, value: Any) -> Any:
    """What a field reads off a recorded value, or the word for what went wrong."""
    if isinstance(field, dict) and "path" not in field:
        field = {"path": "data.v", **field}
    pack = Pack(streams={"s": {"from": [{"kind": "note", "fields": {"x": field}}]}})
    counts = pack.binder().coverage()
    (records,) = pack.binder().bind(Trace(header=Header(id="t"), steps=(note(data={"v": value}),)), counts)
    if "x" in records[0].record.fields:
        return records[0].record.fields["x"]
    return "missing" if counts[0].missing else counts[0].failures["x"].expects


def refused(**pack: Any) -> PackError:
    with pytest.raises(PackError) as caught:
        Pack(**pack)
    return caught.value


def of_rule(rule: dict[str, Any]) -> PackError:
    return refused(streams={"s": {"from": [rule]}})


# -- spellings


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ({"strip": "C-", "zeros": "drop", "prefix": "c"}, "C-0017", "c17"),
        ({"zeros": "drop"}, "CUST-0042-007", "CUST-42-7"),
        ({"zeros": "drop"}, "10.05", "10.05"),
        ({"zeros": "drop"}, "000", "0"),
        ({"upper": True}, "usd", "USD"),
        ({"fold": True}, "  \uff2du\u0308ller  &  Sohn ", "m\u00fcller & sohn"),
        ({"fold": True}, "STRASSE", "strasse"),
        ({"fold": True}, "Straße", "strasse"),
        ({"prefix": "c"}, 17, "c17"),
        ({"lower": True}, ["A"], ("A",)),
        ({"pattern": r"(?P<value>\d+)", "map": {"1": "one"}}, "no 1", "one"),
        ({"pattern": r"(?P<value>\d+)", "map": {"1": "one"}}, "no 2", "one of `1`"),
        ({"pattern": r"\d+"}, "none", r"text like `\d+`"),
        ({"json": True, "path": "data.v"}, '{"a": [1]}', {"a": (1,)}),
        ({"path": ["data.w", "data.v", "data.u"]}, "second", "second"),
        ({"path": ["data.w", "data.u"]}, "second", "missing"),
    ],
)
def test_spellings(field: dict[str, Any], value: Any, expected: Any) -> None:
    assert one(field, value) == expected


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ({"unit": "EUR", "decimal": ","}, "1.234,50", Decimal("1234.50")),
        ({"unit": "EUR", "decimal": ","}, "12,5 EUR", Decimal("12.50")),
        ({"unit": "EUR", "decimal": ","}, "-12,5", Decimal("-12.50")),
        ({"unit": "EUR", "decimal": ","}, "1.234", Decimal("1234.00")),
        ({"unit": "EUR", "decimal": ","}, "12.50", "an amount in EUR"),
        ({"unit": "EUR", "decimal": "."}, "1,5", "an amount in EUR"),
        ({"unit": "EUR", "decimal": ","}, 12.5, Decimal("12.50")),
        ({"unit": "USD", "negate": True}, "15", Decimal("-15.00")),
        ({"unit": "USD micros"}, 12_500_000, Decimal("12.50")),
        ({"unit": "USD mills"}, 12_500, Decimal("12.50")),
        ({"unit": "USD thousands"}, "1.5", Decimal("1500")),
        ({"unit": "millions"}, 2, Decimal("2000000")),
        ({"unit": "USD"}, "15 EUR", "an amount in USD"),
    ],
)
def test_amounts(field: dict[str, Any], value: Any, expected: Any) -> None:
    assert one(field, value) == expected


def test_words_that_do_not_go_together() -> None:
    def rule(**field: Any) -> dict[str, Any]:
        return {"kind": "note", "fields": {"x": {"path": "data.v", **field}}}

    assert "either `lower` or `upper`" in of_rule(rule(lower=True, upper=True)).message
    assert "expected `drop`, got `keep`" in of_rule(rule(zeros="keep")).message
    assert "expected `decimal` beside a `unit`" in of_rule(rule(decimal=",")).message
    assert "expected `negate` beside a `unit`" in of_rule(rule(negate=True)).message
    assert "expected `,` or `.`" in of_rule(rule(decimal=";", unit="EUR")).message
    assert "expected a unit, got `EUR dimes`" in of_rule(rule(unit="EUR dimes")).message
    assert of_rule({"kind": "note", "fields": {"x": {"path": ["data.v", "dta.v"]}}}).where == "<pack> `streams.s.from[0].fields.x.path[1]`"


# -- text with several things in it


def test_named_groups_are_fields_with_their_units() -> None:
    rule = {
        "kind": "message",
        "match": r"refunded \$(?P<amount>[\d.,]+) to (?P<customer>\w+)(?: \(ref (?P<ref>\d+)\))?",
        "fields": {
            "amount": {"path": "match.amount", "unit": "USD"},
            "customer": {"path": "match.customer", "upper": True},
            "ref": "match.ref",
        },
    }
    steps = (
        Step(id="a", kind="message", text="I refunded $1,234.5 to c7 (ref 12)."),
        Step(id="b", kind="message", text="nothing to tell"),
        Step(id="c", kind="message", text="refunded $5 to c8"),
    )
    assert bound(rule, *steps) == [
        {"amount": Decimal("1234.50"), "currency": "USD", "customer": "C7", "ref": "12"},
        {"amount": Decimal("5.00"), "currency": "USD", "customer": "C8"},
    ]
    bare = {"kind": "message", "match": rule["match"]}
    assert bound(bare, steps[0]) == [{"amount": Decimal("1234.5"), "customer": "c7", "ref": "12"}]


def test_a_match_looks_where_it_is_told() -> None:
    rule = {
        "kind": "note",
        "match": {"path": "data.log", "pattern": "(?P<who>[a-z]+) signed"},
        "actor": "match.who",
        "when": {"path": "data.ok", "equals": True},
    }
    assert bound(rule, note(data={"log": "ann signed", "ok": True}), note(data={"log": "bob signed", "ok": False})) == [
        {"actor": "ann", "who": "ann"}
    ]


def test_matches_that_are_none() -> None:
    assert "at least one named group" in of_rule({"kind": "note", "match": r"\d+"}).message
    assert "another name than `status`" in of_rule({"kind": "note", "match": r"(?P<status>\d+)"}).message
    error = of_rule({"kind": "note", "match": "(?P<amount>.)", "fields": {"x": "match.amuont"}})
    assert (error.message, error.hint) == ("expected a named group of `match`, got `amuont`", "did you mean `amount`?")


# -- moments


@pytest.mark.parametrize(
    ("text", "more", "t"),
    [
        ("2026-01-02", {}, START + DAY),
        ("2026-01-01T01:00:00+01:00", {}, START),
        ("2026-01-01T00:00:00Z", {}, START),
        ("2026-01-01 00:00:00.123456789Z", {}, START + 123_456_789),
        ("2026-01-01T00:00:00.5Z", {}, START + 500_000_000),
        ("2026-01-01 00:00:00", {}, None),
        ("20260101", {}, None),
        ("yesterday", {}, None),
        (7, {}, None),
        ("1767225600", {"unit": 10**9}, START),
        (1767225600123, {"unit": 10**6}, START + 123_000_000),
        (1767225600.5, {"unit": 10**9}, START + 500_000_000),
        (True, {"unit": 10**9}, None),
        ("1e400", {"unit": 10**9}, None),
        ("nan", {"unit": 10**9}, None),
        ("02.01.2026", {"spelling": "%d.%m.%Y"}, START + DAY),
        ("31.02.2026", {"spelling": "%d.%m.%Y"}, None),
    ],
)
def test_moments(text: Any, more: dict[str, Any], t: int | None) -> None:
    found = moment_of(text, **more)
    assert (None if found is None else found.t) == t


def test_local_times_need_a_zone_and_mean_one_moment() -> None:
    zoneinfo = pytest.importorskip("zoneinfo")
    try:
        berlin = zoneinfo.ZoneInfo("Europe/Berlin")
    except zoneinfo.ZoneInfoNotFoundError:
        pytest.skip("this machine has no database of zones")
    found = moment_of("2026-01-01 01:00:00", zone=berlin)
    assert found is not None
    assert found.t == START
    assert moment_of("2026-10-25 02:30:00", zone=berlin) is None  # it comes twice
    assert moment_of("2026-03-29 02:30:00", zone=berlin) is None  # it does not come
    assert moment_of("2026-10-25 02:30:00+01:00", zone=berlin) is not None


def test_the_time_of_a_record_is_where_the_rule_says() -> None:
    rule = {"kind": "note", "time": {"path": "data.at", "zone": "+02:00"}, "fields": {}}
    step = note(data={"at": "2026-01-03 01:00"}, time_ns=START)
    assert bound(rule, step) == [{"t": START + DAY + 23 * 3600 * 10**9}]
    pack = Pack(streams={"s": {"from": [rule]}}, clock={"skew": "2s", "because": "NTP"})
    trace = Trace(
        header=Header(id="t"), steps=(step, note(id="d", data={"at": "2026-01-03"}), note(id="n", data={"at": "?"}), note(id="m"))
    )
    counts = pack.binder().coverage()
    records = [b.record for b in pack.binder().bind(trace, counts)[0]]
    t = START + DAY + 23 * 3600 * 10**9
    assert [r.time for r in records] == [
        (t - 2 * 10**9, t + 2 * 10**9),
        (START + 2 * DAY - 2 * 10**9, START + 3 * DAY - 1 + 2 * 10**9),
        None,
        None,
    ]
    assert [("t" in r.fields) for r in records] == [True, True, False, False]
    assert counts[0].told()["first_unparsed"] == {
        "time": "<pack> `streams.s.from[0].time`: expected a moment with a zone, or a day, got `?` - at trace t #3"
    }
    assert counts[0].missing == {"time": 1}


def test_zones_and_formats_that_are_none() -> None:
    assert "did you mean" in str(of_rule({"kind": "note", "time": {"path": "data.at", "zone": "Europe/Berln"}}).hint)
    assert "expected a zone of time, got `+99:00`" in of_rule({"kind": "note", "time": {"path": "data.at", "zone": "+99:00"}}).message
    assert (
        "expected either `unit` or `format`" in of_rule({"kind": "note", "time": {"path": "data.at", "unit": "s", "format": "%d"}}).message
    )
    assert "expected `path`, got nothing" in of_rule({"kind": "note", "time": {"zone": "UTC"}}).message


# -- actors

ALL: dict[str, Any] = {"kind": "*", "fields": {}}


def test_several_agents_share_an_account() -> None:
    actors = [
        {"actor": "svc", "path": "data.metadata.agent"},
        {"actor": "svc", "channel": "billing", "is": "billing_agent"},
        {"actor": "gpt-*", "when": {"path": "tool", "match": "^legal_"}, "is": "legal"},
        {"kind": "span", "is": "nobody"},
    ]
    steps = (
        note(actor="svc", channel="billing", data={"metadata": '{"agent": "recovery"}'}),
        note(actor="svc", channel="billing"),
        note(actor="svc", channel="sales"),
        Step(id="c", kind="tool_call", actor="gpt-5", tool="legal_check", call="k"),
        Step(id="r", kind="tool_result", actor=None, tool="legal_check", call="k", status="ok"),
        note(actor="gpt-5"),
        Step(id="x", kind="span"),
        note(),
    )
    assert [r.get("actor") for r in bound(ALL, *steps, actors=actors)] == [
        "recovery", "billing_agent", "svc", "legal", "gpt-5", "nobody", None,
    ]  # fmt: skip
    assert bound({**ALL, "actor": "told"}, steps[1], actors=actors) == [{"actor": "told"}]


def test_one_agent_has_several_names() -> None:
    step = note(actor="Billing-Agent", recipients=("svc_legal", "ann"))
    assert bound(ALL, step, actors={"Billing-Agent": "billing", "svc_legal": "legal"}) == [
        {"actor": "billing", "recipients": ("legal", "ann")}
    ]


def test_rules_of_actors_that_are_none() -> None:
    assert "either `is` (a name) or `path`" in refused(actors=[{"actor": "a"}]).message
    assert "got both" in refused(actors=[{"actor": "a", "is": "b", "path": "data.x"}]).message
    assert "expected at least one of `actor`" in refused(actors=[{"is": "b"}]).message
    assert refused(actors=[{"acter": "a", "is": "b"}]).hint == "did you mean `actor`?"
    assert refused(actors=[{"actor": "a", "path": "dta.x"}]).where == "<pack> `actors[0].path`"


def test_a_pack_with_actors_and_tables_is_one_in_another_process() -> None:
    import pickle

    pack = Pack(
        streams={"s": {"from": [{"table": "a.csv", "fields": {"x": "b"}}]}}, actors={"a": "b"}, clock={"skew": "1s", "because": "x"}
    )
    again = pickle.loads(pickle.dumps(pack))
    assert again.tables == pack.tables
    assert again.clock == Clock(skew_ns=10**9, basis="x")
    assert [
        d.record.fields
        for d in Pack(streams={"s": {"from": [ALL]}}, actors={"a": "b"})
        .binder()
        .bind(Trace(header=Header(id="t"), steps=(note(actor="a"),)))[0]
    ] == [{"actor": "b"}]


# -- tables in the language


def table(**more: Any) -> dict[str, Any]:
    return {"table": "payments.csv", "fields": {"customer": "c", "amount": "a"}, **more}


TWICE = "expected `authority` or `same_as`, got neither: what is in the table and in a trace would count twice"


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        ({"from": [{"table": "payments.xlsx"}]}, "expected a table, got `payments.xlsx`"),
        ({"from": [{"sqlite": "a.db"}]}, "expected either `table` or `query` of the database, got neither"),
        ({"from": [{"sqlite": "a.db", "table": "t", "query": "select 1"}]}, "expected either `table` or `query` of the database, got both"),
        ({"from": [{"sqlite": "a.db", "postgres": "service=x", "table": "t"}]}, "expected either `sqlite` or `postgres`, got both"),
        ({"from": [{"query": "select 1"}]}, "expected `sqlite` or `postgres` beside `query`, got neither"),
        ({"from": [table(query="select 1")]}, "expected `query` of a database alone, got one of a file"),
        ({"from": [table(delimiter=";;")]}, "expected one character, got `;;`"),
        ({"from": [{"sqlite": "a.db", "table": "t", "delimiter": ";"}]},
         "expected `delimiter` of a text file alone, got one of a database"),
        ({"from": [table(tool="pay")]}, "expected a known key, got `tool`"),
        ({"from": [table(name="a b")]}, "expected a name of letters, digits, `_`, `-` and `.`, got `a b`"),
        ({"from": [{"sqlite": "a.db", "query": "select 1", "name": "x/y"}]},
         "expected a name of letters, digits, `_`, `-` and `.`, got `x/y`"),
        ({"from": [table()], "authority": ["table:paymnts"]}, "expected a table of the stream, got `table:paymnts`"),
        ({"from": [{"tool": "pay"}], "authority": ["table:x"]}, "expected a table of the stream, got `table:x`"),
        ({"from": [table()], "recording": {"because": "x"}}, "expected no `recording` for a stream that reads a table, got one"),
        ({"from": [table(), {"tool": "pay"}]}, TWICE),
        ({"from": [table(), {"tool": "pay"}], "authority": ["table:payments", "desk"]}, TWICE),
        ({"from": [table(), {"tool": "pay", "fields": {}}], "same_as": "customer"},
         "expected `customer`, which `same_as` names, got a rule that does not read it"),
        ({"from": [table()], "same_as": "custmer"}, "expected a field that the table `payments` binds, got `custmer`"),
        ({"from": [{"tool": "pay"}], "same_as": "ref"}, "expected `same_as` where the stream reads a table, got none of it"),
        ({"from": [table()], "key": {"path": "data.x"}}, "expected a field as the key of a stream that reads a table, got a path"),
    ],
)  # fmt: skip
def test_streams_of_tables_that_are_none(stream: dict[str, Any], message: str) -> None:
    assert refused(streams={"s": stream}).message == message


def test_two_tables_have_two_names() -> None:
    streams = {"a": {"from": [table()]}, "b": {"from": [{**table(), "table": "old/payments.csv"}]}}
    assert "two called `payments`" in refused(streams=streams).message
    streams["b"]["from"][0]["name"] = "old"
    assert sorted(Pack(streams=streams).tables) == ["old", "payments"]


def test_columns_are_paths() -> None:
    pack = Pack(
        streams={"s": {"from": [{"table": "t.csv", "fields": {"a": "Customer ID", "b": "detail.x[0]", "c": "['a.b']", "d": "a.b"}}]}}
    )
    rows = [Step(id="t.csv:2", kind="row", status="ok", data={"Customer ID": "c1", "detail": '{"x": [7]}', "a.b": "dotted"})]
    (records,) = pack.binder().bind_table(pack.tables["t"].ref, rows, pack.binder().coverage())
    assert records[0].record.fields == {"a": "c1", "b": 7, "c": "dotted", "d": "dotted", "status": "ok"}
    assert sorted(pack.tables["t"].columns) == ["Customer ID", "['a.b']", "a.b", "detail.x[0]"]
