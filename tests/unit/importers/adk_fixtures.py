"""Sessions of Google ADK for tests, in few words."""

from __future__ import annotations

from typing import Any

T0 = 1_750_000_000.25


def event(number: int, author: str, *parts: dict[str, Any], invocation: str = "i1", role: str = "model", **more: Any) -> dict[str, Any]:
    """An event; its number is its id and its second."""
    content = {"role": "user" if author == "user" else role, "parts": list(parts)} if parts else None
    return {"id": f"e{number}", "author": author, "invocation_id": invocation, "content": content, "timestamp": T0 + number, **more}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"text": words, **more}


def call(name: str, id: str | None = None, **args: Any) -> dict[str, Any]:
    return {"function_call": {"id": id, "name": name, "args": args}}


def response(name: str, result: Any, id: str | None = None) -> dict[str, Any]:
    return {"function_response": {"id": id, "name": name, "response": result}}


def session(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "s1", "app_name": "desk", "user_id": "u7", "state": {}, "events": list(events), "last_update_time": T0, **more}


def camel(value: Any) -> Any:
    """The same with keys in camel case."""
    if isinstance(value, dict):
        words = {key: key.split("_") for key in value}
        return {w[0] + "".join(x.title() for x in w[1:]): camel(value[key]) for key, w in words.items()}
    return [camel(v) for v in value] if isinstance(value, list) else value


DESK = session(
    event(1, "user", text("cancel order 7")),
    event(2, "triage", text("let me see", thought=True), call("transfer_to_agent", "c1", agent_name="billing")),
    event(3, "triage", response("transfer_to_agent", {"result": None}, "c1"), role="user", actions={"transfer_to_agent": "billing"}),
    event(4, "billing", call("lookup", order=7), call("lookup", order=8)),
    event(5, "billing", response("lookup", {"state": "open"}), response("lookup", {"error": "no such order"}), role="user"),
    event(6, "billing", text("Order 7 "), partial=True),
    event(7, "billing", text("is cancelled."), partial=True),
    event(8, "billing", text("Order 7 is cancelled."), actions={"state_delta": {"order": 7, "user:name": "Ann", "temp:x": 1}}),
    event(
        9, "billing", actions={"artifact_delta": {"bill.pdf": 2}, "escalate": True, "requested_auth_configs": {"k1": {"secret": "hush"}}}
    ),
    event(10, "billing", error_code="MAX_TOKENS", error_message="cut"),
    state={"order": 7},
)

RESULT = {
    "eval_set_result_id": "r1",
    "eval_case_results": [
        {
            "eval_set_id": "set",
            "eval_id": "case",
            "final_eval_status": "FAILED-MARK",
            "overall_eval_metric_results": [{"metric_name": "m", "score": "SCORE-MARK"}],
            "eval_metric_result_per_invocation": [
                {
                    "actual_invocation": {
                        "invocation_id": "i1",
                        "user_content": {"role": "user", "parts": [{"text": "hello"}]},
                        "final_response": {"role": "model", "parts": [{"text": "hi"}]},
                        "intermediate_data": {
                            "tool_uses": [{"name": "look", "args": {"a": 1}}],
                            "intermediate_responses": [["helper", [{"text": "well"}]]],
                        },
                    },
                    "expected_invocation": {"final_response": {"parts": [{"text": "EXPECTED-MARK"}]}},
                    "eval_metric_results": [{"score": "SCORE-MARK"}],
                }
            ],
        }
    ],
}

SET = {"eval_set_id": "set", "eval_cases": [{"eval_id": "case", "conversation": [{"user_content": {"parts": [{"text": "hello"}]}}]}]}
