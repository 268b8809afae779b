"""The page in a real browser: a witness leads to its step, keys work, nothing is asked of the network, nothing hostile runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamwise.render.html import audit_html
from slow.browser import Browser, why_not
from unit.render.sample import results, ruled_out, summary, supported, unknown

pytestmark = [pytest.mark.slow, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]

ENTER, ESCAPE = "\ue007", "\ue00c"
FOCUSED = "return document.activeElement.id"
HOSTILE = (
    "</script><script>window.owned=1</script><img src=x onerror='window.owned=1'><a href='javascript:window.owned=1'>\u202e\x1b[2J\ud800"
)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as window:
        yield window


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "audit.html"
    file.write_text(audit_html(summary(), results()), encoding="ascii")
    return file


def test_it_opens_on_the_verdicts_and_a_witness_leads_to_its_step(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.run("return document.querySelector('h1').textContent") == "The records support 2 violations"
    assert browser.run("return document.querySelector('#h0').getAttribute('aria-expanded')") == "true"
    assert browser.run("return [...document.querySelectorAll('#b0 a.id')].map(a => a.textContent)") == [
        "f38b2ffc #12",
        "90624fe3 #9",
        "ed1ba5c8 #11",
        "47cd07f7 #7",
        "e39f13d7 #14",
    ]
    browser.click("#b0 .marked a.id")
    step = browser.run(FOCUSED)
    assert re.fullmatch(r"s\d+", step)
    assert browser.run("return location.hash") == f"#{step}"
    text = browser.run("return document.activeElement.innerText")
    assert "recovery" in text
    assert "parcel arrived late" in text
    assert "crosses the cap: 45.00 of 40.00" in text
    assert browser.run("const r = document.activeElement.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight")
    assert browser.run("return document.querySelectorAll('#b0 .chart circle').length") == 5


def test_nothing_is_asked_of_the_network(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("#b0 a.id")
    asked = browser.requests()
    assert asked
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    assert browser.complaints() == []


def test_keys_filters_and_search(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.type("jjj")
    assert browser.run(FOCUSED) == "h2"
    browser.type("k" + ENTER)
    assert browser.run(FOCUSED) == "h1"
    browser.until("document.querySelector('#h1').getAttribute('aria-expanded') === 'true'")
    browser.type("/c21")
    browser.until("document.querySelector('.shown').textContent === '1 of 13'")
    browser.type(ENTER)
    assert browser.run("return document.activeElement.innerText.includes('customer c21')")
    browser.type("/" + ESCAPE)
    browser.until("document.querySelector('.shown').textContent === '13 verdicts'")
    browser.click(".chip.s-ruled_out")
    assert browser.run("return document.querySelector('.shown').textContent") == "7 of 13"
    assert browser.run("return document.querySelectorAll('article.s-ruled_out').length") == 0


def test_an_address_with_a_step_leads_there(browser: Browser, page: Path) -> None:
    browser.open(page, "#s3")
    browser.until("document.activeElement.id === 's3'")
    assert "billing" in browser.run("return document.activeElement.innerText")


@pytest.mark.parametrize("dark", [False, True])
def test_on_a_telephone_the_step_is_laid_over_the_verdict(tmp_path: Path, page: Path, dark: bool) -> None:
    with Browser(tmp_path / "telephone", width=420, height=860, dark=dark) as browser:
        browser.open(page)
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        browser.click("#b0 a.id")
        assert browser.run("const r = document.activeElement.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight")
        browser.type(ESCAPE)
        assert browser.run("return document.activeElement.textContent") == "f38b2ffc #12"
        light = browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(247, 247, 245)"
        assert light is not dark


def test_hostile_text_does_not_run(browser: Browser, tmp_path: Path) -> None:
    bad = supported(contract=HOSTILE, instance={HOSTILE: HOSTILE}, headline=HOSTILE, notes=())
    file = tmp_path / "bad.html"
    file.write_text(audit_html(summary((bad,)), (bad,)), encoding="ascii")
    browser.open(file)
    assert browser.run("return window.owned === undefined")
    assert browser.run("return document.querySelectorAll('img, script[src]').length") == 0
    assert "<img src=x" in browser.run("return document.querySelector('#v0').innerText")
    assert browser.complaints() == []


def test_five_thousand_verdicts_are_quick(browser: Browser, tmp_path: Path) -> None:
    many = (
        *(supported(instance={"customer": f"s{i}", "quarter": "2026-Q1"}) for i in range(200)),
        *(unknown(f"u{i}") for i in range(800)),
        *(ruled_out(f"r{i}") for i in range(4000)),
    )
    file = tmp_path / "many.html"
    file.write_text(audit_html(summary(many), many), encoding="ascii")
    browser.open(file)
    assert browser.run("return document.querySelectorAll('article').length") < 200
    assert browser.run("return performance.getEntriesByType('navigation')[0].domComplete") < 5000
    browser.type("/r3999")
    browser.until("document.querySelector('.shown').textContent === '1 of 5,000'")
