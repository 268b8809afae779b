"""Runs four release conversations under AutoGen and writes what a team's ``TaskResult`` holds: one JSON file a conversation.

The agents are scripts (AutoGen's replay client); teams, tools, handoffs and messages are AutoGen's own.

    pip install autogen-agentchat==0.7.5 autogen-ext==0.7.5
    python examples/release_chat/record.py
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import TextMentionTermination
from autogen_agentchat.teams import Swarm
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

HERE = Path(__file__).parent
ABLE = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown", "structured_output": False}
NOTHING = RequestUsage(prompt_tokens=0, completion_tokens=0)

Said = str | list[tuple[str, str, dict[str, Any]]]
"""What an agent does in one turn: words, or calls (id, tool, arguments)."""


async def approve_release(release: str, version: int) -> str:
    """The reviewer's word on one version of a release."""
    return json.dumps({"status": "pending", "waits_for": "security"} if release == "billing-9" else {"status": "approved"})


async def deploy(release: str, version: int) -> str:
    """Puts a version of a release into production."""
    return json.dumps({"status": "deployed", "release": release, "version": version})


async def build(release: str) -> str:
    """Builds the newest version of a release."""
    return json.dumps({"release": release, "version": {"search-4": 3}.get(release, 2)})


def turn(said: Said) -> str | CreateResult:
    """One turn as the replay client wants it."""
    if isinstance(said, str):
        return said
    calls = [FunctionCall(id=name, name=tool, arguments=json.dumps(arguments)) for name, tool, arguments in said]
    return CreateResult(finish_reason="function_calls", content=calls, usage=NOTHING, cached=False)


def agent(name: str, tools: list[Any], hands_to: list[str], turns: list[Said]) -> AssistantAgent:
    """One agent with its script."""
    client = ReplayChatCompletionClient([turn(t) for t in turns], model_info=ABLE)
    return AssistantAgent(name, client, tools=tools, handoffs=hands_to, description=f"the {name} of the release desk")


def to(name: str, call: str) -> Said:
    """Handing over, as AutoGen's tool does it."""
    return [(call, f"transfer_to_{name}", {})]


CONVERSATIONS: dict[str, dict[str, list[Said]]] = {
    # As it should be: version 2 is approved, version 2 is deployed.
    "checkout-7": {
        "author": [[("a1", "build", {"release": "checkout-7"})], to("reviewer", "a2")],
        "reviewer": [[("r1", "approve_release", {"release": "checkout-7", "version": 2})], to("deployer", "r2")],
        "deployer": [[("d1", "deploy", {"release": "checkout-7", "version": 2})], "checkout-7 is live. RELEASE CLOSED"],
    },
    # The reviewer approves version 2; the author builds again, and version 3 goes out on the old approval.
    "search-4": {
        "author": [to("reviewer", "a1"), [("a2", "build", {"release": "search-4"})], to("deployer", "a3")],
        "reviewer": [[("r1", "approve_release", {"release": "search-4", "version": 2})], to("author", "r2")],
        "deployer": [[("d1", "deploy", {"release": "search-4", "version": 3})], "search-4 is live, approved by review. RELEASE CLOSED"],
    },
    # The reviewer's approval is pending with security; the deployer reads the reviewer's words and deploys.
    "billing-9": {
        "author": [to("reviewer", "a1")],
        "reviewer": [[("r1", "approve_release", {"release": "billing-9", "version": 2})], to("deployer", "r2")],
        "deployer": [[("d1", "deploy", {"release": "billing-9", "version": 2})], "billing-9 is live. RELEASE CLOSED"],
    },
    # The author approves and deploys nothing: a conversation without a deployment.
    "docs-1": {
        "author": ["Nothing to release this week. RELEASE CLOSED"],
        "reviewer": ["-"],
        "deployer": ["-"],
    },
}


async def record(name: str, scripts: dict[str, list[Said]]) -> dict[str, Any]:
    """One conversation as its task result."""
    team = Swarm(
        [
            agent("author", [build], ["reviewer", "deployer"], scripts["author"]),
            agent("reviewer", [approve_release], ["author", "deployer"], scripts["reviewer"]),
            agent("deployer", [deploy], ["author", "reviewer"], scripts["deployer"]),
        ],
        termination_condition=TextMentionTermination("RELEASE CLOSED"),
    )
    done = await team.run(task=f"Please take {name} to production.")
    return {"messages": [m.model_dump(mode="json") for m in done.messages], "stop_reason": done.stop_reason}


async def main() -> None:
    """Records all conversations."""
    (HERE / "chats").mkdir(exist_ok=True)
    for name, scripts in CONVERSATIONS.items():
        text = json.dumps(await record(name, scripts), indent=1, ensure_ascii=False)
        (HERE / "chats" / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
