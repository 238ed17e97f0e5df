"""Lemma 2' continued: the constant 2, its optimality, and the run that attains the recursion."""

from __future__ import annotations

import sympy as sp

from theory.certificates import renamed, shift
from theory.claim import Claim, Entry
from theory.provers import AtPoint, Contradiction, Identity, Positivity, SumOfSquares, term
from theory.repaired.lines import false, line, nonnegative
from theory.symbols import real

PLACE = "Lemma 2'"


def entries() -> tuple[Entry, ...]:
    """Why 2 and not less, and when nothing is lost."""
    D, r, P_n, s2, C, w, e = real("D r P_n s2 C w e")
    p, H, r_H, gamma, s, L, x, S, a, mu = real("p H r_H gamma s L start S a mu")
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
            because="r = √(PD²+b²) ≥ pD with p = √P (RD.D3r), r_H the same at H. So ψ(D+LS) ≤ ψ(D) + "
            "√(c_b²+P_n) L S by Minkowski in R², and √(c_b²+P_n) ≤ c: S_{e+1} ≤ (1+κ)S_e + γQ.",
            depends=("RD.D2a", "RD.D3r"),
            stated=(H >= D,),
        ),
        line(
            "RD.S3",
            PLACE,
            "the sharper constant 2: induction",
            r"S_e\le\gamma Q\,e(1+\kappa)^{e-1}\Rightarrow S_{e+1}\le\gamma Q(e+1)(1+\kappa)^e",
            Claim((e >= 0, w >= 1), e * w + 1 <= (e + 1) * w),
            Positivity(shift(w, "dw", 1)),
            because="w = (1+κ)^e, everything divided by γQ. Gives S_e² ≤ 2(1+κ)^{2(e−1)}γ²e²[…]: one power "
            "of (1+κ)² better than stated.",
            depends=("RD.S1", "RD.S2"),
        ),
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
