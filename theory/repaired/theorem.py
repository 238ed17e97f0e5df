"""Theorem A, line by line: concavity, T1-T6, and the learning-rate range.

  A ≤ 2Δ/(γĒT) + F² + max{ 2ρx − x² + u(x+√N)² : x ≥ 0, |x−√A| ≤ F }            (★), F and N at t = A

‖·‖ is the norm of L²(rounds × probability); a, q, z as in RD.P2-P3; V_t = v_t − ξ; δ = ∇f(V) − a.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, Identity, Parts, SumOfSquares, term
from theory.repaired import corollary1, corollary2, theorem_range
from theory.repaired.lines import SCOPE, classical, line, nonnegative
from theory.symbols import real

PLACE = "Theorem A"


def entries() -> tuple[Entry, ...]:
    """Every line of Theorem A, its range, and Corollaries 1 and 2."""
    parts = (concavity(), descent(), moments(), conclusion(), theorem_range.entries())
    return (*(entry for part in parts for entry in part), *corollary1.entries(), *corollary2.entries())


def concavity() -> tuple[Entry, ...]:
    lam, p1, p2, q1, q2, P, Q, A1, A2, G2, B2, t1, t2 = real("lambda p1 p2 q1 q2 P Q A1 A2 G2 B2 t1 t2")
    mix_p, mix_q = lam * p1**2 + (1 - lam) * p2**2, lam * q1**2 + (1 - lam) * q2**2
    weight = (lam >= 0, lam <= 1)
    lower = (P >= mix_p, Q >= mix_q)
    return (
        line(
            "RA.C1",
            PLACE,
            "the class is closed under products of roots (geometric mean)",
            r"\varphi^2,\chi^2\text{ concave}\Rightarrow\varphi\chi\text{ concave}",
            Claim(weight, (lam * p1 * q1 + (1 - lam) * p2 * q2) ** 2 <= mix_p * mix_q),
            SumOfSquares((term(lam * (1 - lam), p1 * q2 - p2 * q1),)),
            because="φ² at the mixed point is at least mix_p, χ² at least mix_q, so (φχ)² there is at "
            "least the right side.",
        ),
        line(
            "RA.C2",
            PLACE,
            "closed under ℓ2 combination and scaling",
            r"\varphi^2,\chi^2\text{ concave}\Rightarrow s\varphi^2+r\chi^2\text{ concave}",
            Claim((*nonnegative(A1, A2), *lower), A1 * P + A2 * Q >= A1 * mix_p + A2 * mix_q),
            SumOfSquares((term(A1, 1, lower[0]), term(A2, 1, lower[1]))),
            because="P, Q are φ² and χ² at the mixed point.",
        ),
        line(
            "RA.C3",
            PLACE,
            "closed under sums",
            r"(\varphi+\chi)^2=\varphi^2+\chi^2+2\varphi\chi",
            Claim((), sp.Eq((p1 + q1) ** 2, p1**2 + q1**2 + 2 * p1 * q1)),
            Identity(),
            because="A sum of three concave functions, by RA.C1 and RA.C2.",
            depends=("RA.C1", "RA.C2"),
        ),
        line(
            "RA.C4",
            PLACE,
            "the recursion starts inside the class: D(t)² is affine",
            r"D(t)^2=G^2+B^2t",
            Claim(
                (),
                sp.Eq(
                    G2 + B2 * (lam * t1 + (1 - lam) * t2),
                    lam * (G2 + B2 * t1) + (1 - lam) * (G2 + B2 * t2),
                ),
            ),
            Identity(),
            because="H_e = D + LS_e, √(P_bH²+b²), S_{e+1}, F and √N are built from D by scaling, sums and "
            "ℓ2 combination, so F² and N are concave in t.",
            depends=("RA.C2", "RA.C3", "RD.D2"),
        ),
        classical(
            "RA.C5",
            PLACE,
            "Jensen's inequality over rounds and probability",
            r"\mathrm{mean}_t\,\mathbb E\,F(\|a_t\|^2)^2\le F(A)^2",
            Claim(
                (*weight, *nonnegative(p1, p2)),
                (lam * p1 + (1 - lam) * p2) ** 2 <= lam * p1**2 + (1 - lam) * p2**2,
            ),
            "Jensen's inequality for a concave function",
            SumOfSquares((term(lam * (1 - lam), p1 - p2),)),
        ),
    )


def descent() -> tuple[Entry, ...]:
    f0, f1, g, n, s, L, u, f_star, T = real("f0 f1 g n s L u f_star T")
    U, m1, a, q, rho, x, inner = real("U m1 a q rho q_len inner")
    smooth = f1 <= f0 - s * g + L * s**2 * n / 2
    bounded, below = inner**2 <= rho**2 * x**2, inner < -rho * x
    return (
        line(
            "RA.T1",
            PLACE,
            "smoothness at V_t = v_t − ξ",
            r"f(V_{t+1})\le f(V_t)-\gamma\bar E\langle\nabla f(V_t),q+z\rangle+\tfrac L2\gamma^2\bar E^2"
            r"\|q+z\|^2",
            Claim((s > 0, smooth, sp.Eq(u, L * s)), 2 * g - u * n <= 2 * (f0 - f1) / s),
            SumOfSquares((term(2 / s, 1, smooth),), using=((n, sp.Eq(u, L * s)),)),
            because="s = γĒ, V_{t+1} − V_t = −s(q+z) (RD.P2: v_{t+1} − v_t is the mean displacement and ξ "
            "is fixed), g = ⟨∇f(V), q+z⟩, n = ‖q+z‖²; f is L-smooth because every l_m is. Shown: what it "
            "becomes after · 2/s.",
            depends=("RD.P2",),
        ),
        line(
            "RA.T2a",
            PLACE,
            "the noise does not correlate with what is known at the start of the round",
            r"\mathbb E\langle\nabla f(V_t),z_t\rangle=0",
            Claim((sp.Eq(m1, 0),), sp.Eq(U * m1, 0)),
            Identity(given=((m1, sp.Integer(0)),)),
            because="∇f(V_t) is known at the start (ξ may use the hashes only), m1 = E[ζ^{m,e} | start] = "
            "0 by the tower property. Bites: RX.without-replacement.",
        ),
        line(
            "RA.T2",
            PLACE,
            "sum over the rounds",
            r"2\langle a+\delta,q\rangle-u\|q+z\|^2\le\frac{2\Delta_\xi}{\gamma\bar ET}",
            Claim((s > 0, T > 0, f1 >= f_star), 2 * (f0 - f1) / (s * T) <= 2 * (f0 - f_star) / (s * T)),
            SumOfSquares((term(2 / (s * T), 1, f1 >= f_star),)),
            because="Σ_t telescopes to f(V_0) − f(V_T) and f(V_T) ≥ f*.",
            depends=("RA.T1", "RA.T2a"),
        ),
        line(
            "RA.T3",
            PLACE,
            "polarisation",
            r"2\langle a,q\rangle=\|a\|^2+\|q\|^2-\|a-q\|^2",
            Claim((), sp.Eq(2 * a * q, a**2 + q**2 - (a - q) ** 2)),
            Identity(),
            because="Coordinate by coordinate, summed.",
        ),
        classical(
            "RA.T3c",
            PLACE,
            "Cauchy-Schwarz for the residual",
            r"2\langle\delta,q\rangle\ge-2\rho x,\qquad\|\delta\|\le L\|r-\xi\|",
            Claim((*nonnegative(rho, x), bounded), inner >= -rho * x),
            "Cauchy-Schwarz inequality in L²; ‖∇f(v−ξ) − ∇f(w̃)‖ ≤ L‖r−ξ‖ is A1",
            Contradiction((term(1, 1, below, below), term(2 * rho * x, 1, below), term(1, 1, bounded))),
        ),
    )


def moments() -> tuple[Entry, ...]:
    x, r, n, F, y, root = real("q_len r n F gap_aq root_A")
    z2, cross, own, one2, count, total, squares = real("z2 cross own one2 count total squares")
    w, L, s, S, t, t_H, part, apart = real("w L s S t t_H part apart")
    added = total**2 <= count * squares
    before, longer, smooth = part <= total, y <= part + w * (apart + t), apart <= L * s
    return (
        line(
            "RA.T4a",
            PLACE,
            "uncorrelated devices: ν = 1/M",
            r"\mathbb E\|z\|^2=\tfrac1{M^2}\sum_m\mathbb E\|z_m\|^2",
            Claim((sp.Eq(cross, 0), sp.Eq(z2, own)), sp.Eq(z2 + 2 * cross + one2, own + one2)),
            Identity(given=((z2, own), (cross, sp.Integer(0)))),
            because="Induction on the devices: z2 is the second moment of the sum over some of them, own the "
            "sum of their second moments, one2 that of one more; no device is the base. The mean divides "
            "both sides by M². Within a device martingale differences give Σ_e(ω_e/Ē)²E‖ζ^{m,e}‖². The cross "
            "terms need E⟨ζ^{m,e}, ζ^{m',e'}⟩ = 0 for all e, e'. Bites: RX.replayed-noise.",
            depends=("RD.D1",),
        ),
        line(
            "RA.T4b",
            PLACE,
            "any devices: ν = 1",
            r"\|\mathrm{mean}_mz_m\|^2\le\mathrm{mean}_m\|z_m\|^2",
            Claim((count >= 1, added), (total / count) ** 2 <= squares / count),
            SumOfSquares((term(1 / count**2, 1, added),)),
            because="One coordinate: total and squares are the sums of the z_m and their squares, count = M.",
            depends=("M.3a",),
        ),
        line(
            "RA.T4",
            PLACE,
            "distance of the mean step from the gradient (one round)",
            r"\|a-q\|\le F(A),\qquad\|z\|^2\le N(A)",
            Claim(
                (w >= 0, L > 0, before, longer, smooth, s <= S, t <= t_H),
                y <= total + w * (L * S + t_H),
            ),
            SumOfSquares(
                (
                    term(1, 1, before),
                    term(1, 1, longer),
                    term(w, 1, smooth),
                    term(w * L, 1, s <= S),
                    term(w, 1, t <= t_H),
                )
            ),
            scope="Decided for one round and any number of local steps. Jensen over the rounds (RA.C4, "
            "RA.C5), and the same for N, are argued in words.",
            because="Induction on the local steps of one round: part is the norm of the first terms of "
            "RD.P3, total their bound, gap_aq the norm with one more of weight w = ω_e/Ē; apart ≤ Ls is A1, "
            "s = ‖w^e − x‖ ≤ S_e, t = ‖β_e‖ ≤ t_H = √(P_bH_e²+b²). A3 puts D_t² ≤ G² + B²‖a_t‖² into S_e and "
            "H_e, so each round has ‖a−q‖ ≤ F(‖a_t‖²); RA.C4 and Jensen move the mean over rounds inside.",
            depends=("RD.P3", "RD.D2", "RA.C4", "RA.C5", "RA.T4a", "RA.T4b"),
        ),
        line(
            "RA.T5a",
            PLACE,
            "size of the step",
            r"\|q+z\|^2\le(x+\sqrt N)^2;\ E=1:\ \|q+z\|^2=x^2+\|z\|^2",
            Claim((*nonnegative(x, r, n), n <= x + r), n**2 <= (x + r) ** 2),
            SumOfSquares((term(x + r + n, 1, n <= x + r),)),
            because="x = q_len = ‖q‖, r = √N, n = ‖q+z‖. At E = 1, q is known at the start of the round and "
            "RD.D1 applies.",
            depends=("RA.T4", "RD.D2a"),
        ),
        line(
            "RA.T5b",
            PLACE,
            "the constraint",
            r"|x-\sqrt A|\le F",
            Claim((*nonnegative(x, root, y, F), x <= root + y, root <= x + y, y <= F), sp.Abs(x - root) <= F),
            Parts(
                tuple(
                    SumOfSquares((term(1, 1, y <= F), term(1, 1, side)))
                    for side in (root <= x + y, x <= root + y)
                )
            ),
            because="Triangle inequality both ways with gap_aq = ‖a − q‖, x = q_len.",
            depends=("RA.T4",),
        ),
    )


def conclusion() -> tuple[Entry, ...]:
    A, x, d2, F, rho, u, n, r, K = real("A q_len d2 F rho u n r K")
    s, m0, m_low, m_high = real("s m0 m_low m_high")
    convex = m_low <= (1 - s) * m0 + s * m_high
    lam, pieces = real("lambda")[0], ("A", "f", "s", "X", "g", "n")
    first, second = real(" ".join(f"{p}_1" for p in pieces)), real(" ".join(f"{p}_2" for p in pieces))
    more = dict(zip("fsgn", real("f_more s_more g_more n_more"), strict=True))
    mixed = tuple(
        lam * a + (1 - lam) * b + more.get(p, 0) for p, a, b in zip(pieces, first, second, strict=True)
    )

    def slack(v: tuple[sp.Expr, ...]) -> sp.Expr:
        return v[0] - v[1] - 2 * rho * v[2] + v[3] - u * (v[3] + 2 * v[4] + v[5])

    total, dist, step = A + x**2 - d2 - 2 * rho * x - u * n <= K, d2 <= F**2, n <= (x + r) ** 2
    return (
        line(
            "RA.T5",
            PLACE,
            "(★)",
            r"A\le\frac{2\Delta_\xi}{\gamma\bar ET}+F^2+2\rho x-x^2+u(x+\sqrt N)^2",
            Claim((u >= 0, total, dist, step), A <= K + F**2 + 2 * rho * x - x**2 + u * (x + r) ** 2),
            SumOfSquares((term(1, 1, total), term(1, 1, dist), term(u, 1, step))),
            because="d2 = ‖a−q‖², n = ‖q+z‖², r = √N, K = 2Δ/(γĒT), x = q_len. The true x is feasible, so "
            "the maximum over feasible x bounds A. At E = 1, u(x²+N) replaces u(x+√N)².",
            depends=("RA.T2", "RA.T3", "RA.T3c", "RA.T4", "RA.T5a", "RA.T5b"),
            note=SCOPE,
        ),
        line(
            "RA.T6a",
            PLACE,
            "the slack is jointly convex in (A, X = x²)",
            r"A-F^2-2\rho\sqrt X+X-u(X+2\sqrt{XN}+N)",
            Claim(
                (*nonnegative(lam, rho, u, *more.values()), lam <= 1),
                slack(mixed) <= lam * slack(first) + (1 - lam) * slack(second),
            ),
            SumOfSquares(
                tuple(term(k * h) for k, h in zip((1, 2 * rho, 2 * u, u), more.values(), strict=True))
            ),
            because="At a mixed point A and X mix exactly; f, s, g, n are F², √X, √(XN), N, which are "
            "concave (RA.C1 with the concave functions X and N(A)), so that there they exceed the mixed "
            "values by f_more, s_more, g_more, n_more ≥ 0. Each enters with a minus sign. The feasible set "
            "is convex: X ≤ (√A+F)² and A ≤ (√X+F)² have concave right sides (RA.C3). So m(A), the least "
            "slack over feasible X, is convex.",
            depends=("RA.C1", "RA.C3", "RA.C4"),
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
            Claim((s > 0, s < 1, m0 <= K, m_low > K, convex), m_high > K),
            Contradiction(
                (
                    term(1, 1, m_low > K),
                    term(1, 1, convex),
                    term(1, 1, m0 <= K, s < 1),
                    term(1, 1, m_high <= K, s > 0),
                )
            ),
            because="Convexity of m on [0, A_1] at A_0 = s·A_1, with m(0) ≤ 0 ≤ K.",
            depends=("RA.T6a", "RA.T6b"),
            note=SCOPE,
        ),
    )
