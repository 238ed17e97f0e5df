"""The generated data of Appendix D.1 has the distribution that the appendix states; blobs are learnable."""

from math import log, sqrt

import numpy as np
import pytest
import torch
from scipy import stats

from fpsverify.data.generated import blobs, standard_deviations, synthetic_regression
from fpsverify.errors import BadInput

RISK = 1e-9  # of each statistical statement below, were the seed drawn afresh


def inside_chi2(sum_of_squares: float, degrees: int, statements: int = 1) -> bool:
    low, high = stats.chi2.ppf([RISK / statements / 2, 1 - RISK / statements / 2], degrees)
    return bool(low <= sum_of_squares <= high)


@pytest.mark.parametrize("distributions", [1, 2])
@pytest.mark.parametrize("p", [1.0, 5.0])
def test_every_column_has_the_stated_variance_in_each_group(p: float, distributions: int) -> None:
    d, N = 30, 3000
    data = synthetic_regression(N=N, N_test=2, d=d, p=p, distributions=distributions, seed=3)
    sigma2 = standard_deviations(d, p, seed=3) ** 2
    assert np.unique(data.groups).tolist() == list(range(distributions))
    for group in range(distributions):
        X = data.X.numpy()[data.groups == group].astype(np.float64)
        for i in range(d):
            assert inside_chi2(float((X[:, i] ** 2).sum() / sigma2[group, i]), len(X), 2 * d)


def test_the_first_diagonal_is_the_power_law_and_the_second_a_permutation_of_it() -> None:
    first, second = standard_deviations(100, 5.0, seed=1) ** 2
    assert first[[0, 1, 9]] == pytest.approx([1.0, 2.0**-5, 10.0**-5], rel=1e-12)
    assert sorted(first) == sorted(second)
    assert not np.array_equal(first, second)
    assert not np.array_equal(second, standard_deviations(100, 5.0, seed=2)[1] ** 2)


def test_columns_are_uncorrelated() -> None:
    """√N times a sample correlation of independent normals is nearly N(0, 1) at N = 4000."""
    data = synthetic_regression(N=4000, N_test=2, d=12, p=2.0, distributions=1, seed=5)
    correlation = np.corrcoef(data.X.numpy().T)
    off = correlation[~np.eye(12, dtype=bool)]
    assert np.abs(off).max() <= stats.norm.isf(RISK / 132) / sqrt(4000)


@pytest.mark.parametrize("distributions", [1, 2])
def test_targets_are_linear_with_noise_of_one_hundredth(distributions: int) -> None:
    data = synthetic_regression(N=2000, N_test=1000, d=200, distributions=distributions, seed=7)
    assert data.truth is not None
    for X, y in ((data.X, data.y), (data.X_test, data.y_test)):
        noise = (y.double() - X.double() @ data.truth) / 0.01
        assert inside_chi2(float(noise.square().sum()), len(y))
        assert abs(float(noise.mean())) <= stats.norm.isf(RISK / 2) / sqrt(len(y))
    assert inside_chi2(float(data.truth.square().sum()), 200)


def test_data_are_a_function_of_the_seed_and_train_and_test_differ() -> None:
    draw = lambda s: synthetic_regression(N=20, N_test=20, d=10, distributions=1, seed=s)  # noqa: E731
    first, again, other = draw(1), draw(1), draw(2)
    assert torch.equal(first.X, again.X)
    assert torch.equal(first.y, again.y)
    assert not torch.equal(first.X, other.X)
    assert not torch.equal(first.X_test, other.X_test)
    assert not torch.equal(first.X, first.X_test)
    assert first.provenance.startswith("generated")


def test_blobs_are_balanced_and_the_nearest_centre_finds_them() -> None:
    data = blobs(N=4000, N_test=1000, seed=1)
    assert np.bincount(data.groups).tolist() == [400] * 10
    assert data.truth is not None
    right = torch.cdist(data.X_test.double(), data.truth).argmin(dim=1) == data.y_test
    # A pair of centres at distance δ is confused with probability Φ(−δ/2); union bound over the others, and
    # Hoeffding for 1000 test rows.
    gaps = torch.cdist(data.truth, data.truth).fill_diagonal_(torch.inf)
    confused = float(stats.norm.sf(gaps.numpy() / 2).sum(axis=1).mean())
    assert float(right.double().mean()) >= 1 - confused - sqrt(log(1 / RISK) / 2000)
    assert 1 - confused - sqrt(log(1 / RISK) / 2000) > 0.75  # so that the statement above says something


def test_impossible_sizes_are_refused() -> None:
    for call in (
        lambda: synthetic_regression(N=0),
        lambda: synthetic_regression(distributions=3),
        lambda: blobs(classes=1),
    ):
        with pytest.raises(BadInput):
            call()
