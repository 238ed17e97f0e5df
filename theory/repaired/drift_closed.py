"""Lemma 2', the closed form: S_e ≤ (1+κ)^eγ(e𝒜 + √e𝒩), 𝒜 = (1+√P_b)D + b, 𝒩 = √(P_nD²+σ²), for e ≥ 1."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, SumOfSquares, term
from theory.repaired.lines import line, nonnegative
from theory.symbols import real

PLACE = "Lemma 2'"
S, U, D, L, t, b, N, after2 = real("S U D L t b N after2")
gamma, keep, p_b, p_n, noise2, A, kappa = real("gamma keep p_b p_n noise2 A kappa")


def main(at: sp.Expr) -> sp.Expr:
    """at + γ(c_bL·at + 𝒜)."""
    return at + gamma * ((1 + p_b) * L * at + A)


def noisy(at: sp.Expr) -> sp.Expr:
    """γ(√P_n L·at + 𝒩)."""
    return gamma * (p_n * L * at + N)


def entries() -> tuple[Entry, ...]:
    """One step in terms of S_e, then of its bound, then the induction."""
    return (*one_step(), _closed())


def one_step() -> tuple[Entry, ...]:
    pull = keep * S + gamma * (D + L * S + t)
    bias, noise = t <= p_b * (D + L * S) + b, noise2 <= (p_n * L * S + N) ** 2
    root = sp.Eq(t**2, p_b**2 * (D + L * S) ** 2 + b**2)
    is_next, is_A = sp.Eq(after2, pull**2 + gamma**2 * noise2), sp.Eq(A, (1 + p_b) * D + b)
    positive = nonnegative(S, D, L, t, b, N, A, gamma, keep, p_b, p_n)
    both = main(S) + pull
    below, split = S <= U, after2 <= main(S) ** 2 + noisy(S) ** 2
    rise = gamma * p_n * L * U
    moved = main(U) ** 2 + (rise + gamma * N) ** 2 <= (main(U) + rise) ** 2 + (gamma * N) ** 2
    enough = gamma * N <= U
    slopes = (1 + gamma * (1 + p_b) * L) * (main(U) + main(S))
    return (
        line(
            "RD.D4a",
            PLACE,
            "one step, bias and noise split",
            r"S_{e+1}^2\le(S_e+\gamma(c_bLS_e+\mathcal A))^2+\gamma^2(\sqrt{P_n}LS_e+\mathcal N)^2",
            Claim((*positive, keep <= 1, noise2 >= 0, root, bias, noise, is_next, is_A), split),
            SumOfSquares(
                (
                    term(both * S, 1, keep <= 1),
                    term(both * gamma, 1, bias),
                    term(1, gamma, noise),
                ),
                using=((-1, is_next), (both * gamma, is_A)),
            ),
            because="after2 = S_{e+1}², t = √(P_bH²+b²) and noise2 = P_nH²+σ² at H = D + LS_e, keep = 1−γμ, "
            "A = 𝒜, N = 𝒩.",
            depends=("RD.D3", "RD.D3n"),
        ),
        line(
            "RD.D4b",
            PLACE,
            "the same through a bound of S_e",
            r"S_e\le U,\ \gamma\mathcal N\le U\Rightarrow S_{e+1}^2\le((1+\kappa)U+\gamma\mathcal A)^2+"
            r"\gamma^2\mathcal N^2",
            Claim(
                (*nonnegative(S, U, L, N, A, gamma, p_b, p_n), below, enough, split, moved),
                after2 <= (main(U) + rise) ** 2 + (gamma * N) ** 2,
            ),
            SumOfSquares(
                (
                    term(1, 1, split),
                    term(1, 1, moved),
                    term(slopes + gamma**2 * p_n * L * (p_n * L * (U + S) + 2 * N), 1, below),
                )
            ),
            because="κ = γL(c_b + √P_n).",
            depends=("RD.D4a", "RD.D3x"),
            stated=(below, enough),
        ),
    )


def _closed() -> Entry:
    w, e_root, f_root, after = real("w e_root f_root after")
    bound = gamma * w * (e_root**2 * A + e_root * N)
    grown = w * (1 + kappa)
    top = gamma * grown * ((e_root**2 + 1) * A + f_root * N)
    following = (e_root**2 + 1) ** 2 * A**2 + 2 * f_root * A * N * (e_root**2 + 1) + (e_root**2 + 1) * N**2
    before, step = S <= bound, after**2 <= ((1 + kappa) * bound + gamma * A) ** 2 + gamma**2 * N**2
    induction = (A + grown * (A * e_root**2 + N * e_root)) ** 2 + N**2 <= grown**2 * following
    expanded = sp.Eq(((e_root**2 + 1) * A + f_root * N) ** 2, following)
    beyond, one_more = after > top, sp.Eq(f_root**2, e_root**2 + 1)
    return line(
        "RD.D4c",
        PLACE,
        "the closed form",
        r"S_{e+1}\le(1+\kappa)^{e+1}\gamma((e+1)\mathcal A+\sqrt{e+1}\,\mathcal N)",
        Claim(
            (
                *(*nonnegative(A, N, gamma, kappa, S, after, f_root), w >= 1, e_root >= 1),
                *(one_more, before, step, induction, expanded),
            ),
            after <= top,
        ),
        Contradiction(
            (
                term(1, 1, beyond, beyond),
                term(2 * top, 1, beyond),
                term(1, 1, step),
                term(1, gamma, induction),
            ),
            using=((gamma**2 * grown**2, expanded),),
        ),
        because="Induction on e ≥ 1: w = (1+κ)^e, e_root = √e, f_root = √(e+1). The base is S_1 ≤ γ(𝒜 + 𝒩), "
        "one step from S_0 = 0 (RD.D4a).",
        depends=("RD.D4", "RD.D4a", "RD.D4b", "RD.D4x"),
        model=dict.fromkeys((N, kappa, S, after), 0)
        | dict.fromkeys((A, gamma, w), 1)
        | {e_root: sp.Rational(4, 3), f_root: sp.Rational(5, 3)},
    )
