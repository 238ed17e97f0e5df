"""Corollary 2, the mean square of the local slope H_e = D + LS_e."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, SumOfSquares, term
from theory.repaired.lines import line, nonnegative
from theory.symbols import real

PLACE = "Corollary 2"
R = sp.Rational
GROWTH = R(8, 7)
BOUND = GROWTH * R(1, 8) * R(9, 11)  # (8/7)·(1/8)·√(2/3), and √(2/3) ≤ 9/11
D, b, s, c, E, g, H_rms = real("D b s c E g H_rms")
MEAN_H = (1 + BOUND) * D + BOUND / c * b + BOUND / c * s


def entries() -> tuple[Entry, ...]:
    """A bound of √(2/3), the root mean square of H_e, and its square."""
    q = real("q")[0]
    spare = (R(45, 32) - (1 + BOUND) ** 2) / 2  # of D², for each of b and σ
    pull = (1 + BOUND) * BOUND / spare
    left = R(5, 16) - 2 * BOUND**2 - spare * pull**2
    mean = H_rms <= MEAN_H
    return (
        line(
            "RC2.15a",
            PLACE,
            "a rational bound of √(2/3)",
            r"q^2\le\tfrac23\Rightarrow q\le\tfrac9{11}",
            Claim((q >= 0, q**2 <= R(2, 3)), q <= R(9, 11)),
            Contradiction(
                (
                    term(R(81, 121) - R(2, 3)),
                    term(1, q - R(9, 11)),
                    term(R(18, 11), 1, q > R(9, 11)),
                    term(1, 1, q**2 <= R(2, 3)),
                )
            ),
            stated=(q**2 <= R(2, 3),),
        ),
        *root_mean_square(),
        line(
            "RC2.15",
            PLACE,
            "weighted mean square of the local slope",
            r"\sum_e\tfrac{\omega_e}{\bar E}H_e^2\le\tfrac{45}{32}D^2+\tfrac5{16c^2}(b^2+\sigma^2)",
            Claim(
                (c >= 1, E >= 2, *nonnegative(H_rms, D, b, s), mean),
                H_rms**2 <= R(45, 32) * D**2 + R(5, 16) / c**2 * (b**2 + s**2),
            ),
            SumOfSquares(
                (
                    term(MEAN_H + H_rms, 1, mean),
                    term(spare, D - pull * b / c),
                    term(spare, D - pull * s / c),
                    term(BOUND**2, (b - s) / c),
                    term(left, b / c),
                    term(left, s / c),
                )
            ),
            because="H_rms² is the left side.",
            depends=("RC2.15h",),
        ),
    )


def root_mean_square() -> tuple[Entry, ...]:
    S, X, kappa, L, gamma, S_rms, X_rms = real("S X kappa L gamma S_rms X_rms")
    e_part, r_part, q_e, q_r = real("e_part r_part q_e q_r")
    reach, room = (E - 1) * kappa <= R(1, 8), 8 * g * (E - 1) * c <= 1
    whole, drift, split = H_rms <= D + L * S_rms, S_rms <= X_rms, X_rms <= e_part + r_part
    parts = (sp.Eq(e_part, GROWTH * gamma * (c * D + b) * q_e), sp.Eq(r_part, GROWTH * gamma * s * q_r))
    far, fewer, rate = q_e <= R(9, 11) * (E - 1), q_r <= q_e, sp.Eq(g, L * gamma)
    return (
        line(
            "RC2.15s",
            PLACE,
            "the drift, squared",
            r"(E-1)\kappa\le\tfrac18\Rightarrow S_e^2\le\tfrac{64}{49}\gamma^2[e(cD+b)+\sqrt e\,\sigma]^2",
            Claim((E >= 2, *nonnegative(S, X), reach, S <= X), S**2 <= X**2),
            SumOfSquares((term(S + X, 1, S <= X),)),
            because="X is the bound of RC2.10a.",
            depends=("RC2.10a",),
            stated=(reach,),
        ),
        line(
            "RC2.15h",
            PLACE,
            "root mean square of the local slope",
            r"\sqrt{\sum_e\tfrac{\omega_e}{\bar E}H_e^2}\le(1+\tfrac{9}{77})D+\tfrac{9}{77c}(b+\sigma)",
            Claim(
                (
                    *(*nonnegative(L, gamma, D, b, s, S_rms, X_rms, q_e, q_r, g), c >= 1, E >= 2),
                    *(room, whole, drift, split, *parts, far, fewer, rate),
                ),
                H_rms <= MEAN_H,
            ),
            SumOfSquares(
                (
                    term(1, 1, whole),
                    term(L, 1, drift),
                    term(L, 1, split),
                    term(GROWTH * g * (c * D + b + s), 1, far),
                    term(GROWTH * g * s, 1, fewer),
                    term(BOUND / c * (c * D + b + s), 1, room),
                ),
                using=(
                    (-L, parts[0]),
                    (-L, parts[1]),
                    (GROWTH * ((c * D + b) * q_e + s * q_r), rate),
                ),
            ),
            because="Minkowski for the weights ω_e/Ē: S_rms and X_rms are the root mean squares of S_e and "
            "of its bound, q_e and q_r those of e and √e.",
            depends=("RC2.1b", "RC2.15s", "RC2.15q", "RC2.15r", "RD.D2a"),
        ),
    )
