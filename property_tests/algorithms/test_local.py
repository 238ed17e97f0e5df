"""Laws of the local steps: the proximal gradient, mini-batches, and the compact sparse form."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.config import LocalConfig
from fpsverify.data.generated import ClickShape, clicks
from fpsverify.data.partition import partition
from fpsverify.distributed.ranks import alone
from fpsverify.local import dense_updates, local_updates
from fpsverify.objectives import Logistic, SparseLogistic
from fpsverify.problems.build import build
from fpsverify.problems.problem import DenseProblem, SparseProblem, batch_lengths, sample_rows, steps_in_round
from fpsverify.vectors import SparseVector
from property_tests.support.small_runs import densified, small

F64_STEPS = 1e-10  # a few hundred float64 operations on numbers of size at most 10²: far below 1e-10


@pytest.mark.parametrize("unit,E", [("steps", 4), ("epochs", 1)])
def test_local_updates_are_proximal_steps_of_each_device(unit, E):
    """Written out by hand with autograd, one device at a time; short devices have short epochs."""
    config = small("local.mu=0.7", f"local.E={E}", f"local.unit={unit}", "devices.scenario=3")
    problem = build(config).problem
    steps = steps_in_round(problem.sizes, config.local)
    assert (len(set(steps)) > 1) == (unit == "epochs")
    w = torch.linspace(-1, 1, problem.d, dtype=torch.float64)
    got = local_updates(problem, w, config.local, t=2).values
    for m in range(problem.M):
        x = w.clone()
        for e in range(steps[m]):
            rows = problem.shards[m][sample_rows(problem.sizes, config.local, config.seed, 2, e)[m]]
            y = x.clone().requires_grad_()
            loss = problem.objective.loss(y[None], problem.X[rows][None], problem.y[rows][None])[0]
            loss = loss + 0.7 / 2 * (y - w).square().sum()
            x = x - config.local.gamma * torch.autograd.grad(loss, y)[0]
        torch.testing.assert_close(got[m], x - w, rtol=0, atol=F64_STEPS)


sizes = st.lists(st.integers(1, 40), min_size=1, max_size=5).map(tuple)


@pytest.mark.parametrize(
    "unit, round_, step, device, place",
    [(unit, *other) for unit in ("steps", "epochs") for other in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))]
    + [("steps", 0, 0, 0, 1)],
)
def test_rounds_steps_devices_and_rows_of_a_step_are_drawn_uniformly_and_independently(
    unit, round_, step, device, place
):
    """The 16 pairs of two rows, 1,600 times: chi-square at a false-alarm rate of 1e-6.

    In the unit of epochs a step is a whole epoch here, so that two steps have two orders; a step draws its
    rows with replacement.
    """
    from scipy import stats

    n = 4
    local = LocalConfig(E=2, batch=n, unit=unit)
    pairs = np.zeros((n, n))
    for t in range(0, 3200, 2):
        here = sample_rows((n, n), local, 1, t, 0)[0][0]
        there = sample_rows((n, n), local, 1, t + round_, step)[device][place]
        pairs[here, there] += 1
    assert stats.chisquare(pairs.ravel()).pvalue > 1e-6


@given(sizes, st.integers(1, 9), st.integers(1, 3), st.integers(0, 99))
def test_a_step_draws_a_batch_of_rows_and_an_epoch_visits_every_row_once(n, batch, E, t):
    """How many rows there will be is known without drawing them."""
    plain = LocalConfig(E=10, batch=batch)
    rows = sample_rows(n, plain, 1, t, E)
    assert [len(r) for r in rows] == list(batch_lengths(n, plain, E)) == [batch] * len(n)
    assert all(0 <= r.min() and r.max() < size for r, size in zip(rows, n, strict=True))
    local = LocalConfig(E=E, batch=batch, unit="epochs")
    steps = steps_in_round(n, local)
    drawn = [sample_rows(n, local, 1, t, e) for e in range(max(steps) + 1)]
    assert all(list(batch_lengths(n, local, e)) == list(map(len, step)) for e, step in enumerate(drawn))
    for m, size in enumerate(n):
        rows = np.concatenate([step[m] for step in drawn])
        assert np.array_equal(np.bincount(rows, minlength=size), np.full(size, E))
        assert len(drawn[steps[m]][m]) == 0


def sparse_problem() -> SparseProblem:
    """30 coordinates that all occur, so that nothing distinguishes the sparse form but its storage."""
    data = clicks(ClickShape("tiny", d=30, fields=5, keep=0.8, positive_rate=0.4), 120, 40, seed=2)
    shards, support = partition(data.groups, 4, 4, seed=3), torch.unique(data.train.indices)
    return SparseProblem(SparseLogistic(30), data.train, shards, data.test, 3, support, torch.float64)


@pytest.fixture
def forms() -> tuple[SparseProblem, DenseProblem, SparseVector]:
    """The same rows stored and written out, and a point."""
    sparse = sparse_problem()
    w = SparseVector.from_pairs(30, torch.tensor([3, 17, 29]), torch.tensor([0.5, -1.0, 2.0]).double())
    return sparse, densified(sparse, Logistic(30, bias=False)), w


@pytest.mark.parametrize("unit", ["steps", "epochs"])
@pytest.mark.parametrize("mu", [0.0, 0.8])
def test_compact_sparse_steps_equal_dense_steps(unit, mu, forms):
    """Nothing is lost outside the touched space."""
    sparse, dense, w = forms
    local = LocalConfig(E=3, batch=7, gamma=0.5, mu=mu, unit=unit)
    written_out = local_updates(dense, w.dense(), local, t=4).values
    for part, row in zip(local_updates(sparse, w, local, t=4).parts, written_out, strict=True):
        torch.testing.assert_close(part.dense(), row, rtol=0, atol=F64_STEPS)


def test_sparse_full_gradient_and_metrics_equal_dense_ones(forms):
    sparse, dense, w = forms
    a, b = sparse.full_gradient(w), dense.full_gradient(w.dense())
    assert a.loss == pytest.approx(b.loss, rel=1e-12)
    torch.testing.assert_close(a.gradient.dense(), b.gradient, rtol=0, atol=F64_STEPS)
    assert a.device_norms_squared == pytest.approx(b.device_norms_squared, rel=1e-12)
    assert sparse.evaluate(w, "negative") == pytest.approx(dense.evaluate(w.dense(), "negative"), rel=1e-12)


def test_gradients_and_steps_do_not_depend_on_how_many_devices_are_taken_at_a_time(monkeypatch):
    """Blocks of one, two (a shorter one last) and all devices; batches of unequal length among them."""
    from fpsverify.problems import problem as module

    problem = build(small()).problem
    W = torch.randn(problem.M, problem.d, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    for local in (LocalConfig(batch=3), LocalConfig(batch=0), LocalConfig(batch=4, unit="epochs", E=2)):
        whole, busy = problem.gradients(W, local, 1, 0)
        moved = dense_updates(problem, W[0], local, 1, alone(problem.M), shift=W).values
        width = problem.X.shape[1] * problem.X.element_size()
        longest = max(problem.sizes) if local.batch == 0 else local.batch
        for devices in (1, 2, problem.M):
            room = devices * longest * width
            monkeypatch.setattr(module, "block_bytes", lambda device, room=room: room)
            found, still = problem.gradients(W, local, 1, 0)
            torch.testing.assert_close(found, whole, rtol=1e-12, atol=1e-14)
            assert still == busy
            steps = dense_updates(problem, W[0], local, 1, alone(problem.M), shift=W).values
            torch.testing.assert_close(steps, moved, rtol=1e-12, atol=1e-14)
