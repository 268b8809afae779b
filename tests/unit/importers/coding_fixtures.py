"""Session logs of coding agents for tests."""

from __future__ import annotations

import json
from typing import Any

SESSION = "5e55"


def line(n: int, type: str, message: Any = None, *, second: float | None = None, session: str = SESSION, **more: Any) -> dict[str, Any]:
    made = {
        "type": type,
        "uuid": f"u{n}",
        "parentUuid": f"u{n - 1}" if n else None,
        "sessionId": session,
        "isSidechain": False,
        "timestamp": f"2025-01-01T00:00:{n if second is None else second:06.3f}Z",
        **more,
    }
    return made if message is None else {**made, "message": message}


def said(n: int, words: str, **more: Any) -> dict[str, Any]:
    return line(n, "user", {"role": "user", "content": words}, **more)


def answered(n: int, *blocks: dict[str, Any], id: str = "", cost: int = 5, **more: Any) -> dict[str, Any]:
    message = {"id": id or f"msg_{n}", "role": "assistant", "model": "m", "content": list(blocks), "usage": {"output_tokens": cost}}
    return line(n, "assistant", message, **more)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(id: str, name: str, **input: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def result(n: int, id: str, content: Any, *, error: bool | None = None, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": id, "content": content}
    return line(n, "user", {"role": "user", "content": [block if error is None else {**block, "is_error": error}]}, **more)


MAIN: list[Any] = [
    {"type": "summary", "summary": "earlier", "leafUuid": "u0"},
    said(0, "look around"),
    answered(1, text("I delegate."), id="msg_1", cost=2),
    answered(2, use("t1", "Task", subagent_type="Explore", prompt="look"), use("t2", "Read", file="a"), id="msg_1", cost=7),
    result(3, "t2", "no such file", error=True),
    result(9, "t1", [text("found 2"), text("agentId: a1b2")], toolUseResult={"agentId": "a1b2", "totalTokens": 9}),
    line(10, "system", subtype="info", content="compacted"),
]

SUB: list[Any] = [
    said(20, "look", second=4, agentId="a1b2", isSidechain=True),
    line(21, "attachment", second=5, agentId="a1b2", isSidechain=True),
    answered(22, text("found 2"), second=6, agentId="a1b2", isSidechain=True),
]

OLD: list[Any] = [
    said(0, "go"),
    answered(1, use("t1", "Task", subagent_type="Explore", prompt="look here")),
    {**said(2, "look here", isSidechain=True), "parentUuid": None},
    answered(3, text("two files"), isSidechain=True),
    result(4, "t1", "two files"),
]


def lines(values: list[Any]) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode() + b"\n"


def rolled(second: int, kind: str, /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2025-01-01T00:00:{second:02}.000Z", "type": kind, "payload": payload}


def item(second: int, /, **payload: Any) -> dict[str, Any]:
    return rolled(second, "response_item", **payload)


CODEX: list[Any] = [
    rolled(0, "session_meta", id="th1", cwd="/w", cli_version="1", instructions="be good"),
    rolled(1, "turn_context", model="m", cwd="/w"),
    item(2, type="message", role="developer", content=[{"type": "input_text", "text": "rules"}]),
    item(2, type="message", role="user", content=[{"type": "input_text", "text": "fix it"}]),
    rolled(2, "event_msg", type="user_message", message="fix it"),
    item(3, type="reasoning", summary=[{"type": "summary_text", "text": "hm"}], encrypted_content="x"),
    item(4, type="function_call", name="shell", arguments='{"command": ["ls"]}', call_id="c1"),
    item(5, type="function_call_output", call_id="c1", output='{"output": "a.py", "metadata": {"exit_code": 0}}'),
    item(6, type="function_call", name="spawn_agent", arguments='{"message": "look"}', call_id="c2"),
    item(7, type="function_call_output", call_id="c2", output='{"agent_id": "th2"}'),
    rolled(8, "event_msg", type="token_count", info={"total": 3}),
    item(9, type="message", role="assistant", content=[{"type": "output_text", "text": "done"}]),
    rolled(9, "event_msg", type="agent_message", message="done"),
]

CODEX_SUB: list[Any] = [
    rolled(7, "session_meta", id="th2", source={"subagent": {"thread_spawn": {"parent_thread_id": "th1", "depth": 1}}}),
    item(8, type="message", role="user", content=[{"type": "input_text", "text": "look"}]),
    item(8, type="message", role="assistant", content=[{"type": "output_text", "text": "seen"}]),
]

CODEX_OLD: list[Any] = [
    {"id": "th0", "timestamp": "2025-01-01T00:00:00Z", "instructions": "be good", "git": None},
    {"record_type": "state"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix it"}]},
    {"type": "local_shell_call", "call_id": "c1", "status": "completed", "action": {"type": "exec", "command": ["ls"]}},
    {"type": "function_call_output", "call_id": "c1", "output": {"content": "failed", "success": False}},
]

SEEDS = {"claude_code": [lines(MAIN), lines(SUB), lines(OLD)], "codex": [lines(CODEX), lines(CODEX_SUB), lines(CODEX_OLD)]}
