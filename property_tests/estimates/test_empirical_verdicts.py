"""Verdicts on planted models, the powers and tails that decide them, and the numbers that they mark."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
import torch
from hypothesis import given
from hypothesis import strategies as st

from empirical.answer.assumptions import verdicts
from empirical.answer.compare import Measured, of_the_drawn
from empirical.answer.estimate import estimate
from empirical.answer.findings import judge, values
from empirical.answer.verdict import (
    BOUND,
    CANNOT_TELL,
    PAPER,
    REPAIRED,
    Verdict,
    marks,
    of_constant,
    of_theory,
)
from empirical.constants.pairs import Scale
from empirical.statistics.growth import FEWEST_IN_TAIL, power_of, tail_index
from empirical.statistics.intervals import Interval
from property_tests.support.springs import Kinked, Springs, springs, springs_evidence

CENTRES = springs().centres


def judged(model, **changes):
    evidence = replace(springs_evidence(model, points=8), T=40, **changes)
    found = estimate(evidence, 24)
    return {v.name: v.verdict for v in verdicts(found)}, found


class Steep(Springs):
    """Adds √((w_0 − a)² + δ²), smooth with L up to 1/δ = 1000 at a, half way between two sampled rounds."""

    def full_gradients(self, W):
        first, second, *_ = springs_evidence(springs()).iterates
        z = W[:, :1] - (first.w[0] + second.w[0]) / 2
        extra = torch.zeros_like(W)
        extra[:, :1] = z / (z.square() + 1e-6).sqrt()
        return super().full_gradients(W) + extra


def test_a_steep_place_between_iterates_raises_L_and_holds():
    found, e = judged(Steep(CENTRES))
    assert found["1 smoothness"] == "holds" and e.smoothness.kink is None
    # The segment has 40 directions, of which w_0 is one: its quotient is a share of 1/δ. Lanczos sees about
    # 2.
    assert 20 < e.constants.L.low <= 1002 * (1 + 1e-6)
    assert max(look.high for look in e.smoothness.looks) < 10


def test_epochs_fail_as_noise():
    found, _ = judged(springs(), without_replacement=True)
    assert found["2 noise"] == "fails"


@pytest.mark.parametrize("n, lags", [(30, 3), (100, 4), (400, 5)])
def test_errors_of_a_power_allow_for_lags_by_newey_and_wests_rule(n, lags):
    """4 (n/100)^{2/9} lags; correlated errors, so that another number of lags gives another interval."""
    u = np.linspace(0, 5, n)
    v = 0.3 * u + np.convolve(np.random.default_rng(1).standard_normal(n + 9), np.ones(10), "valid")
    fit = sm.OLS(v, sm.add_constant(u)).fit(cov_type="HAC", cov_kwds={"maxlags": lags}, use_t=True)
    found = power_of(np.exp(u), np.exp(v)).slope
    assert np.allclose([found.low, found.high], fit.conf_int(0.05)[1], rtol=1e-9)
    assert np.isclose(power_of(np.exp(u), np.exp(-0.4 * u)).change, np.exp(2.0))  # over a span of e⁵


@pytest.mark.parametrize("alpha", [0.5, 1.5, 3.0])
def test_tail_index_of_pareto_sizes_is_found(alpha):
    """25 tails of 2.5 % of 2000: each interval covers with 95 %, so fewer than 19 has probability 6e-4."""
    rng = np.random.default_rng(3)
    found = [tail_index(rng.random((50, 40)) ** (-1 / alpha)) for _ in range(25)]
    assert sum(each.low < alpha < each.high for each in found) >= 19


def test_a_tail_is_less_than_half_of_the_draws_and_a_power_needs_six_points_and_a_span_of_four():
    sizes = np.random.default_rng(1).random(2 * FEWEST_IN_TAIL + 1) ** -1.0
    assert tail_index(sizes) is not None and tail_index(sizes[:-1]) is None
    x = np.geomspace(1, 100, 30)
    assert power_of(x[:5], x[:5]) is None and power_of(np.linspace(1, 2, 20), x[:20]) is None


VERDICTS = (
    Verdict("1 smoothness", "", "", "fails", "", constants=("L",)),
    Verdict("4 power law", "", "", "fails", "", serves=PAPER, constants=("p",)),
    Verdict("5 dissimilarity (repaired)", "", "", CANNOT_TELL, "", serves=REPAIRED, constants=("B", "G2")),
    Verdict("sketch residual", "", "", "fails", "", serves=BOUND, constants=("R2",)),
    Verdict("2 noise", "", "", "holds", "", constants=("P_n", "sigma2")),
)


def test_each_number_is_marked_with_what_it_rests_on():
    """The repaired forms need no power law, the paper's no (G, B); the residual enters the bound alone."""
    assert of_theory(VERDICTS, PAPER) == {"fails": ["1 smoothness", "4 power law"], "undecided": []}
    repaired = {"fails": ["1 smoothness"], "undecided": ["5 dissimilarity (repaired)"]}
    assert of_theory(VERDICTS, REPAIRED) == repaired
    assert of_theory(VERDICTS, REPAIRED, BOUND)["fails"] == ["1 smoothness", "sketch residual"]
    assert of_constant(VERDICTS, "L")["fails"] == ["1 smoothness"]
    assert of_constant(VERDICTS, "G2")["undecided"] == ["5 dissimilarity (repaired)"]
    assert of_constant(VERDICTS, "sigma2") == marks([]) == {"fails": [], "undecided": []}


def test_a_kink_between_iterates_fails_smoothness_and_marks_what_rests_on_it():
    """Every constant rests on some assumption, and one that fails marks the rates, the bound, the answer."""
    e = judged(Kinked(CENTRES))[1]
    # One coordinate of the gradient goes from −1 to 1; what else changes is of the size of the distance.
    assert abs(e.smoothness.kink.jump - 2.0) < 1e-6 and e.smoothness.kink.quotient > 1e6
    found = values(e)
    assert found["constants"]["L"]["fails"] == ["1 smoothness"]
    assert all("1 smoothness" in rate["fails"] for rate in found["learning_rate"].values())
    assert "1 smoothness" in found["bound"]["fails"] and found["answer"]["covered"] is False
    named = {name for verdict in found["assumptions"] for name in verdict["constants"]}
    assert named == set(found["constants"])


@pytest.mark.parametrize(
    ("constant", "name"), [("L", "1 smoothness"), ("sigma2", "2 noise"), ("G2", "5 dissimilarity (repaired)")]
)
def test_an_interval_too_wide_to_decide_is_undecided_and_says_what_narrows_it(constant, name):
    """Ten times what was seen and more; below that the verdict is as it was."""
    e = replace(judged(springs())[1])
    before = {v.name: v for v in verdicts(e)}[name]
    for factor, outcome in ((1.5, before.verdict), (1e3, "cannot tell"), (math.inf, "cannot tell")):
        seen = getattr(e.constants, constant)
        top = {
            "L": seen.estimate,
            "sigma2": float(e.device.noise.max()),
            "G2": float(e.dissimilarity.D2.max()),
        }
        wide = replace(seen, high=max(seen.high, factor * top[constant]))
        found = {v.name: v for v in verdicts(replace(e, constants=replace(e.constants, **{constant: wide})))}[
            name
        ]
        assert found.verdict == outcome and "inf" not in found.why, (factor, found.why)
        if factor == 1e3:
            assert "--rounds 16" in found.why or "--rounds 41" in found.why


def test_rounds_without_all_devices_mark_every_rate_and_theorem_a_counts_who_takes_part():
    """A smaller range and a larger bound, by the same numbers in both; the paper's ranges know no draw."""
    _, e = judged(springs())
    assert not any(v.name == "full participation" for v in verdicts(e))
    e = replace(e, scale=replace(e.scale, gamma=1e-3))
    drawn = replace(e, evidence=replace(e.evidence, per_round=2))
    found = verdicts(drawn)
    assert found[-1].name == "full participation" and found[-1].verdict == "fails"
    assert "drawing 2 of 3 adds 0.25" in found[-1].why  # (M − n)/(n(M − 1))
    for theory in (PAPER, REPAIRED):
        assert "full participation" in of_theory(found, theory)["fails"]
    full, some = judge(e), judge(drawn)
    assert judge(replace(e, evidence=replace(e.evidence, per_round=3))).rates == full.rates
    assert some.rates["paper"]["gamma_max"] == full.rates["paper"]["gamma_max"]
    assert some.rates["repaired_sharp"]["gamma_max"] < full.rates["repaired_sharp"]["gamma_max"]
    assert some.bound["counted"]["M"] == 2 and full.bound["counted"]["M"] == 3
    assert some.bound["counted"]["sigma2"] == pytest.approx(
        full.bound["counted"]["sigma2"] + 2 * 0.25 * e.constants.G2.high
    )


@given(st.integers(2, 5), st.data())
def test_the_draw_of_devices_adds_no_more_noise_than_is_counted(M, data):
    """Every set of n devices: the variance of their mean, for the least G² that A3 allows beside B."""
    n, B = data.draw(st.integers(1, M - 1)), data.draw(st.floats(1.0, 3.0))
    g = np.array(data.draw(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=M, max_size=M)))
    mean, D2 = g.mean(0), float((g**2).sum(1).mean())
    means = np.array([g[list(some)].mean(0) for some in combinations(range(M), n)])
    G2 = max(D2 - B**2 * float(mean @ mean), 0.0)
    nothing, exact = Interval.exact(0.0, "none"), {"B": B, "G2": G2}
    zeros = dict.fromkeys(("P_b", "b2", "P_n", "sigma2", "L", "R2"), nothing)
    known = Measured(**zeros, **{name: Interval.exact(value, "planted") for name, value in exact.items()})
    drawn, scale = of_the_drawn(known, Scale(1.0, 0.0, 1, M, 0.1, 9, 1.0, 0.0), n)
    assert scale.M == n
    counted = (drawn.P_n.high * D2 + drawn.sigma2.high) / n
    variance = float(((means - mean) ** 2).sum(1).mean())
    assert variance <= counted + 1e-12 * (1 + D2)  # a few hundred roundings of numbers of the size of D²
