"""What data do not bound from above has no upper limit: null in JSON, words elsewhere, no finite bound."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from empirical.answer import compare, estimate
from empirical.answer.compare import Measured
from empirical.answer.verdict import show
from empirical.constants.pairs import Scale
from empirical.constants.residual import Residual
from empirical.observed import recorded
from empirical.spelling import PROGRAM, spelling_of
from empirical.statistics.intervals import OPEN, Interval, MeanError
from property_tests.support.springs import springs, springs_evidence
from theory.bounds import terms as bounds
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources

SCALE = Scale(L=2.0, mu=0.0, E=1, M=5, gamma=0.1, T=50, Delta=1.0, R2=0.5)
AVERAGE = Interval(0.3, 0.2, 0.4, "")


def between(low: float, high: float) -> Interval:
    return Interval((low + high) / 2 if math.isfinite(high) else low, low, high, "how")


KNOWN = Measured(
    P_b=between(0.0, 0.1),
    b2=between(0.0, 0.2),
    P_n=between(0.1, 0.3),
    sigma2=between(0.5, 1.5),
    B=between(1.0, 1.2),
    G2=between(0.1, 0.4),
    L=between(1.0, 2.0),
    R2=between(0.2, 0.5),
    looks=4,
)


def opened(name: str) -> Measured:
    return replace(KNOWN, **{name: replace(getattr(KNOWN, name), high=math.inf)})


def test_a_limit_is_open_only_if_the_tail_is_too_heavy_at_the_cap():
    """ν·mean/θ ~ χ²_ν: at θ = OPEN·mean the tail is P(χ²_ν < ν/OPEN), above or below 2.5 %."""
    for error, dof in ((2.0, 20.0), (4.0, 20.0), (6.0, 20.0), (9.0, 20.0), (30.0, 20.0)):
        one = MeanError(np.array([error]), np.ones(1), dof, 1, 0.0)
        low, high = one.energy_limits(1.0, 0.95)
        nu = 2 / (error * stats.t.ppf(0.975, dof) / stats.norm.ppf(0.975)) ** 2
        tail_at_cap = float(stats.chi2.cdf(nu / OPEN, nu))
        assert (high == math.inf) == (tail_at_cap > 0.025)
        assert 0 <= low <= 1  # a handful of rounds must not push the lower limit above the estimate


def test_json_says_null_and_why_and_comes_back():
    open_ended, closed = Interval(2.0, 1.0, math.inf, "4 rounds"), between(1.0, 3.0)
    stored = open_ended.as_json()
    assert stored["high"] is None and stored["method"] == "no upper limit: 4 rounds"
    json.dumps(stored, allow_nan=False)
    for each in (open_ended, closed):
        assert Interval.from_json(json.loads(json.dumps(each.as_json(), allow_nan=False))) == each
    assert show(open_ended) == "2 [1, no upper limit]" and show(closed) == "2 [1, 3]"


@pytest.mark.parametrize(
    ("name", "letter"), [("R2", "R²"), ("G2", "G²"), ("sigma2", "σ²"), ("b2", "b²"), ("L", "L")]
)
def test_without_an_upper_limit_the_bound_is_not_finite_and_says_so(name, letter):
    found = compare.bound_against_run(opened(name), SCALE, AVERAGE, None, None)
    assert found["theorem_a"] is None and found["holds"] is None and found["ratio"] is None
    assert found["why_not"].startswith(f"no upper limit for {letter}: the bound is not finite; ")
    assert found["why_not"].endswith(compare.remedy([name], 4, SCALE.T))
    assert compare.bound_against_run(KNOWN, SCALE, AVERAGE, None, None)["theorem_a"] > 0


def test_the_bound_takes_the_upper_end_of_every_source():
    found = compare.bound_against_run(KNOWN, SCALE, AVERAGE, None, None)
    q = Parameters(L=2.0, mu=0.0, E=1, M=5, B=1.2, P_b=0.1, P_n=0.3)
    sources = Sources(Delta=1.0, R2=0.5, G2=0.4, b2=0.2, sigma2=1.5)
    assert found["theorem_a"] == bounds.implicit(q, 0.1, 50, sources).total
    sharper = compare.bound_against_run(KNOWN, SCALE, AVERAGE, np.array([0.2, 0.4]), 0.01)
    measured = replace(sources, rho2=0.01, D2=0.30000000000000004)
    assert sharper["with_measured_D2_and_residual"] == bounds.implicit(q, 0.1, 50, measured).total


def test_what_was_measured_replaces_a_constant_without_upper_limit():
    """ρ² stands for L²R², and D² for G² + B²A: neither R² nor G² is needed then."""
    both = replace(opened("R2"), G2=opened("G2").G2)
    found = compare.bound_against_run(both, SCALE, AVERAGE, np.array([0.3]), 0.01)
    full = compare.bound_against_run(KNOWN, SCALE, AVERAGE, np.array([0.3]), 0.01)
    assert found["theorem_a"] is None and "R², G²" in found["why_not"]
    assert found["with_measured_D2_and_residual"] == full["with_measured_D2_and_residual"] > 0
    assert (
        compare.bound_against_run(both, SCALE, AVERAGE, None, 0.01)["with_measured_D2_and_residual"] is None
    )


def test_learning_rates_need_only_the_constants_that_they_contain():
    full = compare.learning_rates(KNOWN, SCALE)
    for name in ("R2", "G2", "sigma2", "b2"):
        assert compare.learning_rates(opened(name), SCALE) == full
    for name in ("L", "B", "P_b", "P_n"):
        for rate in compare.learning_rates(opened(name), SCALE).values():
            assert set(rate) == set(full["paper"])
            assert rate["empty"] and not rate["used_is_inside"] and rate["gamma_max"] is None
            assert rate["why"].startswith(f"no upper limit for {name}: no learning rate is safe")
            assert rate["why"].endswith(compare.remedy([name], 4, SCALE.T))


@given(st.integers(3, 60), st.integers(3, 500))
def test_the_remedy_asks_for_more_looks_than_there_were_and_never_for_more_than_there_are(looks, T):
    text = compare.remedy(["sigma2"], min(looks, T), T)
    more = int(re.search(r"looked at: estimate with --rounds (\d+)( --replay)? ", text)[1])
    assert min(looks, T) < more <= T + 1 and ("--replay" in text) == (recorded.MOST_STEPS < T)
    assert "R²" not in text and "record.verify" in compare.remedy(["R2"], looks, T)
    called = compare.remedy(["sigma2", "R2"], min(looks, T), T, PROGRAM)
    assert f"looked at: fps.estimate(folder, federation, rounds={more}" in called and "--" not in called
    assert f"{PROGRAM.replay}, or run with train(verify=True)" in called


def test_only_the_program_that_made_a_run_without_a_source_can_run_it_again():
    for problem, alone in (
        ({"data": "own"}, True),
        ({"data": "own", "source": "my_file.py:make"}, False),
        ({"data": "mnist"}, False),
    ):
        assert (spelling_of({"problem": problem}) == PROGRAM) == alone


def test_pairs_are_chosen_with_finite_constants():
    left = Residual(Interval(1.5, 1.0, math.inf, ""), None, "")
    scale = estimate._scale(springs_evidence(springs()), Interval(3.0, 2.0, math.inf, ""), left)
    assert (scale.L, scale.R2) == (3.0, 1.5)
    known = Residual(Interval(1.5, 1.0, 2.0, ""), None, "")
    scale = estimate._scale(springs_evidence(springs()), Interval(3.0, 2.0, 4.0, ""), known)
    assert (scale.L, scale.R2) == (4.0, 2.0)
