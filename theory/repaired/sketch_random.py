"""Lemma 1'(c): a vector that does not depend on the hash, row by row and for the median of the rows."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry, support
from theory.provers import Identity, SumOfSquares, term
from theory.repaired import sketch_instances as si
from theory.repaired import sketch_rows
from theory.repaired.lines import classical, everywhere, line
from theory.symbols import real

PLACE = "Lemma 1'"


def entries() -> tuple[Entry, ...]:
    """RS.c1 to RS.c7."""
    return (*random_hash(), *sketch_rows.entries(), _mean_of_rows())


def random_hash() -> tuple[Entry, ...]:
    row = si.RandomRow((3, 1, 1), 0, 2, 2)
    enumerated = "every bucket and sign of small sketches"
    up, down, q, p, heavy, light, s, tau2, level = real("up down q chance heavy light s tau2 level")
    either, both, outer, meet, crowd, moment, norm2 = real("either both outer meet crowd moment norm2")
    v1, K, cross, noise, m = real("v1 K cross noise second")
    far, near = real("far near")  # |Y| beyond y and elsewhere
    is_m = sp.Eq(m, p * far**2 + (1 - p) * near**2)
    R = sp.Rational
    rest = (tau2 / K + noise) / level**2
    within, union, few = both <= outer, sp.Eq(outer, heavy + light - meet), sp.Eq(heavy, s / K - crowd)
    small, half, sides = light <= rest, sp.Eq(either, up / 2 + down / 2), sp.Eq(down, both - up)
    return (
        line(
            "RS.c1",
            PLACE,
            "one row: each side has half of the tail",
            r"\Pr(X>y)\le q/2",
            Claim((both <= q, sides, half), either <= q / 2),
            SumOfSquares((term(sp.Rational(1, 2), 1, both <= q),), using=((-1, half), (-R(1, 2), sides))),
            support(
                *everywhere(si.SYMMETRIC, si.rows_to_check, row, enumerated, si.ONE_SIGN),
                "exact law of one row",
            ),
            because="X = s_i·Y with the sign s_i independent of Y, so P(X > y) = ½P(Y > y) + ½P(Y < −y); "
            "either = P(X > y), up and down are the other two; q bounds both = P(|Y| > y) = up + down "
            "(RS.c2).",
            depends=("RS.c2",),
        ),
        classical(
            "RS.c2a",
            PLACE,
            "Chebyshev's inequality",
            r"\Pr(|Y|>y)\le\mathbb EY^2/y^2",
            Claim((level > 0, p >= 0, p <= 1, far >= level, is_m), p <= m / level**2),
            "Chebyshev's inequality",
            SumOfSquares(
                (term(p * (far + level) / level**2, 1, far >= level), term((1 - p) / level**2, near)),
                using=((1 / level**2, is_m),),
            ),
        ),
        line(
            "RS.c2",
            PLACE,
            "tail of one row",
            r"\Pr(|X|>y)\le\tfrac sK+\frac{\tau_s^2/K+\sigma_c^2}{y^2}",
            Claim(
                (K >= 1, level > 0, light <= 1, meet >= 0, crowd >= 0, within, union, few, small),
                both <= s / K + rest,
            ),
            SumOfSquares(
                (term(1, 1, within), term(1, 1, small), term(meet), term(crowd)),
                using=((-1, union), (-1, few)),
            ),
            support(
                *everywhere(si.ROW_TAIL, si.rows_to_check, row, enumerated, si.LARGE_SIGNS),
                "exact law of one row",
            ),
            because="both = P(|X| > y). Then one of the s largest collides with i (heavy, a probability of "
            "at most s/K), or the rest, of variance tau2/K + noise, exceeds y = level (light); tau2 are the "
            "squares outside the s largest and i, at most τ_s², noise = σ_c². outer is the probability of "
            "the one or the other, meet of both at once, crowd what s single collisions count too often.",
            depends=("RS.c2a", "RS.c3"),
            model=dict.fromkeys((meet, crowd, light, noise), 0)
            | dict.fromkeys((level, s, tau2), 1)
            | {K: 2, heavy: R(1, 2), both: R(1, 2), outer: R(1, 2)},
        ),
        line(
            "RS.c3",
            PLACE,
            "variance of one row",
            r"\mathbb EX^2=(\|v\|^2-v_i^2)/K+\sigma_c^2",
            Claim(
                (K > 0, sp.Eq(cross, 0), sp.Eq(moment, norm2 / K + noise)),
                sp.Eq(moment + 2 * cross + v1**2 / K, (norm2 + v1**2) / K + noise),
            ),
            Identity(given=((moment, norm2 / K + noise), (cross, sp.Integer(0)))),
            support(
                *everywhere(si.ROW_VARIANCE, si.rows_to_check, row, enumerated, si.ONE_SIGN),
                "exact law of one row",
            ),
            because="Induction on the other coordinates: moment is the second moment with those whose "
            "squares add up to norm2, v1 is one more; none of them is the base. Signs are independent, so "
            "the cross term vanishes; a collision has probability 1/K.",
        ),
    )


def _mean_of_rows() -> Entry:
    m1, cross, moment, num = real("m1 cross moment num")
    return line(
        "RS.c7",
        PLACE,
        "second moment of the mean of rows",
        r"\mathbb E\hat\Delta_i^2=\tfrac1J\,\mathbb EX^2",
        Claim((sp.Eq(cross, 0), sp.Eq(moment, num * m1)), sp.Eq(moment + 2 * cross + m1, (num + 1) * m1)),
        Identity(given=((moment, num * m1), (cross, sp.Integer(0)))),
        because="Induction on the rows: moment is the second moment of the sum of num of them, m1 that of "
        "one; no row is the base. Rows are independent and centred, so the cross term vanishes. The mean of "
        "J rows divides by J².",
        depends=("RS.c3",),
    )
