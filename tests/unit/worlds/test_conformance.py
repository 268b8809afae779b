"""Every world of ours proves itself as every other must."""

from __future__ import annotations

import pytest

from seamwise.worlds import BUILT_IN, load_world
from seamwise.worlds.conformance import check_world
from unit.worlds.playing import failing, played


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_world_keeps_what_a_world_must_keep(name: str) -> None:
    checks = list(check_world(load_world(name), seeds=2))
    assert [f"{c.name}: {c.why}" for c in checks if not c.ok] == []
    assert len(checks) == 14


@pytest.mark.parametrize("name", BUILT_IN)
def test_ten_runs_of_one_seed_give_one_trace(name: str) -> None:
    world = load_world(name)
    assert len({played(world, "hurried", seed=3).episode.digests["trace"] for _ in range(10)}) == 1


@pytest.mark.parametrize("name", BUILT_IN)
def test_agent_counterpart_and_judge_fail_differently_and_none_is_a_measurement(name: str) -> None:
    world = load_world(name)
    agent = played(world, voices=failing("agent")).episode
    assert (agent.status, agent.outcome) == ("agent_failed", None)
    counterpart = played(world, voices=failing("counterpart")).episode
    assert counterpart.status == "valid" or (counterpart.status, counterpart.outcome) == ("counterpart_failed", None)
    judge = played(world, voices=failing("judge")).episode
    assert judge.status == "valid"
    assert judge.outcome is not None
    if world.needs_judge:
        assert judge.outcome.judge.get("unavailable")


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_prompt_names_the_risk(name: str) -> None:
    world = load_world(name)
    words = ("risk", "violation", "collusion", "deception", "misrout", "bias towards", "drift", "red team", "experiment")
    for condition in world.conditions:
        trace = played(world, "careful", condition=condition).trace
        prompts = " ".join(role["prompt"] for role in trace.header.organization.roles.values()).lower()
        assert [w for w in words if w in prompts] == []
