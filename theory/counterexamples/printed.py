"""Theorem 1 exactly as printed, in rational arithmetic: the range, ρ, and every term of the right side.

Written from the paper's text with `Fraction` alone, so that a refutation rests on no other calculator.
p is an integer here: then i^{1−2p} is rational.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from theory.errors import InvalidParameter


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

    def __post_init__(self) -> None:
        if self.gamma <= 0:
            raise InvalidParameter("gamma", self.gamma, "a rational above 0")
        if self.T < 0:
            raise InvalidParameter("T", self.T, "an integer of at least 0")

    @property
    def Lam(self) -> Fraction:
        """Λ = L + μ."""
        return self.L + self.mu

    @property
    def amplification(self) -> Fraction:
        """A = 1 + 2B²(P_b + P_n) = 1/H."""
        return 1 + 2 * self.B**2 * (self.P_b + self.P_n)


def rho(q: PrintedParameters) -> Fraction:
    """(eq:rho)."""
    y, x, spread = q.P_b * q.B**2, q.P_n * q.B**2, 1 + 2 / q.amplification
    return (1 - y * spread * q.E**2) / 2 - q.gamma * (2 + 2 * y + (2 * q.Lam + 1) * x) * spread * q.E**2


def gamma_range(q: PrintedParameters) -> Fraction:
    """The right side of (eq:gamma_range)."""
    y, x = q.P_b * q.B**2, q.P_n * q.B**2
    return (1 - 6 * y * q.E**2) / (12 * (1 + y + (q.Lam + 1) * x) * q.E**2)


def sketch_coefficient(q: PrintedParameters) -> Fraction:
    """1/c + ((k+1)^{1−2p} − d^{1−2p})/(2p−1), as printed: it may be negative."""
    power = 2 * q.p - 1
    return 1 / q.c + (Fraction(1, (q.k + 1) ** power) - Fraction(1, q.d**power)) / power


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
    y, x = q.P_b * q.B**2, q.P_n * q.B**2
    coefficient = max(sketch_coefficient(q), 1 / q.c) if favour_paper else sketch_coefficient(q)
    return RightSide(
        optimisation=abs(gap) / (q.gamma * (q.T + 1)),
        sketch=coefficient * q.Lam**2 * q.W,
        bias=2 * q.E**2 * (1 + 2 * y + q.gamma * (3 + q.Lam + 2 * y + 2 * x)) * q.b2,
        noise=2 * q.E**2 * (1 + q.gamma * (q.Lam + 1) * (3 + 2 * y + 2 * x)) * q.sigma2,
    )
