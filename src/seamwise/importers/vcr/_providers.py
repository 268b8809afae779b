"""Whose call of a model a request is, told by what it holds: messages, the tools that were offered, the answer."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlsplit

from seamwise.importers._shared.messages import Message, Said, listed, message_of, text_part
from seamwise.importers._shared.text import parsed
from seamwise.importers.vcr._bodies import Body
from seamwise.importers.vcr._streams import whole_answer
from seamwise.record import flaw_in


class Answer(NamedTuple):
    """What a model answered."""

    messages: list[Message]
    usage: dict[str, Any] | None = None
    id: str | None = None
    created: Any = None
    error: Any = None
    flaw: str | None = None


class ModelRequest(NamedTuple):
    """What a model was asked."""

    told: Said
    model: str | None
    tools: list[Any]


def place_of(uri: Any) -> str:
    """Host and path of an address, without what may hold keys."""
    try:
        parts = urlsplit(uri if isinstance(uri, str) else "")
        return f"{parts.hostname or ''}{parts.path}"[:300]
    except ValueError:
        return ""


def asked(body: Body, place: str) -> ModelRequest | None:
    """The call of a model that a request is; None where it is none."""
    request = body.value
    if not isinstance(request, dict):
        return None
    model = next((m for key in ("model", "modelId") if isinstance(m := request.get(key), str)), None)
    if model is None and "/model" in place:
        model = place.rpartition("/model")[2].lstrip("s/").partition("/")[0].partition(":generate")[0].partition(":stream")[0] or None
    if isinstance(request.get("contents"), list):
        messages = [_gemini(content) for content in request["contents"]]
        told = Said(messages, True, "contents")
        system = request.get("systemInstruction", request.get("system_instruction"))
        told = _with_system(told, _gemini(system)["parts"] if isinstance(system, dict) else None)
    elif isinstance(request.get("messages"), list):
        told = _with_system(listed([_converse(m) for m in request["messages"]], "messages"), _system(request.get("system")))
    elif "input" in request and ("/responses" in place or "instructions" in request):
        given = request["input"]
        told = listed([{"role": "user", "content": given}] if isinstance(given, str) else given, "input")
        told = _with_system(told, _system(request.get("instructions")))
        if request.get("previous_response_id") is not None or request.get("conversation") is not None:
            told = told._replace(whole=False, flaw="it goes on from what the service keeps")
    elif isinstance(request.get("prompt"), str) and ("completion" in place or "/invoke" in place or "/generate" in place):
        told = Said([{"role": "user", "parts": [text_part(request["prompt"])]}], True, "prompt")
    else:
        return None
    if request.get("cachedContent", request.get("cached_content")) is not None or isinstance(request.get("prompt"), dict):
        told = told._replace(whole=False, flaw="it goes on from what the service keeps")
    if told.whole and (flaw := flaw_in(told.messages)) is not None:
        told = told._replace(whole=False, flaw=flaw)
    return ModelRequest(told, model, _tools(request))


def answered(body: Body) -> Answer:
    """The answer of a model, from its JSON or from the pieces of a stream."""
    value = whole_answer(body.events) if body.events else body.value
    if not isinstance(value, dict):
        return Answer([], flaw=body.flaw or ("it is no JSON" if body.text else "it is empty"))
    error = value.get("error")
    if error is not None and not any(value.get(key) for key in ("choices", "output", "content", "candidates")):
        return Answer([], error=error)
    usage = next((u for key in ("usage", "usageMetadata") if isinstance(u := value.get(key), dict)), None)
    number = next((n for key in ("id", "responseId") if isinstance(n := value.get(key), str) and n), None)
    created = value.get("created", value.get("created_at"))
    return Answer(_messages(value), usage, number, created, flaw=body.flaw)


def _messages(value: dict[str, Any]) -> list[Message]:
    made: list[Message | None] = []
    output = value.get("output")
    if isinstance(value.get("choices"), list):
        for choice in value["choices"]:
            if isinstance(choice, dict):
                message = message_of(choice.get("message"))
                if message is None and isinstance(choice.get("text"), str):
                    message = {"role": "assistant", "parts": [text_part(choice["text"])]}
                made.append(_finished(message, choice.get("finish_reason")))
    elif isinstance(output, list):
        made += [message_of(item) for item in output]
    elif isinstance(output, dict) and isinstance(output.get("message"), dict):
        made.append(_finished(message_of(_converse(output["message"])), value.get("stopReason")))
    elif isinstance(value.get("candidates"), list):
        for candidate in value["candidates"]:
            if isinstance(candidate, dict) and isinstance(candidate.get("content"), dict):
                made.append(_finished(_gemini(candidate["content"]), candidate.get("finishReason")))
    elif isinstance(value.get("content"), list):
        made.append(_finished(message_of({"role": "assistant", **value}), value.get("stop_reason")))
    elif isinstance(value.get("message"), dict):
        made.append(message_of(value["message"]))
    return [message for message in made if message is not None]


def _finished(message: Message | None, reason: Any) -> Message | None:
    return {**message, "finish_reason": reason} if message is not None and isinstance(reason, str) else message


def _with_system(told: Said, parts: list[Any] | None) -> Said:
    """The input with the instructions that stand apart from its messages before them."""
    return told if not parts else told._replace(messages=[{"role": "system", "parts": parts}, *told.messages])


def _system(value: Any) -> list[Any] | None:
    if isinstance(value, str):
        return [text_part(value)] if value else None
    if isinstance(value, list):
        return [text_part(p["text"]) if isinstance(p, dict) and isinstance(p.get("text"), str) else p for p in value] or None
    return None


def _gemini(content: Any) -> Message:
    """A message of Gemini: ``{role, parts: [{text} | {functionCall} | {functionResponse} | ...]}``."""
    if not isinstance(content, dict):
        return {"role": "unknown", "parts": [{"type": "data", "content": content}]}
    parts: list[Any] = []
    listed_parts = content.get("parts")
    for part in listed_parts if isinstance(listed_parts, list) else ():
        if not isinstance(part, dict):
            parts.append({"type": "data", "content": part})
            continue
        call = part.get("functionCall", part.get("function_call"))
        response = part.get("functionResponse", part.get("function_response"))
        if isinstance(part.get("text"), str):
            parts.append(text_part(part["text"]) if part.get("thought") is not True else {"type": "reasoning", "content": part["text"]})
        elif isinstance(call, dict):
            named = {key: call[key] for key in ("id", "name") if call.get(key) is not None}
            parts.append({"type": "tool_call", **named, "arguments": parsed(call.get("args"))})
        elif isinstance(response, dict):
            named = {key: response[key] for key in ("id", "name") if response.get(key) is not None}
            parts.append({"type": "tool_call_response", **named, "response": response.get("response")})
        else:
            parts.append(part)
    role = content.get("role")
    return {"role": role if isinstance(role, str) else "user", "parts": parts}


def _converse(entry: Any) -> Any:
    """A message of Bedrock's Converse, whose blocks are named by their keys, with the blocks of Anthropic; any other as it is."""
    if not isinstance(entry, dict) or not isinstance(entry.get("content"), list):
        return entry
    blocks = []
    for block in entry["content"]:
        if isinstance(block, dict) and isinstance(use := block.get("toolUse"), dict):
            blocks.append({"type": "tool_use", "id": use.get("toolUseId"), "name": use.get("name"), "input": use.get("input")})
        elif isinstance(block, dict) and isinstance(result := block.get("toolResult"), dict):
            blocks.append({"type": "tool_result", "tool_use_id": result.get("toolUseId"), "content": result.get("content")})
        else:
            blocks.append(block)
    return {**entry, "content": blocks}


def _tools(request: dict[str, Any]) -> list[Any]:
    """The tools that were offered."""
    config = request.get("toolConfig")
    tools = request.get("tools", config.get("tools") if isinstance(config, dict) else request.get("functions"))
    made: list[Any] = []
    for tool in tools if isinstance(tools, list) else ():
        inner = tool
        if isinstance(tool, dict):
            declared = tool.get("functionDeclarations", tool.get("function_declarations"))
            if isinstance(declared, list):
                made += declared
                continue
            inner = next((tool[key] for key in ("function", "toolSpec") if isinstance(tool.get(key), dict)), tool)
        made.append(inner)
    return made
