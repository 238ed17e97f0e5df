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
from theory.repaired import drift_closed, drift_sharpness, minkowski
from theory.repaired.lines import false, line, nonnegative
from theory.symbols import real

PLACE = "Lemma 2'"
half = sp.Rational(1, 2)


def entries() -> tuple[Entry, ...]:
    """Every line of Lemma 2' and its proof."""
    return (
        *displacement(),
        *recursion(),
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


def recursion() -> tuple[Entry, ...]:
    U, gamma, m1, m2 = real("U gamma m1 m2")
    s, S, h, H, t, t_H, L, D, P_b, P_n, b2, s2, keep = real("s S h H t t_H L D P_b P_n b2 s2 keep")
    root_hyps = (
        *nonnegative(P_b, b2, h, t, t_H),
        h <= H,
        sp.Eq(t**2, P_b * h**2 + b2),
        sp.Eq(t_H**2, P_b * H**2 + b2),
    )
    positive = (L > 0, *nonnegative(s, S, h, t, gamma, keep, P_n, s2))
    pull, pull_H = keep * s + gamma * (h + t), keep * S + gamma * (H + t_H)
    apart, after2 = real("apart after2")
    bound, reached = sp.Eq(H, D + L * S), D + L * S
    pull_D = keep * S + gamma * (reached + t_H)
    both = pull + pull_D
    stepped = after2 <= pull**2 + gamma**2 * (P_n * h**2 + s2)
    ordered = (s <= S, h <= D + L * s, bound, t <= t_H)
    return (
        line(
            "RD.D1",
            PLACE,
            "orthogonality of the noise",
            r"\mathbb E\|U-\gamma\zeta\|^2=\mathbb E\|U\|^2+\gamma^2\mathbb E\|\zeta\|^2",
            Claim((sp.Eq(m1, 0),), sp.Eq(U**2 - 2 * gamma * U * m1 + gamma**2 * m2, U**2 + gamma**2 * m2)),
            Identity(given=((m1, sp.Integer(0)),)),
            because="One coordinate, given the past: U = (1−γμ)y_e − γ(∇l + β) is known from the past "
            "(this is where β must be), m1 = E[ζ | past] = 0, m2 = E[ζ² | past].",
            note="Bites: RX.beta-depends-on-noise.",
        ),
        minkowski.entry(PLACE),
        line(
            "RD.D2b",
            PLACE,
            "smoothness bounds the local slope",
            r"\|\nabla l(w^e)\|\le\|\nabla l(x)\|+L\|y_e\|\le D+LS_e=H_e",
            Claim((L > 0, h <= D + apart, apart <= L * s), h <= D + L * s),
            SumOfSquares((term(1, 1, h <= D + apart), term(1, 1, apart <= L * s))),
            because="h, s, apart are the L² norms of ∇l(w^e), y_e and ∇l(w^e) − ∇l(x): Minkowski, then "
            "smoothness. The last step is s ≤ S_e, the induction of RD.D2.",
            depends=("RD.D2a", "V.4"),
        ),
        line(
            "RD.D2c",
            PLACE,
            "the bound on the bias grows with the slope",
            r"h\le H\Rightarrow\sqrt{P_bh^2+b^2}\le\sqrt{P_bH^2+b^2}",
            Claim(root_hyps, t <= t_H),
            Contradiction(
                (
                    term(1, 1, t > t_H, t > t_H),
                    term(2, 1, t > t_H, t_H >= 0),
                    term(P_b, 1, h <= H, h <= H),
                    term(2 * P_b * h, 1, h <= H),
                ),
                using=((-1, root_hyps[-2]), (1, root_hyps[-1])),
            ),
            stated=(h <= H,),
        ),
        *_one_step(),
        line(
            "RD.D2",
            PLACE,
            "one step of the recursion",
            r"\|y_e\|\le S_e\Rightarrow\|y_{e+1}\|\le S_{e+1}",
            Claim(
                (*positive, *nonnegative(D, t_H), stepped, *ordered),
                after2 <= pull_H**2 + gamma**2 * (P_n * H**2 + s2),
            ),
            SumOfSquares(
                (
                    term(1, 1, stepped),
                    term(keep * both, 1, s <= S),
                    *(term(gamma * part, 1, h <= D + L * s) for part in (both, gamma * P_n * (h + reached))),
                    *(term(gamma * part * L, 1, s <= S) for part in (both, gamma * P_n * (h + reached))),
                    term(gamma * both, 1, t <= t_H),
                ),
                using=((gamma * (pull_H + pull_D) + gamma**2 * P_n * (H + reached), bound),),
            ),
            because="Induction: s ≤ S is ‖y_e‖ ≤ S_e, the base is y_0 = 0 = S_0; after2 = ‖y_{e+1}‖² is "
            "bounded by RD.D2s, h ≤ D + Ls is RD.D2b, t ≤ t_H is RD.D2c; keep = 1−γμ ≥ 0 is A4. Everything "
            "the recursion contains grows with S_e.",
            depends=("RD.D2s", "RD.D2b", "RD.D2c"),
        ),
    )


def _one_step() -> tuple[Entry, ...]:
    """The bias and the noise of one local step, on all devices at once."""
    s, h, t, gamma, keep, P_b, P_n, b2, s2 = real("s h t gamma keep P_b P_n b2 s2")
    beta, drift, push, zeta2, after2 = real("beta drift push zeta2 after2")
    bias, root = beta**2 <= P_b * h**2 + b2, sp.Eq(t**2, P_b * h**2 + b2)
    pieces = (drift <= keep * s + gamma * push, push <= h + beta, beta <= t)
    noisy, split = zeta2 <= P_n * h**2 + s2, sp.Eq(after2, drift**2 + gamma**2 * zeta2)
    both = drift + keep * s + gamma * (h + t)
    return (
        line(
            "RD.D2t",
            PLACE,
            "the bias of a local step",
            r"\|\beta_e\|\le\sqrt{P_b\|\nabla l(w^e)\|^2+b^2}",
            Claim((*nonnegative(P_b, b2, beta, t), root, bias), beta <= t),
            Contradiction(
                (term(1, 1, beta > t, beta > t), term(2 * t, 1, beta > t), term(1, 1, bias)),
                using=((1, root),),
            ),
            because="beta, h are the L² norms of β_e and ∇l(w^e) over devices and probability: A3 holds on "
            "every device and for every outcome, hence for these.",
        ),
        line(
            "RD.D2s",
            PLACE,
            "one local step",
            r"\|y_{e+1}\|^2\le\big((1-\gamma\mu)\|y_e\|+\gamma(h+\sqrt{P_bh^2+b^2})\big)^2+\gamma^2(P_nh^2+\sigma^2)",
            Claim(
                (*nonnegative(s, h, t, gamma, keep, drift, beta, push), *pieces, noisy, split),
                after2 <= (keep * s + gamma * (h + t)) ** 2 + gamma**2 * (P_n * h**2 + s2),
            ),
            SumOfSquares(
                (
                    term(both, 1, pieces[0]),
                    term(gamma * both, 1, pieces[1]),
                    term(gamma * both, 1, pieces[2]),
                    term(1, gamma, noisy),
                ),
                using=((-1, split),),
            ),
            because="L² norms over devices and probability: drift of (1−γμ)y_e − γ(∇l + β), push of "
            "∇l + β, s, h, beta those of y_e, ∇l(w^e), β; zeta2 and after2 are E‖ζ‖² and E‖y_{e+1}‖², t = "
            "√(P_bh²+b²).",
            depends=("RD.D1", "RD.D2a", "RD.D2t"),
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
