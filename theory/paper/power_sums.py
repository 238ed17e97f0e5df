"""Lemma 1, line 7: the power sum Σ_{i=k+1}^d i^{-2p} against integrals.

For integer n = 2p each comparison of one term with one integral is a polynomial inequality, certified for
every i; the integrals over unit intervals telescope. For real p it is the monotonicity of t^{-2p}.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.certificates import shift
from theory.claim import Derivation, Entry, FiniteClaim, Method, Verdict, counterexample, proof, support
from theory.provers import OnInstance, Positivity, Telescoping
from theory.second import drifts
from theory.sums import HIGH, INDEX, LOW, PowerSum, power_sums

EXPONENTS = range(3, 13)  # 2p for p > 1, up to p = 6
EXAMPLE = {"k": 1, "d": 2, "n": 4}
PLACE = "Appendix C.1, proof of Lemma 1, line 7, second part"


def entries() -> tuple[Entry, ...]:
    """The printed comparison, the corrected one, and a tighter one."""
    return (_printed(), _corrected(), _midpoint())


def power_sum(k: int, d: int, n: int) -> Fraction:
    """Σ_{i=k+1}^d i^{-n}."""
    return sum((Fraction(1, j**n) for j in range(k + 1, d + 1)), Fraction(0))


def area(low: sp.Expr, high: sp.Expr, n: int) -> sp.Expr:
    """∫_low^high t^{-n} dt."""
    return potential(low, n) - potential(high, n)


def potential(point: sp.Expr, n: int) -> sp.Expr:
    """∫_point^∞ t^{-n} dt."""
    return point ** (1 - n) / (n - 1)


def _claim(text: str, low: sp.Expr, high: sp.Expr, above: bool = False) -> FiniteClaim:
    """The sum over k < i ≤ d against the integral from low to high."""
    terms, bounds = {n: INDEX**-n for n in EXPONENTS}, {n: area(low, high, n) for n in EXPONENTS}
    return power_sums(text, PowerSum(terms, bounds, above), "2p is an integer from 3 to 12")


def _telescoping(shifted: sp.Expr | int, rest: Method | None = None) -> Telescoping:
    """One certificate per exponent: i^{-n} against the integral over [i−1+shifted, i+shifted]."""
    return Telescoping(
        lambda n: potential(INDEX + shifted, n),
        Positivity(shift(INDEX, "j", 2)),
        EXAMPLE,
        "k = 1, d = 2, p = 2",
        rest,
    )


def _printed() -> Entry:
    return Entry(
        id="L1.7",
        place=PLACE,
        title="The power sum is bounded by an integral that lies below it",
        printed=r"\sum_{i=k+1}^di^{-2p}\le\frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}",
        claim=_claim("sum <= integral from k+1 to d", LOW + 1, HIGH),
        verdict=Verdict.REFUTED,
        derivation=Derivation.WRONG,
        evidence=(
            counterexample(
                OnInstance(
                    EXAMPLE,
                    "k = 1, d = 2, p = 2",
                    lambda d: f"{power_sum(1, 2, 4)} <= {area(sp.Integer(2), sp.Integer(2), 4)} is false",
                    drifts.INTEGRAL,
                )
            ),
            support(
                _claim("sum > integral from k+1 to d", LOW + 1, HIGH, above=True),
                _telescoping(1, Positivity(shift(HIGH, "m", 2))),
                "false for every d > k, not only for some",
            ),
        ),
        depends=("L1.6",),
        corrected="the integral from k to d, or from k+1/2 to d+1/2, or exactly zeta(2p,k+1) - zeta(2p,d+1)",
        corrected_tex=r"\sum_{i=k+1}^di^{-2p}\le\frac{k^{1-2p}-d^{1-2p}}{2p-1}",
        audit_rows=(14,),
        note="The printed bound is negative at k = d. Integer 2p from 3 to 12 are certified; for real p "
        "the same "
        "comparison is that t^{-2p} decreases.",
        weight=5,
    )


def _corrected() -> Entry:
    return Entry(
        id="L1.7r",
        place=f"{PLACE}, corrected",
        title="The power sum is at most the integral from k to d",
        printed="",
        claim=_claim("sum <= integral from k to d", LOW, HIGH),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(proof(_telescoping(0)),),
        corrected_tex=r"\sum_{i=k+1}^di^{-2p}\le\frac{k^{1-2p}-d^{1-2p}}{2p-1}",
        audit_rows=(14,),
        scope="Certified for integer 2p from 3 to 12, all k and d; for real p it is, in words, that t^{-2p} "
        "decreases.",
    )


def _midpoint() -> Entry:
    half = sp.Rational(1, 2)
    return Entry(
        id="L1.7m",
        place=f"{PLACE}, tighter",
        title="The power sum is at most the integral from k+1/2 to d+1/2",
        printed="",
        claim=_claim("sum <= integral from k+1/2 to d+1/2", LOW + half, HIGH + half),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(proof(_telescoping(half)),),
        corrected_tex=r"\sum_{i=k+1}^di^{-2p}\le\frac{(k+\frac12)^{1-2p}-(d+\frac12)^{1-2p}}{2p-1}",
        audit_rows=(14,),
        scope="Certified for integer 2p from 3 to 12, all k and d; for real p it is, in words, the "
        "convexity of t^{-2p}.",
    )
