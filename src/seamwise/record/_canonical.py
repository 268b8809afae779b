"""Records as JSON bytes that lose nothing, and as bytes that are the same wherever they were written."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from seamwise.errors import LimitError, SchemaError
from seamwise.record._step import Step
from seamwise.record._trace import Header

_PLAIN = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="deterministic")
_WRITE_ERRORS = (TypeError, ValueError, RecursionError, OverflowError)
_HINT = "write tuples as lists, keys as strings, NaN and infinities as None or strings, decimals and dates as strings"


def json_bytes(record: Header | Step, *, canonical: bool = False) -> bytes:
    """The record as JSON; ``canonical`` sorts the keys inside it.

    Strings with lone surrogates have no UTF-8; a record that holds one is written with every character outside ASCII escaped. The bytes
    are not yet known to read back equal, see :func:`check_exact`.

    Raises:
        SchemaError: It holds what JSON cannot.
        LimitError: It is nested deeper than the interpreter can follow.
    """
    try:
        return (_SORTED if canonical else _PLAIN).encode(record)
    except _WRITE_ERRORS:
        pass
    try:
        document = msgspec.to_builtins(record)
        text = json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=canonical)
    except RecursionError as error:
        raise LimitError("expected data that can be written, got data nested too deep", where=record_name(record)) from error
    except _WRITE_ERRORS as error:
        message = f"expected values that JSON can hold, got others ({str(error)[:200].lower()})"
        raise SchemaError(message, where=record_name(record), hint=_HINT) from error
    return text.encode("ascii")


def canonical_bytes(record: Header | Step) -> bytes:
    """Bytes that two records share exactly when they say the same, whatever the order of their keys.

    Raises:
        SchemaError: It holds what JSON cannot.
        LimitError: It is nested deeper than the interpreter can follow.
    """
    content = json_bytes(record, canonical=True)
    try:
        back = msgspec.json.decode(content, type=type(record))
    except (msgspec.MsgspecError, ValueError):
        try:
            back = msgspec.convert(json.loads(content), type(record))
        except (msgspec.MsgspecError, ValueError) as error:
            raise SchemaError(f"expected values that JSON can hold, got others ({error})", where=record_name(record), hint=_HINT) from error
    check_exact(record, back)
    return content


def check_exact(record: Header | Step, back: object) -> None:
    """What was read back is what was to be written.

    Raises:
        SchemaError: It is not; the path says where they part.
    """
    if back == record:
        return
    path = "$"
    for name in type(record).__struct_fields__:
        ours, theirs = getattr(record, name), getattr(back, name, None)
        if ours != theirs:
            path = _first_difference(ours, theirs, f"$.{name}")
            break
    where = f"{record_name(record)} `{path}`"
    raise SchemaError("expected values that JSON can hold, got one that would read back as another", where=where, hint=_HINT)


def without_copies(steps: Sequence[Step]) -> tuple[list[Step], dict[str, int]]:
    """The steps without identical copies, and for each id that different steps share, how many there are."""
    seen: set[bytes] = set()
    kept: list[Step] = []
    n_by_id: dict[str, int] = {}
    for step in steps:
        content = canonical_bytes(step)
        if content not in seen:
            seen.add(content)
            kept.append(step)
            n_by_id[step.id] = n_by_id.get(step.id, 0) + 1
    return kept, {id: n for id, n in n_by_id.items() if n > 1}


def record_name(record: Header | Step) -> str:
    """How messages call a record."""
    return f"{'trace' if isinstance(record, Header) else 'step'} `{record.id}`"


def _first_difference(ours: object, theirs: object, path: str) -> str:
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        for key, value in ours.items():
            if theirs[key] != value:
                return _first_difference(value, theirs[key], f"{path}.{key}")
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, value in enumerate(ours):
            if theirs[i] != value:
                return _first_difference(value, theirs[i], f"{path}[{i}]")
    return path
