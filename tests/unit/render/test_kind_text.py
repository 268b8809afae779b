"""Kinds explained: every registered one has its sentence and its parameters told."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec
import pytest

from seamwise.kernel import Anchor, Kind, Outcome
from seamwise.kinds import kind_names, kind_of
from seamwise.render.kind_text import first_sentence, kind_facts, kind_text, kinds_text, type_words


class Params(msgspec.Struct, frozen=True, kw_only=True):
    """What the kind takes."""

    limit: Decimal
    """How much; None: anything."""
    names: tuple[str, ...] = ()
    mode: Literal["a", "b"] = "a"
    """Which way."""


def outcome(run: object, params: Params) -> Outcome:
    """Nothing is ever wrong.

    More words.
    """
    return Outcome.KEPT


KIND = Kind(
    name="harmless",
    doc="# harmless\n\nIt is kept. Always.\n",
    params=Params,
    outcome=outcome,
    spec=None,
    possible=None,
    anchor=Anchor(by="key", stream="ledger"),
)  # type: ignore[arg-type]


def test_a_kind_is_told_with_its_parameters() -> None:
    facts = kind_facts(KIND)
    assert facts.summary == "It is kept."
    assert facts.definition == "Nothing is ever wrong."
    assert facts.anchor == "each key of the stream `ledger`"
    assert [(p.name, p.type, p.required, p.doc) for p in facts.parameters] == [
        ("limit", "amount", True, "How much; unset: anything."),
        ("names", "list of text", False, ""),
        ("mode", "a or b", False, "Which way."),
    ]
    text = kind_text(facts, width=80)
    assert "  limit  (amount; required)" in text or "  limit (amount; required)" in text
    assert "    kind: harmless" in text


@pytest.mark.parametrize("name", kind_names())
def test_every_kind_has_a_sentence_and_tells_its_parameters(name: str) -> None:
    facts = kind_facts(kind_of(name))
    assert facts.summary
    assert facts.definition
    assert facts.fragment
    assert facts.memory
    untold = [p.name for p in facts.parameters if not p.doc]
    assert untold == []
    assert name in kinds_text([facts], width=100)


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        ("# x\n\nOne. Two.", "One."),
        ("# x\ntext of e.g. this sort. Next", "text of e.g. this sort."),
        ("# x\n\n```\ncode\n```\n\nThen this", "Then this"),
        ("# x", ""),
    ],
)
def test_the_first_sentence(doc: str, sentence: str) -> None:
    assert first_sentence(doc) == sentence


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        ("str | None", "text"),
        ("tuple[str, ...]", "list of text"),
        ("dict[str, int]", "mapping to whole number"),
        ("int | str", "whole number or text"),
    ],
)
def test_types_in_words(annotation: str, words: str) -> None:
    assert type_words(annotation) == words
