"""YAML as plain values with the place of each, read as hostile input.

Only what a page of policy needs is read: mappings, lists, text, whole numbers, decimals, ``true``, ``false`` and ``null``. A plain ``no``,
``1:30`` or ``2026-01-01`` stays text, and so does a number with leading zeros, because account numbers have them. A key that stands
twice is refused, and so are tags, merge keys and aliases that would grow beyond a bound.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from seamwise.errors import PackError

MAX_BYTES = 4 << 20
MAX_NODES = 200_000
MAX_DEPTH = 40

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?([0-9]*\.[0-9]+|[0-9]+\.)([eE][-+]?[0-9]{1,3})?\Z|[-+]?[0-9]+[eE][-+]?[0-9]{1,3}\Z")
_WORDS: dict[str, Any] = {"true": True, "True": True, "false": False, "False": False, "null": None, "~": None, "": None}
_TEXT_TAG = "tag:yaml.org,2002:str"
_MERGE_TAG = "tag:yaml.org,2002:merge"

Path = tuple[str | int, ...]


class Place(NamedTuple):
    """Where a value stands, from 1."""

    line: int
    column: int


class Decimals(float):
    """A decimal of a document: a float that remembers its digits, so that money stays exact."""

    digits: str

    def __new__(cls, digits: str) -> Decimals:
        """The number that these digits write."""
        made = super().__new__(cls, digits)
        made.digits = digits
        return made


class Document(NamedTuple):
    """A document and where everything in it stands."""

    value: Any
    name: str
    """The file, for messages."""
    places: dict[Path, Place]
    keys: dict[Path, Place]
    """Where the key of a mapping's entry stands."""

    def where(self, path: Path, *, key: bool = False) -> str:
        """``org.yaml:12:5 `streams.ledger```: the place of a value (or of its key), or of what holds it."""
        place = self.keys.get(path) if key else None
        at = path
        while place is None:
            place = self.places.get(at)
            if not at:
                break
            at = at[:-1]
        file = self.name if place is None else f"{self.name}:{place.line}:{place.column}"
        return f"{file} `{dotted(path)}`" if path else file


def dotted(path: Path) -> str:
    """``streams.ledger.from[0].tool``."""
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else str(part)
    return out


def read_yaml(content: bytes, name: str) -> Document:
    """The document that these bytes are.

    Raises:
        PackError: It is not YAML, not one document, or more than the limits allow.
    """
    import yaml

    if len(content) > MAX_BYTES:
        raise PackError(f"expected at most {MAX_BYTES} bytes, got {len(content)}", where=name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackError(f"expected UTF-8, got the byte 0x{content[error.start]:02x} at offset {error.start}", where=name) from error
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except RecursionError as error:
        raise PackError(f"expected at most {MAX_DEPTH} levels, got more", where=name) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = name if mark is None else f"{name}:{mark.line + 1}:{mark.column + 1}"
        problem = " ".join(str(error.problem or error.context or "a mistake").split())
        raise PackError(f"expected YAML, got {_got(problem)}", where=where, hint=_hint(problem)) from error
    except yaml.YAMLError as error:
        raise PackError(f"expected YAML, got {' '.join(str(error).split())}", where=name) from error
    builder = _Builder(name)
    value = None if node is None else builder.build(node, (), 0)
    return Document(value, name, builder.places, builder.keys)


_FOUND = re.compile(r"found (?:character )?(?P<what>.+?)(?: that cannot start any token)?$")
_EXPECTED = re.compile(r"(?:did not find expected|expected) (?P<wanted>.+?), but (?:found|got) (?P<what>.+)$")
_TOKENS = {
    "<stream end>": "the end of the file",
    "<document end>": "the end of the document",
    "<block end>": "the end of the block",
    "<scalar>": "text",
    "the node content": "a value",
    "<block mapping start>": "a mapping",
    "<block sequence start>": "a list",
}
"""The parser's own words -> what a reader calls it."""


def _got(problem: str) -> str:
    """What the parser met, as it reads after "got": parsers say it in sentences of their own."""
    match = _EXPECTED.match(problem)
    if match:
        return f"{_token(match['what'])} where {_token(match['wanted'])} was due"
    match = _FOUND.match(problem)
    return _token(match["what"]) if match else f"a mistake ({problem})"


def _token(words: str) -> str:
    bare = words.replace("'<", "<").replace(">'", ">")
    return _TOKENS.get(bare, bare)


def _hint(problem: str) -> str | None:
    if "mapping values are not allowed" in problem:
        return "text that holds `: ` needs quotes"
    if "'\\t'" in problem:
        return "indent with spaces, not with tabs"
    return None


class _Builder:
    def __init__(self, name: str) -> None:
        self.name = name
        self.places: dict[Path, Place] = {}
        self.keys: dict[Path, Place] = {}
        self._n_nodes = 0

    def build(self, node: Any, path: Path, depth: int) -> Any:
        place = _place(node)
        self._n_nodes += 1
        if self._n_nodes > MAX_NODES:
            raise self._error(f"expected at most {MAX_NODES} values, got more", place, "are there aliases of aliases?")
        if depth > MAX_DEPTH:
            raise self._error(f"expected at most {MAX_DEPTH} levels, got more", place, "does an alias hold itself?")
        self.places[path] = place
        if node.id == "scalar":
            return self._scalar(node, place)
        if node.id == "sequence":
            self._plain_tag(node, place, "tag:yaml.org,2002:seq")
            return [self.build(item, (*path, i), depth + 1) for i, item in enumerate(node.value)]
        self._plain_tag(node, place, "tag:yaml.org,2002:map")
        out: dict[str, Any] = {}
        for key_node, value_node in node.value:
            at = _place(key_node)
            if key_node.id != "scalar":
                raise self._error(f"expected text as a key, got a {key_node.id}", at)
            if key_node.tag == _MERGE_TAG:
                raise self._error("expected a key, got the merge key `<<`", at, "write the entries out")
            key = str(key_node.value)
            if key in out:
                first = self.keys[(*path, key)]
                raise self._error(f"expected every key once, got `{key}` again", at, f"it stands in line {first.line} already")
            self.keys[(*path, key)] = at
            out[key] = self.build(value_node, (*path, key), depth + 1)
        return out

    def _scalar(self, node: Any, place: Place) -> Any:
        text = str(node.value)
        if node.style is not None:  # quoted or a block
            if node.tag != _TEXT_TAG:
                raise self._error(f"expected no tag, got `{node.tag}`", place)
            return text
        if node.tag == _TEXT_TAG:
            return text
        if not node.tag.startswith("tag:yaml.org,2002:"):
            raise self._error(f"expected no tag, got `{node.tag}`", place)
        if text in _WORDS:
            return _WORDS[text]
        if _INT.match(text) and len(text) < 400:
            return int(text)
        if _FLOAT.match(text):
            return Decimals(text)
        return text

    def _plain_tag(self, node: Any, place: Place, tag: str) -> None:
        if node.tag != tag:
            raise self._error(f"expected no tag, got `{node.tag}`", place)

    def _error(self, message: str, place: Place, hint: str | None = None) -> PackError:
        return PackError(message, where=f"{self.name}:{place.line}:{place.column}", hint=hint)


def _place(node: Any) -> Place:
    return Place(node.start_mark.line + 1, node.start_mark.column + 1)
