"""How far the constant 30 of Lemma 2 can fall: below 2.58 it is false for large E."""

from __future__ import annotations

from fractions import Fraction

from theory.counterexamples.second import drifts
from theory.ledger import Corrected, Entry, FiniteClaim, Kind, Test, Verdict, counterexample
from theory.provers import OnInstance

PREFIXES = ("L2",)


def entries() -> tuple[Entry, ...]:
    """The limit to any such constant."""
    return (_below_is_false(),)


def _below_is_false() -> Entry:
    """f = −w²/2 from w = 1, bias 1 along the step: w + 1 grows by 1 + γ in every step."""
    data = {"E": 6000, "P_b": Fraction(1, 10**9), "constant": Fraction(258, 100)}

    def rate(d: dict) -> Fraction:
        """Lemma 2's largest step, Λ = B = 1."""
        return 1 / (4 * d["E"] * (1 + 2 * d["P_b"]))

    def drift(d: dict) -> Fraction:
        """(w^{E−1} − w_t)²: g = −w − 1 (gradient −w, bias −1), so w ← w + γ(w + 1)."""
        growth = 1 + rate(d)
        numerator = denominator = 1
        for _ in range(d["E"] - 1):  # without the gcd of a Fraction in every step
            numerator, denominator = numerator * growth.numerator, denominator * growth.denominator
        return (2 * Fraction(numerator, denominator) - 2) ** 2

    def bound(d: dict) -> Fraction:
        """constant · E² γ² (A‖∇f(w_t)‖² + b²) with ‖∇f(w_t)‖ = b = 1."""
        return d["constant"] * d["E"] ** 2 * rate(d) ** 2 * (2 + 2 * d["P_b"])

    return Entry(
        id="L2.19",
        kind=Kind.QUESTION,
        place="not in the paper; how far the constant 30 can fall",
        title="2.58 in place of 30, for every E",
        printed=r"\mathbb{E}\|w^e_t-w_t\|^2\le2.58E^2\gamma^2((1+2B^2(P_b+P_n))\|\nabla f(w_t)\|^2"
        r"+b^2+\sigma^2)",
        claim=FiniteClaim(
            (
                Test("0 < P_b < 1, and |bias|^2 = 1 <= P_b |grad f|^2 + b^2", lambda d: 0 < d["P_b"] < 1),
                Test("E is an integer of at least 1", lambda d: d["E"] >= 1 and d["E"] == int(d["E"])),
                Test("the constant is 2.58", lambda d: d["constant"] == Fraction(258, 100)),
            ),
            Test("squared drift after E-1 steps <= 2.58 E^2 gamma^2 (...)", lambda d: drift(d) <= bound(d)),
        ),
        verdict=Verdict.REFUTED,
        evidence=(
            counterexample(
                OnInstance(
                    data,
                    "f = -w^2/2, w_t = 1, bias -1, no noise, E = 6000, gamma at its limit",
                    lambda d: f"{float(drift(d)):.8g} <= {float(bound(d)):.8g} is false",
                    drifts.BELOW,
                    unlike=data | {"E": 3},
                )
            ),
        ),
        depends=("L2",),
        corrected=Corrected("Lemma 2' of the repaired theory has the exact recursion"),
        note="The ratio tends to 32 (e^{1/4} - 1)^2 = 2.5815..., so no constant below that serves every E.",
    )
