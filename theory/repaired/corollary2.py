"""Corollary 2 (E ≥ 2): if P < 1 and γ ≤ min{(1−P)/(8L(E−1)cc_bB), (1−P)/(16LνP_nB²), 1/(2μ(E−1))}, then
Ē ≥ 3E/4 and A ≤ (2/(1−P)){2Δ/(γĒT) + 2L²R² + (36/25)b² + [(6/5)P_b + 8c²c_b²γ²L²(E−1)²/(1−P)]G²
+ 24c_b²γ²L²(E−1)σ²/(1−P) + γLν[(21/8)σ² + (5/8)b² + (45/16)P_nG²]}.

Letters: g = Lγ, P = P_bB², h = gc_b(E−1) ≤ (1−P)/(8cB), and 8/7 ≥ (1+κ)^{E−1}. Bernoulli's inequality
gives 8/7; the exponential of the written proof (e^{1/8} < 8/7) is not needed.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Identity, Parts, SumOfSquares, term
from theory.repaired import corollary2_constants, corollary2_drift
from theory.repaired.lines import line, nonnegative
from theory.symbols import real

PLACE = "Corollary 2"
quarter, half = sp.Rational(1, 4), sp.Rational(1, 2)


def entries() -> tuple[Entry, ...]:
    """Step size, weights, averages of the drift, then the constants."""
    constants = corollary2_constants.entries()
    return (*step_size(), *weights(), *averages(), *corollary2_drift.entries(), *constants)


def step_size() -> tuple[Entry, ...]:
    g, P, E, c, c_b, B, u, rho, x, root, E_bar = real("g P E c c_b B u rho q_len root_N E_bar")
    is_u, few = sp.Eq(u, g * E_bar), E_bar <= E
    size = (g >= 0, P >= 0, E >= 2, c >= 1, c_b >= 1, B >= 1, 8 * g * (E - 1) * c * c_b * B <= 1 - P)
    psi = 2 * rho * x - x**2 + u * (x + root) ** 2
    square = (1 - 2 * u) * (x - rho / (1 - 2 * u)) ** 2 + u * (x - root) ** 2
    return (
        line(
            "RC2.1",
            PLACE,
            "the step is small: u = LγĒ ≤ 1/4",
            r"L\gamma\bar E\le L\gamma E\le\tfrac{E}{8(E-1)}\le\tfrac14",
            Claim((g >= 0, E >= 2, 8 * g * (E - 1) <= 1, few, is_u), u <= quarter),
            SumOfSquares(
                (term(quarter, 1, 8 * g * (E - 1) <= 1), term(g, 1, E >= 2), term(g, 1, few)),
                using=((-1, is_u),),
            ),
            because="c, c_b, B ≥ 1 and 1 − P ≤ 1 (RC2.1a); Ē ≤ E.",
            depends=("RC2.1a",),
        ),
        line(
            "RC2.1a",
            PLACE,
            "what the first condition gives",
            r"\gamma\le\tfrac{1-P}{8L(E-1)cc_bB}\Rightarrow8L\gamma(E-1)\le1",
            Claim(size, 8 * g * (E - 1) <= 1),
            SumOfSquares((term(1, 1, size[-1]), term(P), term(8 * g * (E - 1) * (B * c * c_b - 1)))),
        ),
        line(
            "RC2.2",
            PLACE,
            "completing the square",
            r"\tfrac{\rho^2}{1-2u}+2uN-\psi(x)=(1-2u)\big(x-\tfrac{\rho}{1-2u}\big)^2+u(x-\sqrt N)^2",
            Claim((E >= 2, u < half), sp.Eq(rho**2 / (1 - 2 * u) + 2 * u * root**2 - psi, square)),
            Identity(),
            depends=("RA.T5", "RC2.1"),
        ),
        line(
            "RC2.3",
            PLACE,
            "the residual term",
            r"\psi(x)\le2\rho^2+2uN",
            Claim((E >= 2, u >= 0, u <= quarter), psi <= 2 * rho**2 + 2 * u * root**2),
            SumOfSquares(
                (
                    term(u, x - root),
                    term(1 - 2 * u, x - rho / (1 - 2 * u)),
                    term((1 - 4 * u) / (1 - 2 * u), rho),
                )
            ),
            because="ρ = LR, so 2ρ² = 2L²R².",
            depends=("RC2.1", "RC2.2"),
        ),
    )


def weights() -> tuple[Entry, ...]:
    n, t, E, kappa, b, a, product = real("n t E kappa bernoulli growth product")
    total, E_bar = real("total E_bar")
    before, bernoulli = total >= n - t * n * (n - 1) / 2, b >= 1 - n * t
    summed = E_bar >= E - t * E * (E - 1) / 2
    most = sp.Rational(8, 7)
    return (
        line(
            "RC2.4",
            PLACE,
            "Bernoulli's inequality, induction step",
            r"(1-t)^n\ge1-nt\Rightarrow(1-t)^{n+1}\ge1-(n+1)t",
            Claim((n >= 0, t >= 0, t <= 1, b >= 1 - n * t), b * (1 - t) >= 1 - (n + 1) * t),
            SumOfSquares((term(1 - t, 1, b >= 1 - n * t), term(n, t))),
            because="b = (1−t)^n; n = 0 is an equality.",
        ),
        line(
            "RC2.5w",
            PLACE,
            "the weights of a round",
            r"\bar E=\sum_{j<E}(1-\gamma\mu)^j\ge E-\gamma\mu\tfrac{E(E-1)}2",
            Claim((n >= 0, t >= 0, t <= 1, before, bernoulli), total + b >= n + 1 - t * (n + 1) * n / 2),
            SumOfSquares((term(1, 1, before), term(1, 1, bernoulli))),
            because="Induction on the local steps: t = γμ, total is the sum of the first n weights, b the "
            "next one (RC2.4). No step is the base.",
            depends=("RC2.4",),
        ),
        line(
            "RC2.5",
            PLACE,
            "Ē ≥ 3E/4",
            r"\bar E\ge\sum_{j<E}(1-j\gamma\mu)=E-\gamma\mu\tfrac{E(E-1)}2\ge\tfrac34E",
            Claim((E >= 2, t >= 0, t * (E - 1) <= half, summed), E_bar >= sp.Rational(3, 4) * E),
            SumOfSquares((term(1, 1, summed), term(E / 2, 1, t * (E - 1) <= half))),
            because="t = γμ; the third condition is t(E−1) ≤ 1/2.",
            depends=("RC2.5w",),
        ),
        line(
            "RC2.6a",
            PLACE,
            "growth times decay is at most 1",
            r"0\le(1+\kappa)^n(1-\kappa)^n\le1",
            Claim(
                (kappa >= 0, kappa <= 1, product >= 0, product <= 1),
                sp.And(product * (1 - kappa**2) >= 0, product * (1 - kappa**2) <= 1),
            ),
            Parts(
                (
                    SumOfSquares((term(1, 1, product <= 1), term(product, kappa))),
                    SumOfSquares((term(product * (1 + kappa), 1, kappa <= 1),)),
                )
            ),
            because="Induction on n: product = (1−κ²)^n, and 1 is the base.",
        ),
        line(
            "RC2.6",
            PLACE,
            "growth over a round",
            r"n\kappa\le\tfrac18\Rightarrow(1+\kappa)^n\le\frac1{1-n\kappa}\le\frac87",
            Claim(
                (
                    n >= 0,
                    kappa >= 0,
                    kappa <= 1,
                    n * kappa <= sp.Rational(1, 8),
                    a >= 0,
                    a * b <= 1,
                    b >= 1 - n * kappa,
                ),
                a <= most,
            ),
            SumOfSquares(
                (
                    term(most, 1, a * b <= 1),
                    term(most * a, 1, b >= 1 - n * kappa),
                    term(most * a, 1, n * kappa <= sp.Rational(1, 8)),
                )
            ),
            because="a = (1+κ)^n, b = (1−κ)^n ≥ 1 − nκ (RC2.4), ab = (1−κ²)^n ≤ 1; n = E−1, κ = γLc and "
            "κ(E−1) ≤ (1−P)/(8c_bB) ≤ 1/8.",
            depends=("RC2.4", "RC2.1a", "RC2.6a"),
            stated=(n * kappa <= sp.Rational(1, 8),),
        ),
    )


def averages() -> tuple[Entry, ...]:
    E, E_bar, e, r, L, S, c_b, p_b, t, t_D = real("E E_bar e r L S c_b p_b t_H t_D")
    enough = E_bar >= sp.Rational(3, 4) * E
    return (
        line(
            "RC2.7a",
            PLACE,
            "weighted mean of e",
            r"\sum_e\tfrac{\omega_e}{\bar E}e\le\frac{E(E-1)/2}{\bar E}\le\tfrac23(E-1)",
            Claim((E >= 2, enough), E * (E - 1) / 2 <= sp.Rational(2, 3) * (E - 1) * E_bar),
            SumOfSquares((term(sp.Rational(2, 3) * (E - 1), 1, enough),)),
            because="ω_e ≤ 1 in the numerator, RC2.5 in the denominator.",
            depends=("RC2.5",),
        ),
        line(
            "RC2.7b",
            PLACE,
            "weighted mean of e²",
            r"\sum_e\tfrac{\omega_e}{\bar E}e^2\le\frac{(E-1)E(2E-1)/6}{3E/4}\le\tfrac23(E-1)^2",
            Claim(
                (E >= 2, enough),
                (E - 1) * E * (2 * E - 1) / 6 <= sp.Rational(2, 3) * (E - 1) ** 2 * E_bar,
            ),
            SumOfSquares(
                (
                    term(sp.Rational(2, 3) * (E - 1) ** 2, 1, enough),
                    term(E * (E - 1) * (E - 2) / 6),
                )
            ),
            because="ω_e ≤ 1 in the numerator, RC2.5 in the denominator.",
            depends=("RC2.5",),
        ),
        line(
            "RC2.7c",
            PLACE,
            "√e ≤ e for the integers that occur",
            r"\sqrt e\le e\quad(e\ge1)",
            Claim((r >= 1, sp.Eq(e, r**2)), r <= e),
            SumOfSquares((term(1, r - 1), term(1, 1, r >= 1)), using=((1, sp.Eq(e, r**2)),)),
            because="r = √e; e = 0 contributes 0 to both sums. So √e√P_nD ≤ e√P_nD, and S_e ≤ (8/7)γ[e(cD "
            "+ b) + √e σ] by RD.D4 and RC2.6.",
        ),
        line(
            "RC2.8",
            PLACE,
            "F through the drift",
            r"F\le\sqrt{P_bD^2+b^2}+c_bL\bar S",
            Claim(
                (*nonnegative(L, S, p_b), t <= t_D + p_b * L * S, sp.Eq(c_b, 1 + p_b)),
                L * S + t <= t_D + c_b * L * S,
            ),
            SumOfSquares((term(1, 1, t <= t_D + p_b * L * S),), using=((L * S, sp.Eq(c_b, 1 + p_b)),)),
            because="t_H = √(P_bH_e²+b²), t_D = √(P_bD²+b²), p_b = √P_b: RD.S2 with H = D + LS_e. S̄ = "
            "Σ(ω_e/Ē)S_e.",
            depends=("RD.S2",),
        ),
    )
