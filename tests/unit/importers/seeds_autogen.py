"""Sound files of AutoGen, of both generations."""

from __future__ import annotations

import json
from typing import Any

from unit.importers.seeds_chats import CALL
from unit.importers.writing import encoded, lines

SEEDS: dict[str, list[bytes]] = {}

AUTOGEN_RESULT = {
    "messages": [
        {"type": "TextMessage", "source": "user", "content": "3+4, then Bob", "id": "m0", "created_at": "2025-01-01T10:00:00Z"},
        {"type": "ThoughtEvent", "source": "Alice", "content": "I need a sum."},
        {
            "type": "ToolCallRequestEvent",
            "source": "Alice",
            "models_usage": {"prompt_tokens": 3, "completion_tokens": 4},
            "content": [
                {"id": "x1", "name": "add", "arguments": '{"a":3,"b":4}'},
                {"id": "x2", "name": "transfer_to_Bob", "arguments": "{}"},
                {"id": "x3", "name": "transfer_to_Carol", "arguments": "{}"},
            ],
        },
        {
            "type": "ToolCallExecutionEvent",
            "source": "Alice",
            "content": [{"call_id": "x2", "name": "transfer_to_Bob", "content": "Transferred to Bob", "is_error": False}],
        },
        {"type": "HandoffMessage", "source": "Alice", "target": "Bob", "content": "Transferred to Bob", "context": []},
        {"type": "SelectSpeakerEvent", "source": "manager", "content": ["Bob"]},
        {"type": "MemoryQueryEvent", "source": "Bob", "content": [{"content": "a sum was asked", "mime_type": "text/plain"}]},
        {"type": "TextMessage", "source": "Bob", "content": "Arr", "metadata": {"score": "SEALED", "tone": "rough"}},
    ],
    "stop_reason": "Maximum",
}

AUTOGEN_STATE = {
    "type": "TeamState",
    "version": "1.0.0",
    "agent_states": {
        "writer": {
            "type": "ChatAgentContainerState",
            "agent_state": {
                "type": "AssistantAgentState",
                "llm_context": {"messages": [{"type": "UserMessage", "source": "user", "content": "a poem"}]},
            },
            "message_buffer": [],
        },
        "RoundRobinGroupChatManager": {
            "type": "RoundRobinManagerState",
            "message_thread": [
                {"type": "TextMessage", "source": "user", "content": "a poem"},
                {"type": "TextMessage", "source": "writer", "content": "leaves"},
            ],
            "current_turn": 1,
        },
    },
}

AUTOGEN_REPLAY = [
    {
        "mode": "create",
        "messages": [
            {"type": "SystemMessage", "content": "Be brief."},
            {"type": "UserMessage", "source": "User", "content": "Who?"},
            {"type": "AssistantMessage", "source": "a", "content": [{"id": "1", "name": "f", "arguments": "{}"}]},
            {"type": "FunctionExecutionResultMessage", "content": [{"call_id": "1", "content": "r", "is_error": False}]},
        ],
        "response": {"finish_reason": "stop", "content": "Nobody.", "usage": {"prompt_tokens": 9}, "cached": False},
        "stream": [],
    }
]

AUTOGEN_CONSOLE = """\
---------- user ----------
Is order 7 paid?
---------- clerk ----------
[FunctionCall(id='c1', arguments='{"order": 7}', name='lookup')]
[Prompt tokens: 64, Completion tokens: 16]
looking it up
---------- clerk ----------
[FunctionExecutionResult(content='paid', name='lookup', call_id='c1', is_error=False)]
---------- TextMessage (clerk) ----------
It is.
---------- Summary ----------
Number of messages: 4
Finish reason: Maximum number of turns
Total prompt tokens: 64
---------- user ----------
Thanks
"""

AUTOGEN_PRINTED = """\
TaskResult(messages=[TextMessage(source='user', models_usage=None, content="it's due", type='TextMessage'), \
ToolCallRequestEvent(source='clerk', models_usage=RequestUsage(prompt_tokens=1, completion_tokens=2), \
content=[FunctionCall(id='k', arguments='{}', name='pay')], type='ToolCallRequestEvent')], stop_reason='done')
source='user' models_usage=None content='again' type='TextMessage'
ToolCallSummaryMessage source='clerk' models_usage=None metadata={} content='ok' type='ToolCallSummaryMessage'
Stop Reason: done
"""

RULE = "-" * 80

AUTOGEN_CORE_TEXT = f"""\
{RULE}
User login, session ID: 7.
{RULE}
User:
I want a refund
{RULE}
Triage:
[FunctionCall(id='t1', arguments='{{}}', name='transfer_to_repairs')]
{RULE}
Triage:
Delegating to RepairsAgent
{RULE}
Solver SolverA:default round 0:
24
{RULE}
Aggregator Sum:default publishes the answer:
72
"""

AUTOGEN_02 = f"""\
\x1b[33mAdmin\x1b[0m (to chat_manager):

List the files.
Some advice (to you):

{RULE}
\x1b[32m
Next speaker: Engineer
\x1b[0m
\x1b[33mEngineer\x1b[0m (to chat_manager):

Let me look.
\x1b[32m***** Suggested tool Call (call_1): list_dir *****\x1b[0m
Arguments:

{{"directory": "./"}}
\x1b[32m**********************************************\x1b[0m

{RULE}
\x1b[35m
>>>>>>>> EXECUTING FUNCTION list_dir...\x1b[0m
\x1b[33mAdmin\x1b[0m (to chat_manager):

\x1b[33mAdmin\x1b[0m (to chat_manager):

\x1b[32m***** Response from calling tool "call_1" *****\x1b[0m
["main.py"]
\x1b[32m***********************************************\x1b[0m

{RULE}
\x1b[34m
{"*" * 80}\x1b[0m
\x1b[34mStart a new chat with the following message:
What now?
\x1b[0m
\x1b[34m
{"*" * 80}\x1b[0m
\x1b[33mEngineer\x1b[0m (to Admin):

TERMINATE

{RULE}
ChatResult(chat_id=None, chat_history=[{{'content': 'x', 'role': 'user'}}], summary='done', cost={{}}, human_input=[])
"""

AUTOGEN_RESULT_02 = {
    "chat_id": 1,
    "chat_history": [
        {"content": "List the files.", "role": "assistant", "name": "Admin"},
        {"content": None, "role": "user", "name": "Engineer", "tool_calls": CALL["tool_calls"]},
        {"content": "x", "role": "tool", "tool_responses": [{"tool_call_id": "c1", "role": "tool", "content": "x"}], "name": "Admin"},
    ],
    "summary": "done",
    "cost": {"usage_including_cached_inference": {"total_cost": 0}},
    "human_input": [],
}


def log02(event: str, receiver: str, **state: Any) -> dict[str, Any]:
    return {
        "source_id": 1,
        "source_name": receiver,
        "event_name": event,
        "agent_module": "autogen",
        "agent_class": "ConversableAgent",
        "json_state": json.dumps(state),
        "timestamp": "2024-05-01 10:00:00.000000",
        "thread_id": 1,
    }


AUTOGEN_LOG_02 = [
    {
        "id": 1,
        "agent_name": "clerk",
        "session_id": "s",
        "agent_type": "AssistantAgent",
        "args": {"system_message": "You pay."},
        "thread_id": 1,
    },
    {"client_id": 2, "wrapper_id": 3, "session_id": "s", "class": "OpenAI", "json_state": '{"api_key": "SEALED"}', "timestamp": "t"},
    log02("received_message", "manager", message="Pay 7.", sender="boss", valid=True),
    log02("received_message", "clerk", message={"content": "Pay 7.", "name": "boss", "role": "user"}, sender="manager", valid=True),
    {
        "invocation_id": "i1",
        "client_id": 2,
        "wrapper_id": 3,
        "request": {"model": "m", "messages": [{"role": "user", "content": "Pay 7."}]},
        "response": "ChatCompletion(id='x', choices=[Choice(finish_reason='tool_calls', message=ChatCompletionMessage(content=None, "
        "role='assistant', tool_calls=[ChatCompletionMessageToolCall(id='c1', function=Function(arguments='{}', name='pay'))]))])",
        "is_cached": 0,
        "cost": 0.1,
        "start_time": "2024-05-01 10:00:01.000000",
        "source_name": "clerk",
    },
    log02("received_message", "manager", message={"content": "", "tool_calls": CALL["tool_calls"], "role": "assistant"}, sender="clerk"),
    {"source_id": 1, "source_name": "manager", "input_args": '{"order": 7}', "returns": "done", "timestamp": "t", "thread_id": 1},
    log02(
        "received_message",
        "clerk",
        message={"content": "x", "role": "tool", "tool_responses": [{"tool_call_id": "c1", "content": "done"}]},
        sender="manager",
    ),
    log02("received_message", "manager", message="Pay 7.", sender="boss", valid=True),
    log02("reply_func_executed", "clerk", reply_func_name="f", final=True),
]

SEEDS["autogen"] = encoded(
    AUTOGEN_RESULT,
    AUTOGEN_STATE,
    AUTOGEN_REPLAY,
    AUTOGEN_CONSOLE,
    AUTOGEN_PRINTED,
    AUTOGEN_CORE_TEXT,
    AUTOGEN_02,
    AUTOGEN_RESULT_02,
    lines(*AUTOGEN_RESULT["messages"]),
    lines(*AUTOGEN_LOG_02),
    b"Started new session with Session ID: s-1\n" + lines(*AUTOGEN_LOG_02) + b"[file_logger] Failed to log event: x\n",
)
