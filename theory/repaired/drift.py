"""Lemma 2' (drift), line by line: displacement P1-P3, recursion D1-D2, closed form D3-D5, and its sharpness.

With y_e = w^{m,e} − x, ‖·‖ the norm of L²(devices × probability) given the start of the round, S_0 = 0 and
H_e = D + L S_e:  S_{e+1}² = [(1−γμ)S_e + γ(H_e + √(P_b H_e² + b²))]² + γ²(P_n H_e² + σ²)  ⇒  ‖y_e‖ ≤ S_e.

Scalars below: r_b = √P_b, r_n = √P_n, and a letter such as t with t² = P_b H² + b² stands for a square root.
"""

from __future__ import annotations

import sympy as sp

from theory.certificates import shift
from theory.claim import Claim, Entry
from theory.provers import AtPoint, Contradiction, Identity, Positivity, SumOfSquares, term
from theory.repaired import drift_closed, drift_recursion, drift_sharpness
from theory.repaired.lines import false, line, nonnegative
from theory.symbols import real

PLACE = "Lemma 2'"
half = sp.Rational(1, 2)


def entries() -> tuple[Entry, ...]:
    """Every line of Lemma 2' and its proof."""
    return (
        *displacement(),
        *drift_recursion.recursion(),
        *closed_form(),
        *drift_closed.entries(),
        *drift_sharpness.entries(),
    )


def displacement() -> tuple[Entry, ...]:
    gamma, mu, S, g, E_bar, Q, Z, a, S_x, S_w, S_b = real("gamma mu S g E_bar Q Z a S_x S_w S_b")
    q, z = real("q z")
    keep = 1 - gamma * mu
    return (
        line(
            "RD.P1",
            PLACE,
            "displacement after E local proximal steps",
            r"y_{e+1}=(1-\gamma\mu)y_e-\gamma g_e\ \Rightarrow\ y_E=-\gamma\sum_e\omega_e g_e,"
            r"\ \omega_e=(1-\gamma\mu)^{E-1-e}",
            Claim((), sp.Eq(keep * (-gamma * S) - gamma * g, -gamma * (keep * S + g))),
            Identity(),
            because="Induction on e, one coordinate: if y_e = −γS with S = Σ_{i<e}(1−γμ)^{e−1−i}g_i, the "
            "next step multiplies every weight by 1−γμ and appends g_e with weight 1. y_0 = 0 is the empty "
            "sum.",
        ),
        line(
            "RD.P2",
            PLACE,
            "averaged displacement",
            r"\mathrm{mean}_m\,y_E=-\gamma\bar E(q+z)",
            Claim(
                (E_bar > 0, sp.Eq(q, Q / E_bar), sp.Eq(z, Z / E_bar)),
                sp.Eq(-gamma * (Q + Z), -gamma * E_bar * (q + z)),
            ),
            Identity(given=((q, Q / E_bar), (z, Z / E_bar))),
            because="Q and Z are mean_m Σ_e ω_e(∇l_m + β) and mean_m Σ_e ω_e ζ; q = Q/Ē, z = Z/Ē.",
            depends=("RD.P1",),
        ),
        line(
            "RD.P3",
            PLACE,
            "what separates the mean step from the gradient at the broadcast point",
            r"a-q=-\mathrm{mean}_m\sum_e\tfrac{\omega_e}{\bar E}\,[\nabla l_m(w^e)-\nabla l_m(x)+\beta_e]",
            Claim(
                (
                    E_bar > 0,
                    sp.Eq(q, (S_w + S_b) / E_bar),
                    sp.Eq(S_x, E_bar * a),
                    sp.Eq(S_w + S_b, E_bar * q),
                ),
                sp.Eq(a - q, -((S_w - S_x) + S_b) / E_bar),
            ),
            Identity(given=((S_x, E_bar * a),), using=((1 / E_bar, sp.Eq(S_w + S_b, E_bar * q)),)),
            because="S_x, S_w, S_b are the weighted means of ∇l_m(x), ∇l_m(w^e), β_e; S_x = Ē·∇f(x) = Ē·a.",
            depends=("RD.P2",),
        ),
    )


def closed_form() -> tuple[Entry, ...]:
    t, r_b, r_n, H, b, n, D, s, X, h, N = real("t r_b r_n H b n D s X h N")
    w, A, e_root, f_root = real("varpi A e_root f_root")
    L, S = real("L S")
    (q,), after = real("q"), e_root**2 + 1
    root = sp.Eq(t**2, r_b**2 * H**2 + b**2)
    dominates = sp.Eq(n**2, r_n**2 * D**2 + b**2)
    following = after**2 * A**2 + 2 * f_root * A * N * after + after * N**2
    one_more = sp.Eq(f_root**2, e_root**2 + 1)
    grow = (w * (e_root**2 * A + e_root * N) + A) ** 2 + N**2
    return (
        line(
            "RD.D3",
            PLACE,
            "splitting the bias",
            r"\sqrt{P_bH^2+b^2}\le\sqrt{P_b}\,H+b",
            Claim((*nonnegative(t, r_b, H, b), root), t <= r_b * H + b),
            Contradiction(
                (
                    term(1, 1, t > r_b * H + b, t > r_b * H + b),
                    term(2 * (r_b * H + b), 1, t > r_b * H + b),
                    term(2 * r_b * H * b),
                ),
                using=((-1, root),),
            ),
        ),
        line(
            "RD.D3r",
            PLACE,
            "a root dominates its first part",
            r"\sqrt{PD^2+b^2}\ge\sqrt P\,D",
            Claim((*nonnegative(n, r_n, D, b), dominates), n >= r_n * D),
            Contradiction(
                (term(1, 1, n < r_n * D, n < r_n * D), term(2 * n, 1, n < r_n * D), term(1, b)),
                using=((1, dominates),),
            ),
        ),
        line(
            "RD.D3n",
            PLACE,
            "splitting the noise at H = D + LS",
            r"\sqrt{P_n(D+LS)^2+\sigma^2}\le\sqrt{P_n}LS+\sqrt{P_nD^2+\sigma^2}",
            Claim(
                (*nonnegative(r_n, L, S), n >= r_n * D),
                r_n**2 * (D + L * S) ** 2 + (n**2 - r_n**2 * D**2) <= (r_n * L * S + n) ** 2,
            ),
            SumOfSquares((term(2 * r_n * L * S, 1, n >= r_n * D),)),
            because="n = √(P_nD²+σ²), so σ² = n² − P_nD² (b is σ here); both sides squared.",
            depends=("RD.D3r",),
        ),
        line(
            "RD.D3x",
            PLACE,
            "moving the noise's growth into the main term",
            r"N\le X\Rightarrow X^2+(h+N)^2\le(X+h)^2+N^2",
            Claim((*nonnegative(h), N <= X), X**2 + (h + N) ** 2 <= (X + h) ** 2 + N**2),
            SumOfSquares((term(2 * h, 1, N <= X),)),
            because="X = (1+γLc_b)U + γ𝒜, h = γ√P_n L U, N = γ𝒩 with U the bound on S_e. At e = 0, U = 0 "
            "and h = 0; for e ≥ 1, RD.D3y gives U ≥ γ𝒩. The written proof passes over this step; without N "
            "≤ X it is false.",
            stated=(N <= X,),
        ),
        line(
            "RD.D3y",
            PLACE,
            "for e ≥ 1 the bound already exceeds the noise of one step",
            r"\varpi(e\mathcal A+\sqrt e\,\mathcal N)\ge\mathcal N",
            Claim((*nonnegative(A, N), w >= 1, e_root >= 1), w * (e_root**2 * A + e_root * N) >= N),
            Positivity(shift(w, "dw", 1), shift(e_root, "de", 1)),
        ),
        false(
            "RD.D3x-bites",
            PLACE,
            "the same step without N ≤ X",
            r"X^2+(h+N)^2\le(X+h)^2+N^2",
            Claim(nonnegative(h, X, N), X**2 + (h + N) ** 2 <= (X + h) ** 2 + N**2),
            AtPoint({h: 1, X: 0, N: 1}),
        ),
        line(
            "RD.D4f",
            PLACE,
            "√(e+1) ≥ √e",
            r"f^2=e+1\Rightarrow f\ge\sqrt e",
            Claim((*nonnegative(e_root, f_root), one_more), f_root >= e_root),
            Contradiction(
                (term(1, 1, f_root < e_root, f_root < e_root), term(2 * f_root, 1, f_root < e_root), term(1)),
                using=((1, one_more),),
            ),
        ),
        line(
            "RD.D4x",
            PLACE,
            "expanding the next bound",
            r"((e+1)\mathcal A+\sqrt{e+1}\mathcal N)^2=(e+1)^2\mathcal A^2+2(e+1)^{3/2}\mathcal A"
            r"\mathcal N+(e+1)\mathcal N^2",
            Claim(
                (sp.Eq(q, f_root**2),),
                sp.Eq((q * A + f_root * N) ** 2, q**2 * A**2 + 2 * q * f_root * A * N + q * N**2),
            ),
            Identity(given=((q, f_root**2),)),
            because="q = e+1, f_root = √(e+1).",
        ),
        line(
            "RD.D4",
            PLACE,
            "induction step of the closed form",
            r"(\varpi(e\mathcal A+\sqrt e\mathcal N)+\mathcal A)^2+\mathcal N^2"
            r"\le\varpi^2((e+1)\mathcal A+\sqrt{e+1}\mathcal N)^2",
            Claim(
                (*nonnegative(A, N, e_root, f_root), w >= 1, f_root >= e_root, one_more),
                grow <= w**2 * following,
            ),
            Positivity(shift(w, "dw", 1), shift(f_root, "df", e_root)),
            because="e_root = √e, f_root = √(e+1), varpi = (1+κ)^{e+1} ≥ 1; the right side as in RD.D4x.",
            depends=("RD.D2", "RD.D3", "RD.D3x", "RD.D4f", "RD.D4x"),
        ),
        line(
            "RD.D5",
            PLACE,
            "one square for all terms, constant 7/2",
            r"(D+\sqrt{P_b}D+b+\mathcal N)^2\le\tfrac72((1+2P_b)D^2+b^2+\mathcal N^2)",
            Claim(
                (), ((1 + s) * D + b + N) ** 2 <= sp.Rational(7, 2) * ((1 + 2 * s**2) * D**2 + b**2 + N**2)
            ),
            SumOfSquares(
                (
                    term(sp.Rational(3, 2), sp.Rational(2, 3) * (1 + s) * D - b),
                    term(sp.Rational(3, 2), sp.Rational(2, 3) * (1 + s) * D - N),
                    term(1, b - N),
                    term(sp.Rational(14, 3), (s - half) * D),
                )
            ),
            because="s = √P_b. With √e ≤ e this turns D4 into S_e² ≤ (7/2)(1+κ)^{2e}γ²e²[(1+2P_b+P_n)D² + "
            "b² + σ²].",
            depends=("RD.D4",),
        ),
    )
