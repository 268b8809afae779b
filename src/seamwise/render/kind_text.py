"""A contract kind explained: what it decides, its parameters, what it decides exactly and what it holds in memory."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from seamwise.kernel import Kind
from seamwise.render.plain import cells, one_line, pad, wrap

_CASES = 10
_SENTENCE = re.compile(r"(.+?[.!?])(?=\s+[A-Z`*]|\s*$)", re.DOTALL)
_TYPE_WORDS = (
    (re.compile(r"\bLiteral\[(.*?)\]"), lambda m: " or ".join(p.strip().strip("\"'") for p in m[1].split(","))),
    (re.compile(r"\s*\|\s*None\b"), lambda m: ""),
    (re.compile(r"\btuple\[(.+), \.\.\.\]"), lambda m: f"list of {m[1]}"),
    (re.compile(r"\b(?:Mapping|dict)\[str, (.+)\]"), lambda m: f"mapping to {m[1]}"),
    (re.compile(r"\bDecimal\b"), lambda m: "amount"),
    (re.compile(r"\bstr\b"), lambda m: "text"),
    (re.compile(r"\bint\b"), lambda m: "whole number"),
    (re.compile(r"\bfloat\b"), lambda m: "number"),
    (re.compile(r"\bbool\b"), lambda m: "true or false"),
    (re.compile(r"\s*\|\s*"), lambda m: " or "),
)


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One parameter of a kind."""

    name: str
    type: str
    """In words: ``amount``, ``list of text``."""
    required: bool
    default: Any = None
    doc: str = ""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A small case with its verdict."""

    name: str
    expect: str
    why: str = ""


class KindFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to know of a kind."""

    name: str
    summary: str
    """One sentence."""
    definition: str
    """What the predicate asks of one complete execution."""
    anchor: str
    parameters: tuple[Parameter, ...]
    fragment: str
    memory: str
    explanation: str
    """The kind's README, as Markdown."""
    cases: tuple[Case, ...] = ()
    """Small cases that fix its semantics."""


def kind_facts(kind: Kind[Any], cases: Iterable[Case] = ()) -> KindFacts:
    """What there is to know of the kind."""
    definition = " ".join((inspect.getdoc(kind.outcome) or "").split("\n\n")[0].split())
    return KindFacts(
        name=kind.name,
        summary=first_sentence(kind.doc) or definition,
        definition=definition,
        anchor=anchor_words(kind),
        parameters=tuple(_parameters(kind.params)),
        fragment=kind.fragment,
        memory=kind.memory,
        explanation=kind.doc.strip(),
        cases=tuple(cases),
    )


def first_sentence(doc: str) -> str:
    """The first sentence of the first paragraph that is prose."""
    for paragraph in re.split(r"\n\s*\n", doc):
        text = " ".join(line for line in paragraph.splitlines() if not line.startswith("#")).strip()
        if text and not text.startswith(("```", "|", "- ", ">", "!")):
            found = _SENTENCE.match(text)
            return one_line(found.group(1) if found else text)
    return ""


def anchor_words(kind: Kind[Any]) -> str:
    """What one instance is: ``each key of the stream `ledger```."""
    anchor = kind.anchor
    if anchor.by == "trace":
        return "each trace"
    if anchor.by == "key":
        return f"each key of the stream `{anchor.stream}`"
    return f"each `{anchor.kind}` record" + (f" in `{anchor.stream}`" if anchor.stream else "")


def _parameters(params: type[msgspec.Struct]) -> Iterator[Parameter]:
    told = _told(params)
    for field in msgspec.structs.fields(params):
        annotation, doc = told.get(field.name, (str(field.type), ""))
        default = field.default
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        yield Parameter(
            name=field.encode_name,
            type=type_words(annotation),
            required=field.required,
            default=None if default is msgspec.NODEFAULT else default,
            doc=doc,
        )


def type_words(annotation: str) -> str:
    """A type as somebody who writes YAML thinks of it."""
    for pattern, words in _TYPE_WORDS:
        annotation = pattern.sub(words, annotation)
    return annotation


def _told(params: type) -> dict[str, tuple[str, str]]:
    """Field -> its annotation as written and the docstring below it, own fields before inherited ones; read from the source."""
    out: dict[str, tuple[str, str]] = {}
    for base in params.__mro__:
        if base is msgspec.Struct:
            break
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        except (OSError, TypeError, SyntaxError):
            continue
        if isinstance(body, ast.ClassDef):
            for item, after in zip(body.body, [*body.body[1:], None], strict=True):
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    out.setdefault(item.target.id, (ast.unparse(item.annotation), _docstring(after)))
    return out


def _docstring(node: ast.stmt | None) -> str:
    value = node.value if isinstance(node, ast.Expr) else None
    text = " ".join(value.value.split()) if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
    return text.replace("``", "`").replace("None:", "unset:")


def kinds_text(facts: Sequence[KindFacts], *, width: int) -> str:
    """All kinds, one paragraph each."""
    size = max((cells(f.name) for f in facts), default=0)
    lines = [line for f in facts for line in wrap(f.summary, width, first=pad(f.name, size) + "  ", rest=" " * (size + 2))]
    return "\n".join(lines) + "\n" if lines else ""


def kind_text(facts: KindFacts, *, width: int) -> str:
    """What stands after the kind's explanation: definition, instances, parameters, limits."""
    return "\n".join(_lines(facts, width)) + "\n"


def _lines(facts: KindFacts, width: int) -> Iterable[str]:
    for label, text in (
        ("kept when", facts.definition),
        ("an instance is", facts.anchor),
        ("decided exactly", facts.fragment),
        ("memory", facts.memory),
    ):
        if text:
            yield from wrap(text, width, first=pad(label, 17), rest=" " * 17)
    yield ""
    yield "parameters"
    for p in facts.parameters:
        default = "required" if p.required else "optional" if p.default in (None, "", (), {}) else f"default {_default(p.default)}"
        yield from wrap(f"{p.name}  ({p.type}; {default})", width, first="  ", rest="      ")
        if p.doc:
            yield from wrap(p.doc, width, first="      ", rest="      ")
    yield ""
    yield "in org.yaml, under contracts"
    yield f"  my-{facts.name.replace('_', '-')}:"
    yield f"    kind: {facts.name}"
    yield '    policy: {doc: handbook.md, quote: "..."}'
    yield from (f"    {p.name}: ...  # {p.type}" for p in facts.parameters if p.required)
    if facts.cases:
        yield ""
        yield "cases that fix what it says"
        size = max(len(c.expect) for c in facts.cases)
        for c in facts.cases[:_CASES]:
            said = one_line(f"{c.name}: {c.why}" if c.why else c.name)
            yield from wrap(said, width, first=f"  {pad(c.expect.replace('_', ' '), size)}  ", rest=" " * (size + 4))
        if len(facts.cases) > _CASES:
            yield f"  and {len(facts.cases) - _CASES} more (--json has them all)"


def _default(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
