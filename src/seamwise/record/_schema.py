"""The published JSON Schema of a native line, made from the types.

``python -m seamwise.record.schema_check`` compares the published file with what the types say (``--write`` renews it); a test does too.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from seamwise.record._claim import Claim
from seamwise.record._organization import Organization
from seamwise.record._step import STEP_KINDS, After, Ref, Step
from seamwise.record._trace import SCHEMA_VERSION, Clock, Header

SCHEMA_NAME = f"trace-v{SCHEMA_VERSION}.schema.json"
"""File name in ``seamwise/record/schema/``."""


def trace_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one line of a native file: a header or a step. Descriptions are the fields' own docstrings."""
    (header, step), parts = msgspec.json.schema_components([Header, Step], ref_template="#/$defs/{name}")
    for record in (Header, Step, Claim, Clock, Organization, Ref, After):
        _describe(parts[record.__name__], record)
    kinds = "; ".join(f"{kind}: {what}" for kind, what in STEP_KINDS.items())
    parts["Step"]["properties"]["kind"]["description"] = f"One of the following, or a word of the importer's own. {kinds}."
    version = parts["Header"]["properties"]["seamwise"]
    version.clear()
    version.update(const=SCHEMA_VERSION, description="The schema version. No step has this key: it tells a header line from a step.")
    parts["Header"]["required"] = ["seamwise", *parts["Header"]["required"]]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Seamwise trace, version {SCHEMA_VERSION}: one line",
        "description": "A native file is JSON Lines in UTF-8: a header line, then its steps, one a line; then perhaps the next header.",
        "anyOf": [header, step],
        "$defs": parts,
    }
    plain: dict[str, Any] = json.loads(json.dumps(schema))
    return plain


def render_schema() -> str:
    """The schema as the published file has it."""
    return json.dumps(trace_schema(), indent=2, ensure_ascii=False) + "\n"


def published_schema() -> str:
    """The text of the published file; empty where there is none."""
    from importlib.resources import files

    file = files("seamwise.record").joinpath("schema", SCHEMA_NAME)
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _describe(schema: dict[str, Any], record: type) -> None:
    """Puts the docstring that follows each field into the schema."""
    import ast
    import inspect

    renamed = dict(zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True))  # type: ignore[attr-defined]
    body = ast.parse(inspect.getsource(record)).body[0]
    assert isinstance(body, ast.ClassDef)
    field: str | None = None
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            field = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and field is not None:
            schema["properties"][renamed[field]]["description"] = " ".join(str(node.value.value).split())
            field = None
