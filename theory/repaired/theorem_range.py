"""Theorem A's learning-rate range: when (★) gives a finite bound, and the two closed cases."""

from __future__ import annotations

import sympy as sp

from theory.claim import (
    Claim,
    Derivation,
    Entry,
    Evidence,
    Verdict,
    counterexample,
    necessary,
    proof_if,
    support,
)
from theory.provers import AtPoint, Contradiction, Edge, Identity, SumOfSquares, term
from theory.repaired.lines import line
from theory.repaired.theorem_star import slack
from theory.symbols import real

PLACE = "Theorem A, range"


def entries() -> tuple[Entry, ...]:
    """The recession slope, E = 1 without noise, and E = 2 on one device."""
    s, u, g, x, G0 = real("s u g q_len G0")
    P = s**2
    single = (s >= 0, s < 1, u > 1)
    condition = 1 - P > (u - 1) * (1 + s) ** 2
    two = (s > 0, 4 * s > 1)
    two_condition = 1 - s**2 > (4 * s - 1) * (1 + s) ** 2
    return (
        *_recession(),
        line(
            "RA.R2",
            PLACE,
            "E = 1, P_n = 0: the bound (★) is finite exactly for γ < 2/(L(1+√P))",
            r"1-P>(u-1)(1+\sqrt P)^2\iff u<\tfrac{2}{1+\sqrt P}",
            Claim(single, sp.Eq(_slope(P, 1 + s, u), (1 + s) * (2 - u * (1 + s)))),
            Identity(),
            *_both_ways(single, condition, u * (1 + s) < 2, s),
            support(
                Claim((s >= 0, s < 1, u >= 0, u <= 1, x >= 1 - s), (u - 1) * x**2 < 1 - P),
                Contradiction(
                    (
                        term(1 + s, 1, s < 1),
                        term(1, x, u <= 1),
                        term(1, 1, (u - 1) * x**2 >= 1 - P),
                    )
                ),
                "for u ≤ 1 the condition holds for every P < 1",
            ),
            because="RA.R1a with α = P, no noise and x = 1 + s, where the maximum of (u−1)x² over |x−1| ≤ s "
            "is for u > 1; s = √P, u = Lγ. The identity has a positive factor 1 + s; that either side of the "
            "equivalence gives the other one is proved as well.",
            depends=("RA.R1a",),
        ),
        Entry(
            id="RA.R3",
            place=f"Repaired theory, {PLACE}",
            title="P < 1 is necessary: with β = −∇f nothing ever moves",
            printed=r"\|\nabla f(w^+)\|^2<\|\nabla f(w)\|^2,\quad\beta=-\sqrt{P_b}\nabla f",
            claim=Claim((g > 0, g <= 1, s >= 0, s <= 1, G0 > 0), (1 - g * (1 - s)) ** 2 * G0 < G0),
            verdict=Verdict.CONDITIONAL,
            condition=s < 1,
            evidence=(
                proof_if(
                    Contradiction(
                        (
                            term(1, 1, G0 > 0, g > 0, s < 1),
                            term(1, 1, G0 > 0, g > 0, s < 1, g <= 1),
                            term(g * s, 1, G0 > 0, g > 0, s < 1),
                            term(1, 1, (1 - g * (1 - s)) ** 2 * G0 >= G0),
                        )
                    )
                ),
                counterexample(AtPoint({g: sp.Rational(1, 2), s: 1, G0: 1})),
                necessary(Edge(((s, sp.Integer(1)),))),
            ),
            derivation=Derivation.NONE,
            reduction="f = w²/2, g = γ, s = √P_b, B = 1: w⁺ = (1 − γ(1−s))w.",
        ),
        line(
            "RA.R4",
            PLACE,
            "E = 2, M = 1, no bias or noise: the bound (★) is finite exactly for Lγ < √3 − 1",
            r"4s>1\Rightarrow[1-s^2>(4s-1)(1+s)^2\iff(L\gamma+1)^2<3],\quad s=\tfrac12L\gamma",
            Claim(two, sp.Eq(_slope(s**2, 1 + s, 4 * s), (1 + s) * (3 - (2 * s + 1) ** 2))),
            Identity(),
            *_both_ways(two, two_condition, (2 * s + 1) ** 2 < 3, s),
            support(
                Claim((s > 0, 4 * s <= 1), (4 * s - 1) * x**2 < 1 - s**2),
                Contradiction(
                    (
                        term(sp.Rational(15, 16)),
                        term((1 + 4 * s) / 16, 1, 4 * s <= 1),
                        term(1, x, 4 * s <= 1),
                        term(1, 1, (4 * s - 1) * x**2 >= 1 - s**2),
                    )
                ),
                "for u = 4s ≤ 1 the condition holds",
            ),
            because="RA.R1a with F = ½L S_1 = s√A, α = s², u = 4s, B = 1, G = 0, μ = 0, no noise and x = 1 "
            "+ s, where the maximum is for u > 1. The identity has a positive factor 1 + s; that either "
            "side of the equivalence gives the other one is proved as well.",
            depends=("RA.R1a",),
            stated=two[1:],
        ),
        line(
            "RA.R5",
            PLACE,
            "there it is conservative: gradient descent is stable up to Lγ < 2",
            r"(1-L\gamma)^2<1\iff0<L\gamma<2",
            Claim((g > 0, g < 2), (1 - g) ** 2 < 1),
            Contradiction((term(1, 1, g > 0, g < 2), term(1, 1, (1 - g) ** 2 >= 1))),
            support(
                Claim((g > 0, (1 - g) ** 2 < 1), g < 2),
                Contradiction((term(1, 1, (1 - g) ** 2 < 1), term(g, 1, g >= 2))),
                "only if",
            ),
            because="g = Lγ: two local steps on one device are two steps of gradient descent.",
            stated=(g < 2,),
        ),
    )


def _slope(alpha: sp.Expr, x: sp.Expr, u: sp.Expr, r: sp.Expr | int = 0) -> sp.Expr:
    """1 − α − [(u−1)x² + 2uxr + ur²]: the slack over A, far out."""
    return 1 - alpha - ((u - 1) * x**2 + 2 * u * x * r + u * r**2)


def _recession() -> tuple[Entry, ...]:
    """What (★) excludes is decided far out, where F² = αA, N = r²A and X = x²A."""
    m0, m_low, m_high, at_0, K, A, s, eps = real("m0 m_low m_high at_0 K A s eps")
    a, alpha, x, r, rho, u = real("a alpha q_len r rho u")
    convex = m_low <= (1 - s) * m0 + s * m_high
    flat, lowest, empty = s * m_high <= eps * A, at_0 >= m0, at_0 <= K
    return (
        line(
            "RA.R1",
            PLACE,
            "a slack that never rises excludes nothing",
            r"s\,m(A/s)\le\varepsilon A\Rightarrow m(A)\le K+\varepsilon A",
            Claim((s > 0, s < 1, A > 0, K >= 0, eps >= 0, convex, flat, lowest, empty), m_low <= K + eps * A),
            SumOfSquares(
                (
                    term(1, 1, convex),
                    term(1, 1, flat),
                    term(1, 1, lowest, s < 1),
                    term(1, 1, empty, s < 1),
                    term(s * K),
                )
            ),
            because="If the limit slope of m is not positive, there is such an s for every ε > 0, so m(A) ≤ "
            "K for every A; a positive slope makes m exceed every K. Hence (★) is finite iff the slope is "
            "positive (this implies α < 1: for α ≥ 1, x = 0 is feasible and the slope is at most 1 − α − "
            "un ≤ 0).",
            depends=("RA.T6m", "RA.T6b"),
            stated=(flat,),
        ),
        line(
            "RA.R1a",
            PLACE,
            "the slack far out",
            r"A-\alpha A-2\rho x\sqrt A+x^2A-u(x+r)^2A=A[1-\alpha-(u-1)x^2-2uxr-ur^2]-2\rho x\sqrt A",
            Claim(
                (a >= 0,),
                sp.Eq(
                    slack((a**2, alpha * a**2, x * a, r * a)), a**2 * _slope(alpha, x, u, r) - 2 * rho * x * a
                ),
            ),
            Identity(),
            because="a = √A. Divided by A the last term vanishes, so the limit slope of m is 1 − α − "
            "max_{|x−1|≤√α}[−x² + u(x+r)²].",
            depends=("RA.T6a",),
        ),
    )


def _both_ways(
    known: tuple[sp.Basic, ...], condition: sp.Basic, solved: sp.Basic, s: sp.Symbol
) -> tuple[Evidence, Evidence]:
    """The slack of the condition is (1 + s) times that of the solved form."""
    only_if = Contradiction((term(1, 1, condition), term(1 + s, 1, sp.Not(solved))))
    if_ = Contradiction((term(1 + s, 1, solved), term(1, 1, sp.Not(condition))))
    return (
        support(Claim((*known, condition), solved), only_if, "only if"),
        support(Claim((*known, solved), condition), if_, "if"),
    )
