"""Trajectories of SWE-agent, OpenHands and ATIF for tests. Whatever grades bears the word MARK."""

from __future__ import annotations

import json
from typing import Any


def turn(n: int, action: str, observation: str) -> dict[str, Any]:
    said = f"thought {n}\n```\n{action}\n```"
    return {"action": action, "observation": observation, "response": said, "thought": f"thought {n}", "state": '{"open_file": "a.py"}'}


TURNS = [turn(0, "open a.py", "[File: a.py]"), turn(1, "submit\n", "")]


def entry(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": "primary", **more}


SWE: dict[str, Any] = {
    "environment": "swe_main",
    "trajectory": TURNS,
    "history": [
        entry("system", "SETTING"),
        entry("user", "Here is a demonstration", is_demo=True),
        entry("user", "fix it"),
        entry("assistant", TURNS[0]["response"], thought="thought 0", action="open a.py"),
        entry("user", "[File: a.py]\n(Open file: a.py)\nbash-$"),
        entry("assistant", TURNS[1]["response"], thought="thought 1", action="submit"),
    ],
    "info": {"exit_status": "submitted", "submission": "diff", "score": "SCORE-MARK"},
}

CALL = {"id": "c1", "type": "function", "function": {"name": "find_file", "arguments": '{"name": "a.py"}'}}

SWE_HISTORY: dict[str, Any] = {
    "history": [
        entry("system", "SETTING", message_type="system_prompt"),
        entry("user", "fix it", message_type="observation"),
        entry("assistant", "look", message_type="action", action="find_file a.py", tool_calls=[CALL]),
        entry("tool", "Found 1", message_type="observation", tool_call_ids=["c1"]),
    ]
}

AT = "2026-06-16T05:39:18.8"


def event(n: int, kind: str, source: str, **more: Any) -> dict[str, Any]:
    return {"id": f"id-{n}", "timestamp": AT, "source": source, "kind": kind, **more}


def action(n: int, tool: str, call: str, thought: str = "") -> dict[str, Any]:
    return event(
        n,
        "ActionEvent",
        "agent",
        thought=[{"type": "text", "text": thought}],
        action={"command": "ls"},
        tool_name=tool,
        tool_call_id=call,
        tool_call={"id": call, "name": tool, "arguments": '{"command": "ls"}'},
    )


def observed(n: int, of: int, call: str, words: str, *, is_error: bool = False) -> dict[str, Any]:
    content = {"content": [{"type": "text", "text": words}], "is_error": is_error, "exit_code": 0}
    return event(n, "ObservationEvent", "environment", tool_name="terminal", tool_call_id=call, action_id=f"id-{of}", observation=content)


SDK: list[Any] = [
    event(0, "SystemPromptEvent", "agent", system_prompt={"type": "text", "text": "You are"}, tools=[{"name": "terminal"}]),
    event(1, "MessageEvent", "user", llm_message={"role": "user", "content": [{"type": "text", "text": "list"}]}),
    event(2, "ConversationStateUpdateEvent", "environment", key="execution_status", value="running"),
    action(3, "terminal", "c1", "let me"),
    observed(4, 3, "c1", "a.py"),
    action(5, "terminal", "c2"),
    observed(6, 5, "c2", "no", is_error=True),
    action(7, "terminal", "c3"),
    event(8, "UserRejectObservation", "user", rejection_reason="not now", tool_name="terminal", tool_call_id="c3", action_id="id-7"),
    observed(4, 3, "c1", "a.py"),
    event(9, "Condensation", "environment", forgotten_event_ids=["id-1"], summary="s"),
]

OLDER: list[Any] = [
    {"id": 0, "timestamp": AT, "source": "user", "action": "message", "args": {"content": "list"}},
    {"id": 1, "timestamp": AT, "source": "agent", "action": "run", "args": {"command": "ls", "thought": "let me"}},
    {"id": 2, "timestamp": AT, "source": "agent", "cause": 1, "observation": "run", "content": "a.py", "extras": {"exit_code": 0}},
    {"id": 3, "timestamp": AT, "source": "agent", "action": "delegate", "args": {"agent": "BrowsingAgent", "inputs": {"task": "t"}}},
    {"id": 4, "timestamp": AT, "source": "agent", "action": "read", "args": {"path": "b"}},
    {"id": 5, "timestamp": AT, "source": "agent", "cause": 4, "observation": "error", "content": "no such file", "extras": {}},
    {"id": 6, "timestamp": AT, "source": "agent", "action": "finish", "args": {"final_thought": "done"}},
]

EVALUATED = {
    "instance_id": "x-1",
    "history": [OLDER[:2], OLDER[2:]],
    "test_result": {"report": "REPORT-MARK"},
    "instance": {"patch": "GOLD-MARK"},
}

LOGGED: dict[str, Any] = {
    "messages": [{"role": "system", "content": [{"type": "text", "text": "You are"}]}, {"role": "user", "content": "list"}],
    "tools": [{"type": "function", "function": {"name": "terminal"}}],
    "kwargs": {"extra_body": {"metadata": {"tags": ["agent:Agent", "model:m"]}}},
    "context_window": 200000,
    "response": {"id": "r1", "model": "m", "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "a.py"}}]},
    "timestamp": 1757015033.25,
    "latency_sec": 3.4,
}

ATIF: dict[str, Any] = {
    "schema_version": "ATIF-v1.7",
    "session_id": "run",
    "trajectory_id": "parent",
    "agent": {"name": "lead", "version": "1", "model_name": "m", "tool_definitions": [{"type": "function", "function": {"name": "ask"}}]},
    "steps": [
        {"step_id": 1, "timestamp": "2026-04-20T10:00:00Z", "source": "user", "message": [{"type": "text", "text": "go"}]},
        {
            "step_id": 2,
            "source": "agent",
            "message": "I ask",
            "reasoning_content": "hm",
            "tool_calls": [
                {"tool_call_id": "c1", "function_name": "ask", "arguments": {"q": 1}},
                {"tool_call_id": "c2", "function_name": "look", "arguments": {}},
            ],
            "observation": {
                "results": [
                    {"source_call_id": "c2", "content": "seen"},
                    {"source_call_id": "c1", "content": "told", "subagent_trajectory_ref": [{"trajectory_id": "child"}]},
                ]
            },
            "extra": {"score": "SCORE-MARK"},
        },
        {
            "step_id": 3,
            "source": "system",
            "message": "summary",
            "observation": {"results": [{"subagent_trajectory_ref": [{"session_id": "far"}]}]},
        },
        {"step_id": 4, "source": "agent", "message": '{"keystrokes": "ls"}', "observation": {"results": [{"content": "a.py"}]}},
    ],
    "subagent_trajectories": [
        {
            "trajectory_id": "child",
            "agent": {"name": "scout"},
            "steps": [
                {"step_id": 1, "source": "user", "message": "go", "is_copied_context": True},
                {"step_id": 2, "source": "agent", "message": "found"},
            ],
        }
    ],
    "final_metrics": {"total_steps": 4},
}

SEEDS = {
    "swe_agent": [json.dumps(SWE).encode(), json.dumps(SWE_HISTORY).encode()],
    "openhands": [
        "\n".join(map(json.dumps, SDK)).encode(),
        json.dumps(OLDER).encode(),
        json.dumps(EVALUATED).encode(),
        json.dumps(LOGGED).encode(),
    ],
    "atif": [json.dumps(ATIF).encode()],
}
