"""Top-k of two coordinates as a relation, for z3: the larger is kept, the other becomes 0. Ties are open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.statements import Claim
from theory.provers.second_opinion import Opinion, Second, by_z3
from theory.symbols import real

a1, a2, e1, e2, u1, u2, s1, s2, c, k, d, eta = real("a1 a2 e1 e2 u1 u2 s1 s2 c k d eta")
g11, g12, g21, g22, n1, n2, gamma = real("g11 g12 g21 g22 n1 n2 gamma")
LEFT_OUT = (a1 - u1) ** 2 + (a2 - u2) ** 2  # ‖a − u‖², with u what is kept
SIZE = a1**2 + a2**2
TAIL = (1 / (k + 1) ** 3 - 1 / d**3) / 3  # ((k+1)^{1−2p} − d^{1−2p})/(2p−1) at p = 2


def larger_kept(one: sp.Expr, two: sp.Expr) -> sp.Basic:
    """(u1, u2) = U_1(one, two)."""
    first = sp.And(sp.Eq(u1, one), sp.Eq(u2, 0), one**2 >= two**2)
    return sp.Or(first, sp.And(sp.Eq(u1, 0), sp.Eq(u2, two), two**2 >= one**2))


def _pair(values: Sequence[Any], kept: int) -> tuple[Any, Any]:
    if len(values) != 2 or kept != 1:
        raise EvidenceFailed("the second judge reads two coordinates, one of them kept")
    return values[0], values[1]


def _residual(data: dict, *hypotheses: sp.Basic) -> Opinion:
    """‖w − U_k(w)‖² ≤ (1/c + the printed tail factor)‖w‖²."""
    w1, w2 = _pair(data["w"], data["k"])
    claim = Claim((c > 1, larger_kept(a1, a2), *hypotheses), LEFT_OUT <= (1 / c + TAIL) * SIZE)
    return by_z3(claim, {a1: w1, a2: w2, c: data["c"], k: 1, d: 2})


def _compressible(data: dict) -> Opinion:
    """The same for |w(i)| ≤ i^{−p}‖w‖, p = 2."""
    if data["p"] != 2:
        raise EvidenceFailed("the second judge reads p = 2")
    return _residual(data, a1**2 <= SIZE, 2**4 * a2**2 <= SIZE)


def _crossed(data: dict) -> Opinion:
    """w(2)² ≤ 2^{−2p}(‖γg_1‖ + ‖γg_2‖)² for w = −γ(g_1 + g_2), p = 2; n1, n2 are the norms."""
    one, two = _pair(data["gradients"], 1)
    sorted_law = [
        part
        for x, y, n in ((g11, g12, n1), (g21, g22, n2))
        for part in (
            sp.Eq(n**2, x**2 + y**2), n > 0, sp.Max(sp.Abs(x), sp.Abs(y)) <= n,
            4 * sp.Min(sp.Abs(x), sp.Abs(y)) <= n,
        )
    ]  # fmt: skip
    moved = sp.Eq(a2, -gamma * (g12 + g22))
    statement = a2**2 <= (gamma * n1 + gamma * n2) ** 2 / 2**4
    values = {g11: one[0], g12: one[1], g21: two[0], g22: two[1], gamma: data["gamma"]}
    return by_z3(Claim((moved, *sorted_law), statement), values)


def _update(data: dict) -> Opinion:
    """U_k(w̃ − γg) − w̃ = −γg for a 1-sparse w̃."""
    (w1, w2), (step1, step2) = _pair(data["broadcast"], data["k"]), data["step"]
    sparse = sp.Eq(a1 * a2, 0)
    claim = Claim((sparse, larger_kept(a1 + s1, a2 + s2)), sp.And(sp.Eq(u1 - a1, s1), sp.Eq(u2 - a2, s2)))
    return by_z3(claim, {a1: w1, a2: w2, s1: step1, s2: step2})


def _without_selection(sample: Any) -> Opinion:
    """‖v − w̃‖² ≤ kη² + τ_k². η over both coordinates is at least the η meant: it favours the statement."""
    (v1, v2), (v1_hat, v2_hat) = _pair(sample.v, sample.k), sample.estimate
    error = sp.Eq(eta, sp.Max(sp.Abs(e1 - a1), sp.Abs(e2 - a2)))
    claim = Claim((larger_kept(e1, e2), error), LEFT_OUT <= eta**2 + sp.Min(a1**2, a2**2))
    return by_z3(claim, {a1: v1, a2: v2, e1: v1_hat, e2: v2_hat})


ANY_VECTOR = Second("z3", _residual)
COMPRESSIBLE = Second("z3", _compressible)
CROSSED_GRADIENTS = Second("z3", _crossed)
UPDATE = Second("z3", _update)
WITHOUT_SELECTION = Second("z3", _without_selection)
