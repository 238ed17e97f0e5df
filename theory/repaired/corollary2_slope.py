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
    S, kappa, L, gamma, S_rms, e, r, c_b, p_n = real("S kappa L gamma S_rms e r c_b p_n")
    q_e, q_r, mean_er, mean_e, mean_e2 = real("q_e q_r mean_er mean_e mean_e2")
    reach, room = (E - 1) * kappa <= R(1, 8), 8 * g * (E - 1) * c <= 1
    whole, drift = H_rms <= D + L * S_rms, S_rms <= GROWTH * gamma * ((c * D + b) * q_e + s * q_r)
    X, start = GROWTH * gamma * (e * ((c_b + p_n) * D + b) + r * s), (c_b + p_n) * D + b
    squared = GROWTH**2 * gamma**2 * (start**2 * e**2 + 2 * start * s * (e * r) + s**2 * r**2)
    pulled = c * D + b
    mean = S_rms**2 <= GROWTH**2 * gamma**2 * (pulled**2 * mean_e2 + 2 * pulled * s * mean_er + s**2 * mean_e)
    is_q, is_r, cauchy = sp.Eq(q_e**2, mean_e2), sp.Eq(q_r**2, mean_e), mean_er <= q_e * q_r
    longer, is_e = S_rms > drift.rhs, sp.Eq(e, r**2)
    far, fewer, rate = q_e <= R(9, 11) * (E - 1), q_r <= q_e, sp.Eq(g, L * gamma)
    return (
        line(
            "RC2.15s",
            PLACE,
            "the drift, squared",
            r"(E-1)\kappa\le\tfrac18\Rightarrow S_e^2\le\tfrac{64}{49}\gamma^2[e(cD+b)+\sqrt e\,\sigma]^2",
            Claim(
                (E >= 2, r >= 1, c_b >= 1, *nonnegative(gamma, p_n, D, b, s, S, e), is_e, reach, S <= X),
                S**2 <= squared,
            ),
            SumOfSquares((term(S + X, 1, S <= X),)),
            because="The bound of RC2.10a, r = √e. At e = 0 both sides are 0.",
            depends=("RC2.10a",),
            stated=(reach,),
        ),
        line(
            "RC2.15m",
            PLACE,
            "root mean square of the drift",
            r"\sqrt{\sum_e\tfrac{\omega_e}{\bar E}S_e^2}\le\tfrac87\gamma[(cD+b)q_e+\sigma q_r]",
            Claim(
                (
                    *(*nonnegative(gamma, D, b, s, S_rms, q_e, q_r, mean_e, mean_e2, g), c >= 1, E >= 2),
                    *(room, mean, is_q, is_r, cauchy),
                ),
                drift,
            ),
            Contradiction(
                (
                    term(1, 1, longer, longer),
                    term(2 * drift.rhs, 1, longer),
                    term(1, 1, mean),
                    term(2 * GROWTH**2 * gamma**2 * pulled * s, 1, cauchy),
                ),
                using=(
                    (GROWTH**2 * gamma**2 * pulled**2, is_q),
                    (GROWTH**2 * gamma**2 * s**2, is_r),
                ),
            ),
            because="RC2.15s in the mean with weights ω_e/Ē: S_rms² is that of S_e², q_e² and q_r² those of "
            "e² and e, mean_er that of e√e, at most q_e q_r (Cauchy-Schwarz).",
            depends=("RC2.1b", "RC2.15s", "V.2"),
        ),
        line(
            "RC2.15h",
            PLACE,
            "root mean square of the local slope",
            r"\sqrt{\sum_e\tfrac{\omega_e}{\bar E}H_e^2}\le(1+\tfrac{9}{77})D+\tfrac{9}{77c}(b+\sigma)",
            Claim(
                (
                    *(*nonnegative(L, gamma, D, b, s, S_rms, q_e, q_r, g), c >= 1, E >= 2),
                    *(room, whole, drift, far, fewer, rate),
                ),
                H_rms <= MEAN_H,
            ),
            SumOfSquares(
                (
                    term(1, 1, whole),
                    term(L, 1, drift),
                    term(GROWTH * g * (c * D + b + s), 1, far),
                    term(GROWTH * g * s, 1, fewer),
                    term(BOUND / c * (c * D + b + s), 1, room),
                ),
                using=((GROWTH * ((c * D + b) * q_e + s * q_r), rate),),
            ),
            because="Minkowski for the weights ω_e/Ē: S_rms is the root mean square of S_e, q_e and q_r "
            "those of e and √e.",
            depends=("RC2.1b", "RC2.15m", "RC2.15q", "RC2.15r", "RD.D2a"),
        ),
    )
