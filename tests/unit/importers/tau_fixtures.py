"""Runs of tau-bench and tau2-bench for tests, in few words. Whatever grades bears the word MARK."""

from __future__ import annotations

import json
from typing import Any

CALL = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"order": 7}'}}

MESSAGES: list[Any] = [
    {"role": "system", "content": "policy"},
    {"role": "user", "content": "refund order 7"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "name": "refund", "content": "Error: MARKED as paid"},
    {"role": "assistant", "content": "It cannot be refunded.", "index": 5},
]

RUN: dict[str, Any] = {
    "task_id": 3,
    "trial": 1,
    "reward": "REWARD-MARK",
    "info": {"task": {"instruction": "TASK-MARK", "actions": ["ACTION-MARK"]}, "reward_info": {"r_actions": "INFO-MARK"}},
    "traj": [{**m, "content": m["content"] and m["content"].replace("MARKED", "booked")} for m in MESSAGES],
}


def called(name: str, id: str, by: str = "assistant") -> dict[str, Any]:
    return {"id": id, "name": name, "arguments": {"n": 1}, "requestor": by}


def answered(id: str, content: str, by: str = "assistant", error: bool = False) -> dict[str, Any]:
    return {"id": id, "role": "tool", "content": content, "requestor": by, "error": error, "timestamp": "2026-06-30T11:25:51.5"}


SIMULATION: dict[str, Any] = {
    "id": "0b5e",
    "task_id": "20",
    "trial": 0,
    "termination_reason": "user_stop",
    "reward_info": {"reward": "REWARD-MARK"},
    "messages": [
        {"role": "assistant", "content": "Hi", "turn_idx": 0},
        {"role": "user", "content": None, "tool_calls": [called("restart_phone", "u1", "user")], "turn_idx": 1},
        answered("u1", "done", "user"),
        {"role": "assistant", "content": "One moment", "tool_calls": [called("look", "a1"), called("look", "a2")]},
        {"role": "tool", "id": "x", "tool_messages": [answered("a2", "no", error=True), answered("a1", "yes")]},
    ],
}


def tick(n: int, agent: str | None = None, user: str | None = None, **more: Any) -> dict[str, Any]:
    sides = {"agent": agent, "user": user}
    chunks = {f"{side}_chunk": {"role": side, "content": words, "contains_speech": words is not None} for side, words in sides.items()}
    return {"tick_id": n, "timestamp": "2026-06-30T11:25:51.5", **chunks, **more}


DUPLEX: dict[str, Any] = {
    "id": "9c1f",
    "task_id": "21",
    "mode": "full_duplex",
    "ticks": [
        tick(0, "How can "),
        tick(1, "I help?", "I "),
        tick(2, None, "want"),
        tick(3, None, None, agent_tool_calls=[called("look", "a1")], agent_tool_results=[answered("a1", "yes")]),
        tick(4, "", "so"),
    ],
}

RESULTS: dict[str, Any] = {
    "timestamp": "2026-06-30T11:17:32",
    "info": {"environment_info": {"domain_name": "retail", "policy": "No refund twice."}, "user_info": {"llm": "m"}},
    "tasks": [{"id": "20", "evaluation_criteria": "TASK-MARK"}],
    "simulations": [SIMULATION, DUPLEX],
}

SHOWN = {"messages_display": "user: Hello\nsecond line\nassistant: None\ntool: Ann\nassistant: Hello Ann"}

SEEDS = [json.dumps(value).encode() for value in ([RUN], RESULTS, DUPLEX, SHOWN)]
