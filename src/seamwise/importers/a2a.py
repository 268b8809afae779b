"""A2A, the protocol between agents: tasks, messages and streamed updates, as JSON-RPC or bare, of both of its generations.

One context is one trace. The protocol names neither sender nor receiver: a message's role, user or agent, is a perspective. What it cannot
tell stands in ``docs/formats/a2a.md``.

Source: the specification of A2A up to 1.0 (``a2a.proto``); up to 0.3 an object says what it is by ``kind``, from 1.0 by its key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces, text_of_file
from seamwise.importers._shared.ids import fingerprint
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.sniff import Outline, outline
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_KINDS = ("task", "message", "status-update", "artifact-update")
_KEYS = {"task": "task", "message": "message", "msg": "message", "statusUpdate": "status-update", "artifactUpdate": "artifact-update"}
_KEYS |= {"status_update": "status-update", "artifact_update": "artifact-update"}
_SSE = re.compile(rb'^data: ?\{[^\n]*"(?:contextId|context_id|taskId|task_id|messageId|message_id)"', re.MULTILINE)
_PLACES = (
    *("", "result.", "params.", "result.task.", "params.message.", "result.message."),
    *("task.", "message.", "statusUpdate.", "result.statusUpdate."),
)


class Sent(NamedTuple):
    """One object of the protocol."""

    kind: str
    value: dict[str, Any]


class A2A:
    """The importer of A2A."""

    name = "a2a"
    version = 1
    summary = "A2A: tasks, messages and streamed updates between agents, as JSON-RPC or bare"

    def sniff(self, head: bytes) -> int:
        """Whether objects of the protocol stand in the JSON, or in the data of events."""
        seen = outline(head)
        if seen.start not in ("{", "["):
            return 82 if _SSE.search(plain_text(head)[0]) else 0
        return max(_sniff(seen, f"{stem}{place}") for stem in ("", "[].") for place in _PLACES)

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The contexts of a file; records are the objects of the protocol, and the messages inside them.

        Raises:
            FormatError: Nothing of A2A is in it.
        """
        values = list(_values(source, sink))
        contexts = _Contexts(fingerprint(values), source.path, sink)
        for number, value in enumerate(values):
            contexts.expects(value, number)
        for number, value in enumerate(values):
            contexts.take(value, number)
        if not contexts.talks:
            raise FormatError("expected tasks, messages or updates of A2A, got none", where=source.path)
        yield from contexts.traces()


def _sniff(seen: Outline, stem: str) -> int:
    if seen.says(f"{stem}kind", *_KINDS[:1], *_KINDS[2:]) and (
        seen.has(f"{stem}contextId") or seen.has(f"{stem}taskId") or seen.has(f"{stem}status.state")
    ):
        return 86
    named = any(seen.has(f"{stem}{key}") for key in ("messageId", "message_id"))
    if named and seen.has(f"{stem}role") and any(seen.has(f"{stem}parts[].{key}") for key in ("text", "kind", "data", "file", "url")):
        return 86
    context = seen.has(f"{stem}contextId") or seen.has(f"{stem}context_id")
    return 86 if context and seen.has(f"{stem}status.state") else 0


def _values(source: Source, sink: Sink) -> Iterator[Any]:
    """The JSON values of a file: of lines, a document, or the data of server-sent events."""
    if outline(source.head).start in ("{", "["):
        for piece in pieces(source, sink):
            yield from piece.value if isinstance(piece.value, list) else [piece.value]
        return
    for number, block in enumerate(re.split(r"\n[ \t]*\n", text_of_file(source, sink)), 1):
        data = [line.partition(":")[2].removeprefix(" ") for line in block.split("\n") if line.startswith("data:")]
        if not data:
            continue
        try:
            yield msgspec.json.decode("\n".join(data))
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            sink.report.records += 1
            sink.report.drop("unreadable")
            sink.report.note(
                "unreadable", f"{source.path}, event {number}", "the data of an event is no JSON; the stream may break off there"
            )


def _sent(value: Any) -> Sent | None:
    """The object of the protocol in a value: in a request, in a response, under its key, or bare."""
    if not isinstance(value, dict):
        return None
    for key in ("result", "params"):
        if isinstance(value.get(key), dict) and ("jsonrpc" in value or key == "result"):
            return _sent(value[key])
    kind = value.get("kind")
    if isinstance(kind, str) and kind in _KINDS:
        return Sent(kind, value)
    for key, named in _KEYS.items():
        if isinstance(value.get(key), dict):
            return Sent(named, value[key])
    if "parts" in value and isinstance(value.get("role"), str):
        return Sent("message", value)
    if isinstance(value.get("artifact"), dict):
        return Sent("artifact-update", value)
    if isinstance(value.get("status"), dict) and "state" in value["status"]:
        return Sent("task" if "history" in value or "artifacts" in value or "id" in value else "status-update", value)
    return None


def _field(value: dict[str, Any], camel: str) -> Any:
    """A field in either spelling."""
    return value[camel] if camel in value else value.get(re.sub(r"([A-Z])", lambda m: "_" + m[1].lower(), camel))


class _Contexts:
    """The contexts of a file, each one trace; its name has a fingerprint of the content, for other parts may lie in other files."""

    def __init__(self, content: str, where: str, sink: Sink) -> None:
        self.content, self.where, self.sink = content, where, sink
        self.talks: dict[str, Talk] = {}
        self._of_task: dict[str, str] = {}
        self._told: dict[str, set[str]] = {}
        self._last: dict[str, int] = {}
        """Artifact -> number of the value with its last piece."""
        self._artifacts: dict[tuple[str, str], dict[str, Any]] = {}

    def expects(self, value: Any, number: int) -> None:
        """Notes which value holds the last piece of an artifact."""
        sent = _sent(value)
        if sent is not None and sent.kind == "artifact-update" and isinstance(sent.value.get("artifact"), dict):
            self._last[str(_field(sent.value["artifact"], "artifactId"))] = number

    def take(self, value: Any, number: int) -> None:
        """One value of the file."""
        sent = _sent(value)
        if sent is None:
            if isinstance(value, dict) and "jsonrpc" in value:
                talk = self._talk({})
                talk.arrived()
                talk.put("note", data={key: inner for key, inner in value.items() if key != "jsonrpc"})
            else:
                self.sink.report.records += 1
                self.sink.report.drop("nothing of A2A")
                self.sink.report.note("foreign", self.where, "a value that is no object of the protocol")
            return
        talk = self._talk(sent.value)
        if sent.kind == "message":
            self._message(talk, sent.value)
        elif sent.kind == "task":
            self._task(talk, sent.value)
        elif sent.kind == "status-update":
            talk.arrived()
            self._status(talk, sent.value.get("status"), _field(sent.value, "taskId"))
        else:
            self._piece(talk, sent.value, number)

    def traces(self) -> Iterator[Trace]:
        """The traces."""
        for talk in self.talks.values():
            yield talk.trace()

    def _talk(self, value: dict[str, Any]) -> Talk:
        task = _field(value, "taskId") or (value.get("id") if "status" in value else None)
        context = _field(value, "contextId")
        if not isinstance(context, str) or not context:
            context = self._of_task.get(task) if isinstance(task, str) else None
        context = context or next(reversed(self.talks), "context")
        if isinstance(task, str):
            self._of_task[task] = context
        if context not in self.talks:
            self.talks[context] = Talk(f"{context}-{self.content}", self.sink, where=self.where)
            self._told[self.talks[context].id] = set()
        return self.talks[context]

    def _message(self, talk: Talk, value: dict[str, Any]) -> None:
        """A message; one that is told again, as in a task's history, is merged."""
        identifier = _field(value, "messageId")
        identifier = identifier if isinstance(identifier, str) and identifier else None
        if identifier is not None and identifier in self._told[talk.id]:
            talk.merged("told_twice", f"message `{identifier[:80]}` was told before")
            return
        talk.arrived(f"message {identifier or ''}")
        if identifier is not None:
            self._told[talk.id].add(identifier)
        words, others = _parts(value.get("parts"))
        data: dict[str, Any] = {"parts": others} if others else {}
        for key in ("taskId", "referenceTaskIds", "metadata", "extensions"):
            if (inner := _field(value, key)) not in (None, "", [], {}):
                data[key] = inner
        data = without_labels(data, talk.sink, talk.id, identifier)
        role = value.get("role")
        role = role.removeprefix("ROLE_").lower() if isinstance(role, str) else None
        if words is None and not others:
            talk.report.not_known("what a message said")
        talk.say(words, actor=None, role=role, data=data, id=identifier)

    def _task(self, talk: Talk, value: dict[str, Any]) -> None:
        """A whole task: its messages, its artifacts, its state."""
        history, artifacts = value.get("history"), value.get("artifacts")
        for message in history if isinstance(history, list) else ():
            if isinstance(message, dict):
                self._message(talk, message)
            else:
                talk.dropped("no message")
        talk.arrived(f"task {value.get('id')}")
        self._status(talk, value.get("status"), value.get("id"))
        for artifact in artifacts if isinstance(artifacts, list) else ():
            if isinstance(artifact, dict):
                self._artifact(talk, {**artifact, "taskId": value.get("id")}, partial=False)

    def _status(self, talk: Talk, status: Any, task: Any) -> None:
        status = status if isinstance(status, dict) else {}
        state = status.get("state")
        data = {"object": f"task/{task}", "items": {"state": state}, "whole": False}
        talk.put("state", data=data, time_ns=moment_ns(status.get("timestamp")))
        if isinstance(status.get("message"), dict):
            self._message(talk, {"taskId": task, **status["message"]})

    def _piece(self, talk: Talk, value: dict[str, Any], number: int) -> None:
        """A piece of an artifact: what is appended is put to what came before; the last piece stands for all of them."""
        artifact = value.get("artifact")
        if not isinstance(artifact, dict):
            talk.arrived()
            talk.put("note", data=value)
            return
        identifier = str(_field(artifact, "artifactId"))
        key = (talk.id, identifier)
        parts = artifact.get("parts")
        listed = parts if isinstance(parts, list) else []
        before = self._artifacts.get(key)
        if before is not None and value.get("append"):
            before["parts"] += listed
            made = before
        else:
            made = {**artifact, "parts": list(listed), "taskId": _field(value, "taskId")}
        goes_on = _field(value, "lastChunk") is False or (value.get("append") and not _field(value, "lastChunk"))
        if goes_on and self._last.get(identifier) != number:
            self._artifacts[key] = made
            talk.merged("streamed_piece", "a piece of an artifact; the artifact stands for it")
            return
        self._artifacts.pop(key, None)
        talk.arrived()
        if goes_on:
            talk.note("broke_off", f"artifact `{identifier[:80]}` has no last piece; it was put together from those there are")
        self._artifact(talk, made, partial=bool(goes_on))

    def _artifact(self, talk: Talk, artifact: dict[str, Any], *, partial: bool) -> None:
        identifier = _field(artifact, "artifactId")
        words, others = _parts(artifact.get("parts"))
        parts = artifact.get("parts")
        listed = parts if isinstance(parts, list) else []
        joined = "".join(part["text"] for part in listed if isinstance(part, dict) and isinstance(part.get("text"), str))
        items = {"text": joined or words, **({"parts": others} if others else {})}
        data: dict[str, Any] = {"object": f"artifact/{identifier}", "items": items, "whole": not partial}
        data |= {key: artifact[key] for key in ("name", "description", "taskId") if artifact.get(key)}
        if partial:
            data["partial"] = True
        talk.put("state", data=without_labels(data, talk.sink, talk.id, None))


def _parts(parts: Any) -> tuple[str | None, list[Any]]:
    """The words of parts, joined by line ends, and the parts that are no text."""
    words: list[str] = []
    others: list[Any] = []
    # what is no list is kept as one part that is no text
    for part in parts if isinstance(parts, list) else () if parts is None else (parts,):
        root = part.get("root", part) if isinstance(part, dict) else part
        if isinstance(root, dict) and isinstance(root.get("text"), str):
            words.append(root["text"])
        else:
            others.append(part)
    return ("\n".join(words) if words else None), others


IMPORTER = A2A()
