"""Every file of the corpus that holds a chat of several agents, or lies among them, imports or is refused; what comes out is pinned."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamwise.errors import SeamwiseError
from seamwise.importers import formats, open_recording, recordings
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import SHARED, read

CORPUS = SHARED / "corpus"
FOLDERS = """agentrx-aux agentrx-magentic autogen-core autogen02-console autogen04-console chatdev langgraph metagpt whowhen-algorithm
    whowhen-handcrafted""".split()
"""Folders of which every file is pinned here."""

HAIR = "no_hair_programmer_v2_DefaultOrganization_20231026192805"

CHATS = frozenset("a2a agentrx autogen camel chat chatdev crewai langgraph mad metagpt whowhen".split())

PINNED: dict[str, tuple[str, int, int, int, int, int]] = {
    "agentrx-aux/checker_results__39__debug_skips_tau.json": ("agentrx", 0, 0, 0, 0, 52),
    "agentrx-aux/data__ground_truth__magentic_one_ground_truth.json": ("agentrx", 0, 0, 0, 0, 44),
    "agentrx-aux/data__ground_truth__tau_ground_truth.json": ("agentrx", 0, 0, 0, 0, 29),
    "agentrx-magentic/data__magentic_dataset__2ddae3b7a208e3c25f14d82d7a1faaaa1832fbf950b4dac345e755c4c361f294.json": (
        "agentrx",
        1,
        121,
        121,
        0,
        0,
    ),
    "agentrx-magentic/data__magentic_dataset__42576abe-0deb-4869-8c63-225c2d75a95a.json": ("agentrx", 1, 5, 5, 0, 0),
    "agentrx-magentic/data__magentic_dataset__8b3379c0-0981-4f5b-8407-6444610cb212.json": ("agentrx", 1, 59, 59, 0, 0),
    "agentrx-magentic/data__magentic_dataset__cca4776df3c73e7f9430a2e624aafad056b14322a0b7ca6c0c22b7e7f3f0890a.json": (
        "agentrx",
        1,
        40,
        40,
        0,
        0,
    ),
    "agentrx-magentic/magentic-one__trajectories__plan_adherence_failure.json": ("agentrx", 1, 129, 129, 0, 0),
    "agentrx-magentic/magentic-one__trajectories__rai_policy_violation_1.json": ("agentrx", 1, 28, 28, 0, 0),
    "autogen-core/core_streaming_handoffs_fastapi__chat_history__history-wile_e_coyote_1.json": ("autogen", 1, 6, 6, 0, 0),
    "autogen-core/sessions__self_teaching__session.json": ("autogen", 1, 87, 29, 0, 0),
    "autogen02-console/agentchat_MathChat.stdout.txt": ("autogen", 1, 32, 32, 4, 0),
    "autogen02-console/agentchat_function_call_code_writing.stdout.txt": ("autogen", 1, 86, 86, 0, 0),
    "autogen02-console/agentchat_groupchat_RAG.stdout.txt": ("autogen", 1, 49, 49, 0, 0),
    "autogen02-console/agentchat_groupchat_finite_state_machine.stdout.txt": ("autogen", 1, 12, 12, 1, 0),
    "autogen02-console/agentchat_groupchat_research.stdout.txt": ("autogen", 1, 15, 15, 0, 0),
    "autogen02-console/agentchat_multi_task_chats.stdout.txt": ("autogen", 1, 62, 62, 0, 0),
    "autogen02-console/agentchat_nested_sequential_chats.stdout.txt": ("autogen", 1, 22, 22, 0, 0),
    "autogen02-console/agentchats_sequential_chats.stdout.txt": ("autogen", 1, 28, 28, 0, 0),
    "autogen04-console/company-research.stdout.txt": ("autogen", 1, 11, 11, 8, 0),
    "autogen04-console/handoffs.stdout.txt": ("autogen", 1, 27, 27, 0, 0),
    "autogen04-console/multi-agent-debate.stdout.txt": ("autogen", 1, 25, 25, 0, 0),
    "autogen04-console/selector-group-chat.stdout.txt": ("autogen", 5, 91, 85, 81, 0),
    "autogen04-console/teams.stdout.txt": ("autogen", 7, 45, 45, 30, 0),
    "autogen04-console/travel-planning.stdout.txt": ("autogen", 1, 6, 6, 5, 0),
    "chatdev/WareHouse__Article_pic_DefaultOrganization_20231023003059__Article_pic_DefaultOrganization_20231023003059.log": (
        "chatdev",
        1,
        831,
        831,
        0,
        201,
    ),
    "chatdev/WareHouse__Calculator_THUNLP_20230628184918__20230628184918.log": ("chatdev", 1, 3, 3, 0, 0),
    "chatdev/WareHouse__DesignDream_THUNLP_20230825072340__DesignDream_THUNLP_20230825072340.log": ("chatdev", 1, 329, 329, 0, 329),
    "chatdev/WareHouse__gomokugameArtExample_THUNLP_20230831122822__gomokugame_DefaultOrganization_20230831122822.log": (
        "chatdev",
        1,
        206,
        206,
        0,
        206,
    ),
    f"chatdev/WareHouse__{HAIR}__{HAIR}.log": (
        "chatdev",
        1,
        94,
        94,
        0,
        93,
    ),
    "chatdev/WareHouse__trippy_avoid_game_DefaultOrganization_20231006224623__trippy_avoid_game_DefaultOrganization_20231006224623.log": (
        "chatdev",
        1,
        120,
        120,
        0,
        0,
    ),
    "derived-broken/chatdev_cut_mid_message.log": ("chatdev", 1, 1, 1, 0, 0),
    "derived-broken/whowhen_latin1_bytes.json": ("whowhen", 1, 5, 5, 0, 0),
    "derived-broken/whowhen_lone_surrogate.json": ("whowhen", 1, 5, 5, 0, 0),
    "derived-broken/whowhen_utf16le_bom.json": ("whowhen", 1, 5, 5, 0, 0),
    "langgraph/sdk_sse_response.redacted.txt": ("langgraph", 1, 41, 29, 50, 0),
    "metagpt/data__exp_pool__engineer_exps.json": ("metagpt", 2, 6, 2, 0, 0),
    "openhands/fixtures__llm_data__fncall-llm-message.json": ("chat", 1, 19, 14, 0, 0),
    "openhands/fixtures__llm_data__nonfncall-llm-message.json": ("chat", 1, 13, 10, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__103.json": ("whowhen", 1, 10, 10, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__111.json": ("whowhen", 1, 10, 10, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__17.json": ("whowhen", 1, 10, 10, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__34.json": ("whowhen", 1, 8, 8, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__47.json": ("whowhen", 1, 6, 6, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__65.json": ("whowhen", 1, 6, 6, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__7.json": ("whowhen", 1, 10, 10, 0, 0),
    "whowhen-algorithm/WhoandWhen__Algorithm-Generated__82.json": ("whowhen", 1, 7, 7, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__15.json": ("whowhen", 1, 129, 129, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__20.json": ("whowhen", 1, 67, 67, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__30.json": ("whowhen", 1, 121, 121, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__33.json": ("whowhen", 1, 9, 9, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__40.json": ("whowhen", 1, 17, 17, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__41.json": ("whowhen", 1, 83, 83, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__52.json": ("whowhen", 1, 21, 21, 0, 0),
    "whowhen-handcrafted/WhoandWhen__Hand-Crafted__55.json": ("whowhen", 1, 40, 40, 0, 0),
}
"""File -> format, traces, steps, records kept, merged, dropped."""

REFUSED: dict[str, str] = {
    "agentrx-aux/data__magentic_dataset__magentic_count.jsonl": "the file is empty",
}
"""File -> why it cannot be read."""

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"{CORPUS} is not on this machine")


@pytest.mark.parametrize("name", PINNED)
def test_what_a_file_becomes(name: str) -> None:
    got = read(CORPUS / name)
    report = got.report
    assert (report.format, report.traces, report.steps, report.kept, report.merged, sum(report.dropped.values())) == PINNED[name]
    for trace in got.traces:
        encode_trace(trace)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_says_why(name: str) -> None:
    with pytest.raises(SeamwiseError) as error:
        list(open_recording(CORPUS / name).traces)
    assert error.value.message == REFUSED[name]


def test_no_file_of_the_folders_is_left_out() -> None:
    files = {f"{folder}/{path.name}" for folder in FOLDERS for path in (CORPUS / folder).iterdir()}
    assert files <= PINNED.keys() | REFUSED.keys()


def test_no_importer_of_chats_takes_what_is_another_formats() -> None:
    taken = {str(Path(found.path).relative_to(CORPUS)): found.format for found in recordings([CORPUS]) if found.format in CHATS}
    assert taken == {name: row[0] for name, row in PINNED.items()}
    assert formats().keys() >= CHATS
