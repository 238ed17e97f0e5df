"""(★) in rational arithmetic: a number that is at least its right side. Square roots are rounded up.

Used to refute: if a run's A exceeds this number, (★) fails for the run, and no rounding is to blame.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from theory.errors import InvalidParameter

DIGITS = 10**15


def root_up(value: Fraction) -> Fraction:
    """A rational r ≥ √value, at most 1/DIGITS above it."""
    scaled = value * DIGITS * DIGITS
    floor = isqrt(scaled.numerator // scaled.denominator)
    return Fraction(floor + (floor * floor != scaled), DIGITS)


@dataclass(frozen=True)
class ClaimedConstants:
    """The constants that a run claims to satisfy, no sketch (R = 0) and μ = 0."""

    L: Fraction
    gamma: Fraction
    E: int = 1
    B2: Fraction = Fraction(1)
    G2: Fraction = Fraction(0)
    P_b: Fraction = Fraction(0)
    b2: Fraction = Fraction(0)
    P_n: Fraction = Fraction(0)
    sigma2: Fraction = Fraction(0)
    nu: Fraction = Fraction(1)
    Delta: Fraction = Fraction(0)
    T: int = 1

    @property
    def u(self) -> Fraction:
        return self.L * self.gamma * self.E


def errors_up(q: ClaimedConstants, A: Fraction) -> tuple[Fraction, Fraction]:
    """Upper bounds of F and N at t = A, by the recursion of Lemma 2'."""
    D, S = root_up(q.G2 + q.B2 * A), Fraction(0)
    F = N = Fraction(0)
    for _ in range(q.E):
        H = D + q.L * S
        bias, noise2 = root_up(q.P_b * H * H + q.b2), q.P_n * H * H + q.sigma2
        F += (q.L * S + bias) / q.E
        N += q.nu * noise2 / q.E**2
        S = root_up((S + q.gamma * (H + bias)) ** 2 + q.gamma**2 * noise2)
    return F, N


def right_side_up(q: ClaimedConstants, A: Fraction) -> Fraction:
    """At least the right side of (★) at A, with ρ = 0.

    E = 1: the maximum of (u−1)x² + uN over |x−√A| ≤ F is at an end. E ≥ 2 and u < 1: the unconstrained vertex
    of −x² + u(x+√N)² bounds it by uN/(1−u).
    """
    F, N = errors_up(q, A)
    start = 2 * q.Delta / (q.gamma * q.E * q.T)
    if q.E == 1:
        far = root_up(A) + F if q.u > 1 else max(Fraction(0), root_down(A) - F)
        return start + F * F + (q.u - 1) * far * far + q.u * N
    if q.u >= 1:
        raise InvalidParameter("u", q.u, "below 1 for E of at least 2")
    return start + F * F + q.u * N / (1 - q.u)


def root_down(value: Fraction) -> Fraction:
    """A rational r ≤ √value."""
    return max(Fraction(0), root_up(value) - Fraction(1, DIGITS))
