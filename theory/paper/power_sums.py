"""Lemma 1, line 7: the power sum Σ_{i=k+1}^d i^{-2p} against integrals.

For integer n = 2p each comparison of one term with one integral is a polynomial inequality, certified for
every i; the sums follow by adding over i. For real p the same comparison is the monotonicity of t^{-2p}.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy as sp

from theory.certificates import shift
from theory.claim import Claim, Derivation, Entry, FiniteClaim, Test, Verdict, counterexample, proof, support
from theory.provers import Chain, OnInstance, Positivity
from theory.symbols import real

EXPONENTS = range(3, 13)  # 2p for p > 1, up to p = 6
i = real("i")[0]
PLACE = "Appendix C.1, proof of Lemma 1, line 7, second part"


def entries() -> tuple[Entry, ...]:
    """The printed comparison, the corrected one, and a tighter one."""
    return (_printed(), _corrected(), _midpoint())


def power_sum(k: int, d: int, n: int) -> Fraction:
    """Σ_{i=k+1}^d i^{-n}."""
    return sum((Fraction(1, j**n) for j in range(k + 1, d + 1)), Fraction(0))


def integral(low: Fraction, high: Fraction, n: int) -> Fraction:
    """∫_low^high t^{-n} dt."""
    return (Fraction(low) ** (1 - n) - Fraction(high) ** (1 - n)) / (n - 1)


def _statement(text: str, bound: Callable[[dict], Fraction]) -> FiniteClaim:
    return FiniteClaim(
        (
            Test("1 <= k < d", lambda d: 1 <= d["k"] < d["d"]),
            Test("2p is an integer from 3 to 12", lambda d: d["n"] in EXPONENTS),
        ),
        Test(text, lambda d: power_sum(d["k"], d["d"], d["n"]) <= bound(d)),
    )


def _grid() -> list[dict]:
    return [{"k": k, "d": d, "n": n} for n in EXPONENTS for k in range(1, 8) for d in range(k + 1, k + 12)]


def _termwise(low: sp.Expr, high: sp.Expr, below_term: bool) -> tuple:
    """One certificate per exponent: i^{-n} against ∫_low^high t^{-n} dt, for all real i ≥ 1 or 2."""
    start = 1 if below_term else 2
    links = []
    for n in EXPONENTS:
        area = (low ** (1 - n) - high ** (1 - n)) / (n - 1)
        relation = i ** (-n) > area if below_term else i ** (-n) <= area
        links.append((Claim((i >= start,), relation), Positivity(shift(i, "j", start))))
    return tuple(links)


def _printed() -> Entry:
    return Entry(
        id="L1.7",
        place=PLACE,
        title="The power sum is bounded by an integral that lies below it",
        printed=r"\sum_{i=k+1}^di^{-2p}\le\frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}",
        claim=_statement(
            "sum <= integral from k+1 to d",
            lambda d: integral(Fraction(d["k"] + 1), Fraction(d["d"]), d["n"]),
        ),
        verdict=Verdict.REFUTED,
        derivation=Derivation.WRONG,
        evidence=(
            counterexample(
                OnInstance(
                    {"k": 1, "d": 2, "n": 4},
                    "k = 1, d = 2, p = 2",
                    lambda d: f"{power_sum(1, 2, 4)} <= {integral(Fraction(2), Fraction(2), 4)} is false",
                )
            ),
            support(
                _always_above(),
                Chain(
                    "Each i^{-n} exceeds the integral over [i, i+1]; adding over i = k+1, …, d-1 and the "
                    "last term "
                    "puts the sum above the printed bound for every d > k.",
                    _termwise(i, i + 1, below_term=True),
                    spots=_grid,
                    data={"k": 1, "d": 2, "n": 4},
                    text="k < 8, d < k + 12",
                ),
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


def _always_above() -> FiniteClaim:
    printed = _statement("", lambda d: integral(Fraction(d["k"] + 1), Fraction(d["d"]), d["n"]))
    return FiniteClaim(
        printed.hypotheses, Test("sum > integral from k+1 to d", lambda d: not printed.statement.holds(d))
    )


def _corrected() -> Entry:
    return Entry(
        id="L1.7r",
        place=f"{PLACE}, corrected",
        title="The power sum is at most the integral from k to d",
        printed="",
        claim=_statement(
            "sum <= integral from k to d", lambda d: integral(Fraction(d["k"]), Fraction(d["d"]), d["n"])
        ),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(
            proof(
                Chain(
                    "Each i^{-n}, i >= 2, is at most the integral over [i-1, i]; add over i = k+1, …, d.",
                    _termwise(i - 1, i, below_term=False),
                    spots=_grid,
                    data={"k": 1, "d": 2, "n": 4},
                    text="k < 8, d < k + 12",
                )
            ),
        ),
        corrected_tex=r"\sum_{i=k+1}^di^{-2p}\le\frac{k^{1-2p}-d^{1-2p}}{2p-1}",
        audit_rows=(14,),
        note="Certified for integer 2p from 3 to 12; for real p it is that t^{-2p} decreases.",
    )


def _midpoint() -> Entry:
    half = Fraction(1, 2)
    return Entry(
        id="L1.7m",
        place=f"{PLACE}, tighter",
        title="The power sum is at most the integral from k+1/2 to d+1/2",
        printed="",
        claim=_statement(
            "sum <= integral from k+1/2 to d+1/2", lambda d: integral(d["k"] + half, d["d"] + half, d["n"])
        ),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(
            proof(
                Chain(
                    "Each i^{-n} is at most the integral over [i-1/2, i+1/2], by convexity; add over i.",
                    _termwise(i - sp.Rational(1, 2), i + sp.Rational(1, 2), below_term=False),
                    spots=_grid,
                    data={"k": 1, "d": 2, "n": 4},
                    text="k < 8, d < k + 12",
                )
            ),
        ),
        corrected_tex=r"\sum_{i=k+1}^di^{-2p}\le\frac{(k+\frac12)^{1-2p}-(d+\frac12)^{1-2p}}{2p-1}",
        audit_rows=(14,),
        note="Certified for integer 2p from 3 to 12.",
    )
