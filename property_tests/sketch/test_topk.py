"""Global Top-k: which coordinates move, by how much, and what the memory holds."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms.topk import largest_coordinates
from fpsverify.runs.loop import prepare
from fpsverify.vectors import SparseVector
from property_tests import laws
from property_tests.support.quadratics import advance, diagonal, exact
from property_tests.support.small_runs import small

SOURCE = laws.BASELINES
CORE = True

NAME = "algorithm.name=topk"
FORGET = "algorithm.memory=false"


def greedy(h: np.ndarray, x: np.ndarray, gamma: float, steps: int) -> np.ndarray:
    """Each coordinate's gradients h(1 − γh)^j|x| decrease, so greedy steps use up the largest of them all."""
    j = np.arange(steps)
    gradients = (h * np.abs(x))[:, None] * (1 - gamma * h)[:, None] ** j
    used = np.zeros_like(gradients, dtype=bool)
    used.flat[np.argsort(-gradients, axis=None, kind="stable")[:steps]] = True
    return x * (1 - gamma * h) ** used.sum(axis=1)


@pytest.mark.parametrize("steps", [1, 4, 25])
def test_one_coordinate_per_round_is_greedy_coordinate_descent(steps):
    h, x, gamma = [1.0, 0.5, 0.25, 0.9, 0.1], [1.0, -3.0, 2.0, 0.7, -0.4], 0.6
    setup = diagonal(h, x, exact(NAME, FORGET, "algorithm.k=1", f"local.gamma={gamma}"))
    states, _ = advance(setup, steps)
    np.testing.assert_allclose(
        states[-1].w.numpy(), greedy(np.array(h), np.array(x), gamma, steps), atol=1e-13
    )


@given(
    values=st.lists(st.sampled_from([0.0, 1.0, -1.0, 2.5, -3.0]), min_size=1, max_size=12),
    k=st.integers(1, 14),
)
def test_chosen_coordinates_are_the_largest_of_the_mean_dense_or_sparse(values, k):
    v = torch.tensor(values, dtype=torch.float64)
    order = sorted((i for i, x in enumerate(values) if x), key=lambda i: (-abs(values[i]), i))
    expected = sorted(order[:k])
    sparse = SparseVector(len(values), torch.nonzero(v).flatten(), v[v != 0])
    assert largest_coordinates(v, k).tolist() == largest_coordinates(sparse, k).tolist() == expected


@pytest.mark.parametrize("name", ["topk", "blcd"])
def test_with_memory_every_gradient_is_either_applied_or_remembered(name):
    """w_t − γ ē_t = w_0 − γ Σ_s ∇f(w_s), exactly, for whatever coordinates were sent."""
    config = small(f"algorithm.name={name}", "channel.sigma=0.0", "local.E=1", "local.batch=0")
    _, setup, _ = prepare(config)
    states, _ = advance(setup, 6)
    total = sum(setup.problem.full_gradient(s.w).gradient for s in states[:-1])
    gamma, last = config.local.gamma, states[-1]
    virtual = setup.problem.start - gamma * total
    torch.testing.assert_close(last.w - gamma * last.memory, virtual, rtol=0, atol=1e-13)
    assert float(last.memory.norm()) > 1e-3


@pytest.mark.parametrize("name", ["topk", "blcd"])
def test_only_the_sent_coordinates_move_and_only_they_carry_noise(name):
    _, setup, _ = prepare(small(f"algorithm.name={name}", "channel.sigma=1.0"))
    states, infos = advance(setup, 3)
    for before, after, info in zip(states, states[1:], infos, strict=False):
        moved = torch.nonzero(after.w - before.w).flatten()
        assert moved.numel() == info["selected"] == info["channel_uses"] == 7
        assert not bool(after.memory[moved].any())


def test_a_sparse_vector_times_a_number_is_the_dense_one_times_it():
    v = SparseVector(4, torch.tensor([0, 3]), torch.tensor([3.0, -5.0]))
    assert v.scaled(4.0).dense().tolist() == [12.0, 0.0, 0.0, -20.0]
