"""Traces looked at again, for whoever wants to see a verdict in its surroundings: scenes, and what an agent had in its input.

Only traces that a verdict which is not clear cites are told as a whole, the most severe verdicts first, and only up to a number of steps.
Nothing here changes a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from seamwise.audit._known import GIVEN, Knowing
from seamwise.audit._redact import words_of
from seamwise.audit._refs import as_json, spoken, writable
from seamwise.audit._result import Given, Inbox, Result, Scene, Seen, StepRef
from seamwise.audit._scan import Options
from seamwise.audit._split import files_of, read_some
from seamwise.binding import ROW
from seamwise.kernel import Status
from seamwise.record import Step, Trace

MAX_SCENES = 400
MAX_STEPS = 120_000
"""Steps of all scenes together."""
MAX_WORDS = 160
"""Characters of a step that no verdict cites."""
MAX_GIVEN = 60
"""Things in one input that are told, the last ones."""
MAX_INBOXES = 1_000
"""Results, the most severe first, of which the crossing agent's input is told."""
OPEN = frozenset({Status.SUPPORTED, Status.MEASUREMENT_INVALID, Status.NOT_JUDGED, Status.UNKNOWN})


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen."""

    results: list[Result]
    """The same results, supported ones with what the agent that crossed had in its input."""
    scenes: tuple[Scene, ...]
    n_unseen: int
    """Cited traces that would have been too many steps."""


def look(results: Sequence[Result], places: Sequence[tuple[str, Sequence[int]]], split: frozenset[int], options: Options) -> Looked:
    """The scenes of the traces that verdicts cite, and the inboxes at crossing steps.

    Args:
        results: Most severe first.
        places: Each file and the digests of the ids of its traces.
        split: Digests of the ids of traces of which parts stand in several places.
        options: As the files were read before.
    """
    wanted = list(dict.fromkeys(ref.trace for result in results if result.status in OPEN for ref in cited(result) if ref.kind != ROW))
    chosen = wanted[:MAX_SCENES]
    traces = {trace.id: trace for trace in read_some(files_of(places, chosen), split, options)}
    scenes: list[Scene] = []
    left = MAX_STEPS
    for name in chosen:
        trace = traces.get(name)
        if trace is None or len(trace.steps) > left:
            continue
        left -= len(trace.steps)
        scenes.append(_scene(trace, redact=options.redact))
    knowing = {name: Knowing(trace) for name, trace in traces.items()}
    told = [_with_inbox(result, knowing, redact=options.redact) for result in results[:MAX_INBOXES]]
    return Looked(results=[*told, *results[MAX_INBOXES:]], scenes=tuple(scenes), n_unseen=len(wanted) - len(scenes))


def cited(result: Result) -> Iterator[StepRef]:
    """The steps that a result names."""
    yield from result.witness or ()
    for part in (result.gaps, result.clashes, result.notes):
        for item in part:
            yield from item.steps
    yield from result.weightless
    if result.ledger is not None:
        yield from (line.step for line in result.ledger.lines)


def _scene(trace: Trace, *, redact: bool) -> Scene:
    return writable(Scene(trace=trace.id, steps=tuple(_seen(step, redact=redact) for step in trace.steps)))


def _seen(step: Step, *, redact: bool) -> Seen:
    text = spoken(step, None)
    if text is None and step.kind in ("input", "model_result", "message"):
        messages = _messages(step)
        text = _words(messages[-1])[2] if messages else None
    words = None if text is None else words_of(text, redact=True, length=MAX_WORDS) if redact else text[:MAX_WORDS]
    return Seen(step.kind, step.actor, step.recipients, step.tool, step.call, step.time_ns, words or None)


def _with_inbox(result: Result, knowing: Mapping[str, Knowing], *, redact: bool) -> Result:
    if result.status is not Status.SUPPORTED or not result.witness:
        return result
    crossing = next((ref for ref in result.witness if "crossing" in ref.marks), None)
    if crossing is None or crossing.actor is None or crossing.trace not in knowing:
        return result
    inbox = _inbox(crossing, crossing.actor, knowing[crossing.trace], redact=redact)
    return result if inbox is None else writable(msgspec.structs.replace(result, inbox=inbox))


def _inbox(crossing: StepRef, actor: str, knowing: Knowing, *, redact: bool) -> Inbox | None:
    """The last model input before the step, message by message, and what reached the agent after it."""
    reached = knowing.reached(crossing)
    last = max((n for n, (_, step) in enumerate(reached) if step.kind == "input"), default=-1)
    items: list[Given] = []
    whole = False
    if last >= 0:
        place, step = reached[last]
        items += _of_input(place, step, redact=redact)
        whole = step.data is not None and step.data.get("whole") is True
    items += [_of_step(place, step, redact=redact) for place, step in reached[last + 1 :]]
    if not items:
        return None
    return Inbox(
        trace=crossing.trace,
        index=crossing.index,
        actor=actor,
        items=tuple(items[-MAX_GIVEN:]),
        skipped=max(0, len(items) - MAX_GIVEN),
        whole=whole,
    )


def _of_input(place: int, step: Step, *, redact: bool) -> Iterator[Given]:
    messages = _messages(step)
    for message in messages:
        role, source, text = _words(message)
        yield Given(index=place + 1, kind=role, source=source, text=words_of(text, redact=redact) or "")
    if not messages:
        yield _of_step(place, step, redact=redact)


def _of_step(place: int, step: Step, *, redact: bool) -> Given:
    text = step.text if step.text is not None else as_json(step.data) if step.data else ""
    source = step.tool or (step.actor if step.kind in GIVEN and step.kind in ("message", "delivery") else None)
    return Given(index=place + 1, kind=step.kind, source=source or "", text=words_of(text, redact=redact) or "")


def _messages(step: Step) -> list[Any]:
    """The messages or items that a step holds."""
    data = step.data or {}
    found = data.get("messages", data.get("items"))
    return found if isinstance(found, list) else []


def _words(message: Any) -> tuple[str, str, str]:
    """Role, name and words of a message in a model's input, whatever it is made of."""
    if not isinstance(message, Mapping):
        return "item", "", message if isinstance(message, str) else as_json(message)
    parts = message.get("parts", message.get("content"))
    words = parts if isinstance(parts, str) else "\n".join(map(_part, parts)) if isinstance(parts, list) else as_json(message)
    role, name = message.get("role"), message.get("name")
    return role if isinstance(role, str) else "item", name if isinstance(name, str) else "", words


def _part(part: Any) -> str:
    if not isinstance(part, Mapping):
        return part if isinstance(part, str) else as_json(part)
    for field in ("content", "text"):
        if isinstance(part.get(field), str):
            return str(part[field])
    if "arguments" in part:
        return f"{part.get('name', '')} {as_json(part['arguments'])}".strip()
    return as_json(part.get("response", part))
