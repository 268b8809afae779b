"""Every file of the corpus that holds spans, or lies among them, imports or is refused with a reason; what comes out is pinned."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamwise.errors import SeamwiseError
from seamwise.importers import open_recording
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import SHARED, read

CORPUS = SHARED / "corpus"
FOLDERS = """agentops agentevals agent-prism openinference-vercel strands-evals otlp-proto semconv langfuse-traces langfuse-seeder
    langfuse-chatml langsmith openai-agents-runstate derived-broken""".split()

PINNED: dict[str, tuple[str, int, int, int, int]] = {
    "agentops/tests__fixtures__log_spans.json": ("otel_console", 0, 0, 0, 8),
    "agentevals/samples__helm_3.json": ("jaeger", 1, 125, 0, 0),
    "agentevals/samples__k8s.json": ("jaeger", 1, 73, 0, 0),
    "agentevals/samples__tempo_export_with_batches.json": ("otlp", 1, 86, 0, 0),
    "agent-prism/src__data__langfuse-1.json": ("langfuse", 1, 6, 5, 0),
    "agent-prism/src__data__langfuse-2.json": ("langfuse", 1, 8, 7, 0),
    "agent-prism/src__data__rag_earnings_agent.json": ("otlp", 1, 18, 0, 0),
    "agent-prism/src__data__smol_deep_research_agent.json": ("otlp", 1, 8, 0, 0),
    "openinference-vercel/__fixtures____v6-spans__ai-embed-doEmbed.json": ("otel_js", 1, 1, 0, 0),
    "openinference-vercel/__fixtures____v6-spans__ai-generateText-doGenerate.json": ("otel_js", 2, 2, 0, 0),
    "openinference-vercel/__fixtures____v6-spans__ai-generateText.json": ("otel_js", 2, 2, 0, 0),
    "openinference-vercel/__fixtures____v6-spans__ai-streamText-doStream.json": ("otel_js", 1, 1, 0, 0),
    "openinference-vercel/__fixtures____v6-spans__ai-streamText.json": ("otel_js", 1, 1, 0, 0),
    "openinference-vercel/__fixtures____v6-spans__all-spans.json": ("otel_js", 10, 10, 0, 0),
    "strands-evals/mappers__fixtures__autogen_live_spans.json": ("otel_flat", 2, 3, 0, 0),
    "strands-evals/mappers__fixtures__claude_adot_spans.json": ("otel_flat", 1, 8, 0, 0),
    "strands-evals/mappers__fixtures__claude_live_spans.json": ("otel_flat", 1, 10, 0, 0),
    "strands-evals/mappers__fixtures__openai_agents_genai_live_spans.json": ("otel_flat", 1, 17, 0, 0),
    "strands-evals/mappers__fixtures__openinference_adot_spans.json": ("otel_flat", 2, 8, 0, 0),
    "strands-evals/mappers__fixtures__openinference_live_spans.json": ("otel_flat", 1, 6, 0, 0),
    "strands-evals/mappers__fixtures__otel_genai_convention_spans.json": ("otel_flat", 1, 5, 0, 0),
    "strands-evals/mappers__fixtures__pydantic_ai_live_spans.json": ("otel_flat", 1, 4, 0, 0),
    "strands-evals/mappers__fixtures__smolagents_live_spans.json": ("otel_flat", 1, 7, 0, 0),
    "otlp-proto/examples__events.json": ("otlp", 0, 0, 0, 1),
    "otlp-proto/examples__metrics.json": ("otlp", 0, 0, 0, 1),
    "langfuse-traces/chatml__framework-traces__autogen-2025-06-06.trace.json": ("langfuse", 1, 3, 2, 0),
    "langfuse-traces/chatml__framework-traces__beeai-2025-08-01.trace.json": ("langfuse", 1, 30, 29, 0),
    "langfuse-traces/chatml__framework-traces__claude-agent-2025-12-22.trace.json": ("langfuse", 1, 8, 7, 0),
    "langfuse-traces/chatml__framework-traces__crewai-2025-07-11.trace.json": ("langfuse", 1, 7, 6, 0),
    "langfuse-traces/chatml__framework-traces__google-gemini-2025-08-01.trace.json": ("langfuse", 1, 2, 1, 0),
    "langfuse-traces/chatml__framework-traces__koog-2025-08-26.trace.json": ("langfuse", 1, 12, 11, 0),
    "langfuse-traces/chatml__framework-traces__langgraph-js-2025-10-30.trace.json": ("langfuse", 1, 21, 20, 0),
    "langfuse-traces/chatml__framework-traces__microsoft-agent-2025-12-17.trace.json": ("langfuse", 1, 5, 4, 0),
    "langfuse-traces/chatml__framework-traces__openai-agents-2025-09-30.trace.json": ("langfuse", 1, 6, 5, 0),
    "langfuse-traces/chatml__framework-traces__pydantic-ai-2025-06-06.trace.json": ("langfuse", 1, 4, 3, 0),
    "langfuse-traces/chatml__framework-traces__pydantic-ai-tools-2025-06-06.trace.json": ("langfuse", 1, 4, 3, 0),
    "langfuse-traces/chatml__framework-traces__pydantic-ai-with-gemini-2025-12-24.trace.json": ("langfuse", 1, 2, 1, 0),
    "langfuse-traces/chatml__framework-traces__vertex-ai-2025-08-01.trace.json": ("langfuse", 1, 2, 1, 0),
    "langfuse-seeder/utils__framework-traces__openai-assistants-2024-05-29.json": ("langfuse", 1, 5, 0, 0),
    "langsmith/integration_tests__test_data__langsmith_py_wrap_openai_reasoning.json": ("langsmith", 1, 1, 1, 0),
    "langsmith/integration_tests__test_data__langsmith_py_wrap_openai_stream.json": ("langsmith", 1, 1, 1, 0),
    "langsmith/tests__test_data__langsmith_js_wrap_openai_reasoning.json": ("langsmith", 1, 1, 1, 0),
    "langsmith/tests__test_data__langsmith_js_wrap_openai_stream.json": ("langsmith", 1, 1, 1, 0),
    "langsmith/tests__test_data__langsmith_js_wrap_openai_stream_no_usage.json": ("langsmith", 1, 1, 1, 0),
    "openai-agents-runstate/run_state__features__v1_13_nested_history_ownership.json": ("openai_runstate", 1, 2, 2, 0),
    "openai-agents-runstate/run_state__features__v1_14_hosted_mcp_approval_scope.json": ("openai_runstate", 1, 4, 0, 0),
    "openai-agents-runstate/run_state__features__v1_15_canonical_invocation_identity.json": ("openai_runstate", 1, 3, 0, 0),
    "openai-agents-runstate/run_state__features__v1_16_per_call_approval_override.json": ("openai_runstate", 1, 4, 0, 0),
    "openai-agents-runstate/run_state__features__v1_3_resumed_trace_state.json": ("openai_runstate", 1, 2, 0, 0),
    "openai-agents-runstate/run_state__features__v1_5_tool_search_and_display_metadata.json": ("openai_runstate", 1, 5, 0, 0),
    "openai-agents-runstate/run_state__features__v1_7_duplicate_agent_identity_and_sandbox.json": ("openai_runstate", 1, 2, 0, 0),
    "openai-agents-runstate/run_state__minimal__v1_0.json": ("openai_runstate", 1, 2, 0, 0),
    "derived-broken/clock_skew_negative_duration.json": ("otel_flat", 1, 19, 0, 0),
    "derived-broken/langfuse_nan_and_dupkeys.json": ("langfuse", 1, 10, 0, 0),
    "derived-broken/missing_root.json": ("otel_flat", 1, 18, 0, 0),
    "derived-broken/parent_cycle.json": ("otel_flat", 1, 19, 0, 0),
    "derived-broken/truncated_mid_string.json": ("otel_flat", 1, 8, 0, 1),
}
"""File -> its format; its traces; its records kept, merged and dropped."""

REFUSED: dict[str, str] = {
    "agentops/cypress__fixtures__traces.json": "expected a recording, got a list of traces without their spans",
    "agentops/instrumentation__fixtures__openai_agents_tool_response.json": "expected a recording, got a result of the OpenAI Agents",
    "agentops/instrumentation__fixtures__openai_response_tool_calls.json": "expected a recording, got one reply of a model (OpenAI",
    "agentevals/examples__dice_agent__eval_set.json": "expected a run, got an evaluation set, which holds only expectations: what",
    "agentevals/samples__eval_set_helm.json": "expected a run, got an evaluation set, which holds only expectations: what agents",
    "agentevals/samples__evalset_helm_3_2026-02-23.json": "expected a run, got an evaluation set, which holds only expectations: what",
    "agentevals/samples__evalset_k8s_2026-02-20.json": "expected a run, got an evaluation set, which holds only expectations: what",
    "openinference-vercel/__fixtures____v6-spans__capture-results.json": "expected a recording, got a summary of which attributes",
    "strands-evals/extractors__fixtures__google_adk_load_skill.json": "expected a recording, got contents of Google's models by the",
    "semconv/docs__gen-ai__gen-ai-retrieval-documents.json": "expected a recording, got a JSON Schema: it describes records and holds",
    "semconv/docs__gen-ai__gen-ai-tool-definitions.json": "expected a recording, got a JSON Schema: it describes records and holds",
    "semconv/fixtures__genai_schemas__gen-ai-output-messages.json": "expected a recording, got a JSON Schema: it describes records",
    "langsmith/tests__test_data__anthropic_managed_custom_tools.jsonl": "expected a recording, got a log of calls of Anthropic's",
    "langsmith/tests__test_data__anthropic_managed_mcp_tools.jsonl": "expected a recording, got a log of calls of Anthropic's managed",
}
"""File -> how the reason begins for which it is no recording."""

OTHERS = {"strands-evals/extractors__fixtures__codex_exec_json.json", "strands-evals/extractors__fixtures__codex_session_rollout.json"}
"""Files among them that are of formats of coding agents."""

FILES = [path for folder in FOLDERS if (CORPUS / folder).is_dir() for path in sorted((CORPUS / folder).iterdir())]

pytestmark = pytest.mark.skipif(not FILES, reason=f"{CORPUS} holds no recordings on this machine")


def name(path: Path) -> str:
    return path.relative_to(CORPUS).as_posix()


def elsewhere(path: Path) -> bool:
    return name(path) in OTHERS or path.parent.name == "derived-broken"


@pytest.mark.parametrize("path", [path for path in FILES if name(path) in PINNED], ids=name)
def test_a_file_imports_as_pinned(path: Path) -> None:
    got = read(path)
    report = got.report
    assert (report.format, report.traces, report.kept, report.merged, sum(report.dropped.values())) == PINNED[name(path)]
    for trace in got.traces:
        encode_trace(trace)


@pytest.mark.parametrize("path", [path for path in FILES if name(path) not in PINNED and not elsewhere(path)], ids=name)
def test_the_others_are_refused_with_a_reason(path: Path) -> None:
    with pytest.raises(SeamwiseError) as caught:
        list(open_recording(path).traces)
    if path.parent.name == "langfuse-chatml":
        assert caught.value.message.startswith("expected a recording, got messages as Langfuse normalises them")
    else:
        assert caught.value.message.startswith(REFUSED[name(path)])
