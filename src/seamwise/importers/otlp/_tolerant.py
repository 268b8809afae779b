"""Requests of any dialect of OTLP JSON, as the structs of ``_wire.py``. The slow way in; the fast one is the decoder there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args

import msgspec

from seamwise.importers._shared.loose import SHORT, Damage, lost
from seamwise.importers.otlp import _wire as wire

_WORDS = (
    "resource_spans resource_logs resource_metrics scope_spans scope_logs instrumentation_library_spans trace_id span_id "
    "parent_span_id start_time_unix_nano end_time_unix_nano time_unix_nano observed_time_unix_nano dropped_attributes_count "
    "dropped_events_count dropped_links_count log_records event_name severity_text string_value int_value bool_value double_value "
    "array_value kvlist_value bytes_value"
)
_SNAKE = {word: re.sub("_(.)", lambda found: found[1].upper(), word) for word in _WORDS.split()} | {
    "ilSpans": "instrumentationLibrarySpans"
}
"""Key of another dialect -> key of the specification."""

_VALUES = {"stringValue", "intValue", "boolValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue"}


_AROUND = ("trace", "traces", "result", "data")
"""What backends (Tempo, Jaeger) wrap around a request in their answers."""


def requests(value: Any, damage: Damage, *, depth: int = 3) -> Iterator[wire.Request]:
    """The requests in a JSON value of any dialect; what is none is noted and dropped."""
    if isinstance(value, list):
        for inner in value:
            yield from requests(inner, damage, depth=depth)
        return
    fields = _renamed(value) if isinstance(value, dict) else {}
    known = [fields.get(k) for k in ("resourceSpans", "batches", "resourceLogs")]
    if not any(isinstance(k, list) for k in known) and "resourceMetrics" not in fields:
        inner = next((fields[k] for k in _AROUND if isinstance(fields.get(k), (dict, list))), None)
        if inner is not None and depth > 0:
            yield from requests(inner, damage, depth=depth - 1)
            return
        damage.note("foreign", f"not OTLP: `{json.dumps(value, ensure_ascii=True)[:SHORT]}`")
        lost(damage, "not OTLP")
        return
    yield wire.Request(
        resourceSpans=[_spans(v, damage) for k in known[:2] for v in _list(k)],
        resourceLogs=[_logs(v, damage) for v in _list(known[2])],
        resourceMetrics=msgspec.Raw(b"1") if "resourceMetrics" in fields else None,
    )


def _spans(value: Any, damage: Damage) -> wire.ResourceSpans:
    fields = _renamed(value)
    scopes = _list(fields.get("scopeSpans")) or _list(fields.get("instrumentationLibrarySpans"))
    made = [wire.ScopeSpans([s for v in _list(_renamed(scope).get("spans")) for s in _span(v, damage)]) for scope in scopes]
    return wire.ResourceSpans(resource=_resource(fields.get("resource"), damage), scopeSpans=made)


def _logs(value: Any, damage: Damage) -> wire.ResourceLogs:
    fields = _renamed(value)
    made = []
    for scope in _list(fields.get("scopeLogs")):
        logs = [_convert(_renamed(v), wire.LogRecord, damage) for v in _list(_renamed(scope).get("logRecords"))]
        made.append(wire.ScopeLogs([log for log in logs if log is not None]))
    return wire.ResourceLogs(resource=_resource(fields.get("resource"), damage), scopeLogs=made)


def _resource(value: Any, damage: Damage) -> msgspec.Raw:
    if value is not None and not isinstance(value, dict):
        damage.note("bad_resource", f"its resource cannot be read: `{json.dumps(value, ensure_ascii=True)[:SHORT]}`")
    attributes = _attributes(_renamed(value).get("attributes"), damage)
    return msgspec.Raw(msgspec.json.encode({"attributes": attributes}))


def _span(value: Any, damage: Damage) -> Iterator[wire.Span]:
    fields = _renamed(value)
    for key in ("traceId", "spanId"):
        fields[key] = _id(fields.get(key))
        if fields[key] is None:
            damage.note("no_id", f"a span without a usable `{key}` was dropped: `{str(fields.get('name'))[:SHORT]}`")
            lost(damage, "a span without an id")
            return
    fields["parentSpanId"] = _id(fields.get("parentSpanId"))
    events = [_convert(_renamed(e), wire.Event, damage, counted=False) for e in _list(fields.get("events"))]
    fields["events"] = [e for e in events if e is not None] or None
    links = []
    for link in _list(fields.get("links")):
        ends = [_id(_renamed(link).get(k)) for k in ("traceId", "spanId")]
        if isinstance(ends[0], str) and isinstance(ends[1], str):
            links.append(wire.Link(ends[0], ends[1]))
        else:
            damage.note("bad_link", f"a link of span `{fields['spanId']}` names no span; it was left out")
    fields["links"] = links or None
    span = _convert(fields, wire.Span, damage)
    if span is not None:
        yield span


_MADE = frozenset({"attributes", "events", "links", "body"})
"""Fields whose content was made here, as structs."""


class _Field(NamedTuple):
    type: Any
    is_required: bool
    plain: frozenset[type]
    """Types of content that fit as they are."""


@cache
def _fields(shape: str) -> dict[str, _Field]:
    return {
        f.name: _Field(f.type, f.required, frozenset({str, int, NoneType}.intersection(get_args(f.type) or {f.type})))
        for f in msgspec.structs.fields(getattr(wire, shape))
    }


def _convert(fields: dict[str, Any], shape: type[Any], damage: Damage, *, counted: bool = True) -> Any:
    """The fields as a struct; a field that does not fit is left out with a note."""
    if "attributes" in fields:
        fields["attributes"] = _attributes(fields["attributes"], damage)
    if "body" in fields:
        fields["body"] = _any(fields["body"])
    if isinstance(fields.get("status"), dict):
        fields["status"] = {k: v for k, v in _renamed(fields["status"]).items() if isinstance(v, (str, int)) or v is None}
    known = _fields(shape.__name__)
    made: dict[str, Any] = {}
    for key, content in fields.items():
        field = known.get(key)
        if field is None:
            continue
        if key in _MADE or type(content) in field.plain:
            made[key] = content
            continue
        if key.endswith("UnixNano") and isinstance(content, float):
            damage.note("inexact_time", f"`{key}` is not a whole number of nanoseconds; it was left out")
            continue
        try:
            made[key] = msgspec.convert(content, field.type)
        except (msgspec.ValidationError, RecursionError) as error:
            damage.note("bad_field", f"`{key}` does not fit ({str(error)[:120]}); it was left out")
            if field.is_required:
                if counted:
                    lost(damage, "a record without a readable id")
                return None
    return shape(**made)


def _attributes(value: Any, damage: Damage) -> list[wire.KeyValue]:
    """Attributes of a list of pairs, or of a plain map."""
    if isinstance(value, dict):
        return [wire.KeyValue(str(k), wire.AnyValue(stringValue=v) if type(v) is str else _any(v, plain=True)) for k, v in value.items()]
    made = []
    for pair in _list(value):
        if isinstance(pair, dict) and isinstance(pair.get("key"), str):
            made.append(wire.KeyValue(pair["key"], _any(pair.get("value"))))
        else:
            damage.note("bad_attribute", f"an attribute without a key was left out: `{json.dumps(pair)[:SHORT]}`")
    return made


def _any(value: Any, *, plain: bool = False, depth: int = 64) -> wire.AnyValue | None:
    """An AnyValue of any notation: also without the wrapper, with Go's ``{"Value": {"IntValue": 3}}``, and in snake_case."""
    if value is None:
        return None
    if depth == 0 and isinstance(value, (dict, list)):
        return wire.AnyValue(stringValue=json.dumps(value))
    if isinstance(value, dict) and not plain:
        fields = {_SNAKE.get(k, k[:1].lower() + k[1:]): v for k, v in value.items()}
        if set(fields) == {"value"}:
            return _any(fields["value"], depth=depth - 1)
        known = [k for k in fields if k in _VALUES and fields[k] is not None]
        if not known:
            return wire.AnyValue() if not fields or fields.keys() <= _VALUES else _any(value, plain=True)
        key, inner = known[0], fields[known[0]]
        if key == "arrayValue":
            items = _list(_renamed(inner).get("values")) if isinstance(inner, dict) else _list(inner)
            return wire.AnyValue(arrayValue=wire.ArrayValue([_any(v, depth=depth - 1) for v in items]))
        if key == "kvlistValue":
            pairs = _list(_renamed(inner).get("values")) if isinstance(inner, dict) else _list(inner)
            made = [
                wire.KeyValue(str(p["key"]), _any(p.get("value"), depth=depth - 1)) for p in pairs if isinstance(p, dict) and "key" in p
            ]
            return wire.AnyValue(kvlistValue=wire.KvList(made))
        if key == "boolValue" and isinstance(inner, str):
            inner = inner.lower() == "true"
        if key in ("intValue", "doubleValue", "stringValue", "bytesValue", "boolValue"):
            return _scalar(inner, key)
    if isinstance(value, dict):
        return wire.AnyValue(
            kvlistValue=wire.KvList([wire.KeyValue(str(k), _any(v, plain=True, depth=depth - 1)) for k, v in value.items()])
        )
    if isinstance(value, list):
        return wire.AnyValue(arrayValue=wire.ArrayValue([_any(v, plain=True, depth=depth - 1) for v in value]))
    return _scalar(value)


def _scalar(value: Any, key: str = "") -> wire.AnyValue:
    if isinstance(value, bool):
        return wire.AnyValue(boolValue=value)
    if isinstance(value, int):
        return wire.AnyValue(doubleValue=float(value)) if key == "doubleValue" and abs(value) <= 2**53 else wire.AnyValue(intValue=value)
    if isinstance(value, float):
        return wire.AnyValue(doubleValue=value)
    if isinstance(value, str):
        if key == "intValue":
            return wire.AnyValue(intValue=value)
        if key == "doubleValue":
            return wire.AnyValue(doubleValue=value)
        return wire.AnyValue(bytesValue=value) if key == "bytesValue" else wire.AnyValue(stringValue=value)
    return wire.AnyValue(stringValue=json.dumps(value))


def _id(value: Any) -> str | None:
    """An id of any notation: text, or a list of bytes of the right number."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and len(value) in (8, 16) and all(isinstance(b, int) and 0 <= b < 256 for b in value):
        return bytes(value).hex()
    return None


def _renamed(value: Any) -> dict[str, Any]:
    """An object with the keys of the specification; anything else is an empty one. A key of the specification counts before others."""
    if not isinstance(value, dict):
        return {}
    return {str(name): v for k, v in value.items() if (name := _SNAKE.get(k, k)) == k or name not in value}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
