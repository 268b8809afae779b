"""A cassette as a trace: its calls of models, in the order in which their answers arrived."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece, one_document, run_name, text_of_file
from seamwise.importers._shared.ids import fingerprint
from seamwise.importers._shared.models import ModelCalls
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import seconds_ns
from seamwise.importers._source import Source
from seamwise.importers.claude_code._entries import Session
from seamwise.importers.claude_code._lines import by_session
from seamwise.importers.vcr._bedrock_agents import AgentStream, is_agent_stream
from seamwise.importers.vcr._bodies import Body, body_of
from seamwise.importers.vcr._providers import answered, asked, place_of
from seamwise.importers.vcr._yaml import load
from seamwise.record import Status, Trace

_TELEMETRY = re.compile(r"telemetry|/v1/(?:traces|metrics|logs)\Z|/traces/ingest\Z")
"""Addresses to which programs report on themselves."""

INPUT_BASIS = "the request of this model call holds its complete input messages"


def traces(source: Source, sink: Sink) -> Iterator[Trace]:
    """The trace of a cassette.

    Raises:
        FormatError: There is no call of a model in it.
    """
    if source.head.lstrip()[:1] in (b"{", b"["):
        value = one_document(source, sink, "a cassette")
    else:
        value, damage = load(text_of_file(source, sink))
        if damage is not None:
            sink.report.note("broken_yaml", source.path, f"the document could not be read to its end: {damage}")
    interactions = value.get("interactions") if isinstance(value, dict) else None
    if isinstance(interactions, list):
        yield _Cassette(interactions, source, sink).trace()
        return
    messages = value.get("messages") if isinstance(value, dict) else None
    if isinstance(messages, list):
        pieces = [Piece(n, message) for n, message in enumerate(messages, 1)]
        sessions = by_session(pieces, sink)
        for name, entries in sessions.items():
            yield Session(name, entries, sink, source.path, None).trace()
        if sessions:
            return
    raise FormatError("expected a cassette with interactions, got none", where=source.path)


class _Cassette:
    def __init__(self, interactions: list[Any], source: Source, sink: Sink) -> None:
        self._interactions = interactions
        self._sink = sink
        self._path = source.path
        name = f"{run_name(source)}-{fingerprint([_short(i) for i in interactions])}"
        # Answers stand in the order in which they arrived; calls that overlap may have been sent in another.
        self._talk = Talk(name, sink, where=source.path, in_sequence=False)
        self._models = ModelCalls(self._talk, INPUT_BASIS)

    def trace(self) -> Trace:
        found = sum(self._interaction(interaction, n) for n, interaction in enumerate(self._interactions))
        if not found:
            raise FormatError("expected a cassette with calls of language models, got other requests alone", where=self._path)
        return self._talk.trace()

    def _interaction(self, interaction: Any, n: int) -> bool:
        """One request and its answer; whether it is a call of a model."""
        talk, most = self._talk, self._sink.limits.line_bytes
        request = interaction.get("request") if isinstance(interaction, dict) else None
        if not isinstance(request, dict):
            talk.dropped("no interaction", f"interaction {n} has no request")
            return False
        place = place_of(request.get("uri", request.get("url")))
        response: dict[str, Any] = interaction["response"] if isinstance(interaction.get("response"), dict) else {}
        sent = body_of(request.get("body"), most)
        recorded = response.get("body") if response.get("body") is not None else response.get("content")
        came = body_of(recorded, most)
        if is_agent_stream(came.events):
            AgentStream(talk, n).read(came.events, sent.value)
            return True
        call = asked(sent, place)
        if call is None and _TELEMETRY.search(place):
            talk.dropped("telemetry, which is no part of the run", harmless=True)
            return False
        if call is None:
            # It may be what a tool did, of which nobody else tells: where such a request was dropped, something was lost.
            talk.dropped("a request that is no call of a model", f"interaction {n}: {place or 'no address'}")
            return False
        talk.arrived(f"interaction {n}")
        identifier = self._models.call(
            id=f"call-{n}", actor=None, told=call.told, model=call.model, tools=call.tools, data={"address": place}
        )
        self._answer(identifier, came, _code(response), n)
        return True

    def _answer(self, identifier: str, came: Body, code: int | None, n: int) -> None:
        """What came back: an answer, a refusal, or nothing that can be read."""
        models, answer = self._models, answered(came)
        if not came.events and came.value is None and came.text is None and came.flaw is None and code is None:
            models.unfinished()
            return
        status: Status | None = None
        if answer.error is not None or (code is not None and code >= 400):
            status = "failed"
        elif answer.messages:
            status = "ok"
        if answer.flaw is not None and status != "failed":
            self._talk.note("answer_unreadable", f"interaction {n}: the answer is not whole: {answer.flaw}")
        data: dict[str, Any] = {key: value for key, value in (("http_status", code), ("response_id", answer.id)) if value is not None}
        models.result(
            identifier,
            actor=None,
            answered=answer.messages,
            status=status,
            error=answer.error if answer.error is not None else came.text if status == "failed" else None,
            usage=answer.usage,
            data=data,
            time_ns=seconds_ns(answer.created),
        )


def _code(response: dict[str, Any]) -> int | None:
    status = response.get("status", response.get("status_code"))
    code = status.get("code") if isinstance(status, dict) else status
    if isinstance(code, str) and code.isascii() and code.isdigit() and len(code) < 5:
        return int(code)
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _short(interaction: Any) -> Any:
    """What tells one interaction from another, for the name of the trace."""
    request = interaction.get("request") if isinstance(interaction, dict) else None
    body = request.get("body") if isinstance(request, dict) else None
    return body.hex() if isinstance(body, bytes) else body if isinstance(body, str) else None
