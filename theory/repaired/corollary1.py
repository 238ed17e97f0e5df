"""Corollary 1 (E = 1): if Lγ < 1 and ρ_1 = 1 − P − LγνP_nB² > 0, then
A ≤ ρ_1^{-1}{2Δ/(γT) + L²R²/(1−Lγ) + b² + P_bG² + Lγν(σ²+P_nG²)}."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Identity, SumOfSquares, term
from theory.repaired.lines import SCOPE, line, nonnegative
from theory.symbols import real

PLACE = "Corollary 1"


def entries() -> tuple[Entry, ...]:
    """Completing the square, the two error terms, and solving for A."""
    rho, x, u, N, A, K, P_b, B2, G2, b2, nu, P_n, s2, R = real("rho q_len u N A K P_b B2 G2 b2 nu P_n s2 R")
    psi = 2 * rho * x - x**2 + u * (x**2 + N)
    D2 = G2 + B2 * A
    rho_1 = 1 - P_b * B2 - u * nu * P_n * B2
    errors = b2 + P_b * G2 + u * nu * (s2 + P_n * G2)
    F2, L = real("F2 L")
    biases, noises = P_b * D2 + b2, nu * (P_n * D2 + s2)
    links = (A <= K + F2 + psi, psi <= R + u * N, A - F2 - u * N >= rho_1 * A - errors)
    return (
        line(
            "RC1.1",
            PLACE,
            "completing the square",
            r"\tfrac{\rho^2}{1-u}+uN-\psi(x)=(1-u)\big(x-\tfrac{\rho}{1-u}\big)^2",
            Claim((u < 1,), sp.Eq(rho**2 / (1 - u) + u * N - psi, (1 - u) * (x - rho / (1 - u)) ** 2)),
            Identity(),
            depends=("RA.T5",),
        ),
        line(
            "RC1.2",
            PLACE,
            "the maximum over all x",
            r"\psi(x)\le\tfrac{\rho^2}{1-u}+uN",
            Claim((u < 1,), psi <= rho**2 / (1 - u) + u * N),
            SumOfSquares((term(1 - u, x - rho / (1 - u)),)),
            depends=("RC1.1",),
        ),
        line(
            "RC1.3",
            PLACE,
            "F² and N at E = 1",
            r"F^2=P_b(G^2+B^2A)+b^2,\quad N=\nu(P_n(G^2+B^2A)+\sigma^2)",
            Claim(
                (*nonnegative(nu, P_b, P_n, A, B2, G2, b2, s2), sp.Eq(F2, biases), sp.Eq(N, noises)),
                sp.Eq(A - F2 - u * N, rho_1 * A - errors),
            ),
            Identity(given=((F2, biases), (N, noises))),
            because="F(A) and N(A), the sums of RA.T4r and RA.T4n, have one term at E = 1: S_0 = 0, H_0 = D, "
            "weight 1, and D² = G² + B²A.",
        ),
        line(
            "RC1.4",
            PLACE,
            "solving for A",
            r"\rho_1>0\Rightarrow A\le\rho_1^{-1}\{\ldots\}",
            Claim((L > 0, *nonnegative(nu), u < 1, rho_1 > 0, *links), A <= (K + R + errors) / rho_1),
            SumOfSquares(tuple(term(1, 1 / rho_1, rho_1 > 0, link) for link in links)),
            because="K = 2Δ/(γT), R = L²R_ξ²/(1−Lγ), F2 = F(A)², N = N(A).",
            depends=("RA.T5e", "RC1.2", "RC1.3"),
            stated=(rho_1 > 0,),
            note=SCOPE,
        ),
    )
