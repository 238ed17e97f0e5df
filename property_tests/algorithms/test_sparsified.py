"""Top-k and BLCD: which coordinates are sent, and what waits; all baselines on sparse problems."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms import Setup
from fpsverify.algorithms.base import participants
from fpsverify.algorithms.sparsified import largest_coordinates, random_coordinates
from fpsverify.local import local_updates
from fpsverify.objectives import Logistic
from fpsverify.runs.checkpoint import pack
from fpsverify.runs.loop import prepare, run_in_memory
from fpsverify.vectors import SparseVector
from property_tests.algorithms.test_local import sparse_problem
from property_tests.support.oracles import oracle_top_k
from property_tests.support.quadratics import advance, diagonal, exact
from property_tests.support.small_runs import SPARSE, densified, small

BOTH = pytest.mark.parametrize("name", ["topk", "blcd"])


# ---- which coordinates ------------------------------------------------------------------------------------


@given(
    values=st.lists(st.sampled_from([0.0, 1.0, -1.0, 2.5, -3.0]), min_size=1, max_size=12),
    k=st.integers(1, 14),
)
def test_chosen_coordinates_are_the_largest_of_the_mean_dense_or_sparse(values, k):
    v = torch.tensor(values, dtype=torch.float64)
    expected = oracle_top_k(values, k)
    sparse = SparseVector(len(values), torch.nonzero(v).flatten(), v[v != 0])
    assert largest_coordinates(v, k).tolist() == largest_coordinates(sparse, k).tolist() == expected


def test_every_coordinate_is_drawn_equally_often_and_at_most_once_a_round():
    """Hoeffding for all d counts at once: |share − K/d| > ε with probability at most 2d·exp(−2nε²) = 1e-9."""
    d, K, n = 20, 6, 4000
    counts = np.zeros(d)
    for t in range(n):
        chosen = random_coordinates(d, K, 5, t)
        assert len(chosen) == K and bool((chosen.diff() > 0).all())
        counts[chosen.numpy()] += 1
    epsilon = math.sqrt(math.log(2 * d / 1e-9) / (2 * n))
    assert np.abs(counts / n - K / d).max() <= epsilon


# ---- what they do to the model ----------------------------------------------------------------------------

H, START, GAMMA = np.array([1.0, 0.5, 0.25, 0.9, 0.1]), np.array([1.0, -3.0, 2.0, 0.7, -0.4]), 0.6


def steps_of_greedy(K: int, T: int, seed: int) -> np.ndarray:
    """K = 1. Each coordinate's gradients h(1 − γh)^j|x| decrease: greedy steps use up the largest of all."""
    gradients = (H * np.abs(START))[:, None] * (1 - GAMMA * H)[:, None] ** np.arange(T)
    used = np.zeros_like(gradients, dtype=bool)
    used.flat[np.argsort(-gradients, axis=None, kind="stable")[:T]] = True
    return used.sum(axis=1)


def draws(K: int, T: int, seed: int) -> np.ndarray:
    drawn = np.concatenate([random_coordinates(5, K, seed, t).numpy() for t in range(1, T + 1)])
    return np.bincount(drawn, minlength=5)


@pytest.mark.parametrize(
    ("name", "K", "T", "steps"),
    [
        *(("topk", 1, T, steps_of_greedy) for T in (1, 4, 25)),
        *(("blcd", K, 20, draws) for K in (1, 3, 5)),
    ],
)
def test_without_memory_a_coordinate_contracts_whenever_it_is_the_largest_or_drawn(name, K, T, steps):
    """x_i(T) = (1 − γh_i)^(rounds that sent i) x_i(0): greedy coordinate descent, and once per draw."""
    sent = (f"algorithm.name={name}", f"algorithm.k={K}", "algorithm.memory=false")
    config = exact(*sent, f"local.gamma={GAMMA}")
    states, _ = advance(diagonal(H.tolist(), START.tolist(), config), T)
    expected = START * (1 - GAMMA * H) ** steps(K, T, config.seed)
    np.testing.assert_allclose(states[-1].w.numpy(), expected, atol=1e-13)


@BOTH
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_what_a_device_could_not_send_waits_until_it_takes_part_again(name, share):
    """The recursion of sparsified.py written out, with one memory per device; if all take part their mean."""
    quiet = ("channel.sigma=0.0", "local.E=1")
    chosen = small(f"algorithm.name={name}", f"devices.participation={share}", *quiet)
    algorithm, setup, _ = prepare(chosen)
    state, e = algorithm.init(setup), torch.zeros(4, setup.problem.d, dtype=torch.float64)
    w, gamma = setup.problem.start.clone(), chosen.local.gamma
    for t in range(1, 7):
        there = list(participants(chosen, t) or range(4))
        g = -local_updates(setup.problem, w, chosen.local, t).values / gamma
        before, (state, _) = state, algorithm.step(setup, state, t)
        a = g[there] + e[there]
        changed = torch.nonzero(state.w - before.w).flatten()  # which ones is the subject of other tests
        w = w.clone()
        w[changed] -= gamma * a.mean(0)[changed]
        a[:, changed] = 0
        e[there] = a
        torch.testing.assert_close(state.w, w, rtol=0, atol=1e-12)
        torch.testing.assert_close(state.memory, e if share < 1 else e.mean(0), rtol=0, atol=1e-12)
        assert len(changed) == 7 and bool(e.any())


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
def test_at_full_dimension_no_state_has_length_d_and_a_use_of_the_channel_is_a_number_that_is_sent(name):
    config = small(*SPARSE, f"algorithm.name={name}", "channel.sigma=1.0", "rounds=2", "record.verify=false")
    result = run_in_memory(config)
    assert all(tensor.numel() < 20_000 for tensor in pack(result.state).values())
    uses = {"fetchsgd": 3 * 64, "blcd": 9, "topk": 9}.get(name, 54_686_452)
    assert result.summary["channel_uses_total"] == 2 * uses
