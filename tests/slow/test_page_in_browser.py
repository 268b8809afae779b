"""The page in a real browser: a witness leads to its step, keys work, no request leaves it, nothing hostile runs, long is quick."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from seamwise.audit import Given, Inbox, Ledger, LedgerLine, NoteRef, Result, Scene, Seen
from seamwise.render.html import audit_html
from slow.browser import Browser, why_not
from unit.render.sample import PAID, results, ruled_out, summary, supported, unknown

pytestmark = [pytest.mark.slow, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]

ENTER, ESCAPE, TAB, DOWN, UP, END = "\ue007", "\ue00c", "\ue004", "\ue015", "\ue013", "\ue010"
FOCUSED = "return document.activeElement.id"
HOSTILE = (
    "</script><script>window.owned=1</script><img src=x onerror='window.owned=1'><a href='javascript:window.owned=1'>"
    "\u202e\u2066\x1b[2J\x00\ud800"
)
OPEN_MS = 2_000
"""In so many milliseconds a page of 5,000 verdicts, or of a trace of 50,000 steps, is drawn."""
CROSSING = PAID[2]


def pictured() -> Result:
    """A supported verdict with all that a page can draw of it."""
    totals = ("15.00", "35.00", "45.00", "57.65", "65.00")
    lines = tuple(
        LedgerLine(step=ref, amount=str(ref.fields["amount"]), total=total, counts=True) for ref, total in zip(PAID, totals, strict=True)
    )
    given = (
        Given(index=9, kind="user", source="c17", text="The parcel arrived late."),
        Given(index=9, kind="tool", text='{"total": "35.00"}'),
    )
    return supported(
        ledger=Ledger(limit="40.00", unit="USD", lines=lines),
        inbox=Inbox(trace=CROSSING.trace, index=CROSSING.index, actor="recovery", items=given, whole=True),
    )


def scene(trace: str, n: int, hit: int = 0) -> Scene:
    agents = ("triage", "support", "retention", "recovery", "billing")
    steps = [Seen("message", agents[k % 5], (agents[(k + 1) % 5],), None, None, None, f"word {k} of the run") for k in range(n)]
    if hit:
        steps[hit - 1] = Seen("tool_result", "recovery", None, "issue_credit", None, None, "parcel arrived late")
    return Scene(trace=trace, steps=tuple(steps))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as window:
        yield window


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "audit.html"
    all_told = (pictured(), *results()[1:])
    file.write_text(audit_html(summary(), all_told, [scene(CROSSING.trace, 40, CROSSING.index)]), encoding="ascii")
    return file


def lands_in_sight(browser: Browser) -> bool:
    return bool(
        browser.run("const r = document.activeElement.getBoundingClientRect(); return r.height > 0 && r.top >= 0 && r.top < innerHeight")
    )


def test_it_opens_on_the_verdicts_and_a_witness_leads_to_its_step(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.run("return document.querySelector('h1').textContent") == "The records support 2 violations"
    assert browser.run("return document.querySelector('#h0').getAttribute('aria-current')") == "true"
    assert browser.run("return [...document.querySelectorAll('.story .steps')[0].querySelectorAll('a.id')].map(a => a.textContent)") == [
        "f38b2ffc #12",
        "90624fe3 #9",
        "ed1ba5c8 #11",
        "47cd07f7 #7",
        "e39f13d7 #14",
    ]
    browser.click(".story .marked a.id")
    step = browser.run(FOCUSED)
    assert re.fullmatch(r"s\d+-11", step)
    assert browser.run("return location.hash") == "#v0/" + step[1:].replace("-", "/")
    text = browser.run("return document.activeElement.innerText")
    assert "recovery" in text
    assert "parcel arrived late" in text
    assert "crosses the cap: 45.00 of 40.00" in text
    assert lands_in_sight(browser)
    browser.type(ESCAPE)
    assert browser.run("return document.activeElement.textContent") == "ed1ba5c8 #11"


def test_the_path_is_lit_in_the_agents_lanes(browser: Browser, page: Path) -> None:
    browser.open(page)
    names = "return [...document.querySelectorAll('.lane-names .lit')].map(x => x.textContent)"
    assert browser.run(names) == ["support", "retention", "recovery", "billing", "escalation"]
    assert browser.run("return document.querySelectorAll('.row.path .dot.lit').length") >= 3
    assert browser.run("return [...document.querySelectorAll('.row.gap')].some(x => x.innerText === '8 steps between')")
    browser.click("#all-steps")
    browser.until(
        "document.querySelectorAll('.row.gap').length === 0 || document.querySelector('.trace-pane').innerText.includes('44 steps')"
    )


def test_the_sum_and_the_input_are_the_audit_s(browser: Browser, page: Path) -> None:
    browser.open(page)
    said = browser.run("return document.querySelector('.chart svg').getAttribute('aria-label')")
    assert said == "Running sum over 5 steps, ends at 65.00 USD; the limit is 40.00 USD; recovery crosses it at 45.00"
    assert browser.run("return document.querySelectorAll('.chart circle').length") == 5
    assert browser.run("return [...document.querySelectorAll('.chart .cross text')].map(t => t.textContent)") == ["45.00", "recovery"]
    assert browser.run("return [...document.querySelectorAll('.inbox li')].map(x => x.querySelector('.words').textContent)") == [
        "The parcel arrived late.",
        '{"total": "35.00"}',
    ]
    browser.run("document.querySelector('.inbox a').click()")
    assert browser.run(FOCUSED).endswith("-9")


def test_what_may_count_is_drawn_above_the_sum_and_leads_to_its_trace(browser: Browser, tmp_path: Path) -> None:
    lines = (
        LedgerLine(step=PAID[0], amount="15.00", total="15.00", counts=True),
        LedgerLine(step=PAID[1], amount="30.00", total="15.00"),
    )
    told = unknown(ledger=Ledger(limit="40.00", lines=lines))
    file = tmp_path / "open.html"
    file.write_text(audit_html(summary((told,)), (told,)), encoding="ascii")
    browser.open(file)
    assert browser.run("return document.querySelector('.chart .open text').textContent") == "+30.00?"
    below = "return [...document.querySelectorAll('.chart circle')].map(c => Number(c.getAttribute('cy')))"
    sure, maybe = browser.run(below)
    assert maybe < sure
    browser.click(".chart + details summary, .chart ~ details summary")
    browser.run("document.querySelectorAll('.story table a')[1].click()")
    assert browser.run(FOCUSED).endswith("-9")
    assert "retention" in browser.run("return document.activeElement.innerText")


def test_where_nothing_was_judged_or_fits_it_is_said(browser: Browser, page: Path, tmp_path: Path) -> None:
    file = tmp_path / "nothing.html"
    file.write_text(audit_html(summary(()), ()), encoding="ascii")
    browser.open(file)
    assert browser.run("return document.querySelector('h1').textContent") == "Nothing was judged"
    assert browser.run("return document.querySelector('.none').offsetHeight > 0 && document.querySelector('.problems').open")
    assert browser.complaints() == []
    browser.open(page)
    browser.type("/nothing of the kind")
    browser.until("document.querySelector('.none').offsetHeight > 0")
    assert browser.run("return document.querySelector('.none').textContent") == "No verdict fits these filters."
    browser.type(ESCAPE)
    browser.until("document.querySelector('.none').offsetHeight === 0 && document.querySelectorAll('.verdict').length > 5")


def test_nothing_is_asked_of_the_network(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click(".story a.id")
    asked = browser.requests()
    assert asked
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    assert browser.complaints() == []


def test_the_keyboard_alone(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.type(TAB + ENTER)  # the link that skips the filters
    assert browser.run(FOCUSED) == "h0"
    browser.type(DOWN + DOWN + UP)
    assert browser.run(FOCUSED) == "h1"
    assert browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.type(ENTER)
    assert browser.run(FOCUSED) == "story"
    assert "check" in browser.run("return document.querySelector('#story-title').textContent")
    browser.type(TAB)
    assert browser.run("return document.activeElement.closest('.story') !== null")
    browser.type(ENTER)
    assert browser.run("return document.activeElement.closest('.trace-pane') !== null")
    browser.type(ESCAPE)
    assert browser.run("return document.activeElement.closest('.story') !== null")
    browser.type(ESCAPE)
    assert browser.run(FOCUSED) == "h1"
    browser.type(END)
    assert browser.run("return document.activeElement.closest('[data-row]').getAttribute('aria-posinset')") == "13"


def test_filters_and_search(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.type("/c21")
    browser.until("document.querySelector('.shown').textContent === '1 of 13'")
    browser.type(ENTER)
    assert browser.run("return document.activeElement.innerText.includes('customer c21')")
    browser.type("/" + ESCAPE)
    browser.until("document.querySelector('.shown').textContent === '13 verdicts'")
    browser.click(".chip.s-ruled_out")
    assert browser.run("return document.querySelector('.shown').textContent") == "7 of 13"
    assert browser.run("return document.querySelectorAll('.verdict.s-ruled_out').length") == 0
    choose = "const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))"
    browser.run(choose, "select[aria-label=Agent]", "recovery")
    assert browser.run("return document.querySelector('.shown').textContent") == "1 of 13"
    browser.run(choose, "select[aria-label=Agent]", "")
    browser.run(choose, "select[aria-label=Contract]", "0")
    assert browser.run("return [...document.querySelectorAll('.verdict b')].every(b => b.textContent === 'quarterly-cap')")


def test_every_control_has_a_name(browser: Browser, page: Path) -> None:
    browser.open(page)
    unnamed = browser.run(
        "return [...document.querySelectorAll('button, a, input, select, [role=list], section, aside, nav')].filter(x => "
        "!(x.getAttribute('aria-label') || x.getAttribute('aria-labelledby') || x.textContent.trim() || (x.labels && x.labels.length)"
        ")).map(x => x.outerHTML.slice(0, 100))"
    )
    assert unnamed == []


def test_an_address_with_a_step_leads_there(browser: Browser, page: Path) -> None:
    browser.open(page, "#v0/2/11")
    browser.until("document.activeElement.id === 's2-11'")
    assert "recovery" in browser.run("return document.activeElement.innerText")
    browser.run("location.hash = '#v4'")
    browser.until("document.querySelector('#story-title').textContent.includes('unknown')")


@pytest.mark.parametrize("dark", [False, True])
def test_on_a_telephone_one_pane_is_seen_at_a_time(tmp_path: Path, page: Path, dark: bool) -> None:
    with Browser(tmp_path / "telephone", width=420, height=860, dark=dark) as browser:
        browser.open(page)
        visible = "return [...document.querySelectorAll('.pane')].filter(p => p.offsetHeight).map(p => p.className)"
        assert browser.run(visible) == ["pane list-pane"]
        browser.click("#h0")
        assert browser.run(visible) == ["pane story"]
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        browser.click(".story .marked a.id")
        assert browser.run(visible) == ["pane trace-pane"]
        assert browser.run(FOCUSED).endswith("-11")
        assert lands_in_sight(browser)
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        browser.type(ESCAPE)
        assert browser.run("return document.activeElement.textContent") == "ed1ba5c8 #11"
        browser.type(ESCAPE)
        assert browser.run(FOCUSED) == "h0"
        light = browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(247, 247, 245)"
        assert light is not dark


@pytest.mark.parametrize("dark", [False, True])
def test_words_can_be_read(tmp_path: Path, page: Path, dark: bool) -> None:
    with Browser(tmp_path / "window", dark=dark) as browser:
        browser.open(page)
        browser.click(".story .marked a.id")
        assert browser.run(CONTRAST) == []


CONTRAST = """
const channel = (v) => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const ground = (node) => {
  for (; node; node = node.parentElement) {
    const colour = parse(getComputedStyle(node).backgroundColor);
    if (colour.length < 4 || colour[3] > 0.99) return colour.slice(0, 3);
  }
  return [255, 255, 255];
};
const worded = (node) => [...node.childNodes].some((c) => c.nodeType === 3 && c.data.trim()) && node.offsetHeight;
const of = 'p, h1, h2, h3, b, span, button, a, code, li, blockquote, small, td, th, summary';
return [...document.querySelectorAll(of)].filter(worded).map((node) => {
  const a = light(parse(getComputedStyle(node).color).slice(0, 3)), b = light(ground(node));
  return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.outerHTML.slice(0, 80)];
}).filter(([ratio]) => ratio < 4.5);
"""
"""What of the words stands out less from its ground than WCAG AA asks."""


def test_hostile_text_does_not_run(browser: Browser, tmp_path: Path) -> None:
    word = HOSTILE.encode("utf-8", "replace").decode()
    step = msgspec.structs.replace(CROSSING, text=word, actor=word, tool=word)
    bad = supported(
        contract=word,
        instance={word: word},
        headline=word,
        witness=(step,),
        notes=(NoteRef(code=word, words=word, steps=(step,)),),
        inbox=Inbox(trace=step.trace, index=step.index, actor=word, items=(Given(index=1, kind=word, source=word, text=word),)),
        ledger=Ledger(limit="1", unit=word, lines=(LedgerLine(step=step, total="2", amount="2", counts=True),)),
    )
    seen = Seen(word, word, (word,), word, word, None, word)
    file = tmp_path / "bad.html"
    file.write_text(audit_html(summary((bad,)), (bad,), [Scene(trace=step.trace, steps=(seen,) * 12)]), encoding="ascii")
    browser.open(file)
    browser.click(".story .marked a.id")
    assert browser.run("return window.owned === undefined")
    assert browser.run("return document.querySelectorAll('img, script[src], a[href^=\"javascript\"]').length") == 0
    shown = browser.run("return document.body.textContent")
    assert "<img src=x" in browser.run("return document.querySelector('.story').innerText")
    assert not set(shown.split('id="data"')[0]) & {"\u202e", "\u2066", "\x1b", "\x00"}
    assert browser.complaints() == []


def drawn(browser: Browser) -> float:
    """When the page was drawn and could be used, in milliseconds after its opening."""
    return float(browser.run("return performance.getEntriesByType('navigation')[0].domComplete"))


def test_five_thousand_verdicts_are_quick(browser: Browser, tmp_path: Path) -> None:
    many = (
        *(supported(instance={"customer": f"s{i}", "quarter": "2026-Q1"}) for i in range(200)),
        *(unknown(f"u{i}") for i in range(800)),
        *(ruled_out(f"r{i}") for i in range(4000)),
    )
    file = tmp_path / "many.html"
    file.write_text(audit_html(summary(many), many, [scene(f"{i:032x}", 50) for i in range(400)]), encoding="ascii")
    assert file.stat().st_size < 8_000_000
    browser.open(file)
    assert drawn(browser) < OPEN_MS
    assert browser.run("return document.querySelectorAll('.verdict').length") < 60
    assert "the steps of 3,000 clear verdicts" in browser.run("return document.querySelector('header.top').innerText")
    browser.type("/r3999")
    browser.until("document.querySelector('.shown').textContent === '1 of 5,000'", seconds=2)
    browser.type("/" + ESCAPE)
    browser.until("document.querySelector('.shown').textContent === '5,000 verdicts'", seconds=2)
    browser.type(ENTER + END)
    browser.until("document.activeElement.id === 'h4999'", seconds=2)
    assert lands_in_sight(browser)


def test_a_long_proof_is_drawn_bit_by_bit(browser: Browser, tmp_path: Path) -> None:
    long = tuple(msgspec.structs.replace(PAID[0], index=n, step=f"s{n}", trace="one") for n in range(1, 251))
    told = supported(witness=long, notes=())
    file = tmp_path / "proof.html"
    file.write_text(audit_html(summary((told,)), (told,)), encoding="ascii")
    browser.open(file)
    assert browser.run("return document.querySelectorAll('.story .step').length") == 100
    browser.click(".story .more")
    assert browser.run("return document.activeElement.textContent") == "one #101"
    browser.click(".story .more")
    assert browser.run("return document.querySelectorAll('.story .step').length") == 250
    assert browser.run("return document.querySelectorAll('.story .more').length") == 0


def test_a_trace_of_fifty_thousand_steps_is_quick(browser: Browser, tmp_path: Path) -> None:
    n = 50_000
    last = msgspec.structs.replace(CROSSING, index=n - 5)
    told = supported(witness=(*PAID[:2], last), notes=())
    file = tmp_path / "long.html"
    file.write_text(audit_html(summary((told,)), (told,), [scene(last.trace, n, n - 5)]), encoding="ascii")
    browser.open(file)
    assert drawn(browser) < OPEN_MS
    browser.click(".story .marked a.id")
    browser.until(f"document.activeElement.id.endsWith('-{n - 5}')", seconds=2)
    assert "parcel arrived late" in browser.run("return document.activeElement.innerText")
    assert lands_in_sight(browser)
    browser.click("#all-steps")
    browser.until("document.querySelector('.rows-inner [aria-setsize]') !== null", seconds=2)
    assert browser.run("return document.querySelectorAll('.row').length") < 120
    browser.run("document.querySelector('.trace-pane .rows').scrollTop = 700000")
    browser.until("[...document.querySelectorAll('.row .n')].some(x => Number(x.textContent.slice(1)) > 20000)", seconds=2)
    assert browser.run("return document.querySelectorAll('.row').length") < 120
    browser.click(".trace-pane input[type=search]")
    browser.type("word 31415 ")
    browser.until("document.querySelector('.trace-pane [role=status]').textContent.startsWith('1 step of')", seconds=2)
    browser.type(ENTER)
    assert browser.run("return document.activeElement.innerText.includes('#31416')")
    assert browser.complaints() == []
