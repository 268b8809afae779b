"""An answer from the pieces in which it was streamed."""

from __future__ import annotations

from typing import Any


def whole_answer(events: tuple[Any, ...]) -> dict[str, Any] | None:
    """The answer as it would stand in one piece; None where the pieces are of no answer that is known."""
    pieces = [event for event in events if isinstance(event, dict)]
    for piece in reversed(pieces):
        if piece.get("type") in ("response.completed", "response.incomplete", "response.failed") and isinstance(
            piece.get("response"), dict
        ):
            return dict(piece["response"])
    if any(isinstance(piece.get("choices"), list) for piece in pieces):
        return _choices(pieces)
    if any(piece.get("type") == "message_start" for piece in pieces):
        return _blocks(pieces)
    if any("contentBlockDelta" in piece or "messageStart" in piece for piece in pieces):
        return _blocks([made for piece in pieces if (made := _as_anthropic(piece)) is not None])
    if any(isinstance(piece.get("candidates"), list) for piece in pieces):
        return _candidates(pieces)
    if any(isinstance(piece.get("message"), dict) for piece in pieces):
        return _appended(pieces)
    items = [piece["item"] for piece in pieces if piece.get("type") == "response.output_item.done" and isinstance(piece.get("item"), dict)]
    return {"output": items} if items else None


def _choices(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """Chat completions: deltas by the index of their choice, calls by their own."""
    choices: dict[Any, dict[str, Any]] = {}
    made: dict[str, Any] = {}
    for piece in pieces:
        made.update({key: piece[key] for key in ("id", "created", "model", "usage") if piece.get(key) is not None})
        for choice in piece["choices"] if isinstance(piece.get("choices"), list) else ():
            if not isinstance(choice, dict):
                continue
            known = choices.setdefault(
                str(choice.get("index")), {"message": {"role": "assistant", "content": [], "calls": {}}, "finish_reason": None}
            )
            known["finish_reason"] = choice.get("finish_reason") or known["finish_reason"]
            delta = choice.get("delta")
            if not isinstance(delta, dict):
                continue
            message = known["message"]
            if isinstance(delta.get("content"), str):
                message["content"].append(delta["content"])
            for call in delta["tool_calls"] if isinstance(delta.get("tool_calls"), list) else ():
                if isinstance(call, dict):
                    _grow(message["calls"].setdefault(str(call.get("index")), {"arguments": []}), call)
    for choice in choices.values():
        message = choice["message"]
        calls = [
            {"id": call.get("id"), "function": {"name": call.get("name"), "arguments": "".join(call["arguments"])}}
            for call in message.pop("calls").values()
        ]
        message["content"] = "".join(message["content"]) or None
        if calls:
            message["tool_calls"] = calls
    return {**made, "choices": list(choices.values())}


def _grow(known: dict[str, Any], call: dict[str, Any]) -> None:
    if isinstance(call.get("id"), str) and call["id"]:
        known["id"] = call["id"]
    function = call.get("function")
    if isinstance(function, dict):
        if isinstance(function.get("name"), str) and function["name"]:
            known["name"] = function["name"]
        if isinstance(function.get("arguments"), str):
            known["arguments"].append(function["arguments"])


def _blocks(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """Anthropic: blocks that begin, grow and end."""
    made: dict[str, Any] = {"content": []}
    blocks: dict[str, dict[str, Any]] = {}
    words: dict[str, list[str]] = {}
    for piece in pieces:
        kind, index, delta = piece.get("type"), str(piece.get("index")), piece.get("delta")
        if kind == "message_start" and isinstance(piece.get("message"), dict):
            made.update({key: piece["message"][key] for key in ("id", "model", "usage") if piece["message"].get(key) is not None})
        elif kind == "content_block_start" and isinstance(piece.get("content_block"), dict):
            blocks[index] = dict(piece["content_block"])
            words[index] = []
        elif kind == "content_block_delta" and isinstance(delta, dict):
            blocks.setdefault(index, {"type": "text"})
            said = next((delta[key] for key in ("text", "partial_json", "thinking") if isinstance(delta.get(key), str)), "")
            words.setdefault(index, []).append(said)
        elif kind == "message_delta":
            if isinstance(delta, dict) and isinstance(delta.get("stop_reason"), str):
                made["stop_reason"] = delta["stop_reason"]
            if isinstance(piece.get("usage"), dict):
                made["usage"] = {**(made["usage"] if isinstance(made.get("usage"), dict) else {}), **piece["usage"]}
        elif kind == "error":
            made["error"] = piece.get("error")
    for index, block in blocks.items():
        said = "".join(words.get(index, []))
        if block.get("type") == "tool_use":
            if said:
                block["input"] = said
        elif said:
            block["thinking" if block.get("type") == "thinking" else "text"] = said
        made["content"].append(block)
    return made


def _as_anthropic(piece: dict[str, Any]) -> dict[str, Any] | None:
    """An event of Bedrock's Converse stream with the names of Anthropic."""
    for name, inner in piece.items():
        if not isinstance(inner, dict):
            continue
        index = inner.get("contentBlockIndex")
        if name == "messageStart":
            return {"type": "message_start", "message": {}}
        if name == "contentBlockStart":
            start = inner.get("start")
            use = start.get("toolUse") if isinstance(start, dict) else None
            block = {"type": "tool_use", "id": use.get("toolUseId"), "name": use.get("name")} if isinstance(use, dict) else {"type": "text"}
            return {"type": "content_block_start", "index": index, "content_block": block}
        if name == "contentBlockDelta":
            delta = inner.get("delta")
            if not isinstance(delta, dict):
                return None
            use = delta.get("toolUse")
            words = use.get("input") if isinstance(use, dict) else delta.get("text")
            return {"type": "content_block_delta", "index": index, "delta": {"text": words}}
        if name == "messageStop":
            return {"type": "message_delta", "delta": {"stop_reason": inner.get("stopReason")}}
        if name == "metadata":
            return {"type": "message_delta", "usage": inner.get("usage")}
    return None


def _candidates(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """Gemini: each piece holds further parts of the candidate; texts in a row are one."""
    parts: list[Any] = []
    words: list[str] = []
    thought = None
    made: dict[str, Any] = {}
    reason = None

    def close() -> None:
        if words:
            parts.append({"text": "".join(words), "thought": thought})
            words.clear()

    for piece in pieces:
        made.update({key: piece[key] for key in ("usageMetadata", "responseId") if piece.get(key) is not None})
        candidates = piece.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates and isinstance(candidates[0], dict) else {}
        content = first.get("content")
        more = content.get("parts") if isinstance(content, dict) else None
        for part in more if isinstance(more, list) else ():
            if not _is_text(part):
                close()
                parts.append(part)
                continue
            if words and part.get("thought") != thought:
                close()
            thought = part.get("thought")
            words.append(part["text"])
        reason = first.get("finishReason") or reason
    close()
    return {**made, "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason}]}


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _appended(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """Lines of JSON (Ollama): each holds further words of the message."""
    words: list[str] = []
    calls: list[Any] = []
    for piece in pieces:
        message = piece.get("message")
        if isinstance(message, dict):
            if isinstance(message.get("content"), str):
                words.append(message["content"])
            if isinstance(message.get("tool_calls"), list):
                calls += message["tool_calls"]
    message = {"role": "assistant", "content": "".join(words)}
    return {"message": {**message, "tool_calls": calls} if calls else message}
