"""Theorem A, line by line: concavity, T1-T6, and the learning-rate range.

  A ≤ 2Δ/(γĒT) + F² + max{ 2ρx − x² + u(x+√N)² : x ≥ 0, |x−√A| ≤ F }            (★), F and N at t = A

‖·‖ is the norm of L²(rounds × probability); a, q, z as in RD.P2-P3; V_t = v_t − ξ; δ = ∇f(V) − a.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, Identity, Parts, SumOfSquares, term
from theory.repaired import concavity, corollary1, corollary2, theorem_range, theorem_star
from theory.repaired.lines import classical, line, nonnegative
from theory.symbols import real

PLACE = "Theorem A"


def entries() -> tuple[Entry, ...]:
    """Every line of Theorem A, its range, and Corollaries 1 and 2."""
    parts = (descent(), moments(), distances(), constraint(), theorem_star.entries(), theorem_range.entries())
    lines = (entry for part in parts for entry in part)
    return (*concavity.entries(), *lines, *corollary1.entries(), *corollary2.entries())


def descent() -> tuple[Entry, ...]:
    f0, f1, g, n, s, L, u, f_star, T = real("f0 f1 g n s L u f_star T")
    U, m1, a, q, rho, x, inner = real("U m1 a q rho q_len inner")
    total, start, mean = real("total start mean")
    smooth = f1 <= f0 - s * g + L * s**2 * n / 2
    so_far, one = total <= 2 * (start - f0) / s, 2 * g - u * n <= 2 * (f0 - f1) / s
    summed = T * mean <= 2 * (f0 - f1) / s
    e1, e2, q1, q2 = real("e1 e2 q1 q2")  # δ and q in the plane
    delta, R = real("delta_len R_xi")
    norms = (sp.Eq(delta**2, e1**2 + e2**2), sp.Eq(x**2, q1**2 + q2**2))
    dot, below = e1 * q1 + e2 * q2, inner < -delta * x
    product = sp.Eq(inner, dot)
    along, near = inner >= -delta * x, delta <= L * R
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
            "RA.T2s",
            PLACE,
            "one round more",
            r"\sum_{t<T}(2\langle\nabla f(V_t),q+z\rangle-u\|q+z\|^2)\le2(f(V_0)-f(V_T))/(\gamma\bar E)",
            Claim((s > 0, so_far, one), total + (2 * g - u * n) <= 2 * (start - f1) / s),
            SumOfSquares((term(1, 1, so_far), term(1, 1, one))),
            because="Induction on the rounds: total is the sum over those before, start = f(V_0). No round "
            "is the base.",
            depends=("RA.T1",),
        ),
        line(
            "RA.T2",
            PLACE,
            "sum over the rounds",
            r"2\langle a+\delta,q\rangle-u\|q+z\|^2\le\frac{2\Delta_\xi}{\gamma\bar ET}",
            Claim((s > 0, T > 0, f1 >= f_star, summed), mean <= 2 * (f0 - f_star) / (s * T)),
            SumOfSquares((term(1 / T, 1, summed), term(2 / (s * T), 1, f1 >= f_star))),
            because="Σ_t telescopes to f(V_0) − f(V_T) and f(V_T) ≥ f*; mean is the mean over the rounds.",
            depends=("RA.T2s", "RA.T2a"),
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
            "Cauchy-Schwarz for the residual, cited for L² and shown for two coordinates",
            r"\langle\delta,q\rangle\ge-\|\delta\|x",
            Claim((*nonnegative(delta, x), *norms, product), inner >= -delta * x),
            "Cauchy-Schwarz inequality in L² (rounds × probability)",
            Contradiction(
                (term(1, 1, below, below), term(2 * delta * x, 1, below), term(1, e1 * q2 - e2 * q1)),
                using=((-inner - dot, product), (x**2, norms[0]), (e1**2 + e2**2, norms[1])),
            ),
        ),
        line(
            "RA.T3d",
            PLACE,
            "the residual moves the gradient by at most ρ = LR_ξ",
            r"\langle\delta,q\rangle\ge-\rho x,\qquad\|\delta\|\le L\|r-\xi\|",
            Claim((L > 0, *nonnegative(x, R), along, near, sp.Eq(rho, L * R)), inner >= -rho * x),
            SumOfSquares((term(1, 1, along), term(x, 1, near)), using=((x, sp.Eq(rho, L * R)),)),
            because="δ = ∇f(v−ξ) − ∇f(w̃), delta_len = ‖δ‖ and R_ξ = ‖r−ξ‖ in L² (rounds × probability).",
            depends=("RA.T3c", "V.4"),
        ),
    )


def moments() -> tuple[Entry, ...]:
    z2, cross, own, one2, count, total, squares = real("z2 cross own one2 count total squares")
    added = total**2 <= count * squares
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
    )


def distances() -> tuple[Entry, ...]:
    """What a round adds to a − q and z, then the mean over the rounds."""
    w, s, S, h, H, L, D, y, mean_gap = real("w s S h H L D gap_dev gap_aq")
    t, t_H, part, total, added, apart, beta = real("t t_H part total added apart beta")
    z2, own, zeta2, P_n, s2, F_t = real("z2 own zeta2 P_n s2 F_t")
    d2, F2, noise2, N, nu, mean_F = real("d2 F2 noise2 N nu mean_F")
    mean_z, mean_own, mean_N = real("mean_z mean_own mean_N")
    before, longer, pieces = part <= total, y <= part + added, added <= w * apart + w * beta
    slope = (h <= D + L * s, sp.Eq(H, D + L * S))
    drift = (*nonnegative(w, s, S, h), L > 0, s <= S, *slope)
    smooth, biased, noisy = apart <= L * s, t <= t_H, zeta2 <= P_n * h**2 + s2
    biases, devices, locally = (d2 <= mean_F, mean_F <= F2), noise2 <= nu * mean_z, mean_z <= mean_own
    is_N = sp.Eq(mean_N, nu * mean_own)
    averaged = mean_gap**2 <= y**2
    return (
        line(
            "RA.T4r",
            PLACE,
            "distance of the steps of the devices from their gradients, one round",
            r"\Big\|\sum_e\tfrac{\omega_e}{\bar E}[\nabla l_m(w^e)-\nabla l_m(x)+\beta_e]\Big\|\le"
            r"\sum_e\tfrac{\omega_e}{\bar E}(LS_e+\sqrt{P_bH_e^2+b^2})=F(\|a_t\|^2)",
            Claim(
                (*drift, *nonnegative(apart, t), before, longer, pieces, smooth, beta <= t, biased),
                y <= total + w * (L * S + t_H),
            ),
            SumOfSquares(
                (
                    term(1, 1, before),
                    term(1, 1, longer),
                    term(1, 1, pieces),
                    term(w, 1, smooth),
                    term(w * L, 1, s <= S),
                    term(w, 1, beta <= t),
                    term(w, 1, biased),
                )
            ),
            because="L² norms over devices and probability, induction on the local steps of one round: part "
            "is that of the first terms of the sum in RD.P3, total their bound, gap_dev that with one more "
            "of weight w = ω_e/Ē, added that of this one; apart ≤ Ls is A1 on every device, s = ‖y_e‖ ≤ S_e, "
            "beta = ‖β_e‖ ≤ t = √(P_bh²+b²) ≤ t_H = √(P_bH_e²+b²). The dissimilarity D_t² ≤ G² + B²‖a_t‖² "
            "enters S_e and H_e.",
            depends=("RD.P3", "RD.D2", "RD.D2a", "RD.D2b", "RD.D2c", "RD.D2t", "V.4"),
        ),
        line(
            "RA.T4q",
            PLACE,
            "distance of the mean step from the gradient, one round",
            r"\|a_t-q_t\|^2\le F(\|a_t\|^2)^2",
            Claim((L > 0, *nonnegative(y, F_t), y <= F_t, averaged), mean_gap**2 <= F_t**2),
            SumOfSquares((term(y + F_t, 1, y <= F_t), term(1, 1, averaged))),
            because="a_t − q_t is a mean over devices (RD.P3), gap_aq its norm; gap_dev is the L² norm over "
            "the devices, which is not smaller (RA.T4b, summed over coordinates).",
            depends=("RD.P3", "RA.T4r", "RA.T4b"),
        ),
        line(
            "RA.T4n",
            PLACE,
            "noise of the devices in one round",
            r"\mathrm{mean}_m\mathbb E\|z_m\|^2\le\sum_e\tfrac{\omega_e^2}{\bar E^2}(P_nH_e^2+\sigma^2)",
            Claim(
                (*drift, *nonnegative(P_n, D), noisy, z2 <= own),
                z2 + w**2 * zeta2 <= own + w**2 * (P_n * H**2 + s2),
            ),
            SumOfSquares(
                (
                    term(1, 1, z2 <= own),
                    term(1, w, noisy),
                    term(P_n * (h + H), w, slope[0]),
                    term(P_n * (h + H) * L, w, s <= S),
                ),
                using=((w**2 * P_n * (h + H), slope[1]),),
            ),
            because="Induction on the local steps, w = ω_e/Ē: noises of different steps are martingale "
            "differences, so their squares add up (RD.D1). z2 is the mean over the devices, own its bound.",
            depends=("RD.D1", "RD.D2", "RD.D2b"),
        ),
        line(
            "RA.T4",
            PLACE,
            "distance of the mean step from the gradient, and the noise",
            r"\|a-q\|^2\le F(A)^2,\qquad\|z\|^2\le N(A)",
            Claim(
                (L > 0, nu >= 0, *biases, devices, locally, is_N, mean_N <= N), sp.And(d2 <= F2, noise2 <= N)
            ),
            Parts(
                (
                    SumOfSquares(tuple(term(1, 1, link) for link in biases)),
                    SumOfSquares(
                        (term(1, 1, devices), term(nu, 1, locally), term(1, 1, mean_N <= N)),
                        using=((1, is_N),),
                    ),
                )
            ),
            because="d2, mean_F, mean_z, mean_own and mean_N are means over rounds and probability: of "
            "‖a_t−q_t‖², F(‖a_t‖²)², the noise of RA.T4n, its bound, and N(‖a_t‖²). F² and N are "
            "concave in ‖a_t‖²: Jensen (RA.C6). ν = 1 for any devices (RA.T4b), ν = 1/M for uncorrelated "
            "ones (RA.T4a, divided by M²).",
            depends=("RA.C6", "RA.T4q", "RA.T4n", "RA.T4a", "RA.T4b"),
        ),
    )


def constraint() -> tuple[Entry, ...]:
    x, r, n, F, y, root, z_len, L = real("q_len r n_len F gap_rms root_A z_len L")
    longer, quiet = n <= x + z_len, z_len <= r
    return (
        line(
            "RA.T5a",
            PLACE,
            "size of the step",
            r"\|q+z\|^2\le(x+\sqrt N)^2",
            Claim((L > 0, *nonnegative(x, r, n, z_len), longer, quiet), n**2 <= (x + r) ** 2),
            SumOfSquares((term(x + r + n, 1, longer), term(x + r + n, 1, quiet))),
            because="x = q_len = ‖q‖, z_len = ‖z‖ ≤ r = √N, n_len = ‖q+z‖ in L² (rounds × probability).",
            depends=("RA.T4", "RD.D2a"),
        ),
        line(
            "RA.T5b",
            PLACE,
            "the constraint",
            r"|x-\sqrt A|\le F",
            Claim(
                (L > 0, *nonnegative(x, root, y, F), x <= root + y, root <= x + y, y <= F),
                sp.Abs(x - root) <= F,
            ),
            Parts(
                tuple(
                    SumOfSquares((term(1, 1, y <= F), term(1, 1, side)))
                    for side in (root <= x + y, x <= root + y)
                )
            ),
            because="Triangle inequality both ways in L² (rounds × probability): gap_rms = ‖a − q‖, x = "
            "q_len.",
            depends=("RA.T4", "RD.D2a"),
        ),
    )
