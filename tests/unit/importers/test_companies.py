"""ChatDev and MetaGPT: simulated companies, whose logs say in part who speaks to whom."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.seeds_companies import CHATDEV, METAGPT_COMMUNICATION, METAGPT_LOG, METAGPT_MEMORY, METAGPT_POOL
from unit.importers.writing import stems


def got(folder: Path, value: Any, **more: Any) -> Got:
    return read_bytes(folder, value.encode() if isinstance(value, str) else json.dumps(value).encode(), **more)


def told(made: Got) -> list[tuple[Any, ...]]:
    return [(s.kind, s.actor, s.recipients, s.text) for t in made.traces for s in t.steps]


# ---- ChatDev ----


def test_a_pair_speaks_to_one_another(tmp_path: Path) -> None:
    made = got(tmp_path, CHATDEV)
    assert made.report.format == "chatdev"
    said = made.of("message")
    assert [(s.actor, s.recipients, s.text) for s in said] == [
        ("Chief Technology Officer", ("Programmer",), "Please write the lamp."),
        ("Programmer", ("Chief Technology Officer",), "main.py\n```python\nlamp = [1]\n\non = True\n```"),
    ]
    assert said[0].data == {"logged": "2025-31-03 19:09:42", "phase": "Coding", "starts": True, "prompt": "You are Programmer."}
    assert said[1].data == {
        "logged": "2025-31-03 19:09:45",
        "phase": "Coding",
        "turn": 0,
        "prompt": "You are Chief Technology Officer.",
    }
    assert all(s.time_ns is None for s in made.steps), "the date has no zone"
    assert made.report.dropped == {"a line about the logging itself": 2}
    assert made.traces[0].header.origin["recorded"] == {"task": "Make a lamp."}


def test_tables_and_counts_are_read_and_the_rest_is_kept(tmp_path: Path) -> None:
    notes = {(s.data or {}).get("heading"): s for s in got(tmp_path, CHATDEV).of("note")}
    assert notes["chatting"].data is not None
    assert notes["chatting"].data["table"]["user_role_name"] == "Chief Technology Officer"
    assert notes["OpenAI_Usage_Info Receive"].data is not None
    assert notes["OpenAI_Usage_Info Receive"].data["usage"] == {"prompt_tokens": 42, "completion_tokens": 7}
    assert notes["Seminar Conclusion"].text == "<INFO> A lamp."
    assert notes[None].data == {"logged": "2025-31-03 19:09:47", "level": "WARNING"}


def test_line_ends_of_windows_change_nothing(tmp_path: Path) -> None:
    assert told(got(tmp_path, CHATDEV.replace("\n", "\r\n"))) == told(got(tmp_path, CHATDEV))


def test_who_starts_a_chat_of_which_no_table_tells_speaks_to_nobody_known(tmp_path: Path) -> None:
    log = "[2025-31-03 19:09:42 INFO] Programmer: **[Start Chat]**\n\nHello.\n"
    assert told(got(tmp_path, log)) == [("message", "Programmer", None, "Hello.")]


def test_text_without_a_header_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="headed"):
        got(tmp_path, "words", format="chatdev")


def test_in_the_corpus_every_turn_has_both_ends() -> None:
    folder = SHARED / "corpus" / "chatdev"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not on this machine")
    turns = [s for path in folder.iterdir() for s in read(path).of("message")]
    assert len(turns) > 200
    assert all(s.actor and s.recipients and s.actor not in s.recipients for s in turns)


# ---- MetaGPT ----


@pytest.mark.parametrize("lined", [False, True])
def test_messages_say_who_wrote_to_whom(tmp_path: Path, lined: bool) -> None:
    storage: list[Any] = METAGPT_MEMORY["storage"]
    made = got(tmp_path, "".join(json.dumps(m) + "\n" for m in storage) if lined else METAGPT_MEMORY)
    assert made.report.format == "metagpt"
    assert [(s.id, s.actor, s.recipients, s.channel) for s in made.steps] == [
        ("a1", None, None, "<all>"),
        ("a2", "Alice", ("Bob", "Cy"), None),
        ("a3", "Bob", (), None),
    ]
    assert made.steps[1].data == {
        "cause_by": "metagpt.actions.write_prd.WritePRD",
        "instruct_content": {"switches": 1},
        "role": "Product Manager",
    }
    assert [label.key for label in made.labels] == ["metadata.score"]
    assert "SEALED" not in str(made.traces)


def test_a_set_of_addressees_as_python_prints_it(tmp_path: Path) -> None:
    made = got(tmp_path, [{**METAGPT_MEMORY["storage"][1], "send_to": to} for to in ("{'Bob', 'Cy'}", "set()", "Bob")])
    assert [s.recipients for s in made.steps] == [("Bob", "Cy"), None, ("Bob",)]


def test_words_below_an_act_are_the_actors_unless_two_have_begun(tmp_path: Path) -> None:
    made = got(tmp_path, METAGPT_LOG)
    assert [(s.actor, s.text) for s in made.of("message")] == [("Alice", "```python\nlamp = 1\n```"), (None, "Looks fine.")]
    assert made.codes == {"interleaved": 1}
    assert made.traces[0].header.organization.agents["Alice"] == {"profile": "SimpleCoder"}
    assert [(s.actor, (s.data or {}).get("action")) for s in made.of("note")] == [
        (None, None),
        ("Alice", "SimpleWriteCode"),
        (None, None),
        ("Bob", "SimpleWriteTest"),
        ("Cy", "SimpleWriteReview"),
    ]


def test_a_communication_log(tmp_path: Path) -> None:
    made = got(tmp_path, METAGPT_COMMUNICATION)
    assert made.report.format == "metagpt"
    assert [(s.actor, s.recipients, s.channel, s.text) for s in made.of("message")] == [
        ("Human", None, "<all>", "Write a lamp."),
        ("SimpleCoder", None, None, "lamp = 1\nExample:\nprint(lamp)"),
        ("SimpleTester", None, None, "assert lamp"),
        ("SimpleTester", None, None, "one test is missing"),
    ]


def test_experiences_are_model_calls_whose_rating_is_sealed(tmp_path: Path) -> None:
    made = got(tmp_path, METAGPT_POOL)
    assert [[s.kind for s in t.steps] for t in made.traces] == [["model_call", "input", "model_result"]] * 2
    assert [(label.trace, label.key) for label in made.labels] == [(made.traces[0].id, "metric")]
    assert stems(made.traces) == ["experience", "experience"]
    assert "SEALED" not in str(made.traces)
    given = made.of("input")[0].data
    assert given is not None
    assert given["whole"] is True


@pytest.mark.parametrize("content", ["words\n", '{"a": 1}', "[[1]]"])
def test_what_is_not_of_metagpt_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(FormatError):
        got(tmp_path, content, format="metagpt")
