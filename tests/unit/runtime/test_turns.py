"""An agent's turn: what it is offered, what it is told, and what the trace holds of it."""

from __future__ import annotations

from seamwise.models import Asked, Reply, Scene, call, say
from unit.runtime.desk import DESK, play, runtime


def pays(amount: float):
    def act(scene: Scene) -> Reply:
        return say("done") if scene.did("pay") else call("pay", amount=amount)

    return act


def test_a_call_and_its_result_stand_in_the_trace_and_the_claim_counts_them():
    rt = runtime(pays(5))
    turn = play(rt.turn("clerk", "pay five"))
    trace = rt.trace()
    assert turn.text == "done"
    assert turn.call_of("pay").answer == {"paid": 5.0}
    assert [s.kind for s in trace.steps] == [
        "message", "input", "model_result", "tool_call", "receipt", "tool_result", "input", "model_result",
    ]  # fmt: skip
    assert {c.stream: c.count for c in trace.header.claims} == {
        "messages": 1, "approvals": 0, "checks": 0, "inbox/clerk": 1, "inbox/second": 0, "inbox/boss": 0, "till": 1, "inputs/clerk": 2,
    }  # fmt: skip
    last_input = trace.steps[6]
    assert last_input.data == {"items": ["s1", "s3", "s6"], "whole": True}


def test_wrong_arguments_are_the_tools_answer_and_a_failed_call():
    def act(scene: Scene) -> Reply:
        return say(scene.done[-1].answer) if scene.done else call("pay", amount="many")

    rt = runtime(act)
    turn = play(rt.turn("clerk", "pay"))
    assert "wrong arguments" in turn.text
    assert rt.state.paid == []
    failed = [s for s in rt.recorder.steps if s.kind == "tool_result"]
    assert [s.status for s in failed] == ["failed"]


def test_a_tool_of_another_role_is_not_there():
    rt = runtime(pays(5))
    turn = play(rt.turn("second", "pay five"))
    assert not turn.made[0].ok
    assert "there is no tool `pay` for you" in turn.made[0].answer
    assert rt.state.paid == []


def test_messages_reach_the_receiver_alone():
    def act(scene: Scene) -> Reply:
        if scene.role == "clerk" and not scene.done:
            return call("send_message", to="second", channel="note", text="five were paid")
        return say("|".join(scene.heard))

    rt = runtime(act)
    play(rt.turn("clerk", "tell her"))
    assert "five were paid" in play(rt.turn("second", "go on")).text
    assert "five were paid" not in play(rt.turn("boss", "go on")).text


def test_what_a_channel_refuses_is_not_delivered_and_the_sender_is_told():
    def act(scene: Scene) -> Reply:
        return say(scene.done[-1].answer) if scene.done else call("send_message", to="second", channel="note", text="a Secret thing")

    rt = runtime(act)
    assert play(rt.turn("clerk", "tell her")).text == "no secrets here"
    assert rt.recorder.steps[-2].kind in {"input", "tool_result"}
    assert [s.status for s in rt.recorder.steps if s.kind == "message" and s.channel == "note"] == ["failed"]


def test_time_passes_by_what_a_tool_costs():
    def act(scene: Scene) -> Reply:
        return say("seen") if scene.done else Reply("", (Asked("look", {}), Asked("look", {})))

    rt = runtime(act)
    play(rt.turn("clerk", "look twice"))
    assert rt.clock.minutes == 12
    assert rt.costs.minutes("clerk") == 12


def test_the_prompt_is_filled_in():
    assert runtime(pays(1)).prompts["clerk"] == "You are the clerk. Be brief."
    assert DESK.prompt("clerk", {"rule": "Be slow."}) == "You are the clerk. Be slow."


def test_one_seed_gives_one_trace():
    def once() -> list:
        rt = runtime(pays(5))
        play(rt.turn("clerk", "pay five"))
        return list(rt.trace().steps)

    assert once() == once()
