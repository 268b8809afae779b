"""Which traces, observations and scores a file of Langfuse holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.loose import Damage, lost
from seamwise.importers._shared.text import parsed
from seamwise.importers._spans import Batch, Fields, foreign, iso_ns, objects, recorded
from seamwise.importers.langfuse._observation import metadata_of, resource_of, span_of

_LABELS = ("scores", "corrections", "annotations", "comments")
"""What people and judges added afterwards."""

_ABOUT = ("name", "input", "output", "metadata", "tags", "userId", "sessionId", "release", "version", "environment")
"""What a trace says of itself that its observations do not."""


class Documents:
    """Turns the JSON values of a file into batches of spans.

    Args:
        sink: Where labels go.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def batches(self, value: Any, damage: Damage) -> Iterator[Batch]:
        """What a value holds: an export of one trace, a trace, an observation, a score, or lists of them."""
        loose: list[Fields] = []
        for record in objects(value):
            if isinstance(record, dict) and isinstance(record.get("data"), list):
                yield from self.batches(record["data"], damage)
                continue
            record = camel(record)
            if isinstance(record.get("trace"), dict):
                trace = camel(record["trace"])
                yield from self._trace(trace, [*_listed(trace), *_listed(record)], damage)
                self._seal(record, str(trace.get("id")), None)
            elif isinstance(record.get("observations"), list) and "id" in record:
                yield from self._trace(record, _listed(record), damage)
            elif "traceId" in record and ("startTime" in record or "parentObservationId" in record):
                loose.append(record)
            elif "traceId" in record and "value" in record and "name" in record:
                self._sealed_record(record)
                yield Batch()
            elif "id" in record and "timestamp" in record and "name" in record:
                yield from self._trace(record, [], damage)
            else:
                foreign(record if record else value, damage, "a trace or observation of Langfuse")
        if loose:
            yield from self._observations(loose, None, None, damage)

    def _trace(self, trace: Fields, observations: list[Any], damage: Damage) -> Iterator[Batch]:
        identifier = trace.get("id")
        self._seal(trace, str(identifier), None)
        resource = resource_of(metadata_of(trace))
        about = recorded({key: trace.get(key) for key in _ABOUT if trace.get(key) not in ([], {}, "", "{}")})
        log: Fields = {
            "traceId": identifier if isinstance(identifier, str) else None,
            "eventName": "langfuse.trace",
            "timeUnixNano": iso_ns(trace.get("timestamp"), damage),
            "attributes": _without_otel(about),
        }
        session = trace.get("sessionId")
        yield from self._observations(observations, identifier, session, damage)
        yield Batch(logs=[log], resource=resource)

    def _observations(self, observations: list[Any], trace: Any, session: Any, damage: Damage) -> Iterator[Batch]:
        known: list[Fields] = []
        for entry in observations:
            record = camel(entry)
            if isinstance(entry, str):
                damage.note("not_in_file", f"observation `{entry[:60]}` is named, and is not in the file")
                lost(damage, "an observation that is only named")
            elif "id" not in record:
                foreign(entry, damage, "an observation of Langfuse")
            else:
                known.append(record)
        for record in self._once(known, damage):
            identifier = str(record["id"])
            self._seal(record, str(record.get("traceId") or trace), identifier)
            own = metadata_of(record)
            yield Batch(spans=[span_of(record, own, trace, session, damage)], resource=resource_of(own))

    def _once(self, observations: list[Fields], damage: Damage) -> list[Fields]:
        """Each observation once: an export names them under the trace, mostly poorer, and again beside it. Other copies stay apart."""
        first: dict[str, int] = {}
        made: list[Fields] = []
        for record in observations:
            identifier = str(record["id"])
            at = first.setdefault(identifier, len(made))
            both = None if at == len(made) else joined(made[at], record)
            if both is None:
                made.append(record)
                continue
            made[at] = both
            self._sink.report.records += 1
            self._sink.report.merged += 1
            damage.report.note("duplicate", f"{damage.where}, observation {identifier}", "the same observation again; merged")
        return made

    def _seal(self, record: Fields, trace: str, step: str | None) -> None:
        for key in _LABELS:
            value = record.get(key)
            for label in value if isinstance(value, list) else ():
                name = label.get("name") if isinstance(label, dict) else None
                about = label.get("observationId") if isinstance(label, dict) else None
                seal(self._sink, trace, step or (about if isinstance(about, str) else None), f"{key}.{name}" if name else key, label)

    def _sealed_record(self, score: Fields) -> None:
        self._sink.report.records += 1
        self._sink.report.drop("evaluation labels: sealed", harmless=True)
        about = score.get("observationId")
        seal(self._sink, str(score["traceId"]), about if isinstance(about, str) else None, f"scores.{score['name']}", score)


_EMPTY: tuple[Any, ...] = (None, "", "{}", "[]", [], {})


def joined(one: Fields, other: Fields) -> Fields | None:
    """Two copies of an observation as one: what one leaves out the other says; None where they contradict each other."""
    made = dict(one)
    for key, value in other.items():
        old = made.get(key)
        if old in _EMPTY:
            made[key] = value
        elif value not in _EMPTY and value != old and key not in ("createdAt", "updatedAt"):
            return None
    return made


def _listed(record: Fields) -> list[Any]:
    found = record.get("observations")
    return found if isinstance(found, list) else []


def _without_otel(about: Fields) -> Fields:
    """The trace's own words: what its metadata repeats of a span is left to that span."""
    made = dict(about)
    metadata = parsed(made.get("metadata"))
    if isinstance(metadata, dict):
        rest = {k: v for k, v in metadata.items() if k not in ("attributes", "resourceAttributes", "scope")}
        if rest:
            made["metadata"] = rest
        else:
            del made["metadata"]
    return made


_SNAKE = re.compile(r"_([a-z])")


def camel(record: Any) -> Fields:
    """A record with the keys of the API; batch exports write them in snake_case. What is no object is an empty one."""
    if not isinstance(record, dict):
        return {}
    if "traceId" in record or not any(isinstance(key, str) and "_" in key for key in record):
        return record
    return {_SNAKE.sub(lambda found: found[1].upper(), str(key)): value for key, value in record.items()}
