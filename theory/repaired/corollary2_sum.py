"""Corollary 2, the sum: F² and the noise inserted into (★), and solved for A."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import SumOfSquares, term
from theory.repaired.lines import SCOPE, line, nonnegative
from theory.symbols import real

PLACE = "Corollary 2"
R = sp.Rational
GROWTH2 = R(64, 49)
A, P, P_b, B, c, h, v, b2, s2, G2, F2, E = real("A P P_b B c h v b2 s2 G2 F2 E")
OTHERS = R(36, 25) * b2 + (R(6, 5) * P_b + 8 * h**2 * c**2 / (1 - P)) * G2 + 24 * v * s2 / (1 - P)
STEP = 8 * h * c * B <= 1 - P
BIAS = sp.Eq(P, P_b * B**2)
DISTANCE = F2 <= A - R(17, 25) * (1 - P) * A + OTHERS


def entries() -> tuple[Entry, ...]:
    """F², everything, A."""
    return (_distance(), _everything(), _solved())


def _distance() -> Entry:
    share, Y2, q_1, q_2, q_3 = real("share Y2 q_1 q_2 q_3")
    D2 = G2 + B**2 * A
    young = F2 <= (1 + share) * (P_b * D2 + b2) + (1 + 1 / share) * Y2
    fifth = (1 + share <= R(6, 5), 1 + 1 / share <= 6 / (1 - P), (1 + share) * P <= P + (1 - P) / 5)
    drift = Y2 <= 2 * q_1 + 4 * q_2 + 4 * q_3
    names = (
        sp.Eq(q_1, GROWTH2 * R(4, 9) * h**2 * c**2 * D2),
        sp.Eq(q_2, GROWTH2 * R(4, 9) * h**2 * b2),
        sp.Eq(q_3, GROWTH2 * R(2, 3) * v * s2),
    )
    drift_b = 6 / (1 - P) * GROWTH2 * 4 * R(4, 9) * h**2
    drift_D = 6 / (1 - P) * GROWTH2 * 2 * R(4, 9) * h**2 * c**2
    at_b = R(6, 5) + drift_b <= R(36, 25)
    at_A = 1 - (P + (1 - P) / 5) - drift_D * B**2 >= R(17, 25) * (1 - P)
    is_share = sp.Eq(share, (1 - P) / 5)
    spare_D, spare_s = 8 - 6 * GROWTH2 * 2 * R(4, 9), 24 - 24 * GROWTH2 * R(2, 3)
    return line(
        "RC2.16f",
        PLACE,
        "F² with all constants",
        r"F^2\le A-\tfrac{17}{25}(1-P)A+\tfrac{36}{25}b^2+[\tfrac65P_b+\tfrac{8h^2c^2}{1-P}]G^2+"
        r"\tfrac{24}{1-P}c_b^2\gamma^2L^2(E-1)\sigma^2",
        Claim(
            (
                *(*nonnegative(A, P_b, h, v, b2, s2, G2, Y2, P), P < 1, share > 0, c >= 1),
                *(E >= 2, B >= 1, STEP, is_share, young, *fifth, drift, *names, at_b, at_A, BIAS),
            ),
            DISTANCE,
        ),
        SumOfSquares(
            (
                term(1, 1, young),
                term(P_b * G2 + b2, 1, fifth[0]),
                term(Y2, 1, fifth[1]),
                term(A, 1, fifth[2]),
                term(6 / (1 - P), 1, drift),
                term(b2, 1, at_b),
                term(A, 1, at_A),
                term(spare_D * h**2 * c**2 * G2 / (1 - P)),
                term(spare_s * v * s2 / (1 - P)),
            ),
            using=(
                (-12 / (1 - P), names[0]),
                (-24 / (1 - P), names[1]),
                (-24 / (1 - P), names[2]),
                ((1 + share) * A, BIAS),
            ),
        ),
        because="q_1, q_2, q_3 are the squares of the three parts of RC2.10, h = Lγc_b(E−1), "
        "v = c_b²γ²L²(E−1), D² = G² + B²A, share = (1−P)/5.",
        depends=("RC2.9", "RC2.9a", "RC2.10", "RC2.11", "RC2.12", "RC2.13", "RC2.14"),
    )


def _everything() -> Entry:
    g, nu, P_n, D2, u, root, rho, q_len, K, rest, L = real("g nu P_n D2 u root_N rho q_len K rest L")
    psi = 2 * rho * q_len - q_len**2 + u * (q_len + root) ** 2
    star, peak = A <= K + F2 + psi, psi <= 2 * rho**2 + 2 * u * root**2
    noise = 2 * u * root**2 <= g * nu * (R(45, 16) * P_n * D2 + R(5, 8) * b2 + R(21, 8) * s2)
    slope = R(17, 25) * (1 - P) - R(45, 16) * g * nu * P_n * B**2 >= (1 - P) / 2
    second = 16 * g * nu * P_n * B**2 <= 1 - P
    is_D = sp.Eq(D2, G2 + B**2 * A)
    last = g * nu * (R(45, 16) * P_n * G2 + R(5, 8) * b2 + R(21, 8) * s2)
    is_rest = sp.Eq(rest, K + 2 * rho**2 + OTHERS + last)
    return line(
        "RC2.16c",
        PLACE,
        "everything in (★)",
        r"\tfrac{1-P}2A\le\frac{2\Delta}{\gamma\bar ET}+2L^2R^2+\ldots",
        Claim(
            (
                *(
                    *nonnegative(A, g, nu, P_n, u, P, h),
                    P < 1,
                    L > 0,
                    E >= 2,
                    c >= 1,
                    B >= 1,
                    P_n <= c**2,
                    STEP,
                    BIAS,
                    second,
                ),
                *(star, peak, DISTANCE, noise, slope, is_D, is_rest),
            ),
            A * (1 - P) / 2 <= rest,
        ),
        SumOfSquares(
            (term(1, 1, star), term(1, 1, peak), term(1, 1, DISTANCE), term(1, 1, noise), term(A, 1, slope)),
            using=((1, is_rest), (-R(45, 16) * g * nu * P_n, is_D)),
        ),
        because="K = 2Δ/(γĒT), ρ = LR; rest collects what the corollary lists.",
        depends=("RA.T5", "RC2.3", "RC2.16f", "RC2.16b", "RC2.16"),
    )


def _solved() -> Entry:
    rest, L, P_n = real("rest L P_n")
    half = A * (1 - P) / 2 <= rest
    return line(
        "RC2.17",
        PLACE,
        "solving for A",
        r"A\le\tfrac2{1-P}\{\ldots\}",
        Claim((L > 0, E >= 2, c >= 1, B >= 1, P_n <= c**2, P < 1, half), A <= 2 / (1 - P) * rest),
        SumOfSquares((term(2, 1 / (1 - P), half, P < 1),)),
        depends=("RC2.16c",),
        note=SCOPE,
    )
