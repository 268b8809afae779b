"""``python -m seamwise.testing``: what it says of cases that it cannot express, and to a reader that goes away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from seamwise.errors import CaseError
from seamwise.testing import parse_case

CASES = Path(__file__).parents[3] / "src" / "seamwise" / "kinds" / "delivered" / "cases.yaml"


def test_a_reader_that_goes_away_ends_it_without_a_word() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "seamwise.testing", "verdicts", str(CASES)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"ok")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(
    ("kind", "params", "message", "where", "hint"),
    [
        ("delivered", {"receiver": "a", "decision": "d", "required": "x"}, "expected a list, got a text", "params.required", None),
        ("delivered", {"receiver": "a", "decision": "d"}, "expected `required`, got nothing", "params", "needs"),
        ("delivered", {"reciever": "a", "decision": "d", "required": []}, "unknown key `reciever`", "params", "did you mean `receiver`?"),
        ("within_total", {"limit": "forty"}, "expected a number, got a text that is none", "params.limit", None),
        ("within_total", {"limit": 1, "reversals": "nome"}, "expected one of `possible`, `none`, got `nome`", "params.reversals", "`none`"),
        ("within_scope", {"fields": {"a": [1]}}, "expected a whole number or a text, got a list", "params.fields", None),
        ("admitted", {"rule": {"verified": "perhaps"}}, "expected `true` or `false`, got a text", "params.rule.verified", None),
        ("status_kept", {"statement": "m", "authority": "b", "scale": ["a", [1]]}, "expected a text, got a list", "params.scale[1]", None),
    ],
)
def test_what_a_case_cannot_be_is_said_in_our_words(kind: str, params: object, message: str, where: str, hint: str | None) -> None:
    with pytest.raises(CaseError) as told:
        parse_case({"name": "n", "kind": kind, "params": params, "expect": "unknown"})
    assert told.value.message == message
    assert told.value.where == where
    assert (hint or "") in (told.value.hint or "")
