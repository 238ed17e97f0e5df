"""Lemma 2 as stated, sharper constants from the same recursion, and the reading per device that fails."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.assumptions import ENERGIES, EPOCHS, LEMMA2_RATE, RATE, SIGNS, SMOOTH
from theory.counterexamples.second import drifts
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
    printed_line,
    question,
)
from theory.provers import Cases, OnInstance, SumOfSquares, term
from theory.symbols import A, E, G, b2, gamma, real, s2

PREFIXES = ("L2",)

D, Q = real("D Q")
RATES = (SMOOTH, RATE, LEMMA2_RATE)


LETTERS = {"D": "E|w^e_t - w_t|^2, the squared drift", "Q": "(1 + 1/(E-1))^E"}


def entries() -> tuple[Entry, ...]:
    """The lemma and its readings."""
    return defined(LETTERS, _statement())


def _statement() -> tuple[Entry, ...]:
    energy = A * G + b2 + s2
    unrolled = D <= 6 * E * (E - 1) * (Q - 1) * gamma**2 * energy
    several, single = sp.And(E > 1, Q <= 4, unrolled), sp.Eq(D, 0)
    return (
        printed_line(
            id="L2",
            place="Appendix C.2, eq. (15), Lemma 2",
            title="Lemma 2: the drift is at most 30 E^2 gamma^2 (A G + b^2 + sigma^2)",
            printed=r"\mathbb{E}\|w^e_t-w_t\|^2\le30E^2\gamma^2((1+2B^2(P_b+P_n))\|\nabla "
            r"f(w_t)\|^2+b^2+\sigma^2)",
            claim=Claim(
                (*SIGNS, *ENERGIES, EPOCHS, *RATES, sp.Or(several, single)),
                D <= 30 * E**2 * gamma**2 * energy,
            ),
            method=Cases(  # in the order of the printed cases: several epochs, then one
                (
                    SumOfSquares(
                        (
                            term(1, 1, unrolled),
                            term(6 * E * (E - 1) * energy, gamma, Q <= 4),
                            term((12 * E**2 + 18 * E) * energy, gamma),
                        )
                    ),
                    SumOfSquares((term(30 * E**2 * energy, gamma),), using=((-1, single),)),
                )
            ),
            depends=("L2.12", "L2.13", "L2.14i", "L2.15"),
            note="For E > 1 the recursion of L2.12 and L2.13 bounds D, with Q at most 4 (L2.14i). At E = 1 "
            "the only local point is the broadcast one: no drift. For one model with B >= 1; per device it "
            "is false (entry L2.24).",
        ),
        question(
            id="L2.16",
            place="not in the paper; needed by entries M.11 and M.12",
            title="The same recursion stopped at e <= E-1 gives 12 in place of 30",
            claim=Claim(
                (*SIGNS, *ENERGIES, E > 1, *RATES, Q <= 3, unrolled), D <= 12 * E**2 * gamma**2 * energy
            ),
            method=SumOfSquares(
                (
                    term(1, 1, unrolled),
                    term(6 * E * (E - 1) * energy, gamma, Q <= 3),
                    term(12 * E * energy, gamma),
                )
            ),
            depends=("L2.12", "L2.13", "L2.14t"),
            letters={"Q": "(1 + 1/(E-1))^(E-1)"},
            note="Only E-1 steps precede the last local point. At E = 1 there is no drift.",
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
        kind=Kind.SILENT,
        place="Appendix C.2, eq. (15), Lemma 2, used for the iterate of each device",
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
        corrected=Corrected("average over devices, with the mean of the squared device gradients (Lemma 2')"),
        severity=Severity.FIXABLE,
        note="Algorithm 1 moves each device by its own gradient, so this is the reading that Theorem 1 "
        "needs.",
    )
