"""Sound files of the formats in which chats of several agents are kept, and benchmarks of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from seamwise.record import Trace


def encoded(*files: Any) -> list[bytes]:
    return [file if isinstance(file, bytes) else file.encode() if isinstance(file, str) else json.dumps(file).encode() for file in files]


def stems(traces: Iterable[Trace]) -> list[str]:
    """Ids of traces without the fingerprint of their content."""
    return [re.sub(r"-[0-9a-f]{12}", "", trace.id) for trace in traces]


def lines(*values: Any) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


ASK = {"role": "user", "content": "Is order 7 paid?"}
CALL = {
    "role": "assistant",
    "content": None,
    "name": "clerk",
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "lookup", "arguments": '{"order": 7}'}}],
}
ANSWER = {"role": "tool", "tool_call_id": "c1", "name": "lookup", "content": '{"paid": true}'}
SAID = {"role": "assistant", "name": "clerk", "content": "It is."}
CONVERSATION = [ASK, CALL, ANSWER, SAID]

WHOWHEN_AG = {
    "is_correct": False,
    "question": "How many lamps are lit?",
    "question_ID": "q-lamps",
    "level": "SEALED-level",
    "ground_truth": "SEALED-truth",
    "history": [
        {"content": "Count the lit lamps.", "role": "assistant", "name": "Lamp_Expert"},
        {"content": "exitcode: 0 (execution succeeded)\nCode output: 3", "role": "user", "name": "Computer_terminal"},
        {"content": "Four lamps. TERMINATE", "role": "user", "name": "Check_Expert"},
    ],
    "mistake_agent": "SEALED-agent",
    "mistake_step": "2",
    "mistake_reason": "SEALED-reason",
    "system_prompt": {"Lamp_Expert": "You count lamps.", "Check_Expert": "You check counts."},
}

MAGENTIC = [
    {"content": "Which shop opens first?\n", "role": "human"},
    {"content": "Initial plan: ask the surfer.", "role": "Orchestrator (thought)"},
    {"content": "Please look up the opening hours.", "role": "Orchestrator (-> WebSurfer)"},
    {"content": "I opened the page. The bakery opens at 6.", "role": "WebSurfer"},
    {"content": "Please answer.", "role": "Orchestrator (-> Assistant)"},
    {"content": "The bakery.", "role": "Assistant"},
    {"content": "Request satisfied.", "role": "Orchestrator (termination condition)"},
]

WHOWHEN_HC = {
    "history": MAGENTIC,
    "question": "Which shop opens first?",
    "ground_truth": "SEALED-truth",
    "is_corrected": False,
    "mistake_agent": "SEALED-agent",
    "mistake_step": "3",
    "mistake_type": "SEALED-type",
    "mistake_reason": "SEALED-reason",
    "question_ID": "q-shops",
}

SEEDS: dict[str, list[bytes]] = {
    "agentrx": encoded(MAGENTIC),
    "chat": encoded(
        CONVERSATION, {"id": "x", "messages": CONVERSATION, "reward": 1}, lines(*CONVERSATION), lines({"messages": CONVERSATION})
    ),
    "whowhen": encoded(WHOWHEN_AG, WHOWHEN_HC),
}

# ---- AutoGen ----

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

# ---- ChatDev and MetaGPT ----

CHATDEV = """\
[2025-31-03 19:09:40 INFO] **[Preprocessing]**

**ChatDev Starts** (20250331190940)

**task_prompt**: Make a lamp.

[2025-31-03 19:09:41 INFO] flask app.py did not start for online log
[2025-31-03 19:09:41 INFO] System: **[chatting]**

| Parameter | Value |
| --- | --- |
| **task_prompt** | Make a lamp. |
| **assistant_role_name** | Programmer |
| **user_role_name** | Chief Technology Officer |
| **phase_name** | Coding |

[2025-31-03 19:09:42 INFO] Chief Technology Officer: **[Start Chat]**

[You are Programmer.]

Please write the lamp.
[2025-31-03 19:09:43 INFO] HTTP Request: POST /v1/chat/completions "HTTP/1.1 200 OK"
[2025-31-03 19:09:44 INFO] **[OpenAI_Usage_Info Receive]**
prompt_tokens: 42
completion_tokens: 7

[2025-31-03 19:09:45 INFO] Programmer: **Programmer<->Chief Technology Officer on : Coding, turn 0**

[You are Chief Technology Officer.]

main.py
```python
lamp = [1]

on = True
```

[2025-31-03 19:09:46 INFO] **[Seminar Conclusion]**:

 <INFO> A lamp.
[2025-31-03 19:09:47 WARNING] rate limited
"""

METAGPT_MEMORY = {
    "storage": [
        {
            "id": "a1",
            "content": "A lamp, please.",
            "role": "user",
            "cause_by": "metagpt.actions.add_requirement.UserRequirement",
            "sent_from": "",
            "send_to": ["<all>"],
        },
        {
            "id": "a2",
            "content": "The lamp has one switch.",
            "role": "Product Manager",
            "cause_by": "metagpt.actions.write_prd.WritePRD",
            "sent_from": "Alice",
            "send_to": ["Bob", "Cy"],
            "instruct_content": {"switches": 1},
        },
        {
            "id": "a3",
            "content": "noted",
            "role": "Engineer",
            "cause_by": "x.WriteCode",
            "sent_from": "Bob",
            "send_to": ["<none>"],
            "metadata": {"score": "SEALED", "n": 1},
        },
    ],
    "index": {},
}

METAGPT_LOG = """\
2025-01-17 11:33:03.607 | INFO     | metagpt.team:invest:90 - Investment: $3.0.
2025-01-17 11:33:03.610 | INFO     | metagpt.roles.role:_act:391 - Alice(SimpleCoder): to do SimpleWriteCode(SimpleWriteCode)
```python
lamp = 1
```
2025-01-17 11:33:07.000 | WARNING  | metagpt.utils.cost_manager:update_cost:57 - Total running cost: $0.001
2025-01-17 11:33:08.000 | INFO     | __main__:_act:100 - Bob(SimpleTester): to do SimpleWriteTest(SimpleWriteTest)
2025-01-17 11:33:08.001 | INFO     | __main__:_act:100 - Cy(SimpleReviewer): to do SimpleWriteReview(SimpleWriteReview)
Looks fine.
"""

METAGPT_COMMUNICATION = f"""\
=== MetaGPT Agent Communication Log - Started at 2025-03-31 12:53:42 ===

[2025-03-31 12:53:42] FROM: Human TO: {{'<all>'}}
ACTION: metagpt.actions.add_requirement.UserRequirement
CONTENT:
Write a lamp.
{"-" * 80}

[2025-03-31 12:54:14] NEW MESSAGES:

SimpleCoder:
lamp = 1
Example:
print(lamp)
SimpleTester:
assert lamp
{"-" * 80}

[2025-03-31 12:54:30] NEW MESSAGES:

SimpleTester: one test is missing
{"-" * 80}

=== Communication Log Ended at 2025-03-31 12:54:31 ===
"""

METAGPT_POOL = [
    {
        "req": [{"role": "user", "content": "Write a plan."}],
        "resp": "1. lamp",
        "metric": {"score": {"val": "SEALED"}},
        "tag": "engineer",
    },
    {"req": "a plan", "resp": "2. switch"},
]

SEEDS["chatdev"] = encoded(CHATDEV, CHATDEV.replace("\n", "\r\n"))
SEEDS["metagpt"] = encoded(METAGPT_MEMORY, lines(*METAGPT_MEMORY["storage"]), METAGPT_LOG, METAGPT_COMMUNICATION, METAGPT_POOL)

# ---- MAST/MAD ----

MAD_AG2 = (
    "{'content': ['Solve 2+2.', 'Use braces {like \\'this\\'}.'], 'role': 'assistant', 'name': 'mathproxyagent'}\n"
    "{'content': [\"It's 4\"], 'role': 'user', 'name': 'assistant'}"
    "{'content': ['done'], 'role': 'assistant', 'name': 'mathproxyagent'}"
)

MAD_AG2_WRITTEN = """\
problem 7

      content:
            Let's solve it.
              x = 2
      role: assistant
      name: mathproxyagent

      content:
            It is 2.
      role: user
      name: assistant
"""

MAD_HYPERAGENT = """\
HyperAgent_lamp__lamp-1 - INFO - Initialized tools
HyperAgent_lamp__lamp-1 - INFO - Planner's Response: Thought: find the switch.
It is in lamp.py.
HyperAgent_lamp__lamp-1 - INFO - Inner-Navigator-Assistant's Response: Searching.
HyperAgent_lamp__lamp-1 - INFO - Navigator->Planner: The switch is in lamp.py.
HyperAgent_lamp__lamp-1 - WARNING - slow
"""

MAD_APPWORLD = """\
******************** Task 3/16 (a1_2) ********************
Skip the song.

Response from Supervisor Agent
    # ask the other agent
    send_message(app_name='spotify', message='skip')

    Message to Spotify Agent
        skip

        Entering Spotify Agent message loop

        Response from Spotify Agent
            apis.spotify.next_song()

        Code Execution Output
            {"message": "skipped"}

        Exiting Spotify Agent message loop
    Reply from Spotify Agent
        skipped

    Response from send_message API
        skipped
******************** Task 4/16 (b7_1) ********************
Like the song.

Response from Supervisor Agent
    done
"""

MAD_MAGENTIC = """\
Collecting packages
SCENARIO.PY STARTING !#!#
---------- user ----------
Which shop opens first?
---------- MagenticOneOrchestrator ----------
Let me plan.
---------- WebSurfer ----------
The bakery.
SCENARIO.PY COMPLETE !#!#
RUN.SH COMPLETE !#!#
"""

MAD_OPENMANUS = """\
2025-03-21 00:05:00.265 | WARNING  | __main__:main:15 - Processing your request...
2025-03-21 00:05:17.351 | INFO     | app.agent.toolcall:think:80 - \u2728 Manus's thoughts: I should search.
2025-03-21 00:05:17.351 | INFO     | app.agent.toolcall:think:81 - \U0001f6e0\ufe0f Manus selected 2 tools to use
2025-03-21 00:05:17.364 | INFO     | app.agent.toolcall:think:88 - \U0001f527 Tool arguments: {"query": "lamps"}
2025-03-21 00:05:17.365 | INFO     | app.agent.toolcall:execute_tool:179 - \U0001f527 Activating tool: 'web_search'...
2025-03-21 00:05:32.214 | INFO     | app.agent.toolcall:act:149 - \U0001f3af Tool 'web_search' completed its mission! Result: \
Observed output of cmd `web_search` executed:
Error: no page
2025-03-21 00:05:33.000 | INFO     | app.agent.toolcall:execute_tool:179 - \U0001f527 Activating tool: 'browser_use'...
"""

MAD_ROUNDS = """\
########## Round 1
***** Reasoner 1 output: *****
It is 4.
***** Reasoner 2 output: *****
It is 5.
########## Round 2
***** Verifier output: *****
4
"""


def mad_record(system: str, trajectory: Any, number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "mas_name": system,
        "llm_name": "m-1",
        "benchmark_name": "B",
        "trace_id": number,
        "trace": {"key": f"k{number}", "index": number, "trajectory": trajectory},
        "mast_annotation": {"1.1": 0, "2.4": "SEALED-1", "3.3": None},
        **more,
    }


MAD_SYSTEMS: dict[str, Any] = {
    "AG2": MAD_AG2,
    "ChatDev": CHATDEV,
    "MetaGPT": METAGPT_COMMUNICATION,
    "HyperAgent": MAD_HYPERAGENT,
    "AppWorld": MAD_APPWORLD,
    "Magentic": MAD_MAGENTIC,
    "OpenManus": MAD_OPENMANUS,
}

MAD_FULL = [mad_record(system, text, n) for n, (system, text) in enumerate(MAD_SYSTEMS.items())]

MAD_HUMAN = [
    {
        "round": "SEALED-round",
        "mas_name": "HyperAgent",
        "benchmark_name": "SWE",
        "trace_id": 3,
        "trace": json.dumps(
            {
                "instance_id": "lamp__lamp-1",
                "problem_statement": ["the lamp\r", "is dark"],
                "other_data": {"patch": "SEALED-patch", "repo": "lamp"},
                "trajectory": MAD_HYPERAGENT.splitlines(),
            }
        ),
        "annotations": [{"failure mode": "SEALED-mode", "annotator_1": True}],
    }
]

MAD_FILE = {
    "instance_id": "gsm-7",
    "problem_statement": ["What is 2+2?"],
    "other_data": {"correct_answer": "SEALED-answer", "level": 1},
    "trajectory": [
        {"content": ["Solve it.", "Please."], "role": "assistant", "name": "mathproxyagent"},
        {"content": ["4"], "role": "user", "name": "assistant"},
    ],
    "note": {"text": ["SEALED-note"], "options": {"Proceed with incorrect assumptions": "SEALED-yes"}},
}

MAD_PEERS = {
    "instance_id": "p-1",
    "problem_statement": ["2+2"],
    "other_data": {},
    "trajectory": {
        "agent1": [{"role": "user", "content": "2+2"}, {"role": "assistant", "content": "4"}],
        "agent2": [{"role": "user", "content": "2+2"}, {"role": "assistant", "content": "5"}],
    },
}

SEEDS["mad"] = encoded(MAD_FULL, MAD_HUMAN, MAD_FILE, MAD_PEERS, MAD_HYPERAGENT, MAD_APPWORLD, MAD_OPENMANUS, lines(*MAD_FULL[:2]))

# ---- LangGraph ----


def human(text: str, id: str | None = None) -> dict[str, Any]:
    return {"content": text, "additional_kwargs": {}, "response_metadata": {}, "type": "human", "name": None, "id": id}


def ai(text: str, id: str | None = None, name: str | None = None, calls: list[Any] | None = None) -> dict[str, Any]:
    return {
        "content": text,
        "additional_kwargs": {},
        "response_metadata": {},
        "type": "ai",
        "name": name,
        "id": id,
        "tool_calls": calls or [],
    }


LG_SEARCH = {"name": "search", "args": {"q": "lamps"}, "id": "c1", "type": "tool_call"}
LG_ASK = ai("", "m2", None, [LG_SEARCH])
LG_FOUND = ai("found", "m4", "researcher")
LG_HIT = {"content": "hit", "type": "tool", "name": "search", "id": "m3", "tool_call_id": "c1", "status": "success"}


def lg_debug(sort: str, step: int, **payload: Any) -> dict[str, Any]:
    return {"step": step, "timestamp": f"2025-01-01T00:00:0{max(step, 0)}+00:00", "type": sort, "payload": payload}


def lg_checkpoint(identifier: str, parent: str | None, **values: Any) -> dict[str, Any]:
    return {
        "config": {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": identifier}},
        "parent_config": None if parent is None else {"configurable": {"checkpoint_id": parent}},
        "values": values,
        "metadata": {"source": "loop", "step": 1},
        "next": [],
        "tasks": [],
    }


LG_BELOW = ["researcher:t2"]

LG_TUPLES: list[Any] = [
    [[], "values", {"messages": [human("find lamps", "m1")]}],
    [[], "tasks", {"id": "t1", "name": "supervisor", "input": {"messages": [human("find lamps", "m1")], "n": 1}, "triggers": ["start"]}],
    [[], "updates", {"supervisor": {"facts": ["go"]}}],
    [[], "tasks", {"id": "t1", "name": "supervisor", "error": None, "result": {"facts": ["go"]}, "interrupts": []}],
    [[], "tasks", {"id": "t2", "name": "researcher", "input": {"messages": []}, "triggers": []}],
    [LG_BELOW, "tasks", {"id": "t3", "name": "model", "input": {"messages": []}, "triggers": []}],
    [LG_BELOW, "messages", [LG_ASK, {"langgraph_node": "model"}]],
    [LG_BELOW, "tasks", {"id": "t3", "name": "model", "error": None, "result": [["messages", [LG_ASK]]]}],
    [LG_BELOW, "updates", {"tools": {"messages": [LG_HIT]}}],
    [[], "tasks", {"id": "t2", "name": "researcher", "error": "boom", "result": {"messages": [LG_ASK, LG_HIT, LG_FOUND]}}],
    [[], "checkpoints", lg_checkpoint("k1", None, facts=["go"], messages=[human("find lamps", "m1"), LG_HIT])],
    [[], "custom", {"progress": 1}],
]

LG_EVENTS: list[tuple[str, Any]] = [
    ("metadata", {"run_id": "run-9", "attempt": 1}),
    ("debug", lg_debug("task", 0, id="t1", name="writer", input={"messages": []}, triggers=[])),
    ("messages/metadata", {"m1": {"metadata": {"langgraph_node": "writer", "langgraph_checkpoint_ns": "writer:t1"}}}),
    ("messages/partial", [{"id": "m1", "type": "ai", "content": "Hel"}]),
    ("messages/partial", [{"id": "m1", "type": "ai", "content": "Hello"}]),
    ("messages/partial", [{"id": "m9", "type": "ai", "content": "I was"}]),
    (
        "debug|writer:t1",
        lg_debug("checkpoint", 0, config={"configurable": {"authorization": "SEALED", "checkpoint_id": "k0"}}, values={"x": 1}),
    ),
    ("debug", lg_debug("task_result", 1, id="t1", name="writer", error=None, result=[["messages", [ai("Hello", "m1")]]], interrupts=[])),
]

LG_SSE = (
    ": connected\n\n"
    + "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in LG_EVENTS)
    + 'event: debug\ndata: {"step":1,"type":"task_res'
)

LG_HISTORY = [
    lg_checkpoint("k3", "k2", messages=[human("a", "1"), ai("b", "2", "writer")]),
    lg_checkpoint("k2", "k1", messages=[human("a", "1")]),
    lg_checkpoint("k1", None, messages=[]),
]

LG_CHECKPOINT = {
    "v": 4,
    "id": "k9",
    "ts": "2025-01-01T00:00:00+00:00",
    "channel_values": {
        "messages": [{"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": "x", "id": "1"}}]
    },
    "channel_versions": {},
    "versions_seen": {},
}

LG_STATE = {"messages": [human("a", "1"), ai("b", "2")], "facts": ["f"]}

SEEDS["langgraph"] = encoded(
    lines(*LG_TUPLES),
    LG_TUPLES,
    LG_SSE,
    lines(*(lg_debug("task", 0, id="t", name="n", input={}, triggers=[]) for _ in range(2))),
    lines({"type": "updates", "ns": [], "data": {"n": {"x": 1}}}),
    lines(["updates", {"n": {"messages": [ai("x", "1")]}}]),
    LG_HISTORY,
    LG_CHECKPOINT,
    LG_STATE,
)

# ---- CrewAI, CAMEL, A2A ----


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
    crew("task_completed", 14, task_id="t", task_name="look", agent_role="Clerk", output={"raw": "It is paid.", "score": "SEALED"}),
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
