"""Theorem C on convex devices: its bound holds on runs, with noise and with a residual; so does its range."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from property_tests.rates.asked import record
from property_tests.support import device_losses as dl
from theory.errors import InvalidParameter
from theory.formulas import convex as fc
from theory.papers.fps import letters as sy
from theory.rates.parameters import Parameters, rational
from theory.rates.theorem_c import convex_range


def convex_bound(
    q: Parameters, gamma: float, T: int, distance2: float, star2: float = 0, sigma2: float = 0, R2: float = 0
) -> sp.Expr:
    """Theorem C's right side from the formulas that Coq was shown, exact for exact numbers."""
    given = {sy.gamma: gamma, sy.L: q.L, sy.P_n: q.P_n, sy.E: q.E, sy.T: T, sy.s2: sigma2, sy.R2: R2}
    given |= {fc.distance2: distance2, fc.star2: star2}
    values = {letter: rational(value) for letter, value in given.items()}
    values[fc.kappa] = fc.KAPPA.xreplace(values)
    shares = [fc.CONVEX_SHARE.xreplace(values | {fc.e: sp.Integer(e)}) for e in range(q.E)]
    values[fc.C] = sum(fc.CONVEX_SUMMAND.xreplace(values | {fc.share: a}) for a in shares)
    return (fc.CONVEX_BOUND_RESIDUAL if R2 else fc.CONVEX_BOUND).xreplace(values)


@pytest.mark.parametrize("E", [1, 2, 5])
def test_the_bound_holds_on_convex_runs_up_to_the_end_of_the_range(E: int) -> None:
    """The broadcast differs from the exact vector V by an arbitrary residual, or by none."""
    draws, T = np.random.default_rng(E), 20
    for size in (0.0, 0.1, 1.0) * 20:
        losses = dl.with_a_full_device(draws, int(draws.integers(1, 4)), 2, 0.0)
        gamma, star, residuals = (
            draws.uniform(0.2, 1.98),
            losses.minimiser(),
            size * draws.normal(size=(T, 2)),
        )
        start = star + 3 * draws.standard_normal(2)
        distance2 = ((start - star) ** 2).sum()
        xs = dl.broadcasts(losses, start, residuals, gamma, E)
        heterogeneity, R2 = (dl.gradients(losses, star) ** 2).sum(1).mean(), (residuals**2).sum(1).mean()
        bound = convex_bound(Parameters(L=1, E=E, B=10), gamma, T, distance2, heterogeneity, R2=R2)
        assert dl.mean_square_gradient(losses, xs) <= float(bound) * (1 + 1e-9)


def test_the_bound_holds_for_one_noisy_round() -> None:
    """T = 1 says nothing of noise; so the one-round inequality behind the bound is tested, exactly."""
    draws = np.random.default_rng(3)
    for _ in range(40):
        losses, E, P_n = dl.with_a_full_device(draws, 2, 2, 0.0), 2, 0.5
        gamma, star = draws.uniform(0.2, 0.99) * 2 / 1.5, losses.minimiser()
        x = star + draws.standard_normal(2)
        ends = [
            dl.one_round(losses, x, gamma, E, signs=s, noise=P_n)
            for s in dl.all_signs(2, E, shared=bool(draws.integers(2)))
        ]
        distance = float(np.mean([((end - star) ** 2).sum() for end in ends]))
        kappa = 2 * gamma - gamma**2 * (1 + P_n)
        q = Parameters(L=1, E=E, P_n=P_n)
        heterogeneity = (dl.gradients(losses, star) ** 2).sum(1).mean()
        bound = convex_bound(q, gamma, 1, ((x - star) ** 2).sum(), heterogeneity)
        slope = dl.gradients(losses, x).mean(0)
        assert distance <= float(bound) * kappa / 2 - kappa / 2 * float(slope @ slope) + 1e-9


def test_the_range_falls_with_noise_and_knows_its_conditions() -> None:
    assert (
        convex_range(Parameters(L=1, E=7, P_n=1)).gamma == 1 == convex_range(Parameters(L=2, E=3, B=5)).gamma
    )
    found = convex_range(Parameters(L=1, E=7))
    assert found.strict and found.gamma == 2
    assert "attains its minimum" in found.why and "convex" in found.why
    for q in (Parameters(L=1, P_b=Fraction(1, 100)), Parameters(L=1, E=2, mu=1)):
        refused = convex_range(q)
        assert not refused.applies and refused.gamma_max is None and "does not apply" in refused.why
    assert convex_range(Parameters(L=1, E=1, mu=1)).applies  # one step has no proximal term
    with pytest.raises(InvalidParameter, match="^L: "):
        convex_range(Parameters(L=0))


def shared_coin(gamma: Fraction) -> Fraction:
    """E|x_+|²/|x|² for l_m = x_m²/2 (m = 1, 2), x = (a, a), noise s|∇l_m|(1,1)/√2 with one coin s = ±1.

    Both coordinates become a(1 − γ/2) − sγ|a|/√2: x stays on the diagonal, so every round is like this one.
    """
    return (1 - gamma / 2) ** 2 + gamma**2 / 2


def test_noise_scales_with_the_smoothness_of_the_devices_not_of_the_mean() -> None:
    """L = 1, L_f = 1/2, P_n = 1, ν = 1: the range ends exactly where a run stops improving."""
    q = Parameters(L=1, P_n=1, M=2, nu=1)
    end = convex_range(q, Fraction(1, 2)).gamma
    assert end is not None and shared_coin(end) == 1
    assert shared_coin(end * Fraction(101, 100)) > 1 > shared_coin(end * Fraction(99, 100))
    convex = record("lr --L 1 --L_f 0.5 --E 1 --Pn 1 --B 1.5 --M 2 --no-independent-noise --theta 0")[
        "convex"
    ]
    assert shared_coin(Fraction(convex["gamma_max"]) * Fraction(999, 1000)) < 1
    assert shared_coin(Fraction(7, 5)) == Fraction(107, 100)


def test_the_smoothness_of_the_mean_counts_alone_without_noise_and_never_shrinks_the_range() -> None:
    assert convex_range(Parameters(L=4, B=2), 1).gamma == 2
    for P_n, nu in ((0, 1), (1, 1), (1, Fraction(1, 3))):
        q = Parameters(L=4, P_n=P_n, nu=nu)
        plain = convex_range(q).gamma
        assert plain is not None and (convex_range(q, 4).gamma or 0) >= plain
    more = Parameters(L=1, E=2, P_n=1)
    assert convex_range(more, Fraction(1, 2)).gamma == convex_range(more).gamma  # one step only


@pytest.mark.parametrize("shared", [False, True])
def test_noisy_rounds_come_nearer_inside_the_range_of_the_mean(shared: bool) -> None:
    """All losses have the minimiser 0; every outcome of the devices' signs is run, so the mean is exact."""
    draws, M = np.random.default_rng(8), 3
    for _ in range(60):
        losses = dl.random_quadratics(draws, M, 2, 0.0)
        losses = dl.Quadratics(losses.H, np.zeros((M, 2)))
        L_f = float(np.linalg.eigvalsh(losses.H.mean(0))[-1])
        q = Parameters(L=1, P_n=1, nu=1 if shared else Fraction(1, M))
        gamma = 0.999 * float(convex_range(q, min(L_f, 1.0)).gamma or 0)
        x = draws.standard_normal(2)
        outcomes = dl.all_signs(M, 1, shared=shared)
        ends = [dl.one_round(losses, x, gamma, 1, signs=s, noise=1.0) for s in outcomes]
        assert np.mean([end @ end for end in ends]) <= (x @ x) * (1 + 1e-12)
