"""Laws of the intervals, and a quick look at their coverage.

In full: python -m benchmarks.estimates.calibration
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchmarks.estimates import calibration
from empirical.statistics import intervals
from fpsverify.errors import FpsError


@given(st.integers(0, 2**32 - 1), st.integers(12, 60), st.data())
def test_the_variance_of_a_mean_is_that_of_drawing_circular_blocks(seed, n, data):
    """n/b independent blocks with equal chances for every start; blocks of one: the ordinary s²/n."""
    y, b = np.random.default_rng(seed).standard_normal(n).cumsum(), data.draw(st.integers(1, n // 4))
    blocks = y[(np.arange(n)[:, None] + np.arange(b)) % n].mean(axis=1)
    assert math.isclose(intervals.block_variance(y, b) * (1 - b / n), blocks.var() * b / n, rel_tol=1e-9)
    assert math.isclose(intervals.block_variance(y, 1), y.var(ddof=1) / n, rel_tol=1e-9)


def flat_top(t: float) -> float:
    """λ of Politis and White: 1 up to 1/2, then straight down to 0 at 1."""
    return 1.0 if abs(t) <= 0.5 else max(0.0, 2 * (1 - abs(t)))


def block_length_by_definition(y: np.ndarray) -> float:
    """(2G²/D)^{1/3} n^{1/3}, G = Σ λ(k/M)|k|R(k), D = 4/3 (Σ λ(k/M)R(k))², over lags of both signs, M = 2m.

    m: the first lag after which five correlations in a row are below 2√(log10 n / n).
    """
    n, z = len(y), y - y.mean()
    R = {k: math.fsum(z[i] * z[i + k] for i in range(n - k)) / n for k in range(n)}
    small = {k: abs(R[k] / R[0]) < 2 * math.sqrt(math.log10(n) / n) for k in R}
    m = max(1, next(k for k in range(n) if all(small[k + j] for j in range(1, 6))))
    lags = range(-2 * m, 2 * m + 1)
    G = math.fsum(flat_top(k / (2 * m)) * abs(k) * R[abs(k)] for k in lags)
    D = 4 / 3 * math.fsum(flat_top(k / (2 * m)) * R[abs(k)] for k in lags) ** 2
    return (2 * G**2 / D) ** (1 / 3) * n ** (1 / 3)


@given(st.integers(0, 2**32 - 1), st.integers(80, 160), st.sampled_from([0.0, 0.3, 0.6]))
def test_the_block_length_is_that_of_politis_and_white(seed, n, phi):
    """The optimal length for circular blocks (2004, corrected 2009), rounded up, at most n/4."""
    e = np.random.default_rng(seed).standard_normal(n)
    y = np.array([e[: t + 1] @ phi ** np.arange(t, -1.0, -1.0) for t in range(n)])
    assert intervals.block_length(y) == min(max(math.ceil(block_length_by_definition(y)), 1), n // 4)


def test_too_few_rounds_are_refused_and_a_series_without_fluctuation_has_an_exact_mean():
    with pytest.raises(FpsError, match="at least 10"):
        intervals.mean_interval(np.ones(9))
    for y in (np.ones(30), np.zeros(30), np.linspace(1, 2, 60)):
        found = intervals.mean_interval(y)
        assert found.low == found.high == found.estimate == y.mean() and "exact" in found.method


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=12), st.floats(0.001, 0.2))
def test_largest_mean_brackets_and_corrects_the_maximum_downwards(values, error):
    v = np.array(values)
    found = intervals.largest_mean(intervals.log_scale(v, error * v), 32, "")
    assert found.low <= found.estimate <= min(found.high, v.max() * (1 + 1e-12))
    assert found.low < v.max() < found.high
    one = intervals.largest_mean(intervals.log_scale(v[:1], error * v[:1]), 32, "")
    assert math.isclose(one.estimate, v[0], rel_tol=1e-9)
    assert math.isclose(one.high / v[0], math.exp(stats.t.ppf(0.975, 31) * error), rel_tol=1e-9)


@given(st.floats(-3, 3), st.floats(0.01, 2), st.floats(0, 2), st.floats(0.1, 3))
def test_score_limits_solve_their_equation(value, variance0, slope, c):
    """(b − value)² = c²(variance0 + slope·b) at both ends where there is no skewness (ν = ∞)."""
    one = np.array
    moved = intervals.score_scale(one([value]), one([variance0]), one([slope]), one([np.inf]))
    if variance0 + slope * value + (c * slope / 2) ** 2 < 0:
        return
    for sign in (-1, 1):
        b = float(moved(sign * c)[0])
        assert math.isclose((b - value) ** 2, c * c * (variance0 + slope * b), rel_tol=1e-6, abs_tol=1e-6)
    assert moved(-c)[0] <= moved(c)[0]


def test_chi2_quantile_is_skewed_to_the_right_and_becomes_normal():
    few, many = np.array([5.0]), np.array([1e7])
    assert intervals.chi2_quantile(3.0, few)[0] > 3.3 and intervals.chi2_quantile(-3.0, few)[0] > -2
    assert (
        abs(intervals.chi2_quantile(3.0, many)[0] - 3) < 1e-2
        and intervals.chi2_quantile(1.5, np.array([np.inf]))[0] == 1.5
    )


@given(st.integers(0, 50))
def test_clopper_pearson_is_the_exact_interval(k):
    low, high = intervals.clopper_pearson(k, 50)
    exact = stats.binomtest(k, 50).proportion_ci(0.95, "exact")
    assert math.isclose(low, exact.low, abs_tol=1e-9) and math.isclose(high, exact.high, abs_tol=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(12, 40), st.floats(0, 0.9))
@settings(max_examples=20)
def test_whitened_residuals_are_those_of_generalised_least_squares(seed, n, phi):
    """Oracle: the dense covariance matrix of an AR(1) series, its inverse and determinants."""
    y = np.random.default_rng(seed).standard_normal(n).cumsum()
    gap = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    V = phi**gap / (1 - phi**2)
    X = np.polynomial.legendre.legvander(np.linspace(-1, 1, n), 2)
    inverse = np.linalg.inv(V)
    beta = np.linalg.solve(X.T @ inverse @ X, X.T @ inverse @ y)
    rest = float((y - X @ beta) @ inverse @ (y - X @ beta))
    oracle = -0.5 * (
        np.linalg.slogdet(V)[1] + np.linalg.slogdet(X.T @ inverse @ X)[1] + (n - 3) * math.log(rest)
    )
    found, white, leverage = intervals.whitened(y, 2, phi)
    assert math.isclose(leverage.sum(), 3, rel_tol=1e-9) and leverage.max() < 1
    # Condition number of V below 400 at φ ≤ 0.9: nine digits of the oracle are safe.
    assert math.isclose(found, oracle, rel_tol=1e-9, abs_tol=1e-7)
    assert math.isclose(float(white @ white), rest, rel_tol=1e-8)


def test_error_of_the_mean_is_that_of_an_autoregressive_series():
    """Exact: Var = Σ_ij φ^|i−j|/(n²(1−φ²)); false-alarm rate 1e-6 each for φ and for the variance.

    The sd of an estimate of φ is √((1 − φ²)/n). The variance is that of the draws, with a relative sd of
    √(2/n), over (1 − φ)²: an error δ of φ changes it by 2δ/(1 − φ). The two are independent. The most
    likely φ is one of a grid, so a step of it is added.
    """
    n, phi = 4000, 0.6
    e = np.random.default_rng(8).standard_normal(n)
    y = np.zeros(n)
    for t in range(1, n):
        y[t] = phi * y[t - 1] + e[t]
    k = np.arange(1, n)
    exact = (n + 2 * float(np.sum((n - k) * phi**k))) / (n**2 * (1 - phi**2))
    error = intervals.mean_error(5 + y, 0)
    typical = float(error.weights @ error.errors**2)
    quantile, sd = stats.norm.isf(1e-6 / 2), math.sqrt((1 - phi**2) / n)
    step = float(np.diff(intervals.phi_grid(n))[np.searchsorted(intervals.phi_grid(n), phi) - 1])
    assert abs(error.phi - phi) < quantile * sd + step
    assert abs(typical / exact - 1) < quantile * math.hypot(math.sqrt(2 / n), 2 * sd / (1 - phi))
    assert math.isclose(float(error.weights.sum()), 1.0)


def test_limits_are_quantiles_of_their_mixture():
    error = intervals.MeanError(np.array([0.1, 0.3]), np.array([0.7, 0.3]), 12.0, 1, 0.0)
    low, high = error.normal_limits(2.0, 0.95)
    outside = 2 * float(error.weights @ stats.t.sf((high - 2.0) / error.errors, 12.0))
    assert math.isclose(2.0 - low, high - 2.0) and abs(outside - 0.05) < 5e-4
    low, high = error.energy_limits(2.0, 0.95)
    wide = error.errors * stats.t.ppf(0.975, 12.0) / stats.norm.ppf(0.975)
    nu = 2 * (2.0 / wide) ** 2
    # A limit is good to 0.1 %, where the density of the mixture is below 0.3 per unit of log θ.
    assert abs(float(error.weights @ stats.chi2.cdf(nu * 2.0 / high, nu)) - 0.025) < 5e-4
    assert abs(float(error.weights @ stats.chi2.sf(nu * 2.0 / low, nu)) - 0.025) < 5e-4


def test_ratio_of_means_is_scale_free_and_brackets_the_ratio():
    rng = np.random.default_rng(2)
    x = rng.exponential(size=80)
    y = 3 * x * rng.uniform(0.5, 1.5, 80)
    one, scaled = intervals.ratio_interval(y, x), intervals.ratio_interval(10 * y, 5 * x)
    assert math.isclose(one.estimate, y.mean() / x.mean()) and one.low < one.estimate < one.high
    # The limits are found to 0.1 %.
    assert math.isclose(scaled.low, 2 * one.low, rel_tol=2e-3)
    # x fluctuates by 100 %, the ratio by 30 %: what they share must not widen the interval.
    assert one.high / one.low < intervals.mean_interval(y).high / intervals.mean_interval(y).low


TRIALS = 80
CHEAP = [d for d in calibration.DESIGNS if d.estimator != "p" and d.kind != "beyond"]


@pytest.mark.parametrize("design", CHEAP, ids=lambda d: f"{d.estimator}, {d.design}")
def test_coverage(design):
    """Refused if the count is below the 0.1 % quantile at a true coverage of 92 %, or above that at 98 %."""
    found = calibration.measure(design, TRIALS, seed=7)
    covered = round(found.covered * TRIALS)
    if design.kind == "exact":
        assert covered == TRIALS
    assert stats.binom.cdf(covered, TRIALS, 0.92) > 0.001
    if design.kind == "interval":
        assert stats.binom.sf(covered - 1, TRIALS, 0.98) > 0.001


def test_the_stored_table_has_every_row_under_a_heading_that_is_true_for_it():
    """At least 95 % is at least 95 %, a known miss is one, and an interval covers in 92 to 98 %."""
    path = Path(__file__).parents[2] / "book" / "results" / "calibration.json"
    table = json.loads(path.read_text(encoding="utf-8"))
    rows = {(r["estimator"], r["design"]): r for r in table["rows"]}
    assert list(rows) == [(d.estimator, d.design) for d in calibration.DESIGNS]
    assert table["headings"] == calibration.HEADINGS and table["seed"] == calibration.FRESH_SEED
    limits = {"interval": (0.92, 0.98), "exact": (1.0, 1.0), "short": (0.9, 0.95), "beyond": (0.9, 0.95)}
    for design in calibration.DESIGNS:
        row = rows[design.estimator, design.design]
        low, high = limits.get(design.kind, (0.95, 1.0))
        assert row["kind"] == design.kind and low <= row["covered"] <= high, row
        assert row["trials"] >= 400


def moments_of_ratio(k: int, n: int) -> tuple[float, float]:
    """Exact E[q] and Var(q)/E[q]² of q = s²/mean² for n values of χ²_k.

    The mean of gamma variables is independent of every ratio of them, so E[q^m] = E[s^2m]/E[mean^2m]. With
    c = 2/k and h = c/n: E[s⁴]/E[s²]² = 1 + (2 + 6c)/n + 2/(n(n − 1)), E[mean²] = k²(1 + h) and
    E[mean⁴]/E[mean²]² = (1 + 2h)(1 + 3h)/(1 + h).
    """
    c, h = 2 / k, 2 / k / n
    square = 1 + (2 + 6 * c) / n + 2 / (n * (n - 1))
    return c / (1 + h), square * (1 + h) / ((1 + 2 * h) * (1 + 3 * h)) - 1


@given(st.integers(1, 10**6), st.integers(3, 10**6))
def test_relative_variance_of_energies_is_known_as_well_as_stated(k, n):
    """The variance 2/worth is exact up to (1 + 12c)/(n − 1) of itself, c = 2/k.

    n·(1 − (1 + h)/((1 + 2h)(1 + 3h))) is between 4c − 14ch and 4c, so n times the relative variance differs
    from 2 + 2c by at most 2/(n − 1) + 14ch upwards and 4h(2 + 6c + 2/(n − 1)) downwards; divide by 2 + 2c.
    """
    c = 2 / k
    exact = moments_of_ratio(k, n)[1]
    rounding = 8 * n * np.finfo(float).eps  # of 1 + …, over a variance of at least 2/n
    assert abs(exact * intervals.worth_of_variance(n, c, 0.0) / 2 - 1) <= (1 + 12 * c) / (n - 1) + rounding
    # The variance alone at φ = 1, the ratio for independent values or opposed ones, linear in between.
    found = [2 * n / intervals.worth_of_variance(n, c, phi) for phi in (-0.5, 0.0, 0.5, 1.0)]
    assert found == pytest.approx([2 + 2 * c, 2 + 2 * c, 2 + 4 * c, 2 + 6 * c], rel=1e-12)


def leave_one_out(y: np.ndarray, degree: int) -> np.ndarray:
    """How far each value is from the trend that the others would give it, fitted without it."""
    X = np.polynomial.legendre.legvander(np.linspace(-1, 1, len(y)), degree)
    rest = [np.delete(np.arange(len(y)), i) for i in range(len(y))]
    return np.array([y[i] - X[i] @ np.linalg.lstsq(X[r], y[r], rcond=None)[0] for i, r in enumerate(rest)])


@given(st.integers(20, 60), st.integers(0, 3), st.integers(0, 2**32 - 1), st.sampled_from(["one", "all"]))
def test_noise_at_every_round_counts_in_full(n, degree, seed, where):
    """The trend takes up a share of the noise, most of it at the ends: at φ = 0 the error of the mean is that
    of independent residuals from a trend which has not seen them, or larger if blocks show more.

    Noise 1 in a single round and none elsewhere has an error of the mean of at least 1/n. The square is a
    quadratic form, so the mean error of independent noise of any sizes is at least that of its sum.
    """
    rng = np.random.default_rng(seed)
    y = np.eye(n)[rng.integers(n)] if where == "one" else rng.standard_normal(n)
    found = intervals.mean_error(y, degree)
    z = leave_one_out(y, degree)
    plain = float(np.sqrt(np.sum((z - z.mean()) ** 2))) / n
    error = float(found.errors[int(np.argmin(np.abs(intervals.phi_grid(n))))])
    # Rounding: sums of up to 60² terms of order 1 times a condition number below 100 is 8e-11.
    slack = 1e-9
    assert error >= plain * (1 - slack) and (found.block > 1 or error <= plain * (1 + slack))
    if where == "one":
        assert plain >= (1 - slack) / n


def test_correlations_that_never_die_out_count_to_the_last_lag():
    assert intervals._last_significant_lag(np.full(20, 0.9), 400, 12) == 12
    assert intervals._last_significant_lag(np.full(20, 0.9), 400, 50) == 19
    assert intervals._last_significant_lag(np.zeros(20), 400, 12) == 1
    assert intervals._last_significant_lag(np.r_[np.full(4, 0.9), np.zeros(16)], 400, 12) == 3
