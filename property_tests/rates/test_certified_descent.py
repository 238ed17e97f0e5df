"""Rounds on random and adversarial devices never break a certificate; rates called impossible fail."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from property_tests.support import device_losses as dl
from theory.rates.descent.certificate import Certificate
from theory.rates.descent.certified import certified_range
from theory.rates.descent.round import Setting
from theory.rates.limits.cycle_check import GramCycle
from theory.rates.limits.impossible import TwoCurvatures, growth, impossible_from
from theory.rates.parameters import Parameters

Array = dl.Array


@cache
def proof(q: Parameters, theta: Fraction = Fraction(1)) -> Certificate:
    found = certified_range(q, theta).proof
    assert found is not None
    return found


def descends(c: Certificate, losses: dl.Losses, x: Array, ends: list[Array]) -> bool:
    """The certificate's statement, up to a thousand operations of 2⁻⁵³ on the largest numbers that occur."""
    sizes = [abs(dl.mean_value(losses, p)) + (dl.gradients(losses, p) ** 2).sum() for p in (x, *ends)]
    rounding = 1e-12 * (1 + float(c.price("spread"))) * (1 + max(sizes))
    return broken_by(c, losses, x, ends) <= rounding


def broken_by(c: Certificate, losses: dl.Losses, x: Array, ends: list[Array]) -> float:
    """E f(x_+) − [f(x) − c|∇f(x)|² + price_G·G²] with the least G that A3 allows; above 0 it breaks."""
    slope = dl.gradients(losses, x).mean(0)
    G2 = max(0.0, dl.spread_excess(losses, [x], float(c.B)), dl.spread_excess(losses, ends, float(c.B)))
    allowed = dl.mean_value(losses, x) - float(c.c) * float(slope @ slope) + float(c.price("spread")) * G2
    return float(np.mean([dl.mean_value(losses, end) for end in ends])) - allowed


PLAIN = [
    Parameters(L=1, E=2, B=1),
    Parameters(L=1, E=3, B=Fraction(3, 2)),
    Parameters(L=1, E=5, B=2),
    Parameters(L=1, E=4, B=Fraction(5, 4), mu=Fraction(1, 2)),
]


@pytest.mark.parametrize(
    ("q", "theta"), [*((q, Fraction(1)) for q in PLAIN), (Parameters(L=1, E=5, B=2), Fraction(0))]
)
def test_random_devices_descend(q: Parameters, theta: Fraction) -> None:
    draws, c = np.random.default_rng(1), proof(q, theta)
    for trial in range(150):
        d, devices = int(draws.integers(1, 4)), int(draws.integers(1, 5))
        losses: dl.Losses = dl.random_quadratics(draws, devices, d, -float(theta))
        if theta and trial % 3 == 0:
            losses = dl.random_waves(draws, devices, d)
        x = draws.standard_normal(d)
        assert descends(c, losses, x, [dl.one_round(losses, x, float(c.gamma), q.E, float(q.mu))])


def test_biased_devices_descend() -> None:
    q = Parameters(L=1, E=3, B=2, P_b=Fraction(1, 25))
    draws, c = np.random.default_rng(3), proof(q)
    for trial in range(150):
        losses = dl.random_quadratics(draws, 3, 2, -1.0)
        way = draws.choice([-1.0, 1.0], 3)

        def bias(m: int, e: int, g: Array, way: Array = way, aligned: bool = trial % 2 == 0) -> Array:
            turned = g if aligned else np.array([-g[1], g[0]])
            return 0.2 * way[m] * turned

        x = draws.standard_normal(2)
        end = dl.one_round(losses, x, float(c.gamma), q.E, bias=bias)
        assert descends(c, losses, x, [end])


def test_with_an_absolute_bias_the_gradient_has_a_floor_while_the_loss_may_rise_for_ever() -> None:
    """f = 0.1√(1+x²) has slopes below 0.1; a bias of 0.2 uphill raises it in every round."""
    c = proof(Parameters(L=Fraction(1, 10), E=1, P_b=Fraction(1, 100)))
    x, squares, values = 1.0, [], []
    for _ in range(200):
        slope = 0.1 * x / (1 + x * x) ** 0.5
        squares.append(slope**2)
        values.append(0.1 * (1 + x * x) ** 0.5)
        x -= float(c.gamma) * (slope - 0.2)
    assert all(late > early for early, late in pairwise(values))
    floor = float(c.price("bias") / c.c) * 0.2**2
    assert np.mean(squares) <= (values[0] - values[-1]) / (len(values) - 1) / float(c.c) + floor


@pytest.mark.parametrize("shared", [False, True])
def test_noisy_devices_descend_in_expectation(shared: bool) -> None:
    """Every outcome of the signs is run, so the expectation is exact; shared signs are noise with ν = 1."""
    devices, E = 2, 2
    q = Parameters(L=1, E=E, B=Fraction(3, 2), P_n=Fraction(1, 2), nu=1 if shared else Fraction(1, devices))
    draws, c = np.random.default_rng(4), proof(q)
    outcomes = dl.all_signs(devices, E, shared)
    for _ in range(60):
        losses = dl.random_quadratics(draws, devices, 2, -1.0)
        x = draws.standard_normal(2)
        ends = [dl.one_round(losses, x, float(c.gamma), E, signs=s, noise=0.5) for s in outcomes]
        assert descends(c, losses, x, ends)


@pytest.mark.parametrize(
    "q", [Parameters(L=1, E=2, B=2), Parameters(L=2, E=4, B=3), Parameters(L=1, E=20, B=5)]
)
def test_two_curvatures_stand_still_or_grow(q: Parameters) -> None:
    """The run that proves a rate impossible, made with explicit devices: x does not shrink."""
    found = impossible_from(q, most_nodes=0)
    run = found.evidence
    assert isinstance(run, TwoCurvatures) and run.proves_impossible() and found.larger_too
    devices = run.share.denominator
    ups = int(run.share * devices)
    H = np.array([[[1.0]]] * ups + [[[-1.0]]] * (devices - ups)) * float(q.L)
    losses = dl.Quadratics(H, np.zeros((devices, 1)))
    x = np.array([1.0])
    end = dl.one_round(losses, x, float(found.gamma or 0), q.E)
    assert end[0] ** 2 == pytest.approx(float(growth(run, run.step)), rel=1e-9)
    assert dl.spread_excess(losses, [x], float(q.B)) <= 1e-12
    assert float(growth(run, run.step * Fraction(999, 1000))) < 1  # just below it the run improves


@pytest.mark.parametrize("devices", [2, 3, 5])
def test_any_number_of_devices_above_one_can_fail_like_two_curvatures(devices: int) -> None:
    """v_m: the corners of a regular polygon (for two devices ±1); the share p need not be whole for them."""
    q = Parameters(L=1, E=3, B=Fraction(7, 5), M=devices)
    run = impossible_from(q, Fraction(1, 2), most_nodes=0).evidence
    assert isinstance(run, TwoCurvatures)
    p, angles = float(run.share), 2 * np.pi * np.arange(devices) / devices
    u = np.stack([np.full(devices, p**0.5), *((1 - p) ** 0.5 * f(angles) for f in (np.cos, np.sin))], axis=1)
    H = 1.5 * u[:, :, None] * u[:, None, :] - 0.5 * np.eye(3)
    losses, x = dl.Quadratics(H, np.zeros((devices, 3))), np.eye(3)[0]
    end = dl.one_round(losses, x, float(run.step), q.E)
    assert end @ end == pytest.approx(float(growth(run, run.step)), rel=1e-9) and abs(end[1:]).max() < 1e-9
    assert dl.spread_excess(losses, [x], float(q.B)) <= 1e-9


@pytest.mark.parametrize(("E", "share"), [(2, Fraction(1)), (2, Fraction(1, 2)), (1, Fraction(1))])
def test_noisy_growth_is_the_exact_second_moment(E: int, share: Fraction) -> None:
    """All outcomes of two devices' signs against the closed recursion, with bias and a proximal term."""
    q = Setting(
        E=E, B=Fraction(3), P_b=Fraction(1, 25), P_n=Fraction(1, 2), mu=Fraction(1, 3), theta=Fraction(1, 4)
    )
    run = TwoCurvatures(q, Fraction(3, 5), share, Fraction(1, 5), -1, 2)
    h = np.array([1.0, 1.0 if share == 1 else -0.25])
    losses = dl.Quadratics(h[:, None, None], np.zeros((2, 1)))
    signs = np.where(h > 0, -0.2, 0.2)
    ends = [
        dl.one_round(losses, np.ones(1), 0.6, E, 1 / 3, lambda m, e, g: signs[m] * g, s, 0.5)[0]
        for s in dl.all_signs(2, E, shared=False)
    ]
    assert float(growth(run, run.step)) == pytest.approx(np.mean(np.square(ends)), rel=1e-12)


def test_a_cycle_or_a_run_outside_the_assumptions_proves_nothing() -> None:
    """Changed numbers; deviations of negative square at a harmless step; less spread or bias than needed."""
    cycle, spread, biased = (impossible_from(q).evidence for q in CYCLES[:3])
    assert isinstance(cycle, GramCycle) and isinstance(spread, GramCycle) and isinstance(biased, GramCycle)
    unit = tuple(tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3))
    means, negative = tuple(row[:2] for row in unit[:2]), tuple(tuple(-1000 * v for v in row) for row in unit)
    damaged = [
        replace(cycle, step=cycle.step / 2),
        replace(cycle, rounds=cycle.rounds + 1),
        replace(cycle, values=tuple(v * 2 for v in cycle.values)),
        replace(cycle, means=tuple(tuple(-v for v in row) for row in cycle.means)),
        replace(cycle, deviations=tuple(tuple(4 * v for v in row) for row in cycle.deviations)),
        GramCycle(Setting(E=3, B=Fraction(2)), Fraction(1, 10), 1, means, negative, (Fraction(0),) * 3),
        replace(spread, setting=replace(spread.setting, B=Fraction(149, 100))),
        replace(biased, setting=replace(biased.setting, P_b=Fraction(1, 200))),
    ]
    run = impossible_from(Parameters(L=1, E=3, B=2, P_b=Fraction(1, 100)), most_nodes=0).evidence
    assert isinstance(run, TwoCurvatures) and run.proves_impossible()
    outside = [
        replace(run, share=run.share - Fraction(1, 10**6)),
        replace(run, share=Fraction(1, 5)),
        replace(run, bias=Fraction(1, 5)),
        replace(run, noisy_devices=7),
        replace(run, setting=replace(run.setting, mu=Fraction(100))),
        replace(run, step=run.step * Fraction(99, 100)),
    ]
    assert not any(each.proves_impossible() for each in (*damaged, *outside))


CYCLES = (
    Parameters(L=1, E=3),
    Parameters(L=1, E=3, B=Fraction(3, 2)),
    Parameters(L=1, E=1, B=2, P_b=Fraction(1, 100)),
    Parameters(L=1, E=3, B=2, mu=Fraction(1, 2)),
)


@pytest.mark.parametrize("q", CYCLES)
def test_cycles_are_real_runs_of_two_devices(q: Parameters) -> None:
    """Vectors with the proved Gram matrices: the rounds close, the gradient is not 0, the bounds hold."""
    cycle = impossible_from(q).evidence
    assert isinstance(cycle, GramCycle) and cycle.proves_impossible()
    mean, spread = realised(cycle)
    for sign in (1.0, -1.0):
        check_device(cycle, mean + sign * spread, mean)
    assert (mean[0] ** 2).sum() > 0.5


def test_convex_losses_with_a_proximal_term_fail_on_a_cycle_before_they_fail_on_two_curvatures() -> None:
    """The limit of runs with two curvatures is 1.507; a cycle of three points stands still at 1.102."""
    found = impossible_from(Parameters(L=1, E=3, B=2, mu=Fraction(1, 2)), 0)
    assert isinstance(found.evidence, GramCycle) and found.evidence.proves_impossible()
    assert found.gamma_from is not None and found.gamma_from < 1.2


def realised(cycle: GramCycle) -> tuple[Array, Array]:
    """Mean letters and deviations as rows, in orthogonal spaces."""
    means, spreads = (np.array(m, dtype=float) for m in (cycle.means, cycle.deviations))
    nodes, E = cycle.rounds * cycle.setting.E, cycle.setting.E
    letters = nodes * (2 if cycle.setting.P_b else 1)
    keep = 1 - float(cycle.step * cycle.setting.mu)
    weights = np.array([keep ** (E - 1 - k % nodes % E) for k in range(letters)])
    mean = np.zeros((letters, len(means) + len(spreads)))
    others = [k for k in range(letters) if k != nodes - 1]
    mean[others, : len(means)] = np.linalg.cholesky(means)
    mean[nodes - 1] = -weights[others] @ mean[others]
    spread = np.zeros_like(mean)
    free = [k for k in range(letters) if cycle.setting.B > 1 or not (k < nodes and k % E == 0)]
    spread[free, len(means) :] = np.linalg.cholesky(spreads)
    return mean, spread


def check_device(cycle: GramCycle, own: Array, mean: Array) -> None:
    """One device's local points, and smoothness between all of them; the mean's rounds must close."""
    q, nodes, step = cycle.setting, cycle.rounds * cycle.setting.E, float(cycle.step)
    x, points = np.zeros(own.shape[1]), []
    for t in range(cycle.rounds):
        w, v = x, x
        for e in range(q.E):
            k = t * q.E + e
            points.append(w)
            both = [rows[k] + (rows[nodes + k] if q.P_b else 0) for rows in (own, mean)]
            w = w - step * (both[0] + float(q.mu) * (w - x))
            v = v - step * (both[1] + float(q.mu) * (v - x))
        x = v
    scale = np.abs(own).max() + 1
    assert np.abs(x).max() <= 1e-9 * scale
    values = [float(v) for v in cycle.values]
    for i in range(nodes):
        for j in range(nodes):
            dx, dg = points[i] - points[j], own[i] - own[j]
            gap = dg @ dg - dx @ dx + 2 * dg @ dx
            assert values[i] - values[j] - own[j] @ dx - gap / 4 >= -1e-9 * scale**2
