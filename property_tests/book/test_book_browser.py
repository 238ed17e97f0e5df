"""The built book in a real browser. Opt-in: FPSVERIFY_BROWSER=1 after `make book` (needs Chromium).

FPSVERIFY_BOOK_HTML names another folder with the built pages.
"""

import json
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import pytest

from book import browser
from theory.counterexamples.exact_runs import RUNS
from theory.rates.descent.certificate import from_json, parsed
from theory.rates.descent.certified import certified_range
from theory.rates.descent.check import objection
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


def test_learning_rate_calculator_shows_pythons_values(tab: browser.Tab) -> None:
    q = Parameters(L=2.5, mu=0.3, E=4, B=1.2, P_b=0.002, P_n=0.4, M=6)
    values = "&".join(f"{name}={getattr(q, name)}" for name in ("L", "mu", "E", "B", "P_b", "P_n", "M"))
    tab.open(address(f"learning_rate.html#{values}&gamma=0.02"))
    shown = json.loads(tab.run(SHOWN))
    for form, right in ranges(q).items():
        limit = (
            "empty" if right.empty else f"γ {'<' if right.strict else '≤'} {rounded_down(right.gamma_max, 4)}"
        )
        assert shown[form] == [limit, str(right.contains(0.02)).lower()], form


def test_a_certified_rate_that_is_entered_as_shown_is_inside(tab: browser.Tab) -> None:
    tab.open(address("learning_rate.html#L=4&mu=0&E=5&B=1.5&P_b=0&P_n=0&M=10&L_A=0&gamma=0.01"))
    limit, _ = json.loads(tab.run(SHOWN))["certified"]
    right = certified_range(Parameters(L=4, E=5, B=Fraction(3, 2))).gamma_max
    assert right is not None and limit == f"γ ≤ {rounded_down(right, 4)}"
    enter(tab, "gamma", float(limit.removeprefix("γ ≤ ")))
    assert json.loads(tab.run(SHOWN))["certified"][1] == "true"
    assert "Proved: γ ≤" in tab.run("document.querySelector('#rate-calculator .fps-lead').textContent")
    href = tab.run("document.querySelector('#rate-calculator a[download]').href")
    certificate = from_json(parsed(unquote(href.partition(",")[2])))
    assert objection(certificate) is None


def test_learning_rate_calculator_reacts(tab: browser.Tab) -> None:
    tab.open(address("learning_rate.html"))
    before = tab.run("document.querySelector('[data-form=repaired_sharp] b').textContent")
    enter(tab, "L", 40)
    after = tab.run("document.querySelector('[data-form=repaired_sharp] b').textContent")
    assert before != after and tab.run("location.hash").startswith("#L=40")
    enter(tab, "E", 2.5)
    assert "E must be an integer" in tab.run("document.querySelector('.fps-message').textContent")
    enter(tab, "E", 5)
    enter(tab, "L", 0)
    assert (
        tab.run("document.querySelector('.fps-message').textContent") == "L must be a number above 0, not 0."
    )


# Numbers as programs write them, such as 5.4e-06.
PROGRAMMERS = (
    "document.querySelector('.fps-calc').innerText.match(/\\S*\\d[eE][+-]?\\d+|NaN|Infinity/g) ?? []"
)


def test_no_calculator_writes_numbers_as_programs_do(tab: browser.Tab) -> None:
    tab.open(address("learning_rate.html#L=900&E=20&B=10&P_b=0.009&L_A=9000&gamma=10"))
    assert tab.run("document.querySelector('#rate-calculator').innerText.includes('·10')")
    assert tab.run(PROGRAMMERS) == []


FATE = "document.querySelector('#edge-demo [data-fate]').dataset.fate"


def test_a_small_sketch_diverges_and_a_loss_that_rises_again_and_stays_bounded_does_not(tab: browser.Tab):
    """Neither with the mean nor with the median, and the page says why."""
    tab.open(address("intro.html"))
    assert tab.run(FATE) == "diverges"
    enter(tab, "buckets", 256)
    assert tab.run(FATE) == "falls"
    buttons = "[...document.querySelectorAll('#edge-demo button')]"
    for name in ("Small k", "median"):
        tab.run(f"{buttons}.find(b => b.textContent.includes('{name}')).click()")
        assert tab.run(FATE) == "rises"
        words = tab.run("document.querySelector('#edge-demo [data-fate]').textContent")
        assert "k is too small" in words and "diverges" not in words


def test_the_runs_of_chapter_five_play_and_break(tab: browser.Tab) -> None:
    tab.open(address("counterexamples.html"))
    found = tab.run(
        "[...document.querySelectorAll('.fps-run .fps-sides')].map(p => p.dataset.broken + p.dataset.allowed)"
    )
    assert found == ["truetrue"] * len(RUNS)
