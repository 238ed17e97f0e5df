"""Lemma 2', first part: one local step with its bias and noise, and the recursion that bounds the drift."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, Identity, SumOfSquares, term
from theory.repaired import minkowski
from theory.repaired.lines import line, nonnegative
from theory.symbols import real

PLACE = "Lemma 2'"


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
