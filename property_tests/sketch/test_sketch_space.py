"""The table of FPS: the exact identity of every round, and runs on which it or the broadcast diverges."""

from itertools import pairwise
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from fpsverify.algorithms import Setup
from fpsverify.algorithms.fps import FPS
from fpsverify.runs.loop import prepare
from fpsverify.sketch.sketch import CountSketch, empty
from property_tests.support import chosen_hash
from property_tests.support.quadratics import advance
from property_tests.support.small_runs import small

EPS = torch.finfo(torch.float64).eps


@st.composite
def one_step_runs(draw: st.DrawFn) -> Setup:
    """E = 1, full gradients, ideal channel; any loss, size of the table, k, read-out and start."""
    objective = draw(st.sampled_from(["softmax", "mlp", "logistic", "least_squares"]))
    classes = {"logistic": 2}.get(objective, 3)
    blobs = [f"problem.objective={objective}", f"problem.classes={classes}", "problem.hidden=3"]
    data = ["problem.data=synthetic", blobs[0]] if objective == "least_squares" else blobs
    config = small(
        *data,
        "problem.samples=40",
        "problem.test_samples=10",
        "local.E=1",
        "local.batch=0",
        f"local.gamma={draw(st.sampled_from([0.01, 0.1, 0.5]))}",
        f"local.mu={draw(st.sampled_from([0.0, 0.3]))}",
        "channel.kind=ideal",
        "channel.sigma=0.0",
        f"algorithm.rows={draw(st.integers(1, 5))}",
        f"algorithm.buckets={draw(st.integers(1, 20))}",
        f"algorithm.k={draw(st.integers(1, 6))}",
        f"algorithm.recovery={draw(st.sampled_from(['mean', 'median']))}",
        f"algorithm.initial_model={draw(st.sampled_from(['beside', 'sketch']))}",
        f"algorithm.simulate={draw(st.sampled_from(['batched', 'averaged']))}",
        f"seed={draw(st.integers(0, 2**31))}",
    )
    return prepare(config)[1]


def broadcast(setup: Setup, state: Any) -> Tensor:
    w = FPS.model(setup, state)
    assert isinstance(w, Tensor)
    return w


def table(state: Any) -> Tensor:
    found: Tensor = state.devices.mean(0)
    return found


def blank(setup: Setup) -> CountSketch:
    like = torch.empty(0, dtype=torch.float64)
    found = empty(setup.config.algorithm, setup.problem.d, None, setup.seed, like)
    assert isinstance(found, CountSketch)
    return found


@given(one_step_runs())
def test_every_round_moves_the_table_by_the_sketch_of_its_gradient(setup: Setup) -> None:
    """s_{t+1} = s_t − γ S a_t with a_t = ∇f(w̃_t), for E = 1 without noise, whatever is read out of the table.

    Summed over rounds this is I1, (s_0 − s_T)/γ = S Σ a_t; its square, summed, is the balance I2.

    a_t is summed as the devices sum it: no rounding lies between the two. A round forms (w − γg) − w on every
    device, adds up to d such numbers to the old entry and averages over devices: at most d + M + 4 roundings
    of numbers of at most 2Σ|w| + 2γΣ|g| + |entry|, with the g of the device where Σ|g| is largest.
    """
    problem: Any = setup.problem
    states, _ = advance(setup, 8)
    gamma, empty = setup.config.local.gamma, blank(setup)
    for before, after in pairwise(states):
        W = broadcast(setup, before).expand(problem.M, -1)
        g, _ = problem.gradients(W, setup.config.local, 1, 0)
        size = 2 * W[0].abs().sum() + 2 * gamma * g.abs().sum(1).max() + before.devices.abs().max()
        limit = EPS * (problem.d + problem.M + 4) * float(size)
        moved = table(before) - table(after)
        assert float((moved - gamma * empty.add(g.mean(0)).table).abs().max()) <= limit


# ---- Proposition G: divergence at every learning rate ------------------------------------------------


@pytest.mark.parametrize("recovery", ["mean", "median"])
@pytest.mark.parametrize(
    ("gamma", "initial"), [(2.0**-6, "beside"), (0.25, "beside"), (1.0, "beside"), (0.25, "sketch")]
)
def test_proposition_g_diverges_from_the_empty_table_at_every_rate_and_from_the_sketch_of_the_start(
    gamma: float, initial: str, recovery: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strongly convex quadratic, top-1: w̃_t = ((1+γ)^t − 1) e_0 exactly, for small and large γ alike; and
    started at e_0 with its sketch in the table and minimiser 0: w̃_t = (1+γ)^t e_0.

    Seven rounds: all numbers are dyadic and fit in 53 bits. Thirds occur only in estimates that lose.
    """
    chosen_hash.use(chosen_hash.hash_of_G(), monkeypatch)
    X = chosen_hash.rows_of_G()
    H = X.T @ X / 64
    assert H[0].tolist() == [1.0] * 7 and torch.equal(H[1:, 1:], 7 * torch.eye(6, dtype=torch.float64))
    e_0, zero = torch.eye(7, dtype=torch.float64)[0], torch.zeros(7, dtype=torch.float64)
    start, w_star, minus = (e_0, zero, 0) if initial == "sketch" else (zero, 8 * e_0 - 1, 1)
    size = ("algorithm.rows=3", "algorithm.buckets=5", "algorithm.k=1", f"algorithm.initial_model={initial}")
    rates = (f"local.gamma={gamma}", f"algorithm.recovery={recovery}")
    setup = chosen_hash.setup(X, w_star, start, *size, *rates)
    for t, state in enumerate(advance(setup, 7)[0]):
        assert broadcast(setup, state).tolist() == [(1 + gamma) ** t - minus] + [0.0] * 6


# ---- Proposition M: the median's table grows, and the median diverges inside the mean's range ---------


def run_of_m(gamma: float, recovery: str, rounds: int, patch: pytest.MonkeyPatch) -> tuple[Tensor, Tensor]:
    """Broadcasts (T+1, 2) and tables (T+1, 3) for f(w) = ‖w − (3, 1)‖²/2, k = d."""
    chosen_hash.use(chosen_hash.HASH_OF_M, patch)
    X = torch.zeros(4, 2, dtype=torch.float64)
    X[0, 0] = X[1, 1] = 2.0
    w_star, zero = torch.tensor([3.0, 1.0], dtype=torch.float64), torch.zeros(2, dtype=torch.float64)
    size = ("algorithm.rows=3", "algorithm.buckets=1", "algorithm.k=2")
    setup = chosen_hash.setup(
        X, w_star, zero, *size, f"local.gamma={gamma}", f"algorithm.recovery={recovery}"
    )
    states, _ = advance(setup, rounds)
    broadcasts = [broadcast(setup, state) for state in states]
    return torch.stack(broadcasts), torch.stack([table(s).flatten() for s in states])


@pytest.mark.parametrize("gamma", [2.0**-4, 0.25, 0.75, 1.25])
def test_with_the_median_the_table_grows_linearly_at_every_rate(
    gamma: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proposition M: the middle row is γt(w*_1 − w*_2), both coordinates are (p/2)(1 − (1 − 2γ)^t), p = 4."""
    w, s = run_of_m(gamma, "median", 10, monkeypatch)
    t = torch.arange(11, dtype=torch.float64)
    assert torch.equal(s[:, 1], 2 * gamma * t)
    assert torch.equal(w[:, 0], w[:, 1])
    assert torch.equal(w[:, 0], 2 * (1 - (1 - 2 * gamma) ** t))


def test_the_mean_converges_up_to_two_over_the_largest_eigenvalue_beyond_the_range_of_the_median(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Proposition M: below 3/2 = 2/L_A the mean converges to the minimiser, also between 1 and 3/2, where the
    median's (1 − 2γ)^t grows; beyond 3/2 the mean diverges too.
    """
    mean, _ = run_of_m(1.25, "mean", 200, monkeypatch)
    beyond = run_of_m(1.55, "mean", 200, monkeypatch)[0][-1].sum().abs()
    assert torch.allclose(mean[-1], torch.tensor([3.0, 1.0], dtype=torch.float64), atol=1e-9)
    assert float(beyond) > 1e4
