"""The published JSON Schema says what the types say, and lines fit it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from seamwise.record import Trace, encode_trace, trace_schema
from seamwise.record._schema import published_schema, render_schema
from seamwise.record.schema_check import main
from seamwise.testing.strategies import traces


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    return jsonschema.Draft202012Validator(trace_schema())


def test_the_published_file_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert published_schema() == render_schema(), "run `python -m seamwise.record.schema_check --write`"
    assert main([]) == 0
    assert main(["x"]) == 2
    capsys.readouterr()


def test_every_field_says_what_it_is() -> None:
    parts = trace_schema()["$defs"]
    assert set(parts) == {"After", "Claim", "Clock", "Header", "Organization", "Ref", "Step"}
    silent = [
        f"{name}.{field}" for name, part in parts.items() for field, schema in part["properties"].items() if not schema.get("description")
    ]
    assert set(silent) <= {"Organization.documents", "Organization.stages", "Organization.gates"}


def test_the_schema_is_one(validator: Any) -> None:
    type(validator).check_schema(trace_schema())


@given(trace=traces())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
def test_every_line_fits(validator: Any, trace: Trace) -> None:
    for line in encode_trace(trace).splitlines():
        validator.validate(json.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        {"id": "t"},
        {"seamwise": 2, "id": "t"},
        {"seamwise": 1},
        {"seamwise": 1, "id": "t", "kind": "note"},
        {"id": "s", "kind": "note", "to": "x"},
        {"id": "s", "kind": "note", "recipients": "x"},
        {"id": "s", "kind": "note", "order": [{"step": "a", "basis": "guess"}]},
        [],
    ],
)
def test_what_is_no_line_does_not_fit(validator: Any, line: Any) -> None:
    assert not validator.is_valid(line)


def test_the_schema_is_json() -> None:
    assert msgspec.json.decode(published_schema()) == trace_schema()
