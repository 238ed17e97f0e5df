"""Lemma 1, what it presupposes: sketch size, which vectors, failure probability, one hash for all rounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory.counterexamples.second import hashes, selections
from theory.ledger import (
    Claim,
    Corrected,
    Entry,
    Evidence,
    FiniteClaim,
    Kind,
    Severity,
    Test,
    Verdict,
    counterexample,
    defined,
    disproof,
    one_of,
    proof_if,
    support,
)
from theory.paper.lemma1.power_sums import power_sum
from theory.paper.lemma1.tail import minus, squared
from theory.paper.theorem1.descent import top
from theory.provers import AtPoint, Exhaustive, OnInstance, Positivity, SumOfSquares, term
from theory.provers.certificates import Change, shift
from theory.symbols import T, c, delta, k, real

PREFIXES = ("L1",)

R = sp.Rational
per_step, ratio = real("per_step ratio")


LETTERS = {
    "ratio": "|g_tail|^2/g(k)^2",
    "constant": "the constant that O(.) hides",
    "i": "index of a coordinate",
    "per_step": "failure probability allowed in one round",
}


def entries() -> tuple[Entry, ...]:
    """Premises and probability."""
    return defined(LETTERS, (*_premises(), *_probability()))


def _room(constant: sp.Symbol) -> tuple[Change, ...]:
    """Each letter from its least value on; the ratio's depends on k, and k's on the constant."""
    return (
        shift(ratio, "r", 7 * k / 192),
        shift(k, "m", 28 * constant),
        shift(constant, "n", 1),
        shift(c, "u", 1),
    )


def _growing_ratio() -> tuple[Evidence, ...]:
    """The tail of i^{-2} is of order k g(k)², by certificates and on a few exact vectors."""
    i = real("i")[0]
    some = one_of(
        "k = 1, 2, 5, 28, 100 with d = 2k + 1", lambda: ((n, 2 * n + 1) for n in (1, 2, 5, 28, 100))
    )
    grows = Test(
        "k^4 (sum of i^-4 for k < i <= d) >= 7k/192",
        lambda sizes: sizes[0] ** 4 * power_sum(sizes[0], sizes[1], 4) >= Fraction(7 * sizes[0], 192),
    )
    return (
        support(
            Claim((i >= 1,), i**-4 >= (i**-3 - (i + 1) ** -3) / 3),
            Positivity(shift(i, "j", 1)),
            "one term against its integral",
        ),
        support(
            Claim((k >= 1,), 7 * k**4 / (24 * (k + 1) ** 3) >= 7 * k / 192),
            Positivity(shift(k, "m", 1)),
            "the integral from k+1 to 2k+2 against k",
        ),
        support(FiniteClaim((some,), grows), Exhaustive((28, 57), unlike=(28, 28)), "the ratio itself"),
    )


def _premises() -> tuple[Entry, ...]:
    constant = real("constant")[0]
    flat = {"w": (Fraction(1), Fraction(1)), "k": 1, "c": Fraction(3)}

    def residual(d: dict) -> Fraction:
        return squared(minus(d["w"], top(d["w"], d["k"])))

    def bound(d: dict) -> Fraction:
        """(1/c + tail factor)‖w‖² at d = k + 1, where the printed tail factor is 0 for every p."""
        return squared(d["w"]) / d["c"]

    return (
        Entry(
            id="L1.0",
            kind=Kind.PRINTED,
            place="Appendix C.1, Lemma 1, the sketch size",
            title="With eps^2 = 1/(ck), Theorem 2's memory is of order ck",
            printed=r"k+\frac{\|g^{tail}\|^2}{\varepsilon^2g(k)^2}=\mathcal{O}(ck)\ \text{ at }\ "
            r"\varepsilon^2=\tfrac{1}{ck}",
            claim=Claim(
                (c >= 1, constant >= 1, k >= 28 * constant, ratio >= 7 * k / 192),
                k + c * k * ratio <= constant * c * k,
            ),
            verdict=Verdict.REFUTED,
            evidence=(
                counterexample(AtPoint({c: 2, k: 400, constant: 14, ratio: R(7 * 400, 192)})),
                disproof(Positivity(*_room(constant))),
                *_growing_ratio(),
            ),
            depends=("CS.4",),
            corrected=Corrected(
                "O(ck^2) from Theorem 2 under a power law; the point-query bound b = O(ck) gives what is "
                "printed"
            ),
            severity=Severity.FIXABLE,
            note="ratio = |tail|^2/g(k)^2. For entries i^{-2} (p = 2) and d >= 2k + 1 it is at least k^4 "
            "times the integral of t^{-4} from k+1 to 2k+2, which is 7k^4/(24(k+1)^3) >= 7k/192. So for any "
            "constant every k of at least 28 times it exceeds the memory.",
        ),
        Entry(
            id="L1.any",
            kind=Kind.PRINTED,
            place="Appendix C.1, Lemma 1, 'for any iterate'",
            title="The lemma holds for every vector",
            printed=r"\|w-\tilde w\|^2\le\left(\frac1c+\frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}\right)\|w\|^2\ "
            r"\text{ for any } w\in\mathbb{R}^d",
            claim=FiniteClaim(
                (
                    Test("c > 1", lambda d: d["c"] > 1),
                    Test("d = k + 1, so the tail factor is 0", lambda d: len(d["w"]) == d["k"] + 1),
                ),
                Test("residual <= |w|^2/c", lambda d: residual(d) <= bound(d)),
            ),
            verdict=Verdict.REFUTED,
            evidence=(
                counterexample(
                    OnInstance(
                        flat,
                        "w = (1, 1), k = 1, c = 3, exact recovery",
                        lambda d: f"{residual(d)} <= {bound(d)} is false",
                        selections.ANY_VECTOR,
                        unlike=flat | {"w": (Fraction(1), Fraction(0))},
                    )
                ),
            ),
            corrected=Corrected("w itself must be compressible: |w|_(i) <= i^{-p} |w|"),
            severity=Severity.FIXABLE,
            note="Assumption 4 speaks of gradients, not of iterates.",
        ),
    )


def _probability() -> tuple[Entry, ...]:
    return (
        Entry(
            id="L1.9",
            kind=Kind.SILENT,
            place="Appendix C.1, Lemma 1, probability 1 - delta/T, used for t = 0, ..., T",
            title="T+1 rounds at failure probability delta/T each fail with probability at most delta",
            printed=r"(T+1)\cdot\frac{\delta}{T}\le\delta",
            claim=Claim((T >= 1, delta > 0), (T + 1) * delta / T <= delta),
            verdict=Verdict.REFUTED,
            evidence=(
                counterexample(AtPoint({T: 1, delta: R(1, 10)})),
                disproof(Positivity(shift(T, "n", 1))),
                support(
                    Claim((T >= 1, delta > 0, per_step <= delta / (T + 1)), (T + 1) * per_step <= delta),
                    SumOfSquares((term(T + 1, 1, per_step <= delta / (T + 1)),)),
                    "with delta/(T+1) per round the union bound gives delta",
                ),
            ),
            corrected=Corrected("delta/(T+1) per round", r"1-\frac{\delta}{T+1}"),
            severity=Severity.FIXABLE,
        ),
        _one_hash(),
    )


@dataclass(frozen=True)
class Always:
    """The coordinate that is read and the one that is loaded, whatever the hash."""

    watched: int
    loaded: int

    def __call__(self, h: tuple[int, ...]) -> tuple[int, int]:
        return self.watched, self.loaded


@dataclass(frozen=True)
class Colliding:
    """Two coordinates that share a bucket, looked for from `first` on."""

    first: int = 0

    def __call__(self, h: tuple[int, ...]) -> tuple[int, int]:
        order = [(self.first + n) % 3 for n in range(3)]
        return next((i, j) for i in order for j in order if i != j and h[i] == h[j])


def _one_hash() -> Entry:
    """Three coordinates, one row of two buckets: some pair always collides, and an iterate may find it."""
    from theory.paper.setup.count_sketch import estimate, tables

    def failures(d: dict) -> Fraction:
        rows = list(tables(3, 2))
        return Fraction(sum(_errs(d["choose"](h), h, signs) for h, signs in rows), len(rows))

    def _errs(chosen: tuple[int, int], h: tuple[int, ...], signs: tuple[int, ...]) -> bool:
        watched, loaded = chosen
        vector = tuple(Fraction(int(j == loaded)) for j in range(3))
        return estimate(vector, watched, h, signs) != vector[watched]

    knows = {"choose": Colliding(), "fixed": False}
    fixed = [{"choose": Always(i, j), "fixed": True} for i in range(3) for j in range(3) if i != j]
    return Entry(
        id="L1.10",
        kind=Kind.SILENT,
        place="Appendix C.1, Lemma 1, one hash for all rounds",
        title="The guarantee for a fixed vector holds for iterates that depend on the hash",
        printed=r"P\left(|\hat w_t(i)-w_t(i)|>\varepsilon\|w_t\|\right)\le\frac1b\ \text{ for } w_t=w_t(h)",
        claim=FiniteClaim(
            (),
            Test(
                "one row of 2 buckets errs on a unit vector with probability <= 1/2",
                lambda d: failures(d) <= Fraction(1, 2),
            ),
        ),
        verdict=Verdict.CONDITIONAL,
        evidence=(
            proof_if(
                one_of(
                    "the vector does not depend on the hash (each pair of a coordinate read and a unit "
                    "vector)",
                    lambda: fixed,
                ),
                Exhaustive(fixed[0], hashes.FIXED_VECTOR, unlike=knows),
            ),
            counterexample(
                OnInstance(
                    knows,
                    "three coordinates, two buckets, a vector on a colliding coordinate",
                    lambda d: f"{failures(d)} <= 1/2 is false",
                    hashes.VECTOR_THAT_KNOWS,
                    unlike=fixed[0],
                )
            ),
        ),
        depends=("CS.4",),
        corrected=Corrected(
            "fresh hashes in every round, or a union bound over a set of vectors fixed before the hash"
        ),
        severity=Severity.FIXABLE,
        note="The iterates are read from the same sketch, so they depend on its hash.",
    )
