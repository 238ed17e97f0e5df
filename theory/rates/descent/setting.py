"""The constants of one round in units with L = 1, as exact rationals.

The step is h = Lγ and the proximal weight is μ/L. A loss l with constant L becomes l/L with constant 1, and
every gradient is divided by L: B, P_b, P_n, ν and θ do not change, and a range in h is a range in Lγ.

θ says how negative the curvature of a device's loss may be: it lies in [−θL, L]. θ = 1 is "L-smooth",
θ = 0 is "L-smooth and convex", and θ < 0 is "strongly convex with constant |θ|L". A proof for θ = 0 serves
for θ < 0 as well, and none is made for θ < 0: it would hold for one γ only, as a smaller step on the same
losses is the same step on losses that are less strongly convex.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from theory.errors import InvalidParameter
from theory.rates.parameters import SMALLEST, Parameters, Scalar, checked_real, decimal

# For a certificate a smaller positive P_b or P_n is raised to this: larger errors cover smaller ones, and a
# multiplier of size 1/√P_b stays within what a solver in floats can find.
SMALLEST_SHARE = Fraction(1, 10**10)


@dataclass(frozen=True)
class Setting:
    """E local steps, spread B, relative bias and noise, μ/L, ν, and curvature in [−θ, 1].

    A fresh sketch has two prices, in units with L = 1: ω_L for the mean displacement, and v = κ(ℓ+ω_L) for
    the deviations where a part of the devices takes part. `everywhere`: A3 holds at x + ȳ as well as at x.
    """

    E: int
    B: Fraction = Fraction(1)
    P_b: Fraction = Fraction(0)
    P_n: Fraction = Fraction(0)
    mu: Fraction = Fraction(0)
    nu: Fraction = Fraction(1)
    theta: Fraction = Fraction(1)
    omega: Fraction = Fraction(0)
    v: Fraction = Fraction(0)
    everywhere: bool = True

    @property
    def scales(self) -> bool:
        """Does a certificate at one step cover every smaller step? (See `certificate`.)"""
        return self.mu == 0 or self.E == 1


def unit_setting(q: Parameters, theta: Scalar = 1) -> Setting:
    """The setting of a proof for q: small shares are raised, and θ < 0 counts as 0."""
    return _setting(q, _raised(q.P_b), _raised(q.P_n), max(checked_theta(theta), Fraction(0)))


def setting_of_runs(q: Parameters, theta: Scalar = 1) -> Setting:
    """The setting of runs that q admits, to show what is impossible: nothing is raised."""
    return _setting(q, _admitted(q.P_b), _admitted(q.P_n), checked_theta(theta))


def _setting(q: Parameters, P_b: Fraction, P_n: Fraction, theta: Fraction) -> Setting:
    """Without curvature there is no scale, so L > 0."""
    if not q.L > 0:
        raise InvalidParameter("L", q.L, "a number above 0 (affine losses allow every learning rate)")
    mu = Fraction(q.mu) / Fraction(q.L) if q.E > 1 else Fraction(0)
    return Setting(
        E=q.E,
        B=Fraction(q.B),
        P_b=P_b,
        P_n=P_n,
        mu=mu,
        nu=q.noise_share,
        theta=theta,
    )


def checked_theta(theta: Scalar) -> Fraction:
    """θ in [−1, 1]."""
    expected = "a number in [-1, 1]: 1 for smooth losses, 0 for convex ones, below 0 for strongly convex ones"
    if checked_real("theta", theta, expected, low=-1.0) > 1:
        raise InvalidParameter("theta", decimal(theta), expected)
    return Fraction(theta)


def _raised(value: Scalar) -> Fraction:
    return max(Fraction(value), SMALLEST_SHARE) if value else Fraction(0)


def _admitted(value: Scalar) -> Fraction:
    """The share itself; 0 in place of the smallest size, to which `Parameters` raises what is smaller."""
    return Fraction(value) if value > SMALLEST else Fraction(0)
