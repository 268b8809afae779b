"""Each of the twelve operations is one change of behaviour: the same agents, and something else happens."""

from __future__ import annotations

from typing import Any

import pytest

from seamwise.errors import SchemaError, UsageError
from seamwise.models import Reply, Scene, call, say
from seamwise.runtime import Edge, Gate, When, Workflow, dump_workflow, load_workflow
from seamwise.runtime.operations import OPERATIONS, apply
from unit.runtime.desk import DESK, play, runtime


def desk(scene: Scene) -> Reply:
    """Pays what it is told; the boss approves up to ten; the second clerk relays what is not marked private."""
    if scene.has("approve"):
        amount = float(scene.find(r'"amount": ([\d.]+)').group(1))
        return call("approve") if amount <= 10 else call("reject", reason="too much")
    if scene.has("report_check"):
        return call("report_check", passed=not scene.find(r'"amount": 13'), reason="thirteen brings bad luck")
    if scene.has("pass_on"):
        return call("hold_back", reason="private") if scene.find("private") else call("pass_on", note="seen by me")
    if scene.done and scene.done[-1].this_turn:
        return say(scene.done[-1].answer)
    if wanted := scene.find(r"\Apay (\d+)"):
        if scene.told("never above five") and int(wanted[1]) > 5:
            return say("that is above five")
        return call("pay", amount=int(wanted[1]))
    if wanted := scene.find(r"\Atell second: (.*)"):
        return call("send_message", to="second", channel="note", text=wanted[1])
    return say(f"I remember {len(scene.heard)}")


def paid(workflow: Workflow, amount: int) -> tuple[list[tuple[str, float]], str]:
    rt = runtime(desk, workflow=workflow)
    turn = play(rt.turn("clerk", f"pay {amount}"))
    return rt.state.paid, turn.text


def told(workflow: Workflow, text: str) -> tuple[list[str], str]:
    """What reached the second clerk, and what the first was told."""
    rt = runtime(desk, workflow=workflow)
    turn = play(rt.turn("clerk", f"tell second: {text}"))
    reached = [s.text for s in rt.recorder.steps if s.kind == "message" and s.channel == "note" and s.recipients == ("second",)]
    failed = [s.text for s in rt.recorder.steps if s.kind == "message" and s.status == "failed"]
    return [t for t in reached if t not in failed], turn.text


def test_add_approval_gate():
    gated = apply(
        DESK, "add_approval_gate", {"edge": "clerk->tool:pay", "approver_role": "boss", "condition": {"field": "amount", "above": 7}}
    )
    assert paid(DESK, 20)[0] == [("clerk", 20.0)]
    assert paid(gated, 20) == ([], "boss rejected it: too much")
    assert paid(gated, 9)[0] == [("clerk", 9.0)], "asked and approved"
    rt = runtime(desk, workflow=gated)
    play(rt.turn("clerk", "pay 5"))
    assert not [s for s in rt.recorder.steps if s.kind == "approval"], "nobody is asked below seven"


def test_a_gate_on_an_edge_stops_the_message():
    gated = apply(DESK, "add_approval_gate", {"edge": "clerk->second", "approver_role": "boss", "condition": {"always": True}})
    rt = runtime(lambda s: call("reject", reason="no") if s.has("reject") else desk(s), workflow=gated)
    assert play(rt.turn("clerk", "tell second: hello")).text == "boss rejected it: no"
    assert not rt._inbox["second"]


def test_remove_and_add_handoff_edge():
    removed = apply(DESK, "remove_handoff_edge", {"edge": "clerk->second"})
    assert told(DESK, "hello") == (["hello"], "delivered")
    assert told(removed, "hello") == ([], "there is no way from clerk to second on note")
    again = apply(removed, "add_handoff_edge", {"src": "clerk", "dst": "second", "channel": "note"})
    assert told(again, "hello") == (["hello"], "delivered")


def test_reroute_information():
    rerouted = apply(DESK, "reroute_information", {"from_edge": "clerk->second", "via_role": "boss"})
    assert told(rerouted, "hello")[0] == ["hello\n[boss adds] seen by me"]
    assert told(rerouted, "a private thing") == ([], "boss kept it back: private")


def test_what_a_relay_adds_goes_by_the_rules_of_the_channel():
    rerouted = apply(DESK, "reroute_information", {"from_edge": "clerk->second", "via_role": "boss"})
    rt = runtime(lambda s: call("pass_on", note="the secret is out") if s.has("pass_on") else desk(s), workflow=rerouted)
    assert play(rt.turn("clerk", "tell second: hello")).text == "no secrets here"
    assert not rt._inbox["second"]


def test_add_cross_check():
    checked = apply(DESK, "add_cross_check", {"stage": "payment", "checker_role": "second"})
    for workflow, amount, expected in ((DESK, 13, True), (checked, 13, False), (checked, 12, True)):
        rt = runtime(desk, workflow=workflow)
        assert play(rt.pass_stage("payment", "clerk", {"amount": amount}))[0] is expected


def test_a_checker_that_reports_nothing_lets_nothing_pass():
    checked = apply(DESK, "add_cross_check", {"stage": "payment", "checker_role": "second"})
    rt = runtime(lambda scene: say("hm"), workflow=checked)
    assert play(rt.pass_stage("payment", "clerk", {"amount": 1})) == (
        False,
        "the cross-check of second stopped it: second reported nothing",
    )


def test_patch_and_rewrite_role_prompt():
    patched = apply(
        DESK, "patch_role_prompt", {"agent_id": "clerk", "patch_type": "append_policy_reminder", "text": "Never above five, not even $6."}
    )
    assert paid(patched, 9) == ([], "that is above five")
    assert runtime(desk, workflow=patched).prompts["clerk"].endswith("Policy reminder: Never above five, not even $6.")
    rewritten = apply(patched, "rewrite_role_prompt", {"agent_id": "clerk", "new_prompt": "You are a clerk."})
    assert paid(rewritten, 9)[0] == [("clerk", 9.0)]


def test_restrict_and_grant_tool():
    restricted = apply(DESK, "restrict_tool", {"agent_id": "clerk", "tool_id": "pay"})
    assert paid(restricted, 5)[0] == []
    granted = apply(DESK, "grant_tool", {"agent_id": "second", "tool_id": "pay"})
    for workflow, expected in ((DESK, []), (granted, [("second", 5.0)])):
        rt = runtime(desk, workflow=workflow)
        play(rt.turn("second", "pay 5"))
        assert rt.state.paid == expected


@pytest.mark.parametrize("schema", ["slip", {"type": "object", "required": ["amount"]}])
def test_enforce_message_schema(schema: Any):
    enforced = apply(DESK, "enforce_message_schema", {"channel": "note", "schema": schema})
    assert told(enforced, "hello")[0] == []
    assert "must be JSON" in told(enforced, "hello")[1]
    assert "amount" in told(enforced, '{"sum": 5}')[1]
    assert told(enforced, '{"amount": 5}')[0] == ['{"amount": 5}']


@pytest.mark.parametrize(
    ("policy", "remembered"), [({"keep": "episode"}, 3), ({"keep": "stage"}, 2), ({"keep": "turn"}, 1), ({"keep": "episode", "last": 1}, 2)]
)
def test_set_memory_policy(policy: dict[str, Any], remembered: int):
    changed = apply(DESK, "set_memory_policy", {"agent_id": "boss", "policy": policy})
    rt = runtime(desk, workflow=changed)
    play(rt.turn("boss", "one"))
    rt.begin_stage()
    play(rt.turn("boss", "two"))
    assert play(rt.turn("boss", "three")).text == f"I remember {remembered}"


def test_set_gate_param():
    gated = Workflow(
        roles=DESK.roles,
        stages=DESK.stages,
        texts=DESK.texts,
        gates={"limit": Gate(edge="*->tool:pay", approver="boss", when=When(field="amount", above="limit"), params={"limit": 20})},
    )
    assert paid(gated, 15)[0] == [("clerk", 15.0)]
    lowered = apply(gated, "set_gate_param", {"gate_id": "limit", "key": "limit", "value": 12})
    assert paid(lowered, 15) == ([], "boss rejected it: too much")


def test_all_twelve_are_there_and_each_has_its_test():
    assert len(OPERATIONS) == 12


@pytest.mark.parametrize(
    ("operation", "params", "said"),
    [
        ("add_gate", {}, "one of the twelve"),
        ("restrict_tool", {"agent_id": "clerk"}, "parameters of `restrict_tool`"),
        ("restrict_tool", {"agent_id": "klerk", "tool_id": "pay"}, "a role of the workflow"),
        ("restrict_tool", {"agent_id": "boss", "tool_id": "pay"}, "a tool that `boss` holds"),
        ("grant_tool", {"agent_id": "boss", "tool_id": "shred"}, "a tool of the workflow"),
        ("grant_tool", {"agent_id": "clerk", "tool_id": "pay"}, "does not hold"),
        ("remove_handoff_edge", {"edge": "clerk->boss"}, "an edge of the workflow"),
        ("add_handoff_edge", {"src": "clerk", "dst": "second", "channel": "note"}, "not there yet"),
        ("reroute_information", {"from_edge": "clerk->second", "via_role": "second"}, "a third role"),
        ("add_cross_check", {"stage": "lunch", "checker_role": "boss"}, "a stage of the workflow"),
        ("add_approval_gate", {"edge": "clerk->second", "approver_role": "cook"}, "a role of the workflow"),
        ("add_approval_gate", {"edge": "clerk", "approver_role": "boss"}, "role->role"),
        ("add_approval_gate", {"edge": "clerk->second", "approver_role": "boss", "condition": {"over": 3}}, "a condition"),
        ("enforce_message_schema", {"channel": "fax", "schema": "slip"}, "a channel"),
        ("enforce_message_schema", {"channel": "note", "schema": "slop"}, "a schema"),
        ("set_gate_param", {"gate_id": "limit", "key": "a", "value": 1}, "a gate"),
        ("patch_role_prompt", {"agent_id": "clerk", "patch_type": "threaten", "text": "x"}, "parameters of"),
        ("set_memory_policy", {"agent_id": "boss", "policy": {"keep": "forever"}}, "parameters of"),
    ],
)
def test_what_does_not_fit_is_refused(operation: str, params: dict[str, Any], said: str):
    with pytest.raises((UsageError, SchemaError), match=said):
        apply(DESK, operation, params)


def test_a_gate_never_opens_by_omission():
    gated = apply(
        DESK, "add_approval_gate", {"edge": "clerk->second", "approver_role": "boss", "condition": {"field": "amount", "above": 7}}
    )
    rt = runtime(lambda s: call("reject", reason="no") if s.has("reject") else desk(s), workflow=gated)
    assert "rejected" in play(rt.turn("clerk", "tell second: hello")).text


def test_a_workflow_is_written_and_read_again(tmp_path):
    changed = apply(DESK, "reroute_information", {"from_edge": "clerk->second", "via_role": "boss"})
    path = tmp_path / "workflow.yaml"
    path.write_text(dump_workflow(changed))
    assert load_workflow(path) == changed
    assert changed.edges == (Edge(source="clerk", target="second", channel="note", via="boss"),)
