"""Theorem A, concavity: functions φ ≥ 0 with concave φ² are closed under sums, scaling and ℓ2 combination,
and the recursion of Lemma 2' starts with one of them, so F² and N are concave in t.

φ² is concave if at a mixed point, λ of the way to the first of two, φ_m² ≥ λφ_1² + (1−λ)φ_2².
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, Identity, Parts, SumOfSquares, term
from theory.repaired.lines import classical, line, nonnegative
from theory.symbols import real

PLACE = "Theorem A"
lam = real("lambda")[0]
WEIGHT = (lam >= 0, lam <= 1)


def entries() -> tuple[Entry, ...]:
    """RA.C1 to RA.C5."""
    return (*closed(), *recursion(), *sums(), _jensen(), _mean_of_concave())


def mix(one: sp.Expr, two: sp.Expr) -> sp.Expr:
    """λ one + (1−λ) two."""
    return lam * one + (1 - lam) * two


def closed() -> tuple[Entry, ...]:
    p1, p2, q1, q2, P, Q, A1, A2, pm, qm = real("p1 p2 q1 q2 P Q A1 A2 pm qm")
    mix_p, mix_q, mix_pq = mix(p1**2, p2**2), mix(q1**2, q2**2), mix(p1 * q1, p2 * q2)
    lower = (P >= mix_p, Q >= mix_q)
    concave = (pm**2 >= mix_p, qm**2 >= mix_q)
    cauchy, above = mix_pq**2 <= mix_p * mix_q, mix_pq > pm * qm
    both, product = pm**2 + qm**2 >= mix_p + mix_q, mix_pq <= pm * qm
    roots = nonnegative(p1, p2, q1, q2, pm, qm)
    return (
        line(
            "RA.C1",
            PLACE,
            "Cauchy-Schwarz for two points",
            r"(\lambda\varphi_1\chi_1+(1-\lambda)\varphi_2\chi_2)^2\le(\lambda\varphi_1^2+(1-\lambda)"
            r"\varphi_2^2)(\lambda\chi_1^2+(1-\lambda)\chi_2^2)",
            Claim(WEIGHT, cauchy),
            SumOfSquares((term(lam * (1 - lam), p1 * q2 - p2 * q1),)),
        ),
        line(
            "RA.C1r",
            PLACE,
            "the class is closed under products of roots (geometric mean)",
            r"\varphi^2,\chi^2\text{ concave}\Rightarrow\varphi\chi\text{ concave}",
            Claim((*WEIGHT, *roots, *concave, cauchy), product),
            Contradiction(
                (
                    term(1, 1, above, above),
                    term(2 * pm * qm, 1, above),
                    term(1, 1, cauchy),
                    term(1, qm, concave[0]),
                    term(lam, p1, concave[1]),
                    term(1 - lam, p2, concave[1]),
                )
            ),
            because="pm and qm are φ and χ at the mixed point.",
            depends=("RA.C1",),
            stated=concave,
        ),
        line(
            "RA.C2",
            PLACE,
            "closed under ℓ2 combination and scaling",
            r"\varphi^2,\chi^2\text{ concave}\Rightarrow s\varphi^2+r\chi^2\text{ concave}",
            Claim((*nonnegative(A1, A2), *lower), A1 * P + A2 * Q >= A1 * mix_p + A2 * mix_q),
            SumOfSquares((term(A1, 1, lower[0]), term(A2, 1, lower[1]))),
            because="P, Q are φ² and χ² at the mixed point.",
            stated=lower,
        ),
        line(
            "RA.C3",
            PLACE,
            "closed under sums",
            r"\varphi^2,\chi^2\text{ concave}\Rightarrow(\varphi+\chi)^2=\varphi^2+\chi^2+2\varphi\chi"
            r"\text{ concave}",
            Claim(
                (*WEIGHT, *roots, *concave, both, product),
                (pm + qm) ** 2 >= mix((p1 + q1) ** 2, (p2 + q2) ** 2),
            ),
            SumOfSquares((term(1, 1, both), term(2, 1, product))),
            because="A sum of three concave functions, by RA.C1r and RA.C2.",
            depends=("RA.C1r", "RA.C2"),
            stated=concave,
        ),
    )


def recursion() -> tuple[Entry, ...]:
    """D², then H², P_bH² + b² and S_{e+1}² with S_e²."""
    G2, B2, t1, t2, L, P_b, P_n, b2, s2, keep, gamma = real("G2 B2 t1 t2 L P_b P_n b2 s2 keep gamma")
    D, S, H, t = (real(f"{name}_m {name}_1 {name}_2") for name in "DSHt")
    D_in, S_in, H_in, t_in = (concave_at(letters) for letters in (D, S, H, t))
    slopes = tuple(sp.Eq(h, d + L * s) for h, d, s in zip(H, D, S, strict=True))
    biases = tuple(sp.Eq(v**2, P_b * h**2 + b2) for v, h in zip(t, H, strict=True))
    sum_in = concave_at(tuple(d + L * s for d, s in zip(D, S, strict=True)))
    lifted = P_b * H[0] ** 2 + b2 >= P_b * mix(H[1] ** 2, H[2] ** 2) + b2
    moves = tuple(h + v for h, v in zip(H, t, strict=True))
    pulls = tuple(keep * s + gamma * v for s, v in zip(S, moves, strict=True))
    after = tuple(p**2 + gamma**2 * (P_n * h**2 + s2) for p, h in zip(pulls, H, strict=True))
    pull_in = concave_at(pulls)
    return (
        line(
            "RA.C4",
            PLACE,
            "the recursion starts inside the class: D(t)² is affine",
            r"D(t)^2=G^2+B^2t",
            Claim((), sp.Eq(G2 + B2 * mix(t1, t2), mix(G2 + B2 * t1, G2 + B2 * t2))),
            Identity(),
        ),
        line(
            "RA.C4h",
            PLACE,
            "the slope H = D + LS stays in the class",
            r"S^2\text{ concave}\Rightarrow(D+LS)^2\text{ concave}",
            Claim((*WEIGHT, *nonnegative(L, *D, *S), D_in, S_in, *slopes, sum_in), H_in),
            SumOfSquares(
                (term(1, 1, sum_in),),
                using=tuple(
                    (f * (h + d + L * s), e)
                    for f, h, d, s, e in zip((1, -lam, lam - 1), H, D, S, slopes, strict=True)
                ),
            ),
            depends=("RA.C3", "RA.C4"),
            stated=(S_in,),
        ),
        line(
            "RA.C4t",
            PLACE,
            "the bound on the bias stays in the class",
            r"H^2\text{ concave}\Rightarrow P_bH^2+b^2\text{ concave}",
            Claim((*WEIGHT, *nonnegative(P_b, b2, *H, *t), H_in, *biases, lifted), t_in),
            SumOfSquares((term(1, 1, lifted),), using=tuple(zip((1, -lam, lam - 1), biases, strict=True))),
            because="t = √(P_bH²+b²).",
            depends=("RA.C2",),
            stated=(H_in,),
        ),
        line(
            "RA.C4s",
            PLACE,
            "each step of the recursion stays in the class",
            r"S_e^2\text{ concave}\Rightarrow S_{e+1}^2\text{ concave}",
            Claim(
                (
                    *(*WEIGHT, *nonnegative(gamma, keep, P_n, s2, *S, *H, *t)),
                    *(S_in, H_in, t_in, concave_at(moves), pull_in),
                ),
                after[0] >= mix(after[1], after[2]),
            ),
            SumOfSquares((term(1, 1, pull_in), term(P_n, gamma, H_in))),
            because="Induction on e, from S_0 = 0; S_{e+1} as in RD.D2.",
            depends=("RA.C3", "RA.C4h", "RA.C4t", "RD.D2"),
        ),
    )


def concave_at(values: tuple[sp.Expr, ...]) -> sp.Basic:
    """φ_m² ≥ λφ_1² + (1−λ)φ_2²."""
    mixed, one, two = values
    return mixed**2 >= mix(one**2, two**2)


def sums() -> tuple[Entry, ...]:
    """F = Σ_e (ω_e/Ē)(LS_e + √(P_bH_e²+b²)) and N = νΣ_e (ω_e/Ē)²(P_nH_e² + σ²)."""
    L, w, nu, P_n, s2 = real("L w nu P_n s2")
    F, S, H, t, N = (real(f"{name}_m {name}_1 {name}_2") for name in "FSHtN")
    F_in, S_in, H_in, t_in = (concave_at(letters) for letters in (F, S, H, t))
    terms = tuple(L * s + v for s, v in zip(S, t, strict=True))
    longer = tuple(f + w * v for f, v in zip(F, terms, strict=True))
    noises = tuple(n + nu * w**2 * (P_n * h**2 + s2) for n, h in zip(N, H, strict=True))
    N_in, terms_in = N[0] >= mix(N[1], N[2]), concave_at(terms)
    product = mix(F[1] * terms[1], F[2] * terms[2]) <= F[0] * terms[0]
    return (
        line(
            "RA.C4f",
            PLACE,
            "F² is concave in t",
            r"F(t)^2=\Big(\sum_e\tfrac{\omega_e}{\bar E}(LS_e+\sqrt{P_bH_e^2+b^2})\Big)^2\text{ is concave}",
            Claim(
                (*WEIGHT, *nonnegative(L, w, *F, *S, *t), F_in, S_in, H_in, t_in, terms_in, product),
                concave_at(longer),
            ),
            SumOfSquares((term(1, 1, F_in), term(1, w, terms_in), term(2 * w, 1, product))),
            because="Induction on the local steps, w = ω_e/Ē; no step is the base.",
            depends=("RA.C1r", "RA.C3", "RA.C4h", "RA.C4s", "RA.C4t"),
        ),
        line(
            "RA.C4n",
            PLACE,
            "N is concave in t",
            r"N(t)=\nu\sum_e\tfrac{\omega_e^2}{\bar E^2}(P_nH_e^2+\sigma^2)\text{ is concave}",
            Claim(
                (*WEIGHT, *nonnegative(nu, P_n, s2), S_in, H_in, N_in), noises[0] >= mix(noises[1], noises[2])
            ),
            SumOfSquares((term(1, 1, N_in), term(nu * P_n, w, H_in))),
            because="Induction on the local steps, w = ω_e/Ē; no step is the base.",
            depends=("RA.C4h", "RA.C4s"),
        ),
    )


def _jensen() -> Entry:
    p1, p2 = real("p1 p2")
    return classical(
        "RA.C5",
        PLACE,
        "Jensen's inequality for a square",
        r"(\mathrm{mean}\,\varphi)^2\le\mathrm{mean}\,\varphi^2",
        Claim((*WEIGHT, *nonnegative(p1, p2)), mix(p1, p2) ** 2 <= mix(p1**2, p2**2)),
        "Jensen's inequality for a convex function",
        SumOfSquares((term(lam * (1 - lam), p1 - p2),)),
    )


def _mean_of_concave() -> Entry:
    mean_F, f_m, f_1, f_2, mean_N, n_m, n_1, n_2 = real("mean_F f_m f_1 f_2 mean_N n_m n_1 n_2")
    before = (mean_F <= f_2, mean_N <= n_2)
    concave = (f_m >= mix(f_1, f_2), n_m >= mix(n_1, n_2))
    return line(
        "RA.C6",
        PLACE,
        "Jensen's inequality for the concave F² and N",
        r"\mathrm{mean}_t\,F(\|a_t\|^2)^2\le F(A)^2,\qquad\mathrm{mean}_t\,N(\|a_t\|^2)\le N(A)",
        Claim((*WEIGHT, *before, *concave), sp.And(mix(f_1, mean_F) <= f_m, mix(n_1, mean_N) <= n_m)),
        Parts(
            tuple(
                SumOfSquares((term(1, 1, bent), term(1 - lam, 1, so_far)))
                for bent, so_far in zip(concave, before, strict=True)
            )
        ),
        because="Induction on the points of the mean, one point is the base: λ is the weight of one more, "
        "f_1 and n_1 are F² and N there, f_2 and n_2 at the mean of those before, f_m and n_m at the mean of "
        "all. A mean over probability is a limit of such means.",
        depends=("RA.C4f", "RA.C4n"),
    )
