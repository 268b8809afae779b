"""Sound files of plain chat lists, Who&When and Magentic-One."""

from __future__ import annotations

from unit.importers.writing import encoded, lines

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
