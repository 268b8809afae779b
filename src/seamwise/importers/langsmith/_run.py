"""One run of LangSmith as a span."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._shared.arguments import python_literal
from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.text import parsed
from seamwise.importers._spans import Fields, dicts, iso_ns, recorded, scaled

_THREADS = ("session_id", "thread_id", "conversation_id")
"""Keys of the metadata by which LangSmith joins traces to a thread."""

_CONTROL = re.compile(r"\s*(?:langgraph\.errors\.)?(ParentCommand|GraphInterrupt|NodeInterrupt|GraphBubbleUp)\b")
"""Exceptions by which LangGraph passes control; they are no failures."""

_GOTO = re.compile(r"goto=(['\"])(?P<node>\w[^'\"]*)\1")


def metadata_of(run: Fields) -> Fields:
    """What the run's metadata say."""
    extra = run.get("extra")
    found = extra.get("metadata") if isinstance(extra, dict) else None
    return recorded(found)


def span_of(run: Fields, identifier: str, damage: Damage) -> Fields:
    """The run in the shape of a span of OTLP.

    Args:
        run: The run, with what was patched into it.
        identifier: Its id.
        damage: Where notes go.
    """
    from seamwise.importers.langsmith._runs import path_of

    path = path_of(run)
    trace = run.get("trace_id") or (path[0] if path else None)
    parent = run.get("parent_run_id") or (path[-2] if len(path) > 1 else None)
    metadata = metadata_of(run)
    extra = recorded(run.get("extra"))
    kind = str(run.get("run_type") or "chain")
    attributes: Fields = {"langsmith.span.kind": kind}
    if kind == "tool":
        _tool(run, extra, attributes)
    else:
        for side in ("inputs", "outputs"):
            if run.get(side):
                attributes[f"langsmith.{side}"] = run[side]
    if kind == "llm":
        _model(run, extra, metadata, attributes)
    thread = next((metadata[key] for key in _THREADS if key in metadata), None)
    if thread is not None:
        attributes["session.id"] = thread
    if metadata:
        attributes["metadata"] = metadata
    if run.get("tags"):
        attributes["tag.tags"] = run["tags"]
    error = run.get("error")
    code, message = (2, error if isinstance(error, str) else str(error)) if error else (0, None)
    passed = _CONTROL.match(message) if message is not None else None
    if passed is not None:
        damage.report.note("control_passed", f"{damage.where}, run {identifier}", f"its error is LangGraph's `{passed[1]}`: no failure")
        attributes["langgraph.passed"] = message
        code, message = 0, None
    if run.get("start_time") is None:
        damage.report.note("patch_only", f"{damage.where}, run {identifier}", "only its end is in the file, not its beginning")
    return {
        "traceId": trace if trace is not None else identifier,
        "spanId": identifier,
        "parentSpanId": parent,
        "name": run.get("name"),
        "startTimeUnixNano": _moment(run.get("start_time"), damage),
        "endTimeUnixNano": _moment(run.get("end_time"), damage),
        "attributes": attributes,
        "events": _events(run, attributes, damage),
        "status": {"code": code, "message": message},
    }


def _model(run: Fields, extra: Fields, metadata: Fields, attributes: Fields) -> None:
    parameters = recorded(extra.get("invocation_params"))
    inputs = recorded(run.get("inputs"))
    model = parameters.get("model") or parameters.get("model_name") or inputs.get("model") or metadata.get("ls_model_name")
    if model is not None:
        attributes["gen_ai.request.model"] = model
    tools = inputs.get("tools") or parameters.get("tools")
    if isinstance(tools, list):
        attributes["gen_ai.tool.definitions"] = tools
    usage = recorded(run.get("outputs")).get("usage_metadata")
    usage = usage if isinstance(usage, dict) else {"input_tokens": run.get("prompt_tokens"), "output_tokens": run.get("completion_tokens")}
    for key in ("input_tokens", "output_tokens"):
        if isinstance(usage.get(key), int) and usage[key]:
            attributes[f"gen_ai.usage.{key}"] = usage[key]
    if parameters:
        attributes["langsmith.invocation_params"] = {k: v for k, v in parameters.items() if k != "tools"}


def _tool(run: Fields, extra: Fields, attributes: Fields) -> None:
    """Arguments and result of a tool's run, out of the shapes that LangChain wraps them in."""
    inputs = run.get("inputs")
    if isinstance(inputs, dict) and inputs:
        arguments: Any = inputs["input"] if inputs.keys() == {"input"} else inputs
        literal = python_literal(arguments) if isinstance(arguments, str) and not isinstance(parsed(arguments), dict) else None
        attributes["langsmith.inputs"] = arguments if literal is None else literal
    call = extra.get("tool_call_id")
    outputs = run.get("outputs")
    if isinstance(outputs, dict) and outputs:
        result: Any = outputs["output"] if outputs.keys() == {"output"} else outputs
        message = _tool_message(result)
        if message is not None:
            call, result = message.get("tool_call_id", call), message.get("content")
        elif isinstance(result, dict) and isinstance(goto := result.get("goto"), str) and "update" in result:
            attributes["langgraph.goto"] = goto
        if result is not None:
            attributes["langsmith.outputs"] = result
    error = run.get("error")
    if isinstance(error, str) and _CONTROL.match(error) and (found := _GOTO.search(error)):
        attributes["langgraph.goto"] = found["node"]
    if isinstance(call, str):
        attributes["tool_call.id"] = call


def _tool_message(value: Any) -> Fields | None:
    """The message of LangChain that is a tool's answer, plain or serialised."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("kwargs"), dict) and isinstance(value.get("id"), list) and value["id"][-1:] == ["ToolMessage"]:
        return recorded(value["kwargs"])
    return recorded(value) if value.get("type") == "tool" and "content" in value else None


def _events(run: Fields, attributes: Fields, damage: Damage) -> list[Fields]:
    """What happened inside; tokens that were streamed are counted, because the output holds them all."""
    made, tokens = [], 0
    for event in dicts(run.get("events")):
        name = event.get("name")
        if name == "new_token":
            tokens += 1
            continue
        made.append({"name": name, "timeUnixNano": _moment(event.get("time"), damage), "attributes": recorded(event.get("kwargs"))})
    if tokens:
        attributes["langsmith.streamed_tokens"] = tokens
    return made


def _moment(value: Any, damage: Damage) -> int | None:
    """Nanoseconds of a moment in ISO 8601 (UTC, where no zone stands), or of milliseconds since 1970, as JavaScript writes them."""
    if isinstance(value, (int, float)):
        return scaled(value, 1_000_000, damage)
    return iso_ns(value, damage, naive_is_utc=True)
