"""A sketch whose hash is not known yet: what is proved about γ, how surely, and when nothing is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fpsverify.sketch.sketch import CountSketch, SketchSpec
from property_tests.rates.asked import first_lines, record
from theory.rates.fresh import FAILURE, Sketch, largest_load
from theory.rates.parameters import Parameters
from theory.theorems import with_any_hash

ONE_STEP = Parameters(L=2, mu=0, E=1, B=1, P_b=0, P_n=0, M=4)


@given(st.integers(1, 7), st.integers(1, 60), st.integers(1, 2000))
def test_no_bucket_is_fuller_except_with_the_stated_probability(J: int, b: int, d: int) -> None:
    """The moment bound holds for 5-wise independent hashes, so also for independent ones."""
    m = largest_load(Sketch(J, b, d, d))
    assert J * b * stats.binom.sf(m, d, 1 / b) <= float(FAILURE) or m == d
    assert d / b <= m <= d


@pytest.mark.parametrize(("J", "b", "d"), [(5, 8, 400), (3, 20, 100), (1, 1, 7), (5, 60, 200)])
def test_the_largest_eigenvalue_of_actual_hashes_is_below_the_load(J: int, b: int, d: int) -> None:
    """Of 20 hashes at most 5 may fail: more has probability below 3e-4 if each fails with at most 1/20."""
    m, failures = largest_load(Sketch(J, b, d, d)), 0
    for seed in range(20):
        import torch

        eye = torch.eye(d, dtype=torch.float64)
        zeros = CountSketch.zeros(SketchSpec(J, b, d, seed), batch=d, dtype=torch.float64)
        S = zeros.add(eye).table.reshape(d, -1).numpy()
        failures += bool(np.linalg.eigvalsh(S @ S.T)[-1] / J > m * (1 + 1e-9))
    assert failures <= 5


def test_the_range_is_that_of_the_load() -> None:
    found = with_any_hash(ONE_STEP, Sketch(5, 8, 400, 400))
    assert found.load is not None and found.gamma_max == pytest.approx(2 / (2 * found.load))


@pytest.mark.parametrize(
    ("q", "sketch"),
    [
        (ONE_STEP, Sketch(5, 8, 40, 400)),
        (ONE_STEP, Sketch(5, 8, 400, 400, "median")),
        (Parameters(L=2, mu=0, E=2, B=1, P_b=0, P_n=0, M=4), Sketch(5, 8, 400, 400)),
        (Parameters(L=2, mu=0, E=1, B=1, P_b=0, P_n=0.1, M=4), Sketch(5, 8, 400, 400)),
    ],
)
def test_elsewhere_nothing_is_claimed(q: Parameters, sketch: Sketch) -> None:
    assert with_any_hash(q, sketch).gamma_max is None


def test_lr_says_first_what_the_sketch_allows() -> None:
    line = "lr --L 1.034 --rows 5 --buckets 8 --d 400"
    first = first_lines(f"{line} --k 400")[0]
    assert first.startswith("With this sketch: gamma < 0.0") and "probability 95%" in first
    for extra in ("--k 40", "--k 400 --recovery median", "--k 400 --E 7 --Pn 0.1 --recovery median"):
        shown = first_lines(f"{line} {extra}")
        assert shown[0].startswith("With this sketch only a pilot can tell") and len(shown) <= 6
        assert max(map(len, shown)) <= 115
    assert record(f"{line} --k 40")["sketch"]["gamma_max"] is None


@pytest.mark.parametrize(("rows", "buckets", "d"), [(5, 400, 10_000), (3, 64, 2_000), (7, 1024, 50_000)])
def test_the_load_is_that_of_markovs_inequality_with_the_exact_fourth_moment(
    rows: int, buckets: int, d: int
) -> None:
    """Summed over the binomial law; that p is off from 1/b by a share of 2^−20 moves it by less than one."""
    counts = np.arange(d + 1)
    fourth = float(stats.binom.pmf(counts, d, 1 / buckets) @ (counts - d / buckets) ** 4)
    expected = d / buckets + (rows * buckets * fourth / 0.05) ** 0.25
    assert abs(largest_load(Sketch(rows, buckets, d, d)) - expected) <= 1
