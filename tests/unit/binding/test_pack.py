"""Packs: what fits is read, what does not is named with its place and what was meant."""

from __future__ import annotations

import pickle
import re
from decimal import Decimal
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from seamwise.binding import Pack
from seamwise.errors import PackError
from unit.binding.traces import CAP, CHECKED, LEDGER, SIGNING

ORG = """\
version: 1
streams:
  ledger:
    from:
      - tool: pay
        fields: {customer: arguments.customer, amount: {path: arguments.amount, unit: USD}}
    key: customer
contracts:
  cap:
    kind: within_total
    stream: ledger
    per: [customer, quarter]
    limit: 40 USD
    each: 20 USD
    reversals: {none: true, by: user, because: "a credit cannot be taken back"}
"""


def refused(text: str) -> PackError:
    with pytest.raises(PackError) as caught:
        Pack.parse(text, name="org.yaml")
    return caught.value


def test_a_pack_from_yaml() -> None:
    pack = Pack.parse(ORG)
    (contract,) = pack.contracts
    params = contract.params(key="c1", period="2026-Q1")
    assert (params.limit, params.each, params.currency, params.per, params.reversals) == (
        Decimal(40),
        Decimal(20),
        "USD",
        "quarter",
        "none",
    )
    assert contract.spoken["reversals"] == ("user", "a credit cannot be taken back")
    assert (contract.streams, contract.period, contract.across, contract.required) == (("ledger",), "quarter", "corpus", True)


def test_the_same_pack_from_python() -> None:
    pack = Pack(streams={"ledger": LEDGER, **SIGNING}, contracts={"cap": CAP, "checked": CHECKED})
    assert [c.name for c in pack.contracts] == ["cap", "checked"]
    assert pack.contracts[1].across == "trace"


def test_a_pack_travels_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(Pack.parse(ORG)))
    assert again.contracts[0].params(key="c1") == Pack.parse(ORG).contracts[0].params(key="c1")


@pytest.mark.parametrize(
    ("old", "new", "message", "line", "hint"),
    [
        ("limit: 40 USD", "limt: 40 USD", "parameter of `within_total`, got `limt`", 13, "did you mean `limit`?"),
        ("limit: 40 USD", "limit: forty", "expected an amount, got `forty`", 13, "40 USD"),
        ("each: 20 USD", "each: 20 EUR", "expected an amount in USD", 14, None),
        ("unit: USD", "unit: EUR", "expected an amount in EUR, as the stream `ledger` holds, got one in USD", 13, "nothing is converted"),
        ("    limit: 40 USD\n", "", "expected `limit`, got nothing", 10, "needs"),
        ("kind: within_total", "kind: within_totl", "unknown contract kind `within_totl`", 10, "did you mean `within_total`?"),
        ("    kind: within_total\n", "", "expected `kind`", 10, "known kinds"),
        ("stream: ledger", "stream: leger", "got `leger`, which it does not have", 11, "did you mean `ledger`?"),
        ("per: [customer, quarter]", "per: [custmer, quarter]", "got `custmer`", 12, "did you mean `customer`?"),
        ("per: [customer, quarter]", "per: [quarter, month]", "expected one period", 12, None),
        ("key: customer", "key: client", "expected a field of the rules, got `client`", 7, "amount, customer"),
        ("tool: pay", "tol: pay", "expected a known key, got `tol`", 5, "did you mean `tool`?"),
        ("version: 1", "version: 2", "expected `1`, got `2`", 1, None),
        ("version: 1\n", "", "expected `version`", 1, None),
        ("streams:", "stream:", "got `stream`", 2, "did you mean `streams`?"),
        ("arguments.customer", "argument.customer", "expected a path into a step", 6, "did you mean `arguments`?"),
        ("unit: USD", "unit: dollars", "expected a unit", 6, "USD cents"),
        ("because: ", "becuse: ", "expected one statement", 15, None),
        ('because: "a credit cannot be taken back"', "note: x", "expected one statement", 15, None),
        ("reversals: {none: true", "reversals: {never: true", "expected one of `possible`, `none`, got `never`", 15, None),
        (
            'reversals: {none: true, by: user, because: "a credit cannot be taken back"}',
            "reversals: {none: true, by: user}",
            "because",
            15,
            None,
        ),
        ("kind: within_total\n", "kind: within_total\n    across: world\n", "expected `corpus` or `trace`, got `world`", 11, None),
        ("kind: within_total\n", "kind: within_total\n    required: perhaps\n", "expected `true` or `false`", 11, None),
        ("kind: within_total\n", "kind: within_total\n    min_actors: two\n", "expected a whole number, got a text", 11, None),
    ],
)
def test_a_slip_is_named_with_its_line(old: str, new: str, message: str, line: int, hint: str | None) -> None:
    assert old in ORG
    error = refused(ORG.replace(old, new, 1))
    assert message in error.message
    assert f"org.yaml:{line}:" in (error.where or ""), error.where
    if hint is not None:
        assert hint in (error.hint or "")


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        ({"from": []}, "at least one rule"),
        ({}, "expected `from`"),
        ({"from": [{}]}, "at least one of"),
        ({"from": [{"tool": []}]}, "at least one entry"),
        ({"from": [{"kind": "mesage"}]}, "expected a kind of step"),
        ({"from": [{"tool": "x", "opens": "message"}]}, "got `message`"),
        ({"from": [{"tool": "x", "fields": {"t": "time"}}]}, "another name than `t`"),
        ({"from": [{"tool": "x", "ok": {}}]}, "expected one of"),
        ({"from": [{"tool": "x", "ok": {"equals": "done"}}]}, "expected `path`"),
        ({"from": [{"tool": "x", "ok": {"match": "("}}]}, "regular expression"),
        ({"from": [{"tool": "x", "ok": {"match": "(?P<status>x)"}}]}, "another name than `status`"),
        ({"from": [{"tool": "x", "ok": {"path": "text", "equals": [1]}}]}, "text, a number"),
        ({"from": [{"tool": "x", "fields": {"status": "result.s"}, "ok": {"match": "x"}}]}, "either `ok` or a field `status`"),
        ({"from": [{"tool": "x", "when": {}}]}, "expected `path`"),
        ({"from": [{"tool": "x", "when": {"path": "text"}}]}, "expected one of"),
        ({"from": [{"tool": "x", "when": {"path": "text", "match": "("}}]}, "regular expression"),
        ({"from": [{"tool": "x"}], "route": {}}, "because"),
        ({"from": [{"tool": "x"}], "recording": {"because": "y", "count": -1}}, "at least 0"),
        ({"from": [{"tool": "x"}], "recording": {"because": "y", "count": "all"}}, "whole number"),
        (
            {"from": [{"tool": "x", "fields": {"amount": {"path": "text", "unit": "USD"}}}, {"tool": "y", "fields": {"amount": "text"}}]},
            "expected a currency for `amount`",
        ),
    ],
)
def test_what_is_no_stream_is_refused(stream: Any, message: str) -> None:
    with pytest.raises(PackError, match=message):
        Pack(streams={"s": stream})


@pytest.mark.parametrize("name", ["a/*", "/a", "a/", "a//b", "~", "*"])
def test_names_of_streams(name: str) -> None:
    with pytest.raises(PackError, match="name of a stream"):
        Pack(streams={name: LEDGER})


def test_a_stream_below_a_keyed_one_would_be_two_things() -> None:
    with pytest.raises(PackError, match="another name"):
        Pack(streams={"ledger": LEDGER, "ledger/c1": LEDGER})


def test_amounts_of_several_currencies_need_one_in_the_contract() -> None:
    ledger = {
        **LEDGER,
        "from": [
            {"tool": t, "fields": {"customer": "arguments.c", "amount": {"path": "text", "unit": u}}}
            for t, u in (("a", "USD"), ("b", "EUR"))
        ],
    }
    with pytest.raises(PackError, match="expected a currency"):
        Pack(streams={"ledger": ledger}, contracts={"cap": CAP})
    pack = Pack(streams={"ledger": ledger}, contracts={"cap": {**CAP, "limit": "40 USD"}})
    assert pack.contracts[0].params(key="c").currency == "USD"


def test_a_limit_takes_no_currency_from_a_smaller_amount() -> None:
    with pytest.raises(PackError, match="expected an amount in EUR") as caught:
        Pack(streams={"ledger": LEDGER}, contracts={"cap": {**CAP, "limit": 2000, "each": "900 EUR"}})
    assert caught.value.hint == "write `limit: 2000 EUR`"


def test_a_risk_is_one_of_the_taxonomy() -> None:
    def risk(code: str) -> str | None:
        return Pack(streams={"ledger": LEDGER}, contracts={"cap": {**CAP, "risk": code}}).contracts[0].risk

    assert [risk(code) for code in ("A1", "a1", "C1b")] == ["A1", "A1", "C1b"]
    with pytest.raises(PackError, match="expected a risk, got `A9`") as caught:
        risk("A9")
    assert "did you mean `A" in (caught.value.hint or "")
    with pytest.raises(PackError, match="expected a risk, got `Z9`") as caught:
        risk("Z9")
    assert "A1, A2, A3" in (caught.value.hint or "")


def test_a_period_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(PackError, match="got `week`") as caught:
        Pack(streams={"ledger": LEDGER}, contracts={"cap": {**CAP, "per": ["customer", "week"]}})
    assert caught.value.hint == "the periods are day, month, quarter, year; there is no other"


def test_a_page_of_nearly_that_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text("version: 1\n")
    with pytest.raises(PackError) as caught:
        Pack.load(tmp_path / "frist.yaml")
    assert caught.value.hint == "did you mean `first.yaml`?"


def test_a_contract_over_a_whole_run_is_anchored_at_its_trace() -> None:
    streams = {"statements": {"from": [{"kind": "action"}]}, "approvals": {"from": [{"kind": "approval"}]}}
    status = {"kind": "status_kept", "authority": "committee", "scale": ["inclination", "approved"]}
    pack = Pack(streams=streams, contracts={"one": status, "run": {**status, "over": "run"}})
    assert [c.anchor.by for c in pack.contracts] == ["record", "trace"]


def test_a_contract_needs_the_stream_of_its_anchors() -> None:
    with pytest.raises(PackError, match="got `sign_offs`") as caught:
        Pack(streams={"checks": SIGNING["checks"]}, contracts={"checked": CHECKED})
    assert "bind it" in (caught.value.hint or "")


def test_the_organization() -> None:
    organization = {
        "rights": {"edit": ["legal", "ann"], "none": []},
        "scopes": {"alex": "owner"},
        "attested": {"legal": 0.84},
        "complete": ["rights"],
    }
    context = Pack(organization=organization).context
    assert context.parts["rights"] == {"edit": ("legal", "ann"), "none": ()}
    assert context.parts["scope"] == {"alex": ("owner",)}
    assert context.parts["attested"] == {"legal": 0.84}
    assert context.is_complete("rights")
    with pytest.raises(PackError, match="got `right`"):
        Pack(organization={"right": {}})
    with pytest.raises(PackError, match="got `right`"):
        Pack(organization={"complete": ["right"]})


@pytest.mark.parametrize(("skew", "ns"), [("2s", 2 * 10**9), ("50ms", 50 * 10**6), (0, 0), ("1.5 min", 90 * 10**9)])
def test_a_clock(skew: object, ns: int) -> None:
    clock = Pack(clock={"skew": skew, "because": "NTP"}).clock
    assert clock is not None
    assert clock.skew_ns == ns


@pytest.mark.parametrize("clock", [{"skew": "2s"}, {"skew": "soon", "because": "x"}, {"skew": -1, "because": "x"}, {"because": "x"}])
def test_what_is_no_clock(clock: Any) -> None:
    with pytest.raises(PackError):
        Pack(clock=clock)


def quoted(tmp_path: Path, quote: str, doc: str = "handbook.md") -> Pack:
    (tmp_path / "handbook.md").write_text("# Rules\n\nAcross both, no customer may receive\nmore than $40 a quarter.\n", encoding="utf-8")
    (tmp_path / "org.yaml").write_text(ORG + f"    policy: {{doc: {doc}, quote: '{quote}'}}\n", encoding="utf-8")
    return Pack.load(tmp_path / "org.yaml")


def test_a_quote_stands_in_its_document_white_space_aside(tmp_path: Path) -> None:
    policy = quoted(tmp_path, "no customer may receive more than $40 a quarter").contracts[0].policy
    assert policy == ("handbook.md", "no customer may receive more than $40 a quarter")


def test_a_quote_that_does_not_is_refused_with_the_nearest_line(tmp_path: Path) -> None:
    with pytest.raises(PackError) as caught:
        quoted(tmp_path, "no customer may receive more than $50 a quarter")
    assert "does not stand there" in caught.value.message
    assert "org.yaml:16:" in (caught.value.where or "")
    assert "line 4 of handbook.md" in (caught.value.hint or "")


def test_a_document_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="which is not there"):
        quoted(tmp_path, "x", doc="handbok.md")
    assert quoted(tmp_path, "x", doc="Staff handbook 2026 p. 4").contracts[0].policy is not None


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="no such file"):
        Pack.load(tmp_path / "org.yaml")
    with pytest.raises(PackError, match="is a directory"):
        Pack.load(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "# nothing", "[]", "5", "version: 1\nstreams: []", "version: 1\ncontracts: {a: 5}", "version: 1\nstreams: {a: b}"]
)
def test_documents_of_another_shape(text: str) -> None:
    refused(text)


def test_python_values_that_no_document_holds() -> None:
    with pytest.raises(PackError, match="plain values"):
        Pack(streams={"s": {"from": [object()]}})


def test_an_empty_pack_is_a_pack() -> None:
    assert Pack.parse(dedent("version: 1\nstreams:\ncontracts:\n")).contracts == ()


def test_the_page_on_the_language_shows_a_pack_that_is_one() -> None:
    page = (Path(__file__).parents[3] / "docs" / "org-yaml.md").read_text(encoding="utf-8")
    block, *parts = re.findall(r"^```yaml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    sources = (Path(__file__).parents[3] / "docs" / "sources.md").read_text(encoding="utf-8")
    parts += re.findall(r"^```yaml\n(.*?)^```$", sources, re.DOTALL | re.MULTILINE)
    assert len(parts) >= 2
    for part in parts:
        Pack.parse(f"version: 1\n{part}")
    assert [c.name for c in Pack.parse(block).contracts] == ["quarterly-cap"]
