"""Which setting, or which line of code, makes a format record what is missing.

Settings are those that the projects document; each records contents, which may be private: that is why most are off.
"""

from __future__ import annotations

import msgspec


class Advice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One way to have something recorded."""

    format: str
    words: str
    """A setting, or one line to add."""


_CONTENT: dict[str, str] = {
    "otlp": "OpenTelemetry: OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental and "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY; OpenInference: OPENINFERENCE_HIDE_INPUTS=false and "
    "OPENINFERENCE_HIDE_OUTPUTS=false; OpenLLMetry: TRACELOOP_TRACE_CONTENT=true; ADK: ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true; "
    "Vercel AI SDK: experimental_telemetry {isEnabled: true, recordInputs: true, recordOutputs: true}",
    "openai_agents": "RunConfig(trace_include_sensitive_data=True)",
    "langsmith": "LANGSMITH_HIDE_INPUTS=false and LANGSMITH_HIDE_OUTPUTS=false",
    "langfuse": "pass input and output to the observation, and leave `mask` unset for them",
    "langgraph": 'stream with stream_mode=["values", "updates", "messages", "tasks"] and subgraphs=True',
    "autogen": "log the runtime's events: logging.getLogger(autogen_core.EVENT_LOGGER_NAME).setLevel(logging.INFO)",
    "crewai": "listen to ToolUsageFinishedEvent and ToolUsageErrorEvent on the event bus, beside output_log_file",
    "inspect": "inspect eval --log-samples (and not --no-log-samples); --log-model-api keeps the raw calls",
}

_RESULT_LINE = {
    "otlp": 'in the tool\'s span: span.set_attribute("gen_ai.tool.call.result", json.dumps(result)), and span.set_status(...) on failure',
    "langfuse": 'langfuse.update_current_span(output=result), and level="ERROR" on failure',
    "native": '{"id": ..., "kind": "tool_result", "call": ..., "status": "ok", "data": {"result": ...}}',
}
_ORDER_LINE = {
    "otlp": "OTEL_RESOURCE_ATTRIBUTES=service.instance.id=<one per process>: then the times of one process order its steps",
    "native": '"seq" on each step of one writer, or "order": [{"step": ..., "basis": "message"}]',
}
_ALL_LINE = {
    "otlp": "OTEL_TRACES_SAMPLER=always_on: a sampled trace is never complete",
    "langfuse": "LANGFUSE_SAMPLE_RATE=1.0",
    "langsmith": "LANGSMITH_TRACING_SAMPLING_RATE=1.0",
}


def advice_for(want: str, formats: tuple[str, ...]) -> tuple[Advice, ...]:
    """How to have a want recorded, for each of the formats that were read and that something is known of.

    Args:
        want: As in a gap's ``wants``.
        formats: Names of importers.
    """
    what = want.partition(" ")[0]
    tables: tuple[dict[str, str], ...] = ()
    if what == "ending":
        tables = (_RESULT_LINE, _CONTENT)
    elif what in ("field", "record"):
        tables = (_CONTENT,)
    elif what == "order":
        tables = (_ORDER_LINE,)
    elif what == "stream":
        tables = (_ALL_LINE,)
    return tuple(Advice(format=name, words=table[name]) for name in formats for table in tables if name in table)
