"""What AutoGen 0.2 logs of itself (``autogen.runtime_logging`` to a file): one JSON object a line.

``received_message`` events say who received what from whom, which nothing else of 0.2 does inside a group chat: the manager passes a
message on to each agent, and each receipt is a line. The first receipt of a message is the message; further ones are its deliveries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name
from seamwise.importers._shared.ids import fingerprint
from seamwise.importers._shared.loose import Damage, values
from seamwise.importers._shared.messages import listed, message_of
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.spoken import spoken, tell
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.text import parsed
from seamwise.importers._source import Source
from seamwise.importers.autogen._notation import notation
from seamwise.record import After, Claim, Ref, Trace

INPUT_BASIS = "the log holds the call's complete request"


_BEGINS = b"Started new session with Session ID: "


def fits(head: bytes) -> bool:
    """Whether a file's first bytes are those of such a log."""
    seen = outline(head)
    if head.startswith(_BEGINS) or seen.has("event_name", "source_name", "json_state"):
        return True
    return seen.has("invocation_id", "request", "response", "client_id")


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The one run of a log; each line is a record.

    Raises:
        FormatError: No line is a record of it.
    """
    log = _Log(Talk(content_name("run", source), sink, where=source.path))
    for number, content in source.lines():
        text = (content or b"").strip()
        where = f"{source.path}, line {number}"
        if content is None:
            log.talk.dropped("a line over the limit", f"line {number} is longer than {sink.limits.line_bytes} bytes")
        elif text[:1] == b"{":
            for value in values(text, Damage(sink.report, where, sink.limits.depth)):
                log.line(value, number)
        elif text:
            log.words(text.decode("utf-8", "replace"), number)
    if not log.n:
        raise FormatError("expected lines of AutoGen's runtime log, got none", where=source.path)
    yield log.talk.trace()


class _Log:
    """The log line by line."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.n = 0
        self._received: dict[str, set[str | None]] = {}
        """Fingerprint of a message -> who received it."""

    def words(self, text: str, number: int) -> None:
        """A line that is no object: the session's beginning, an error of the logger."""
        self.talk.arrived(f"line {number}")
        begins = _BEGINS.decode()
        if text.startswith(begins):
            self.talk.about({"session_id": text.removeprefix(begins)})
        self.talk.put("note", id=f"line/{number}", text=text, data={"printed": True})

    def line(self, value: Any, number: int) -> None:
        """One line."""
        if not isinstance(value, dict):
            self.talk.dropped("no record", "a line that is no object")
            return
        if "json_state" in value and "event_name" not in value:
            self.n += 1
            self.talk.dropped("a record of a client")  # Its settings may hold keys.
            return
        self.n += 1
        self.talk.arrived(f"line {number}")
        identifier = f"line/{number}"
        data: dict[str, Any] = {"logged": moment} if (moment := value.get("timestamp", value.get("start_time"))) else {}
        if data:
            self.talk.report.not_known("the moment of a record, whose zone is not recorded")
        source = somebody(value.get("source_name"))
        if value.get("event_name") == "received_message":
            self._message(value, source, identifier, data)
        elif "invocation_id" in value and isinstance(value.get("request"), dict):
            self._call(value, source, identifier, data)
        elif isinstance(value.get("agent_name"), str):
            given = value.get("args")
            arguments: dict[str, Any] = given if isinstance(given, dict) else {}
            facts = {key: arguments[key] for key in ("system_message", "description") if isinstance(arguments.get(key), str)}
            self.talk.agent(value["agent_name"], agent_type=value.get("agent_type"), **facts)
            self.talk.put("note", id=identifier, data={**data, "agent": value["agent_name"], "agent_type": value.get("agent_type")})
        else:
            # The use of a function, among others: the call and its answer stand in messages, with their id.
            kept = ("event_name", "json_state", "tool_name", "function_name", "input_args", "returns")
            told = {key: parsed(value[key]) for key in kept if value.get(key) is not None}
            self.talk.put("note", id=identifier, actor=source, data={**data, **told})

    def _message(self, value: dict[str, Any], receiver: str | None, identifier: str, data: dict[str, Any]) -> None:
        state = parsed(value.get("json_state"))
        state = state if isinstance(state, dict) else {"message": value.get("json_state")}
        sender, recorded = somebody(state.get("sender")), state.get("message")
        entry = {"content": recorded} if isinstance(recorded, str) else dict(recorded) if isinstance(recorded, dict) else {}
        mark = fingerprint({key: inner for key, inner in entry.items() if key not in ("role", "name") and inner is not None})
        receivers = self._received.setdefault(mark, set())
        if receivers and receiver not in receivers:
            receivers.add(receiver)
            items = [message_of({"role": "user", **entry}) or entry]
            self.talk.put("delivery", id=identifier, actor=sender, data={**data, "items": items, "for": receiver})
            return
        self._received[mark] = {receiver}
        said = spoken({**entry, "role": entry.get("role") or "user"})
        recipients = None if receiver is None else (receiver,)
        if said is None:
            self.talk.say(None, actor=sender, recipients=recipients, data={**data, "content": recorded}, id=identifier)
            return
        role = said.role if "role" in entry else None
        tell(self.talk, said._replace(role=role), id=identifier, actor=said.name or sender, recipients=recipients, data=data)

    def _call(self, value: dict[str, Any], actor: str | None, identifier: str, data: dict[str, Any]) -> None:
        """A model was called: the request is whole, the response is as Python prints it."""
        call, request = str(value["invocation_id"]), value["request"]
        rest = {key: value[key] for key in ("is_cached", "cost") if value.get(key) is not None}
        model = {"model": request["model"]} if isinstance(request.get("model"), str) else {}
        asked = self.talk.put("model_call", id=identifier, actor=actor, call=call, data={**data, **model, **rest})
        after = (After(step=asked, basis="sequence"),)
        said = listed(request.get("messages"), "request.messages")
        stream = f"input/{actor}" if actor is not None else None
        self.talk.put(
            "input",
            id=f"{identifier}/input",
            call=call,
            data={"for": actor, "messages": said.messages, "whole": said.whole},
            streams=(stream,) if stream else (),
            refs=(Ref(kind="part_of", step=asked),),
            order=after,
        )
        if stream and said.whole:
            self.talk.claims.append(Claim(sort="recording", stream=stream, range=call, count=1, by="importer:autogen", basis=INPUT_BASIS))
            self.talk.report.claims[INPUT_BASIS] = self.talk.report.claims.get(INPUT_BASIS, 0) + 1
        elif said.flaw is not None:
            self.talk.note("input_not_whole", f"the messages of a request are not whole: {said.flaw}")
        answered = _answered(value.get("response"))
        text = answered.get("content") if answered is not None else value.get("response")
        message = message_of({"role": "assistant", **answered}) if answered is not None else None
        self.talk.put(
            "model_result",
            id=f"{identifier}/end",
            actor=actor,
            call=call,
            status="ok",
            text=text if isinstance(text, str) else None,
            data={"messages": [message]} if message is not None else {},
            refs=(Ref(kind="answers", step=asked),),
            order=after,
        )


def _answered(response: Any) -> dict[str, Any] | None:
    """The message of a response, which is an object or what Python prints of one."""
    value = response if isinstance(response, dict) else notation(response) if isinstance(response, str) else None
    choices = value.get("choices") if isinstance(value, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        return None
    return {key: inner for key, inner in message.items() if key not in ("type", "role") and inner is not None}
