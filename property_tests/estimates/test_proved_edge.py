"""The lower limit of the edge where Lanczos' method has not converged: tables of 300 numbers, 12 steps.

There the largest Ritz value lies below the largest eigenvalue, and the estimate `gamma` above the true edge.
What makes `low` a limit is the slack of an enclosure that fails with probability at most 2δ. With δ = 1e-3
and 50 starts the truth is missed more than TOO_MANY times with a probability below 1e-6.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
import torch
from scipy.stats import binom
from torch import Tensor

from empirical.observed.protocol import Evidence, Iterate
from empirical.sketch_space import crossing as crossings
from empirical.sketch_space.crossing import Crossing, crossing
from empirical.sketch_space.edge import edge
from empirical.sketch_space.round_operator import RoundOperator, project
from empirical.sketch_space.table_operator import operator_of
from property_tests.estimates.test_sketch_edge import Quadratics, dense_sketch, error_map, evidence_of

D, STEPS, FEW, STARTS, DELTA = 400, 12, 9, 50, 1e-3
TOO_MANY = int(binom.isf(1e-6, STARTS, 8 * 2 * DELTA))  # of the starts; at most 8 enclosures at a point
NUMERICS = 1e-8  # of dense eigenvalues, and of 2^-BISECTIONS
BISECTIONS = 30


class Diagonal(Quadratics):
    def full_gradients(self, W: Tensor) -> Tensor:
        return self.H.diagonal(dim1=1, dim2=2) * W


def spread(E: int, mu: float = 0.0, **options: object) -> Evidence:
    """Two devices with curvatures that lie densely below 1 and below 1/2."""
    h = torch.linspace(0.5, 1, D, dtype=torch.float64)
    H = torch.diag_embed(torch.stack([h, h / 2]))
    return replace(evidence_of(H, E, mu, rows=5, buckets=60, **options), model=Diagonal(H))


def operator(found: Evidence) -> RoundOperator:
    return RoundOperator(operator_of(found), found.model.full_gradients, found.model.M, found.E, found.mu)


def starts(size: int, seed: int) -> Callable[[], Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda: torch.randn(size, generator=generator, dtype=torch.float64)


def crossed(found: Evidence) -> list[Crossing]:
    seen = operator(found)
    return [crossing(seen, starts(seen.table.size, i), DELTA, STEPS) for i in range(STARTS)]


@cache
def true_edge(E: int) -> float:
    """Where the largest eigenvalue of K passes 2, for odd E: there it grows with γ."""
    found = spread(E)
    S, (low, high) = dense_sketch(found), (0.0, 2.0)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        passed = float(torch.linalg.eigvalsh(error_map(found, middle, S))[0]) < -1
        low, high = (low, middle) if passed else (middle, high)
    return high


@pytest.mark.parametrize("E", [1, 3])
def test_the_lower_limit_is_below_an_edge_that_few_steps_do_not_resolve(E: int) -> None:
    found = spread(E)
    true, seen = true_edge(E), crossed(found)
    assert max(each.gamma for each in seen) > 1.01 * true  # else the slack would not matter
    assert sum(each.low > true * (1 + NUMERICS) for each in seen) <= TOO_MANY
    assert min(each.low for each in seen) > 0.4 * true


def test_a_limit_is_proved_from_a_fresh_start_however_little_the_first_projection_saw() -> None:
    """It has three steps and is told that it holds the whole space: it sees no limit up to 0.05 % above the
    true edge, nor would many a fresh start without its slack."""
    true, seen, lows, most = true_edge(3), operator(spread(3)), [], 1.0015
    for i in range(STARTS):
        draw = starts(seen.table.size, i)
        blind = replace(project(seen, most * true, draw(), 3), full=True)
        assert blind.ends(most * true)[1] < 2
        lows.append(crossings._proved_low(seen, draw, blind, most * true, DELTA, STEPS))
    assert sum(low > true * (1 + NUMERICS) for low in lows) <= TOO_MANY


@pytest.mark.parametrize("mu", [0.0, 0.5])
def test_below_the_limit_no_device_overshoots_though_few_steps_miss_its_curvature(mu: float) -> None:
    """Even E: 1 − (1 − γ(h + μ))^E turns negative at γ(h + μ) = 2, h = 1."""
    seen = crossed(spread(2, mu, compressor="identity"))
    assert max(each.gamma for each in seen) * (1 + mu) > 2.01
    assert sum(each.low * (1 + mu) > 2 * (1 + NUMERICS) for each in seen) <= TOO_MANY
    assert min(each.low for each in seen) * (1 + mu) > 1


class TwoPlaces(Diagonal):
    """Curvatures that lie densely below 1 where w_0 = 1, and a single one elsewhere."""

    single = 0.0

    def hessian_vector_products(self, W: Tensor, V: Tensor) -> Tensor:
        return torch.where(W[:, :1] == 1, self.full_gradients(V), self.single * V)


def test_the_lower_limit_is_that_of_all_points_also_where_another_has_the_smallest_estimate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The estimate for the many curvatures is above their edge, 2. Between the two lies the edge of the
    single curvature, which is resolved at once."""
    base = spread(1, compressor="identity")
    points = tuple(Iterate(t, torch.full((D,), float(t == 1), dtype=torch.float64)) for t in range(3))
    found = replace(base, model=TwoPlaces(base.model.H[:1]), iterates=points)  # type: ignore[attr-defined]
    alone = edge(found, points=3, steps=FEW)
    assert alone.t == 1 and alone.gamma > 2.01
    monkeypatch.setattr(TwoPlaces, "single", 2 / 2.005)
    both = edge(found, points=3, steps=FEW)
    assert both.t != 1 and both.gamma == pytest.approx(2.005)
    assert both.low <= 2
