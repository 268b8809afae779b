"""A log of one call of a model: what was sent, and what came back."""

from __future__ import annotations

from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.messages import listed, message_of
from seamwise.importers._shared.models import ModelCalls
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import seconds_ns
from seamwise.record import Trace

INPUT_BASIS = "the log of this model call holds the messages that were sent"


def logged_call(recorded: dict[str, Any], sink: Sink, path: str) -> Trace:
    """The trace of one logged call. The calls of one conversation stand in files of their own, which nothing ties together."""
    response: dict[str, Any] = recorded["response"] if isinstance(recorded.get("response"), dict) else {}
    number = response.get("id")
    name = number if isinstance(number, str) and number else named("call", recorded)
    talk = Talk(name, sink, where=path)
    talk.arrived("the call")
    kwargs: dict[str, Any] = recorded["kwargs"] if isinstance(recorded.get("kwargs"), dict) else {}
    tools = next((t for t in (recorded.get("tools"), kwargs.get("tools")) if isinstance(t, list)), None)
    model = response.get("model")
    actor = _agent(kwargs)
    ended = seconds_ns(recorded.get("timestamp"))
    models = ModelCalls(talk, INPUT_BASIS)
    call = models.call(
        id=name,
        actor=actor,
        told=listed(recorded["messages"], "messages"),
        model=model if isinstance(model, str) else None,
        tools=[t["function"] if isinstance(t, dict) and isinstance(t.get("function"), dict) else t for t in tools] if tools else None,
    )
    choices = response.get("choices")
    answered = []
    for choice in choices if isinstance(choices, list) else ():
        made = message_of(choice.get("message")) if isinstance(choice, dict) else None
        if made is not None:
            reason = choice.get("finish_reason")
            answered.append({**made, "finish_reason": reason} if isinstance(reason, str) else made)
    error = recorded.get("error")
    if answered or error is not None:
        usage = response.get("usage")
        models.result(
            call,
            actor=actor,
            answered=answered,
            status="failed" if error is not None else "ok",
            error=error,
            usage=usage if isinstance(usage, dict) else None,
            time_ns=ended,
        )
    else:
        models.unfinished()
    return talk.trace()


def _agent(kwargs: dict[str, Any]) -> str | None:
    """The agent that the call's tags name."""
    body = kwargs.get("extra_body")
    about = body.get("metadata") if isinstance(body, dict) else kwargs.get("metadata")
    tags = about.get("tags") if isinstance(about, dict) else None
    for tag in tags if isinstance(tags, list) else ():
        if isinstance(tag, str) and tag.startswith("agent:") and len(tag) > 6:
            return tag[6:]
    return None
