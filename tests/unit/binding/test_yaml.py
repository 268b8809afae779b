"""YAML read as hostile input: values as they stand, places of everything, nothing that grows or runs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from seamwise.binding._amount import amount_of
from seamwise.binding._yaml import read_yaml
from seamwise.errors import PackError


def value(text: str) -> object:
    return read_yaml(text.encode(), "org.yaml").value


def refused(text: str | bytes) -> PackError:
    with pytest.raises(PackError) as caught:
        read_yaml(text if isinstance(text, bytes) else text.encode(), "org.yaml")
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no", "no"),
        ("on", "on"),
        ("1:30", "1:30"),
        ("2026-01-01", "2026-01-01"),
        ("007", "007"),
        ("0", 0),
        ("-12", -12),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        (".inf", ".inf"),
        ("true", True),
        ("null", None),
        ("'null'", "null"),
        ("!!str 5", "5"),
        ("[1, a]", [1, "a"]),
        ("", None),
    ],
)
def test_values_are_what_they_look_like(text: str, expected: object) -> None:
    assert value(f"x: {text}") == {"x": expected}
    assert type(value(f"x: {text}")["x"]) is type(expected)  # type: ignore[index]


def test_a_decimal_keeps_its_digits() -> None:
    found = value("x: 19.990000000000000001")["x"]  # type: ignore[index]
    amount = amount_of(found)
    assert amount is not None
    assert amount.number == Decimal("19.990000000000000001")


def test_everything_has_its_place() -> None:
    document = read_yaml(b"a:\n  - {b: 1}\n  - c\n", "org.yaml")
    assert document.where(("a", 0, "b")) == "org.yaml:2:9 `a[0].b`"
    assert document.where(("a", 0, "b"), key=True) == "org.yaml:2:6 `a[0].b`"
    assert document.where(("a", 1)) == "org.yaml:3:5 `a[1]`"
    assert document.where(("a", 0, "missing", "x")).startswith("org.yaml:2:5 ")


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("a: 1\nb: 2\na: 3\n", "every key once, got `a` again", "org.yaml:3:1"),
        ("a: {b: 1, b: 2}", "every key once", "org.yaml:1:11"),
        ("a: [1", "expected YAML", "org.yaml:"),
        ("a: b: c", "mapping values are not allowed", "org.yaml:1:5"),
        ("? [a]\n: 1", "text as a key", "org.yaml:1:3"),
        ("a: !!python/object/apply:os.system [x]", "expected no tag", "org.yaml:1:4"),
        ("a: !thing b", "expected no tag", "org.yaml:1:4"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "merge key", "org.yaml:3:3"),
        ("a: 1\n---\nb: 2\n", "expected YAML", "org.yaml:2:1"),
        ("a: *nowhere", "expected YAML", "org.yaml:1:4"),
        ("a:\n\t- b", "expected YAML, got '\\t'", "org.yaml:2:1"),
        ("a: {\n", "expected YAML, got the end of the file where a value was due", "org.yaml:2:1"),
        ('a: "b\n', "expected YAML, got unexpected end of stream", "org.yaml:2:1"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, message: str, place: str) -> None:
    error = refused(text)
    assert message in error.message
    assert (error.where or "").startswith(place)


def test_aliases_are_followed_and_do_not_explode() -> None:
    assert value("a: &x [1]\nb: *x") == {"a": [1], "b": [1]}
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    assert "at most" in refused(bomb).message


def test_an_alias_that_holds_itself_ends() -> None:
    assert "levels" in refused("a: &x [*x]").message


@pytest.mark.parametrize("text", ["[" * 5000, "a: " + "{b: " * 3000, "- " * 3000 + "x"])
def test_depth_is_bounded(text: str) -> None:
    refused(text)


def test_size_and_encoding_are_bounded() -> None:
    assert "bytes" in refused(b"a: " + b"x" * (5 << 20)).message
    assert "UTF-8" in refused(b"a: \xff").message
    assert value("\ufeffa: 1") == {"a": 1}
