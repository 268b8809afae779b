"""Stated precedence among bound steps."""

from __future__ import annotations

import time

from seamwise.binding import Precedence
from seamwise.record import After, Step


def step(name: str, *before: str, **more: object) -> Step:
    return Step(id=name, kind="note", order=tuple(After(step=b, basis="parent") for b in before), **more)  # type: ignore[arg-type]


def test_precedence_goes_through_steps_that_are_not_bound() -> None:
    steps = (step("a"), step("x", "a"), step("y", "x"), step("b", "y"), step("c"))
    assert Precedence(steps).before([0, 3, 4]) == {3: (0,)}


def test_of_several_before_it_the_nearest_are_named() -> None:
    steps = (step("a"), step("b", "a"), step("c", "b"))
    assert Precedence(steps).before([0, 1, 2]) == {1: (0,), 2: (1,)}


def test_the_place_in_the_file_means_nothing() -> None:
    steps = (step("c", "x"), step("x", "a"), step("a"))
    assert Precedence(steps).before([0, 2]) == {0: (2,)}


def test_a_circle_orders_nothing() -> None:
    steps = (step("a", "c"), step("b", "a"), step("c", "b"))
    found = Precedence(steps)
    assert found.before([0, 1, 2]) == {}
    assert found.circular


def test_what_is_missing_orders_nothing() -> None:
    assert Precedence((step("a"), step("b", "gone"))).before([0, 1]) == {}


def test_one_writer_s_numbers_need_no_second_word() -> None:
    steps = (step("a", seq=1, source="w"), step("b", "a", seq=2, source="w"))
    assert Precedence(steps).before([0, 1]) == {}


def test_a_long_chain_is_no_recursion() -> None:
    steps = tuple(step(f"s{n}", *([f"s{n - 1}"] if n else [])) for n in range(50_000))
    began = time.process_time()
    assert Precedence(steps).before([0, 49_999]) == {49_999: (0,)}
    assert time.process_time() - began < 5
