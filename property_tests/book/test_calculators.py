"""The calculators of the book answer as Python does: learning rates and the words."""

import math
import random
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from book.bookkit import js_formulas
from property_tests.book import node
from property_tests.book.node import needs_node
from property_tests.support.rate_strategies import random_parameters
from theory.rates.descent.certified import certified_range
from theory.rates.parameters import Parameters
from theory.rates.ranges import FORMS, ranges
from theory.rates.rounding import rounded_down

# Every closed limit is a quotient of expressions with fewer than 40 operations, each with relative error
# 2^-53; the one subtraction that cancels, 1 − P, is kept away from 0 below (|1 − P| ≥ 10^-3 amplifies by at
# most 10^3·P). The drift recursion runs at most 8 steps of 10 operations, save for one point with E = 200.
# 2000 operations · 2^-53 · 10^3 < 2.3e-10.
RELATIVE = 2.3e-10


def as_input(q: Parameters) -> dict[str, float]:
    return {name: float(getattr(q, name)) for name in ("L", "mu", "E", "B", "P_b", "P_n", "M")}


def rounded(q: Parameters) -> Parameters:
    """The parameters that JavaScript sees: binary floating-point numbers."""
    seen = as_input(q)
    return Parameters(**{**seen, "E": q.E, "M": q.M})


def awkward_points() -> list[Parameters]:
    """Edges: nothing but L, no noise, μ that binds, an empty range, an affine loss."""
    half = Fraction(1, 2)
    return [
        Parameters(L=1),
        Parameters(L=0),
        Parameters(L=0, mu=2, E=3),
        Parameters(L=1, mu=50, E=2),
        Parameters(L=1, E=5, P_b=half, P_n=half),
        Parameters(L=3, E=1, B=2, P_b=Fraction(1, 2)),
        Parameters(L=3, E=1, P_n=4, M=1),
        Parameters(L=3, E=1, P_n=4, M=100),
        Parameters(L=3, E=2, P_n=4, M=1),
        Parameters(L=Fraction(1, 100), E=200, B=2, P_b=Fraction(1, 100), P_n=1, M=3),
    ]


def well_conditioned(q: Parameters) -> bool:
    """No denominator 1 − P_bB²(…) so near 0 that rounding decides whether a range is empty."""
    y = float(q.P_b) * float(q.B) ** 2
    edges = [y, 6 * y * q.E**2, 4 * y * q.E**2 * (1 + 2 / (1 + 2 * float(q.B) ** 2 * float(q.P_b + q.P_n)))]
    return all(abs(1 - edge) > 1e-3 for edge in edges)


@needs_node
def test_every_range_has_pythons_limit() -> None:
    draws = random.Random(7)
    points = [rounded(q) for q in awkward_points() + [random_parameters(draws) for _ in range(250)]]
    points = [q for q in points if well_conditioned(q)]
    found = node.evaluate(js_formulas.rate_engine(), "allRanges", [as_input(q) for q in points])
    for q, answers in zip(points, found, strict=True):
        assert [answer["form"] for answer in answers] == list(FORMS)
        for answer, right in zip(answers, ranges(q).values(), strict=True):
            kind = (right.empty, right.unbounded, right.strict)
            assert (answer["empty"], answer["unbounded"], answer["strict"]) == kind, q
            if right.gamma_max is not None:
                assert math.isclose(answer["gamma_max"], right.gamma_max, rel_tol=RELATIVE), q


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
def test_certified_rates_are_pythons_and_never_above_them() -> None:
    """On the grid the same; between its points at most the certified rate there, because B is rounded up."""
    draws = random.Random(7)
    points = [
        {"L": 4.0, "E": E, "B": B, "P_b": P_b} for E, B, P_b in ((2, 1.5, 0.0), (3, 2.0, 0.01), (1, 1.0, 0.0))
    ]
    points += [{"L": 2.0, "E": draws.randint(1, 4), "B": draws.uniform(1, 6), "P_b": 0.0} for _ in range(3)]
    inputs = [{**p, "P_n": 0.0, "mu": 0.0, "M": 4, "L_A": 0.0} for p in points]
    shown = node.evaluate(js_formulas.rate_engine(), "certifiedRate", inputs)
    for point, rate in zip(points, shown, strict=True):
        right = certified_range(Parameters(**point)).gamma_max
        on_grid = point["B"] in (1.0, 1.5, 2.0)
        # The search ends within its tolerance of 1e-4, and B is rounded up: elsewhere only the order is sure.
        assert rate <= right * (1 + 3e-4) and (not on_grid or rate >= right * (1 - 3e-4)), point


@needs_node
def test_the_advice_is_the_smallest_of_what_applies() -> None:
    base = {"L": 4.0, "E": 1, "B": 1.3, "P_b": 0.0, "P_n": 0.0, "mu": 0.0, "M": 10, "L_A": 0.0}
    cases = [base, {**base, "L_A": 18.0}, {**base, "P_b": 1.0, "B": 2.0}, {**base, "P_n": 0.5, "E": 3}]
    plain, sketched, biased, noisy = node.evaluate(js_formulas.rate_engine(), "adviceFor", cases)
    assert 0.4999 <= plain["gamma"] < 0.5  # the end itself only jumps to and fro
    assert sketched["gamma"] == pytest.approx(1 / 18) == sketched["edge"] / 2
    assert biased["gamma"] is None and noisy["source"] == "Theorem A"


# v = (1, −3/5) meets itself with opposite signs: L_A = 4/25 is far below L = 34/25.
@needs_node
def test_the_edge_of_the_sketch_is_cut_where_local_steps_overshoot() -> None:
    """2/(L + μ), not 2/(E L_A), where L_A is far below L; at one local step it is 2/L_A whatever L is."""
    points = [{"L": 1.6, "L_A": 0.16, "E": E, "mu": mu} for E, mu in ((3, 0), (3, 0.4), (1, 0))]
    shown = node.evaluate(js_formulas.rate_engine(), "sketchRate", points)
    assert shown == pytest.approx([1.25, 1.0, 12.5], rel=RELATIVE)


EDGE = js_formulas.source("edge.js")
ROUNDS = 150


def fates(losses: list[list[float]], unstable: bool = False) -> list[str]:
    return node.evaluate(EDGE, f"l => fateOf(l, {str(unstable).lower()})", losses)


@needs_node
@settings(max_examples=5)
@given(st.floats(0.5, 0.97), st.floats(1.03, 1.3), st.floats(0.0, 0.6), st.floats(1.0, 2.9))
def test_a_run_falls_rises_or_diverges(falls: float, grows: float, low: float, top: float) -> None:
    """Down to a level and to stay; down and up to a level below 3 of the start, which counts as growth only
    beyond an exact edge; growth without end, be it like t² only."""
    steps = range(ROUNDS + 1)
    down = [low + (1 - low) * falls**t for t in steps]
    slow = [low + abs(t - 100) / 100 for t in steps]
    turned = [down[t] if t < 75 else top for t in steps]
    growing = [[grows**t for t in steps], [1.0 + t * t for t in steps]]
    assert fates([down, turned, slow, *growing]) == ["falls", "rises", "rises", "diverges", "diverges"]
    assert fates([down, slow], unstable=True) == ["falls", "diverges"]


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
