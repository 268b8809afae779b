"""Sound files of ChatDev and MetaGPT."""

from __future__ import annotations

from unit.importers.writing import encoded, lines

SEEDS: dict[str, list[bytes]] = {}

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
