"""The gateway, spoken to by the real client of OpenAI and by Inspect's own provider."""

from __future__ import annotations

import asyncio
import http.client
import json
from pathlib import Path

import openai
import pytest
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.tool import ToolInfo, ToolParams

from seamwise.errors import UsageError
from seamwise.models import Budget, Journal, Reply, Scene, call, register_playbook, say
from seamwise.models.gateway import Faults, Gateway

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "pay",
            "description": "Pay.",
            "parameters": {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]},
        },
    }
]
HEADERS = {"x-seamwise-world": "gate", "x-seamwise-role": "clerk"}
asked: list[str] = []


def act(scene: Scene) -> Reply:
    asked.append(scene.last)
    if scene.has("pay") and not scene.done:
        return call("pay", amount=5)
    answer = f" after {scene.done[-1].answer}" if scene.done else ""
    return say(f"{scene.persona.name} as {scene.role}: {scene.last} {scene.rng.random():.6f}{answer}")


@pytest.fixture(autouse=True)
def playbook():
    register_playbook("gate", act)
    asked.clear()


def client(gateway: Gateway, **options) -> openai.OpenAI:
    return openai.OpenAI(base_url=gateway.base_url, api_key="none", default_headers=HEADERS, max_retries=0, **options)


def ask(who: openai.OpenAI, text: str = "hello", **options):
    messages = [{"role": "system", "content": "You are a clerk."}, {"role": "user", "content": text}]
    return who.chat.completions.create(model="seamwise/careful", messages=messages, **options)


def test_the_real_client_gets_words_usage_and_the_role_of_the_headers():
    with Gateway() as gateway:
        reply = ask(client(gateway), seed=3)
        again, other = ask(client(gateway), seed=3), ask(client(gateway), seed=4)
        assert next(iter(client(gateway).models.list())).id == "seamwise/careful"
    text = reply.choices[0].message.content
    assert text.startswith("careful as clerk: hello")
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens > 0
    assert again.choices[0].message.content == text != other.choices[0].message.content


def test_a_tool_is_called_and_its_answer_comes_back():
    with Gateway() as gateway:
        who = client(gateway)
        first = ask(who, tools=TOOLS).choices[0]
        assert first.finish_reason == "tool_calls"
        (made,) = first.message.tool_calls
        assert (made.function.name, json.loads(made.function.arguments)) == ("pay", {"amount": 5})
        messages = [{"role": "user", "content": "hello"}, first.message, {"role": "tool", "tool_call_id": made.id, "content": "paid 5"}]
        second = who.chat.completions.create(model="careful", messages=messages, tools=TOOLS)
    assert second.choices[0].message.content.endswith("after paid 5")


def test_a_streamed_reply_is_the_same_reply():
    with Gateway() as gateway:
        whole = ask(client(gateway), seed=1).choices[0].message.content
        chunks = list(ask(client(gateway), seed=1, stream=True, stream_options={"include_usage": True}))
        calls = [c for chunk in ask(client(gateway), stream=True, tools=TOOLS) for ch in chunk.choices for c in ch.delta.tool_calls or []]
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == whole
    assert chunks[-1].usage.total_tokens > 0
    assert [c.function.name for c in calls] == ["pay"]


def test_the_provider_code_of_inspect_runs_through_it_without_a_key():
    async def generate(name: str, gateway: Gateway, tools: list[ToolInfo]):
        model = get_model(name, base_url=gateway.base_url, api_key="none", memoize=False, responses_api=False)
        messages = [ChatMessageSystem(content="You are a clerk."), ChatMessageUser(content="hello")]
        config = GenerateConfig(seed=3, extra_headers=HEADERS, max_retries=0)
        return await model.generate(messages, tools, "auto" if tools else "none", config)

    pay = ToolInfo(name="pay", description="Pay.", parameters=ToolParams(properties={"amount": {"type": "number"}}, required=["amount"]))
    with Gateway() as gateway:
        for name in ("openai-api/gate/seamwise/careful", "openai/careful"):
            spoken = asyncio.run(generate(name, gateway, []))
            assert spoken.completion.startswith("careful as clerk: hello"), name
            assert spoken.usage.input_tokens > 0
            called = asyncio.run(generate(name, gateway, [pay]))
            assert called.message.tool_calls[0].arguments == {"amount": 5}, name


def test_recorded_replies_answer_without_the_model(tmp_path: Path):
    with Gateway(journal=Journal(tmp_path / "j.jsonl")) as gateway:
        said = ask(client(gateway)).choices[0].message.content
    assert asked == ["hello"]
    with Gateway(journal=Journal(tmp_path / "j.jsonl", offline=True)) as gateway:
        assert ask(client(gateway)).choices[0].message.content == said
        with pytest.raises(openai.InternalServerError, match="recorded replies hold no answer"):
            ask(client(gateway), "something else")
    assert asked == ["hello"]


def test_a_spent_budget_refuses_the_next_request():
    with Gateway(budget=Budget(max_tokens=1)) as gateway:
        ask(client(gateway))
        with pytest.raises(openai.RateLimitError, match="of 1 tokens are used"):
            ask(client(gateway))
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("error", openai.InternalServerError),
        ("rate_limit", openai.RateLimitError),
        ("malformed", Exception),
        ("timeout", openai.APIConnectionError),
    ],
)
def test_a_fault_reaches_the_client_and_no_model_is_asked(kind: str, error: type[Exception]):
    with Gateway(faults=Faults((kind,), every=2, silence=0.05)) as gateway:
        with pytest.raises(error):
            ask(client(gateway, timeout=5)).choices[0].message.content.strip()
        assert asked == []
        assert ask(client(gateway)).choices[0].message.content
        with pytest.raises(error):
            ask(client(gateway, timeout=5)).choices[0].message.content.strip()
    assert len(asked) == 1


def test_a_client_that_retries_gets_over_a_fault():
    with Gateway(faults=Faults(("error",), every=2)) as gateway:
        who = openai.OpenAI(base_url=gateway.base_url, api_key="none", default_headers=HEADERS, max_retries=2)
        assert ask(who).choices[0].message.content
        assert gateway.requests == 2


def test_one_request_may_ask_for_a_fault_and_an_unknown_one_is_refused():
    with Gateway() as gateway:
        with pytest.raises(openai.InternalServerError, match="asked for"):
            ask(client(gateway), extra_headers={"x-seamwise-fault": "error"})
        with pytest.raises(openai.BadRequestError, match="expected a fault"):
            ask(client(gateway), extra_headers={"x-seamwise-fault": "earthquake"})
    with pytest.raises(UsageError, match="earthquake"):
        Faults(("earthquake",))


def test_what_does_not_fit_is_refused_and_the_gateway_goes_on():
    with Gateway() as gateway:
        who = client(gateway)
        with pytest.raises(openai.NotFoundError, match="expected a persona"):
            who.chat.completions.create(model="seamwise/nobody", messages=[{"role": "user", "content": "x"}])
        with pytest.raises(openai.BadRequestError, match="expected a role"):
            who.chat.completions.create(model="careful", messages=[{"role": "wizard", "content": "x"}])
        with pytest.raises(openai.BadRequestError, match="text alone"):
            who.chat.completions.create(
                model="careful", messages=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]
            )
        port = int(gateway.base_url.split(":")[2].split("/")[0])
        for body, status in ((b"{not json", 400), (b"[]", 400), (b'{"model": "careful"}', 400), (b"{}", 400)):
            wire = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            wire.request("POST", "/v1/chat/completions", body)
            answer = wire.getresponse()
            assert answer.status == status, body
            assert json.loads(answer.read())["error"]["message"]
            wire.close()
        assert ask(who).choices[0].message.content


def test_a_world_is_prepared_before_its_persona_speaks():
    prepared: list[str] = []
    with Gateway(prepare=prepared.append) as gateway:
        ask(client(gateway))
    assert prepared == ["gate"]
