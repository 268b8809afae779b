"""Which sort of file of AutoGen it is, and the traces in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name, pieces, text_of_file
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import is_label, seal
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.spoken import spoken, tell
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.turns import kept
from seamwise.importers._source import Source
from seamwise.importers.autogen._calls import is_call, model_call
from seamwise.importers.autogen._messages import message, messages
from seamwise.importers.autogen._states import is_state, state
from seamwise.record import Trace

EXPECTED = "messages, a result, a state or console text of AutoGen"


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The runs of a file.

    Raises:
        FormatError: Nothing of AutoGen is in it.
    """
    from seamwise.importers.autogen import _console, _console02, _core_text, _runtime_log

    if _runtime_log.fits(source.head):
        yield from _runtime_log.read(source, sink)
        return
    if outline(source.head).start in ("{", "["):
        yield from _json(source, sink)
        return

    text = text_of_file(source, sink, escapes=True)
    for sort in (_console02, _console, _core_text):
        if sort.fits(text):
            yield from sort.read(text, content_name("run", source), source.path, sink)
            return
    raise FormatError(f"expected {EXPECTED}, got none", where=source.path)


def _json(source: Source, sink: Sink) -> Iterator[Trace]:
    n = lined = 0
    loose: Talk | None = None
    told: set[bytes] = set()
    """Digests of the messages that stood in lines of their own."""
    for piece in pieces(source, sink):
        value = piece.value
        if piece.line and isinstance(value, dict) and _is_message(value):
            loose = loose or Talk(content_name("run", source), sink, where=source.path)
            message(loose, value, lined)
            lined += 1
            told.add(_digest(value))
            continue
        for run in _runs(value):
            n += 1
            if loose is not None and _repeats(run, told):
                loose.merged("told_twice", "a result repeats the messages that were streamed before it")
                loose.about({key: inner for key, inner in run.items() if key != "messages" and inner is not None})
                continue
            yield _trace(run, named("run", run), source, sink)
        if not n and loose is None:
            sink.report.records += 1
            sink.report.drop("nothing of AutoGen")
            sink.report.note("foreign", source.path, f"a value that is none of {EXPECTED}")
    if loose is not None:
        yield loose.trace()
    elif not n:
        raise FormatError(f"expected {EXPECTED}, got none", where=source.path)


def _digest(value: Any) -> bytes:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).digest()


def _repeats(run: Any, told: set[bytes]) -> bool:
    """Whether a run is the result with which a stream ends: it holds once more what was streamed, and nothing else."""
    listed = run.get("messages") if isinstance(run, dict) else None
    return isinstance(listed, list) and bool(listed) and not is_state(run) and all(_digest(entry) in told for entry in listed)


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str) and ("source" in value or "content" in value)


def _runs(value: Any) -> Iterator[Any]:
    """The runs in a value: a list of messages or calls, or an object that holds one."""
    if isinstance(value, dict):
        if is_state(value) or any(isinstance(value.get(key), list) for key in ("messages", "chat_history")):
            yield value
    elif isinstance(value, list) and any(_is_message(e) or spoken(e) is not None or is_call(e) for e in value):
        yield value
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, (list, dict)):
                yield from _runs(entry) if isinstance(entry, dict) else ([entry] if any(map(_is_message, entry)) else [])


def _trace(run: Any, name: str, source: Source, sink: Sink) -> Trace:
    if is_state(run):
        talk = Talk(name, sink, where=source.path)
        state(talk, run)
        return talk.trace()
    around = run if isinstance(run, dict) else {}
    listed = run if isinstance(run, list) else run["messages"] if isinstance(run.get("messages"), list) else run["chat_history"]
    talk = Talk(name, sink, where=source.path)
    talk.about({key: value for key, value in around.items() if value is not listed and value not in (None, [], {}) and not is_label(key)})
    for key in filter(is_label, around):
        seal(sink, name, None, key, around[key])
    if any(is_call(entry) for entry in listed):
        for index, entry in enumerate(listed):
            if is_call(entry):
                model_call(talk, entry, index)
            else:
                message(talk, entry, index)
    elif any(_is_message(entry) for entry in listed) or "chat_history" not in around:
        messages(talk, listed)
    else:
        for index, entry in enumerate(listed):
            _chat(talk, entry, index)
    return talk.trace()


def _chat(talk: Talk, entry: Any, index: int) -> None:
    """A message of 0.2: its role is that of the chat's owner, its name is who said it."""
    said = spoken(entry)
    if said is None:
        talk.arrived(f"message {index}")
        kept(talk, entry, str(index))
        return
    talk.arrived(f"message {index}")
    tell(talk, said, id=str(index), actor=said.name)
