"""Any list of JSON objects as a conversation, by a page that says where the list is and what its fields mean.

    list: sessions[].turns
    trace: id
    speaker: from.name
    recipient: to
    text: body
    time: at

A path names keys, ``[]`` every element of a list, a number one of them; JSON inside strings is looked into. What a path does not find was
not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from seamwise.errors import FormatError, did_you_mean
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name, pieces
from seamwise.importers._shared.labels import seal, without_labels
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.text import parsed
from seamwise.importers._shared.times import moment_ns
from seamwise.importers._shared.turns import kept
from seamwise.importers._source import Source
from seamwise.record import Trace

FIELDS = ("list", "trace", "speaker", "recipient", "text", "role", "time", "tool", "call", "arguments", "result", "error", "labels")
"""The keys of a mapping."""


class Around(NamedTuple):
    """A list of entries, and the objects that it stands in, innermost first."""

    entries: list[Any]
    objects: tuple[Any, ...]


class Mapped:
    """The importer of lists by a mapping.

    Raises:
        FormatError: The mapping cannot be read.
    """

    name = "chat"
    version = 1
    summary = "lists of chat messages by a mapping"

    def __init__(self, path: str) -> None:
        self.path = path
        self.fields = _load(path)

    def sniff(self, head: bytes) -> int:
        """A mapping is named, never guessed."""
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The conversations of a file; records are the entries of their lists.

        Raises:
            FormatError: The path to the list finds none.
        """
        name, content = "chat", content_name("", source)
        talks: dict[str, Talk] = {}
        loose: list[Any] = []
        """Entries that stand in lines of their own."""
        n = 0
        path = self.fields.get("list")
        for piece in pieces(source, sink):
            if path is None and piece.line and isinstance(piece.value, dict):
                loose.append(piece.value)
                continue
            found = list(_lists(piece.value, _steps(path or "")))
            if not found:
                sink.report.records += 1
                sink.report.drop("no list at the path")
                sink.report.note("no_list", f"{source.path}, line {piece.line}", f"nothing stands at `{path or '.'}` that is a list")
            for around in found:
                n += 1
                self._entries(around, name if n == 1 else f"{name}#{n}", content, talks, source, sink)
        if loose:
            self._entries(Around(loose, ()), name, content, talks, source, sink)
        if not n and not loose:
            raise FormatError(
                f"expected a list at `{path or '.'}`, got none", where=source.path, hint=f"the path stands under `list:` in {self.path}"
            )
        for talk in talks.values():
            yield talk.trace()

    def _entries(self, around: Around, name: str, content: str, talks: dict[str, Talk], source: Source, sink: Sink) -> None:
        outer = next((key for o in around.objects if (key := _name(self._at("trace", o))) is not None), None)
        counted: dict[str, int] = {}
        for entry in around.entries:
            own = self._at("trace", entry) if isinstance(entry, dict) else NOT_RECORDED
            key = _name(own) or outer or name
            talk = talks.setdefault(key, Talk(f"{key}{content}", sink, where=source.path))
            counted[key] = index = counted.get(key, -1) + 1
            self._entry(talk, entry, str(index))

    def _entry(self, talk: Talk, entry: Any, identifier: str) -> None:
        talk.arrived(f"entry {identifier}")
        if not isinstance(entry, dict):
            kept(talk, entry, identifier, "an entry that is no object; it was kept as a note")
            return
        for path in self.fields.get("labels") or ():
            if (label := _at(entry, _steps(path))) is not NOT_RECORDED:
                seal(talk.sink, talk.id, identifier, path, label)
        speaker, tool, call = (_name(self._at(key, entry)) for key in ("speaker", "tool", "call"))
        text, arguments, result, error = (self._at(key, entry) for key in ("text", "arguments", "result", "error"))
        recipient, role, time = (self._at(key, entry) for key in ("recipient", "role", "time"))
        failed = None if error in (NOT_RECORDED, None, "", False) else True
        common: dict[str, Any] = {"time_ns": moment_ns(time)}
        answers = result is not NOT_RECORDED or failed
        asks = (tool is not None or call is not None) and (not answers or arguments is not NOT_RECORDED)
        data = self._rest(talk, entry, identifier)
        if (isinstance(text, str) and text) or not (asks or answers):
            said = text if isinstance(text, str) else None
            if said is None:
                talk.report.not_known("what a message said")
                if text not in (NOT_RECORDED, None):
                    data = {**data, "content": text}
            to = (recipient,) if isinstance(recipient, str) and recipient else None
            if isinstance(recipient, list) and all(isinstance(r, str) for r in recipient):
                to = tuple(recipient)
            talk.say(said, actor=speaker, recipients=to, role=role if isinstance(role, str) else None, data=data, id=identifier, **common)
            data, identifier = {}, f"{identifier}/1"
        if asks:
            made = talk.call(tool, arguments, actor=speaker, call=call, data=data, id=identifier, **common)
            data, identifier, call = {}, f"{identifier}/1", made if answers else call
        if answers:
            talk.answer(call, result, tool=tool, failed=failed, error=error if failed else None, data=data, id=identifier, **common)

    def _at(self, field: str, entry: Any) -> Any:
        path = self.fields.get(field)
        return NOT_RECORDED if path is None else _at(entry, _steps(path))

    def _rest(self, talk: Talk, entry: dict[str, Any], identifier: str) -> dict[str, Any]:
        """What no field of the mapping takes, without labels."""
        taken = {str(_steps(path)[0]) for key, path in self.fields.items() if key not in ("list", "labels") and path}
        taken |= {str(_steps(path)[0]) for path in self.fields.get("labels") or ()}
        rest = {key: value for key, value in entry.items() if key not in taken}
        made: dict[str, Any] = without_labels(rest, talk.sink, talk.id, identifier)
        return made


def _load(path: str) -> dict[str, Any]:
    import msgspec

    try:
        content = Path(path).read_bytes()
        value = msgspec.yaml.decode(content)
    except OSError as error:
        raise FormatError(f"cannot read the mapping: {error.strerror or error}", where=path) from error
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise FormatError(f"the mapping is no YAML: {error}", where=path) from error
    if not isinstance(value, dict) or not value:
        raise FormatError("expected a mapping of fields to paths, got none", where=path, hint=f"fields are {', '.join(FIELDS)}")
    for key, inner in value.items():
        if key not in FIELDS:
            raise FormatError(
                f"unknown field `{key}`", where=path, hint=did_you_mean(str(key), FIELDS) or f"fields are {', '.join(FIELDS)}"
            )
        texts = inner if key == "labels" and isinstance(inner, list) else [inner]
        if not all(isinstance(text, str) and text for text in texts):
            raise FormatError(f"expected a path, got `{inner!r}`", where=f"{path}, field `{key}`")
    if "labels" in value and isinstance(value["labels"], str):
        value["labels"] = [value["labels"]]
    if not {"text", "tool", "result"} & value.keys():
        raise FormatError("expected `text`, `tool` or `result` among the fields, got none", where=path)
    return value


@lru_cache(maxsize=64)
def _steps(path: str) -> tuple[str, ...]:
    """The steps of a path; ``[]`` is one of its own."""
    return tuple(step for part in path.split(".") for step in part.replace("[]", "\0[]").split("\0") if step) or ("",)


def _at(value: Any, steps: tuple[str, ...]) -> Any:
    """What stands at a path; of a list with ``[]`` all that is found, as a list."""
    for i, step in enumerate(steps):
        value = parsed(value)
        if step == "[]":
            if not isinstance(value, list):
                return NOT_RECORDED
            found = [inner for entry in value if (inner := _at(entry, steps[i + 1 :])) is not NOT_RECORDED]
            return found or NOT_RECORDED
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return NOT_RECORDED
    return value


def _lists(value: Any, steps: tuple[str, ...], objects: tuple[Any, ...] = ()) -> Iterator[Around]:
    """The lists at a path; each ``[]`` before the end makes one list per element."""
    value = parsed(value)
    if steps in ((), ("",)):
        if isinstance(value, list):
            yield Around(value, objects)
        return
    step, rest = steps[0], steps[1:]
    if step == "[]" and isinstance(value, list):
        if not rest:
            yield Around(value, objects)
        for entry in value if rest else ():
            yield from _lists(entry, rest, (entry, *objects))
    elif isinstance(value, dict) and step in value:
        yield from _lists(value[step], rest, objects if objects and objects[0] is value else (value, *objects))


def _name(value: Any) -> str | None:
    if isinstance(value, str) and value.strip():
        return value.strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None
