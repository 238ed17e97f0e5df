"""PEPit as an independent judge: the exact worst case of a small run against Theorem A's bound.

Problem: one device (M = 1, so B = 1 and G = 0), T rounds of E local proximal steps on an L-smooth f ≥ f*,
with a bias ‖β‖² ≤ P_b‖∇f‖² + b² chosen by an adversary, no noise and no sketch; f(x_0) − f* ≤ Δ.
Measured: the largest (1/T)Σ_{t<T}‖∇f(x_t)‖², from the interpolation conditions of smooth functions and
f* ≤ f(x) − ‖∇f(x)‖²/(2L) at every point visited.
Guarantee: upper (the bound must not be smaller); tight where the ratio is 1.
Reference: Taylor, Hendrickx, Glineur, "Smooth strongly convex interpolation and exact worst-case performance
of first-order methods", Math. Program. 2017; PEPit.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from theory.errors import EvidenceFailed, InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources, solve

SCOPE = (
    "one device, no noise, no sketch, adversarial bias; worst case over all L-smooth functions of any "
    "dimension, exact up to the solver's tolerance"
)

# What CLARABEL promises by default: tol_gap and tol_feas, or their reduced_* forms when it stops early.
RELATIVE_TOLERANCE = {"optimal": 1e-8, "optimal_inaccurate": 5e-5}


@dataclass(frozen=True)
class Judgement:
    """What the solver found (its dual value, an upper bound on the worst case) beside Theorem A's bound."""

    worst_case: float
    bound: float
    ratio: float
    primal: float
    gap: float
    tolerance: float
    status: str
    solver: str
    scope: str = SCOPE

    @property
    def respected(self) -> bool:
        """Does the bound cover the worst case, up to what the solver can tell?"""
        return self.bound >= self.worst_case - self.tolerance


def judge(q: Parameters, gamma: float, T: int, sources: Sources, solver: str = "CLARABEL") -> Judgement:
    """Theorem A's bound over the exact worst case: at least 1 if the theorem is right."""
    _inside_scope(q, sources)
    bound = float(solve(q, gamma, T, sources).bound)
    problem = biased_descent(q, gamma, T, sources)
    with warnings.catch_warnings():  # "inaccurate" is kept as the status, and widens the tolerance
        warnings.simplefilter("ignore")
        dual = float(problem.solve(verbose=0, wrapper="cvxpy", solver=solver))
    primal, status = float(problem.objective.eval()), str(problem.wrapper.prob.status)
    if status not in RELATIVE_TOLERANCE:
        raise EvidenceFailed(f"{solver} ended with status {status}")
    gap = abs(dual - primal)
    tolerance = gap + RELATIVE_TOLERANCE[status] * max(1.0, abs(dual))
    return Judgement(dual, bound, bound / dual, primal, gap, tolerance, status, solver)


def _inside_scope(q: Parameters, sources: Sources) -> None:
    rejected = {"P_n": q.P_n, "G2": sources.G2, "R2": sources.R2, "sigma2": sources.sigma2, "B": q.B - 1}
    for name, value in rejected.items():
        if value:
            raise InvalidParameter(name, getattr(q, name, value), f"its trivial value ({SCOPE})")
    if not sources.Delta > 0 or not q.L > 0:
        raise InvalidParameter("Delta and L", (sources.Delta, q.L), "positive numbers")


def biased_descent(q: Parameters, gamma: float, T: int, sources: Sources) -> Any:
    """The performance estimation problem of T rounds."""
    from PEPit import PEP, Expression, Point
    from PEPit.functions import SmoothFunction

    L, mu, P_b, b2 = float(q.L), float(q.mu), float(q.P_b), float(sources.b2)
    problem = PEP()
    f = problem.declare_function(SmoothFunction, L=L)
    f_star = Expression()
    x = problem.set_initial_point()
    problem.set_initial_condition(f(x) - f_star <= float(sources.Delta))
    squares = []
    for _ in range(T):
        start = x
        squares.append(f.gradient(start) ** 2)
        for _ in range(q.E):
            g, value = f.oracle(x)
            problem.add_constraint(value - g**2 / (2 * L) >= f_star)
            beta = Point() if P_b or b2 else 0 * g
            if P_b or b2:
                problem.add_constraint(beta**2 <= P_b * g**2 + b2)
            x = x - gamma * (g + beta + mu * (x - start))
    problem.add_constraint(f(x) - f.gradient(x) ** 2 / (2 * L) >= f_star)
    problem.set_performance_metric(sum(squares[1:], squares[0]) / T)
    return problem
