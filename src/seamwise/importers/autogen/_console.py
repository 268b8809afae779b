"""What the console of AutoGen 0.4 and later prints: messages under ``---------- source ----------``, summaries, printed objects.

A run ends with its summary, its printed result or its stop reason; what follows is another run, for whether they belong together is not
recorded. A printed result that repeats what stands above it stands for it, because it says more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import plain
from seamwise.importers._shared.talk import Talk
from seamwise.importers.autogen._messages import TYPES, message
from seamwise.importers.autogen._notation import fields, notation
from seamwise.record import Trace

_HEADER = re.compile(r"-{10} (.+?) -{10}\s*")
_TYPED = re.compile(r"(\w+(?:\[\w+\])?) \((.+)\)")
_RESULT = re.compile(r"(?:\w+ )?(TaskResult\(.*\))\s*")
_FIELDS = re.compile(r"(?:\w+ )?((?:id=\S+ )?source=['\"].*)")
_RESULT_FIELDS = re.compile(r"(?:\w+ )?(messages=\[.*)")
_STOP = re.compile(r"Stop Reason: (.*)")
_USAGE = re.compile(r"\[Prompt tokens: (\d+), Completion tokens: (\d+)\]\s*")
_SUMMARY = re.compile(r"(Number of \w+|Finish reason|Total prompt tokens|Total completion tokens|Duration): (.*)")


_ENDED = frozenset({"stop_reason", "finish_reason", "number_of_messages"})
"""Facts that say that a run is over."""


_HARNESS = re.compile(r"(?:SCENARIO\.PY|RUN\.SH) (?:STARTING|COMPLETE|RUNTIME)\b.*")
"""What AutoGenBench prints around a run: it belongs to no message."""


class Run(NamedTuple):
    """One run as it was printed."""

    said: list[dict[str, Any]]
    """Messages, and other text under the key ``printed``."""
    result: list[Any]
    """Messages of a printed result."""
    facts: dict[str, Any]
    """What is said of the run as a whole."""


def fits(text: str) -> bool:
    """Whether the text holds what the console prints."""
    return any(_HEADER.fullmatch(line) or _object(line) is not None for line in text.split("\n"))


def read(text: str, name: str, where: str, sink: Sink) -> Iterator[Trace]:
    """The runs of a text.

    Raises:
        FormatError: There is none.
    """
    n = 0
    for run in _runs(plain(text)):
        n += 1
        yield _trace(run, name if n == 1 else f"{name}#{n}", where, sink)
    if not n:
        raise FormatError("expected console text of AutoGen, got none", where=where)


def _runs(text: str) -> Iterator[Run]:
    run = Run([], [], {})
    speaker: str | None = None
    body: list[str] = []

    def close() -> None:
        nonlocal speaker
        if speaker is not None:
            run.said.extend(_message(speaker, body, run.facts))
        elif any(line.strip() for line in body):
            run.said.append({"printed": "\n".join(body).strip()})
        body.clear()
        speaker = None

    for line in text.split("\n"):
        header = _HEADER.fullmatch(line)
        value = None if header or not line else _object(line)
        stop = _STOP.fullmatch(line) if speaker is None and not body else None
        if header is None and value is None and stop is None:
            if speaker is not None and _HARNESS.fullmatch(line):
                close()
            body.append(line)
            continue
        close()
        listed = (value or {}).get("messages")
        if stop is not None:
            run.facts["stop_reason"] = stop[1]
        elif isinstance(listed, list):
            if run.result or not _repeats(run.said, listed):
                yield run
                run = Run([], [], {})
            run.result.extend(listed)
            run.facts.update({key: inner for key, inner in (value or {}).items() if key not in ("messages", "type") and inner is not None})
        else:
            if run.result or not run.facts.keys().isdisjoint(_ENDED):
                yield run
                run = Run([], [], {})
            if header is not None:
                speaker = header[1]
            elif value is not None:
                run.said.append(value)
    close()
    if run.said or run.result:
        yield run


def _object(line: str) -> dict[str, Any] | None:
    """The message or result that a line is, as Python prints it."""
    if "=" not in line:
        return None
    result = _RESULT.fullmatch(line)
    if result is not None:
        value = notation(result[1])
        return value if isinstance(value, dict) and isinstance(value.get("messages"), list) else None
    printed = _FIELDS.fullmatch(line) or _RESULT_FIELDS.fullmatch(line)
    if printed is None:
        return None
    value = fields(printed[1])
    if value is None or not ("messages" in value or ("content" in value and "type" in value)):
        return None
    return value


def _message(speaker: str, body: list[str], facts: dict[str, Any]) -> list[dict[str, Any]]:
    """The message under a header, and what else was printed below it."""
    if speaker == "Summary" and any(_SUMMARY.fullmatch(line) for line in body):
        for line in body:
            if said := _SUMMARY.fullmatch(line):
                facts[said[1].lower().replace(" ", "_")] = said[2]
        return [{"summary": "\n".join(body).strip()}]
    made: dict[str, Any] = {"source": speaker}
    typed = _TYPED.fullmatch(speaker)
    if typed is not None and typed[1].partition("[")[0] in TYPES:
        made = {"type": typed[1], "source": typed[2]}
    below: list[str] = []
    for i, line in enumerate(body):
        if usage := _USAGE.fullmatch(line):
            made["models_usage"] = {"prompt_tokens": int(usage[1]), "completion_tokens": int(usage[2])}
            below = body[i + 1 :]
            body = body[:i]
            break
    made["content"] = "\n".join(body).strip("\n")
    out = [made]
    if any(line.strip() for line in below):
        out.append({"printed": "\n".join(below).strip()})
    return out


def _trace(run: Run, name: str, where: str, sink: Sink) -> Trace:
    talk = Talk(name, sink, where=where)
    talk.about(run.facts)
    for index, entry in enumerate(_together(run, talk)):
        if "printed" in entry or "summary" in entry:
            talk.arrived(f"text {index}")
            talk.put("note", id=str(index), text=entry.get("printed", entry.get("summary")), data={"printed": True})
        elif entry.get("type") == "HandoffMessage" and "target" not in entry:
            message(talk, {**entry, "type": "HandoffMessage as printed"}, index)  # The console does not print to whom.
        else:
            message(talk, entry, index)
    return talk.trace()


def _together(run: Run, talk: Talk) -> Iterator[Any]:
    """What was printed, with each message as the printed result of the run has it, where it does."""
    if not run.result:
        yield from run.said
        return
    rest = iter(run.result)
    for said in run.said:
        if "source" not in said:
            yield said
            continue
        talk.merged("printed_twice", "what was printed stands again, and more fully, in the printed result of the run")
        for other in rest:
            yield other
            if _same(said, other):
                break
    yield from rest


def _repeats(said: list[dict[str, Any]], result: list[Any]) -> bool:
    """Whether every printed message stands in a printed result, in this order."""
    rest = iter(result)
    return all(any(_same(entry, other) for other in rest) for entry in said if "source" in entry)


def _same(printed: dict[str, Any], other: Any) -> bool:
    if not isinstance(other, dict) or printed.get("source") != other.get("source"):
        return False
    mine, theirs = printed.get("content"), other.get("content")
    if isinstance(mine, str) and isinstance(theirs, list):
        mine = notation(mine)
    if isinstance(mine, str) and isinstance(theirs, str):
        return mine.strip() == theirs.strip()
    return isinstance(mine, list) and isinstance(theirs, list) and _ids(mine) == _ids(theirs)


def _ids(listed: list[Any]) -> list[Any]:
    return [item.get("id", item.get("call_id")) if isinstance(item, dict) else item for item in listed]
