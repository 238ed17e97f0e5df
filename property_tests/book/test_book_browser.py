"""The built book in a real browser. Opt-in: FPSVERIFY_BROWSER=1 after `make book` (needs Chromium).

FPSVERIFY_BOOK_HTML names another folder with the built pages.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import pytest

from book import browser
from property_tests import laws
from theory.bounds.sketch_size import Demand, columns_needed
from theory.counterexamples.exact_runs import RUNS
from theory.counterexamples.printed import PrintedParameters, gamma_range, rho
from theory.rates.descent.certificate import from_json, parsed
from theory.rates.descent.certified import certified_range
from theory.rates.descent.check import objection
from theory.rates.parameters import Parameters
from theory.rates.ranges import ranges
from theory.rates.rounding import rounded_down

SOURCE = laws.BOOK

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
    tab.open(address("intro.html"))
    enter(tab, "L", 1000)
    assert "L = 1000" in tab.run("document.querySelector('#hero').innerText") and tab.run(PROGRAMMERS) == []


BROKEN = "(({broken, allowed}) => [broken, allowed])(document.querySelector('.fps-sides').dataset)"


def test_the_first_figure_diverges_inside_the_papers_range(tab: browser.Tab) -> None:
    tab.open(address("intro.html"))
    assert tab.run(BROKEN) == ["true", "true"]
    lead = "document.querySelector('.fps-sides-lead').textContent"
    assert "grows" in tab.run(lead)
    enter(tab, "L", 4)
    assert "shrinks" in tab.run(lead) and tab.run(BROKEN)[1] == "true"
    enter(tab, "gamma", 0.2)
    assert tab.run(BROKEN)[1] == "false"


def test_the_first_figure_names_both_of_the_papers_conditions(tab: browser.Tab) -> None:
    """Eq. (11), and ρ(γ) > 1/4, which allows half of that where there is no noise and hardly any bias."""
    tab.open(address("intro.html"))
    one = Fraction(1)
    for E, B in ((1, 1), (5, 2)):
        enter(tab, "E", E)
        enter(tab, "B", B)
        q = PrintedParameters(L=one, gamma=0 * one, T=1, W=one, c=2 * one, P_b=one / 10**6, E=E, B=B)
        at_one = rho(replace(q, gamma=one))
        quarter = (rho(q) - Fraction(1, 4)) / (rho(q) - at_one)  # ρ is affine in γ
        shown = tab.run("document.querySelector('.fps-hero-map + .fps-legend').textContent")
        assert f"paper, eq. (11): γ ≤ {rounded_down(float(gamma_range(q)), 3)}, for any L" in shown
        assert f"paper, ρ(γ) > ¼: γ < {rounded_down(float(quarter), 3)}" in shown


# The texts of the map that touch its dot or one of its lines, and the label's corners outside of its region.
STRUCK = """(() => {
  const map = document.querySelector('.fps-hero-map');
  const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const around = p => ({left: p.x - 1, right: p.x + 1, top: p.y - 1, bottom: p.y + 1});
  const onLine = path => Array.from({length: 501}, (_, i) => around(
    path.getPointAtLength(path.getTotalLength() * i / 500).matrixTransform(path.getScreenCTM())));
  const lines = [...map.querySelectorAll('[class^=fps-limit]')].flatMap(onLine);
  const marks = [map.querySelector('.fps-dot').getBoundingClientRect(), ...lines];
  return [...map.querySelectorAll('text')].filter(t => marks.some(m => touch(t.getBoundingClientRect(), m)))
    .map(t => t.textContent);
})()"""
OUTSIDE = """[...document.querySelectorAll('.fps-inside')].flatMap(text => {
  const box = text.getBBox(), region = document.querySelector('.fps-wrong');
  return [[0, 0], [1, 0], [0, 1], [1, 1]].filter(([right, low]) => !region.isPointInFill(
    new DOMPoint(box.x + right * box.width, box.y + low * box.height)));
})"""


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_of_the_map_touches_its_dot_or_a_line(tab: browser.Tab, width: int) -> None:
    tab.open(address("intro.html"), width)
    presets = "document.querySelectorAll('#hero > div:not([class]) > button')"
    assert tab.run(f"{presets}.length") == 3
    for i in range(3):
        tab.run(f"{presets}[{i}].click()")
        assert tab.run(STRUCK) == []
        assert tab.run("document.querySelectorAll('.fps-inside').length") > 0 and tab.run(OUTSIDE) == []


def test_every_refutation_is_a_preset_that_breaks_the_bound(tab: browser.Tab) -> None:
    tab.open(address("intro.html"))
    count = tab.run("document.querySelectorAll('#hero details button').length")
    assert count == len(RUNS)
    for i in range(count):
        tab.run(f"document.querySelectorAll('#hero details button')[{i}].click()")
        assert tab.run(BROKEN) == ["true", "true"], i
        assert tab.run(PROGRAMMERS) == [], i
        qualified = tab.run("document.querySelector('.fps-qualification')?.textContent ?? ''")
        assert bool(qualified) == (not RUNS[i].refutation.as_printed), i
    enter(tab, "L", 4)
    assert tab.run("document.querySelector('.fps-qualification')") is None


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


@pytest.mark.parametrize(
    ("page", "wrong", "right"),
    [
        ("counterexamples", (30, 0.002), (60, 0.008)),
        ("learning_rate", (0.2, 5), (0.0543, 3)),
        ("advice", (0.5, 6), (1.4, 45)),
    ],
)
def test_exercises_are_checked(tab: browser.Tab, page: str, wrong: tuple, right: tuple) -> None:
    tab.open(address(f"{page}.html"))
    for answers, sign in ((wrong, "✗"), (right, "✓")):
        for i, value in enumerate(answers):
            box = f"document.querySelectorAll('.fps-exercise')[{i}]"
            tab.run(f"{box}.querySelector('input').value = {value}; {box}.querySelector('button').click()")
            assert tab.run(f"{box}.querySelector('[role=status]').textContent").startswith(sign), (
                page,
                i,
                value,
            )


def test_size_calculator_shows_pythons_values(tab: browser.Tab) -> None:
    tab.open(address("sketch_size.html#d=5000&k=25&c=4&T=10&delta=0.05&p=1&noise=0"))
    buckets = tab.run("document.querySelector('[data-size=\"5 rows\"] b').textContent")
    expected = columns_needed(5, Demand(k=25, d=5000, T=10, delta=0.05, epsilon=0.1, p=1))
    assert expected is not None and int("".join(c for c in buckets if c.isdigit())) == expected.buckets


def test_every_box_of_the_proof_map_leads_to_its_entry(tab: browser.Tab) -> None:
    tab.open(address("theorem.html"), 1280)
    links = tab.run("[...document.querySelectorAll('.fps-node')].map(a => a.getAttribute('href'))")
    assert len(links) > 100
    edge = tab.run("document.querySelector('article').getBoundingClientRect().right")
    boxes = tab.run("[...document.querySelectorAll('.fps-node')].map(a => a.getBoundingClientRect().right)")
    assert max(boxes) <= edge + 1
    for link in links:
        page, anchor = link.split("#")
        assert f'id="{anchor}"' in (HTML / page).read_text(encoding="utf-8"), link
    tab.run(
        "document.querySelector('.fps-node[data-id=\"T1.2\"]').dispatchEvent(new MouseEvent('mouseenter'))"
    )
    assert tab.run("document.querySelectorAll('.fps-node.fps-on').length") > 3


# A tap as a phone reports it; whether the link would open.
TAP = """(id => {
  const box = document.querySelector(`.fps-node[data-id="${id}"]`), click = new PointerEvent('click',
    {bubbles: true, cancelable: true, pointerType: 'touch'});
  box.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, pointerType: 'touch'}));
  box.dispatchEvent(new MouseEvent('mouseenter'));
  const seen = event => { click.open = !event.defaultPrevented; event.preventDefault(); };
  document.addEventListener('click', seen, {once: true});
  box.dispatchEvent(click);
  return click.open;
})"""


def test_a_first_tap_on_the_proof_map_shows_and_a_second_opens(tab: browser.Tab) -> None:
    tab.open(address("theorem.html"), 390)
    assert [tab.run(f"{TAP}('{name}')") for name in ("T1.2", "T1.2", "T1.3", "T1.2")] == [
        False, True, False, False,
    ]  # fmt: skip
    assert "Rests on" in tab.run("document.querySelector('.fps-map-words').textContent")


def test_the_tables_of_sketch_sizes_show_every_column_on_a_phone(tab: browser.Tab) -> None:
    tab.open(address("sketch_size.html"), 390)
    hidden = (
        "[...document.querySelectorAll('table.fps-numbers')].slice(0, 2).map(e => e.closest('.fps-scroll'))"
    )
    assert tab.run(f"{hidden}.map(e => e.scrollWidth - e.clientWidth)") == [0, 0]
