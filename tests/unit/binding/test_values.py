"""Paths, amounts and fields: what was not recorded stays absent, what does not parse is told apart."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwise.binding._amount import amount_of, unit_of
from seamwise.binding._composed import composed
from seamwise.binding._cursor import Cursor, document_of
from seamwise.binding._field import UNPARSED, compile_field
from seamwise.binding._path import MISSING, compile_path
from seamwise.binding._stream import key_shown, key_text
from seamwise.errors import PackError
from seamwise.record import Step

OPENING = Step(
    id="o",
    kind="tool_call",
    actor="billing",
    tool="refund",
    call="k",
    data={"arguments": {"cust": "C17 ", "cents": 1265, "n": 15.1, "deep": '{"a": [{"b": "x"}, {"b": "y"}]}', "null": None}},
)
ENDING = Step(
    id="e", kind="tool_result", actor="tool", call="k", text="issued (ref 471)", data={"result": {"status": "done", "a.b": [1, 2]}}
)


def cursor(value: Any) -> Cursor:
    return Cursor.root(document_of(value, "<test>"))


def path(text: str) -> Any:
    return compile_path(cursor(text))(OPENING, ENDING)


def field(value: Any, name: str = "x") -> Any:
    return compile_field(name, cursor(value)).get(OPENING, ENDING)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arguments.cust", "C17 "),
        ("result.status", "done"),
        ("result['a.b'][1]", 2),
        ("result['a.b'][-1]", 2),
        ("result['a.b'][7]", MISSING),
        ("result.none.of.these", MISSING),
        ("arguments.null", MISSING),
        ("arguments.deep.a[0].b", "x"),
        ("arguments.deep.a[*].b", ["x", "y"]),
        ("arguments.cust.deeper", MISSING),
        ("text", "issued (ref 471)"),
        ("actor", "billing"),
        ("tool", "refund"),
        ("call", "k"),
        ("time", MISSING),
        ("recipients", MISSING),
        ("data.result.status", "done"),
        ("data.arguments.cents", 1265),
    ],
)
def test_paths(text: str, expected: object) -> None:
    assert path(text) == expected


@pytest.mark.parametrize(
    "text", ["", "argument.x", "a b", "arguments..x", "arguments[x]", ".arguments", "[0]", "arguments." + "a." * 40 + "b"]
)
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(PackError):
        compile_path(cursor(text))


def test_a_slip_in_a_path_is_told() -> None:
    with pytest.raises(PackError) as caught:
        compile_path(cursor("argumets.x"))
    assert caught.value.hint == "did you mean `arguments`?"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"path": "arguments.cents", "unit": "cents"}, Decimal("12.65")),
        ({"path": "arguments.cents", "unit": "USD cents"}, Decimal("12.65")),
        ({"path": "arguments.n", "unit": "USD"}, Decimal("15.10")),
        ({"path": "text", "pattern": r"ref (\d+)"}, "471"),
        ({"path": "text", "pattern": r"(?P<word>\w+) \(ref (?P<value>\d+)"}, "471"),
        ({"path": "text", "pattern": "nothing"}, UNPARSED),
        ({"path": "text", "unit": "USD"}, UNPARSED),
        ({"path": "arguments.cust", "strip": True, "lower": True}, "c17"),
        ({"path": "arguments.cust", "strip": "C"}, "17 "),
        ({"path": "result.status", "map": {"done": "ok"}}, "ok"),
        ({"path": "result.status", "map": {"paid": "ok"}}, UNPARSED),
        ({"path": "arguments.deep", "json": True}, {"a": ({"b": "x"}, {"b": "y"})}),
        ({"path": "arguments.nowhere", "unit": "USD"}, MISSING),
        ({"value": "policy"}, "policy"),
        ("arguments.n", Decimal("15.1")),
        ("result['a.b']", (1, 2)),
    ],
)
def test_fields(value: object, expected: object) -> None:
    assert field(value) == expected


def test_an_amount_is_a_number_by_its_name() -> None:
    assert field("result.status", "amount") is UNPARSED
    assert field("arguments.n", "amount") == Decimal("15.1")


@pytest.mark.parametrize(
    "value",
    [
        {"path": "text", "value": 1},
        {"unit": "USD"},
        {"path": "text", "unit": "dollars"},
        {"path": "text", "pattern": "("},
        {"path": "text", "pattern": "(a)(b)"},
        {"path": "text", "paht": "x"},
        {"path": "text", "lower": "yes"},
        {"path": "text", "strip": False},
        ["text"],
        5,
    ],
)
def test_what_is_no_field_is_refused(value: object) -> None:
    with pytest.raises(PackError):
        field(value)


@pytest.mark.parametrize(
    ("value", "number", "currency"),
    [
        ("$1,234.50", "1234.50", "USD"),
        ("-$5", "-5", "USD"),
        ("40 USD", "40", "USD"),
        ("EUR 40", "40", "EUR"),
        (15.1, "15.1", None),
        (10**30, "1" + "0" * 30, None),
        ("1e3", "1000", None),
        (" 7 ", "7", None),
    ],
)
def test_amounts(value: object, number: str, currency: str | None) -> None:
    assert amount_of(value) == (Decimal(number), currency)


@pytest.mark.parametrize(
    "value", ["", "1,5", "1.234,50", "12,34.5", "five", "nan", "inf", "1 2", "$", "40 usd", True, None, [1], "9" * 200]
)
def test_what_is_no_amount(value: object) -> None:
    assert amount_of(value) is None


def test_a_sign_of_money_counts_only_where_the_binding_says_so() -> None:
    dear = Step(id="s", kind="note", data={"arguments": {"sum": "€15"}})
    assert compile_field("amount", cursor("arguments.sum")).get(None, dear) is UNPARSED
    assert compile_field("amount", cursor({"path": "arguments.sum", "unit": "USD"})).get(None, dear) is UNPARSED
    assert compile_field("amount", cursor({"path": "arguments.sum", "unit": "EUR"})).get(None, dear) == Decimal(15)


@given(st.integers(-(10**60), 10**60))
def test_amounts_stay_exact_however_long(number: int) -> None:
    step = Step(id="s", kind="note", data={"arguments": {"sum": str(number)}})
    for unit, factor in (("USD cents", 100), ("cents", 100), ("USD", 1), ("number", 1)):
        found = compile_field("x", cursor({"path": "arguments.sum", "unit": unit})).get(None, step)
        assert Fraction(found) * factor == number


def test_money_is_written_with_cents() -> None:
    def shown(value: object, unit: str) -> str:
        step = Step(id="s", kind="note", data={"arguments": {"sum": value}})
        return str(compile_field("x", cursor({"path": "arguments.sum", "unit": unit})).get(None, step))

    assert [shown(v, "USD") for v in (15, 15.1, "7.125", "-3")] == ["15.00", "15.10", "7.125", "-3.00"]
    assert (shown(1265, "USD cents"), shown(5, "cents"), shown(15, "JPY"), shown(15, "number")) == ("12.65", "0.05", "15", "15")


def test_units() -> None:
    assert unit_of("EUR cents") == ("EUR", 2, False, False)
    assert [unit_of(f"EUR {word}")[1] for word in ("cents", "mills", "micros", "thousands", "millions")] == [2, 3, 6, -3, -6]
    assert [unit_of(text) for text in ("Eur", "EUR number", "EUR dimes", "dimes")] == [None] * 4


@given(st.text(min_size=1))
def test_a_key_in_a_stream_name_comes_back_and_names_one_stream(key: str) -> None:
    name = key_text(key)
    assert name is not None
    assert key_shown(name) == composed(key)  # what looks alike to the letter is one
    assert "/" not in name
    assert "*" not in name
    assert name != "~"


@pytest.mark.parametrize("value", ["", None, True, MISSING, ("a",), {"a": 1}])
def test_what_is_no_key(value: object) -> None:
    assert key_text(value) is None
