"""The built book in a real browser. Opt-in: FPSVERIFY_BROWSER=1 after `make book` (needs Chromium).

FPSVERIFY_BOOK_HTML names another folder with the built pages.
"""

import json
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from book import browser
from theory.counterexamples.exact_runs import RUNS
from theory.rates.descent.certified import certified_range
from theory.rates.parameters import Parameters
from theory.rates.ranges import ranges
from theory.rates.rounding import rounded_down

HTML = Path(
    os.environ.get("FPSVERIFY_BOOK_HTML", Path(__file__).parents[2] / "book" / "_build" / "html")
).resolve()
PAGES = sorted(path.name for path in HTML.glob("*.html") if path.name not in ("index.html", "genindex.html"))
pytestmark = [
    pytest.mark.skipif(os.environ.get("FPSVERIFY_BROWSER") != "1", reason="opt-in: FPSVERIFY_BROWSER=1"),
    pytest.mark.skipif(browser.executable() is None, reason="no Chromium"),
    pytest.mark.skipif(not PAGES, reason="the book is not built"),
]

# Outside a box that scrolls by itself, nothing may reach beyond the screen.
TOO_WIDE = """(() => {
  const scrolls = e => e && e.tagName !== 'ARTICLE' &&
    (['auto', 'scroll'].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  return [...document.querySelectorAll('article *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement))
    .filter(e => !e.closest('.sr-only, .visually-hidden')).map(e => e.tagName + '.' + e.className);
})()"""
RAW_TEX = r"""(() => { const text = document.querySelector('article').innerText;
  return text.match(/\$\$|\\frac|\\le\b|\\begin|\\gamma/g) || []; })()"""

# By the styles, because a browser without a screen may draw no scrollbars at all.
SCROLLBARS_IN_TEXT = """[...document.querySelectorAll('article mjx-container:not([display=true])')]
  .filter(e => getComputedStyle(e).scrollbarWidth !== 'none' && getComputedStyle(e).overflowX === 'auto')
  .filter(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).map(e => e.textContent)"""


# A displayed formula is shown whole on a wide screen; one in a line of text and a cell of a table everywhere.
CUT_FORMULAS = """[...document.querySelectorAll('article mjx-container[display=true]')]
  .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.closest('section')?.id)"""
CUT_IN_TEXT = """[...document.querySelectorAll('article mjx-container:not([display=true])')]
  .filter(e => e.querySelector('svg')?.getBoundingClientRect().right > e.getBoundingClientRect().right + 1)
  .map(e => e.parentElement.textContent.slice(0, 40))"""
CUT_LABELS = """[...document.querySelectorAll('svg.fps-chart text')].filter(e => {
  const a = e.getBoundingClientRect(), b = e.closest('svg').getBoundingClientRect();
  return a.left < b.left - 2 || a.right > b.right + 2 || a.top < b.top - 2 || a.bottom > b.bottom + 2;
}).map(e => e.textContent)"""
# A label of a chart, with its superscripts, has at least 9 px as it is shown.
TINY_TICKS = """[...document.querySelectorAll(
  'svg.fps-chart text, svg.fps-chart tspan, .fps-ticks sup')].filter(e => {
  const svg = e.closest('svg');
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  return scale && parseFloat(getComputedStyle(e).fontSize) * scale < 9;
}).map(e => e.textContent)"""
CUT_CELLS = """[...document.querySelectorAll('article table.fps-stackable td')]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.textContent.slice(0, 40))"""

# A formula that is wider than its box shrinks, on a wide screen; its letters stay at 11 px or more.
TINY_FORMULAS = """[...document.querySelectorAll('article mjx-container[display=true] > svg')].filter(e => {
  const shown = e.getBoundingClientRect().width;
  const letters = parseFloat(getComputedStyle(e.parentElement).fontSize);
  e.style.maxWidth = 'none';
  const whole = e.getBoundingClientRect().width;
  e.style.maxWidth = '';
  return whole && letters * shown / whole < 11;
}).map(e => e.closest('section')?.id)"""
CUT_NEIGHBOURS = """[...document.querySelectorAll('.prev-next-area *')].filter(e => {
  const box = e.getBoundingClientRect(), wide = e.clientWidth && e.scrollWidth > e.clientWidth + 1;
  return box.left < -1 || box.right > innerWidth + 1 || wide;
}).map(e => e.textContent.trim())"""
SAME_ID = """(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i); })()"""


@pytest.fixture(scope="module")
def tab() -> Iterator[browser.Tab]:
    with browser.browser() as opened:
        yield opened


def address(page: str) -> str:
    return (HTML / page.split("#")[0]).as_uri() + page[len(page.split("#")[0]) :]


def enter(tab: browser.Tab, name: str, value: float) -> None:
    """Type a number into a field."""
    field = f"document.querySelector('input[name={name}]')"
    tab.run(f"{field}.value = {value}; {field}.dispatchEvent(new Event('input'))")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", PAGES)
def test_page_is_quiet_local_and_fits(tab: browser.Tab, page: str, width: int) -> None:
    tab.open(address(page), width)
    assert tab.complaints == []
    assert [url for url in tab.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    if page != "search.html":
        assert tab.run(TOO_WIDE) == []
        assert tab.run(RAW_TEX) == []
        assert tab.run("document.querySelectorAll('mjx-merror').length") == 0
        assert tab.run(SCROLLBARS_IN_TEXT) == []
        assert width < 600 or tab.run(CUT_FORMULAS) == []
        assert tab.run(CUT_IN_TEXT) == [] == tab.run(CUT_LABELS)
        assert width > 600 or tab.run(CUT_CELLS) == [] == tab.run(TINY_TICKS)
        assert tab.run(TINY_FORMULAS) == []
        assert tab.run(CUT_NEIGHBOURS) == [] == tab.run(SAME_ID)


def test_errors_strangers_and_scrollbars_would_be_seen(tab: browser.Tab) -> None:
    """Negative control: a script that fails, an image from elsewhere, a formula wider than its box."""
    wide = "<mjx-container style='display:inline-block;width:9px;overflow:auto'>wide</mjx-container>"
    bad = "<script>undefinedName()</script><img src='http://example.invalid/x.png'>"
    tab.open(f"data:text/html,<article>{wide}</article>{bad}")
    tab.run("new Promise(done => setTimeout(done, 300))")
    assert any("undefinedName" in complaint for complaint in tab.complaints)
    assert any("example.invalid" in url for url in tab.requests)
    assert tab.run(SCROLLBARS_IN_TEXT) == ["wide"]


SHOWN = (
    "JSON.stringify(Object.fromEntries([...document.querySelectorAll('.fps-range[data-form]')].map("
    "r => [r.dataset.form, [r.querySelector('b').textContent, r.dataset.inside]])))"
)
VERDICT = "document.querySelector('#rate-calculator .fps-lead').textContent"


def at_most(limit: float) -> str:
    return f"γ ≤ {rounded_down(limit, 4)}"


def test_the_rate_calculator_shows_pythons_values_and_takes_a_limit_as_shown(tab: browser.Tab) -> None:
    tab.open(address("settings.html#L=4&E=5&B=1.5&m=0&trace=40&gamma=0.001"))
    right = certified_range(Parameters(L=4, E=5, B=Fraction(3, 2))).gamma_max
    paper = ranges(Parameters(L=4, E=5, B=Fraction(3, 2)))["paper"].gamma_max
    assert right is not None and paper is not None
    shown = json.loads(tab.run(SHOWN))
    assert shown["certified"] == [at_most(right), "true"] and shown["paper"] == [at_most(paper), "true"]
    assert shown["fresh"] == ["no sketch", "false"]
    enter(tab, "gamma", float(shown["certified"][0].removeprefix("γ ≤ ")))
    assert json.loads(tab.run(SHOWN))["certified"][1] == "true" and "inside" in tab.run(VERDICT)


def test_an_invalid_value_clears_the_verdict_and_a_valid_one_brings_it_back(tab: browser.Tab) -> None:
    tab.open(address("settings.html"))
    before = tab.run(VERDICT)
    for name, bad, good, said in (("E", 2.5, 5, "an integer"), ("L", -1, 4, "L must be a number above 0")):
        enter(tab, name, bad)
        assert said in tab.run("document.querySelector('#rate-calculator .fps-message').textContent")
        assert tab.run(VERDICT) == "" and json.loads(tab.run(SHOWN)) == {}
        enter(tab, name, good)
        assert tab.run(VERDICT) == before and tab.run("location.hash").startswith("#L=4&E=5")


# Numbers as programs write them, such as 5.4e-06.
PROGRAMMERS = (
    "document.querySelector('.fps-ranges').innerText.match(/\\S*\\d[eE][+-]?\\d+|NaN|Infinity/g) ?? []"
)


def test_no_calculator_writes_numbers_as_programs_do(tab: browser.Tab) -> None:
    tab.open(address("settings.html#L=90000&E=20&B=10&m=0&trace=40&gamma=10"))
    assert tab.run("document.querySelector('#rate-calculator').innerText.includes('·10')")
    assert tab.run(PROGRAMMERS) == []


def test_the_runs_play_break_and_clear(tab: browser.Tab) -> None:
    tab.open(address("why.html"))
    sides = (
        "[...document.querySelectorAll('.fps-run .fps-sides')].map(p => p.dataset.broken + p.dataset.allowed)"
    )
    assert tab.run(sides) == ["truetrue"] * len(RUNS)
    enter(tab, "gamma", -1)
    assert len(tab.run(sides)) == len(RUNS) - 1


# The contrast of every visible letter against what lies behind it, as WCAG 2 has it.
TOO_FAINT = """(() => {
  const parts = c => (c.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = c => parts(c).slice(0, 3).map(v => v / 255)
    .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const solid = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor, p = parts(c);
    if (c.startsWith('rgb') && (p.length < 4 || p[3] === 1)) return c; } return 'rgb(255,255,255)'; };
  return [...document.querySelectorAll('p, li, td, th, figcaption, summary, a')]
    .filter(e => e.closest('article')).filter(e => e.offsetParent && e.innerText.trim()).filter(e => {
      const [high, low] = [light(getComputedStyle(e).color), light(solid(e))].sort((a, b) => b - a);
      return (high + .05) / (low + .05) < 4.5; }).map(e => e.innerText.slice(0, 40));
})()"""


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("page", ["intro.html", "why.html", "settings.html"])
def test_text_can_be_read_in_both_modes(tab: browser.Tab, page: str, mode: str) -> None:
    tab.open(address(page))
    tab.run(f"document.documentElement.dataset.theme = '{mode}'")
    assert tab.run(TOO_FAINT) == []
