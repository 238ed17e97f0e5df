"""What is known about one round, as inequalities linear in the Gram matrices S and D and in the mean losses.

Each condition reads: value(plus) − value(minus) + ⟨mean, S⟩ + ⟨spread, D⟩ ≥ 0 (= 0 for an equality).

- pair i j (nodes): the curvature of every loss lies in [−θ, 1]. With dx = x_i − x_j and dg = g_i − g_j,
  l(x_i) − l(x_j) − ⟨g_j, dx⟩ − [ |dg|² − θ|dx|² + 2θ⟨dg, dx⟩ ] / (2(1+θ)) ≥ 0.
  At E = 1 it is asked of f alone (no part in D), so there L may be the smoothness of f.
- spread i (i = 0 or E): (B² − 1) S[g_i,g_i] − D[g_i,g_i] + G² ≥ 0, at both broadcasts.
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
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from theory.rates.descent.letters import Array, Round


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
    for e in (0, one.setting.E):
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
