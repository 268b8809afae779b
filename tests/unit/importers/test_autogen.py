"""AutoGen, both generations: who said what to whom as far as it was recorded, in JSON and as the console printed it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.importers import open_recording
from seamwise.importers.autogen._notation import fields, notation
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.seeds_autogen import (
    AUTOGEN_02,
    AUTOGEN_CONSOLE,
    AUTOGEN_CORE_TEXT,
    AUTOGEN_LOG_02,
    AUTOGEN_PRINTED,
    AUTOGEN_REPLAY,
    AUTOGEN_RESULT,
    AUTOGEN_RESULT_02,
    AUTOGEN_STATE,
    RULE,
)
from unit.importers.writing import lines, stems


def got(folder: Path, value: Any, **more: Any) -> Got:
    made = read_bytes(folder, value.encode() if isinstance(value, str) else json.dumps(value).encode(), **more)
    assert made.report.format == "autogen"
    return made


def told(made: Got) -> list[tuple[Any, ...]]:
    return [(s.kind, s.actor, s.recipients, s.tool or s.text) for t in made.traces for s in t.steps]


# ---- 0.4: JSON ----


def test_a_result_of_a_team(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_RESULT)
    assert told(made) == [
        ("message", "user", None, "3+4, then Bob"),
        ("note", "Alice", None, "I need a sum."),
        ("tool_call", "Alice", None, "add"),
        ("tool_call", "Alice", None, "transfer_to_Bob"),
        ("tool_call", "Alice", None, "transfer_to_Carol"),
        ("tool_result", "Alice", None, "transfer_to_Bob"),
        ("handoff", "Alice", ("Bob",), "Transferred to Bob"),
        ("route", "manager", None, None),
        ("delivery", None, None, None),
        ("message", "Bob", None, "Arr"),
    ]
    first = made.steps[0]
    assert (first.id, first.time_ns) == ("m0", 1_735_725_600_000_000_000)
    assert made.one("route").data == {"type": "SelectSpeakerEvent", "to": ["Bob"]}
    assert made.one("delivery").data == {
        "type": "MemoryQueryEvent",
        "items": [{"content": "a sum was asked", "mime_type": "text/plain"}],
        "for": "Bob",
    }
    assert made.report.records == made.report.kept == 8
    assert made.traces[0].header.origin["recorded"] == {"stop_reason": "Maximum"}
    assert [label.key for label in made.labels] == ["metadata.score"]
    assert "SEALED" not in str(made.traces)


def test_of_two_transfers_at_once_one_is_followed_and_told_once(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_RESULT)
    assert [(s.actor, s.recipients) for s in made.of("handoff")] == [("Alice", ("Bob",))]
    assert made.report.unknown["the ending of a tool call"] == 2, "the sum has no recorded result, and nobody went to Carol"
    assert made.codes == {"possible_handoff": 1}


def test_pieces_of_a_message_that_broke_off_are_one_partial_message(tmp_path: Path) -> None:
    def piece(text: str, message: str | None) -> dict[str, Any]:
        return {"type": "ModelClientStreamingChunkEvent", "source": "bot", "content": text} | (
            {"full_message_id": message} if message else {}
        )

    listed = [
        piece("Hel", "m2"),
        piece("lo", "m2"),
        {"id": "m2", "type": "TextMessage", "source": "bot", "content": "Hello"},
        piece("I was", "m3"),
        piece(" cut", "m3"),
        piece("no ", None),
        piece("id", None),
        {"type": "TextMessage", "source": "bot", "content": "no id"},
    ]
    made = got(tmp_path, {"messages": listed, "stop_reason": None})
    assert [(s.id, s.text) for s in made.steps] == [("m2", "Hello"), ("m3", "I was cut"), ("7", "no id")]
    assert made.steps[1].data == {"type": "ModelClientStreamingChunkEvent", "partial": True}
    assert (made.report.kept, made.report.merged) == (3, 5)
    assert made.codes["broke_off"] == 1


def test_half_an_emoji_spoils_its_message_only(tmp_path: Path) -> None:
    made = got(tmp_path, [{"source": s, "type": "TextMessage", "content": text} for s, text in (("w", "broken \ud83e"), ("c", "ok"))])
    assert [s.text for s in made.steps] == ["broken \N{REPLACEMENT CHARACTER}", "ok"]


def test_lines_of_messages_and_lists_of_runs(tmp_path: Path) -> None:
    listed = AUTOGEN_RESULT["messages"]
    lined = got(tmp_path, "".join(json.dumps(m) + "\n" for m in listed))
    assert [s.kind for s in lined.steps] == [s.kind for s in got(tmp_path, listed).steps]
    many = got(tmp_path, [AUTOGEN_RESULT, {"messages": listed[:1]}])
    assert [len(t.steps) for t in many.traces] == [10, 1]


def test_a_team_state(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_STATE)
    assert [(s.kind, s.actor, s.text) for s in made.steps] == [
        ("note", None, None),
        ("message", "user", "a poem"),
        ("message", "writer", "leaves"),
        ("state", "writer", None),
        ("note", None, None),
    ]
    state = made.one("state").data
    assert state is not None
    assert (state["object"], state["whole"], len(state["items"])) == ("context/writer", True, 1)
    assert made.report.kept == 5


def test_a_replayed_model_call_holds_its_whole_input(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_REPLAY)
    call, given, result = made.steps
    assert (call.kind, given.kind, result.kind) == ("model_call", "input", "model_result")
    assert given.data is not None
    assert given.data["whole"] is True
    assert [m["role"] for m in given.data["messages"]] == ["system", "user", "assistant", "tool"]
    assert given.data["messages"][2]["parts"] == [{"type": "tool_call", "id": "1", "name": "f", "arguments": {}}]
    assert result.text == "Nobody."
    assert made.of("tool_call") == [], "a call that only an input tells of is not made up"
    broken = got(tmp_path, [{**AUTOGEN_REPLAY[0], "messages": [{"type": "UserMessage", "content": "x"}, 5]}])
    assert broken.one("input").data == {"messages": [{"role": "user", "parts": [{"type": "text", "content": "x"}]}], "whole": False}


# ---- 0.4: text ----


def test_the_console_of_the_newer_generation(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_CONSOLE)
    assert told(made) == [
        ("message", "user", None, "Is order 7 paid?"),
        ("tool_call", "clerk", None, "lookup"),
        ("note", None, None, "looking it up"),
        ("tool_result", "clerk", None, "lookup"),
        ("message", "clerk", None, "It is."),
        ("note", None, None, "Number of messages: 4\nFinish reason: Maximum number of turns\nTotal prompt tokens: 64"),
        ("message", "user", None, "Thanks"),
    ]
    assert [len(t.steps) for t in made.traces] == [6, 1], "after a summary another run begins"
    assert made.of("tool_result")[0].status == "ok"
    call = made.of("tool_call")[0]
    assert call.data == {"usage": {"prompt_tokens": 64, "completion_tokens": 16}, "arguments": {"order": 7}}


def test_a_printed_result_stands_for_what_it_repeats(tmp_path: Path) -> None:
    printed = (
        "TaskResult(messages=[TextMessage(source='user', content='hi', type='TextMessage'), "
        "UserInputRequestedEvent(source='user', content='', type='UserInputRequestedEvent'), "
        "TextMessage(source='clerk', content='hello', type='TextMessage')], stop_reason=None)"
    )
    above = "---------- user ----------\nhi\n---------- clerk ----------\nhello\n"
    made = got(tmp_path, above + printed)
    assert [(s.kind, s.actor) for s in made.steps] == [("message", "user"), ("note", "user"), ("message", "clerk")]
    assert (made.report.kept, made.report.merged) == (3, 2)
    other = got(tmp_path, above.replace("hello", "good day") + printed)
    assert [len(t.steps) for t in other.traces] == [2, 3], "a result that says something else is another run"


def test_printed_objects(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_PRINTED)
    assert stems(made.traces) == ["run", "run#2"]
    assert told(made) == [
        ("message", "user", None, "it's due"),
        ("tool_call", "clerk", None, "pay"),
        ("message", "user", None, "again"),
        ("message", "clerk", None, "ok"),
    ]


def test_what_the_samples_print(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_CORE_TEXT)
    assert told(made) == [
        ("note", None, None, "User login, session ID: 7."),
        ("message", "User", None, "I want a refund"),
        ("tool_call", "Triage", None, "transfer_to_repairs"),
        ("handoff", "Triage", ("RepairsAgent",), "Delegating to RepairsAgent"),
        ("message", "SolverA:default", None, "24"),
        ("note", None, None, "Aggregator Sum:default publishes the answer:\n72"),
    ]


def test_notation_is_parsed_and_never_evaluated() -> None:
    assert notation("[F(id='1', a=-1.5, t=datetime.datetime(2025, 1, 2, tzinfo=datetime.timezone.utc)), (True, None, X.y)]") == [
        {"type": "F", "id": "1", "a": -1.5, "t": "2025-01-02T00:00:00.000000+00:00"},
        [True, None, "X.y"],
    ]
    assert notation("__import__('os').getcwd()") == {"type": "getcwd"}
    assert notation("[" * 5000) is None
    assert notation("1 + 1") is None
    assert notation("{") is None
    assert fields("a='x b=1' c=F(d=[1, 2]) e=<E.f: 1>") == {"a": "x b=1", "c": {"type": "F", "d": [1, 2]}, "e": "<E.f: 1>"}
    assert fields("words a=1") is None


# ---- 0.2 ----


@pytest.mark.parametrize("coloured", [True, False])
def test_the_console_of_the_older_generation(tmp_path: Path, coloured: bool) -> None:
    made = got(tmp_path, AUTOGEN_02 if coloured else re.sub(r"\x1b\[\d+m", "", AUTOGEN_02))
    manager = ("chat_manager",)
    assert told(made) == [
        ("message", "Admin", manager, "List the files.\nSome advice (to you):"),
        ("route", None, None, "Next speaker: Engineer"),
        ("message", "Engineer", manager, "Let me look."),
        ("tool_call", "Engineer", manager, "list_dir"),
        ("note", None, None, ">>>>>>>> EXECUTING FUNCTION list_dir..."),
        ("tool_result", "Admin", manager, "list_dir"),
        ("note", None, None, "Start a new chat with the following message:\nWhat now?"),
        ("message", "Engineer", ("Admin",), "TERMINATE"),
    ]
    assert made.one("tool_call").data == {"arguments": {"directory": "./"}}
    assert made.one("tool_result").data == {"result": ["main.py"]}
    assert (made.report.kept, made.report.merged) == (7, 1)
    assert "who received a message" not in made.report.unknown


def test_text_between_a_message_and_the_next_is_no_part_of_it(tmp_path: Path) -> None:
    made = got(tmp_path, f"A (to B):\n\nhello\n\n{RULE}\nmore words\n\n{RULE}\nB (to A):\n\nbye\n\n{RULE}\n")
    assert told(made) == [("message", "A", ("B",), "hello"), ("note", None, None, "more words"), ("message", "B", ("A",), "bye")]
    assert made.codes == {"text_after_message": 1}


def test_older_function_calls_are_answered_by_name(tmp_path: Path) -> None:
    text = (
        f"A (to B):\n\n***** Suggested function Call: f *****\nArguments: \n{{}}\n{'*' * 40}\n\n{RULE}\n"
        f'B (to A):\n\n***** Response from calling function "f" *****\nError: no\n{"*" * 40}\n\n{RULE}\n'
    )
    call, answer = got(tmp_path, text).steps
    assert answer.call == call.call
    assert answer.status is None


def test_a_result_of_the_older_generation(tmp_path: Path) -> None:
    made = got(tmp_path, AUTOGEN_RESULT_02)
    assert told(made) == [
        ("message", "Admin", None, "List the files."),
        ("tool_call", "Engineer", None, "lookup"),
        ("tool_result", "Engineer", None, "lookup"),
    ]
    assert made.steps[0].data == {"role": "assistant"}


def test_the_log_of_the_older_generation_says_who_received_what(tmp_path: Path) -> None:
    made = got(tmp_path, lines(*AUTOGEN_LOG_02).decode())
    assert [(s.kind, s.actor, s.recipients, s.tool or s.text) for s in made.steps] == [
        ("note", None, None, None),
        ("message", "boss", ("manager",), "Pay 7."),
        ("delivery", "manager", None, None),
        ("model_call", "clerk", None, None),
        ("input", None, None, None),
        ("model_result", "clerk", None, None),
        ("tool_call", "clerk", ("manager",), "lookup"),
        ("note", "manager", None, None),
        ("tool_result", "clerk", None, "lookup"),
        ("message", "boss", ("manager",), "Pay 7."),
        ("note", "clerk", None, None),
    ]
    assert (made.one("delivery").data or {})["for"] == "clerk"
    answered = (made.one("model_result").data or {})["messages"][0]["parts"]
    assert answered == [{"type": "tool_call", "id": "c1", "name": "pay", "arguments": {}}]
    claim = made.traces[0].header.claims[0]
    assert (claim.stream, claim.range) == ("input/clerk", "i1")
    assert made.traces[0].header.organization.agents["clerk"] == {"agent_type": "AssistantAgent", "system_message": "You pay."}
    assert made.report.dropped == {"a record of a client": 1}
    assert "SEALED" not in str(made.traces)
    begun = got(tmp_path, "Started new session with Session ID: s-1\n" + lines(*AUTOGEN_LOG_02).decode() + "[file_logger] Failed\n")
    assert [s.kind for s in begun.steps] == ["note", *(s.kind for s in made.steps), "note"]
    assert begun.traces[0].header.origin["recorded"] == {"session_id": "s-1"}


@pytest.mark.parametrize("content", [{"messages": []}, [], "plain words\n", "---------- x\n"])
def test_nothing_of_autogen_is_refused(tmp_path: Path, content: Any) -> None:
    try:
        made = got(tmp_path, content, format="autogen")
    except FormatError:
        return
    assert content == {"messages": []}
    assert made.report.records == 0


# ---- the corpus ----


@pytest.mark.parametrize(
    ("file", "calls", "handoffs"),
    [
        ("autogen04-console/handoffs.stdout.txt", 5, 3),
        ("autogen02-console/agentchat_function_call_code_writing.stdout.txt", 12, 0),
    ],
)
def test_in_the_corpus_calls_meet_their_answers(file: str, calls: int, handoffs: int) -> None:
    path = SHARED / "corpus" / file
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    made = read(path)
    asked = {s.call: s.tool for s in made.of("tool_call")}
    assert len(asked) == calls
    assert all(asked[s.call] == s.tool for s in made.of("tool_result"))
    assert len(made.of("handoff")) == handoffs


def test_the_same_run_as_json_and_as_the_console_prints_it(tmp_path: Path) -> None:
    listed = [
        {"type": "TextMessage", "source": "user", "content": "Is order 7 paid?"},
        {"type": "ToolCallRequestEvent", "source": "clerk", "content": [{"id": "c1", "name": "lookup", "arguments": '{"order": 7}'}]},
        {
            "type": "ToolCallExecutionEvent",
            "source": "clerk",
            "content": [{"call_id": "c1", "name": "lookup", "content": "paid", "is_error": False}],
        },
        {"type": "TextMessage", "source": "clerk", "content": "It is."},
    ]
    printed = [
        "Is order 7 paid?",
        "[FunctionCall(id='c1', arguments='{\"order\": 7}', name='lookup')]",
        "[FunctionExecutionResult(content='paid', name='lookup', call_id='c1', is_error=False)]",
        "It is.",
    ]
    text = "".join(f"---------- {m['type']} ({m['source']}) ----------\n{words}\n" for m, words in zip(listed, printed, strict=True))
    assert got(tmp_path, listed).steps == got(tmp_path, text).steps


def test_a_stream_and_the_result_that_ends_it_are_one_run(tmp_path: Path) -> None:
    asked = {
        "type": "ToolCallRequestEvent",
        "id": "m2",
        "source": "a",
        "content": [{"id": "c1", "name": "pay", "arguments": '{"amount": 15}'}],
    }
    said = [{"type": "TextMessage", "id": "m1", "source": "a", "content": "hi"}, asked]
    path = tmp_path / "stream.jsonl"
    result = {"messages": said, "stop_reason": "done"}
    path.write_text("".join(json.dumps(line) + "\n" for line in [*said, result]))
    recording = open_recording(path)
    (trace,) = recording.traces
    assert [step.call for step in trace.steps if step.kind == "tool_call"] == ["c1"]
    assert trace.header.origin["recorded"] == {"stop_reason": "done"}
    assert (recording.report.records, recording.report.merged) == (3, 1)
    recording.report.check()
    another = {"messages": [*said, {"type": "TextMessage", "id": "m3", "source": "b", "content": "more"}]}
    path.write_text("".join(json.dumps(line) + "\n" for line in [*said, another]))
    assert sum(1 for _ in open_recording(path).traces) == 2  # what was not streamed is not lost
