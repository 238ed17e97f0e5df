"""The limits that the rule starts from: the edge, its cheap lower limit, and what curvature certifies."""

import math
from collections.abc import Callable

import pytest
import torch

import fpsverify as fps
from empirical.advice.case import case_of
from empirical.advice.curvature import Look, box, constants, look, relative_noise
from empirical.advice.limits import limits
from empirical.sketch_space.edge import coarse_edge, edge
from fpsverify.own.training import run_config
from property_tests.advice.test_advise import small
from property_tests.estimates.test_sketch_edge import curvatures, evidence_of
from theory.rates.answer import certified_in


@pytest.mark.parametrize("mu", [0.0, 0.2])
@pytest.mark.parametrize("E", [2, 3, 5])
def test_the_cheap_edge_is_below_the_edge_and_within_the_local_steps_of_it(E: int, mu: float) -> None:
    H = curvatures(24, 3, seed=E, power=0.05)
    seen = evidence_of(H, E, mu, buckets=2)
    largest = float(torch.linalg.eigvalsh(H).max())
    cheap, sharp = coarse_edge(seen, largest), edge(seen)
    assert 0 < cheap.gamma <= sharp.high * (1 + 1e-6)
    assert sharp.gamma <= E * cheap.gamma * (1 + 1e-6) or cheap.gamma == pytest.approx(2 / (largest + mu))
    assert not cheap.exact and "lower limit" in cheap.label


def test_for_several_steps_the_cheap_edge_serves() -> None:
    case, one = case_of(small(**{"local.E": 3})), case_of(small())
    point = ((0, case.in_model(case.setup.problem.start)),)
    cheap, exact = limits(case, point), limits(one, point)
    assert (cheap.coarse, exact.coarse) == (True, False)
    assert cheap.edge is not None and cheap.edge.gamma <= edge(case.evidence(point)).high
    assert cheap.c == cheap.edge.gamma <= (cheap.at_estimates.certified or 0)


def a_look(t: int, L: float, gradient: float, noise: float) -> Look:
    return Look(t, (L, 1.1 * L), gradient, noise)


def test_the_worse_look_counts() -> None:
    looks = (a_look(0, 4.0, 1.0, 0.0), a_look(50, 3.0, 0.5, 0.0))
    assert constants(looks, False, 0).L == 4.0 and constants(looks, False, 1).L == pytest.approx(4.4)


def test_one_step_looks_at_the_mean_loss_alone() -> None:
    case = case_of(small(**{"devices.scenario": 3}))
    w = case.in_model(case.setup.problem.start)
    mean, devices = (look(case.model, w, 0, 1, False, each) for each in (True, False))
    assert mean.L[0] < devices.L[0] * (1 - 1e-6)
    rows = [case.model.problem.X[torch.from_numpy(s)].double() for s in case.model.problem.shards]
    exact = torch.linalg.eigvalsh(torch.stack([X.T @ X / len(X) for X in rows]).mean(0))[-1]
    assert mean.L[0] == pytest.approx(float(exact), rel=1e-4)


def test_noise_that_falls_with_the_gradient_is_relative_and_lowers_the_range() -> None:
    relative = (a_look(0, 1.0, 10.0, 6.0), a_look(50, 1.0, 2.0, 2.0))
    absolute = (a_look(0, 1.0, 10.0, 6.0), a_look(50, 1.0, 2.0, 6.0))
    assert relative_noise(relative) == 0.5 and relative_noise(absolute) == 0.0
    ranges = [certified_in(box(constants(looks, False, 0), 3, 0.0, 1)) for looks in (relative, absolute)]
    assert ranges[0] is not None and ranges[1] is not None
    assert (ranges[0].gamma_max or 0) < 0.9 * (ranges[1].gamma_max or 0)


def test_convex_losses_are_certified_for_more_and_curvature_that_is_no_number_for_nothing() -> None:
    at = constants((a_look(0, 1.0, 1.0, 0.0),), False, 0)
    convex, smooth = (certified_in(box(at, 5, 0.0, 4), theta) for theta in (0, 1))
    assert convex is not None and smooth is not None
    assert convex.gamma_max == pytest.approx(2, rel=1e-3)
    assert smooth.gamma_max == pytest.approx(1.057, rel=1e-3)
    for L in (0.0, math.inf, math.nan):
        assert box(constants((a_look(0, L, 1.0, 0.0),), True, 0), 1, 0.0, 2) is None


def test_with_a_part_of_the_devices_one_step_needs_the_stiffest_of_them() -> None:
    """The mean loss of n devices may curve as much as one of them, and n average their noise."""
    cases = [case_of(small(**{"devices.participation": n})) for n in (3, 0.34)]
    everyone, one = (limits(case, ((0, case.in_model(case.setup.problem.start)),)) for case in cases)
    problem = cases[1].setup.problem
    rows = [problem.X[torch.from_numpy(shard)] for shard in problem.shards]
    stiffest = max(float(torch.linalg.matrix_norm(X, 2)) ** 2 / len(X) for X in rows)
    assert one.L == pytest.approx(stiffest, rel=1e-6) and everyone.L < one.L
    assert everyone.mean and not one.mean


class Bent(torch.nn.Module):
    """One layer, then an operation without a layer of its own."""

    def __init__(self, bend: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.layer, self.bend = torch.nn.Linear(4, 3), bend

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.bend(self.layer(x))


KINKS = [torch.relu, torch.abs, lambda x: x.clamp(min=0), lambda x: torch.maximum(x, -x), torch.nn.ReLU6()]
KINKS += [
    torch.nn.functional.leaky_relu,
    torch.nn.PReLU(),
    torch.nn.Hardswish(),
    lambda x: x.amax(1)[:, None] + x,
]
KINKS += [lambda x: torch.nn.functional.max_pool1d(x[:, None], 1)[:, 0]]
SMOOTH = [torch.tanh, torch.nn.functional.silu, torch.nn.functional.gelu, torch.nn.Softplus(), lambda x: x]


@pytest.mark.parametrize("bend", KINKS + SMOOTH)
def test_kinks_are_seen_wherever_they_are(bend: Callable[[torch.Tensor], torch.Tensor]) -> None:
    data = [(torch.randn(6, 4), torch.randint(3, (6,))) for _ in range(2)]
    federation = fps.Federation(Bent(bend), torch.nn.functional.cross_entropy, data)
    found = case_of(run_config(federation, sketch=None), federation)
    assert found.kinked == (bend in KINKS)
