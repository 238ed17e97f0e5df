"""The four scenarios: disjoint and complete always, and each with the balance or skew it is named for."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fpsverify.data.partition import SCENARIOS, dirichlet_counts, held, partition
from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator

label_lists = st.lists(st.sampled_from([-2, 0, 1, 7]), min_size=1, max_size=120)
seeds = st.integers(0, 2**32)


def spread(counts: np.ndarray) -> int:
    return int(counts.max() - counts.min())


alphas = st.none() | st.floats(0.05, 100)


@given(label_lists, st.integers(1, 8), st.sampled_from(list(SCENARIOS)), seeds, st.integers(0, 3), alphas)
def test_parts_are_sorted_disjoint_complete_and_large_enough(
    labels: list[int], M: int, scenario: int, seed: int, min_samples: int, alpha: float | None
) -> None:
    try:
        parts = partition(labels, M, scenario, seed, min_samples=min_samples, max_tries=50, alpha=alpha)
    except BadInput as error:
        assert "\n" not in str(error)
        assume(False)
    assert len(parts) == M
    assert all((np.diff(part) > 0).all() for part in parts)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(labels)))
    assert min(len(part) for part in parts) >= min_samples


@given(label_lists, st.integers(1, 8), seeds)
def test_scenario_1_is_always_possible_and_equal_to_within_one_row(
    labels: list[int], M: int, seed: int
) -> None:
    assume(len(labels) >= M)
    parts = partition(labels, M, 1, seed)
    assert all(spread(row) <= 1 for row in held(labels, parts)[1])
    assert spread(np.array([len(part) for part in parts])) <= 1


@given(st.integers(1, 6), st.integers(1, 8), st.data(), seeds)
def test_scenario_2_gives_each_device_its_number_of_classes_and_splits_classes_evenly(
    C: int, M: int, data: st.DataObject, seed: int
) -> None:
    fewest = -(-C // M)
    per_device = data.draw(st.integers(fewest, C))
    labels = np.arange(C).repeat(data.draw(st.lists(st.integers(M, 3 * M), min_size=C, max_size=C)))
    counts = held(labels, partition(labels, M, 2, seed, classes_per_device=per_device))[1]
    assert ((counts > 0).sum(axis=0) == per_device).all()
    assert spread((counts > 0).sum(axis=1)) <= 1
    assert all(spread(row[row > 0]) <= 1 for row in counts)
    by_default = held(labels, partition(labels, M, 2, seed))[1]
    assert ((by_default > 0).sum(axis=0) == fewest).all()


def test_scenario_2_draws_which_device_holds_which_class() -> None:
    """Over 100 seeds device 0 misses one of 4 classes with probability 4·(3/4)^100 < 1e-11."""
    labels = np.arange(16) % 4
    held = [int(labels[partition(labels, 4, 2, seed)[0][0]]) for seed in range(100)]
    assert set(held) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("scenario", "given_alpha", "alpha"), [(3, None, 0.1), (4, None, 1.0), (1, 0.05, 0.05), (3, 50.0, 50.0)]
)
@pytest.mark.parametrize("M", [2, 10])
def test_dirichlet_shares_have_the_second_moment_of_their_alpha(
    scenario: int, given_alpha: float | None, alpha: float, M: int
) -> None:
    """p ~ Dir_M(α): E Σ p_m² = (α+1)/(Mα+1), a mean of variables in [0, 1]; Hoeffding at 1e-9. α is the
    scenario's, or the given one whatever the scenario."""
    classes, rows = 4000, 200
    labels = np.arange(classes).repeat(rows)
    counts = held(labels, partition(labels, M, scenario, seed=9, min_samples=0, alpha=given_alpha))[1]
    energy = ((counts / rows) ** 2).sum(axis=1).mean()
    # Rounding moves each cut by at most ½ row, so each share by 1/rows and Σ p² by 2·Σp/rows + M/rows².
    tolerance = sqrt(log(2 / 1e-9) / (2 * classes)) + 2 / rows + M / rows**2
    assert abs(energy - (alpha + 1) / (M * alpha + 1)) <= tolerance
    assert abs(counts.mean() - rows / M) <= 1e-9


@pytest.mark.parametrize("scenario", list(SCENARIOS))
def test_a_partition_is_a_function_of_its_seed(scenario: int) -> None:
    labels = np.arange(600) % 6
    first, again, other = (partition(labels, 5, scenario, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("scenario", {"scenario": 5}),
        ("M", {"M": 0}),
        ("M", {"M": 101}),
        ("M", {"M": 10, "min_samples": 11}),
        ("classes_per_device", {"scenario": 2, "M": 3, "classes_per_device": 1}),
        ("classes_per_device", {"scenario": 2, "M": 3, "classes_per_device": 5}),
        ("classes_per_device", {"scenario": 2, "M": 3, "classes_per_device": 0}),
        ("scenario", {"scenario": 3, "M": 90, "max_tries": 20}),
        ("alpha", {"alpha": 0.001, "M": 90, "max_tries": 20}),
    ],
)
def test_what_cannot_be_split_is_refused_in_one_line(field: str, arguments: dict[str, float]) -> None:
    settings = {"M": 10, "scenario": 1, "seed": 0} | arguments
    with pytest.raises(BadInput) as caught:
        partition(np.arange(100) % 4, **settings)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


@given(st.lists(st.integers(0, 2**46), min_size=1, max_size=5), st.integers(1, 14), alphas, seeds)
def test_dirichlet_counts_are_complete_at_any_size(
    sizes: list[int], M: int, alpha: float | None, seed: int
) -> None:
    """More rows than an address space has bytes, 2^47, halved: (M + 1)·2^46 < 2^50."""
    counts = dirichlet_counts(np.array(sizes), M, alpha or 0.01, numpy_generator(seed, "test"))
    assert (counts >= 0).all()
    assert counts.sum(axis=1).tolist() == sizes
