"""OTLP for tests: spans in a few words, the files made of them, and what an import gave."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from seamwise.importers import ImportReport, Label, Limits, Wanted, open_recording
from seamwise.record import Step, Trace

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared"
"""Material for tests that stands beside the checkout on some machines."""

TRACE = "a1" * 16
T0 = 1_700_000_000_000_000_000
MS = 1_000_000
RESOURCE = {"service.name": "desk", "service.instance.id": "desk-1"}


def value(of: Any) -> dict[str, Any]:
    """An AnyValue."""
    if of is None:
        return {}
    if isinstance(of, bool):
        return {"boolValue": of}
    if isinstance(of, int):
        return {"intValue": str(of)}
    if isinstance(of, float):
        return {"doubleValue": of}
    if isinstance(of, list):
        return {"arrayValue": {"values": [value(v) for v in of]} if of else {}}
    if isinstance(of, dict):
        return {"kvlistValue": {"values": attributes(of)}}
    return {"stringValue": of}


def attributes(of: dict[str, Any]) -> list[dict[str, Any]]:
    """A list of attributes."""
    return [{"key": k, "value": value(v)} for k, v in of.items()]


def span(
    number: int,
    name: str = "work",
    parent: int | None = None,
    at: tuple[int, int | None] = (0, 10),
    *,
    status: int = 0,
    trace: str = TRACE,
    events: Iterable[tuple[str, dict[str, Any]]] = (),
    more: dict[str, Any] | None = None,
    **named: Any,
) -> dict[str, Any]:
    """A span: its number is its id, times are milliseconds, attributes are keywords with ``__`` for a dot or a mapping ``attrs``."""
    given = dict(named.pop("attrs", {}))
    given.update({k.replace("__", "."): v for k, v in named.items()})
    made: dict[str, Any] = {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "name": name,
        "kind": 1,
        "startTimeUnixNano": str(T0 + at[0] * MS),
        "attributes": attributes(given),
        "status": {"code": status} if status else {},
    }
    if at[1] is not None:
        made["endTimeUnixNano"] = str(T0 + at[1] * MS)
    if parent is not None:
        made["parentSpanId"] = f"{parent:016x}"
    listed = [{"name": n, "timeUnixNano": str(T0 + at[0] * MS), "attributes": attributes(a)} for n, a in events]
    if listed:
        made["events"] = listed
    return made | (more or {})


def agent(number: int, name: str, parent: int | None = None, at: tuple[int, int | None] = (0, 1000), **named: Any) -> dict[str, Any]:
    """An agent span of the newest convention."""
    given = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name} | named.pop("attrs", {})
    return span(number, f"invoke_agent {name}", parent, at, attrs=given, **named)


def tool(number: int, name: str, parent: int | None = None, at: tuple[int, int | None] = (0, 10), **named: Any) -> dict[str, Any]:
    """A tool span of the newest convention; ``call``, ``arguments`` and ``result`` are keywords."""
    given: dict[str, Any] = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    for key in ("id", "arguments", "result"):
        word = "call" if key == "id" else key
        if word in named:
            content = named.pop(word)
            given[f"gen_ai.tool.call.{key}"] = content if isinstance(content, str) else json.dumps(content)
    return span(number, f"execute_tool {name}", parent, at, attrs=given | named.pop("attrs", {}), **named)


def said(role: str, text: str, **more: Any) -> dict[str, Any]:
    """A message of one text part."""
    return {"role": role, "parts": [{"type": "text", "content": text}], **more}


def chat(number: int, parent: int | None = None, at: tuple[int, int | None] = (0, 10), **named: Any) -> dict[str, Any]:
    """A model span of the newest convention; ``told`` and ``answered`` are lists of messages."""
    given: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1"}
    for word, key in (("told", "gen_ai.input.messages"), ("answered", "gen_ai.output.messages")):
        if word in named:
            content = named.pop(word)
            given[key] = content if isinstance(content, str) else json.dumps(content)
    return span(number, "chat m-1", parent, at, attrs=given | named.pop("attrs", {}), **named)


def request(*spans: dict[str, Any], resource: dict[str, Any] | None = None) -> dict[str, Any]:
    """An export request."""
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes(RESOURCE if resource is None else resource)},
                "scopeSpans": [{"scope": {}, "spans": list(spans)}],
            }
        ]
    }


class Got(NamedTuple):
    """What an import gave."""

    traces: list[Trace]
    report: ImportReport
    labels: list[Label]

    @property
    def steps(self) -> list[Step]:
        """The steps of the only trace."""
        assert len(self.traces) == 1
        return list(self.traces[0].steps)

    def of(self, kind: str) -> list[Step]:
        """The steps of one kind, in all traces."""
        return [step for trace in self.traces for step in trace.steps if step.kind == kind]

    def one(self, kind: str) -> Step:
        """The only step of that kind."""
        steps = self.of(kind)
        assert len(steps) == 1, steps
        return steps[0]

    @property
    def codes(self) -> dict[str, int]:
        """Notes by code."""
        return self.report.note_counts


def read(path: Path, *, format: str | None = None, limits: Limits | None = None, wanted: Wanted | None = None) -> Got:
    """Imports a file and checks that its report adds up and, for foreign formats, that every reference stays inside its trace."""
    recording = open_recording(path, format=format, limits=limits, wanted=wanted)
    traces = list(recording.traces)
    recording.report.check()
    assert recording.report.traces == len(traces)
    for trace in traces:
        if recording.report.format == "native":
            continue  # A native file is evidence as it stands: ids may be used twice, and what references point at may have been deleted.
        ids = [step.id for step in trace.steps]
        assert len(set(ids)) == len(ids)
        for step in trace.steps:
            assert {ref.step for ref in step.refs} <= set(ids)
            assert {after.step for after in step.order} <= set(ids)
    return Got(traces, recording.report, recording.labels)


def imported(folder: Path, *spans: dict[str, Any], resource: dict[str, Any] | None = None, **kwargs: Any) -> Got:
    """The import of one request with these spans."""
    return read_bytes(folder, json.dumps(request(*spans, resource=resource)).encode(), **kwargs)


def read_bytes(folder: Path, content: bytes, **kwargs: Any) -> Got:
    """The import of these bytes."""
    path = folder / "recording"
    path.write_bytes(content)
    return read(path, **kwargs)
