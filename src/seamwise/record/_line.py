"""One line of a native file: told apart, checked, explained when it does not fit.

The reader decodes whole blocks of lines at once and comes here only for a line that is not plainly a good step, so this module is
written for clear answers and not for speed.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

import msgspec

from seamwise.errors import SchemaError, did_you_mean
from seamwise.record._claim import Claim
from seamwise.record._damage import Damage, DamageCode
from seamwise.record._organization import Organization
from seamwise.record._step import After, Ref, Step
from seamwise.record._trace import SCHEMA_VERSION, Clock, Header
from seamwise.record._upgrade import check_version, upgrade_header, upgrade_step

HEADER_PREFIX = b'{"seamwise"'
"""How a header line begins when this program wrote it."""

_STEP = msgspec.json.Decoder(Step)
_HEADER = msgspec.json.Decoder(Header)
_PATH = re.compile(r"^(?P<message>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_NATIVE_HINT = 'a native file is JSON Lines and begins with a header line such as {"seamwise": 1, "id": "run-1"}'


class Line(NamedTuple):
    """What a line turned out to be."""

    record: Step | Header | None
    """None: it could not be kept."""
    version: int
    """The schema version that a header names; for a step, that of its trace."""
    is_header: bool
    """It is, or was meant as, a header."""
    in_doubt: bool = False
    """It cannot be told whether it was a step or a header, so what follows it may belong to another trace."""
    damage: tuple[Damage, ...] = ()
    """What was wrong with it; the place in the file is for the reader to add."""


def read_line(line: bytes, *, max_depth: int, version: int = SCHEMA_VERSION) -> Line:
    """What a line is: a step, a header, or neither, with the reasons.

    Lone surrogates (written as escapes) are read as the same string. ``NaN`` and infinities are refused.

    Args:
        line: The bytes, with or without the line's end.
        max_depth: Deepest nesting allowed.
        version: Schema version of the trace that the line stands in.
    """
    is_header = line.startswith(HEADER_PREFIX)
    shallow = may_not_be_deeper(line, max_depth)
    if shallow and not is_header and version == SCHEMA_VERSION:
        try:
            return Line(_STEP.decode(line), version, False)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            pass
    document = _parse(line)
    if isinstance(document, Damage):
        return unreadable_line(line, version, document)
    if not shallow and depth_of(document) > max_depth:
        return Line(None, version, is_header, False, (too_deep(max_depth),))
    if not isinstance(document, dict):
        message = f"expected `object`, got `{_json_name(document)}`"
        return Line(None, version, False, False, (Damage(code="wrong_shape", message=message, path="$", hint=_NATIVE_HINT),))
    if "seamwise" in document:
        return _header(document)
    if "kind" not in document:
        message = "expected a step with `kind` or a header with `seamwise`, got neither"
        return Line(None, version, False, True, (Damage(code="wrong_shape", message=message, path="$", hint=_NATIVE_HINT),))
    return _step(document, version)


def may_not_be_deeper(line: bytes, max_depth: int) -> bool:
    """True where counting closing brackets is enough to know that a line is not too deep."""
    return line.count(b"}") + line.count(b"]") <= max_depth


def too_deep(max_depth: int) -> Damage:
    """The damage of a line that is nested deeper than allowed."""
    return Damage(code="too_deep", message=f"expected a nesting of at most {max_depth}, got more", hint="raise `max_depth`")


def depth_of(value: object) -> int:
    """How deep a JSON value is nested; 0 for a scalar. Does not recurse."""
    deepest = 0
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        node, depth = stack.pop()
        children = node.values() if isinstance(node, dict) else node if isinstance(node, (list, tuple)) else None
        if children is not None:
            deepest = max(deepest, depth)
            stack.extend((child, depth + 1) for child in children)
    return deepest


def unreadable_line(line: bytes, version: int, damage: Damage) -> Line:
    """A line whose content cannot be had, or only its beginning."""
    is_header = line.startswith(HEADER_PREFIX)
    plainly_step = b'"kind"' in line and b'"seamwise"' not in line
    return Line(None, version, is_header, not is_header and not plainly_step, (damage,))


def printable(text: str) -> str:
    """The text with everything that a terminal might act on replaced."""
    return "".join(char if char.isprintable() else "?" for char in text)


def explain_mismatch(error: msgspec.MsgspecError) -> tuple[str, str | None]:
    """An error of msgspec in our words: the message, and the path where it names one."""
    match = _PATH.match(str(error))
    message, path = (match["message"], match["path"]) if match else (str(error), None)
    return message[:1].lower() + message[1:], path


_HALF_A_PAIR = "expected one of the words that the schema names, got a text with half of a UTF-16 pair"


def _header(document: dict[str, Any]) -> Line:
    try:
        version = check_version(document["seamwise"])
        document = upgrade_header(document, version)
        document, damage = _without_unknown(document, Header)
        header = msgspec.convert(document, Header)
    except msgspec.ValidationError as error:
        message, path = explain_mismatch(error)
        return Line(None, SCHEMA_VERSION, True, False, (Damage(code="bad_header", message=message, path=path or "$"),))
    except UnicodeEncodeError:  # a lone surrogate where one of a few words is expected cannot be told to msgspec's error
        return Line(None, SCHEMA_VERSION, True, False, (Damage(code="bad_header", message=_HALF_A_PAIR, path="$"),))
    except SchemaError as error:
        claimed = document["seamwise"]
        code: DamageCode = "newer_version" if isinstance(claimed, int) and claimed > SCHEMA_VERSION else "bad_header"
        return Line(None, SCHEMA_VERSION, True, False, (Damage(code=code, message=error.message, path=error.where, hint=error.hint),))
    return Line(header, version, True, False, tuple(damage))


def _step(document: dict[str, Any], version: int) -> Line:
    try:
        document = upgrade_step(document, version)
        document, damage = _without_unknown(document, Step)
        step = msgspec.convert(document, Step)
    except msgspec.ValidationError as error:
        message, path = explain_mismatch(error)
        return Line(None, version, False, False, (Damage(code="wrong_shape", message=message, path=path or "$"),))
    except UnicodeEncodeError:
        return Line(None, version, False, False, (Damage(code="wrong_shape", message=_HALF_A_PAIR, path="$"),))
    except SchemaError as error:
        return Line(None, version, False, False, (Damage(code="wrong_shape", message=error.message, path=error.where, hint=error.hint),))
    return Line(step, version, False, False, tuple(damage))


def _parse(line: bytes) -> Any:
    """The JSON value of a line, or the damage that keeps it from being one."""
    if b"\0" in line:
        message = "expected JSON, got NUL bytes"
        return Damage(code="not_json", message=message, hint="the machine went down while the file was written, or the file is UTF-16")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"expected UTF-8, got the byte `0x{line[error.start]:02x}` at offset {error.start}"
        return Damage(code="bad_encoding", message=message, hint="write the file again as UTF-8")
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        return Damage(code="too_deep", message="expected a value that can be read, got one nested too deep", hint="write it flatter")
    except json.JSONDecodeError as error:
        got = f"`{text[error.pos : error.pos + 20].strip()}`" if error.pos < len(text.rstrip()) else "the end of the line"
        message = f"expected JSON ({error.msg.lower()}), got {got} at column {error.colno}"
        return Damage(code="not_json", message=printable(message), hint=_NATIVE_HINT)
    except ValueError as error:
        return Damage(code="not_json", message=printable(str(error)), hint="write numbers that JSON has, or strings")


def _refuse_constant(word: str) -> float:
    raise ValueError(f"expected a number, got `{word}`, which JSON does not have")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"expected a number in the range of a double, got `{digits[:40]}`")
    return number


_PARTS: dict[type, dict[str, type]] = {Step: {"refs": Ref, "order": After}, Header: {"claims": Claim, "clocks": Clock}}
"""Fields that hold further records. An entry with an unknown field is set aside whole: half a claim would claim more than was said."""


def _without_unknown(document: dict[str, Any], record: type[Step] | type[Header]) -> tuple[dict[str, Any], list[Damage]]:
    """The document without fields that its record does not have, and a note on each."""
    damage: list[Damage] = []

    def known(entry: dict[str, Any], of: Any, path: str) -> dict[str, Any]:
        names = of.__struct_encode_fields__
        for name in sorted(entry.keys() - set(names)):
            message = f"expected a field of a {of.__name__.lower()}, got `{printable(name)[:60]}`; it is left out"
            place = f"{path}.{printable(name)[:60]}"
            damage.append(Damage(code="unknown_field", message=message, path=place, hint=did_you_mean(name, names)))
        return {name: value for name, value in entry.items() if name in names}

    def fits(entry: Any, of: Any, path: str) -> bool:
        strangers = sorted(entry.keys() - set(of.__struct_encode_fields__)) if isinstance(entry, dict) else []
        if strangers:
            message = f"expected a field of a {of.__name__.lower()}, got `{printable(strangers[0])[:60]}`; the entry is left out whole"
            hint = did_you_mean(strangers[0], of.__struct_encode_fields__)
            damage.append(Damage(code="unknown_field", message=message, path=path, hint=hint))
        return not strangers

    document = known(document, record, "$")
    for name, of in _PARTS[record].items():
        part = document.get(name)
        if isinstance(part, list):
            document[name] = [entry for i, entry in enumerate(part) if fits(entry, of, f"$.{name}[{i}]")]
        elif isinstance(part, dict):
            document[name] = {key: entry for key, entry in part.items() if fits(entry, of, f"$.{name}.{printable(key)}")}
    if record is Header and isinstance(document.get("organization"), dict):
        document["organization"] = known(document["organization"], Organization, "$.organization")
    return document, damage


def _json_name(value: object) -> str:
    names = {list: "array", str: "str", int: "int", float: "float", bool: "bool", type(None): "null"}
    return names.get(type(value), type(value).__name__)
