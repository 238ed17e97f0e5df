"""Corollary 2, the drift: S_e in closed form with (1+κ)^e ≤ 8/7, and its weighted means.

ω_e ≤ 1 and Ē ≥ 3E/4, so the mean of e is at most (2/3)(E−1), that of e² at most (2/3)(E−1)².
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, SumOfSquares, term
from theory.repaired.lines import line, nonnegative
from theory.symbols import real

PLACE = "Corollary 2"
R = sp.Rational
GROWTH, ROOT = R(8, 7), R(9, 11)  # (1+κ)^{E−1}, and √(2/3)
E, E_bar, total, num, w, mean_e, mean_e2 = real("E E_bar total num w mean_e mean_e2")
g, c_b, c, B, P, D, b, s = real("g c_b c B P D b s")


def entries() -> tuple[Entry, ...]:
    """Sums of e and e², S_e, and its mean."""
    return (*weighted_sums(), *means(), *drift(), _mean_drift())


def weighted_sums() -> tuple[Entry, ...]:
    """Σ_e ω_e e and Σ_e ω_e e², with ω_e ≤ 1."""
    found = []
    for name, power, closed in (
        ("s", 1, lambda n: n * (n - 1) / 2),
        ("q", 2, lambda n: n * (n - 1) * (2 * n - 1) / 6),
    ):
        before = total <= closed(num)
        found.append(
            line(
                f"RC2.7{name}",
                PLACE,
                f"weighted sum of e{'²' if power == 2 else ''}",
                r"\sum_{e<E}\omega_ee^2\le\tfrac{E(E-1)(2E-1)}6"
                if power == 2
                else r"\sum_{e<E}\omega_ee\le\tfrac{E(E-1)}2",
                Claim((num >= 0, w >= 0, w <= 1, before), total + w * num**power <= closed(num + 1)),
                SumOfSquares((term(1, 1, before), term(num**power, 1, w <= 1))),
                because="Induction on the number of steps, num before the next one, which has e = num and "
                "weight w ≤ 1.",
            )
        )
    total2 = real("total2")[0]
    fewer, before = num <= num**2, total <= total2
    compared = line(
        "RC2.7d",
        PLACE,
        "the weighted sum of e is at most that of e²",
        r"\sum_e\omega_ee\le\sum_e\omega_ee^2",
        Claim((num >= 1, w >= 0, fewer, before), total + w * num <= total2 + w * num**2),
        SumOfSquares((term(1, 1, before), term(w, 1, fewer))),
        because="Induction on the steps e ≥ 1, where e ≤ e² (RC2.7c); e = 0 adds nothing and is the base. "
        "Any weights w do, also ω_e/Ē (RC2.15r).",
        depends=("RC2.7c",),
    )
    return (*found, compared)


def means() -> tuple[Entry, ...]:
    """The mean of e, of √e, and the roots of the mean squares."""
    r_mean, r_max, q_e, q_r = real("r_mean r_max q_e q_r")
    first, limit = E_bar * mean_e <= E * (E - 1) / 2, E * (E - 1) / 2 <= R(2, 3) * (E - 1) * E_bar
    second = E_bar * mean_e2 <= (E - 1) * E * (2 * E - 1) / 6
    limit2 = (E - 1) * E * (2 * E - 1) / 6 <= R(2, 3) * (E - 1) ** 2 * E_bar
    jensen, most, is_max = (
        r_mean**2 <= mean_e,
        mean_e <= R(2, 3) * (E - 1),
        sp.Eq(r_max**2, R(2, 3) * (E - 1)),
    )
    longer, most2 = r_mean > r_max, mean_e2 <= R(2, 3) * (E - 1) ** 2
    above = q_e > ROOT * (E - 1)
    is_q, is_r, fewer = sp.Eq(q_e**2, mean_e2), sp.Eq(q_r**2, mean_e), mean_e <= mean_e2
    return (
        line(
            "RC2.7m",
            PLACE,
            "weighted mean of e, at last",
            r"\sum_e\tfrac{\omega_e}{\bar E}e\le\tfrac23(E-1)",
            Claim((E >= 2, E_bar > 0, first, limit), most),
            SumOfSquares((term(1 / E_bar, 1, first), term(1 / E_bar, 1, limit))),
            depends=("RC2.7s", "RC2.7a"),
        ),
        line(
            "RC2.7n",
            PLACE,
            "weighted mean of e², at last",
            r"\sum_e\tfrac{\omega_e}{\bar E}e^2\le\tfrac23(E-1)^2",
            Claim((E >= 2, E_bar > 0, second, limit2), most2),
            SumOfSquares((term(1 / E_bar, 1, second), term(1 / E_bar, 1, limit2))),
            depends=("RC2.7q", "RC2.7b"),
        ),
        line(
            "RC2.7r",
            PLACE,
            "weighted mean of √e",
            r"\sum_e\tfrac{\omega_e}{\bar E}\sqrt e\le\sqrt{\tfrac23(E-1)}",
            Claim((E >= 2, *nonnegative(r_mean, r_max), jensen, most, is_max), r_mean <= r_max),
            Contradiction(
                (
                    term(1, 1, longer, longer),
                    term(2 * r_max, 1, longer),
                    term(1, 1, jensen),
                    term(1, 1, most),
                ),
                using=((1, is_max),),
            ),
            because="Jensen for the root; r_max = √((2/3)(E−1)).",
            depends=("RA.C5", "RC2.7m"),
        ),
        line(
            "RC2.15q",
            PLACE,
            "root mean square of e",
            r"\sqrt{\sum_e\tfrac{\omega_e}{\bar E}e^2}\le\tfrac9{11}(E-1)",
            Claim((E >= 2, q_e >= 0, mean_e2 >= 0, most2, is_q), q_e <= ROOT * (E - 1)),
            Contradiction(
                (
                    term(ROOT**2 - R(2, 3)),
                    term(2 * (ROOT**2 - R(2, 3)), 1, E >= 2),
                    term(ROOT**2 - R(2, 3), 1, E >= 2, E >= 2),
                    term(1, 1, above, above),
                    term(2 * ROOT * (E - 1), 1, above),
                    term(1, 1, most2),
                ),
                using=((-1, is_q),),
            ),
            because="q_e is that root; √(2/3) ≤ 9/11 as in RC2.15a.",
            depends=("RC2.7n",),
        ),
        line(
            "RC2.15r",
            PLACE,
            "the root mean square of √e is no larger",
            r"\sum_e\tfrac{\omega_e}{\bar E}e\le\sum_e\tfrac{\omega_e}{\bar E}e^2",
            Claim((*nonnegative(q_e, q_r, mean_e, mean_e2), is_q, is_r, fewer), q_r <= q_e),
            Contradiction(
                (term(1, 1, q_r > q_e, q_r > q_e), term(2 * q_e, 1, q_r > q_e), term(1, 1, fewer)),
                using=((-1, is_r), (1, is_q)),
            ),
            because="q_r² is the mean of e, q_e² that of e².",
            depends=("RC2.7d",),
        ),
    )


def drift() -> tuple[Entry, ...]:
    size = (g >= 0, P >= 0, E >= 2, c >= 1, c_b >= 1, B >= 1, 8 * g * (E - 1) * c * c_b * B <= 1 - P)
    S, gamma, growth, e, r, N, p_n, kappa = real("S gamma growth e r N p_n kappa")

    def bound(steps: sp.Expr, roots: sp.Expr) -> sp.Expr:
        return GROWTH * gamma * (steps * ((c_b + p_n) * D + b) + roots * s)

    closed, small = S <= gamma * growth * (e * (c_b * D + b) + r * N), growth <= GROWTH
    noise, shorter, reach = N <= p_n * D + s, r <= e, (E - 1) * kappa <= R(1, 8)
    t_S, t_e, t_r = real("t_S t_e t_r")
    is_e, one, before = sp.Eq(e, r**2), S <= bound(e, r), t_S <= bound(t_e, t_r)
    is_N = sp.Eq(N**2, p_n**2 * D**2 + s**2)
    inside = e * (c_b * D + b) + r * N
    return (
        line(
            "RC2.1b",
            PLACE,
            "what else the first condition gives",
            r"8L\gamma(E-1)c\le1",
            Claim(size, 8 * g * (E - 1) * c <= 1),
            SumOfSquares((term(1, 1, size[-1]), term(P), term(8 * g * (E - 1) * c * (B * c_b - 1)))),
        ),
        line(
            "RC2.10a",
            PLACE,
            "the drift after e steps",
            r"(E-1)\kappa\le\tfrac18\Rightarrow S_e\le\tfrac87\gamma[e(cD+b)+\sqrt e\,\sigma]",
            Claim(
                (
                    *nonnegative(gamma, growth, e, N, p_n, D, b, s, S, kappa),
                    *(r >= 1, c_b >= 1, E >= 2, reach, closed, small, is_N, noise, is_e, shorter),
                ),
                one,
            ),
            SumOfSquares(
                (
                    term(1, 1, closed),
                    term(gamma * inside, 1, small),
                    term(GROWTH * gamma * r, 1, noise),
                    term(GROWTH * gamma * p_n * D, 1, shorter),
                )
            ),
            because="growth = (1+κ)^e ≤ (1+κ)^{E−1} ≤ 8/7, κ = γLc, N = √(P_nD²+σ²), r = √e, c = c_b + √P_n; "
            "p_n = √P_n.",
            depends=("RD.D4c", "RD.D3", "RC2.6", "RC2.7c"),
            stated=(reach,),
        ),
        line(
            "RC2.10w",
            PLACE,
            "the weighted sum of the drift",
            r"(E-1)\kappa\le\tfrac18\Rightarrow\sum_e\omega_eS_e\le\tfrac87\gamma[\sum_e\omega_ee(cD+b)"
            r"+\sum_e\omega_e\sqrt e\,\sigma]",
            Claim(
                (w >= 0, r >= 1, c_b >= 1, E >= 2, reach, is_e, one, before),
                t_S + w * S <= bound(t_e + w * e, t_r + w * r),
            ),
            SumOfSquares((term(w, 1, one), term(1, 1, before))),
            because="Induction on the steps e ≥ 1: t_S, t_e and t_r are the sums over those before. "
            "S_0 = 0 is the base. Any weights w do, also ω_e/Ē (RC2.10b).",
            depends=("RC2.10a",),
            stated=(reach,),
        ),
    )


def _mean_drift() -> Entry:
    L, gamma, S_mean, r_mean, r_max, p_n, kappa = real("L gamma S_mean r_mean r_max p_n kappa")
    r_1, r_2, r_3, Y = real("r_1 r_2 r_3 Y")
    mean = S_mean <= GROWTH * gamma * (mean_e * ((c_b + p_n) * D + b) + r_mean * s)
    most, root, reach = mean_e <= R(2, 3) * (E - 1), r_mean <= r_max, (E - 1) * kappa <= R(1, 8)
    scale = GROWTH * c_b * L * gamma
    names = (
        sp.Eq(Y, c_b * L * S_mean),
        sp.Eq(r_1, scale * R(2, 3) * (E - 1) * (c_b + p_n) * D),
        sp.Eq(r_2, scale * R(2, 3) * (E - 1) * b),
        sp.Eq(r_3, scale * r_max * s),
    )
    is_rate, is_max = sp.Eq(kappa, gamma * L * (c_b + p_n)), sp.Eq(r_max**2, R(2, 3) * (E - 1))
    return line(
        "RC2.10b",
        PLACE,
        "the mean of the drift",
        r"(E-1)\kappa\le\tfrac18\Rightarrow c_bL\bar S\le\tfrac87c_bL\gamma[\tfrac23(E-1)(cD+b)"
        r"+\sqrt{\tfrac23(E-1)}\,\sigma]",
        Claim(
            (
                *nonnegative(L, gamma, S_mean, mean_e, r_mean, r_max, p_n, D, b, s),
                *(c_b >= 1, E >= 2, is_rate, reach, mean, most, is_max, root, *names),
            ),
            Y <= r_1 + r_2 + r_3,
        ),
        SumOfSquares(
            (
                term(c_b * L, 1, mean),
                term(scale * ((c_b + p_n) * D + b), 1, most),
                term(scale * s, 1, root),
            ),
            using=((-1, names[0]), (1, names[1]), (1, names[2]), (1, names[3])),
        ),
        because="RC2.10w with the weights ω_e/Ē.",
        depends=("RC2.10w", "RC2.7m", "RC2.7r"),
        stated=(reach,),
    )
