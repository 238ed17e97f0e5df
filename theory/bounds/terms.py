"""The bounds on the mean squared gradient, term by term: Theorem 1 as printed, Corollaries 1-2, Theorem A.

The printed bound averages t = 0, …, T (T + 1 terms), the repaired ones t = 0, …, T − 1 (T terms).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from theory.errors import InvalidParameter
from theory.formulas import letters, paper, repaired, sketch_space
from theory.formulas.corrected import RHO_CORRECTED
from theory.formulas.evaluated import compiled
from theory.formulas.sketch import LEMMA1_REPAIRED
from theory.papers.fps import letters as sy
from theory.rates import theorem_a
from theory.rates.descent.certificate import FreshRound
from theory.rates.descent.certified import certificate_at, theorem_of
from theory.rates.descent.program import NoSolution
from theory.rates.parameters import (
    Parameters,
    Scalar,
    as_float,
    checked_exponent,
    checked_integer,
    checked_size,
    evaluate,
    many_digits,
    rational,
)
from theory.rates.ranges import Range, ranges
from theory.rates.theorem_a import Sources

_root_b1 = compiled(sketch_space.ROOT_B1, (repaired.u, repaired.rho, repaired.N, sketch_space.start))


@dataclass(frozen=True)
class Sketch:
    """Lemma 1's letters: columns factor c, kept coordinates k of d, power law p, and ‖w‖² ≤ W."""

    c: Scalar
    k: int
    d: int
    p: Scalar
    W: Scalar

    def __post_init__(self) -> None:
        checked_size("c", self.c, "a finite number above 0", open_low=True)
        checked_exponent("p", self.p)
        checked_size("W", self.W, "a finite number of at least 0")
        checked_integer("k", self.k)
        if checked_integer("d", self.d) < self.k:
            raise InvalidParameter("d", self.d, f"at least k = {self.k}")

    def substitution(self) -> dict[Any, Any]:
        """The symbols and their values, exact but for the exponent (see `many_digits`)."""
        exact = {getattr(sy, name): rational(value) for name, value in vars(self).items()}
        return exact if Fraction(self.p).denominator == 1 else exact | {sy.p: many_digits(self.p)}


@dataclass(frozen=True)
class Bound:
    """A sum of named terms; `total` is None where the statement gives nothing, and `why_not` says why."""

    terms: dict[str, float]
    total: float | None
    why_not: str = ""


def _values(q: Parameters, gamma: Scalar, T: int, sources: Sources) -> dict[Any, Any]:
    checked_size("gamma", gamma, "a finite number above 0", open_low=True)
    named = {
        sy.gamma: gamma,
        sy.T: checked_integer("T", T),
        sy.F0: sources.Delta,
        sy.b2: sources.b2,
        sy.s2: sources.sigma2,
        sy.R2: sources.R2,
        letters.G2: sources.G2,
    }
    return q.substitution() | {symbol: rational(value) for symbol, value in named.items()}


def _sum(terms: dict[Any, Any], values: dict[Any, Any]) -> Bound:
    try:
        numbers = {name: as_float(evaluate(term, values), name) for name, term in terms.items()}
        return Bound(numbers, math.fsum(numbers.values()))
    except (InvalidParameter, OverflowError):  # pragma: no cover: beyond the largest float
        return Bound({}, None, "The bound is beyond the largest float (1.7e308).")


def theorem1(q: Parameters, gamma: Scalar, T: int, sources: Sources, sketch: Sketch | None) -> Bound:
    """The right side of Theorem 1 as printed, γ in any range or not; without a sketch, without its terms."""
    values = _values(q, gamma, T, sources) | (sketch.substitution() if sketch else {})
    terms = {n: term for n, term in paper.THEOREM1_TERMS.items() if sketch or not n.startswith("sketch")}
    return _sum(terms, values)


def rho(q: Parameters, gamma: Scalar, corrected: bool = False) -> float:
    """ρ(γ) as printed (eq:rho), or with the bias term that step 2 halves by mistake in full."""
    expression = RHO_CORRECTED if corrected else paper.RHO_PAPER
    return as_float(evaluate(expression, q.substitution() | {sy.gamma: rational(gamma)}), "rho")


def lemma1_residual(sketch: Sketch) -> float:
    """A bound on the squared sketch residual: Lemma 1'(b)."""
    values = {getattr(sy, name): many_digits(value) for name, value in vars(sketch).items()}
    return as_float(evaluate(LEMMA1_REPAIRED, values))


def corollary(q: Parameters, gamma: Scalar, T: int, sources: Sources, allowed: Range) -> Bound:
    """Corollary 1 (E = 1) or 2 (E ≥ 2) inside its range."""
    if not allowed.contains(float(gamma)):
        return Bound(
            {}, None, f"gamma is outside the range of Corollary {1 if q.E == 1 else 2}. {allowed.why}"
        )
    E_bar = theorem_a.one_round(q, gamma).E_bar
    values = _values(q, gamma, T, sources) | {letters.E_bar: rational(E_bar)}
    return _sum(repaired.COROLLARY1_TERMS if q.E == 1 else repaired.COROLLARY2_TERMS, values)


def implicit(
    q: Parameters, gamma: Scalar, T: int, sources: Sources, fresh: theorem_a.Fresh | None = None
) -> Bound:
    """Theorem A's bound (with a fresh sketch S'), split as the right side of (★) at the bound itself."""
    try:
        at = theorem_a.solve(q, gamma, T, sources, fresh=fresh)
    except InvalidParameter as error:
        if error.field != "gamma mu":
            raise
        return Bound({}, None, str(error))
    if not math.isfinite(at.bound):
        if theorem_a.admits(q, gamma, fresh=fresh):  # pragma: no cover: beyond the largest float
            return Bound(
                {}, None, "gamma is in Theorem A's range, but the bound is beyond the largest float."
            )
        return Bound(
            {},
            None,
            f"gamma is above the range of Theorem {'A' if fresh is None else 'S'}, so it gives no bound.",
        )
    terms = {
        "optimisation 2Δ/(γĒT)": at.optimisation,
        "drift and bias F²": at.F * at.F,
        "residual 2ρx": 2 * at.rho * at.x,
        "mean step −x²": -at.x * at.x,
        "step and noise": at.inner - 2 * at.rho * at.x + at.x * at.x,
    }
    return Bound(terms, at.bound)


def corollary_b1(u: float, rho2: float, N: float, Delta: float, gamma: float, T: int) -> float | None:
    """One local step without bias, in the norm of the table ‖g‖_A² = ‖Sg‖²/J, u = γL_A; None if u ≥ 2."""
    return float(_root_b1(u, math.sqrt(rho2), N, 2 * Delta / (gamma * T))) ** 2 if u < 2 else None


def without_each_source(
    q: Parameters, gamma: Scalar, T: int, sources: Sources, fresh: theorem_a.Fresh | None = None
) -> dict[str, float | None]:
    """Theorem A's bound with one source of error removed: what each of them costs."""
    present = {n: v for n, v in vars(sources).items() if n not in ("D2", "rho2") and v}
    return {name: implicit(q, gamma, T, replace(sources, **{name: 0}), fresh).total for name in present}


def certificate_bound(
    q: Parameters, gamma: Scalar, T: int, sources: Sources, fresh: FreshRound | None = None
) -> Bound:
    """What an exact certificate at this very γ promises, term by term; its A3 is asked at broadcasts.

    >>> found = certificate_bound(Parameters(L=4, E=5, B=1.3), 0.03, 1000, Sources(Delta=1, G2=1))
    >>> sorted(found.terms), found.total == sum(found.terms.values())
    (['G2', 'initial loss'], True)
    """
    if sources.R2 and fresh is None:
        return Bound({}, None, "no bound: a certificate takes no residual")
    if sources.D2 is not None or sources.rho2 is not None:
        return Bound({}, None, "no bound: a certificate asks for G2 and R2 themselves")
    try:
        proof = certificate_at(q, gamma, T, sources, fresh)
    except (InvalidParameter, NoSolution) as error:
        return Bound({}, None, f"no bound: {error}")
    if proof is None:
        return Bound({}, None, "no bound: no exact certificate was found at this gamma")
    factors = proof.floor.as_json()
    terms = {"initial loss": float(factors["Delta_over_T"] or 0) * float(sources.Delta) / T}
    for name in ("G2", "b2", "sigma2"):
        size, factor = float(getattr(sources, name)), factors[name]
        if size and factor is None:
            return Bound({}, None, f"no bound: the certificate has no price of {name}")
        terms |= {name: size * float(factor or 0)} if size else {}
    return Bound(terms, sum(terms.values()))


@dataclass(frozen=True)
class Report:
    """Printed and repaired bounds side by side: Theorem 1 as printed, Corollary 1 or 2 (`closed`), Theorem A
    (`sharp`; `without`: with one source removed), and an exact certificate at this γ."""

    q: Parameters
    gamma: float
    T: int
    R2: float
    ranges: dict[str, Range]
    rho: float
    rho_corrected: float
    paper: Bound
    closed: Bound
    sharp: Bound
    without: dict[str, float | None]
    certificate: Bound

    def contains(self, form: str) -> bool:
        """Is γ in this range?"""
        return self.ranges[form].contains(self.gamma)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        plain = {name: getattr(self, name) for name in ("gamma", "T", "R2", "rho", "rho_corrected")}
        return plain | {
            "in_range": {form: self.contains(form) for form in self.ranges},
            "gamma_max": {form: each.gamma_max for form, each in self.ranges.items()},
            "strict": {form: each.strict for form, each in self.ranges.items()},
            "paper": vars(self.paper),
            "repaired_closed": vars(self.closed),
            "repaired_sharp": vars(self.sharp),
            "repaired_sharp_without": self.without,
            "certificate": vars(self.certificate),
        }


def report(
    q: Parameters,
    gamma: Scalar,
    T: int,
    sources: Sources,
    sketch: Sketch | None = None,
    fresh: FreshRound | None = None,
) -> Report:
    """All bounds at γ after T rounds; with a fresh sketch Theorem A's place is taken by Theorem S'."""
    allowed = ranges(q)
    prices = None if fresh is None else theorem_of(fresh)
    return Report(
        q=q,
        gamma=float(gamma),
        T=T,
        R2=float(sources.R2),
        ranges=allowed,
        rho=rho(q, gamma),
        rho_corrected=rho(q, gamma, corrected=True),
        paper=theorem1(q, gamma, T, sources, sketch),
        closed=corollary(q, gamma, T, sources, allowed["repaired_closed"]),
        sharp=implicit(q, gamma, T, sources, prices),
        without=without_each_source(q, gamma, T, sources, prices),
        certificate=certificate_bound(q, gamma, T, sources, fresh),
    )
