"""Lines through points, against statsmodels."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from empirical.statistics.regression import clustered, newey_west, quantile


def points(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.5, 2, n)
    return x, 1 + 0.7 * x + rng.standard_normal(n) * x


@given(st.integers(0, 10**6), st.integers(6, 80), st.integers(0, 4))
def test_errors_over_lags_and_clusters_are_those_of_statsmodels(seed, n, lags):
    x, y = points(seed, n)
    groups = np.arange(n) % 5
    kinds = {
        "HAC": ({"maxlags": lags}, newey_west(x, y, lags)),
        "cluster": ({"groups": groups}, clustered(x, y, groups)),
    }
    for kind, (options, mine) in kinds.items():
        fit = sm.OLS(y, sm.add_constant(x)).fit(cov_type=kind, cov_kwds=options, use_t=True)
        np.testing.assert_allclose(mine.params, fit.params, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(mine.limits, fit.conf_int(), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("seed", range(8))
def test_a_quantile_costs_no_more_than_that_of_statsmodels_and_has_its_limits(seed):
    """Theirs stops near the minimum, so the points on the line may lie below it: ours may be wider."""
    x, y = points(seed, 120)
    mine, theirs = quantile(x, y, 0.95), sm.QuantReg(y, sm.add_constant(x)).fit(q=0.95)
    cost = lambda a: np.maximum(0.95 * (y - a[0] - a[1] * x), -0.05 * (y - a[0] - a[1] * x)).sum()  # noqa: E731
    assert cost(mine.params) <= cost(np.asarray(theirs.params)) * (1 + 1e-9)
    np.testing.assert_allclose(mine.params, theirs.params, rtol=1e-3)
    wider = np.diff(mine.limits) / np.diff(np.asarray(theirs.conf_int()))
    assert np.all(wider > 0.999) and np.all(wider < 1.3)
