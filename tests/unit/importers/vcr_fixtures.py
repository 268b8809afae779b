"""Cassettes for tests: requests to language models of several providers, and what they answered."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import yaml

SECRET = "sk-hush-hush"


def interaction(uri: str, sent: Any, came: Any, code: int = 200, **response: Any) -> dict[str, Any]:
    body = came if isinstance(came, (str, bytes)) else json.dumps(came)
    return {
        "request": {
            "method": "POST",
            "uri": uri,
            "body": sent if isinstance(sent, (str, bytes)) or sent is None else json.dumps(sent),
            "headers": {"authorization": [f"Bearer {SECRET}"], "cookie": [SECRET]},
        },
        "response": {"status": {"code": code, "message": "OK"}, "headers": {"set-cookie": [SECRET]}, "body": {"string": body}, **response},
    }


def cassette(*interactions: dict[str, Any]) -> bytes:
    return yaml.safe_dump({"interactions": list(interactions), "version": 1}).encode()


def sse(*events: dict[str, Any]) -> str:
    return "".join(f"event: {event.get('type', 'message')}\ndata: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


def frames(*events: tuple[str, Any]) -> bytes:
    """An event stream of AWS."""
    out = b""
    for name, value in events:
        header = b"\x0b:event-type\x07" + len(name).to_bytes(2, "big") + name.encode()
        payload = json.dumps(value).encode()
        prelude = struct.pack(">II", 16 + len(header) + len(payload), len(header))
        head = prelude + struct.pack(">I", zlib.crc32(prelude)) + header + payload
        out += head + struct.pack(">I", zlib.crc32(head))
    return out


USER = {"role": "user", "content": "look it up"}
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
TOOLS = [{"type": "function", "function": {"name": "look"}}]


def completion(message: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "created": 1750000000,
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": {"total_tokens": 3},
    }


CHAT = "https://api.openai.com/v1/chat/completions?key=" + SECRET
SECOND = [USER, ASKED, {"role": "tool", "tool_call_id": "c1", "content": "found"}]
OPENAI = [
    interaction(CHAT, {"model": "m", "messages": [USER], "tools": TOOLS}, completion(ASKED)),
    interaction("https://telemetry.example:4319/v1/traces", b"\x0a\xff", ""),
    interaction(CHAT, {"model": "m", "messages": SECOND}, completion({"role": "assistant", "content": "it is found"})),
]

FIRST = {"name": "look", "arguments": '{"q"'}
STREAMED = sse(
    {"id": "c", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hel"}}]},
    {
        "choices": [
            {
                "index": 0,
                "delta": {"content": "lo", "tool_calls": [{"index": 0, "id": "c1", "function": {"name": "look", "arguments": '{"q"'}}]},
            }
        ]
    },
    {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}, "finish_reason": "tool_calls"}]},
)

RESPONSES = {
    "model": "m",
    "instructions": "You route.",
    "input": [
        {"role": "user", "content": "look it up"},
        {"type": "function_call", "name": "look", "call_id": "c1", "arguments": '{"q": 1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "found"},
    ],
}
DONE = {"id": "r1", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "it is found"}]}]}

ANTHROPIC = sse(
    {"type": "message_start", "message": {"id": "msg", "model": "m", "usage": {"input_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "c1", "name": "look", "input": {}}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"q": 1}'}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}},
)

GEMINI = {"contents": [{"role": "user", "parts": [{"text": "look it up"}]}], "systemInstruction": {"parts": [{"text": "be good"}]}}
CANDIDATE = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "hm"}, {"functionCall": {"name": "look", "args": {"q": 1}}}]}}]
}

CONVERSE = {"system": [{"text": "be good"}], "messages": [{"role": "user", "content": [{"text": "look it up"}]}]}
TOOL_USE = {"output": {"message": {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1", "name": "look", "input": {"q": 1}}}]}}}
CONVERSE_STREAM = frames(
    ("messageStart", {"role": "assistant"}),
    ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Hel"}}),
    ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "lo"}}),
    ("messageStop", {"stopReason": "end_turn"}),
)


def traced(agent: str, second: int, part: dict[str, Any], chain: int = 1) -> tuple[str, dict[str, Any]]:
    event = {
        "agentId": agent,
        "eventTime": f"2025-05-21T09:49:{second:02}Z",
        "callerChain": [{}] * chain,
        "trace": {"orchestrationTrace": part},
    }
    return "trace", event


PROMPT = json.dumps({"system": "You lead", "messages": [{"role": "user", "content": "add"}]})
ASKING = {"text": PROMPT, "traceId": "t1", "foundationModel": "m"}
THOUGHT = {"traceId": "t1", "rawResponse": {"content": "ask Maths"}, "metadata": {"usage": {"outputTokens": 2}}}
TOLD = {"agentCollaboratorName": "Maths", "output": {"text": "it is 2"}}
TO_MATHS = {"agentCollaboratorName": "Maths", "agentCollaboratorAliasArn": "arn:aws:x:agent-alias/AG2/AL2", "input": {"text": "1+1"}}
ADDING = {"actionGroupName": "g", "function": "add", "parameters": [{"name": "a", "value": "1"}]}
AGENTS = frames(
    traced("AG1", 1, {"modelInvocationInput": ASKING}),
    traced(
        "AG1",
        2,
        {"modelInvocationOutput": THOUGHT},
    ),
    traced("AG1", 3, {"invocationInput": {"traceId": "t2", "agentCollaboratorInvocationInput": TO_MATHS}}),
    traced("AG2", 4, {"invocationInput": {"traceId": "t3", "actionGroupInvocationInput": ADDING}}, 2),
    traced("AG2", 5, {"observation": {"traceId": "t3", "actionGroupInvocationOutput": {"text": "2"}}}, 2),
    traced("AG1", 6, {"observation": {"agentCollaboratorInvocationOutput": TOLD}}),
    ("chunk", {"bytes": base64.b64encode(b"The sum is 2.").decode()}),
)
BEDROCK = interaction(
    "https://bedrock-agent-runtime.x.amazonaws.com/agents/AG1/agentAliases/A/sessions/s/text", {"inputText": "add 1 and 1"}, AGENTS
)

SDK = {
    "messages": [
        {"response": {"request_id": "r"}, "type": "control_response"},
        {
            "type": "assistant",
            "session_id": "s1",
            "uuid": "u1",
            "parent_tool_use_id": None,
            "message": {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t1", "name": "Agent", "input": {"subagent_type": "Scout"}}],
            },
        },
        {"type": "system", "session_id": "s1", "uuid": "u2", "subtype": "task_started", "task_id": "a1", "tool_use_id": "t1"},
        {
            "type": "assistant",
            "session_id": "s1",
            "uuid": "u3",
            "parent_tool_use_id": "t1",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "seen"}]},
        },
        {
            "type": "user",
            "session_id": "s1",
            "uuid": "u4",
            "parent_tool_use_id": None,
            "tool_use_result": {"agentId": "a1"},
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "seen", "is_error": False}]},
        },
    ]
}

SEEDS = [
    cassette(*OPENAI),
    cassette(
        interaction("https://api.openai.com/v1/responses", RESPONSES, sse({"type": "response.completed", "response": DONE})),
        interaction("https://api.anthropic.com/v1/messages", {"model": "m", "system": "s", "messages": [USER]}, ANTHROPIC),
        interaction("https://x/v1beta/models/g:generateContent", GEMINI, CANDIDATE),
        interaction("https://x/model/a.b/converse-stream", CONVERSE, CONVERSE_STREAM),
    ),
    cassette(BEDROCK),
    json.dumps({"interactions": OPENAI[:1], "version": 1}).encode(),
    yaml.safe_dump(SDK).encode(),
]
