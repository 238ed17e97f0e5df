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
from theory.symbols import real

PLACE = "Theorem A, range"


def entries() -> tuple[Entry, ...]:
    """The recession slope, E = 1 without noise, and E = 2 on one device."""
    m0, slope, K, m_far, A, s, u, g, x, G0 = real("m0 slope K m_far A s u g q_len G0")
    P = s**2
    single = (s >= 0, s < 1, u > 1)
    condition = 1 - P > (u - 1) * (1 + s) ** 2
    two = (s > 0, 4 * s > 1)
    two_condition = 1 - s**2 > (4 * s - 1) * (1 + s) ** 2
    return (
        line(
            "RA.R1",
            PLACE,
            "a slack that never rises excludes nothing",
            r"\lim m(A)/A\le0\Rightarrow m\le m(0)\le K",
            Claim((A > 0, slope <= 0, m0 <= K, m_far <= m0 + slope * A), m_far <= K),
            SumOfSquares(
                (term(1, 1, m_far <= m0 + slope * A), term(1, 1, m0 <= K), term(1, 1, slope <= 0, A > 0))
            ),
            because="m is convex, so m(A) ≤ m(0) + slope·A for its limit slope 1 − α − max_{|x−1|≤√α}[−x² "
            "+ u(x+√n)²]; a positive slope makes m exceed every K. Hence (★) is finite iff the slope is "
            "positive (this implies α < 1: for α ≥ 1, x = 0 is feasible and the slope is at most 1 − α − "
            "un ≤ 0).",
            depends=("RA.T6a", "RA.T6b"),
        ),
        line(
            "RA.R2",
            PLACE,
            "E = 1, P_n = 0: exactly γ < 2/(L(1+√P))",
            r"1-P>(u-1)(1+\sqrt P)^2\iff u<\tfrac{2}{1+\sqrt P}",
            Claim(single, sp.Eq((1 - P) - (u - 1) * (1 + s) ** 2, (1 + s) * (2 - u * (1 + s)))),
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
            because="s = √P, u = Lγ. For u > 1 the maximum of (u−1)x² over |x−1| ≤ s is at x = 1+s.",
            depends=("RA.R1",),
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
            "E = 2, M = 1, no bias or noise: Lγ < √3 − 1",
            r"1-s^2>(4s-1)(1+s)^2\iff(L\gamma+1)^2<3,\quad s=\tfrac12L\gamma",
            Claim(two, sp.Eq((1 - s**2) - (4 * s - 1) * (1 + s) ** 2, (1 + s) * (3 - (2 * s + 1) ** 2))),
            Identity(),
            *_both_ways(two, two_condition, (2 * s + 1) ** 2 < 3, s),
            because="F = ½L S_1 = s√A, α = s², u = 4s, n = 0.",
            depends=("RA.R1",),
        ),
        line(
            "RA.R5",
            PLACE,
            "there it is conservative: gradient descent is stable up to Lγ < 2",
            r"(1-L\gamma)^2<1\iff0<L\gamma<2",
            Claim((g > 0, g < 2), (1 - g) ** 2 < 1),
            Contradiction((term(1, 1, g > 0, g < 2), term(1, 1, (1 - g) ** 2 >= 1))),
            because="g = Lγ: two local steps on one device are two steps of gradient descent.",
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
