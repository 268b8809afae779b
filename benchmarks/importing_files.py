"""Files of outside formats, made for ``importing.py``: each function gives a file of about that many turns of a conversation with tools."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

WORDS = "the customer asks for a refund of the second order and would like to know when the money arrives; "
RUN = 50
"""Turns of one run, where a file holds many."""


def said(n: int) -> str:
    return f"turn {n}: " + WORDS * 3


def arguments(n: int) -> dict[str, Any]:
    return {"order": n, "customer": f"c{n % 97}", "note": WORDS}


def answer(n: int) -> dict[str, Any]:
    return {"order": n, "status": "open", "lines": [{"item": f"i{k}", "price": 3.5} for k in range(6)], "words": WORDS}


def at(n: int) -> str:
    return f"2025-01-{n // 86400 % 28 + 1:02}T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}.000Z"


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def _lines(values: list[Any]) -> bytes:
    return b"\n".join(map(_dump, values)) + b"\n"


def adk(turns: int) -> bytes:
    def event(n: int, k: int, author: str, *parts: Any) -> dict[str, Any]:
        content = {"role": "model", "parts": list(parts)}
        return {
            "id": f"e{n}.{k}",
            "invocation_id": f"i{n}",
            "author": author,
            "content": content,
            "timestamp": 1.7e9 + n,
            "actions": {"state_delta": {}},
        }

    events = []
    for n in range(turns):
        events.append(event(n, 0, "user", {"text": said(n)}))
        events.append(event(n, 1, "desk", {"function_call": {"name": "look", "args": arguments(n)}}))
        events.append(event(n, 2, "desk", {"function_response": {"name": "look", "response": answer(n)}}))
        events.append(event(n, 3, "desk", {"text": said(n)}))
    sessions = [
        {"id": f"s{k}", "app_name": "desk", "user_id": "u", "events": events[k : k + 4 * RUN]} for k in range(0, len(events), 4 * RUN)
    ]
    return _dump(sessions)


def _chat(n: int) -> list[dict[str, Any]]:
    call = {"id": f"c{n}", "type": "function", "function": {"name": "look", "arguments": json.dumps(arguments(n))}}
    return [
        {"role": "user", "content": said(n)},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{n}", "name": "look", "content": json.dumps(answer(n))},
        {"role": "assistant", "content": said(n)},
    ]


def tau(turns: int) -> bytes:
    runs = []
    for k in range(0, turns, RUN):
        traj = [message for n in range(k, min(k + RUN, turns)) for message in _chat(n)]
        runs.append({"task_id": k, "trial": 0, "reward": 1.0, "info": {"task": {"instruction": WORDS}}, "traj": traj})
    return _dump(runs)


def _sample(number: int, turns: int) -> dict[str, Any]:
    """A sample whose model calls hold the last few messages: a history that was trimmed."""
    history: list[Any] = []
    events: list[Any] = [{"event": "span_begin", "id": "A", "name": "desk", "type": "agent", "timestamp": at(0)}]
    for n in range(turns):
        history.append({"role": "user", "content": said(n)})
        told = history[-6:]
        reply = {"role": "assistant", "content": said(n)}
        output = {"choices": [{"message": reply, "stop_reason": "stop"}], "usage": {"input_tokens": 9}}
        base = {"span_id": "A", "timestamp": at(n), "completed": at(n)}
        events.append({"event": "model", "uuid": f"m{n}", "model": "m", "input": told, "tools": [], "output": output, **base})
        tool = {
            "event": "tool",
            "uuid": f"t{n}",
            "id": f"c{n}",
            "function": "look",
            "arguments": arguments(n),
            "result": json.dumps(answer(n)),
        }
        events.append({**tool, **base})
        history.append(reply)
    return {"id": number, "epoch": 1, "uuid": f"u{number}", "target": "x", "messages": [], "events": events}


def inspect_json(turns: int) -> bytes:
    about = {"version": 2, "status": "success", "eval": {"task": "desk", "eval_id": "e"}}
    return _dump({**about, "samples": [_sample(k, RUN) for k in range(turns // RUN or 1)]})


def inspect_archive(turns: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": {"task": "desk", "eval_id": "e"}}))
        for k in range(turns // RUN or 1):
            archive.writestr(f"samples/{k}_epoch_1.json", json.dumps(_sample(k, RUN)))
        archive.writestr("header.json", json.dumps({"version": 2, "status": "success", "eval": {"task": "desk", "eval_id": "e"}}))
    return out.getvalue()


def swe_agent(turns: int) -> bytes:
    trajectory, history = [], [{"role": "system", "content": WORDS, "agent": "main"}]
    for n in range(turns):
        response = f"{said(n)}\n```\ncat file{n}.py\n```"
        observation = WORDS * 4 + str(n)
        trajectory.append(
            {
                "action": f"cat file{n}.py",
                "observation": observation,
                "response": response,
                "state": '{"open_file": "a"}',
                "thought": said(n),
            }
        )
        history.append({"role": "assistant", "content": response, "agent": "main", "action": f"cat file{n}.py"})
        history.append({"role": "user", "content": f"{observation}\nbash-$", "agent": "main"})
    return _dump(
        {"environment": "e", "trajectory": trajectory, "history": history, "info": {"exit_status": "submitted", "submission": "x"}}
    )


def openhands(turns: int) -> bytes:
    events: list[Any] = []
    for n in range(turns):
        base = {"timestamp": at(n)[:-1], "source": "agent"}
        call = {"id": f"c{n}", "name": "terminal", "arguments": json.dumps(arguments(n))}
        thought = [{"type": "text", "text": said(n)}]
        action = {"thought": thought, "action": arguments(n), "tool_name": "terminal", "tool_call_id": f"c{n}", "tool_call": call}
        events.append({"id": f"a{n}", "kind": "ActionEvent", **base, **action})
        seen = {"content": [{"type": "text", "text": json.dumps(answer(n))}], "is_error": False}
        observed = {"observation": seen, "action_id": f"a{n}", "tool_call_id": f"c{n}", "tool_name": "terminal"}
        events.append({"id": f"o{n}", "kind": "ObservationEvent", **base, **observed})
    return _lines(events)


def atif(turns: int) -> bytes:
    steps = []
    for n in range(turns):
        call = {"tool_call_id": f"c{n}", "function_name": "look", "arguments": arguments(n)}
        results = [{"source_call_id": f"c{n}", "content": json.dumps(answer(n))}]
        steps.append(
            {
                "step_id": n + 1,
                "timestamp": at(n),
                "source": "agent",
                "message": said(n),
                "tool_calls": [call],
                "observation": {"results": results},
                "metrics": {"prompt_tokens": 9},
            }
        )
    return _dump({"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "desk"}, "steps": steps})


def claude_code(turns: int) -> bytes:
    entries = []
    for n in range(turns):
        base = {"sessionId": "s", "isSidechain": False, "timestamp": at(n), "cwd": "/w", "version": "1"}
        content: list[Any] = [{"type": "text", "text": said(n)}, {"type": "tool_use", "id": f"c{n}", "name": "Read", "input": arguments(n)}]
        message = {"id": f"m{n}", "role": "assistant", "model": "m", "content": content, "usage": {"output_tokens": 5}}
        entries.append({"type": "assistant", "uuid": f"a{n}", "parentUuid": f"u{n - 1}", "message": message, **base})
        result = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": json.dumps(answer(n))}]
        entries.append({"type": "user", "uuid": f"u{n}", "parentUuid": f"a{n}", "message": {"role": "user", "content": result}, **base})
    return _lines(entries)


def codex(turns: int) -> bytes:
    items: list[Any] = [{"timestamp": at(0), "type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}]

    def item(n: int, **payload: Any) -> None:
        items.append({"timestamp": at(n), "type": "response_item", "payload": payload})

    for n in range(turns):
        item(n, type="message", role="assistant", content=[{"type": "output_text", "text": said(n)}])
        item(n, type="function_call", name="shell", arguments=json.dumps(arguments(n)), call_id=f"c{n}")
        item(
            n,
            type="function_call_output",
            call_id=f"c{n}",
            output=json.dumps({"output": json.dumps(answer(n)), "metadata": {"exit_code": 0}}),
        )
    return _lines(items)


def vcr(turns: int) -> bytes:
    import yaml

    interactions = []
    for n in range(turns // 4 or 1):
        request = {"model": "m", "messages": _chat(n)[:3]}
        reply = {"id": f"r{n}", "choices": [{"message": {"role": "assistant", "content": said(n)}, "finish_reason": "stop"}]}
        interactions.append(
            {
                "request": {"method": "POST", "uri": "https://api.example/v1/chat/completions", "body": json.dumps(request)},
                "response": {"status": {"code": 200}, "body": {"string": json.dumps(reply)}},
            }
        )
    return str(yaml.dump({"interactions": interactions, "version": 1}, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper))).encode()


FILES: dict[str, Callable[[int], bytes]] = {
    "adk": adk,
    "atif": atif,
    "claude_code": claude_code,
    "codex": codex,
    "inspect": inspect_json,
    "inspect (.eval)": inspect_archive,
    "openhands": openhands,
    "swe_agent": swe_agent,
    "tau": tau,
    "vcr": vcr,
}
"""Format, with what tells two files of it apart -> what makes one."""
