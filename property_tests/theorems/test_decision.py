"""One judge: what a theorem needs is needed, what it covers is what its proof covers, and every door that
gives it the same facts gets the same verdict and the same numbers.
"""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from empirical.advice import words
from empirical.facts import of_run
from property_tests.advice.test_words import KINKED, NETWORK, SKETCH, at_start
from property_tests.support.commands import said
from property_tests.support.rate_strategies import rationals
from theory.facts import AT_POINTS, Compression, Facts, Known, lacking
from theory.rates.answer import answer
from theory.rates.fresh_sketch import FreshSketch
from theory.rates.parameters import Box, Parameters
from theory.theorems import (
    THEOREMS,
    Allowed,
    could_hold,
    decide,
    guaranteed,
    is_certified,
    named,
    of_letters,
    promised,
    worst,
)

EDGE = Known(0.4, 0.39, 0.41, "exact")
BOX = Box.point(Parameters(L=2, M=3))
BREAKS: dict[str, dict[str, Any]] = {
    "finite constants": {"box": None},
    "mean": {"averaged": False},
    "everyone": {"everyone": False},
    "smooth": {"loss": "kinked"},
    "noise": {"shown": {"noise": False}},
    "bias": {"shown": {"bias": False}},
    "proximal step": {"shown": {"proximal step": False}},
    "all rows": {"sampled": True},
    "fixed mu": {"mu_follows": True},
    "no mu": {"mu": 0.5, "E": 2},
    "one step": {"E": 2},
    "curvature everywhere": {"reach": AT_POINTS, "loss": "smooth"},
    "noise everywhere": {"reach": AT_POINTS, "full_batch": False},
    "no fading": {"reach": AT_POINTS, "fading": True},
    "quadratic": {"loss": "convex"},
    "convex": {"loss": "smooth"},
    "minimum": {"loss": "convex", "how": "measured"},
    "noiseless": {"quiet": False},
    "nothing compressed": {"compression": Compression(2, 2, 1, 2)},
    "k = d": {"compression": Compression(1, 2, 1, 2)},
    "mean read-out": {"compression": Compression(2, 2, 1, 2, "median")},
    "kept table": {"table_kept": False},
    "kept sketch": {"compression": None},
    "vectors kept": {"shown": {"vectors kept": False}},
    "dense data": {"shown": {"dense data": False}},
    "finite noise": {"shown": {"finite noise": False}},
    "differences": {"differences": False, "E": 2},
    "no bias": {"box": Box.point(Parameters(L=2, M=3, P_b=Fraction(1, 10)))},
    "residual": {"residual": False},
    "edge": {"edge": None},
    "fresh hash": {"compression": Compression(2, 2, 1, 2)},
    "no memory": {"compression": Compression(2, 2, 1, 2, hash="fresh", memory=0.5)},
    "one hash": {"compression": Compression(2, 2, 1, 2, hash="fresh")},
    "exact edge": {"edge": replace(EDGE, how="measured")},
}


def friendly(theorem: str) -> Facts:
    """Facts that meet all conditions of a theorem."""
    facts = Facts(E=1, box=BOX, loss="quadratic", theta=0, edge=EDGE)
    if theorem == "Theorem S":
        return replace(facts, compression=Compression(2, 2, 1, 2, hash="fresh"))
    if "kept sketch" in next(t.needs for t in THEOREMS if t.name == theorem) or "hash" in theorem:
        return replace(facts, compression=Compression(2, 2, 1, 2))
    return facts


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.name)
def test_whatever_a_theorem_needs_is_needed_and_named(theorem: Any) -> None:
    """With all of it the theorem applies; without one condition it does not, and that one is missing."""
    facts = friendly(theorem.name)
    (verdict,) = decide(facts, only=(theorem.name,))
    assert verdict.applies and not lacking(facts, theorem.needs)[0]
    for name in theorem.needs:
        (broken,) = decide(replace(facts, **BREAKS[name]), only=(theorem.name,))
        assert not broken.applies and name in broken.missing + broken.open, name


@given(st.sampled_from(sorted(BREAKS)), st.sampled_from(sorted(BREAKS)))
def test_what_is_shown_to_fail_or_left_open_outweighs_what_is_supposed(first: str, second: str) -> None:
    facts = Facts(E=1, box=BOX, loss="quadratic", edge=EDGE, shown={first: None, second: False})
    missing, undecided = lacking(facts, (first, second))
    assert second in missing
    assert first in (missing if first == second or first in missing else undecided)


@given(rationals("0.1", "5"), st.integers(1, 4), st.sampled_from(["0", "0.3"]), rationals("0.01", "1.2"))
def test_the_certified_rates_are_those_that_the_certificate_covers(
    L: Fraction, E: int, mu: str, share: Fraction
) -> None:
    """For mu > 0 and E >= 2 one γ alone is proved, beside those below Theorem A's limit."""
    q = Parameters(L=L, E=E, mu=Fraction(mu) * L)
    proof = answer(Box.point(q)).certified
    verdicts = decide(of_letters(Box.point(q)), only=("descent",))
    assert proof.gamma_max is not None
    rate = float(share) * proof.gamma_max
    sure = rate <= proof.gamma_max if proof.all_smaller else rate == proof.gamma_max or rate < proof.theorem_a
    assert is_certified(verdicts, rate) == sure
    assert is_certified(verdicts, proof.gamma_max)


def test_a_rate_between_is_certified_by_a_certificate_of_its_own() -> None:
    """Least squares, E = 4, mu = .3 (a run at .6 was called certified for a certificate at another γ)."""
    box = Box.point(Parameters(L=1, E=4, mu=Fraction(3, 10)))
    plain, asked = (decide(of_letters(box), rate, only=("descent",)) for rate in (None, 0.6))
    allowed = plain[0].allowed
    assert allowed is not None and allowed.below < 0.6 < (allowed.gamma_max or 0)
    assert not is_certified(plain, 0.6)
    assert is_certified(asked, 0.6) and not is_certified(asked, 0.61)


@pytest.mark.parametrize(("n", "M"), [(None, None), (1, 4)])
@pytest.mark.parametrize("trace", [None, 3.0])
def test_a_fresh_sketch_is_covered_by_theorem_s_alone(
    trace: float | None, n: int | None, M: int | None
) -> None:
    """One step: up to 2/((L + omega_L)(1 + kappa(B^2 - 1)))."""
    sketch = Compression(1000, 1000, 1, 100, hash="fresh")
    known = None if trace is None else Known(trace, trace, trace)
    facts = replace(of_letters(Box.point(Parameters(L=1, B=2)), sketch=sketch), trace=known)
    facts = facts if n is None or M is None else replace(facts, participants=(n, M), everyone=False)
    verdicts = decide(facts)
    assert [v.theorem for v in verdicts if v.applies] == ["Theorem S"]
    found = named(verdicts, "Theorem S")
    assert found.allowed is not None and found.promise is not None and found.promise.G2 is not None
    price = FreshSketch(1, 100, 1000, Fraction(1), None if trace is None else Fraction(trace))
    end = 2 / ((1 + price.omega_L) * (1 + price.kappa(M, n) * 3))
    assert 0.999 * float(end) < (found.allowed.gamma_max or 0) <= float(end)


def test_a_trace_between_two_ends_counts_at_its_upper_one() -> None:
    """And what devices keep of what was lost takes Theorem S away, whatever the trace."""
    sketch = Compression(1000, 1000, 1, 100, hash="fresh")
    facts = replace(of_letters(Box.point(Parameters(L=1, B=2)), sketch=sketch), trace=Known(10, 5, 50))
    ends = {value: replace(facts, trace=Known(value, value, value)) for value in (5, 50)}
    found, low, high = (named(decide(each), "Theorem S") for each in (facts, ends[5], ends[50]))
    assert found.allowed == high.allowed != low.allowed
    kept = named(decide(replace(facts, compression=replace(sketch, memory=0.5))), "Theorem S")
    assert found.applies and not kept.applies and "no memory" in kept.missing


@given(st.floats(1e-6, 10), st.floats(1e-6, 10), st.booleans())
def test_an_end_that_is_open_is_not_covered(end: float, rate: float, strict: bool) -> None:
    allowed = Allowed(end, strict=strict)
    assert allowed.contains(end) != strict and allowed.contains(end / 2)
    assert allowed.contains(rate) == (rate < end or (rate == end and not strict))
    assert Allowed(None).contains(rate) and not allowed.contains(0.0) and not allowed.contains(-rate)


DOORS: tuple[dict[str, Any], ...] = (
    {}, {"local.E": 3}, {"local.E": 3, "local.mu": 0.5}, {"local.mu": 0.5}, {"local.batch": 8},
    {"devices.participation": 2}, {"algorithm.name": "fedavg"}, NETWORK, KINKED, SKETCH,
    SKETCH | {"local.E": 2}, SKETCH | {"algorithm.k": 5}, {"channel.kind": "gaussian", "channel.sigma": 0.1},
)  # fmt: skip


@pytest.mark.parametrize("changes", DOORS, ids=str)
def test_every_door_gives_the_same_numbers_for_the_same_facts(
    changes: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """A config, letters in Python, `lr` on the command line, and a run with these constants."""
    case, found = at_start(**changes)
    box = found.facts.box
    assert box is not None
    q, theta = worst(box), found.facts.theta
    certified = found.over_intervals.certified
    by_letters = named(decide(of_letters(box, theta)), "descent")
    flags = [f"--{n}={float(getattr(q, n))!r}" for n in ("L", "mu", "B", "P_b", "P_n")]
    flags += [f"--E={q.E}", f"--M={q.M}"]
    told = json.loads(said(capsys, "lr", "--json", *flags, f"--theta={theta}"))["certified"]
    assert by_letters.proof.gamma_max == certified == pytest.approx(told["gamma_max"], rel=1e-12)
    own = decide(replace(found.facts, edge=None, reach="throughout", differences=True), only=("descent",))[0]
    assert own.allowed is not None and own.allowed.gamma_max == certified
    assert own.allowed.all_smaller == told["all_smaller"]
    best, (gamma, _) = guaranteed(found.over), words.guaranteed(case, found)
    assert (None if best is None else best.allowed.gamma_max) == gamma
    seen = of_run(case.evidence(()), box, None, {})
    assert replace(seen, box=None).compression == case.facts.compression and seen.E == case.facts.E


@given(st.integers(0, 10**6), st.integers(1, 6), rationals("0.05", "0.99"))
def test_what_descent_promises_holds_on_every_run(seed: int, T: int, share: Fraction) -> None:
    """E = 1, quadratics with curvature in [-L, L]: mean |grad f|^2 <= Delta_over_T (f(x_0) - f(x_T))/T."""
    draw = np.random.default_rng(seed)
    H = np.diag(draw.uniform(-1, 1, 3))
    H[0, 0] = 1.0
    facts = of_letters(Box.point(Parameters(L=1)))
    (verdict,) = decide(facts, only=("descent",))
    assert verdict.allowed is not None and verdict.allowed.gamma_max is not None
    gamma = float(share) * verdict.allowed.gamma_max
    promise = promised(facts, "descent", gamma)
    assert promise is not None and promise.Delta_over_T is not None
    x, gradients = draw.normal(size=3), []
    f = lambda x: float(x @ H @ x) / 2  # noqa: E731
    start = f(x)
    for _ in range(T):
        gradients.append(float((H @ x) @ (H @ x)))
        x = x - gamma * (H @ x)
    assert np.mean(gradients) <= promise.Delta_over_T * (start - f(x)) / T * (1 + 1e-9) + 1e-12


@given(rationals("0.1", "5"), rationals("0.02", "0.98"), st.booleans())
def test_what_theorem_c_promises_at_one_step_is_its_formula(L: Fraction, u: Fraction, noisy: bool) -> None:
    """E = 1, γ = 2u/(L(1 + P_n)): κ = 2γ/L − γ²(1 + P_n), a = P_n + 1, C = 2γ⁴a²/κ + γ²(2a − 1 − P_n)."""
    P_n = Fraction(noisy, 2)
    facts = of_letters(Box.point(Parameters(L=L, P_n=P_n)), 0, noise=noisy, loss="convex")
    rate = float(2 * u / (L * (1 + P_n)))
    promise = promised(facts, "Theorem C", rate)
    gamma, a = Fraction(rate), 1 + P_n
    kappa = 2 * gamma / L - gamma**2 * a
    C = 2 * gamma**4 * a**2 / kappa + gamma**2 * a
    assert promise is not None and promise.b2 is None
    seen = (promise.distance_over_T, promise.G2, promise.sigma2)
    assert seen == pytest.approx(
        [float(x) for x in (2 / kappa, 2 * C / kappa, 2 * gamma**2 / kappa)], rel=1e-12
    )
    assert promised(facts, "Theorem C", float(2.1 / float(L * a))) is None


@given(rationals("0.1", "1"), st.integers(1, 4), st.integers(1, 4))
def test_a_box_is_judged_at_its_worst_corner(more: Fraction, first: int, second: int) -> None:
    """The largest constants, and the fewest devices, which average the least noise."""
    low = Parameters(L=1, B=1, P_n=0, M=min(first, second))
    high = Parameters(L=1 + more, B=1 + more, P_n=more, M=max(first, second))
    assert worst(Box(low, high)) == replace(high, M=low.M)
    alone = named(decide(of_letters(Box.point(replace(high, M=low.M)))), "Theorem A").allowed
    found = named(decide(of_letters(Box(low, high))), "Theorem A").allowed
    assert alone is not None and found is not None and found.strict and alone.strict
    assert found.gamma_max == pytest.approx(alone.gamma_max, rel=1e-12)


@given(st.floats(-1, 1), st.sampled_from(["quadratic", "convex", "smooth", None]), st.booleans())
def test_letters_say_no_more_than_they_were_given(theta: float, loss: Any, noise: bool) -> None:
    facts = of_letters(BOX, theta, loss=loss, noise=noise)
    assert facts.loss == (loss or ("convex" if theta <= 0 else "smooth"))
    assert facts.full_batch != noise and facts.residual is True and facts.how == "assumed"
    sketched = of_letters(BOX, theta, loss=loss, noise=noise, sketch=Compression(2, 2, 1, 2))
    assert sketched.residual is None and "residual" in lacking(sketched, ("residual",))[1]


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.name)
def test_what_could_hold_asks_all_but_the_constants(theorem: Any) -> None:
    """Without constants it could; with one other condition broken or open it could not."""
    facts = friendly(theorem.name)
    assert could_hold(replace(facts, box=None), (theorem.name,)) and not could_hold(facts, ())
    for name in set(theorem.needs) - {"finite constants"}:
        assert not could_hold(replace(facts, **BREAKS[name]), (theorem.name,)), name
