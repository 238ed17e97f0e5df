"""The calculators of the book answer as Python does: learning rates and the words."""

import random
import re
from fractions import Fraction

import pytest

from book.bookkit import js_formulas
from property_tests.book import node
from property_tests.book.node import needs_node
from theory.rates.descent.certified import certified_range
from theory.rates.fresh_sketch import FreshSketch
from theory.rates.parameters import Parameters
from theory.rates.ranges import ranges
from theory.rates.rounding import rounded_down

RATES = js_formulas.rate_engine()
RELATIVE = 1e-12  # a dozen operations, each with a relative error of 2^-53; 2^-50 is taken off or put on


def points() -> list[dict[str, float]]:
    """On the grid of certificates and between its points."""
    draws = random.Random(7)
    grid = [{"L": 4.0, "E": E, "B": B} for E, B in ((1, 1.0), (2, 1.5), (3, 2.0), (5, 1.25), (10, 5.0))]
    drawn = [
        {"L": draws.uniform(0.1, 50), "E": draws.randint(1, 4), "B": draws.uniform(1, 6)} for _ in range(5)
    ]
    sizes = [{"m": draws.choice((3, 50, 1000, 99_991)), "trace": draws.uniform(1, 400)} for _ in range(10)]
    return [each | size for each, size in zip(grid + drawn, sizes, strict=True)]


@needs_node
def test_certified_rates_are_pythons_and_never_above_them() -> None:
    """On the grid the same; between its points at most the certified rate there, because B is rounded up."""
    for i, (at, rate) in enumerate(
        zip(points(), node.evaluate(RATES, "certifiedRate", points()), strict=True)
    ):
        right = certified_range(Parameters(L=at["L"], E=at["E"], B=at["B"])).gamma_max
        # The search ends within its tolerance of 1e-4.
        assert right is not None and rate <= right * (1 + 3e-4) and (i >= 5 or rate >= right * (1 - 3e-4)), at


@needs_node
def test_impossible_rates_are_never_below_pythons_and_the_papers_is_its_own() -> None:
    """B is rounded down: what fails for devices that are more alike fails for these."""
    shown = node.evaluate(RATES, "q => [impossibleRate(q), certifiedRate(q), paperRate(q)]", points())
    for at, (never, proved, paper) in zip(points(), shown, strict=True):
        right = ranges(Parameters(L=at["L"], E=at["E"], B=at["B"]))["paper"].gamma_max
        assert never is None or never > proved
        assert paper == pytest.approx(right, rel=RELATIVE)


@needs_node
def test_the_rate_over_a_fresh_sketch_is_pythons_at_one_local_step_and_absent_beyond() -> None:
    for at, rate in zip(points(), node.evaluate(RATES, "freshRate", points()), strict=True):
        L, trace = Fraction(at["L"]), Fraction(at["trace"])
        sketch = FreshSketch(1, int(at["m"]), 10**6, ell=L, trace=trace * L)
        right = 2 / (L + sketch.omega_L)
        if at["E"] > 1:
            assert rate is None
        else:
            assert right * (1 - Fraction(RELATIVE)) <= Fraction(rate) < right, at
    assert node.evaluate(RATES, "freshRate", [{"L": 1, "E": 1, "m": 0, "trace": 5}]) == [None]


@needs_node
def test_the_sentence_says_inside_or_how_far_outside() -> None:
    base = {"L": 4, "E": 5, "B": 1.3, "m": 0, "trace": 40, "gamma": 0.01}
    cases = [
        base,
        base | {"gamma": 50},
        base | {"E": 1, "m": 100, "gamma": 0.1},
        base | {"m": 100},
        base | {"E": 13},
    ]
    inside, outside, fresh, beyond, absent = node.evaluate(RATES, "sentenceFor", cases)
    assert "inside" in inside and "without a sketch" in inside
    assert "times that" in outside and "never improves" in outside
    assert "in the mean over hashes" in fresh and "inside" in fresh
    assert all("Not on this page" in text and "fpsverify lr --L 4" in text for text in (beyond, absent))
    steep = base | {"L": 100, "E": 1, "B": 1, "gamma": 0.05}
    assert "The paper would allow it" in node.evaluate(RATES, "sentenceFor", [steep])[0]


@needs_node
def test_limits_are_rounded_down_as_in_python() -> None:
    """0.0465166 is shown as 0.04651: a limit that is entered as shown is inside."""
    draws = random.Random(5)
    values = [0.0465166, 0.3, 1.0, 2.0, 12345.678, 1e-7, 9.9999e-5]
    values += [draws.uniform(1, 10) * 10.0 ** draws.randint(-9, 9) for _ in range(300)]
    shown = node.evaluate(js_formulas.source("numbers.js"), "x => down(x)", values)
    assert shown == [rounded_down(v, 4) for v in values]
    assert all(float(text) <= v for text, v in zip(shown, values, strict=True))


def on_paper(text: str) -> Fraction:
    """The number that 3.2·10<sup>−7</sup> means."""
    assert not re.search(r"\d[eE][+-]?\d|inf|NaN", text), text
    head, raised, power = text.replace("−", "-").replace("</sup>", "").partition("10<sup>")
    if not raised:
        return Fraction(head.replace(",", ""))
    mantissa = head.rstrip("·")
    return Fraction({"": "1", "-": "-1"}.get(mantissa, mantissa)) * Fraction(10) ** int(power)


# Four digits, rounded: half a unit of the last, which is at most 1/1000, and a little for binary numbers.
FOUR = Fraction(501, 10**6)


NUMBERS = js_formulas.source("numbers.js")


@needs_node
def test_numbers_are_written_as_on_paper_and_limits_stay_rounded_down() -> None:
    """No 5.4e-06 and no 1e+03; a limit as shown is never above the limit."""
    draws = random.Random(3)
    values = [draws.uniform(1, 10) * 10.0 ** draws.randint(-40, 40) for _ in range(500)]
    for value, near, below in zip(
        values,
        node.evaluate(NUMBERS, "x => onPage(x)", values),
        node.evaluate(NUMBERS, "x => downOnPage(x)", values),
        strict=True,
    ):
        exact = Fraction(value)
        assert abs(on_paper(near) / exact - 1) <= FOUR
        assert -2 * FOUR <= on_paper(below) / exact - 1 <= Fraction(1, 10**12)
        assert "10<" not in near or not 1e-4 <= value < 9.999e4


EXACT = js_formulas.source("numbers.js", "exact.js")


@needs_node
def test_a_short_fraction_is_exact_and_a_long_one_a_decimal() -> None:
    """5000041/41 is 1.22·10⁵; numbers beyond 10³⁰⁸ have a size too, and a limit is rounded down."""
    call = "([n, d]) => [shown({n: BigInt(n), d: BigInt(d)}), shown({n: BigInt(n), d: BigInt(d)}, down)]"
    draws = random.Random(3)
    sizes = [10 ** draws.choice([0, 0, 1, 3, 6, 20, 320, 900]) for _ in range(800)]
    pairs = zip(sizes[::2], sizes[1::2], strict=True)
    big = [Fraction(draws.randint(-999, 999) * n, draws.randint(1, 99) * d) for n, d in pairs]
    big += [Fraction(s * (10**n - 1), d) for s in (1, -1) for n in (4, 5, 9, 400) for d in (1, 10**3, 10**9)]
    big += [Fraction(99_999_600_001 * 10**400), Fraction(-99_999_600_001 * 10**400)]
    answers = node.evaluate(EXACT, call, [[str(x.numerator), str(x.denominator)] for x in big])
    for x, (text, limit) in zip(big, answers, strict=True):
        if len(str(x)) <= 7:
            assert Fraction(text.replace("−", "-").replace(",", "")) == x and text == limit
            assert re.fullmatch(r"−?\d{1,4}(/\d+)?|−?(\d{2,3}|\d{1,3},\d{3})(,\d{3})+|−?\d+/\d+", text)
        else:
            assert not text.removeprefix("−").startswith("10·")
            assert "/" not in text.replace("</", "") and abs(on_paper(text) / x - 1) <= FOUR
            assert on_paper(limit) - x <= abs(x) / 10**9
    assert node.evaluate(EXACT, call, [["5000041", "41"]])[0][0] == "1.22·10<sup>5</sup>"


FIELD = {"key": "L", "least": 0, "above": True}


@needs_node
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        (FIELD, 0, "L must be a number above 0, not 0."),
        (FIELD, -2.5, "L must be a number above 0, not -2.5."),
        ({"key": "E", "kind": "integer", "least": 1, "most": 9}, 2.5,
         "E must be an integer of at least 1 and at most 9, not 2.5."),
        (FIELD, 3, ""),
    ],
)  # fmt: skip
def test_a_bad_value_gets_one_line_with_field_value_and_remedy(field: dict, value: float, said: str) -> None:
    call = "([field, value]) => problemWith(field, value)"
    assert node.evaluate(js_formulas.source("fields.js"), call, [[field, value]]) == [said]


@needs_node
def test_ticks_are_whole_rounds_and_enough_powers() -> None:
    """1, 2 and 5 lie at most log₁₀ 2.5 < 0.4 apart, so 0.8 holds two of them; labels tell them apart."""
    draw, engine = random.Random(5), js_formulas.source("plot.js")
    spans = [[low := draw.uniform(-9, 9), low + draw.uniform(0.8, 12)] for _ in range(500)]
    call = "([low, high]) => niceTicks(low, high, true).map(v => [v, powerOfTen(v)])"
    for (low, high), ticks in zip(spans, node.evaluate(engine, call, spans), strict=True):
        assert 2 <= len(ticks) <= 8 and len({label for _, label in ticks}) == len(ticks)
        assert all(low - 1e-6 <= at <= high + 1e-6 for at, _ in ticks)
    counted = node.evaluate(engine, "n => niceTicks(1, n + 1, false, true)", list(range(1, 300)))
    assert all(len(ticks) > 1 and all(float(tick).is_integer() for tick in ticks) for ticks in counted)
