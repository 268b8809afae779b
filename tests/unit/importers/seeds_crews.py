"""Sound files of CrewAI, CAMEL and the A2A protocol."""

from __future__ import annotations

import json
from typing import Any

from unit.importers.writing import encoded, lines

SEEDS: dict[str, list[bytes]] = {}


def crew(kind: str, number: int, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "timestamp": f"2025-01-01T10:00:{number:02}+00:00",
        "event_id": f"e{number}",
        "emission_sequence": number,
        "fingerprint_metadata": None,
        **more,
    }


CREW_EVENTS = [
    crew("crew_kickoff_started", 1, crew_name="desk", inputs={"order": 7}),
    crew("task_started", 2, task_id="t", task_name="look", agent_role="Clerk\n", agent_id="a1"),
    crew("agent_execution_started", 3, agent_role="Clerk", agent_id="a1", task_prompt="look"),
    crew("llm_call_started", 4, agent_role="Clerk", model="m", messages=[{"role": "user", "content": "look"}]),
    crew("llm_stream_chunk", 5, chunk="I wi"),
    crew("llm_call_completed", 6, agent_role="Clerk", started_event_id="e4", response="I will ask.", model="m"),
    crew(
        "tool_usage_started",
        7,
        agent_role="Clerk",
        tool_name="Delegate work to coworker",
        tool_args='{"task": "look", "context": "", "coworker": "book keeper"}',
    ),
    crew("agent_execution_started", 8, agent_role="Book Keeper"),
    crew("agent_execution_completed", 9, agent_role="Book Keeper", started_event_id="e8", output="paid"),
    crew("tool_usage_finished", 10, agent_role="Clerk", tool_name="Delegate work to coworker", started_event_id="e7", output="paid"),
    crew("tool_usage_started", 11, agent_role="Clerk", tool_name="mail", tool_args={"to": "x"}),
    crew("tool_usage_error", 12, agent_role="Clerk", tool_name="mail", started_event_id="e11", error="no route"),
    crew("agent_execution_completed", 13, agent_role="Clerk", started_event_id="e3", output={"raw": "It is paid."}),
    crew(
        "task_completed",
        14,
        task_id="t",
        task_name="look",
        agent_role="Clerk",
        output={"raw": "It is paid.", "score": "SEALED", "quality": "SEALED"},
    ),
    crew("memory_query_started", 15, query="q"),
]

CREW_LOG = [
    {"timestamp": "2025-01-01 10:00:00", "task_name": "look", "task": "Look at 7.", "agent": "Clerk", "status": "started"},
    {
        "timestamp": "2025-01-01 10:00:09",
        "task_name": "look",
        "task": "Look at 7.",
        "agent": "Clerk",
        "status": "completed",
        "output": "paid",
    },
]

CREW_TEXT = """\
2025-01-01 10:00:00: task_name="look", task="Look at "7", agent by agent", agent="Clerk", status="started"
2025-01-01 10:00:09: task_name="look", task="Look at "7", agent by agent", agent="Clerk", status="completed", output="it is
"paid", really"
"""

CAMEL_MESSAGES = [
    {"role_name": "Planner", "role_type": "user", "meta_dict": {"task": "lamp"}, "content": "Write a lamp.", "image_list": None},
    {"role_name": "Coder", "role_type": "RoleType.ASSISTANT", "meta_dict": {}, "content": "lamp = 1"},
]

CAMEL_MEMORY = [
    {
        "uuid": "u1",
        "agent_id": "coder-1",
        "role_at_backend": "user",
        "extra_info": {},
        "timestamp": 1735725600.5,
        "message": {"__class__": "BaseMessage", "role_name": "User", "role_type": "user", "content": "add"},
    },
    {
        "uuid": "u2",
        "agent_id": "coder-1",
        "role_at_backend": "assistant",
        "timestamp": 1735725601.5,
        "message": {
            "__class__": "FunctionCallingMessage",
            "role_name": "Coder",
            "role_type": "assistant",
            "content": "",
            "func_name": "add",
            "args": {"a": 1},
            "tool_call_id": "c1",
        },
    },
    {
        "uuid": "u3",
        "agent_id": "coder-1",
        "role_at_backend": "function",
        "timestamp": 1735725602.5,
        "message": {
            "__class__": "FunctionCallingMessage",
            "role_name": "Coder",
            "role_type": "assistant",
            "content": "",
            "func_name": "add",
            "result": 1,
            "tool_call_id": "c1",
        },
    },
]

CAMEL_SOCIETY = {
    "id": "001_002",
    "role_1": "Planner",
    "num_messages": 2,
    "message_2": CAMEL_MESSAGES[1],
    "message_1": CAMEL_MESSAGES[0],
}

CAMEL_WORKFORCE = [
    {"event_type": "worker_created", "timestamp": "2025-01-01T10:00:00+00:00", "worker_id": "w1", "worker_type": "Single", "role": "coder"},
    {"event_type": "task_created", "timestamp": "2025-01-01T10:00:01+00:00", "task_id": "1", "description": "lamp"},
    {"event_type": "task_assigned", "timestamp": "2025-01-01T10:00:02+00:00", "task_id": "1", "worker_id": "w1", "dependencies": ["0"]},
    {"event_type": "task_started", "timestamp": "2025-01-01T10:00:03+00:00", "task_id": "1", "worker_id": "w1"},
    {"event_type": "task_failed", "timestamp": "2025-01-01T10:00:04", "task_id": "1", "worker_id": "w1", "error_message": "dark"},
    {"event_type": "all_tasks_completed", "timestamp": "2025-01-01T10:00:05+00:00"},
]


def a2a_message(identifier: str, role: str, text: str, **more: Any) -> dict[str, Any]:
    return {"kind": "message", "messageId": identifier, "role": role, "parts": [{"kind": "text", "text": text}], **more}


def a2a_result(value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": value}


A2A_TASK = {
    "kind": "task",
    "id": "t1",
    "contextId": "c1",
    "status": {"state": "completed", "timestamp": "2025-01-01T10:00:00Z", "message": a2a_message("m3", "agent", "done")},
    "history": [a2a_message("m1", "user", "book"), a2a_message("m2", "agent", "which?", metadata={"score": "SEALED", "n": 1})],
    "artifacts": [{"artifactId": "x", "name": "ticket", "parts": [{"kind": "data", "data": {"seat": 4}}]}],
}


def a2a_piece(text: str, **more: Any) -> dict[str, Any]:
    return {
        "kind": "artifact-update",
        "taskId": "t1",
        "contextId": "c1",
        "artifact": {"artifactId": "x", "parts": [{"kind": "text", "text": text}]},
        **more,
    }


A2A_STREAM: list[Any] = [
    {"jsonrpc": "2.0", "id": 1, "method": "message/stream", "params": {"message": a2a_message("m1", "user", "book", contextId="c1")}},
    a2a_result({"kind": "status-update", "taskId": "t1", "contextId": "c1", "status": {"state": "working"}, "final": False}),
    a2a_result(a2a_piece("se", append=False, lastChunk=False)),
    a2a_result(a2a_piece("at ", append=True, lastChunk=False)),
    a2a_result(a2a_piece("4", append=True, lastChunk=True)),
    a2a_result(
        {"kind": "task", "id": "t1", "contextId": "c1", "status": {"state": "completed"}, "history": [a2a_message("m1", "user", "book")]}
    ),
    {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "internal"}},
]

A2A_NEW = [
    {"message": {"message_id": "m1", "context_id": "c9", "role": "ROLE_USER", "parts": [{"text": "book"}]}},
    {"statusUpdate": {"taskId": "t1", "contextId": "c9", "status": {"state": "TASK_STATE_WORKING"}}},
    {"artifactUpdate": {"taskId": "t1", "contextId": "c9", "artifact": {"artifactId": "x", "parts": [{"text": "cut"}]}, "append": True}},
]

SEEDS["crewai"] = encoded(
    CREW_EVENTS,
    lines(*CREW_EVENTS),
    {"nodes": {e["event_id"]: {"event": e, "edges": {}} for e in CREW_EVENTS}},
    CREW_LOG,
    CREW_TEXT,
)
SEEDS["camel"] = encoded(CAMEL_MESSAGES, CAMEL_MEMORY, lines(*CAMEL_MEMORY), CAMEL_SOCIETY, CAMEL_WORKFORCE)
SEEDS["a2a"] = encoded(
    A2A_TASK, a2a_result(A2A_TASK), lines(*A2A_STREAM), "".join(f"data: {json.dumps(v)}\n\n" for v in A2A_STREAM), A2A_NEW
)
