"""Laws of the distorted problems of the advice experiment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from benchmarks.estimates import advice_problems, distorted
from benchmarks.estimates.advice import Bench, pilot_of
from benchmarks.estimates.distorted import DISTORTIONS, DistortedModel, DistortedProblem
from fpsverify.runs.loop import prepare
from property_tests import laws
from property_tests.support.small_runs import small

SOURCE = laws.ASSUMPTIONS


@pytest.fixture(scope="module")
def problem():
    return prepare(small())[1].problem


@pytest.mark.parametrize("name", DISTORTIONS)
def test_only_mini_batch_gradients_are_distorted(problem, name):
    bent, local = DistortedProblem.of(problem, name), small().local
    w = 0.3 * torch.ones(problem.d, dtype=torch.float64)
    W = w.expand(problem.M, -1)
    assert torch.equal(bent.full_gradient(w).gradient, problem.full_gradient(w).gradient)
    plain, _ = problem.gradients(W, local, 1, 0)
    once, _ = bent.gradients(W, local, 1, 0)
    again, _ = bent.gradients(W, local, 1, 0)
    assert torch.equal(once, again)
    if name != "clip":  # these gradients are shorter than what is cut
        assert not torch.equal(once, plain)


def test_each_distortion_does_what_it_says():
    g = torch.from_numpy(np.random.default_rng(0).standard_normal((4, 10)))
    rng = np.random.default_rng(1)
    assert torch.allclose(distorted.clip(g, rng).norm(dim=1), torch.full((4,), 0.5, dtype=torch.float64))
    assert torch.equal(distorted.clip(0.01 * g, rng), 0.01 * g)
    kept = distorted.sparsify(g, rng)
    assert (kept != 0).sum(1).tolist() == [3] * 4 and torch.equal(kept[kept != 0], g[kept != 0])
    unit = g.abs().amax(1, keepdim=True) / 4
    assert bool(((distorted.round_off(g, rng) - g).abs() <= unit / 2 * (1 + 1e-12)).all())
    gains = distorted.fading(torch.ones(20_000, 1, dtype=torch.float64), rng)
    assert abs(float(gains.mean()) - 1) < 5 * 0.5 / np.sqrt(20_000)


def test_estimators_and_runs_see_the_same_distribution(problem):
    """Mean over 2000 draws of either agrees within 6 standard errors, coordinate by coordinate."""
    local = small().local
    W = 0.3 * torch.ones(problem.M, problem.d, dtype=torch.float64)
    bent, model = DistortedProblem.of(problem, "both"), DistortedModel(problem, local, "both")
    a = torch.stack([bent.gradients(W, local, t, 0)[0] for t in range(2000)])
    b = torch.stack([model.gradients(W, np.random.default_rng([3, t])) for t in range(2000)])
    error = (a.var(0) + b.var(0)).div(2000).sqrt() + 1e-12
    assert float(((a.mean(0) - b.mean(0)).abs() / error).max()) < 6


def test_shared_minimiser_has_no_gradient_anywhere_at_its_solution():
    config = dict(advice_problems.problem_configs(quick=False, seed=3))["shared~clip-E1"]
    _, setup = advice_problems.problem_of("shared~clip-E1", config)
    X, y = setup.problem.X, setup.problem.y
    w = torch.linalg.lstsq(X, y).solution
    each = [setup.problem.device_gradient(w, m)[1].norm() for m in range(setup.problem.M)]
    start = setup.problem.full_gradient(torch.zeros_like(w)).gradient.norm()
    assert max(each) < 1e-9 * start


def test_a_distorted_pilot_chooses_relative_parts():
    """On shared~fading the noise is relative and the gradients vanish together: P_n > 0 and B > 1 win."""
    config = dict(advice_problems.problem_configs(quick=False, seed=3))["shared~fading-E1"]
    found = pilot_of("shared~fading-E1", config)
    assert found.constants["P_n"] > 0.25 and found.constants["B"] > 1 and found.constants["P_b"] == 0
    assert found.predicted["repaired_sharp"] > 0


def test_bench_runs_the_distorted_problem():
    config = dict(advice_problems.problem_configs(quick=False, seed=3))["shared~clip-E1"]
    bench = Bench.of(config, "shared~clip-E1")
    assert isinstance(bench.setup.problem, DistortedProblem)
    slow = bench.losses(1e-3)
    plain = replace(bench, setup=replace(bench.setup, problem=prepare(config)[1].problem)).losses(1e-3)
    assert slow[-1] < slow[0] and slow != plain


def test_names_have_parts():
    assert advice_problems.parts_of("shared~clip-E2") == ("shared", "clip")
    assert advice_problems.parts_of("mnist-E5-S2") == ("mnist", "")
