"""The page: one file that asks for nothing, whose recorded text is data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from seamwise.audit import Ledger, LedgerLine, Result, Scene, Seen, StepRef, audit
from seamwise.binding import Pack
from seamwise.render._names import value_words
from seamwise.render.html import audit_html, embedded
from seamwise.render.html._data import MAX_CLEAR
from unit.render.sample import PAID, results, ruled_out, summary, supported, unknown
from unit.render.test_audit_text import HOSTILE


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found.group(1))


class Elements(HTMLParser):
    """Which elements and attributes a page has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, list[str]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, []).append(value or "")


def test_the_page_asks_for_nothing_and_allows_only_its_own_script() -> None:
    page = audit_html(summary(), results())
    elements = Elements(page)
    assert set(elements.tags) == {"html", "head", "meta", "title", "link", "style", "body", "noscript", "pre", "div", "script"}
    assert elements.attributes["href"] == ["data:,"]
    assert "src" not in elements.attributes
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page
    policy = next(c for c in elements.attributes["content"] if "default-src" in c)
    assert "default-src 'none'" in policy
    for tag in ("script", "style"):
        inner = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(inner) == 1
        digest = base64.b64encode(hashlib.sha256(inner[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_the_data_tells_each_verdict_and_keeps_a_step_once() -> None:
    data = data_of(audit_html(summary(), results()))
    first = data["verdicts"][0]
    assert (data["contracts"][first["contract"]]["name"], first["instance"], first["status"]) == (
        "quarterly-cap",
        "customer c17, 2026-Q1",
        "supported",
    )
    assert [data["steps"][u["step"]]["n"] for u in first["steps"]] == [12, 9, 11, 7, 14]
    assert first["steps"][2]["why"] == "crosses the cap: 45.00 of 40.00"
    assert first["steps"][2]["known"] == ["the total 35.00 was in its input (customer_history, #9)"]
    assert "chart" not in first
    places = [(s["trace"], s["id"], s["n"]) for s in data["steps"]]
    assert len(places) == len(set(places))
    assert [c[1] for c in data["statuses"]] == ["supported", "invalid", "not judged", "unknown", "ruled out", "not applicable"]


def told_of(verdict: Any) -> Iterator[Any]:
    """The uses of a verdict, part by part, but for its notes."""
    yield from verdict.get("steps", ())
    for part in ("clashes", "gaps"):
        for item in verdict.get(part, ()):
            yield from item.get("steps", ())
    yield from verdict.get("weightless", ())


def refs_of(result: Result) -> Iterator[StepRef]:
    """The steps of a result in the order of :func:`told_of`."""
    yield from result.witness or ()
    for part in (result.clashes, result.gaps):
        for item in part:
            yield from item.steps
    yield from result.weightless


def assert_told_as_recorded(data: Any, results: list[Result]) -> int:
    """Each step of a verdict has the actor and fields of that result's own step; returns how many steps differ between verdicts."""
    for verdict, result in zip(data["verdicts"], results, strict=True):
        for use, ref in zip(told_of(verdict), refs_of(result), strict=True):
            step = data["steps"][use["step"]]
            part = step["parts"][use.get("part", 0)]
            assert (data["traces"][step["trace"]][1], step["id"], step["n"]) == (ref.trace, ref.step, ref.index)
            assert part.get("actor", "") == (ref.actor or "")
            assert part.get("tool", "") == (ref.tool or "")
            assert part.get("to", "") == ", ".join(ref.recipients or ())
            assert data["verdicts"].index(verdict) in part["by"]
            for name, value in use.get("fields", ()):
                assert part["fields"][name] == value
                assert value.startswith(value_words(ref.fields[name.replace(" ", "_")]))
    return sum(len(step["parts"]) > 1 for step in data["steps"])


def test_a_step_of_two_streams_is_told_to_each_verdict_as_its_own_result_has_it() -> None:
    other = msgspec.structs.replace(PAID[0], actor="payments", fields={"customer": "c17", "amount": "99.00"}, text="goodwill")
    rows = [supported(), msgspec.structs.replace(ruled_out("c17"), witness=(other,), contract="told-when-paid")]
    data = data_of(audit_html(summary(tuple(rows)), rows))
    assert assert_told_as_recorded(data, rows) == 1
    step = data["steps"][data["verdicts"][0]["steps"][0]["step"]]
    assert [(p["actor"], p["fields"]["amount"], p["by"]) for p in step["parts"]] == [("support", "15.00", [0]), ("payments", "99.00", [1])]
    assert step["text"] == "goodwill for the outage"


def test_the_refund_desk_is_told_step_by_step() -> None:
    desk = Path(__file__).parents[3] / "examples" / "refund_desk"
    done = audit([str(desk / "recording.otlp.jsonl")], Pack.load(desk / "org.yaml"))
    assert_told_as_recorded(data_of(audit_html(done.summary, done.results)), list(done.results))


def test_hostile_text_neither_ends_the_script_nor_reorders_the_page() -> None:
    bad = supported(contract=HOSTILE, instance={HOSTILE: HOSTILE}, headline=HOSTILE, notes=())
    page = audit_html(summary((bad,)), (bad,))
    assert page.isascii()
    assert Elements(page).tags.count("script") == 2
    assert "img" not in Elements(page).tags
    verdict = data_of(page)["verdicts"][0]
    assert "</script><img src=x onerror=alert(1)>\\u202eevil\\ud800" in verdict["headline"]
    assert "\x1b" not in page


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_embedded_text_comes_back(text: str) -> None:
    inside = embedded([text])
    assert inside.isascii()
    assert not re.search("[<>&]", inside)
    assert json.loads(inside) == [text]


def test_the_chart_is_the_audit_s_ledger() -> None:
    lines = (
        LedgerLine(step=PAID[0], amount="15.00", total="15.00", counts=True),
        LedgerLine(step=PAID[1], total="15.00"),
        LedgerLine(step=PAID[2], amount="10.00", total="45.00", counts=True),
        LedgerLine(step=PAID[3], amount="99.00", total="45.00", counts=False),
    )
    told = (supported(ledger=Ledger(limit="40.00", unit="USD", lines=lines, skipped=2)), unknown())
    data = data_of(audit_html(summary(told), told))
    drawn = data["verdicts"][0]["chart"]
    assert [(x.get("amount"), x["total"], x.get("state")) for x in drawn["lines"]] == [
        ("15.00", "15.00", None),
        (None, "15.00", "open"),
        ("10.00", "45.00", None),
        ("99.00", "45.00", "apart"),
    ]
    assert (drawn["limit"], drawn["unit"], drawn["crossing"], drawn["skipped"]) == ("40.00", "USD", 2, 2)
    assert [data["steps"][x["step"]]["n"] for x in drawn["lines"]] == [ref.index for ref in PAID[:4]]
    assert "chart" not in data["verdicts"][1]


def test_a_scene_is_told_once_with_its_words_made_safe() -> None:
    trace = PAID[2].trace
    steps = (Seen("message", "desk", ("recovery", "desk"), None, None, None, HOSTILE), Seen("input", None))
    data = data_of(audit_html(summary(), results(), [Scene(trace=trace, steps=steps)]))
    (scene,) = data["scenes"]
    assert data["traces"][scene["trace"]][1] == trace
    words = scene["words"]
    assert [words[n] for n in (scene["steps"][0][0], scene["steps"][0][1], *scene["steps"][0][3])] == [
        "message",
        "desk",
        "recovery",
        "desk",
    ]
    assert "\\u202e" in scene["steps"][0][4]
    assert "\u202e" not in scene["steps"][0][4]
    assert scene["steps"][1] == [words.index("input"), 0, 0, None, ""]


def test_what_is_left_out_is_said() -> None:
    many = (supported(), *(ruled_out(f"r{n}") for n in range(MAX_CLEAR + 5)))
    data = data_of(audit_html(summary(many, n_unseen=2), many))
    assert "the steps of 5 clear verdicts; all but the cited steps of 2 long traces" in data["left_out"]
    assert [v.get("brief", False) for v in data["verdicts"]].count(True) == 5
    assert all("steps" not in v for v in data["verdicts"] if v.get("brief"))
    assert data_of(audit_html(summary(), results()))["left_out"] == ""


def test_the_same_audit_gives_the_same_page() -> None:
    assert audit_html(summary(), results()) == audit_html(summary(), results())


def test_without_scripts_the_page_holds_the_text() -> None:
    page = audit_html(summary(), results())
    assert "SUPPORTED  quarterly-cap (A1)  customer c17, 2026-Q1" in page
