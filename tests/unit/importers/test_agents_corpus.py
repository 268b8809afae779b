"""What becomes of every file of the corpus in the folders of agent frameworks, evaluations and coding agents, to the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamwise.errors import FormatError
from seamwise.importers import recordings
from unit.importers.otlp_fixtures import SHARED, read

TABLE = """
google-adk
  ark__sample.session.json adk 1 9 0 0 11
  t__simple_test2.test.json adk 0 0 0 0 0
  __trip_inquiry.test.json adk 0 0 0 0 0
  ent_tool_calls.test.json adk 0 0 0 0 0
  n_conversation.test.json adk 0 0 0 0 0
  s__simple_test.test.json adk 0 0 0 0 0
  s__simple_test2.test.json adk 0 0 0 0 0
  nts__eval_data.test.json adk 0 0 0 0 0
  uiry_sub_agent.test.json adk 0 0 0 0 0
google-adk-samples
  _eval_data1.evalset.json adk 0 0 0 0 0
  cream_sandwich.test.json adk 0 0 0 0 0
  _data__seminal.test.json adk 0 0 0 0 0
  l_conversation.test.json adk 0 0 0 0 0
  ssions__123.session.json adk 1 34 0 0 40
  l_data__simple.test.json adk 0 0 0 0 0
inspect-events
  lity_billing_header.json inspect 1 10 0 0 23
  ility_branch_warmup.json inspect 1 12 0 0 25
  lity_bridge_wrapped.json inspect 1 8 0 0 20
  _header_only_prompt.json inspect 1 10 0 0 21
  ility_subagent_loop.json inspect 1 10 0 0 22
  ty_subagent_no_loop.json inspect 1 8 0 0 16
  nts__utility_warmup.json inspect 1 6 0 0 13
  leton__escape_hatch.json inspect 1 10 0 0 10
  leaf_tool_exclusion.json inspect 1 9 0 1 9
  leton__notable_caps.json inspect 1 8 0 4 8
  ton__parallel_spans.json inspect 1 6 0 1 6
  on__steps_same_name.json inspect 1 6 0 1 6
inspect-logs
  27-36-04-00_browser.json inspect 1 42 0 1 61
  13-04-00_no-samples.json inspect 0 0 0 0 0
  al_log__log_formats.json inspect 1 9 0 2 13
  val_log__log_images.json inspect 1 9 0 2 13
  _log__log_images_tc.json inspect 1 9 0 2 13
  val_log__log_invalid.txt - 0 0 0 0 0
  g_length_stop_reason.txt inspect 1 6 0 2 9
  og__log_read_sample.eval inspect 1 14 0 3 18
  og__log_read_sample.json inspect 1 14 0 3 18
  _log__log_streaming.eval inspect 4 36 0 8 52
  log_tool_call_error.json inspect 1 11 0 0 11
  _eval_log__log_valid.txt inspect 0 0 0 0 0
  al_log__log_with_nan.txt inspect 0 0 0 0 0
  4q9azL3ySGkjJirypKZ.eval inspect 1 10 0 3 14
  t_list_logs__custom.eval inspect 1 10 0 3 14
  t_list_logs__ignore.json inspect 1 10 0 3 14
tau-bench
  DomainEnv-few_shot.jsonl tau 69 1955 0 0 1955
  ies__gpt-4o-airline.json tau 200 5308 0 0 5398
tau2-bench
  6-8dac-8a895a332e41.json tau 1 1340 0 0 33
  experiment__results.json tau 0 0 0 0 0
swe-agent
  to__BabyTimeCapsule.traj swe_agent 1 11 17 0 39
  ctf__pwn__warmup.traj swe_agent 1 9 13 0 31
  s_window100__t-0.20__p-0.95__c-2.00__install-1__marshmallow-code__marshmallow-1867.traj swe_agent 1 14 23 0 51
  v_window100__t-0.20__p-0.95__c-2.00__install-1__marshmallow-code__marshmallow-1867.traj swe_agent 1 13 21 0 47
  tion_calling_simple.traj swe_agent 1 12 0 0 17
openhands
  _fncall-llm-message.json chat 1 14 0 0 19
  nfncall-llm-message.json chat 1 10 0 0 13
  __fixtures__events.jsonl openhands 1 10 0 0 12
  0514-1757015033.222.json openhands 1 1 0 0 9
phoenix-atif
  s__harbor_openhands.json atif 1 6 0 0 10
  minus2_continuation.json atif 1 5 0 0 9
  _continuation_cont1.json atif 1 4 4 0 10
  minus2_invalid_json.json atif 1 5 0 0 17
  rminus2_sub_answers.json atif 1 2 5 0 4
  r_terminus2_timeout.json atif 1 4 0 0 11
  lti_tool_trajectory.json atif 1 5 0 0 17
  tools_mixed_results.json atif 1 3 0 0 10
  __simple_trajectory.json atif 1 3 0 0 7
  _embedded_subagents.json atif 1 5 1 0 11
claude-code
  t_data__edge_cases.jsonl claude_code 2 15 0 4 16
  sentative_messages.jsonl claude_code 1 12 0 0 12
vcr-cassettes
  _agent_collaborator.yaml vcr 1 35 0 0 62
  s_complete_workflow.yaml vcr 1 5 0 2 24
  tTeam.test_team_run.yaml vcr 1 4 0 0 19
  task_subagent_spans.yaml vcr 1 11 0 0 12
  r_handoff_hierarchy.yaml vcr 1 3 0 2 16
  assigned_task_agent.yaml vcr 1 9 0 5 38
"""
"""Folder, then for each file the end of its name, its format (``-``: none), and its traces, kept, merged and dropped records, steps.

A file with no trace is refused.
"""


def expected() -> dict[str, dict[str, tuple[str, list[int]]]]:
    folders: dict[str, dict[str, tuple[str, list[int]]]] = {}
    files: dict[str, tuple[str, list[int]]] = {}
    for line in TABLE.strip().splitlines():
        if not line.startswith(" "):
            files = folders.setdefault(line, {})
        else:
            name, format, *counts = line.split()
            files[name] = (format, [int(count) for count in counts])
    return folders


EXPECTED = expected()


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
@pytest.mark.parametrize("folder", EXPECTED)
def test_every_file_imports_or_is_refused_with_a_reason(folder: str) -> None:
    files = EXPECTED[folder]
    seen = set()
    for found in recordings([SHARED / "corpus" / folder]):
        (name,) = [name for name in files if found.path.endswith(name)]
        seen.add(name)
        format, counts = files[name]
        assert (found.format or "-") == format, found.path
        if found.format is None:
            assert found.refused is not None
            assert not found.refused.startswith("no importer recognises"), found.path
        elif counts[0] == 0:
            with pytest.raises(FormatError) as caught:
                read(Path(found.path))
            assert caught.value.message.startswith("expected")
        else:
            report = read(Path(found.path)).report
            made = [report.traces, report.kept, report.merged, sum(report.dropped.values()), report.steps]
            assert made == counts, found.path
    assert seen == set(files)
