"""Sound files of MAST/MAD and its seven systems."""

from __future__ import annotations

import json
from typing import Any

from unit.importers.seeds_companies import CHATDEV, METAGPT_COMMUNICATION
from unit.importers.writing import encoded, lines

SEEDS: dict[str, list[bytes]] = {}

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
