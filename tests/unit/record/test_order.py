"""The known order of a trace's steps, against a slow obvious one."""

from __future__ import annotations

import time
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwise.errors import UsageError
from seamwise.record import After, Clock, Order, Step, precedence
from seamwise.testing.strategies import ordered_steps

CLOCKS = {"x": Clock(skew_ns=2), "y": Clock(skew_ns=3), "": Clock(skew_ns=0)}


def step(id: str, **fields: object) -> Step:
    return Step(id=id, kind="note", **fields)  # type: ignore[arg-type]


def relation(steps: list[Step], clocks: dict[str, Clock]) -> set[tuple[int, int]]:
    """Every direct link, the obvious way."""
    index = {s.id: i for i, s in enumerate(steps)}
    links: set[tuple[int, int]] = set()
    for (i, a), (j, b) in product(enumerate(steps), repeat=2):
        if a.seq is not None and b.seq is not None and (a.source or "") == (b.source or "") and a.seq < b.seq:
            links.add((i, j))
        ca, cb = clocks.get(a.source or ""), clocks.get(b.source or "")
        if ca and cb and a.time_ns is not None and b.time_ns is not None and b.time_ns - a.time_ns > ca.skew_ns + cb.skew_ns:
            links.add((i, j))
    links |= {(index[after.step], j) for j, b in enumerate(steps) for after in b.order if after.step in index}
    return links


def closure(n: int, links: set[tuple[int, int]]) -> set[tuple[int, int]]:
    known = set(links)
    for k, i, j in product(range(n), repeat=3):
        if (i, k) in known and (k, j) in known:
            known.add((i, j))
    return known


@given(ordered_steps(), st.sampled_from([{}, CLOCKS, {"x": Clock(skew_ns=0)}]))
@settings(max_examples=500, deadline=None)
def test_it_agrees_with_the_obvious_one(steps: list[Step], clocks: dict[str, Clock]) -> None:
    n, links = len(steps), relation(steps, clocks)
    known = closure(n, links)
    tangled = {i for i in range(n) if (i, i) in known}
    order = precedence(steps, clocks)
    assert {s for cycle in order.cycles for s in cycle.steps} == {steps[i].id for i in tangled}
    assert len({s for cycle in order.cycles for s in cycle.steps}) == sum(len(cycle.steps) for cycle in order.cycles)
    pairs = {(i, j) for i, j in product(range(n), repeat=2) if order.before(steps[i].id, steps[j].id) is not None}
    if not tangled:
        assert pairs == known
    # Contradictions only ever take order away, and never between the untangled by links of the untangled.
    assert pairs <= known
    assert all((j, i) not in pairs for i, j in pairs)
    assert closure(n, pairs) == pairs
    sound = {(i, j) for i, j in links if i not in tangled and j not in tangled}
    assert closure(n, sound) <= pairs


@given(ordered_steps(), st.sampled_from([{}, CLOCKS]))
@settings(max_examples=300, deadline=None)
def test_reasons_are_links_that_hold(steps: list[Step], clocks: dict[str, Clock]) -> None:
    order = precedence(steps, clocks)
    links = relation(steps, clocks)
    index = {s.id: i for i, s in enumerate(steps)}
    for a, b in product(steps, repeat=2):
        why = order.why(a.id, b.id)
        basis = order.before(a.id, b.id)
        assert (basis is None) == (not why)
        if why:
            assert why[0].before == a.id
            assert why[-1].after == b.id
            assert all(one.after == two.before for one, two in pairwise(why))
            assert all((index[link.before], index[link.after]) in links for link in why)
            assert basis in {link.basis for link in why}
    for cycle in order.cycles:
        assert cycle.links[0].before == cycle.links[-1].after
        assert all(one.after == two.before for one, two in pairwise(cycle.links))
        assert all((index[link.before], index[link.after]) in links for link in cycle.links)
        assert {link.before for link in cycle.links} <= set(cycle.steps)


def bases(order: Order, *pairs: str) -> list[str | None]:
    return [order.before(pair[0], pair[1]) for pair in pairs]


def test_sequences_are_per_source_and_ties_are_unordered() -> None:
    order = precedence([step("a", seq=1), step("b", seq=2), step("c", seq=2), step("d", seq=3, source="x"), step("e")], {})
    assert bases(order, "ab", "ba", "bc", "ad", "ae", "aa") == ["sequence", None, None, None, None, None]


def test_clocks_need_more_than_the_sum_of_both_skews() -> None:
    steps = [
        step("a", source="x", time_ns=10),
        step("b", source="y", time_ns=15),
        step("c", source="y", time_ns=16),
        step("d", source="z", time_ns=99),
    ]
    order = precedence(steps, CLOCKS)
    assert bases(order, "ab", "ac", "ca", "ad", "da") == [None, "clock", None, None, None]
    assert bases(precedence(steps, {}), "ac") == [None]
    assert bases(precedence(steps, {"x": Clock(skew_ns=-5), "y": Clock(skew_ns=0)}), "ac") == [None]


def test_a_reason_without_a_clock_is_preferred_and_the_weakest_link_named() -> None:
    steps = [
        step("a", time_ns=0),
        step("b", time_ns=50, order=(After(step="a", basis="message"),)),
        step("c", time_ns=100, order=(After(step="b", basis="parent"),)),
        step("d", time_ns=200),
        step("e", order=(After(step="d", basis="parent"),)),
    ]
    order = precedence(steps, {"": Clock(skew_ns=0)})
    assert bases(order, "ac", "ad", "ae", "ea") == ["message", "clock", "clock", None]
    assert [link.basis for link in order.why("a", "c")] == ["message", "parent"]
    assert [link.basis for link in order.why("a", "e")] == ["clock", "parent"]


def test_a_cycle_names_its_members_and_leaves_the_rest_in_order() -> None:
    steps = [step(str(i), seq=i) for i in range(10)]
    steps[4] = step("4", seq=4, order=(After(step="6", basis="message"),))
    order = precedence(steps, {})
    (cycle,) = order.cycles
    assert cycle.steps == ("4", "5", "6")
    assert {link.basis for link in cycle.links} == {"sequence", "message"}
    assert order.before("4", "6") is None
    assert order.before("5", "6") is None
    assert bases(order, "34", "37", "47", "57", "67", "09") == ["sequence"] * 6


def test_a_step_that_follows_itself_or_nothing() -> None:
    order = precedence([step("a", order=(After(step="a", basis="parent"), After(step="gone", basis="parent")))], {})
    assert order.cycles[0].steps == ("a",)
    assert order.before("a", "a") is None
    assert [link.before for link in order.dangling] == ["gone"]
    with pytest.raises(UsageError, match="expected a step of this trace, got `gone`"):
        order.before("a", "gone")


def test_two_copies_of_one_id_count_where_they_agree() -> None:
    steps = [step("a", seq=1), step("b", seq=2), step("b", seq=2, text="fuller"), step("c", seq=3), step("c", seq=0)]
    assert bases(precedence(steps, {}), "ab", "ac", "ca") == ["sequence", None, None]


@pytest.mark.parametrize("tangled", [False, True])
def test_a_long_trace_takes_linear_time(tangled: bool) -> None:
    n = 20_000
    steps = [
        step(str(i), seq=i, source=str(i % 2), time_ns=-i if tangled else i, order=(After(step=str(i // 2), basis="parent"),) if i else ())
        for i in range(n)
    ]
    started = time.monotonic()
    order = precedence(steps, {"0": Clock(skew_ns=1), "1": Clock(skew_ns=1)})
    assert order.before("0", str(n - 1)) == (None if tangled else "parent")
    assert sum(len(cycle.steps) for cycle in order.cycles) == (n if tangled else 0)
    assert time.monotonic() - started < 15
