"""PEPit with explicit devices as judge: the worst case of one round changes sign at the end of the range.

It knows neither the symmetry over devices nor the thinned pairs: every device is a function of its own.
"""

import warnings
from fractions import Fraction
from typing import Any

import pytest

from theory.rates.descent.certified import certified_range
from theory.rates.descent.residual_bound import sdp_bound
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources

pepit = pytest.importorskip("PEPit")
pytest.importorskip("cvxpy")

CASES = [
    (2, Fraction(3, 2), 0, 1, 2),
    (2, Fraction(3, 2), 0, 1, 3),
    (3, Fraction(1), 0, 1, 2),
    (2, Fraction(2), Fraction(1, 20), 1, 2),
    (3, Fraction(2), 0, 0, 2),
]


def worst_increase(q: Parameters, theta: int, devices: int, gamma: float) -> float:
    """The largest f(x_+) − f(x) when |∇f(x)|² = 1, over all devices that A1-A3 admit."""
    from PEPit.functions import SmoothConvexFunction, SmoothFunction

    problem = pepit.PEP()
    kind = SmoothFunction if theta else SmoothConvexFunction
    losses = [problem.declare_function(kind, L=1.0) for _ in range(devices)]
    x = problem.set_initial_point()
    ends = [local_steps(problem, loss, x, q, gamma) for loss in losses]
    finish = sum(ends[1:], ends[0]) / devices
    values = [similar(problem, losses, point, float(q.B)) for point in (x, finish)]
    problem.set_initial_condition(values[0][1] ** 2 == 1)
    problem.set_performance_metric(values[1][0] - values[0][0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(problem.solve(verbose=0, wrapper="cvxpy", solver="CLARABEL"))


def local_steps(problem: Any, loss: Any, x: Any, q: Parameters, gamma: float) -> Any:
    w = x
    for _ in range(q.E):
        g = loss.gradient(w)
        moved = g
        if q.P_b:
            bias = pepit.Point()
            problem.add_constraint(bias**2 <= float(q.P_b) * g**2)
            moved = g + bias
        w = w - gamma * moved
    return w


def largest_gradient(q: Parameters, gamma: float, devices: int, gap: float, R2: float, G2: float) -> float:
    """The largest |∇f(x)|² with f(V) − f(V_+) ≤ gap for V = x + r, x_+ = V_+ − s, |r|², |s|² ≤ R²."""
    from PEPit.functions import SmoothFunction

    problem = pepit.PEP()
    losses = [problem.declare_function(SmoothFunction, L=1.0) for _ in range(devices)]
    x, r, s = problem.set_initial_point(), pepit.Point(), pepit.Point()
    ends = [local_steps(problem, loss, x, q, gamma) for loss in losses]
    after = x + r + (sum(ends[1:], ends[0]) / devices - x)
    slope = similar(problem, losses, x, float(q.B), G2)[1]
    similar(problem, losses, after - s, float(q.B), G2)
    values = [sum(loss(point) for loss in losses) / devices for point in (x + r, after)]
    problem.add_constraint(values[0] - values[1] <= gap)
    problem.set_initial_condition(r**2 <= R2)
    problem.add_constraint(s**2 <= R2)
    problem.set_performance_metric(slope**2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(problem.solve(verbose=0, wrapper="cvxpy", solver="CLARABEL"))


def similar(problem: Any, losses: list[Any], point: Any, B: float, G2: float = 0.0) -> tuple[Any, Any]:
    """f and ∇f at a broadcast, where A3 is asked."""
    both = [loss.oracle(point) for loss in losses]
    slopes, values = [g for g, _ in both], [v for _, v in both]
    slope = sum(slopes[1:], slopes[0]) / len(losses)
    squares = [g**2 for g in slopes]
    problem.add_constraint(sum(squares[1:], squares[0]) / len(losses) <= B * B * slope**2 + G2)
    return sum(values[1:], values[0]) / len(losses), slope


@pytest.mark.parametrize(("E", "B", "P_b", "theta", "devices"), CASES)
def test_descent_ends_where_the_range_ends(
    E: int, B: Fraction, P_b: Fraction, theta: int, devices: int
) -> None:
    q = Parameters(L=1, E=E, B=B, P_b=P_b)
    found = certified_range(q, theta)
    assert found.certificate == "exact" and found.gamma_max is not None and found.proof is not None
    inside = worst_increase(q, theta, devices, 0.999 * found.gamma_max)
    assert inside < 0
    assert worst_increase(q, theta, devices, 1.001 * found.gamma_max) > 0


def test_the_certified_rate_of_descent_is_below_the_worst_case() -> None:
    """At the certified γ itself PEPit's worst case is at most −c, up to the solver's tolerance."""
    q = Parameters(L=1, E=2, B=Fraction(3, 2))
    proof = certified_range(q).proof
    assert proof is not None
    assert worst_increase(q, 1, 2, float(proof.gamma)) <= -float(proof.c) + 1e-6


RESIDUALS = [(2, "1.5", 1.0, 1.0), (2, "1.5", 0.3, 0.0), (3, "2", 1.0, 0.1)]


@pytest.mark.parametrize(("E", "B", "R2", "G2"), RESIDUALS)
def test_the_bound_with_a_residual_is_the_worst_case_of_explicit_devices(
    E: int, B: str, R2: float, G2: float
) -> None:
    """Equal up to the solvers' accuracy; the pairs that are left out cost less than 1e-3 here."""
    q, gap = Parameters(L=1, E=E, B=Fraction(B)), 0.1
    gamma = 0.7 * (certified_range(q).gamma_max or 0)
    bound = sdp_bound(q, gamma, 10, Sources(Delta=10 * gap, R2=R2, G2=G2)).value
    worst = largest_gradient(q, gamma, 2, gap, R2, G2)
    assert bound is not None and worst * (1 - 1e-4) <= bound <= worst * 1.001
