"""Lemma 2 as stated, sharper constants from the same recursion, and the reading per device that fails."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.assumptions import ENERGIES, EPOCHS, LEMMA2_RATE, RATE, SIGNS, SMOOTH
from theory.claim import (
    Claim,
    Derivation,
    Entry,
    FiniteClaim,
    Test,
    Verdict,
    counterexample,
    proof,
)
from theory.provers import Cases, Contradiction, OnInstance, SumOfSquares, term
from theory.second import drifts
from theory.symbols import A, E, G, b2, gamma, real, s2

R = sp.Rational
D, Q = real("D Q")
PROOF = "Appendix C.2, proof of Lemma 2"
RATES = (SMOOTH, RATE, LEMMA2_RATE)


def entries() -> tuple[Entry, ...]:
    """The lemma and its readings."""
    return _statement()


def _statement() -> tuple[Entry, ...]:
    energy = A * G + b2 + s2
    unrolled = D <= 6 * E * (E - 1) * (Q - 1) * gamma**2 * energy
    base = (*SIGNS, *ENERGIES, EPOCHS)
    drifts = (*SIGNS, *ENERGIES, E > 1)
    sharper = R(1031, 100)
    lemma = D <= 30 * E**2 * gamma**2 * energy
    first, later = sp.Or(E > 1, sp.Eq(D, 0)), sp.Or(E <= 1, lemma)
    return (
        Entry(
            id="L2",
            place="Lemma 2",
            title="Lemma 2: the drift is at most 30 E^2 gamma^2 (A G + b^2 + sigma^2)",
            printed=r"\mathbb{E}\|w^e_t-w_t\|^2\le30E^2\gamma^2((1+2B^2(P_b+P_n))\|\nabla "
            r"f(w_t)\|^2+b^2+\sigma^2)",
            claim=Claim((*base, *RATES, first, later), lemma),
            verdict=Verdict.VALID,
            evidence=(
                proof(
                    Cases(
                        (
                            Cases(
                                (
                                    SumOfSquares((term(1, 1, lemma),)),
                                    Contradiction((term(1, 1, E > 1), term(1, 1, E <= 1))),
                                ),
                                on=later,
                            ),
                            SumOfSquares((term(30 * E**2 * energy, gamma),), using=((-1, sp.Eq(D, 0)),)),
                        ),
                        on=first,
                    )
                ),
            ),
            depends=("L2.15", "L2.15d"),
            reduction="For E > 1 it is L2.15d. At E = 1 the only local point is the broadcast one: no drift.",
            audit_rows=(19, 21),
            note="For one model with B >= 1. Read per device it is false (entry L2.24).",
        ),
        Entry(
            id="L2.15d",
            place=f"{PROOF}, third display, for the drift itself",
            title="The drift for more than one local epoch",
            printed="",
            claim=Claim((*drifts, *RATES, Q <= 4, unrolled), lemma),
            verdict=Verdict.VALID,
            evidence=(
                proof(
                    SumOfSquares(
                        (
                            term(1, 1, unrolled),
                            term(6 * E * (E - 1) * energy, gamma, Q <= 4),
                            term((12 * E**2 + 18 * E) * energy, gamma),
                        )
                    )
                ),
            ),
            depends=("L2.12", "L2.13", "L2.14i"),
            reduction="Q stands for (1+1/(E-1))^E. The step size is what L2.8 to L2.12 need. D is the bound "
            "after E steps, which is the largest (L2.12): it holds at every local point.",
        ),
        Entry(
            id="L2.16",
            place="not in the paper; needed by entries M.11 and M.12",
            title="The same recursion stopped at e <= E-1 gives 12 in place of 30",
            printed="",
            claim=Claim((*drifts, *RATES, Q <= 3, unrolled), D <= 12 * E**2 * gamma**2 * energy),
            verdict=Verdict.VALID,
            evidence=(
                proof(
                    SumOfSquares(
                        (
                            term(1, 1, unrolled),
                            term(6 * E * (E - 1) * energy, gamma, Q <= 3),
                            term(12 * E * energy, gamma),
                        )
                    )
                ),
            ),
            depends=("L2.12", "L2.13", "L2.14t"),
            reduction="Q stands for (1+1/(E-1))^(E-1): only E-1 steps precede the last local point. "
            "At E = 1 there is no drift.",
        ),
        Entry(
            id="L2.17",
            place="not in the paper; the tightening that the audit names",
            title="With (1+1/u)^u < e the constant is 10.31",
            printed="",
            claim=Claim(
                (*drifts, *RATES, Q <= R(27183, 10000), unrolled), D <= sharper * E**2 * gamma**2 * energy
            ),
            verdict=Verdict.VALID,
            evidence=(
                proof(
                    SumOfSquares(
                        (
                            term(1, 1, unrolled),
                            term(6 * E * (E - 1) * energy, gamma, Q <= R(27183, 10000)),
                            term(
                                (sharper * E**2 - 6 * E * (E - 1) * R(17183, 10000)) * energy,
                                gamma,
                            ),
                        )
                    )
                ),
            ),
            depends=("L2.12", "L2.13", "L2.16", "L2.17e"),
            reduction="Q stands for (1+1/(E-1))^(E-1), below e = 2.71828... (L2.17e).",
        ),
        _per_device(),
    )


def _per_device() -> Entry:
    """f_1 = 11w, f_2 = −9w: the average gradient is 1, so the first device drifts eleven times as far."""
    data = {
        "gradients": (Fraction(11), Fraction(-9)),
        "E": 2,
        "Lam": Fraction(1, 1000),
        "P_b": Fraction(1, 10**5),
        "B2": Fraction(101),
    }

    def average(d: dict) -> Fraction:
        return sum(d["gradients"], Fraction(0)) / len(d["gradients"])

    def factor(d: dict) -> Fraction:
        return 1 + 2 * d["B2"] * d["P_b"]

    def rate(d: dict) -> Fraction:
        return 1 / (4 * d["E"] * d["Lam"] * factor(d))

    def drift(d: dict) -> Fraction:
        """The largest squared drift of a device after E − 1 exact steps on a linear loss."""
        return max(((d["E"] - 1) * rate(d) * gradient) ** 2 for gradient in d["gradients"])

    def bound(d: dict) -> Fraction:
        return 30 * d["E"] ** 2 * rate(d) ** 2 * factor(d) * average(d) ** 2

    def dissimilarity(d: dict) -> bool:
        mean_square = sum((gr**2 for gr in d["gradients"]), Fraction(0)) / len(d["gradients"])
        return mean_square <= d["B2"] * average(d) ** 2

    return Entry(
        id="L2.24",
        place="Lemma 2, read for the iterate of one device",
        title="Read per device the lemma is false: heterogeneity is not in the bound",
        printed=r"\mathbb{E}\|w^{m,e}_t-w_t\|^2\le30E^2\gamma^2(\dots)\ \text{ for each device } m",
        claim=FiniteClaim(
            (
                Test("mean of the squared device gradients <= B^2 times the squared gradient", dissimilarity),
                Test("0 < P_b < 1", lambda d: 0 < d["P_b"] < 1),
                Test("linear losses are L-smooth for every L > 0", lambda d: d["Lam"] > 0),
            ),
            Test("each device's squared drift <= 30 E^2 gamma^2 (...)", lambda d: drift(d) <= bound(d)),
        ),
        verdict=Verdict.REFUTED,
        derivation=Derivation.NONE,
        evidence=(
            counterexample(
                OnInstance(
                    data,
                    "M = 2, f_1 = 11w, f_2 = -9w, E = 2, gamma at its limit",
                    lambda d: f"{drift(d)} <= {bound(d)} is false",
                    drifts.PER_DEVICE,
                    unlike=data | {"gradients": (Fraction(10), Fraction(-8))},
                )
            ),
        ),
        depends=("L2",),
        corrected="average over devices, with the mean of the squared device gradients (Lemma 2')",
        audit_rows=(24,),
        note="Algorithm 1 moves each device by its own gradient, so this is the reading that Theorem 1 "
        "needs.",
        weight=1,
    )
