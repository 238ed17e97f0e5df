"""The bound on A by one program: Theorem A's at one step, never above it, and never below a run."""

from fractions import Fraction

import numpy as np
import pytest

from property_tests import laws
from property_tests.support import device_losses as dl
from theory.errors import InvalidParameter
from theory.rates.descent.certified import certified_range
from theory.rates.descent.residual_bound import sdp_bound
from theory.rates.parameters import Parameters
from theory.rates.ranges import supremum
from theory.rates.theorem_a import Sources, solve

SOURCE = laws.THEOREM_1

# Clarabel stops at 1e-9 in its own scaled numbers; 1e-5 of the bound leaves room for the scaling.
SOLVER = 1e-5
SOURCES = [
    Sources(Delta=1),
    Sources(Delta=1, G2=1),
    Sources(Delta=1, G2=Fraction(1, 4), sigma2=1, R2=Fraction(1, 100)),
    Sources(Delta=1, G2=Fraction(1, 4), b2=Fraction(1, 10), sigma2=1),
]


@pytest.mark.parametrize("sources", SOURCES)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_one_step_gives_theorem_a(sources: Sources, share: float) -> None:
    """Two proofs of one bound: they agree."""
    q = Parameters(L=3, E=1, B=2, P_b=Fraction(1, 100), P_n=Fraction(1, 10), M=5)
    gamma = share * supremum("repaired_sharp", q)
    found = sdp_bound(q, gamma, 1000, sources)
    assert found.label == "numerical"
    assert found.value == pytest.approx(float(solve(q, gamma, 1000, sources).bound), rel=SOLVER)


@pytest.mark.parametrize("sources", SOURCES)
@pytest.mark.parametrize(
    "q", [Parameters(L=1, E=2, M=5), Parameters(L=2, E=3, B=2, P_n=Fraction(1, 10), M=3)]
)
def test_more_steps_gain_on_theorem_a(q: Parameters, sources: Sources) -> None:
    gamma = 0.9 * supremum("repaired_sharp", q)
    found, theorem = sdp_bound(q, gamma, 1000, sources).value, float(solve(q, gamma, 1000, sources).bound)
    assert found is not None and found <= theorem * (1 + SOLVER)
    assert found < 0.8 * theorem


def test_runs_stay_below_the_bound_beyond_theorem_a() -> None:
    """Quadratics with a residual of their own: A, Δ, G² and R² are those of the run."""
    draws = np.random.default_rng(7)
    q = Parameters(L=1, E=3, B=2)
    gamma = 0.9 * (certified_range(q).gamma_max or 0)
    assert gamma > supremum("repaired_sharp", q)
    for _ in range(12):
        losses, T = dl.with_a_full_device(draws, 3, 2, -0.3), 12
        residuals, start = 0.1 * draws.standard_normal((T + 1, 2)), draws.standard_normal(2)
        xs = dl.broadcasts(losses, start, residuals, gamma, q.E)
        lowest = dl.mean_value(losses, losses.minimiser())
        squares = (residuals**2).sum(1)
        G2 = max(0.0, *(dl.spread_excess(losses, [x], float(q.B)) for x in xs))
        sources = Sources(
            Delta=dl.mean_value(losses, start) - lowest,
            R2=max(squares[:-1].mean(), squares[1:].mean()),
            G2=G2,
        )
        A = dl.mean_square_gradient(losses, xs[:-1])
        bound = sdp_bound(q, gamma, T, sources).value
        assert bound is not None and bound * (1 + SOLVER) >= A


def test_beyond_every_range_there_is_no_bound_and_what_the_program_does_not_take_is_refused() -> None:
    beyond = sdp_bound(Parameters(L=1, E=2, B=2), 1.2, 50, SOURCES[0])
    assert beyond.value is None and beyond.label == "none" and "no bound" in beyond.why_not
    q = Parameters(L=1, E=2, mu=1)
    with pytest.raises(InvalidParameter, match="gamma mu"):
        sdp_bound(q, 1.5, 10, SOURCES[0])
    with pytest.raises(InvalidParameter, match="^D2"):
        sdp_bound(q, 0.1, 10, Sources(D2=1))
    with pytest.raises(InvalidParameter, match="^T"):
        sdp_bound(q, 0.1, 0, SOURCES[0])
    many = sdp_bound(Parameters(L=1, E=60), 0.001, 10, SOURCES[0])
    assert many.value is None and "stops at" in many.why_not
