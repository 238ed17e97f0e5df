"""Theorem A, the end: (★), and why the A that it excludes are upward closed."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, SumOfSquares, term
from theory.repaired.concavity import WEIGHT, concave_at, lam, mix
from theory.repaired.lines import SCOPE, line, nonnegative
from theory.symbols import real

PLACE = "Theorem A"
A, K, F, rho, u, n, q_len = real("A K F rho u n q_len")


def entries() -> tuple[Entry, ...]:
    """(★) for any E and for E = 1, then convexity."""
    return (*star(), *convexity(), *upward())


def star() -> tuple[Entry, ...]:
    d2, r, aq, dq, zq, z2, N, L = real("d2 r aq dq zq z2 N L")
    summed = 2 * (aq + dq + zq) - u * n <= K
    orthogonal, polarised = sp.Eq(zq, 0), sp.Eq(2 * aq, A + q_len**2 - d2)
    residual, near, step = dq >= -rho * q_len, d2 <= F**2, n <= (q_len + r) ** 2
    split, quiet = sp.Eq(n - z2, q_len**2), z2 <= N
    common = (summed, orthogonal, polarised, residual, near)
    terms = (term(1, 1, summed), term(2, 1, residual), term(1, 1, near))
    equations = ((1, polarised), (2, orthogonal))
    rest = K + F**2 + 2 * rho * q_len - q_len**2
    return (
        line(
            "RA.T5",
            PLACE,
            "(★)",
            r"A\le\frac{2\Delta_\xi}{\gamma\bar ET}+F^2+2\rho x-x^2+u(x+\sqrt N)^2",
            Claim((L > 0, u >= 0, *common, step), A <= rest + u * (q_len + r) ** 2),
            SumOfSquares((*terms, term(u, 1, step)), using=equations),
            because="∇f(V) = a + δ: aq, dq, zq are the means of ⟨a,q⟩, ⟨δ,q⟩ and ⟨∇f(V),z⟩ over rounds and "
            "probability (zq a sum of terms of RA.T2a), d2 = ‖a−q‖², n = ‖q+z‖², r = "
            "√N, K = 2Δ/(γĒT), x = q_len. The true x is feasible, so the maximum over feasible x bounds A.",
            depends=("RA.T2", "RA.T2a", "RA.T3", "RA.T3d", "RA.T4", "RA.T5a", "RA.T5b"),
            note=SCOPE,
        ),
        line(
            "RA.T5e",
            PLACE,
            "(★) at E = 1",
            r"A\le\frac{2\Delta_\xi}{\gamma T}+F^2+2\rho x-x^2+u(x^2+N)",
            Claim((L > 0, u >= 0, *common, split, quiet), A <= rest + u * (q_len**2 + N)),
            SumOfSquares((*terms, term(u, 1, quiet)), using=(*equations, (-u, split))),
            because="At E = 1, q is known at the start of the round, so ‖q+z‖² = ‖q‖² + ‖z‖²: RD.D1 with U "
            "= q and −γζ = z, the mean over devices, summed over coordinates, in the mean over rounds.",
            depends=("RA.T2", "RA.T2a", "RA.T3", "RA.T3d", "RA.T4", "RD.D1"),
            note=SCOPE,
        ),
    )


def slack(v: tuple[sp.Expr, ...]) -> sp.Expr:
    """A − F² − 2ρ√X + X − u(√X + √N)² at v = (A, F², √X, √N)."""
    return v[0] - v[1] - 2 * rho * v[2] + v[2] ** 2 - u * (v[2] ** 2 + 2 * v[2] * v[3] + v[3] ** 2)


def convexity() -> tuple[Entry, ...]:
    points = tuple(real(f"A_{i} f_{i} s_{i} r_{i}") for i in "m12")
    (A_m, f_m, s_m, r_m), (A_1, f_1, s_1, r_1), (A_2, f_2, s_2, r_2) = points
    exact = (sp.Eq(A_m, mix(A_1, A_2)), sp.Eq(s_m**2, mix(s_1**2, s_2**2)))
    F_in, N_in = f_m >= mix(f_1, f_2), concave_at((r_m, r_1, r_2))
    root, product = mix(s_1, s_2) <= s_m, mix(s_1 * r_1, s_2 * r_2) <= s_m * r_m
    a_m, a_1, a_2, F_m, F_1, F_2, X_m, X_1, X_2 = real("a_m a_1 a_2 F_m F_1 F_2 X_m X_1 X_2")
    inside = (X_1 <= (a_1 + F_1) ** 2, X_2 <= (a_2 + F_2) ** 2)
    mixed, wide = sp.Eq(X_m, mix(X_1, X_2)), concave_at((a_m + F_m, a_1 + F_1, a_2 + F_2))
    parts = (sp.Eq(a_m**2, mix(a_1**2, a_2**2)), concave_at((F_m, F_1, F_2)))
    return (
        line(
            "RA.T6f",
            PLACE,
            "the feasible set is convex",
            r"X_i\le(\sqrt{A_i}+F(A_i))^2\Rightarrow X_\lambda\le(\sqrt{A_\lambda}+F(A_\lambda))^2",
            Claim(
                (
                    *(*WEIGHT, *nonnegative(a_m, a_1, a_2, F_m, F_1, F_2)),
                    *(*inside, mixed, *parts, wide),
                ),
                X_m <= (a_m + F_m) ** 2,
            ),
            SumOfSquares(
                (term(1, 1, wide), term(lam, 1, inside[0]), term(1 - lam, 1, inside[1])),
                using=((-1, mixed),),
            ),
            because="X = x², a = √A. The other half, A ≤ (√X+F)², is the same with A and X exchanged.",
            depends=("RA.C3", "RA.C4f"),
            stated=inside,
        ),
        line(
            "RA.T6a",
            PLACE,
            "the slack is jointly convex in (A, X = x²)",
            r"A-F^2-2\rho\sqrt X+X-u(X+2\sqrt{XN}+N)",
            Claim(
                (
                    *(*WEIGHT, *nonnegative(rho, u, s_m, s_1, s_2, r_m, r_1, r_2)),
                    *(*exact, F_in, N_in, root, product),
                ),
                slack(points[0]) <= mix(slack(points[1]), slack(points[2])),
            ),
            SumOfSquares(
                (
                    term(1, 1, F_in),
                    term(2 * rho, 1, root),
                    term(2 * u, 1, product),
                    term(u, 1, N_in),
                ),
                using=((-1, exact[0]), (u - 1, exact[1])),
            ),
            because="At a mixed point A and X mix exactly; f = F² and N = r² are concave, and so are s = √X "
            "and √(XN) = sr (RA.C1r). Each enters with a minus sign. At E = 1 the term 2sr is not there.",
            depends=("RA.C1r", "RA.C4f", "RA.C4n"),
        ),
    )


def upward() -> tuple[Entry, ...]:
    s, m0, m_low, m_high, mixed, at_0 = real("s m0 m_low m_high mixed at_0")
    convex, least = m_low <= (1 - s) * m0 + s * m_high, mixed >= m_low
    joint = mixed <= s * m_high + (1 - s) * m0
    lowest, empty = at_0 >= m0, at_0 <= K
    return (
        line(
            "RA.T6m",
            PLACE,
            "so the least slack m(A) is convex",
            r"m(\lambda A_1)\le\lambda m(A_1)+(1-\lambda)m(0)",
            Claim((s <= 1, least, joint), convex),
            SumOfSquares((term(1, 1, least), term(1, 1, joint))),
            because="m(A) is the least slack over feasible X; mixed is the slack between the two points "
            "that attain m(A_1) and m(0), which is feasible (RA.T6f); they are attained, since the feasible "
            "set is closed and bounded. λ = s.",
            depends=("RA.T6a", "RA.T6f"),
        ),
        line(
            "RA.T6b",
            PLACE,
            "at A = 0 nothing is excluded",
            r"m(0)\le-F(0)^2-uN(0)\le0\le K",
            Claim((*nonnegative(u, n), K >= 0), -(F**2) - u * n <= K),
            SumOfSquares((term(1, 1, K >= 0), term(1, F), term(u * n))),
            because="X = 0 is feasible at A = 0.",
        ),
        line(
            "RA.T6",
            PLACE,
            "the excluded A are upward closed, so bisection finds the bound",
            r"m(A_0)>K,\ A_1>A_0\Rightarrow m(A_1)>K",
            Claim((s > 0, s < 1, lowest, empty, m_low > K, convex), m_high > K),
            Contradiction(
                (
                    term(1, 1, m_low > K),
                    term(1, 1, convex),
                    term(1, 1, lowest, s < 1),
                    term(1, 1, empty, s < 1),
                    term(1, 1, m_high <= K, s > 0),
                )
            ),
            because="Convexity of m on [0, A_1] at A_0 = s·A_1; at_0 is the slack at A = X = 0.",
            depends=("RA.T6m", "RA.T6b"),
            stated=(m_low > K,),
            note=SCOPE,
        ),
    )
