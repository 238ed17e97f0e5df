"""Lemma 2, the recursion: geometric sum, its limit constants, and the last line."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import sympy as sp

from theory.assumptions import EPOCHS
from theory.claim import (
    Claim,
    Derivation,
    Entry,
    FiniteClaim,
    Test,
    Verdict,
    counterexample,
    cover,
    equal,
    one_of,
    proof,
    support,
)
from theory.provers import (
    Chain,
    Exhaustive,
    Identity,
    OnInstance,
    Solver,
    SumOfSquares,
    term,
)
from theory.symbols import E, real

PLACE = "Appendix C.2, proof of Lemma 2"
D, D1, S, C, Q, V, ratio, i = real("D D1 S C Q V ratio i")


def entries() -> tuple[Entry, ...]:
    """From the recursion to 30 E²."""
    return _recursion()


def _recursion() -> tuple[Entry, ...]:
    before, after = D <= C * S, D1 <= ratio * D + C
    power = real("power")[0]
    partial = (power - 1) / (ratio - 1)
    return (
        Entry(
            id="L2.12",
            place=f"{PLACE}, third display, line 1",
            title="The recursion is unrolled into a geometric sum",
            printed=r"\mathbb{E}\|w^e_t-w_t\|^2\le\sum_{e=0}^{E-1}\left(1+\tfrac{1}{E-1}\right)^e "
            r"6E\gamma^2(\dots)",
            claim=Claim((ratio >= 1, C >= 0, before, after), D1 <= C * (ratio * S + 1)),
            verdict=Verdict.VALID,
            evidence=(proof(SumOfSquares((term(1, 1, after), term(ratio, 1, before)))),),
            depends=("L2.11",),
            reduction="Induction on e, with S the sum of the first e powers: S_0 = 0 and S_{e+1} = ratio "
            "S_e + 1. "
            "The powers are positive, so the sum over e terms is at most the sum over E terms.",
            audit_rows=(22,),
            note="The summation index reuses the letter e of the left side.",
        ),
        Entry(
            id="L2.13",
            place=f"{PLACE}, third display, line 2",
            title="The geometric sum in closed form",
            printed=r"\sum_{e=0}^{E-1}\left(1+\tfrac{1}{E-1}\right)^e=(E-1)\left(\left(1+\tfrac{1}{E-1}"
            r"\right)^E-1\right)",
            claim=Claim(
                (E > 1, sp.Eq(ratio, E / (E - 1)), sp.Eq(S, partial)),
                sp.And(
                    sp.Eq(S + power, (E - 1) * (ratio * power - 1)),
                    sp.Eq(S, (E - 1) * (power - 1)),
                ),
            ),
            verdict=Verdict.VALID,
            evidence=(
                proof(Identity(((S, partial), (ratio, E / (E - 1))))),
                support(
                    _geometric_claim(),
                    Exhaustive(2),
                    "the closed form, added up term by term",
                ),
            ),
            depends=("L2.12",),
            reduction="Induction on the number of terms, with power = ratio^e: adding one term keeps the "
            "closed form.",
            audit_rows=(22,),
            model={E: 2, ratio: 2, S: 1, power: 2},
        ),
        _five(),
        _four(),
        _three(),
        Entry(
            id="L2.15",
            place=f"{PLACE}, third display, line 3",
            title="The drift is at most 30 E^2 gamma^2 times the energy",
            printed=r"(E-1)\left(\left(1+\tfrac{1}{E-1}\right)^E-1\right)6E\gamma^2(\dots)\le30E^2"
            r"\gamma^2(\dots)",
            claim=Claim((EPOCHS, Q <= 5, V >= 0), (E - 1) * (Q - 1) * 6 * E * V <= 30 * E**2 * V),
            verdict=Verdict.VALID,
            evidence=(
                proof(SumOfSquares((term(6 * E * (E - 1) * V, 1, Q <= 5), term((6 * E**2 + 24 * E) * V)))),
            ),
            depends=("L2.13", "L2.14", "L2.14i"),
            reduction="Q stands for (1+1/(E-1))^E, V for gamma^2 times the energy.",
            audit_rows=(23,),
        ),
    )


def _geometric_claim() -> FiniteClaim:
    def holds(epochs: int) -> bool:
        ratio_value = 1 + Fraction(1, epochs - 1)
        return sum(ratio_value**e for e in range(epochs)) == (epochs - 1) * (ratio_value**epochs - 1)

    listed = one_of("every integer E from 2 to 40", lambda: range(2, 41))
    return FiniteClaim((listed,), Test("closed form", holds))


def _power_at_most(limit: int, exponent_shift: int) -> Test:
    """(1 + 1/(E−1))^(E − shift) ≤ limit for rational E, without roots: both sides to the denominator."""

    def holds(epochs: Fraction) -> bool:
        exponent = Fraction(epochs) - exponent_shift
        base = 1 + 1 / (Fraction(epochs) - 1)
        return base**exponent.numerator <= Fraction(limit) ** exponent.denominator

    shown = "E" if not exponent_shift else f"(E-{exponent_shift})"
    return Test(f"(1 + 1/(E-1))^{shown} <= {limit}", holds)


ABOVE_ONE = Test("E > 1", lambda epochs: epochs > 1)


INTEGER = Test("E is an integer", lambda epochs: Fraction(epochs).denominator == 1)


def _five() -> Entry:
    real_e = (E > 1, Q >= 1, Q <= 3, V >= 0)
    return Entry(
        id="L2.14",
        place="Appendix C.2, sentence after the proof of Lemma 2",
        title="(1 + 1/(E-1))^E is at most 5 for all E > 1",
        printed=r"\left(1+\frac{1}{E-1}\right)^E\le5\ \text{ for all } E>1",
        claim=FiniteClaim((ABOVE_ONE,), _power_at_most(5, 0)),
        verdict=Verdict.ABSORBED,
        derivation=Derivation.NONE,
        absorbed_at="L2.15",
        evidence=(
            counterexample(
                OnInstance(Fraction(3, 2), "E = 3/2", lambda _: "3^(3/2) <= 5, that is 27 <= 25, is false")
            ),
            cover(
                Claim(real_e, 6 * E * (E - 1) * (Q * E / (E - 1) - 1) * V <= 30 * E**2 * V),
                SumOfSquares((term(6 * E**2 * V, 1, Q <= 3), term((18 * E**2 - 6 * E) * V))),
                "line L2.15 needs less: with Q = (1+1/(E-1))^(E-1) <= e < 3 it holds for every real E > 1",
            ),
        ),
        corrected="at most 4 for every integer E >= 2 (entry L2.14i); false for real E below about 1.5456",
        audit_rows=(23,),
        note="The cover for real E cites (1+1/u)^u <= e; for integer E entry L2.14t proves it.",
    )


def _decreasing_links() -> tuple:
    """(1+1/i)^(i+1) decreases in i: Bernoulli by induction, and two identities."""
    z, count = real("z count")
    bernoulli = Claim((z >= 0, count >= 1), (1 + z) * (1 + count * z) >= 1 + (count + 1) * z)
    quotient = equal((1 + 1 / i) / (1 + 1 / (i + 1)), 1 + 1 / (i * (i + 2)))
    final = equal((1 + (i + 2) / (i * (i + 2))) / (1 + 1 / i), 1)
    return (
        (bernoulli, SumOfSquares((term(count, z),))),
        (Claim((i >= 1,), quotient), Identity()),
        (Claim((i >= 1,), final), Identity()),
    )


DECREASING = (
    "With i = E-1, Bernoulli's (1+z)^n >= 1+nz (induction step below) at z = 1/(i(i+2)), n = i+2 shows that "
    "(1+1/i)^(i+1) does not increase in i."
)


def _integers_to(last: int) -> Iterable[Fraction]:
    return (Fraction(epochs) for epochs in range(2, last + 1))


def _four() -> Entry:
    return Entry(
        id="L2.14i",
        place="Appendix C.2, sentence after the proof of Lemma 2, read for integers",
        title="(1 + 1/(E-1))^E is at most 4 for every integer E of at least 2",
        printed=r"\left(1+\frac{1}{E-1}\right)^E\le4\ \text{ for } E\in\{2,3,\dots\}",
        claim=FiniteClaim((ABOVE_ONE, INTEGER), _power_at_most(4, 0)),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(
            proof(
                Chain(
                    DECREASING + " Its value at E = 2 is 4.",
                    _decreasing_links(),
                    spots=lambda: _integers_to(60),
                    data=Fraction(2),
                    text="E = 2, …, 60",
                )
            ),
        ),
        audit_rows=(23,),
    )


def _three() -> Entry:
    return Entry(
        id="L2.14t",
        place="not in the paper; needed by entries M.11 and M.12",
        title="(1 + 1/(E-1))^(E-1) is at most 3 for every integer E of at least 2",
        printed="",
        claim=FiniteClaim((ABOVE_ONE, INTEGER), _power_at_most(3, 1)),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(
            proof(
                Chain(
                    DECREASING + " At E = 6 its value is 6^6/5^6 < 3, so it is below 3 from there on, and "
                    "(1+1/i)^i is smaller still; E = 2, …, 6 are listed.",
                    (
                        *_decreasing_links(),
                        (
                            Claim((i >= 5, i <= 5), ((i + 1) / i) ** 6 <= 3),
                            Solver(),
                        ),
                    ),
                    spots=lambda: _integers_to(60),
                    data=Fraction(2),
                    text="E = 2, …, 60",
                )
            ),
        ),
        audit_rows=(23,),
    )
