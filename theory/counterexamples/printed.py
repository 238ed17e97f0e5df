"""Theorem 1 as printed, at exact constants: the formulas of `theory.formulas`, which Coq compares with its
own.

p is an integer here: then i^{1−2p} is rational. The second judge has a writing of its own.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import sympy as sp

from theory.formulas.paper import GAMMA_RANGE, RHO_PAPER, TAIL_PAPER, THEOREM1_TERMS
from theory.papers.fps.letters import p
from theory.provers.recheck import Tree, evaluate
from theory.provers.trees import to_tree


@dataclass(frozen=True)
class PrintedParameters:
    """Every constant that Theorem 1 mentions, plus ε of Assumption 5."""

    L: Fraction
    gamma: Fraction
    T: int
    W: Fraction
    c: Fraction
    P_b: Fraction
    mu: Fraction = Fraction(0)
    M: int = 1
    E: int = 1
    B: Fraction = Fraction(1)
    P_n: Fraction = Fraction(0)
    b2: Fraction = Fraction(0)
    sigma2: Fraction = Fraction(0)
    d: int = 1
    k: int = 1
    p: int = 2
    delta: Fraction = Fraction(1, 100)
    epsilon: Fraction = Fraction(1, 10**6)

    @property
    def Lam(self) -> Fraction:
        """Λ = L + μ."""
        return self.L + self.mu

    @property
    def amplification(self) -> Fraction:
        """A = 1 + 2B²(P_b + P_n) = 1/H."""
        return 1 + 2 * self.B**2 * (self.P_b + self.P_n)


@cache
def _tree(formula: sp.Expr, exponent: int) -> Tree:
    return to_tree(formula.xreplace({p: sp.Integer(exponent)}))


def at(formula: sp.Expr, q: PrintedParameters, gap: Fraction = Fraction(0)) -> Fraction:
    """A formula of `theory.formulas` at the constants; `gap` is |f(w_0) − f*|."""
    values = {name: Fraction(value) for name, value in vars(q).items()}
    return evaluate(_tree(formula, q.p), values | {"s2": q.sigma2, "F0": gap})


def rho(q: PrintedParameters) -> Fraction:
    """(eq:rho)."""
    return at(RHO_PAPER, q)


def gamma_range(q: PrintedParameters) -> Fraction:
    """The right side of (eq:gamma_range)."""
    return at(GAMMA_RANGE.upper, q) / at(GAMMA_RANGE.slope, q)


def sketch_coefficient(q: PrintedParameters) -> Fraction:
    """1/c + ((k+1)^{1−2p} − d^{1−2p})/(2p−1), as printed: it may be negative."""
    return 1 / q.c + at(TAIL_PAPER, q)


@dataclass(frozen=True)
class RightSide:
    """The four terms of (eq:main_thm), in the paper's order."""

    optimisation: Fraction
    sketch: Fraction
    bias: Fraction
    noise: Fraction

    @property
    def total(self) -> Fraction:
        return self.optimisation + self.sketch + self.bias + self.noise


def right_side(q: PrintedParameters, gap: Fraction, favour_paper: bool = True) -> RightSide:
    """(eq:main_thm). `favour_paper` reads a negative tail (k ≥ d) as 0, so that no refutation leans on it."""
    coefficient = max(sketch_coefficient(q), 1 / q.c) if favour_paper else sketch_coefficient(q)
    return RightSide(
        optimisation=at(THEOREM1_TERMS["optimisation"], q, abs(gap)),
        sketch=coefficient * q.Lam**2 * q.W,
        bias=at(THEOREM1_TERMS["bias b²"], q),
        noise=at(THEOREM1_TERMS["noise σ²"], q),
    )
