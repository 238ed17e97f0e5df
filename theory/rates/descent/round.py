"""One round of one device: its vectors, its points, and what is known about them, linear in S, D and values.

Letters: g_e = ∇l(w^e) for e < E, the bias b_e and the noise z_e where there are such errors, and the gradient
g_E at x_+. Points, relative to the broadcast x: y_0 = 0, y_{e+1} = (1 − hμ) y_e − h (g_e + b_e + z_e), and
w^e = x + y_e. The next broadcast is x_+ = x + mean over the devices of y_E. Nodes: w^0, …, w^{E−1}, x_+.

With a sketch residual the virtual sequence is V = x + r, V_+ = V + mean y_E, and x_+ = V_+ − s. The letters
r, s and the gradients gV, gW at V, V_+ are added, and the nodes V, V_+ stand before x_+.

Symmetry. For vectors p, q of each device write S[p,q] = ⟨mean p, mean q⟩ and D[p,q] = the mean over the
devices of ⟨p − mean p, q − mean q⟩. Then mean ⟨p,q⟩ = S[p,q] + D[p,q], and S and D are positive semidefinite.
So every averaged inequality is linear in the Gram matrices S and D; the number of devices does not appear.
A point that all devices share, like x_+, has no deviation: its coefficients in D are 0.

Each condition reads: value(plus) − value(minus) + ⟨mean, S⟩ + ⟨spread, D⟩ ≥ 0 (= 0 for an equality).

- pair i j (nodes): the curvature of every loss lies in [−θ, 1]. With dx = x_i − x_j and dg = g_i − g_j,
  l(x_i) − l(x_j) − ⟨g_j, dx⟩ − [ |dg|² − θ|dx|² + 2θ⟨dg, dx⟩ ] / (2(1+θ)) ≥ 0.
  At E = 1 it is asked of f alone (no part in D), so there L may be the smoothness of f.
- spread i (i = 0, and E where A3 is asked there too): (B² − 1) S[g_i,g_i] − D[g_i,g_i] + G² ≥ 0.
- bias e: P_b |g_e|² − |b_e|² + b² ≥ 0; noise e: P_n |g_e|² − |z_e|² + σ² ≥ 0, in S + D.
- own: z_e is orthogonal, in S + D, to the device's own past (g_i, b_i with i ≤ e and z_i with i < e).
- start: S[z_e, g_0] = S[z_e, b_0] = 0, since g_0 and b_0 of every device are known when the round starts.
  The same holds of gV and r.
- across (ν < 1): S[z_e, z_i] = 0 for i < e; share e: ν |z_e|² − S[z_e, z_e] ≥ 0.
- residual: R² − |r|² ≥ 0 and R² − |s|² ≥ 0.

With noise all products are expectations. ν < 1 means: noise of different devices and different steps is
uncorrelated, and E|mean z_e|² ≤ ν mean E|z_e|². ν = 1 asks nothing.

Names are those of a certificate's file. Only pairs with x, with x_+ (V, V_+) or of neighbours are used: that
leaves O(E) multipliers and costs no digit that matters.

A setting is the constants of a round in units with L = 1, as exact rationals.

The step is h = Lγ and the proximal weight is μ/L. A loss l with constant L becomes l/L with constant 1, and
every gradient is divided by L: B, P_b, P_n, ν and θ do not change, and a range in h is a range in Lγ.

θ says how negative the curvature of a device's loss may be: it lies in [−θL, L]. θ = 1 is "L-smooth",
θ = 0 is "L-smooth and convex", and θ < 0 is "strongly convex with constant |θ|L". A proof for θ = 0 serves
for θ < 0 as well, and none is made for θ < 0: it would hold for one γ only, as a smaller step on the same
losses is the same step on losses that are less strongly convex.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from theory.errors import InvalidParameter
from theory.rates.parameters import SMALLEST, Parameters, Scalar, checked_real, decimal

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Node:
    """A point: its mean and its deviation as combinations of the letters, and the letter of its gradient."""

    mean: Array
    deviation: Array
    gradient: Array


@dataclass(frozen=True)
class Round:
    """The letters and points of one round with step h; `absolute`: errors that exist even with share 0."""

    setting: Setting
    step: float
    absolute: str = ""

    @cached_property
    def kinds(self) -> str:
        """Which kinds of errors exist."""
        relative = "b" * bool(self.setting.P_b) + "z" * bool(self.setting.P_n)
        return "".join(kind for kind in "bzr" if kind in relative + self.absolute)

    @cached_property
    def letters(self) -> list[str]:
        """g0, b0, z0, g1, …, gE."""
        steps = [f"{kind}{e}" for e in range(self.setting.E) for kind in "g" + self.kinds.rstrip("r")]
        last = f"g{self.setting.E}"
        return [*steps, "gV", "gW", last, "r", "s"] if "r" in self.kinds else [*steps, last]

    @cached_property
    def index(self) -> dict[str, int]:
        return {letter: place for place, letter in enumerate(self.letters)}

    @property
    def size(self) -> int:
        return len(self.letters)

    def unit(self, letter: str) -> Array:
        """The letter itself as coefficients; 0 if the round has no such letter."""
        vector = np.zeros(self.size)
        if letter in self.index:
            vector[self.index[letter]] = 1.0
        return vector

    @cached_property
    def displacements(self) -> list[Array]:
        """y_0, …, y_E as combinations of the letters."""
        keep = 1 - self.step * float(self.setting.mu)
        path = [np.zeros(self.size)]
        for e in range(self.setting.E):
            errors = self.unit(f"g{e}") + self.unit(f"b{e}") + self.unit(f"z{e}")
            path.append(keep * path[-1] - self.step * errors)
        return path

    @cached_property
    def sketch_prices(self) -> tuple[Array, Array]:
        """(ω/2)|y_E|² and (v/2)|y_E|²: what Lemma 2 asks of the means and of the deviations."""
        square = product(self.displacements[-1], self.displacements[-1])
        return float(self.setting.omega) / 2 * square, float(self.setting.v) / 2 * square

    @cached_property
    def nodes(self) -> list[Node]:
        """Local points, then (V and V_+ and) x_+."""
        *path, y = self.displacements
        none = path[0]
        nodes = [Node(place, place, self.unit(f"g{e}")) for e, place in enumerate(path)]
        places = {"gV": self.unit("r"), "gW": self.unit("r") + y} if "r" in self.kinds else {}
        places[f"g{self.setting.E}"] = self.unit("r") + y - self.unit("s")
        return nodes + [Node(place, none, self.unit(letter)) for letter, place in places.items()]

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes whose values the round compares: x and x_+, or V and V_+."""
        E = self.setting.E
        return (E, E + 1) if "r" in self.kinds else (0, E)


@dataclass(frozen=True)
class Condition:
    """One inequality (or equality): value(plus) − value(minus) + ⟨mean, S⟩ + ⟨spread, D⟩ ≥ 0."""

    name: str
    mean: Array
    spread: Array
    equality: bool = False
    nodes: tuple[int, int] | None = None  # plus and minus

    @property
    def kind(self) -> str:
        return self.name.split()[0]


def conditions(one: Round) -> list[Condition]:
    """Everything that the certificate may combine."""
    return [*_pairs(one), *_spreads(one), *_errors(one), *_noise_products(one), *_residuals(one)]


def product(a: Array, b: Array) -> Array:
    """The symmetric matrix Q with ⟨Q, Gram⟩ = ⟨a, b⟩."""
    outer = np.outer(a, b)
    return (outer + outer.T) / 2


def curvature_form(dx: Array, g_i: Array, g_j: Array, theta: float) -> Array:
    """The quadratic part of `pair i j`."""
    dg = g_i - g_j
    along = theta * (dx - 2 * dg) / (2 * (1 + theta)) - g_j
    return product(dx, along) - product(dg, dg) / (2 * (1 + theta))


def _pairs(one: Round) -> Iterator[Condition]:
    theta, E = float(one.setting.theta), one.setting.E
    for i, a in enumerate(one.nodes):
        for j, b in enumerate(one.nodes):
            if i != j and (abs(i - j) == 1 or min(i, j) == 0 or max(i, j) >= E):
                mean = curvature_form(a.mean - b.mean, a.gradient, b.gradient, theta)
                spread = curvature_form(a.deviation - b.deviation, a.gradient, b.gradient, theta)
                yield Condition(f"pair {i} {j}", mean, spread if E > 1 else 0 * spread, nodes=(i, j))


def _spreads(one: Round) -> Iterator[Condition]:
    excess = float(one.setting.B**2 - 1)
    for e in (0, one.setting.E) if one.setting.everywhere else (0,):
        square = product(one.unit(f"g{e}"), one.unit(f"g{e}"))
        yield Condition(f"spread {e}", excess * square, -square)


def _errors(one: Round) -> Iterator[Condition]:
    for e in range(one.setting.E):
        for kind, name, share in (("b", "bias", one.setting.P_b), ("z", "noise", one.setting.P_n)):
            if kind in one.kinds:
                error, g = one.unit(f"{kind}{e}"), one.unit(f"g{e}")
                form = float(share) * product(g, g) - product(error, error)
                yield Condition(f"{name} {e}", form, form)


def _noise_products(one: Round) -> Iterator[Condition]:
    nu, nothing = float(one.setting.nu), np.zeros((one.size, one.size))
    known = [letter for letter in ("gV", "r") if letter in one.index]
    for e in range(one.setting.E) if "z" in one.kinds else ():
        z = one.unit(f"z{e}")
        if nu < 1:
            yield Condition(f"share {e}", (nu - 1) * product(z, z), nu * product(z, z))
        for letter in [*one.letters[: one.index[f"z{e}"]], *known]:
            form = product(z, one.unit(letter))
            yield Condition(f"own z{e} {letter}", form, form, equality=True)
            if letter[0] == "z":
                if nu < 1:
                    yield Condition(f"across z{e} {letter}", form, nothing, equality=True)
            elif letter in ("g0", "b0", *known):
                yield Condition(f"start z{e} {letter}", form, nothing, equality=True)


def _residuals(one: Round) -> Iterator[Condition]:
    for letter in ("r", "s") if "r" in one.kinds else ():
        square = product(one.unit(letter), one.unit(letter))
        yield Condition(f"residual {letter}", -square, 0 * square)


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
