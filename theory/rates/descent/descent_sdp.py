"""What is known about one round, as inequalities linear in the Gram matrices S and D and in the mean losses.

Each condition reads: value(plus) − value(minus) + ⟨mean, S⟩ + ⟨spread, D⟩ ≥ 0 (= 0 for an equality).

- pair i j: the curvature of every loss lies in [−θ, 1]. With dx = x_i − x_j and dg = g_i − g_j,
  l(x_i) − l(x_j) − ⟨g_j, dx⟩ − [ |dg|² − θ|dx|² + 2θ⟨dg, dx⟩ ] / (2(1+θ)) ≥ 0.
  At E = 1 it is asked of f alone (no part in D), so there L may be the smoothness of f.
- spread i (i = 0 or E): (B² − 1) S[g_i,g_i] − D[g_i,g_i] + G² ≥ 0, at both broadcasts.
- bias e: P_b |g_e|² − |b_e|² + b² ≥ 0; noise e: P_n |g_e|² − |z_e|² + σ² ≥ 0, in S + D.
- own: z_e is orthogonal, in S + D, to the device's own past (g_i, b_i with i ≤ e and z_i with i < e).
- start: S[z_e, g_0] = S[z_e, b_0] = 0, since g_0 and b_0 of every device are known when the round starts.
- across (ν < 1): S[z_e, z_i] = 0 for i < e; share e: ν |z_e|² − S[z_e, z_e] ≥ 0.

With noise all products are expectations. ν < 1 means: noise of different devices and different steps is
uncorrelated, and E|mean z_e|² ≤ ν mean E|z_e|². ν = 1 asks nothing.

Only pairs with x, with x_+ or of neighbours are used: that leaves O(E) multipliers and costs no digit that
matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from theory.rates.descent.letters import Array, Round

Name = tuple[str | int, ...]


@dataclass(frozen=True)
class Condition:
    """One inequality (or equality): value(plus) − value(minus) + ⟨mean, S⟩ + ⟨spread, D⟩ ≥ 0."""

    name: Name
    mean: Array
    spread: Array
    equality: bool = False
    plus: int | None = None
    minus: int | None = None


def conditions(one: Round) -> list[Condition]:
    """Everything that the certificate may combine."""
    return [*_pairs(one), *_spreads(one), *_errors(one), *_noise_products(one)]


def product(a: Array, b: Array) -> Array:
    """The symmetric matrix Q with ⟨Q, Gram⟩ = ⟨a, b⟩."""
    outer = np.outer(a, b)
    return (outer + outer.T) / 2


def used_pairs(E: int) -> Iterator[tuple[int, int]]:
    """Ordered pairs of nodes: neighbours, and all pairs with x (node 0) or x_+ (node E)."""
    for i in range(E + 1):
        for j in range(E + 1):
            if i != j and (abs(i - j) == 1 or {i, j} & {0, E}):
                yield i, j


def _pairs(one: Round) -> Iterator[Condition]:
    theta, single = float(one.setting.theta), one.setting.E == 1
    for i, j in used_pairs(one.setting.E):
        parts = [_pair(points, one.gradients, i, j, theta) for points in (one.own_points, one.deviations)]
        spread = np.zeros_like(parts[1]) if single else parts[1]
        yield Condition(("pair", i, j), parts[0], spread, plus=i, minus=j)


def _pair(points: Array, gradients: Array, i: int, j: int, theta: float) -> Array:
    dx, dg = points[i] - points[j], gradients[i] - gradients[j]
    curved = product(dg, dg) - theta * product(dx, dx) + 2 * theta * product(dg, dx)
    return -product(gradients[j], dx) - curved / (2 * (1 + theta))


def _spreads(one: Round) -> Iterator[Condition]:
    excess = float(one.setting.B**2 - 1)
    for node in (0, one.last):
        square = product(one.gradients[node], one.gradients[node])
        yield Condition(("spread", node), excess * square, -square)


def _errors(one: Round) -> Iterator[Condition]:
    shares = {"b": ("bias", one.setting.P_b), "z": ("noise", one.setting.P_n)}
    for kind, e in one.letters:
        if kind in shares:
            name, share = shares[kind]
            error, g = one.unit(kind, e), one.gradients[e]
            form = float(share) * product(g, g) - product(error, error)
            yield Condition((name, e), form, form)


def _noise_products(one: Round) -> Iterator[Condition]:
    nu = float(one.setting.nu)
    nothing = np.zeros((one.size, one.size))
    for e in [e for kind, e in one.letters if kind == "z"]:
        z = one.unit("z", e)
        if nu < 1:
            yield Condition(("share", e), (nu - 1) * product(z, z), nu * product(z, z))
        for kind, i in one.letters[: one.index["z", e]]:
            form = product(z, one.unit(kind, i))
            yield Condition(("own", e, kind, i), form, form, equality=True)
            if kind == "z":
                if nu < 1:
                    yield Condition(("across", e, i), form, nothing, equality=True)
            elif i == 0:
                yield Condition(("start", e, kind), form, nothing, equality=True)
