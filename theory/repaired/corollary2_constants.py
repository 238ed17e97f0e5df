"""Corollary 2, the constants: Young with τ = (1−P)/5, the split of the drift, and the sum that leaves
(1−P)/2.

(8/7)² = 64/49 is the square of the growth factor RC2.6; h = Lγc_b(E−1) with 8hcB ≤ 1 − P.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Parts, SumOfSquares, term
from theory.repaired import corollary2_slope, corollary2_sum
from theory.repaired.lines import line, nonnegative
from theory.symbols import real

PLACE = "Corollary 2"
R = sp.Rational
GROWTH2 = R(64, 49)


def entries() -> tuple[Entry, ...]:
    """RC2.9 to RC2.17."""
    slope, total = corollary2_slope.entries(), corollary2_sum.entries()
    return (*young(), *coefficients(), *slope, *conclusion(), *total)


def young() -> tuple[Entry, ...]:
    F, X, Y, tau, P, x, y, z, share = real("F X Y tau P r_1 r_2 r_3 share")
    g, E, c = real("g E c")
    room, parts = 8 * g * (E - 1) * c <= 1, Y <= x + y + z
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
            r"Y\le x+y+z\Rightarrow Y^2\le2x^2+4y^2+4z^2",
            Claim(
                (*nonnegative(Y, x, y, z, g), E >= 2, c >= 1, room, parts),
                Y**2 <= 2 * x**2 + 4 * y**2 + 4 * z**2,
            ),
            SumOfSquares(
                (
                    term(x + y + z + Y, 1, parts),
                    term(R(1, 2), x - 2 * y),
                    term(R(1, 2), x - 2 * z),
                    term(1, y - z),
                )
            ),
            because="Y = c_bLS̄, and x, y, z (r_1, r_2, r_3 in the formula) are the three parts of RC2.10b.",
            depends=("RC2.1b", "RC2.10b"),
        ),
    )


def coefficients() -> tuple[Entry, ...]:
    h, c, B, P = real("h c B P")
    step = 8 * h * c * B <= 1 - P
    small = (*nonnegative(h, P), P < 1, c >= 1, B >= 1, step)
    per_room = 6 * GROWTH2 * 4 * R(4, 9) / 64  # the factor of h²/(1−P) in drift_b, over 64
    drift_b = 6 / (1 - P) * GROWTH2 * 4 * R(4, 9) * h**2
    drift_D = 6 / (1 - P) * GROWTH2 * 2 * R(4, 9) * h**2 * c**2
    r_1, r_3, r_max, c_b, g, E, D, s = real("r_1 r_3 r_max c_b g E D s")
    first, third = (
        sp.Eq(r_1, R(16, 21) * c_b * g * (E - 1) * c * D),
        sp.Eq(r_3, R(8, 7) * c_b * g * r_max * s),
    )
    is_max = sp.Eq(r_max**2, R(2, 3) * (E - 1))
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
            r"6\cdot4z^2\le24c_b^2\gamma^2L^2(E-1)\sigma^2,\quad6\cdot\tfrac{64}{49}\cdot4\cdot\tfrac23\le24",
            Claim(
                (*nonnegative(r_max), E >= 2, is_max, third),
                6 * 4 * r_3**2 <= 24 * c_b**2 * g**2 * (E - 1) * s**2,
            ),
            SumOfSquares(
                (term((24 - 6 * GROWTH2 * 4 * R(2, 3)) * (E - 1), c_b * g * s),),
                using=(
                    (-24 * (r_3 + R(8, 7) * c_b * g * r_max * s), third),
                    (-24 * GROWTH2 * c_b**2 * g**2 * s**2, is_max),
                ),
            ),
            because="z = r_3 and r_max as in RC2.10b; both sides over 1 − P.",
            depends=("RC2.10",),
        ),
        line(
            "RC2.13",
            PLACE,
            "coefficient of G² in F²",
            r"6\cdot2x^2\le8c^2c_b^2\gamma^2L^2(E-1)^2D^2,\quad6\cdot\tfrac{64}{49}\cdot2\cdot\tfrac49\le8",
            Claim((E >= 2, first), 6 * 2 * r_1**2 <= 8 * c**2 * c_b**2 * g**2 * (E - 1) ** 2 * D**2),
            SumOfSquares(
                (term(8 - 6 * GROWTH2 * 2 * R(4, 9), c * c_b * g * (E - 1) * D),),
                using=((-12 * (r_1 + R(16, 21) * c_b * g * (E - 1) * c * D), first),),
            ),
            because="x = r_1 as in RC2.10b; both sides over 1 − P. The P_b part has (1+τ) ≤ 6/5.",
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


def conclusion() -> tuple[Entry, ...]:
    g, nu, P_n, c, B, P, D2, b2, s2, H2, E = real("g nu P_n c B P D2 b2 s2 H2 E")
    w, loud = real("w loud")
    noise = 2 * g * nu * (P_n * H2 + s2)
    second = 16 * g * nu * P_n * B**2 <= 1 - P
    mean_square = H2 <= R(45, 32) * D2 + R(5, 16) / c**2 * (b2 + s2)
    return (
        line(
            "RC2.16a",
            PLACE,
            "the noise weights",
            r"2uN\le2L\gamma\nu\sum_e\tfrac{\omega_e}{\bar E}(P_nH_e^2+\sigma^2)",
            Claim((*nonnegative(g, H2), w >= 0, w <= 1), g * w**2 * H2 <= g * w * H2),
            SumOfSquares((term(g * w * H2, 1, w <= 1),)),
            because="2uΣ(ω_e/Ē)² = 2LγΣω_e²/Ē and ω_e² ≤ ω_e (w = ω_e; H2 is P_nH_e² + σ² here).",
        ),
        line(
            "RC2.16b",
            PLACE,
            "noise coefficients",
            r"2uN\le\gamma L\nu[\tfrac{45}{16}P_nD^2+\tfrac58b^2+\tfrac{21}8\sigma^2]",
            Claim(
                (
                    *nonnegative(g, nu, P_n, b2, s2, D2),
                    c >= 1,
                    E >= 2,
                    P_n <= c**2,
                    mean_square,
                    loud <= noise,
                ),
                loud <= g * nu * (R(45, 16) * P_n * D2 + R(5, 8) * b2 + R(21, 8) * s2),
            ),
            SumOfSquares(
                (
                    term(1, 1, loud <= noise),
                    term(2 * g * nu * P_n, 1, mean_square),
                    term(R(5, 8) * g * nu * (b2 + s2) / c**2, 1, P_n <= c**2),
                )
            ),
            because="loud = 2uN, at most the weighted mean by RC2.16a, summed over e with 2ν/Ē as factor; "
            "H2 is the mean of H_e² with weights ω_e/Ē. P_n ≤ c² because c ≥ √P_n.",
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
    )
