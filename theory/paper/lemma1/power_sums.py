"""Lemma 1, line 7: the power sum Σ_{i=k+1}^d i^{-2p} against integrals.

For integer n = 2p one term against one integral is a polynomial inequality, certified for every real i ≥ 2.
Added over k < i ≤ d the integrals over unit intervals make the integral from k to d.
"""

from __future__ import annotations

import sympy as sp

from theory.ledger import Claim, Entry, support
from theory.ledger.lines import defined, question, refuted
from theory.provers import AtPoint, Positivity
from theory.provers.certificates import shift
from theory.symbols import d, k, real

PREFIXES = ("L1",)

EXPONENTS = range(3, 13)  # 2p for p > 1, up to p = 6
INTEGERS = "Certified for integer 2p from 3 to 12 and every real i >= 2; for real p it is, in words, "
HALF = sp.Rational(1, 2)
LETTERS = {"i": "index of a coordinate"}
(i,) = real("i")


def entries() -> tuple[Entry, ...]:
    """The printed comparison, the corrected one, and a tighter one."""
    return defined(LETTERS, (_printed(), _corrected(), _midpoint()))


def over_unit(start: sp.Expr, n: int) -> sp.Expr:
    """∫ t^{-n} dt from start to start + 1."""
    return (start ** (1 - n) - (start + 1) ** (1 - n)) / (n - 1)


def _every_exponent(relation: type, start: sp.Expr) -> Claim:
    """i^{-n} against the integral over a unit interval that begins at `start`, for each n."""
    return Claim((i >= 2,), sp.And(*(relation(i**-n, over_unit(start, n)) for n in EXPONENTS)))


def _printed() -> Entry:
    return refuted(
        id="L1.7",
        place="Appendix C.1, eq. (14), line 7, second part",
        title="The power sum is bounded by an integral that lies below it",
        printed=r"\sum_{i=k+1}^di^{-2p}\le\frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}",
        claim=Claim((k >= 1, sp.Eq(d, k + 1)), (k + 1) ** -4 <= ((k + 1) ** -3 - d**-3) / 3),
        fails=AtPoint({k: 1, d: 2}),
        beside=(
            support(
                _every_exponent(sp.Gt, i),
                Positivity(shift(i, "j", 2)),
                "one term exceeds the integral over the next unit interval, so the sum over k < i <= d "
                "exceeds the integral from k+1 to d+1: the line is false for every d > k",
            ),
        ),
        depends=("L1.6",),
        right=(
            "the integral from k to d, or from k+1/2 to d+1/2, or exactly zeta(2p,k+1) - zeta(2p,d+1)",
            r"\sum_{i=k+1}^di^{-2p}\le\frac{k^{1-2p}-d^{1-2p}}{2p-1}",
        ),
        severity="fixable",
        note="At p = 2 and d = k + 1 the sum has one term, and the printed bound is 0; at k = d it is "
        "negative.",
    )


def _corrected() -> Entry:
    return question(
        id="L1.7r",
        place="Appendix C.1, eq. (14), line 7, second part, corrected",
        title="The power sum is at most the integral from k to d",
        claim=_every_exponent(sp.Le, i - 1),
        method=Positivity(shift(i, "j", 2)),
        scope=INTEGERS + "that t^{-2p} decreases.",
        note="One term is at most the integral over the unit interval before i. Added over k < i <= d this "
        "is the integral from k to d.",
    )


def _midpoint() -> Entry:
    return question(
        id="L1.7m",
        place="Appendix C.1, eq. (14), line 7, second part, tighter",
        title="The power sum is at most the integral from k+1/2 to d+1/2",
        claim=_every_exponent(sp.Le, i - HALF),
        method=Positivity(shift(i, "j", 2)),
        scope=INTEGERS + "the convexity of t^{-2p}.",
        note="One term is at most the integral over the unit interval around i. Added over k < i <= d this "
        "is the integral from k+1/2 to d+1/2.",
    )
