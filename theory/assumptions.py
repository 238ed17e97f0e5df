"""Assumptions 1-5 and Definitions 1-2 as named objects: the printed form, the form that the proofs need,
and why.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.symbols import A, B, E, G, Lam, P_b, P_n, W, b2, gamma, real, s2, x, y

beta2, zeta2, zeta_mean, gm2, w2, rem, dist2 = real("beta2 zeta2 zeta_mean gm2 w2 rem dist2")


@dataclass(frozen=True)
class Assumption:
    """`printed` and `needed` are scalar forms over norms; either may be absent where only words fit."""

    id: str
    name: str
    printed_tex: str
    printed: sp.Basic | None
    needed_tex: str
    needed: sp.Basic | None
    why: str


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption(
        "A1",
        "Smoothness",
        r"|f(y)-f(x)-\langle\nabla f(x),y-x\rangle| \le \frac{L}{2}\|y-x\|^2",
        sp.Abs(rem) <= Lam / 2 * dist2,
        r"\text{the same for every device's loss } \ell_m",
        sp.Abs(rem) <= Lam / 2 * dist2,
        "The proofs use it for the restructured loss, with L + mu in place of L (entry S.2).",
    ),
    Assumption(
        "A2",
        "Zero mean, (P_n, sigma^2)-bounded noise",
        r"\mathbb{E}_t\|\zeta_t\|^2 \le P_n\|\nabla f(w_t)\|^2+\sigma^2",
        sp.And(zeta2 <= P_n * G + s2, sp.Eq(zeta_mean, 0)),
        r"\mathbb{E}\|\zeta^e_t\|^2 \le P_n B^2\|\nabla f(w^e_t)\|^2+\sigma^2 \text{ at each local step}",
        sp.And(zeta2 <= x * G + s2, sp.Eq(zeta_mean, 0)),
        "Stated for the received gradient, used for every local step and with B^2 (entries S.7, M.1).",
    ),
    Assumption(
        "A3",
        "(P_b, b^2)-bounded bias",
        r"\|\beta_t\|^2 \le P_b\|\nabla f(w_t)\|^2+b^2,\ P_b\in(0,1)",
        sp.And(beta2 <= P_b * G + b2, P_b > 0, P_b < 1),
        r"\|\beta^e_t\|^2 \le P_b B^2\|\nabla f(w^e_t)\|^2+b^2,\ 0\le P_b < \frac{1}{6E^2B^2}",
        sp.And(beta2 <= y * G + b2, y >= 0, 6 * y * E**2 < 1),
        "The learning-rate range is empty unless 6 P_b E^2 B^2 < 1 (entry S.4); P_b = 0 is used by the text.",
    ),
    Assumption(
        "A4",
        "Compressible gradients",
        r"|g_t(i)| = i^{-p}\|g_t\|",
        None,
        r"|g_t|_{(i)} \le i^{-p}\|g_t\| \text{ with the entries sorted by size}",
        None,
        "As an equality it forces g = 0 as soon as d >= 2 (entry S.6).",
    ),
    Assumption(
        "A5",
        "Bounded dissimilarity",
        r"B(w)\le B \text{ for } w\in S_\epsilon=\{w: \|\nabla f(w)\|^2>\epsilon\}",
        sp.And(gm2 <= B**2 * G, G > 0),
        r"\tfrac1M\sum_m\|\nabla f_m(w)\|^2 \le B^2\|\nabla f(w)\|^2,\ B\ge1, \text{ at every iterate}",
        sp.And(gm2 <= B**2 * G, B >= 1),
        "The proofs use it at every iterate, also outside S_eps, and use B >= 1 (entries S.7, S.8).",
    ),
    Assumption(
        "D1",
        "Biased stochastic gradient",
        r"g_t=\nabla f(w_t)+\beta_t+\zeta_t,\ \beta_t=\mathbb{E}_t g_t-\nabla f(w_t)",
        None,
        r"g^e_t=\nabla f(w^e_t)+\beta^e_t+\zeta^e_t \text{ at each local step } e",
        None,
        "With g_t the sum over E local steps, beta_t contains (E-1) grad f (entry M.1).",
    ),
    Assumption(
        "D2",
        "B-local dissimilarity",
        r"\|\mathbb{E}\nabla f_m(w;\xi_m)\|^2\le\|\nabla f(w)\|^2B^2",
        gm2 <= B**2 * G,
        r"\tfrac1M\sum_m\|\nabla f_m(w)\|^2\le B^2\|\nabla f(w)\|^2",
        gm2 <= B**2 * G,
        "Undefined where grad f = 0.",
    ),
    Assumption(
        "AW",
        "Bounded iterates (unnumbered)",
        r"\|w\|^2\le W",
        w2 <= W,
        r"\|w_t\|^2\le W \text{, assumed or measured}",
        w2 <= W,
        "The text derives it from the proximal term, which is zero at E = 1 (entry S.9).",
    ),
)

NAMES = frozenset(item.id for item in ASSUMPTIONS)

# Signs that every claim of the proofs shares, written as hypotheses.
SIGNS: tuple[sp.Basic, ...] = (x >= 0, y >= 0)
EPOCHS: sp.Basic = E >= 1
RATE: sp.Basic = gamma > 0
SMOOTH: sp.Basic = Lam > 0
ENERGIES: tuple[sp.Basic, ...] = (G >= 0, b2 >= 0, s2 >= 0)
LEMMA2_RATE: sp.Basic = gamma <= 1 / (4 * E * Lam * A)
DESCENT_RATE: sp.Basic = gamma <= 1 / (2 * Lam)
NONEMPTY: sp.Basic = 6 * y * E**2 < 1
