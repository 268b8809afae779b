"""Messages that were recorded as events, on the span or as log records."""

from __future__ import annotations

from seamwise.importers._shared.messages import Message, Said, listed, message_of
from seamwise.importers._shared.text import parsed
from seamwise.importers.otlp._nodes import Event, Node
from seamwise.record import flaw_of

_DETAILS = "gen_ai.client.inference.operation.details"
"""One event that holds input and output whole."""

_EVENT_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


def _packed(node: Node) -> None:
    """Gives a node the events that Pydantic AI packs into one attribute."""
    packed = parsed(node.attributes.get("events"))
    if isinstance(packed, list) and packed and all(isinstance(e, dict) and isinstance(e.get("event.name"), str) for e in packed):
        del node.attributes["events"]
        node.events += tuple([Event(e["event.name"], None, {k: v for k, v in e.items() if k != "event.name"}, False) for e in packed])


def from_events(node: Node) -> tuple[Said | None, Said | None]:
    """Input and output messages of the older event convention; the events used are taken off the node."""
    if "events" in node.attributes:
        _packed(node)
    said: tuple[list[Message], list[Message]] = ([], [])
    flaw: str | None = None
    kept: list[Event] = []
    whole: tuple[Said | None, Said | None] = (None, None)
    logged = False
    for event in node.events:
        name, attributes = event.name, event.attributes
        role = _EVENT_ROLES.get(name)
        if role is None and name not in ("gen_ai.choice", "gen_ai.content.prompt", "gen_ai.content.completion") and name != _DETAILS:
            kept.append(event)
            continue
        logged = logged or event.logged
        if name == _DETAILS:
            pair = (attributes.get("gen_ai.input.messages"), attributes.get("gen_ai.output.messages"))
            whole = (
                listed(pair[0], name) if pair[0] is not None else whole[0],
                listed(pair[1], name) if pair[1] is not None else whole[1],
            )
        elif name == "gen_ai.content.prompt":
            part = listed(attributes.get("gen_ai.prompt"), name, default_role="user")
            flaw = flaw or part.flaw
            said[0].extend(part.messages)
        elif name == "gen_ai.content.completion":
            said[1].extend(listed(attributes.get("gen_ai.completion"), name, default_role="assistant").messages)
        else:
            fields = dict(attributes)
            packed = parsed(fields.pop("gen_ai.event.content", None))
            if isinstance(packed, dict):
                fields.update(packed)
            if name == "gen_ai.choice":
                inner = parsed(fields.get("message"))
                if isinstance(inner, dict):
                    fields = {**fields, **inner}
                elif inner is not None:
                    fields["content"] = inner
            content = parsed(fields.get("content"))
            if not isinstance(content, list):
                content = fields.get("content")
            message = message_of({**fields, "role": str(fields.get("role") or role or "assistant"), "content": content})
            if message is None or not message["parts"]:
                flaw = "a message of it has no content"
            if isinstance(content, str):
                flaw = flaw or flaw_of(content)
            if message is not None:
                said[0 if role is not None else 1].append(message)
    node.events = tuple(kept)
    if node.span.droppedEventsCount not in (None, 0, "0"):
        flaw = "events of the span were dropped"
    if logged:
        flaw = flaw or "it was logged message by message, apart from the span"
    return (
        whole[0] or (Said(said[0], flaw is None, "gen_ai.*.message events", flaw) if said[0] else None),
        whole[1] or (Said(said[1], flaw is None, "gen_ai.choice events", flaw) if said[1] else None),
    )
