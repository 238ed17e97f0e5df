"""Section 3 and 5: what the proofs assume before they start."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.assumptions import EPOCHS, SIGNS
from theory.certificates import shift, strictly_below
from theory.claim import (
    Claim,
    Derivation,
    Entry,
    FiniteClaim,
    Test,
    Verdict,
    counterexample,
    disproof,
    equal,
    proof,
    proof_if,
    support,
)
from theory.paper.theorem1_rate import GAMMA_MAX
from theory.provers import AtPoint, Identity, OnInstance, Positivity, Solver, SumOfSquares, term
from theory.symbols import B, E, G, H, Lam, P_b, P_n, gamma, mu, real, s2, x, y

R = sp.Rational
FRESH_E = shift(E, "e", 1)
rem, dist2, ll, v, w, cen, m1, m2, size, g1, g2, tail, share = real(
    "rem dist2 ll v w cen m1 m2 size g1 g2 tail share"
)
u, gr, eg, ms = real("u gr eg ms")


def entries() -> tuple[Entry, ...]:
    """Definitions, Assumptions 1-5, and the bound W."""
    return (
        *_smoothness(),
        _h(),
        *_relative_bias(),
        _power_law(),
        *_dissimilarity(),
        _bounded_iterates(),
        _noise(),
    )


def _smoothness() -> tuple[Entry, ...]:
    fxy, gxh, gyh, gxg, gyg, h2, L = real("fxy gxh gyh gxg gyg h2 L")
    square = gxg - gyg  # |∇f(x) − ∇f(y)|²
    up = fxy <= gxh + gyh - square / (2 * L) + L * h2 + square / (4 * L)
    down = -fxy <= -gxh - gyh - square / (2 * L) + L * h2 + square / (4 * L)
    both = (rem <= ll / 2 * dist2, rem >= -ll / 2 * dist2, mu >= 0, dist2 >= 0)
    return (
        Entry(
            id="S.1",
            place="Appendix C.3, 'appending such a proximal term preserves the smoothness'",
            title="The restructured loss is (L+mu)-smooth",
            printed=r"|f(v)-f(w)-\langle\nabla f(w),v-w\rangle|\le\tfrac{L+\mu}{2}\|v-w\|^2",
            claim=Claim(
                both,
                sp.And(
                    rem + mu / 2 * dist2 <= (ll + mu) / 2 * dist2,
                    rem + mu / 2 * dist2 >= -(ll + mu) / 2 * dist2,
                ),
            ),
            verdict=Verdict.VALID,
            evidence=(
                proof(Solver()),
                support(
                    Claim(
                        (),
                        equal(
                            mu / 2 * (v - cen) ** 2 - mu / 2 * (w - cen) ** 2 - mu * (w - cen) * (v - w),
                            mu / 2 * (v - w) ** 2,
                        ),
                    ),
                    Identity(),
                    "the proximal term has remainder exactly (mu/2)|v-w|^2",
                ),
            ),
            derivation=Derivation.RIGHT,
            assumes=("A1",),
            reduction="rem is the remainder of the application loss, which Assumption 1 bounds by "
            "(L/2)|v-w|^2 on both sides.",
            audit_rows=(1,),
        ),
        Entry(
            id="S.2",
            place="Assumption 1, as the proofs use it",
            title="Assumption 1 makes the gradient Lipschitz",
            printed=r"\|\nabla f(v)-\nabla f(w)\|\le(L+\mu)\|v-w\|",
            claim=Claim((L > 0, h2 >= 0, square >= 0, up, down), square <= 4 * L**2 * h2),
            verdict=Verdict.VALID,
            evidence=(proof(SumOfSquares((term(2 * L, 1, up), term(2 * L, 1, down)))),),
            depends=("S.1",),
            assumes=("A1",),
            reduction="Assumption 1 from both ends to the midpoint plus and minus u, u = -(grad f(w) - "
            "grad f(v))/(2L); "
            "h2 is a quarter of |v-w|^2; letters such as gxh are inner products.",
            audit_rows=(1,),
        ),
    )


def _h() -> Entry:
    return Entry(
        id="S.3",
        place="Section 5, definition of H",
        title="H is at most 1",
        printed=r"H=\frac{1}{1+2B^2(P_b+P_n)}\le1",
        claim=Claim(SIGNS, H <= 1),
        verdict=Verdict.VALID,
        evidence=(proof(Positivity()),),
        derivation=Derivation.NONE,
        audit_rows=(1,),
    )


def _relative_bias() -> tuple[Entry, ...]:
    width = (P_n >= 0, B >= 1, EPOCHS, Lam > 0)
    printed = GAMMA_MAX.subs({x: P_n * B**2, y: P_b * B**2})
    below_range = sp.fraction(sp.together(GAMMA_MAX))[1]
    limit = 1 / (6 * E**2 * B**2)
    return (
        Entry(
            id="S.4",
            place="Assumption 3, P_b in (0,1), against eq. gamma_range",
            title="P_b in (0,1) leaves a learning rate to choose",
            printed=r"P_b\in(0,1)\ \Rightarrow\ \frac{1-6P_bE^2B^2}{12(1+P_bB^2+(L+\mu+1)P_nB^2)E^2}>0",
            claim=Claim((P_b > 0, P_b < 1, *width), printed > 0),
            verdict=Verdict.CONDITIONAL,
            condition=P_b < limit,
            evidence=(
                proof_if(Positivity(strictly_below(P_b, "m", limit), shift(B, "n", 1), FRESH_E)),
                counterexample(AtPoint({P_b: R(1, 2), P_n: 0, B: 1, E: 1, Lam: 1})),
            ),
            derivation=Derivation.NONE,
            corrected="P_b < 1/(6 E^2 B^2)",
            assumes=("A3",),
            audit_rows=(2,),
            note="The text after Assumption 3 also sets P_b = 0, which (0,1) excludes.",
        ),
        Entry(
            id="S.4n",
            place="eq. gamma_range",
            title="A non-empty range forces P_b below 1/(6 E^2 B^2)",
            printed="",
            claim=Claim((*SIGNS, EPOCHS, Lam > 0, gamma > 0, gamma <= GAMMA_MAX), 6 * y * E**2 < 1),
            verdict=Verdict.VALID,
            evidence=(
                proof(Solver()),
                support(
                    Claim(
                        (*SIGNS, EPOCHS, Lam > 0, gamma > 0, gamma <= GAMMA_MAX),
                        gamma * below_range <= 1 - 6 * y * E**2,
                    ),
                    SumOfSquares((term(below_range, 1, gamma <= GAMMA_MAX),)),
                    "the range times its denominator: the left side is positive",
                ),
            ),
            derivation=Derivation.NONE,
            audit_rows=(2,),
        ),
    )


def _power_law() -> Entry:
    return Entry(
        id="S.6",
        place="Assumption 4",
        title="A non-zero gradient with at least two coordinates can satisfy Assumption 4",
        printed=r"|g_t(i)|=i^{-p}\|g_t\|",
        claim=Claim(
            (
                share > 0,  # 2^{-p}
                tail >= 0,
                size >= 0,
                sp.Eq(size**2, g1**2 + g2**2 + tail),
                sp.Eq(g1, size),
                sp.Eq(g2, share * size),
            ),
            size > 0,
        ),
        verdict=Verdict.REFUTED,
        evidence=(
            disproof(Solver()),
            counterexample(AtPoint({share: R(1, 4), tail: 0, size: 0, g1: 0, g2: 0})),
        ),
        derivation=Derivation.NONE,
        corrected="sorted by size, |g|_(i) <= i^{-p} |g|",
        corrected_tex=r"|g|_{(i)}\le i^{-p}\|g\|",
        assumes=("A4",),
        reduction="g1, g2 are the absolute values of the first two coordinates, tail the sum of the other "
        "squares. "
        "i = 1 gives |g(1)| = |g|, so all other coordinates vanish, and then i = 2 gives |g| = 0.",
        audit_rows=(3,),
        note="The assumption is not contradictory: g = 0 satisfies it, and so does every vector when d = 1.",
    )


def _dissimilarity() -> tuple[Entry, ...]:
    count, total, squares, eps = real("count total squares eps")
    jensen = total**2 <= count * squares
    somewhere = sp.Or(G <= eps, ms <= B**2 * G)  # Assumption 5: the bound holds where |∇f|² > ε
    return (
        Entry(
            id="S.7",
            place="Lemma 2 and later: B^2 appears in front of P_b and P_n",
            title="Assumption 2 gives the bound with B^2 in front, which needs B >= 1",
            printed=r"P_n\|\nabla f\|^2+\sigma^2\le P_nB^2\|\nabla f\|^2+\sigma^2",
            claim=Claim((P_n >= 0, B >= 0, G >= 0), P_n * G + s2 <= P_n * B**2 * G + s2),
            verdict=Verdict.CONDITIONAL,
            condition=B >= 1,
            evidence=(
                proof_if(SumOfSquares((term(P_n * G * (B + 1), 1, B >= 1),))),
                counterexample(AtPoint({P_n: 1, B: R(1, 2), G: 1, s2: 0})),
            ),
            derivation=Derivation.NONE,
            corrected="state B >= 1",
            assumes=("A5",),
            audit_rows=(4,),
        ),
        Entry(
            id="S.7b",
            place="Definition 2",
            title="B(w) is at least 1 when f is the average of the device losses",
            printed=r"\left\|\tfrac1M\textstyle\sum_m\nabla f_m\right\|^2\le\tfrac1M\sum_m\|\nabla f_m\|^2",
            claim=Claim((count >= 1, jensen), (total / count) ** 2 <= squares / count),
            verdict=Verdict.VALID,
            evidence=(proof(SumOfSquares((term(1 / count**2, 1, jensen),))),),
            derivation=Derivation.NONE,
            depends=("M.3a",),
            reduction="Per coordinate: total and squares are the sum and the sum of squares over the count "
            "devices, "
            "related by Cauchy-Schwarz (entry M.3a).",
            audit_rows=(4,),
            note="So any B that Assumption 5 allows is at least 1 as soon as S_eps is not empty.",
        ),
        Entry(
            id="S.8",
            place="Assumption 5, used at every iterate",
            title="The dissimilarity is bounded at every iterate",
            printed=r"\tfrac1M\textstyle\sum_m\|\nabla f_m(w)\|^2\le B^2\|\nabla f(w)\|^2\ \text{ for all "
            r"} w",
            claim=Claim((B >= 1, G >= 0, ms >= 0, eps > 0, somewhere), ms <= B**2 * G),
            verdict=Verdict.CONDITIONAL,
            condition=G > eps,
            evidence=(
                proof_if(Solver()),
                counterexample(AtPoint({B: 10, G: 0, ms: 1, eps: R(1, 100)})),
            ),
            derivation=Derivation.NONE,
            reduction="ms is the mean of the squared device gradients. f_1 = w, f_2 = -w has ms = 1 and "
            "grad f = 0.",
            corrected="A3 of the repaired theory: mean of squares <= G^2 + B^2 |grad f|^2",
            assumes=("A5",),
            audit_rows=(4,),
            note="Assumption 5 bounds B(w) on S_eps only; the proofs never distinguish the two regions.",
        ),
    )


def _bounded_iterates() -> Entry:
    data = {
        "mu": (Fraction(0), Fraction(1, 10), Fraction(10)),
        "L": Fraction(78),
        "P_b": Fraction(1, 12),
        "T": 40,
        "W": Fraction(10**9),
    }

    def rate(d: dict) -> Fraction:
        return (1 - 6 * d["P_b"]) / (12 * (1 + d["P_b"]))

    def last(d: dict, mu_value: Fraction) -> Fraction:
        """w_T from w_0 = 1; at E = 1 the centre is the point itself, so the proximal gradient is 0."""
        point = Fraction(1)
        for _ in range(d["T"]):
            centre = point
            point = point - rate(d) * (d["L"] * point + mu_value * (point - centre))
        return point

    return Entry(
        id="S.9",
        place="Section 4, third benefit of the proximal term",
        title="The proximal term bounds the iterates",
        printed=r"\|w^{gb}\|^2\le W",
        claim=FiniteClaim(
            (Test("gamma is in eq. gamma_range (P_n = 0, E = B = 1)", lambda d: 0 < rate(d)),),
            Test("|w_T|^2 <= W for every mu", lambda d: all(last(d, m) ** 2 <= d["W"] for m in d["mu"])),
        ),
        verdict=Verdict.REFUTED,
        evidence=(
            counterexample(
                OnInstance(
                    data,
                    "l = 39w^2, E = 1, gamma = 1/26: w_t = (-2)^t for mu = 0, 1/10, 10",
                    lambda d: f"{last(d, d['mu'][2]) ** 2} <= {d['W']} is false",
                )
            ),
            support(
                Claim((sp.Eq(u * gr, 3), sp.Eq(cen, w)), equal(w - gr * (u * w + mu * (w - cen)), -2 * w)),
                Solver(),
                "w becomes -2w for every mu whenever gamma times the curvature is 3, so no W works",
            ),
        ),
        derivation=Derivation.NONE,
        corrected="W has to be assumed, or measured",
        assumes=("AW",),
        audit_rows=(7,),
    )


def _noise() -> Entry:
    return Entry(
        id="S.10",
        place="Definition 1",
        title="Bias and noise add up, and the noise has mean zero",
        printed=r"g_t=\nabla f(w_t)+\beta_t+\zeta_t,\quad\mathbb{E}_t\zeta_t=0",
        claim=Claim(
            (),
            sp.And(
                equal(u + (eg - u) + (gr - eg), gr), equal((m1 + m2) / 2 - eg, (m1 - eg) / 2 + (m2 - eg) / 2)
            ),
        ),
        verdict=Verdict.VALID,
        evidence=(proof(Identity()),),
        derivation=Derivation.NONE,
        assumes=("D1",),
        reduction="u = grad f, gr = g, eg = E g; the mean of the noise for a two-point gradient m1, m2 "
        "with mean eg.",
    )
