"""Lemma 1, lines 4 to 6: the tail of the iterate through the norms of the gradients."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.counterexamples.second import selections
from theory.ledger import (
    Claim,
    Corrected,
    Entry,
    FiniteClaim,
    Kind,
    Severity,
    Test,
    Verdict,
    counterexample,
    defined,
    equal,
    necessary,
    printed_line,
    proof_if,
    question,
)
from theory.provers import AtPoint, Contradiction, Identity, OnInstance, term
from theory.symbols import k, real

PREFIXES = ("L1",)

eps2, norm2, g1, g2, a1, a2, w0, w2, size, total, head = real("eps2 norm2 g1 g2 a1 a2 w0 w2 size total head")
Vector = tuple[Fraction, ...]


LETTERS = {
    "eps2": "epsilon^2",
    "norm2": "E|w_t|^2",
    "head": "squared error on the k kept coordinates",
    "size": "sum of i^{-2p} over k < i <= d",
    "w0": "a coordinate of w_0",
    "w2": "the same coordinate of w_t",
    "total": "the same coordinate of the sum of the steps gamma g_j",
    "g1": "first step, in one dimension",
    "g2": "second step, in one dimension",
    "a1": "|g1|",
    "a2": "|g2|",
}


def entries() -> tuple[Entry, ...]:
    """The tail written through gradients, the reversed triangle inequality, and the factored norm."""
    return defined(LETTERS, _tail())


def squared(v: Vector) -> Fraction:
    """The squared norm."""
    return sum((value**2 for value in v), Fraction(0))


def minus(v: Vector, w: Vector) -> Vector:
    """v − w."""
    return tuple(a - b for a, b in zip(v, w, strict=True))


def _tail() -> tuple[Entry, ...]:
    crossed = {
        "gradients": ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))),
        "gamma": Fraction(1),
        "p": 2,
    }

    def iterate(d: dict) -> Vector:
        return tuple(-d["gamma"] * sum(column, Fraction(0)) for column in zip(*d["gradients"], strict=True))

    def tail_of(d: dict) -> Fraction:
        return squared(iterate(d)[1:])

    def printed_tail(d: dict) -> Fraction:
        """Σ_{i>1} i^{-2p} (Σ_j ‖γ g_j‖)², for gradients of norm 1."""
        length = d["gamma"] * len(d["gradients"])
        return (
            sum((Fraction(1, i ** (2 * d["p"])) for i in range(2, len(iterate(d)) + 1)), Fraction(0))
            * length**2
        )

    steps, printed = sp.Eq(w2, w0 - total), equal(w2, -total)
    return (
        Entry(
            id="L1.4",
            kind=Kind.PRINTED,
            place="Appendix C.1, eq. (14), line 4",
            title="The tail of the iterate is written as i^{-2p} times the squared sum of gradient norms",
            printed=r"\sum_{i=k+1}^d(w_t(i))^2=\sum_{i=k+1}^di^{-2p}\left(\sum_{j=1}^t\|-\gamma "
            r"g_j\|\right)^2",
            claim=FiniteClaim(
                (
                    Test(
                        "each gradient, sorted, satisfies |g|_(i) <= i^{-p} |g|, and has norm 1",
                        lambda d: all(
                            squared(g) == 1
                            and all(
                                value * n ** d["p"] <= 1
                                for n, value in enumerate(sorted(map(abs, g), reverse=True), start=1)
                            )
                            for g in d["gradients"]
                        ),
                    ),
                ),
                Test("tail of w <= printed tail", lambda d: tail_of(d) <= printed_tail(d)),
            ),
            verdict=Verdict.REFUTED,
            evidence=(
                counterexample(
                    OnInstance(
                        crossed,
                        "g_1 = (1, 0), g_2 = (0, 1), gamma = 1, k = 1, p = 2, w_0 = 0",
                        lambda d: f"{tail_of(d)} <= {printed_tail(d)} is false",
                        selections.CROSSED_GRADIENTS,
                        unlike=crossed | {"gradients": ((Fraction(1), Fraction(0)),) * 2},
                    )
                ),
            ),
            depends=("L1.3", "A4"),
            corrected=Corrected("assume the power law for the iterate itself"),
            severity=Severity.FATAL,
            note="Even as an inequality it needs one ordering of the coordinates common to all gradients, "
            "and w_0 = 0.",
        ),
        Entry(
            id="L1.4w",
            kind=Kind.SILENT,
            place="Appendix C.1, eq. (14), line 4, used without being written",
            title="The iterate is minus the sum of the steps",
            printed=r"w_t=\sum_{j=1}^t-\gamma g_j",
            claim=Claim((steps,), printed),
            verdict=Verdict.CONDITIONAL,
            evidence=(
                proof_if(sp.Eq(w0, 0), Identity(((w2, w0 - total), (w0, sp.Integer(0))))),
                counterexample(AtPoint({w0: 1, total: 0, w2: 1})),
                necessary(Identity(using=((-1, steps), (1, printed)))),
            ),
            corrected=Corrected("needs w_0 = 0"),
            severity=Severity.FIXABLE,
            note="Per coordinate; total is the sum of the steps gamma g_j, w2 the iterate after them. "
            "Algorithm 1 initialises the sketch with w_0.",
        ),
        Entry(
            id="L1.5",
            kind=Kind.PRINTED,
            place="Appendix C.1, eq. (14), line 5",
            title="The triangle inequality is used in the wrong direction",
            printed=r"\left(\sum_j\|-\gamma g_j\|\right)^2\le\left\|\sum_j-\gamma g_j\right\|^2",
            claim=Claim(
                (a1 >= 0, a2 >= 0, sp.Eq(a1**2, g1**2), sp.Eq(a2**2, g2**2)), (a1 + a2) ** 2 <= (g1 + g2) ** 2
            ),
            verdict=Verdict.REFUTED,
            evidence=(counterexample(AtPoint({g1: 1, g2: -1, a1: 1, a2: 1})),),
            depends=("L1.4",),
            corrected=Corrected(
                "the norm of the sum is at most the sum of the norms",
                r"\left\|\sum_j-\gamma g_j\right\|\le\sum_j\|-\gamma g_j\|",
            ),
            severity=Severity.FATAL,
            note="One dimension, two gradients 1 and -1: 4 against 0.",
        ),
        question(
            id="L1.5r",
            place="Appendix C.1, eq. (14), line 5, the direction that holds",
            title="The triangle inequality (checked in one dimension)",
            printed=r"\left\|\sum_j-\gamma g_j\right\|^2\le\left(\sum_j\|-\gamma g_j\|\right)^2",
            claim=Claim(
                (a1 >= 0, a2 >= 0, sp.Eq(a1**2, g1**2), sp.Eq(a2**2, g2**2)), (g1 + g2) ** 2 <= (a1 + a2) ** 2
            ),
            method=_triangle(),
            scope="Checked for two gradients in one dimension; norms in general are classical.",
        ),
        printed_line(
            id="L1.6",
            place="Appendix C.1, eq. (14), line 6",
            title="The squared norm is factored out",
            printed=r"=\left(\varepsilon^2k+\sum_{i=k+1}^di^{-2p}\right)\mathbb{E}\|w_t\|^2",
            claim=Claim(
                (k >= 1, sp.Eq(head, eps2 * k * norm2)), equal(head + size * norm2, (eps2 * k + size) * norm2)
            ),
            method=Identity(((head, eps2 * k * norm2),)),
            depends=("L1.3", "L1.5", "L1.4w"),
        ),
    )


def _triangle() -> Contradiction:
    """n = (g1+g2)² − (a1+a2)² > 0 gives n² + 4 n a1 a2 > 0, which is 0 because a1² = g1², a2² = g2²."""
    larger = (g1 + g2) ** 2 > (a1 + a2) ** 2
    first, second = sp.Eq(a1**2, g1**2), sp.Eq(a2**2, g2**2)
    both = 4 * (g1 * g2 - a1 * a2) + (g1**2 - a1**2) + (g2**2 - a2**2) + 4 * a1 * a2
    return Contradiction(
        (term(1, 1, larger, larger), term(4, 1, larger, a1 >= 0, a2 >= 0)),
        using=((4 * g2**2 + both, first), (4 * a1**2 + both, second)),
    )
