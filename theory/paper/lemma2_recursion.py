"""Lemma 2, the recursion: geometric sum, its limit constants, and the last line."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory.assumptions import LEMMA2_RATE, RATE, SIGNS, SMOOTH
from theory.claim import (
    Claim,
    Correction,
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
from theory.integers import Directly, Lemma, Reading, for_integers
from theory.paper import lemma2_euler
from theory.provers import Chain, Exhaustive, Identity, Induction, OnInstance, SumOfSquares, term
from theory.readings import given
from theory.second import drifts
from theory.symbols import E, real

PLACE = "Appendix C.2, proof of Lemma 2"
RATES = (*SIGNS, SMOOTH, RATE, LEMMA2_RATE)
D, D1, S, C, Q, V, z = real("D D1 S C Q V z")
GROWTH = 1 + 1 / (E - 1)
POWER = GROWTH**E
SMALL = 1 / ((E - 1) * (E + 1))


def entries() -> tuple[Entry, ...]:
    """From the recursion to 30 E²."""
    return _recursion()


def _recursion() -> tuple[Entry, ...]:
    before, after = D <= C * S, D1 <= GROWTH * D + C
    power = real("power")[0]
    closed = sp.Eq(S, (E - 1) * (power - 1))
    return (
        Entry(
            id="L2.12",
            place=f"{PLACE}, third display, line 1",
            title="The recursion is unrolled into a geometric sum",
            printed=r"\mathbb{E}\|w^e_t-w_t\|^2\le\sum_{e=0}^{E-1}\left(1+\tfrac{1}{E-1}\right)^e "
            r"6E\gamma^2(\dots)",
            claim=Claim((E > 1, *RATES, C >= 0, D >= 0, before, after), D1 <= C * (GROWTH * S + 1)),
            verdict=Verdict.VALID,
            evidence=(proof(SumOfSquares((term(1, 1, after), term(GROWTH, 1, before)))),),
            depends=("L2.8", "L2.9", "L2.10", "L2.11"),
            reduction="Induction on e, with S the sum of the first e powers and C = 6 E gamma^2 (...): S_0 "
            "= 0 and S_{e+1} = (1 + 1/(E-1)) S_e + 1. D and D1 are the bounds of the squared drift before "
            "and after a step: D1 is the left side of L2.8, which L2.1 to L2.7 show to be at least the next "
            "one. The powers are positive, so the sum over e terms is at most the sum over E terms.",
            audit_rows=(22,),
            note="The summation index reuses the letter e of the left side.",
        ),
        Entry(
            id="L2.13",
            place=f"{PLACE}, third display, line 2",
            title="The geometric sum in closed form",
            printed=r"\sum_{e=0}^{E-1}\left(1+\tfrac{1}{E-1}\right)^e=(E-1)\left(\left(1+\tfrac{1}{E-1}"
            r"\right)^E-1\right)",
            claim=Claim((E > 1, closed), equal(S * GROWTH + 1, (E - 1) * (power * GROWTH - 1))),
            verdict=Verdict.VALID,
            evidence=(
                proof(Identity(((S, (E - 1) * (power - 1)),))),
                support(
                    _geometric_claim(),
                    Exhaustive((2, 2), unlike=(2, 1)),
                    "the closed form, added up term by term",
                ),
            ),
            depends=("L2.12",),
            reduction="Induction on the number of terms: S is the sum of the first e, power the e-th power; "
            "the next sum is 1 plus the factor times S, as in L2.12. No term is the base.",
            audit_rows=(22,),
            model={E: 2, S: 1, power: 2},
        ),
        _five(),
        _four(),
        _three(),
        *lemma2_euler.entries(),
        Entry(
            id="L2.15",
            place=f"{PLACE}, third display, line 3",
            title="The drift is at most 30 E^2 gamma^2 times the energy",
            printed=r"(E-1)\left(\left(1+\tfrac{1}{E-1}\right)^E-1\right)6E\gamma^2(\dots)\le30E^2"
            r"\gamma^2(\dots)",
            claim=Claim((E > 1, Q <= 5, V >= 0), (E - 1) * (Q - 1) * 6 * E * V <= 30 * E**2 * V),
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
    def holds(instance: tuple[int, int]) -> bool:
        epochs, terms = instance
        ratio_value = 1 + Fraction(1, epochs - 1)
        return sum(ratio_value**e for e in range(terms)) == (epochs - 1) * (ratio_value**epochs - 1)

    listed = one_of("every integer E from 2 to 40, with E terms", lambda: ((n, n) for n in range(2, 41)))
    return FiniteClaim((listed,), Test("closed form", holds))


@dataclass(frozen=True)
class PowerAtMost:
    """(1 + 1/(E−1))^E ≤ limit for rational E, without roots: both sides to the denominator."""

    limit: int

    @property
    def relation(self) -> sp.Basic:
        return POWER <= self.limit

    def __call__(self, epochs: Fraction) -> bool:
        exponent = Fraction(epochs)
        base = 1 + 1 / (exponent - 1)
        return base**exponent.numerator <= Fraction(self.limit) ** exponent.denominator


@dataclass(frozen=True)
class Above:
    """E > limit."""

    limit: int

    @property
    def relation(self) -> sp.Basic:
        return self.limit < E

    def __call__(self, epochs: Fraction) -> bool:
        return epochs > self.limit


ABOVE_ONE = Test("E > 1", Above(1))


def _five() -> Entry:
    real_e = (E > 1, Q >= 1, Q <= 3, V >= 0)
    return Entry(
        id="L2.14",
        place="Appendix C.2, sentence after the proof of Lemma 2",
        title="(1 + 1/(E-1))^E is at most 5 for all E > 1",
        printed=r"\left(1+\frac{1}{E-1}\right)^E\le5\ \text{ for all } E>1",
        claim=FiniteClaim((ABOVE_ONE,), Test("(1 + 1/(E-1))^E <= 5", PowerAtMost(5))),
        verdict=Verdict.ABSORBED,
        derivation=Derivation.NONE,
        absorbed_at="L2.15",
        correction=Correction(
            Q <= 5,
            Q <= 4,
            steps=(given("L2.14i", "(1 + 1/(E - 1))**E: Q"),),
            reads=((POWER, Q),),
        ),
        depends=("L2.14i",),
        evidence=(
            counterexample(
                OnInstance(
                    Fraction(3, 2),
                    "E = 3/2",
                    lambda _: "3^(3/2) <= 5, that is 27 <= 25, is false",
                    drifts.FIVE,
                    unlike=Fraction(3),
                )
            ),
            cover(
                Claim((E > 1, Q <= 4, V >= 0), (E - 1) * (Q - 1) * 6 * E * V <= 30 * E**2 * V),
                SumOfSquares((term(6 * E * (E - 1) * V, 1, Q <= 4), term((12 * E**2 + 18 * E) * V))),
                "line L2.15 needs less than 5: the number of local epochs is an integer, and then it is 4",
            ),
            support(
                Claim(real_e, 6 * E * (E - 1) * (Q * E / (E - 1) - 1) * V <= 30 * E**2 * V),
                SumOfSquares((term(6 * E**2 * V, 1, Q <= 3), term((18 * E**2 - 6 * E) * V))),
                "with Q = (1+1/(E-1))^(E-1) <= e < 3 the line even holds for every real E > 1",
            ),
        ),
        corrected="at most 4 for every integer E >= 2 (entry L2.14i); false for real E below about 1.5456",
        audit_rows=(23,),
        note="The support for real E cites (1+1/u)^u <= e; for integer E entry L2.14t proves it.",
    )


def _bernoulli() -> Lemma:
    """(1+z)^n ≥ 1 + nz for z ≥ 0, used at n = E + 1 and z = 1/((E−1)(E+1))."""
    n, power = real("n power")
    before = power >= 1 + n * z
    step = Claim((z >= 0, n >= 0, before), (1 + z) * power >= 1 + (n + 1) * z)
    method = SumOfSquares((term(1 + z, 1, before), term(n, z)))
    reading = Reading(step, method, ((power, (1 + z) ** n),))
    claim = for_integers(n, 0, (1 + z) ** n >= 1 + n * z, z >= 0)
    return Lemma(claim, Induction(reading, {n: 2, z: 1}, "n = 2, z = 1"), ((n, E + 1), (z, SMALL)))


def _decreasing(limit: int) -> Reading:
    """(1 + 1/(E−1))^E does not increase: the quotient of two neighbours is (E−1)/E · (1+z)^(E+1) ≥ 1."""
    now, following, growth = real("now following growth")
    quotient, is_small = sp.Eq(now, following * growth * (E - 1) / E), sp.Eq(z, SMALL)
    enough = growth >= 1 + (E + 1) * z
    step = Claim((E >= 2, following >= 0, is_small, enough, quotient, now <= limit), following <= limit)
    method = SumOfSquares(
        (term(1, 1, now <= limit), term(following * (E - 1) / E, 1, enough)),
        using=((1, quotient), (following * (E - 1) * (E + 1) / E, is_small)),
    )
    reads = ((now, POWER), (following, POWER.subs(E, E + 1)), (growth, (1 + SMALL) ** (E + 1)), (z, SMALL))
    return Reading(step, method, reads, (_bernoulli(),))


def _four() -> Entry:
    return Entry(
        id="L2.14i",
        place="Appendix C.2, sentence after the proof of Lemma 2, read for integers",
        title="(1 + 1/(E-1))^E is at most 4 for every integer E of at least 2",
        printed=r"\left(1+\frac{1}{E-1}\right)^E\le4\ \text{ for } E\in\{2,3,\dots\}",
        claim=for_integers(E, 2, POWER <= 4),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(proof(Induction(_decreasing(4), {E: 2}, "E = 2")),),
        audit_rows=(23,),
        note="By induction from E = 2, where it is 4; the step uses Bernoulli's inequality, proved likewise.",
    )


def _three() -> Entry:
    """(1 + 1/(E−1))^(E−1) grows; it stays below (1 + 1/(E−1))^E, which falls and is below 3 from E = 6 on."""
    slower = (1 + 1 / (E - 1)) ** (E - 1)
    power, step_up = real("power step_up")
    longer = Claim((E >= 2, power >= 0, sp.Eq(step_up, power * E / (E - 1))), power <= step_up)
    method = SumOfSquares((term(power / (E - 1)),), using=((1, sp.Eq(step_up, power * E / (E - 1))),))
    reading = Reading(longer, method, ((power, slower), (step_up, POWER)))
    links = (
        (for_integers(E, 2, slower <= POWER), Directly(reading, {E: 2}, "E = 2")),
        (for_integers(E, 6, POWER <= 3), Induction(_decreasing(3), {E: 6}, "E = 6")),
    )
    return Entry(
        id="L2.14t",
        place="not in the paper; needed by entries M.11 and M.12",
        title="(1 + 1/(E-1))^(E-1) is at most 3 for every integer E of at least 2",
        printed="",
        claim=for_integers(E, 2, slower <= 3),
        verdict=Verdict.VALID,
        derivation=Derivation.NONE,
        evidence=(proof(Chain(links, {E: 2}, "E = 2")),),
        audit_rows=(23,),
    )
