"""MAST/MAD: records of seven systems, each told by what its trajectory holds, and nothing of what was said about them afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.importers.mad import _ag2
from unit.importers.otlp_fixtures import Got, read_bytes
from unit.importers.seeds_mad import (
    MAD_AG2_WRITTEN,
    MAD_APPWORLD,
    MAD_FILE,
    MAD_FULL,
    MAD_HUMAN,
    MAD_HYPERAGENT,
    MAD_OPENMANUS,
    MAD_PEERS,
    MAD_ROUNDS,
    MAD_SYSTEMS,
    mad_record,
)
from unit.importers.writing import stems

SAID: dict[str, list[tuple[Any, ...]]] = {
    "AG2": [
        ("mathproxyagent", None, "Solve 2+2.\nUse braces {like 'this'}."),
        ("assistant", None, "It's 4"),
        ("mathproxyagent", None, "done"),
    ],
    "ChatDev": [
        ("Chief Technology Officer", ("Programmer",), "Please write the lamp."),
        ("Programmer", ("Chief Technology Officer",), "main.py\n```python\nlamp = [1]\n\non = True\n```"),
    ],
    "MetaGPT": [
        ("Human", None, "Write a lamp."),
        ("SimpleCoder", None, "lamp = 1\nExample:\nprint(lamp)"),
        ("SimpleTester", None, "assert lamp"),
        ("SimpleTester", None, "one test is missing"),
    ],
    "HyperAgent": [
        ("Planner", None, "Thought: find the switch.\nIt is in lamp.py."),
        ("Inner-Navigator-Assistant", None, "Searching."),
        ("Navigator", ("Planner",), "The switch is in lamp.py."),
    ],
    "AppWorld": [
        ("Supervisor", None, "    # ask the other agent\n    send_message(app_name='spotify', message='skip')"),
        (None, ("Spotify",), "        skip"),
        ("Spotify", None, "            apis.spotify.next_song()"),
        ("Spotify", None, "        skipped"),
        ("Supervisor", None, "    done"),
    ],
    "Magentic": [
        ("user", None, "Which shop opens first?"),
        ("MagenticOneOrchestrator", None, "Let me plan."),
        ("WebSurfer", None, "The bakery."),
    ],
    "OpenManus": [],
}


def got(folder: Path, value: Any, **more: Any) -> Got:
    made = read_bytes(folder, value.encode() if isinstance(value, str) else json.dumps(value).encode(), **more)
    assert made.report.format == "mad"
    return made


def said(made: Got) -> list[tuple[Any, ...]]:
    return [(s.actor, s.recipients, s.text) for s in made.of("message")]


@pytest.mark.parametrize("system", MAD_SYSTEMS)
def test_each_of_the_seven_systems(tmp_path: Path, system: str) -> None:
    made = got(tmp_path, [mad_record(system, MAD_SYSTEMS[system])])
    assert said(made) == SAID[system]
    assert all(t.id.startswith(f"{system}/B/m-1/1") for t in made.traces)
    assert made.traces[0].header.origin["recorded"]["mas_name"] == system
    assert "unsegmented" not in made.codes


def test_all_records_of_a_file(tmp_path: Path) -> None:
    made = got(tmp_path, MAD_FULL)
    assert len(made.traces) == 8, "AppWorld's text holds two tasks"
    assert len({t.id for t in made.traces}) == 8
    assert made.report.sealed == {"mast_annotation": 7}
    lined = got(tmp_path, "".join(json.dumps(r) + "\n" for r in MAD_FULL))
    assert [t.steps for t in lined.traces] == [t.steps for t in made.traces]


def test_records_of_one_name_and_other_content_stay_apart_and_what_is_none_is_counted(tmp_path: Path) -> None:
    other = mad_record("AG2", MAD_AG2_WRITTEN, 0)
    made = got(tmp_path, [MAD_FULL[0], other, MAD_FULL[0], {"mas_name": "AG2", "trace_id": 4}])
    assert stems(made.traces) == ["AG2/B/m-1/0"] * 3
    one, two, again = (t.id for t in made.traces)
    assert one == again != two, "the same run twice is one"
    assert made.report.dropped == {"no trajectory": 1}


@pytest.mark.parametrize(
    ("file", "keys"),
    [
        (MAD_FULL, {"mast_annotation"}),
        (MAD_HUMAN, {"round", "annotations", "other_data.patch"}),
        (MAD_FILE, {"note", "other_data.correct_answer"}),
    ],
)
def test_no_annotation_and_no_reference_leaks(tmp_path: Path, file: Any, keys: set[str]) -> None:
    made = got(tmp_path, file)
    assert {label.key for label in made.labels} == keys
    out = str(made.traces) + str(made.report.notes)
    assert "SEALED" in json.dumps(file)
    assert "SEALED" not in out
    assert not [key for key in keys if f"'{key}'" in out]


def test_a_record_of_the_human_study_holds_its_file_as_text(tmp_path: Path) -> None:
    made = got(tmp_path, MAD_HUMAN)
    assert said(made) == SAID["HyperAgent"]
    recorded = made.traces[0].header.origin["recorded"]
    assert recorded["problem_statement"] == "the lamp\nis dark"
    assert recorded["other_data.repo"] == "lamp"


def test_a_file_of_the_repository_and_one_of_reviewing_peers(tmp_path: Path) -> None:
    made = got(tmp_path, MAD_FILE)
    assert stems(made.traces) == ["gsm-7"]
    assert said(made) == [("mathproxyagent", None, "Solve it.\nPlease."), ("assistant", None, "4")]
    peers = got(tmp_path, MAD_PEERS)
    assert [(s.source, s.actor, s.text) for s in peers.steps] == [
        ("agent1", None, "2+2"),
        ("agent1", "agent1", "4"),
        ("agent2", None, "2+2"),
        ("agent2", "agent2", "5"),
    ]


def test_messages_written_out(tmp_path: Path) -> None:
    made = got(tmp_path, [mad_record("AG2", MAD_AG2_WRITTEN)])
    assert said(made) == [("mathproxyagent", None, "Let's solve it.\n  x = 2"), ("assistant", None, "It is 2.")]
    assert made.one("note").data == {"text": "problem 7"}
    assert _ag2.messages("      content:\n" * 20_000) is None, "text that only looks like messages is read in linear time"


def test_literals_that_break_off_are_kept_as_text(tmp_path: Path) -> None:
    text = "{'content': ['a'], 'role': 'user', 'name': 'x'}{'content': ['b', 'role': 'user'}{'content': ['c"
    made = got(tmp_path, [mad_record("AG2", text)])
    assert said(made) == [("x", None, "a")]
    assert [s.data for s in made.of("note")] == [{"text": "{'content': ['b', 'role': 'user'}"}, {"text": "{'content': ['c"}]


def test_openmanus_arguments_are_those_of_the_first_tool(tmp_path: Path) -> None:
    made = got(tmp_path, MAD_OPENMANUS)
    first, second = made.of("tool_call")
    assert (first.actor, first.tool, (first.data or {}).get("arguments")) == ("Manus", "web_search", {"query": "lamps"})
    assert (second.tool, "arguments" in (second.data or {})) == ("browser_use", False)
    answer = made.one("tool_result")
    assert (answer.call, answer.text, answer.status) == (first.call, "Error: no page", None)
    assert made.codes == {"suspected_failure": 1}
    assert made.report.unknown["the ending of a tool call"] == 1


def test_logs_of_systems_without_an_importer_of_their_own(tmp_path: Path) -> None:
    assert said(got(tmp_path, MAD_HYPERAGENT)) == SAID["HyperAgent"]
    made = got(tmp_path, MAD_APPWORLD)
    assert stems(made.traces) == ["run/a1_2", "run/b7_1"]
    assert [(s.kind, s.actor) for s in made.traces[0].steps if s.kind.startswith("agent")] == [
        ("agent_start", "Spotify"),
        ("agent_end", "Spotify"),
    ]


def test_rounds_of_reasoners(tmp_path: Path) -> None:
    file = {"instance_id": "t", "problem_statement": [], "other_data": {}, "trajectory": MAD_ROUNDS.splitlines()}
    made = got(tmp_path, file)
    assert [(s.actor, s.text, s.data) for s in made.steps] == [
        ("Reasoner 1", "It is 4.", {"round": 1}),
        ("Reasoner 2", "It is 5.", {"round": 1}),
        ("Verifier", "4", {"round": 2}),
    ]


def test_text_of_no_known_sort_is_one_note(tmp_path: Path) -> None:
    made = got(tmp_path, [mad_record("Magentic", "pip said nothing of interest")])
    assert made.one("note").text == "pip said nothing of interest"
    assert made.codes == {"unsegmented": 1}


def test_what_holds_no_trajectory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a trajectory"):
        got(tmp_path, {"mas_name": "AG2"}, format="mad")
