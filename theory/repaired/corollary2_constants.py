"""Corollary 2, the constants: Young with τ = (1−P)/5, the split of the drift, and the sum that leaves
(1−P)/2.

(8/7)² = 64/49 is the square of the growth factor RC2.6; h = Lγc_b(E−1) with 8hcB ≤ 1 − P.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, Parts, SumOfSquares, term
from theory.repaired.lines import SCOPE, line, nonnegative
from theory.symbols import real

PLACE = "Corollary 2"
R = sp.Rational
GROWTH2 = R(64, 49)


def entries() -> tuple[Entry, ...]:
    """RC2.9 to RC2.16."""
    return (*young(), *coefficients(), *slope(), *conclusion())


def young() -> tuple[Entry, ...]:
    F, X, Y, tau, P, x, y, z, share = real("F X Y tau P r_1 r_2 r_3 share")
    fifth = sp.Eq(share, (1 - P) / 5)
    return (
        line(
            "RC2.9",
            PLACE,
            "Young's inequality",
            r"F^2\le(X+Y)^2\le(1+\tau)X^2+(1+\tfrac1\tau)Y^2",
            Claim(
                (tau > 0, *nonnegative(F, X, Y), F <= X + Y), F**2 <= (1 + tau) * X**2 + (1 + 1 / tau) * Y**2
            ),
            SumOfSquares((term(F + X + Y, 1, F <= X + Y), term(1 / tau, tau * X - Y))),
            because="X = √(P_bD²+b²), Y = c_bLS̄ (RC2.8).",
            depends=("RC2.8",),
        ),
        line(
            "RC2.9a",
            PLACE,
            "τ = (1−P)/5",
            r"1+\tau\le\tfrac65,\quad1+\tfrac1\tau\le\tfrac6{1-P},\quad(1+\tau)P\le P+\tfrac{1-P}5",
            Claim(
                (P >= 0, P < 1, fifth),
                sp.And(
                    1 + share <= R(6, 5), 1 + 1 / share <= 6 / (1 - P), (1 + share) * P <= P + (1 - P) / 5
                ),
            ),
            Parts(
                (  # in the order of the printed parts
                    SumOfSquares((term(P, 1 / (1 - P), P < 1),), using=((5 / (share * (1 - P)), fifth),)),
                    SumOfSquares((term(R(1, 5), 1 - P),), using=((-P, fifth),)),
                    SumOfSquares((term(P / 5),), using=((-1, fifth),)),
                )
            ),
        ),
        line(
            "RC2.10",
            PLACE,
            "three terms of the drift",
            r"(x+y+z)^2\le2x^2+4y^2+4z^2",
            Claim((), (x + y + z) ** 2 <= 2 * x**2 + 4 * y**2 + 4 * z**2),
            SumOfSquares((term(R(1, 2), x - 2 * y), term(R(1, 2), x - 2 * z), term(1, y - z))),
            because="x, y, z (r_1, r_2, r_3 in the formula) are the parts of S̄ ≤ (8/7)γ[(2/3)(E−1)cD + "
            "(2/3)(E−1)b + √(2/3)√(E−1)σ] (RC2.7a-c).",
            depends=("RC2.6", "RC2.7a", "RC2.7c", "RD.D4"),
        ),
    )


def coefficients() -> tuple[Entry, ...]:
    h, c, B, P = real("h c B P")
    step = 8 * h * c * B <= 1 - P
    small = (*nonnegative(h, P), P < 1, c >= 1, B >= 1, step)
    per_room = 6 * GROWTH2 * 4 * R(4, 9) / 64  # the factor of h²/(1−P) in drift_b, over 64
    drift_b = 6 / (1 - P) * GROWTH2 * 4 * R(4, 9) * h**2
    drift_D = 6 / (1 - P) * GROWTH2 * 2 * R(4, 9) * h**2 * c**2
    return (
        line(
            "RC2.11",
            PLACE,
            "coefficient of b² in F²",
            r"\tfrac65+\tfrac{6}{1-P}\tfrac{64}{49}\cdot4\cdot\tfrac49h^2\le\tfrac{36}{25}",
            Claim(small, R(6, 5) + drift_b <= R(36, 25)),
            SumOfSquares(
                (
                    term(R(6, 25) - per_room),
                    term(per_room * P),
                    term(per_room, 1, step),
                    term(8 * per_room * h, 1 / (1 - P), step, P < 1),
                    term(8 * per_room * h * B, 1, c >= 1),
                    term(8 * per_room * h, 1, B >= 1),
                    term(64 * per_room * h**2 * B, 1 / (1 - P), c >= 1, P < 1),
                    term(64 * per_room * h**2, 1 / (1 - P), B >= 1, P < 1),
                )
            ),
            because="8h ≤ 8hcB ≤ 1 − P, so h²/(1−P) is at most (1−P)/64.",
            depends=("RC2.9", "RC2.9a", "RC2.10"),
        ),
        line(
            "RC2.12",
            PLACE,
            "coefficient of σ² in F²",
            r"6\cdot\tfrac{64}{49}\cdot4\cdot\tfrac23\le24",
            Claim((h >= 0,), 6 * GROWTH2 * 4 * R(2, 3) * h <= 24 * h),
            SumOfSquares((term((24 - 6 * GROWTH2 * 4 * R(2, 3)) * h),)),
            because="h stands for the common factor c_b²γ²L²(E−1)/(1−P).",
            depends=("RC2.10",),
        ),
        line(
            "RC2.13",
            PLACE,
            "coefficient of G² in F²",
            r"6\cdot\tfrac{64}{49}\cdot2\cdot\tfrac49\le8",
            Claim((h >= 0,), 6 * GROWTH2 * 2 * R(4, 9) * h <= 8 * h),
            SumOfSquares((term((8 - 6 * GROWTH2 * 2 * R(4, 9)) * h),)),
            because="h stands for c²c_b²γ²L²(E−1)²/(1−P); the P_b part has (1+τ) ≤ 6/5.",
            depends=("RC2.9a", "RC2.10"),
        ),
        line(
            "RC2.14",
            PLACE,
            "coefficient of A in F²",
            r"1-(1+\tau)P-\tfrac6{1-P}\tfrac{64}{49}\cdot2\cdot\tfrac49h^2c^2B^2\ge\tfrac{17}{25}(1-P)",
            Claim(small, 1 - (P + (1 - P) / 5) - drift_D * B**2 >= R(17, 25) * (1 - P)),
            SumOfSquares(
                (
                    term(R(3, 25) - R(16, 147), 1, P < 1),
                    term(R(16, 147), 1, step),
                    term(R(128, 147) * h * c * B, 1 / (1 - P), step, P < 1),
                )
            ),
            depends=("RC2.9a", "RC2.10"),
        ),
    )


def slope() -> tuple[Entry, ...]:
    D, b, s, q, c = real("D b s q c")
    bound = R(8, 7) * R(1, 8) * R(9, 11)  # (8/7)·(1/8)·√(2/3), and √(2/3) ≤ 9/11
    mean_H = (1 + bound) * D + bound / c * b + bound / c * s
    spare = (R(45, 32) - (1 + bound) ** 2) / 2  # of D², for each of b and σ
    pull = (1 + bound) * bound / spare
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
        ),
        line(
            "RC2.15",
            PLACE,
            "weighted mean square of the local slope",
            r"\sum_e\tfrac{\omega_e}{\bar E}H_e^2\le\tfrac{45}{32}D^2+\tfrac5{16c^2}(b^2+\sigma^2)",
            Claim((c >= 1,), mean_H**2 <= R(45, 32) * D**2 + R(5, 16) / c**2 * (b**2 + s**2)),
            SumOfSquares(
                (
                    term(spare, D - pull * b / c),
                    term(spare, D - pull * s / c),
                    term(bound**2, (b - s) / c),
                    term(R(5, 16) - 2 * bound**2 - spare * pull**2, b / c),
                    term(R(5, 16) - 2 * bound**2 - spare * pull**2, s / c),
                )
            ),
            because="Minkowski for the weights ω_e/Ē: H_e ≤ D + (8/7)Lγ[e(cD+b) + √e σ], the root mean "
            "square of e is at most √(2/3)(E−1) and that of √e is no larger; Lγ(E−1) ≤ 1/(8cc_bB).",
            depends=("RC2.6", "RC2.7b", "RC2.7c", "RC2.15a", "RD.D2a", "RD.D4"),
        ),
    )


def conclusion() -> tuple[Entry, ...]:
    g, nu, P_n, c, B, P, D2, b2, s2, A, rest, H2 = real("g nu P_n c B P D2 b2 s2 A rest H2")
    noise = 2 * g * nu * (P_n * H2 + s2)
    second, half = 16 * g * nu * P_n * B**2 <= 1 - P, A * (1 - P) / 2 <= rest
    mean_square = H2 <= R(45, 32) * D2 + R(5, 16) / c**2 * (b2 + s2)
    return (
        line(
            "RC2.16a",
            PLACE,
            "the noise weights",
            r"2uN\le2L\gamma\nu\sum_e\tfrac{\omega_e}{\bar E}(P_nH_e^2+\sigma^2)",
            Claim((*nonnegative(g, H2), c >= 0, c <= 1), g * c**2 * H2 <= g * c * H2),
            SumOfSquares((term(g * c * H2, 1, c <= 1),)),
            because="2uΣ(ω_e/Ē)² = 2LγΣω_e²/Ē and ω_e² ≤ ω_e (c = ω_e here).",
        ),
        line(
            "RC2.16b",
            PLACE,
            "noise coefficients",
            r"2uN\le\gamma L\nu[\tfrac{45}{16}P_nD^2+\tfrac58b^2+\tfrac{21}8\sigma^2]",
            Claim(
                (*nonnegative(g, nu, P_n, b2, s2, D2), c >= 1, P_n <= c**2, mean_square),
                noise <= g * nu * (R(45, 16) * P_n * D2 + R(5, 8) * b2 + R(21, 8) * s2),
            ),
            SumOfSquares(
                (
                    term(2 * g * nu * P_n, 1, mean_square),
                    term(R(5, 8) * g * nu * (b2 + s2) / c**2, 1, P_n <= c**2),
                )
            ),
            because="P_n ≤ c² because c ≥ √P_n.",
            depends=("RC2.15", "RC2.16a"),
        ),
        line(
            "RC2.16",
            PLACE,
            "what is left of A",
            r"2\cdot\tfrac{45}{32}\cdot\tfrac1{16}\le\tfrac{17}{25}-\tfrac12",
            Claim(
                (*nonnegative(g, nu, P_n, P), P < 1, second),
                R(17, 25) * (1 - P) - R(45, 16) * g * nu * P_n * B**2 >= (1 - P) / 2,
            ),
            SumOfSquares((term(R(45, 256), 1, second), term(R(9, 50) - R(45, 256), 1, P < 1))),
            because="The second condition on γ; D² = G² + B²A.",
            depends=("RC2.14", "RC2.16b"),
        ),
        line(
            "RC2.17",
            PLACE,
            "solving for A",
            r"\tfrac{1-P}2A\le\{\ldots\}\Rightarrow A\le\tfrac2{1-P}\{\ldots\}",
            Claim((P < 1, half), A <= 2 / (1 - P) * rest),
            SumOfSquares((term(2, 1 / (1 - P), half, P < 1),)),
            depends=("RC2.3", "RC2.11", "RC2.12", "RC2.13", "RC2.16"),
            note=SCOPE,
        ),
    )
