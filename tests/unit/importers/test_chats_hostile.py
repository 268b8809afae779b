"""Text that is made to take the square of its length in time is read in a moment: each would take hours otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import SeamwiseError
from seamwise.importers import open_recording
from unit.importers.seeds_autogen import RULE
from unit.importers.seeds_mad import mad_record
from unit.importers.test_fuzz_formats import no_hang
from unit.importers.writing import lines

N = 200_000

CASES: dict[str, tuple[str, Any]] = {
    "a banner that never closes": ("autogen", f"A (to B):\n\n***** Suggested tool call ({'): ' * N}\n\n{RULE}\n"),
    "a coloured name that never closes": (
        "autogen",
        "\x1b[33mA\x1b[0m (to B):\nx\n" + RULE + "\n" + "\x1b[33m" + "x\x1b[0m (to " * N + "\n",
    ),
    "a result of a chat that is none": ("autogen", f"A (to B):\n\nx\n\n{RULE}\nChatResult({'chat_history=' * N}\n"),
    "escaped quotes": ("autogen", "source='" + "\\'" * N + " type='TextMessage'\n"),
    "a printed result that breaks off": ("autogen", "TaskResult(messages=[" + "TextMessage(source='a', content='x'), " * (N // 20) + "\n"),
    "a header that never closes": ("chatdev", "[2025-31-03 19:09:40 INFO] A: **" + "x<->y on : z, turn " * N),
    "a table in one line": ("chatdev", "[2025-31-03 19:09:40 INFO] System: **[chatting]**\n\n| **" + "a** | b" * N + "\n"),
    "quotes in literals": ("mad", [mad_record("AG2", "{'content': ['a'], 'role': 'r', 'name': 'n'}{'content': ['" + "\\'" * N)]),
    "contents without a name": ("mad", [mad_record("AG2", "content:\nrole: x\n" * N)]),
    "headings without words": ("mad", "Response from A Agent\nMessage to B Agent\n" * (N // 10)),
    "lines of a log": ("metagpt", "2025-01-17 11:33:03.607 | INFO | metagpt.roles.role:_act:391 - A(B): to do C(D)\n" * (N // 20)),
    "entries without an end": ("crewai", '2025-01-01 10:00:00: task_name="' + 'x", task="' * N),
    "pieces of one message": ("langgraph", lines(*(["messages", [{"content": "x", "type": "ai", "id": "m"}, {}]] for _ in range(N // 10)))),
    "updates of one node": ("langgraph", lines(*(["updates", {"n": {"x": n}}] for n in range(N // 10)))),
    "pieces of one artifact": (
        "a2a",
        lines(
            *(
                {
                    "kind": "artifact-update",
                    "taskId": "t",
                    "contextId": "c",
                    "append": True,
                    "artifact": {"artifactId": "x", "parts": [{"text": "y"}]},
                }
                for _ in range(N // 10)
            )
        ),
    ),
    "one message without end": ("chat", [{"role": "user", "content": "x"}] * (N // 10)),
}


@pytest.mark.parametrize("name", CASES)
def test_hostile_text_is_read_in_a_moment(tmp_path: Path, name: str) -> None:
    format, file = CASES[name]
    content = file if isinstance(file, bytes) else file.encode() if isinstance(file, str) else json.dumps(file).encode()
    (tmp_path / "recording").write_bytes(content)
    recording = open_recording(tmp_path / "recording", format=format)
    with no_hang(name):
        try:
            steps = sum(len(trace.steps) for trace in recording.traces)
        except SeamwiseError:
            return
    recording.report.check()
    assert steps > 0
