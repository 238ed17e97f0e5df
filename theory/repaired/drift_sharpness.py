"""Lemma 2' continued: the constant 2, its optimality, and the run that attains the recursion."""

from __future__ import annotations

import sympy as sp

from theory.certificates import renamed
from theory.claim import Claim, Entry
from theory.provers import AtPoint, Contradiction, Identity, Positivity, SumOfSquares, term
from theory.repaired.lines import false, line, nonnegative
from theory.symbols import real

PLACE = "Lemma 2'"


def entries() -> tuple[Entry, ...]:
    """Why 2 and not less, and when nothing is lost."""
    D, r, P_n, s2, C = real("D r P_n s2 C")
    p, H, r_H, gamma, s, L, x, S, a, mu = real("p_root H r_H gamma s L start S a mu")
    kappa_of_C = (2 - C) / 8
    jump, at_H = r_H - r > p * (H - D), sp.Eq(r_H**2, p**2 * H**2 + r**2 - p**2 * D**2)
    return (
        line(
            "RD.S1",
            PLACE,
            "the sharper constant 2: first step",
            r"(D+\sqrt{P_bD^2+b^2})^2+P_nD^2+\sigma^2\le2[(1+P_b+\tfrac12P_n)D^2+b^2+\tfrac12\sigma^2]",
            Claim((), (D + r) ** 2 + P_n * D**2 + s2 <= 2 * D**2 + 2 * r**2 + P_n * D**2 + s2),
            SumOfSquares((term(1, D - r),)),
            because="r² = P_bD² + b². The left side is ψ(D)² = S_1²/γ², the right side Q².",
        ),
        line(
            "RD.S2",
            PLACE,
            "ψ is Lipschitz: each of its parts is",
            r"H\ge D\Rightarrow\sqrt{PH^2+b^2}-\sqrt{PD^2+b^2}\le\sqrt P(H-D)",
            Claim(
                (
                    *nonnegative(p, D, r, r_H),
                    H >= D,
                    r >= p * D,
                    at_H,
                ),
                r_H - r <= p * (H - D),
            ),
            Contradiction(
                (
                    term(1, 1, jump, jump),
                    term(2 * r, 1, jump),
                    term(2 * p, 1, jump, H >= D),
                    term(2 * p, 1, H >= D, r >= p * D),
                ),
                using=((-1, at_H),),
            ),
            because="r = √(PD²+b²) ≥ p_root D with p_root = √P (RD.D3r), r_H the same at H.",
            depends=("RD.D2a", "RD.D3r"),
            stated=(H >= D,),
        ),
        *_linear_growth(),
        line(
            "RD.S4",
            PLACE,
            "no constant below 2 works",
            r"C<2\Rightarrow\exists\kappa>0:\ C(1+\kappa)^2\cdot2D^2<4D^2=S_1^2/\gamma^2",
            Claim(
                (C > 0, C < 2, D > 0), sp.And(C * (1 + kappa_of_C) ** 2 * 2 * D**2 < 4 * D**2, kappa_of_C > 0)
            ),
            Positivity(renamed(C, "kappa", 2 - 8 * sp.Symbol("kappa", real=True), kappa_of_C, strict=True)),
            because="P_b = P_n = σ = 0, b = D, e = 1 gives S_1 = γ(D + b) = 2γD; κ = γL may be as small as "
            "one likes.",
            stated=(C < 2,),
        ),
        line(
            "RD.S5",
            PLACE,
            "the recursion is attained",
            r"l=-\tfrac L2w^2,\ \beta=\sqrt{P_b}\nabla l:\quad|y_{e+1}|=S_{e+1}",
            Claim(
                (sp.Eq(D, L * x),),
                sp.Eq(S + gamma * (1 + s) * L * (x + S), S + gamma * ((D + L * S) + s * (D + L * S))),
            ),
            Identity(given=((D, L * x),)),
            because="No noise, b = μ = 0, s = √P_b, x = start > 0: the iterate runs uphill, w = x + S, "
            "|∇l(w)| = L(x+S).",
        ),
        false(
            "RD.S6",
            PLACE,
            "μ shrinks the drift itself",
            r"|y_2(\mu)|\le|y_2(0)|",
            Claim(
                (gamma > 0, a >= 0, mu >= 0, gamma * mu <= 1),
                sp.Abs(2 - gamma * (a + mu)) <= sp.Abs(2 - gamma * a),
            ),
            AtPoint({gamma: 1, a: 3, mu: sp.Rational(1, 2)}),
            note="y_2 = −γ∇l(x)(2 − γ(a+μ)) on a quadratic of curvature a. Only the bound S_e falls with μ.",
        ),
    )


def _linear_growth() -> tuple[Entry, ...]:
    """ψ(H) = ‖(H + √(P_bH²+b²), √(P_nH²+σ²))‖ at H = D + LS, hence S_{e+1} ≤ (1+κ)S_e + γQ."""
    D, L, S, H, t, t_D, n, n_D = real("D L S H t t_D n n_D")
    p_b, p_n, c_b, gamma, kappa = real("p_b p_n c_b gamma kappa")
    bias, noise = t - t_D <= p_b * (H - D), n - n_D <= p_n * (H - D)
    at, both = sp.Eq(H, D + L * S), sp.Eq(c_b, 1 + p_b)
    wide_b, wide_n = D + t_D + c_b * L * S, n_D + p_n * L * S
    after, size, wide, psi, spread, Q = real("after size wide psi spread Q")
    links = (size <= wide, wide <= psi + spread, spread <= c_b * L * S + p_n * L * S, psi <= Q)
    step, rate = after <= S + gamma * size, sp.Eq(kappa, gamma * L * (c_b + p_n))
    roots = (
        sp.Eq(t**2, p_b**2 * H**2 + t_D**2 - p_b**2 * D**2),
        sp.Eq(n**2, p_n**2 * H**2 + n_D**2 - p_n**2 * D**2),
    )
    e, w, unit = real("e w unit")
    before, grows = S <= unit * e * w, after <= (1 + kappa) * S + unit
    return (
        line(
            "RD.S2n",
            PLACE,
            "ψ at H = D + LS, part by part",
            r"\psi(D+LS)^2\le(D+\sqrt{P_bD^2+b^2}+c_bLS)^2+(\sqrt{P_nD^2+\sigma^2}+\sqrt{P_n}LS)^2",
            Claim(
                (*nonnegative(D, L, S, H, t, t_D, n, n_D, p_b, p_n), bias, noise, at, both, *roots),
                (H + t) ** 2 + n**2 <= wide_b**2 + wide_n**2,
            ),
            SumOfSquares(
                (term(wide_b + H + t, 1, bias), term(wide_n + n, 1, noise)),
                using=(
                    (-(wide_b + H + t) * (1 + p_b) - (wide_n + n) * p_n, at),
                    ((wide_b + H + t) * L * S, both),
                ),
            ),
            because="t, t_D and n, n_D are the two roots at H and at D; c_b = 1 + √P_b.",
            depends=("RD.S2",),
        ),
        line(
            "RD.S2r",
            PLACE,
            "the recursion grows linearly",
            r"S_{e+1}\le(1+\kappa)S_e+\gamma Q",
            Claim(
                (*nonnegative(gamma, L, S, size, wide, psi, spread, c_b, p_n, Q), step, *links, rate),
                after <= (1 + kappa) * S + gamma * Q,
            ),
            SumOfSquares((term(1, 1, step), *(term(gamma, 1, link) for link in links)), using=((S, rate),)),
            because="S_{e+1} is the norm of (S_e, 0) + γ(H+t, n) in R² or less, after = S_{e+1}; size = "
            "ψ(H), wide the norm of the right side of RD.S2n, psi = ψ(D) ≤ Q (RD.S1), spread that of "
            "(c_bLS, √P_n LS).",
            depends=("RD.D2a", "RD.S1", "RD.S2n"),
        ),
        line(
            "RD.S3",
            PLACE,
            "the sharper constant 2: induction",
            r"S_e\le\gamma Q\,e(1+\kappa)^{e-1}\Rightarrow S_{e+1}\le\gamma Q(e+1)(1+\kappa)^e",
            Claim(
                (*nonnegative(kappa, unit), e >= 1, w >= 1, before, grows),
                after <= unit * (e + 1) * (w * (1 + kappa)),
            ),
            SumOfSquares(
                (term(1 + kappa, 1, before), term(1, 1, grows), term(unit, 1, w >= 1), term(unit * w * kappa))
            ),
            because="w = (1+κ)^{e−1}, unit = γQ; S_1 ≤ γQ is the base (RD.S2r from S_0 = 0). Gives "
            "S_e² ≤ 2(1+κ)^{2(e−1)}γ²e²[…]: one power of (1+κ)² better than stated.",
            depends=("RD.S2r",),
        ),
    )
