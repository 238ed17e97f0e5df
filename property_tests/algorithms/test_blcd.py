"""BLCD: uniform coordinates and coordinate-wise contraction; and all baselines on sparse problems."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms import Setup
from fpsverify.algorithms.blcd import random_coordinates
from fpsverify.objectives import Logistic
from fpsverify.runs.loop import run_in_memory
from property_tests import laws
from property_tests.algorithms.test_local import sparse_problem
from property_tests.support.quadratics import advance, diagonal, exact
from property_tests.support.small_runs import SPARSE, densified, small

SOURCE = laws.BASELINES
CORE = True

NAME = "algorithm.name=blcd"


@given(d=st.integers(1, 200), share=st.floats(0, 1), seed=st.integers(0, 2**40), t=st.integers(0, 10**6))
def test_coordinates_are_distinct_increasing_and_in_range(d, share, seed, t):
    K = max(1, round(share * d))
    chosen = random_coordinates(d, K, seed, t)
    assert chosen.shape == (K,) and 0 <= int(chosen[0]) and int(chosen[-1]) < d
    assert bool((chosen.diff() > 0).all())
    assert torch.equal(chosen, random_coordinates(d, K, seed, t))


def test_every_coordinate_is_drawn_equally_often():
    """Hoeffding for all d counts at once: |share − K/d| > ε with probability at most 2d·exp(−2nε²) = 1e-9."""
    d, K, n = 20, 6, 4000
    counts = np.zeros(d)
    for t in range(n):
        counts[random_coordinates(d, K, 5, t).numpy()] += 1
    epsilon = math.sqrt(math.log(2 * d / 1e-9) / (2 * n))
    assert np.abs(counts / n - K / d).max() <= epsilon


@pytest.mark.parametrize("K", [1, 3, 5])
def test_without_memory_a_coordinate_contracts_once_per_draw(K):
    """x_i(T) = (1 − γh_i)^(number of rounds that drew i) x_i(0)."""
    h, x, gamma, T = [1.0, 0.5, 0.25, 0.9, 0.1], [1.0, -3.0, 2.0, 0.7, -0.4], 0.6, 20
    config = exact(NAME, "algorithm.memory=false", f"algorithm.k={K}", f"local.gamma={gamma}")
    states, _ = advance(diagonal(h, x, config), T)
    draws = np.zeros(5)
    for t in range(1, T + 1):
        draws[random_coordinates(5, K, config.seed, t).numpy()] += 1
    np.testing.assert_allclose(states[-1].w.numpy(), x * (1 - gamma * np.array(h)) ** draws, atol=1e-13)


def test_with_memory_a_coordinate_catches_up_when_it_is_drawn():
    """A gradient that stays h·x until the draw: after the first draw, in round s, x becomes x(1 − γ h s)."""
    h, x, gamma = [1.0, 0.5, 0.25, 0.9], [1.0, -3.0, 2.0, 0.7], 0.05
    config = exact(NAME, "algorithm.k=1", f"local.gamma={gamma}")
    states, _ = advance(diagonal(h, x, config), 12)
    first: dict[int, int] = {}
    for t in range(1, 13):
        first.setdefault(int(random_coordinates(4, 1, config.seed, t)[0]), t)
    assert len(first) >= 3
    for i, s in first.items():
        assert float(states[s].w[i]) == pytest.approx(x[i] * (1 - gamma * h[i] * s), abs=1e-13)


# ---- sparse problems: the same algorithms on coordinates that are stored -----------------------------------

OPTIONS = {
    "fetchsgd": (),
    "blcd": (),
    "topk": (),
    "fedavg": ("channel.sigma=0.0",),
    "fedprox": ("channel.sigma=0.0", "local.mu=0.5"),
}


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_sparse_and_dense_forms_are_the_same_algorithm(name):
    config = small(*SPARSE, f"algorithm.name={name}", "algorithm.scan=full", "local.E=1", *OPTIONS[name])
    sparse = sparse_problem()
    dense = densified(sparse, Logistic(sparse.d, bias=False))
    states, infos = advance(Setup(config, sparse, torch.float64), 5)
    expected, dense_infos = advance(Setup(config, dense, torch.float64), 5)
    torch.testing.assert_close(states[-1].w.dense(), expected[-1].w, rtol=0, atol=1e-12)
    assert float(expected[-1].w.norm()) > 0.01
    assert [i["channel_uses"] for i in infos] == [i["channel_uses"] for i in dense_infos]


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_at_full_dimension_no_state_has_length_d(name):
    config = small(*SPARSE, f"algorithm.name={name}", "channel.sigma=1.0", "rounds=2", "record.verify=false")
    result = run_in_memory(config)
    from fpsverify.runs.checkpoint import pack

    assert all(tensor.numel() < 20_000 for tensor in pack(result.state).values())
    uses = {"fetchsgd": 3 * 64, "blcd": 9, "topk": 9}.get(name, 54_686_452)
    assert result.summary["channel_uses_total"] == 2 * uses
