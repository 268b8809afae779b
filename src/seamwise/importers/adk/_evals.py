"""Evaluations: sets of cases hold expectations alone, results hold the run and what was thought of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers.adk._calls import Calls, Place
from seamwise.importers.adk._keys import get, listed, mapping, text
from seamwise.importers.adk._session import session
from seamwise.record import Trace

_LABELS = ("final_eval_status", "eval_metric_results", "overall_eval_metric_results")


def expectations_only(entry: Any) -> str | None:
    """What a value is, if it holds expectations and no run."""
    if not isinstance(entry, dict):
        return None
    if isinstance(get(entry, "eval_cases"), list):
        return "an evaluation set, which holds only expectations"
    if "query" in entry and ("expected_tool_use" in entry or "reference" in entry):
        return "a list of test queries, which holds only expectations"
    data = entry.get("data")
    if isinstance(data, list) and data and all(isinstance(d, dict) and "query" in d for d in data):
        return "an evaluation set, which holds only expectations"
    return None


def results(recorded: dict[str, Any], sink: Sink, path: str) -> Iterator[Trace]:
    """The runs of an evaluation, one for each case; scores and expectations are sealed."""
    for case in listed(recorded, "eval_case_results"):
        if not isinstance(case, dict):
            sink.report.records += 1
            sink.report.drop("no result of a case")
            continue
        origin = {key: value for key in ("eval_set_id", "eval_id", "session_id") if (value := text(case, key)) is not None}
        details = mapping(case, "session_details")
        per_turn = [turn for turn in listed(case, "eval_metric_result_per_invocation") if isinstance(turn, dict)]
        if listed(details, "events"):
            trace = session(details, sink, path, **origin)
        else:
            trace = _turns(per_turn, text(case, "session_id") or named("case", case), origin, sink, path)
        for key in _LABELS:
            if (value := get(case, key)) is not None:
                seal(sink, trace.id, None, key, value)
        for turn in per_turn:
            for key in ("expected_invocation", "eval_metric_results"):
                if (value := get(turn, key)) is not None:
                    seal(sink, trace.id, None, key, value)
        yield trace


def _turns(turns: list[dict[str, Any]], name: str, origin: dict[str, Any], sink: Sink, path: str) -> Trace:
    """A run of which only its turns were kept: what was asked, which functions were called, the last answer."""
    talk = Talk(name, sink, where=path)
    talk.origin.update(origin)
    calls = Calls(talk)
    for n, turn in enumerate(turns, 1):
        actual = mapping(turn, "actual_invocation")
        if not actual:
            talk.dropped("a turn without what was done in it")
            continue
        talk.arrived(f"turn {n}")
        invocation = text(actual, "invocation_id")
        at = moment_ns(get(actual, "creation_timestamp"))
        place = Place(invocation or f"turn-{n}", invocation, None, None, None, frozenset())
        _said(talk, mapping(actual, "user_content"), "user", at)
        between = mapping(actual, "intermediate_data")
        for i, use in enumerate(u for u in listed(between, "tool_uses") if isinstance(u, dict)):
            calls.call(use, i, place)
        for i, response in enumerate(r for r in listed(between, "tool_responses") if isinstance(r, dict)):
            calls.answer(response, i, place._replace(event=f"{place.event}/response"))
        for said in listed(between, "intermediate_responses"):
            if isinstance(said, list) and len(said) == 2 and isinstance(said[0], str) and isinstance(said[1], list):
                _said(talk, {"parts": said[1]}, said[0], None)
        _said(talk, mapping(actual, "final_response"), None, None)
    if not turns:
        talk.dropped("a case without a session and without turns")
    return talk.trace()


def _said(talk: Talk, content: dict[str, Any], actor: str | None, at: int | None) -> None:
    words = [part["text"] for part in listed(content, "parts") if isinstance(part, dict) and isinstance(part.get("text"), str)]
    if words:
        talk.say("\n".join(words), actor=actor, role=text(content, "role"), time_ns=at)
