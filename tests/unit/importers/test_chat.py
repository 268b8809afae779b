"""Plain chats: the list is found, roles are no names, calls and answers meet, a mapping reads what is no chat's shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from unit.importers.otlp_fixtures import Got, read_bytes
from unit.importers.writing import stems

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


def got(folder: Path, value: Any, **more: Any) -> Got:
    return read_bytes(folder, value if isinstance(value, bytes) else json.dumps(value).encode(), **more)


@pytest.mark.parametrize(
    "file",
    [
        CONVERSATION,
        {"messages": CONVERSATION},
        {"id": "x", "conversation": CONVERSATION},
        [{"messages": CONVERSATION}],
        [CONVERSATION],
        "\n".join(json.dumps({"messages": CONVERSATION, "n": n}) for n in range(1)).encode() + b"\n",
        "\n".join(map(json.dumps, CONVERSATION)).encode(),
    ],
)
def test_the_list_is_found_wherever_it_stands(tmp_path: Path, file: Any) -> None:
    made = got(tmp_path, file)
    assert made.report.format == "chat"
    assert made.report.records == made.report.kept == 4
    assert [(s.kind, s.actor) for s in made.steps] == [
        ("message", None),
        ("tool_call", "clerk"),
        ("tool_result", "clerk"),
        ("message", "clerk"),
    ]
    assert made.one("tool_call").data == {"arguments": {"order": 7}}
    assert made.one("tool_result").data == {"result": {"paid": True}}
    assert all(step.recipients is None for step in made.steps), "who speaks next is no addressee"


def test_lines_that_name_their_conversation_are_put_together(tmp_path: Path) -> None:
    lines = [{"session_id": s, "role": "user", "content": f"{s}{n}"} for n in range(2) for s in "ab"]
    made = got(tmp_path, "\n".join(map(json.dumps, lines)).encode())
    assert stems(made.traces) == ["a", "b"]
    assert [[s.text for s in t.steps] for t in made.traces] == [["a0", "a1"], ["b0", "b1"]]


def test_conversations_of_one_id_stay_apart(tmp_path: Path) -> None:
    made = got(tmp_path, [{"id": 3, "messages": [ASK]}, {"id": 3, "messages": [SAID]}, 5])
    assert stems(made.traces) == ["3", "3"]
    assert len({t.id for t in made.traces}) == 2
    assert made.report.dropped == {"no message": 1}


def test_a_role_that_is_no_perspective_is_a_name_and_may_name_the_addressee(tmp_path: Path) -> None:
    made = got(tmp_path, [{"role": "Planner (-> Coder)", "content": "do it"}, {"role": "Coder", "content": "done"}])
    first, second = made.steps
    assert (first.actor, first.recipients, second.actor) == ("Planner", ("Coder",), "Coder")
    assert first.data == {"role": "Planner (-> Coder)"}


def test_null_is_a_result_and_no_content_is_not_known(tmp_path: Path) -> None:
    null = {"role": "tool", "tool_call_id": "c1", "name": "lookup", "content": None}
    blocks = {"role": "assistant", "content": [{"type": "text", "text": "No data."}]}
    made = got(tmp_path, [ASK, CALL, null, blocks, {"role": "assistant"}])
    assert made.report.records == 5
    assert made.one("tool_result").data == {"result": None}
    assert [s.text for s in made.of("message")] == ["Is order 7 paid?", "No data.", None]
    assert made.report.unknown["what a message said"] == 1


def test_parallel_calls_of_one_tool_are_answered_by_id(tmp_path: Path) -> None:
    calls = [{"id": i, "function": {"name": "read", "arguments": f'{{"p": "{i}"}}'}} for i in "abc"]
    made = got(
        tmp_path,
        [
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "c", "content": "three"},
            {"role": "user", "content": "hurry"},
            {"role": "tool", "tool_call_id": "a", "content": "one"},
        ],
    )
    assert {s.call: s.text for s in made.of("tool_result")} == {"c": "three", "a": "one"}
    assert made.report.unknown["the ending of a tool call"] == 1


def test_a_mark_of_left_out_messages_explains_a_result_without_its_call(tmp_path: Path) -> None:
    made = got(
        tmp_path,
        [
            ASK,
            {"role": "assistant", "content": "... [truncated, 1800 chars total]"},
            {"_truncated": True, "dropped": 4},
            {"role": "tool", "tool_call_id": "c5", "content": "ok"},
        ],
    )
    assert made.report.kept == 4
    assert made.codes == {"not_whole": 1, "truncated_list": 1, "result_without_call": 1}
    assert made.one("note").data == {"_truncated": True, "dropped": 4}


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ('"{\\"city\\": \\"Bonn\\"}"', {"city": "Bonn"}),
        ("{'city': 'Bonn', 'note': \"it's\"}", {"city": "Bonn", "note": "it's"}),
        ('{"v": \\n[1]}', '{"v": \\n[1]}'),
        ({"city": "Bonn"}, {"city": "Bonn"}),
        ("", ""),
    ],
)
def test_arguments_never_become_empty(tmp_path: Path, arguments: Any, read: Any) -> None:
    made = got(tmp_path, [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": arguments}}]}])
    assert made.one("tool_call").data == {"arguments": read}


@pytest.mark.parametrize(
    "messages",
    [
        [
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "id": "1", "name": "f", "input": {"x": 1}}],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "r", "is_error": True}]},
        ],
        [
            {"type": "ai", "content": "a", "tool_calls": [{"id": "1", "name": "f", "args": {"x": 1}}]},
            {"type": "tool", "tool_call_id": "1", "status": "error", "content": "r"},
        ],
        [
            {"role": "assistant", "content": "a"},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": '{"x": 1}'},
            {"type": "function_call_output", "call_id": "1", "output": "Error: r"},
        ],
        [
            {"role": "assistant", "content": "a", "function_call": {"name": "f", "arguments": '{"x": 1}'}},
            {"role": "function", "name": "f", "content": "Error: r"},
        ],
        [
            {"role": "model", "parts": [{"text": "a"}, {"functionCall": {"name": "f", "args": {"x": 1}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"error": "r"}}}]},
        ],
        [
            {
                "lc": 1,
                "type": "constructor",
                "id": ["m", "AIMessage"],
                "kwargs": {"content": "a", "tool_calls": [{"name": "f", "args": {"x": 1}}]},
            },
            {"role": "tool", "tool_responses": [{"tool_call_id": None, "content": "Error: r"}], "content": "Error: r"},
        ],
    ],
)
def test_every_dialect_of_calls_and_answers(tmp_path: Path, messages: list[Any]) -> None:
    made = got(tmp_path, messages, format="chat")
    assert [s.kind for s in made.steps] == ["message", "tool_call", "tool_result"]
    call, answer = made.steps[1:]
    assert (call.tool, call.data, answer.call) == ("f", {"arguments": {"x": 1}}, call.call)
    assert answer.status != "ok"


def test_labels_beside_and_inside_messages_are_sealed(tmp_path: Path) -> None:
    file = {
        "id": "run",
        "topic": "orders",
        "reward": 0.5,
        "ground_truth": "SECRET-1",
        "messages": [ASK, {**SAID, "annotation": "SECRET-2", "meta": {"score": "SECRET-3", "model": "m"}}],
    }
    made = got(tmp_path, file)
    assert {label.key: label.step for label in made.labels} == {"reward": None, "ground_truth": None, "annotation": "1", "meta.score": "1"}
    assert "SECRET" not in str(made.traces)
    assert made.steps[1].data == {"role": "assistant", "meta": {"model": "m"}}
    assert made.traces[0].header.origin["recorded"] == {"id": "run", "topic": "orders"}


def test_what_is_no_chat_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a list of messages"):
        got(tmp_path, {"a": [1, 2]}, format="chat")


def test_the_same_run_in_two_files_is_one_and_two_runs_of_one_file_name_are_two(tmp_path: Path) -> None:
    ids = []
    for folder, said in (("a", SAID), ("b", SAID), ("c", ASK)):
        (tmp_path / folder).mkdir()
        ids += [t.id for t in got(tmp_path / folder, [CALL, said]).traces]
    assert ids[0] == ids[1] != ids[2]


# ---- by a mapping ----

MAPPING = """
list: sessions[].turns
trace: session
speaker: from.name
recipient: to
text: body
time: at
tool: action.tool
call: action.id
arguments: action.input
result: action.output
labels: [verdict]
"""

SESSIONS = {
    "sessions": [
        {
            "session": "s1",
            "turns": [
                {"from": {"name": "Ann"}, "to": ["Bob", "Cy"], "body": "pay it", "at": "2025-01-01T10:00:00Z", "mood": "calm"},
                {"from": {"name": "Bob"}, "action": '{"tool": "pay", "id": "k", "input": {"eur": 5}}', "verdict": "SECRET"},
                {"from": {"name": "Bob"}, "action": {"tool": "pay", "id": "k", "output": {"ok": True}}},
                {"from": {"name": "Cy"}, "action": {"tool": "log", "input": {}, "output": "done"}},
                "odd",
            ],
        },
        {"session": "s2", "turns": [{"body": "alone"}]},
    ]
}


def mapped(folder: Path, mapping: str, value: Any) -> Got:
    page = folder / "fields.yaml"
    page.write_text(mapping, encoding="utf-8")
    return got(folder, value, format=f"chat:{page}")


def test_any_list_by_a_mapping(tmp_path: Path) -> None:
    made = mapped(tmp_path, MAPPING, SESSIONS)
    one, two = made.traces
    assert stems(made.traces) == ["s1", "s2"]
    assert [(s.kind, s.actor, s.recipients, s.text, s.call) for s in one.steps] == [
        ("message", "Ann", ("Bob", "Cy"), "pay it", None),
        ("tool_call", "Bob", None, None, "k"),
        ("tool_result", "Bob", None, None, "k"),
        ("tool_call", "Cy", None, None, "call~0"),
        ("tool_result", "Cy", None, "done", "call~0"),
        ("note", None, None, None, None),
    ]
    assert one.steps[0].time_ns == 1_735_725_600_000_000_000
    assert one.steps[0].data == {"mood": "calm"}
    assert one.steps[1].data == {"arguments": {"eur": 5}}
    assert two.steps[0].actor is None
    assert [(label.trace, label.step, label.key) for label in made.labels] == [(one.id, "1", "verdict")]
    assert "SECRET" not in str(made.traces)


def test_a_mapping_of_lines(tmp_path: Path) -> None:
    lines = [{"who": "a", "what": "x", "chat": 1}, {"who": "b", "what": "y", "chat": 2}, {"who": "b", "what": "z", "chat": 1}]
    made = mapped(tmp_path, "speaker: who\ntext: what\ntrace: chat\n", "\n".join(map(json.dumps, lines)).encode())
    assert stems(made.traces) == ["1", "2"]
    assert [[s.text for s in t.steps] for t in made.traces] == [["x", "z"], ["y"]]


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ("speeker: a\ntext: b\n", "unknown field `speeker`"),
        ("speaker: a\n", "`text`, `tool` or `result`"),
        ("text: [a]\n", "a path"),
        ("- text\n", "fields to paths"),
        ("text: {\n", "no YAML"),
        ("list: nothing.here\ntext: a\n", "a list at `nothing.here`"),
    ],
)
def test_a_mapping_that_cannot_work_says_why(tmp_path: Path, mapping: str, words: str) -> None:
    with pytest.raises(FormatError) as error:
        mapped(tmp_path, mapping, SESSIONS)
    assert words in error.value.message


def test_a_mapping_that_is_not_there_and_a_format_that_takes_none(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot read the mapping"):
        got(tmp_path, [ASK], format="chat:nowhere.yaml")
    with pytest.raises(FormatError, match="takes no file"):
        got(tmp_path, [ASK], format="native:x.yaml")
