"""A few local steps and a few powers, as equations for z3."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.statements import Claim
from theory.provers.second_opinion import Opinion, Second, by_z3
from theory.symbols import real

E, L, mu, gamma, P_b, B2, W, k, d, power = real("E L mu gamma P_b B2 W k d power")
g1, g2, mean, growth, constant = real("g1 g2 mean growth constant")
LARGEST_STEP = sp.Eq(gamma * 4 * E * L * (1 + 2 * B2 * P_b), 1)  # hypothesis of Lemma 2, P_n = 0
TERMS = 8  # of (1 + γ)^n: what is left out is positive


def _per_device(data: dict) -> Opinion:
    """‖w^{m,1} − w‖² ≤ 30E²γ²A‖∇f‖² for both devices of linear losses, E = 2: w^{m,1} − w = −γ g_m."""
    if data["E"] != 2:
        raise EvidenceFailed("the second judge reads E = 2")
    alike = (g1**2 + g2**2) / 2 <= B2 * mean**2
    known = (sp.Eq(mean, (g1 + g2) / 2), alike, P_b > 0, P_b < 1, L > 0, LARGEST_STEP)
    limit = 30 * E**2 * gamma**2 * (1 + 2 * B2 * P_b) * mean**2
    claim = Claim(known, sp.And((gamma * g1) ** 2 <= limit, (gamma * g2) ** 2 <= limit))
    one, two = data["gradients"]
    return by_z3(claim, {g1: one, g2: two, E: 2, L: data["Lam"], P_b: data["P_b"], B2: data["B2"]})


def _below(data: dict) -> Opinion:
    """(w^{E−1} − w)² ≤ constant·E²γ²(A + 1) for w^e + 1 = 2(1+γ)^e.

    From TERMS steps on the power is only bounded from below, by the first terms of the binomial series. That
    leaves the statement false for each value of `growth` that is allowed, or open.
    """
    steps = data["E"] - 1
    series = sum(comb(steps, j) * gamma**j for j in range(TERMS))
    grown = sp.Eq(growth, series) if steps < TERMS else growth >= series
    known = (P_b > 0, P_b < 1, E >= 1, sp.Eq(L, 1), sp.Eq(B2, 1), LARGEST_STEP, grown)
    statement = (2 * growth - 2) ** 2 <= constant * E**2 * gamma**2 * (2 + 2 * P_b)
    values = {E: data["E"], P_b: data["P_b"], constant: data["constant"]}
    return by_z3(Claim(known, statement), values)


def _proximal(data: dict) -> Opinion:
    """w_T² ≤ W for w ← w − γ(Lw + μ(w − w)), the centre being the point itself at E = 1.

    Only where μ > 0 is there a proximal term to judge.
    """
    if min(data["mu"]) <= 0:
        return Opinion(False, False)
    return Opinion(True, all(_bounded(data, m) for m in data["mu"]))


def _bounded(data: dict, m: Fraction) -> bool:
    w = real(" ".join(f"w_{t}" for t in range(data["T"] + 1)))
    centre = real(" ".join(f"x_{t}" for t in range(data["T"])))
    steps = [
        part
        for x, now, after in zip(centre, w, w[1:], strict=False)
        for part in (sp.Eq(x, now), sp.Eq(after, now - gamma * (L * now + mu * (now - x))))
    ]
    in_range = (gamma > 0, sp.Eq(gamma * 12 * (1 + P_b), 1 - 6 * P_b))
    values = {L: data["L"], P_b: data["P_b"], mu: m, W: data["W"], w[0]: 1}
    found = by_z3(Claim((*in_range, *steps), w[-1] ** 2 <= W), values)
    if not found.admissible:
        raise EvidenceFailed("engines disagree: z3 finds that the hypotheses fail")
    return found.holds


def _five(epochs: Any) -> Opinion:
    """(1 + 1/(E−1))^E ≤ 5 at E = n/2: `power` is the root of the n-th power."""
    halves = 2 * Fraction(epochs)
    if halves.denominator != 1:
        raise EvidenceFailed("the second judge reads multiples of 1/2")
    root = sp.Eq(power**2, (1 + 1 / (E - 1)) ** int(halves))
    return by_z3(Claim((E > 1, power >= 0, root), power <= 5), {E: epochs})


def _integral(data: dict) -> Opinion:
    """(k+1)^{−4} ≤ ((k+1)^{−3} − d^{−3})/3 at d = k + 1, p = 2."""
    if data["n"] != 4 or data["d"] != data["k"] + 1:
        raise EvidenceFailed("the second judge reads p = 2 and d = k + 1")
    claim = Claim((k >= 1,), 1 / (k + 1) ** 4 <= (1 / (k + 1) ** 3 - 1 / d**3) / 3)
    return by_z3(claim, {k: data["k"], d: data["d"]})


PER_DEVICE = Second("z3", _per_device)
BELOW = Second("z3", _below)
PROXIMAL = Second("z3", _proximal)
FIVE = Second("z3", _five)
INTEGRAL = Second("z3", _integral)
