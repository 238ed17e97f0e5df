"""Which learning rates are proved to descend? The certified range, with an exact certificate and its floor.

The search is numerical; what it finds is rounded to rationals and called certified only after the exact
verifier (`check`) has accepted it. With a fresh sketch the certificate has ω_L and v = κ(ℓ+ω_L) to spare
(Theorem S).

The largest certified γ promises little: there c is nearly 0. `best_gamma` finds the γ whose proved bound
after T rounds is the smallest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import floor, inf, log10, nextafter
from typing import Any

from theory.errors import InvalidParameter
from theory.formulas import fresh as ff
from theory.formulas.evaluated import compiled
from theory.papers.fps.letters import B
from theory.rates.descent.certificate import Certificate, Floor, FreshRound
from theory.rates.descent.program import NoSolution, Sizes
from theory.rates.descent.round import Round, Setting, unit_setting
from theory.rates.descent.search import (
    TOLERANCE,
    certify_step,
    cheapest_certificate,
    largest_step,
    smallest_bound,
    with_prices,
)
from theory.rates.limits.impossible import least_impossible
from theory.rates.parameters import SMALLEST, Parameters, Scalar, checked_integer, checked_size
from theory.rates.ranges import supremum
from theory.rates.theorem_a import Fresh, Sources, fresh_supremum

MOST_LETTERS = 31  # E = 30 without errors, E = 10 with bias and noise: seconds; the time grows like E^6
BACK = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
DIGITS = 6
_one_step = compiled(ff.ONE_STEP.slope, (ff.curved, ff.v, B))
CONDITION = "without a sketch; with one, if the residual stays bounded"
FRESH_CONDITION = "in expectation over the hashes, if the sketch is drawn anew in every round"
DEFAULT_ROUNDS, DEFAULT_G2 = 1000, Fraction(1, 100)
UNNAMED = 0.1  # a source that is not named counts as this share of Δ/T, so that its price stays finite
MANY_STEPS = 10
GRID, REFINEMENTS = 12, 14  # halvings of gamma, then golden sections
HOW = {
    "exact": "an exact certificate of descent in one round, checked with fractions",
    "numerical": "the solver alone (its answer could not be rounded to an exact proof)",
}


@dataclass(frozen=True)
class CertifiedRange:
    """0 < γ ≤ gamma_max. `certificate` is "exact", "numerical" or "none"; `proof` is the certificate itself.

    `gamma` is the exact rational, and `gamma_max` the float just below it. `all_smaller` says whether every γ
    below is proved as well. It is not for μ > 0 and E ≥ 2: there `gamma_max` equals `gamma`, and only this γ
    and those below `theorem_a`, the end of Theorem A's range, are proved.
    """

    gamma: Fraction | None
    binding: str
    why: str
    theorem_a: float
    certificate: str = "none"
    empty: bool = False
    all_smaller: bool = True
    proof: Certificate | None = None
    theta: float = 1.0
    seconds: float = 0.0

    @property
    def gamma_max(self) -> float | None:
        return None if self.gamma is None else _float_down(self.gamma)

    @property
    def floor(self) -> Floor | None:
        """What the largest γ promises; None where there is no exact certificate."""
        return None if self.proof is None else self.proof.floor

    def covers(self, gamma: Scalar) -> bool:
        """Is this γ proved? For μ > 0 and E ≥ 2 a certificate speaks of one γ.

        >>> found = certified_range(Parameters(L=1, E=2, B=2, mu=Fraction(1, 2)))
        >>> found.covers(found.gamma), found.covers(found.gamma * Fraction(9, 10)), found.covers(0.1)
        (True, False, True)
        """
        if self.gamma is None or not gamma > 0:
            return False
        below = self.gamma if self.all_smaller else Fraction(self.theorem_a)
        return gamma == self.gamma or gamma < below

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        names = ("gamma_max", "empty", "binding", "why", "certificate", "all_smaller", "theta", "seconds")
        floor = None if self.floor is None else self.floor.as_json()
        return {name: getattr(self, name) for name in names} | {"floor": floor}


def certified_range(
    q: Parameters, theta: Scalar = 1, fresh: FreshRound | None = None, everywhere: bool = True
) -> CertifiedRange:
    """The largest certified γ, never below Theorem A's (S' with a sketch) but for the search's tolerance.

    `everywhere`: A3 holds at x + ȳ as well, which is a broadcast unless there is a fresh sketch.

    >>> found = certified_range(Parameters(L=4, E=5, B=1.3))
    >>> found.gamma_max, found.certificate, found.all_smaller
    (0.127628675, 'exact', True)
    """
    started = time.perf_counter()
    setting = setting_for(q, theta, fresh, everywhere)
    found = _empty(q, setting) or _search(q, setting, fresh)
    return replace(found, theta=float(setting.theta), seconds=time.perf_counter() - started)


def setting_for(q: Parameters, theta: Scalar, fresh: FreshRound | None, everywhere: bool) -> Setting:
    """The setting of a proof with the prices of the sketch."""
    setting = unit_setting(q, theta)
    if fresh is None:
        return setting
    omega, v = (price / Fraction(q.L) for price in fresh.prices)
    return replace(setting, omega=omega, v=v, everywhere=everywhere and q.E > 1)


def certify(
    q: Parameters,
    gamma: Scalar,
    theta: Scalar = 1,
    fresh: FreshRound | None = None,
    everywhere: bool = True,
) -> Certificate | None:
    """An exact certificate at this γ, checked; None if none was found (also if the solver is missing)."""
    setting = setting_for(q, theta, fresh, everywhere)
    step = Fraction(checked_size("gamma", gamma, "a finite number above 0", open_low=True)) * Fraction(q.L)
    if q.E > 1 and step * setting.mu > 1:
        raise InvalidParameter("gamma mu", float(step * setting.mu), "at most 1")
    if Round(setting, 1.0).size > MOST_LETTERS:
        return None
    return _complete(certify_step(setting, step, Fraction(q.L), Fraction(q.mu)), fresh)


def _complete(found: Certificate | None, fresh: FreshRound | None) -> Certificate | None:
    """With a price for every source, and the sketch that it speaks of."""
    if found is None:
        return None
    return replace(with_prices(found) or found, sketch=fresh)


@dataclass(frozen=True)
class Best:
    """The γ whose proved bound after T rounds is the smallest that was found, and its certificate."""

    T: int
    proof: Certificate

    @property
    def gamma(self) -> float:
        return _float_down(self.proof.gamma)

    @property
    def floor(self) -> Floor:
        return self.proof.floor

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"gamma": self.gamma, "T": self.T, "floor": self.floor.as_json()}


def best_gamma(
    q: Parameters,
    T: int = DEFAULT_ROUNDS,
    sources: Sources | None = None,
    theta: Scalar = 1,
    fresh: FreshRound | None = None,
    everywhere: bool = True,
    largest: CertifiedRange | None = None,
) -> Best | None:
    """The γ that minimises the proved bound after T rounds; None if nothing is certified exactly.

    `sources` says what the run brings: Δ, G², b², σ². Without it G² = LΔ/100: beside what B says, gradients
    of devices differ by about a tenth of the first gradient. A source that is 0 counts as LΔ/(10 T), so that
    every price in the floor is finite. `largest` is the certified range where it is known already.

    >>> best = best_gamma(Parameters(L=4, E=5, B=1.3), T=1000)
    >>> best.gamma < 0.5 * 0.127628675, best.floor.G2 < 1
    (True, True)
    """
    rounds = checked_integer("T", T)
    found = certified_range(q, theta, fresh, everywhere) if largest is None else largest
    if found.gamma is None or found.certificate != "exact":
        return None
    setting, L = setting_for(q, theta, fresh, everywhere), Fraction(q.L)
    named = _sizes(q, rounds, sources or Sources(Delta=1 / L, G2=DEFAULT_G2))
    step = _best_step(setting, named, float(found.gamma * L))
    full = _all_named(named)
    for back in (1, 0.99, 0.95, 0.9, 0.7):
        exact = _rounded_down(step * back, 3)
        proof = cheapest_certificate(setting, exact, L, Fraction(q.mu), full)
        proof = proof or _complete(certify_step(setting, exact, L, Fraction(q.mu)), None)
        if proof is not None:
            return Best(rounds, replace(proof, sketch=fresh))
    return None


def certificate_at(
    q: Parameters, gamma: Scalar, T: int, sources: Sources, fresh: FreshRound | None = None
) -> Certificate | None:
    """The certificate of this very γ whose bound after T rounds is the smallest that was found."""
    setting = setting_for(q, 1, fresh, everywhere=fresh is None)
    step = Fraction(checked_size("gamma", gamma, "a finite number above 0", open_low=True)) * Fraction(q.L)
    if Round(setting, 1.0).size > MOST_LETTERS:
        return None
    if q.E > 1 and step * setting.mu > 1:
        raise InvalidParameter("gamma mu", float(step * setting.mu), "at most 1")
    named = _sizes(q, checked_integer("T", T), sources)
    full = _all_named(named)
    proof = cheapest_certificate(setting, step, Fraction(q.L), Fraction(q.mu), full)
    return proof if proof is not None else certify(q, gamma, 1, fresh, everywhere=fresh is None)


def _all_named(sizes: Sizes) -> Sizes:
    """Every source counts for something, so that each has a price."""
    rest = (size or UNNAMED * sizes.Delta for size in (sizes.G2, sizes.b2, sizes.sigma2))
    return Sizes(sizes.Delta, *rest)


def _sizes(q: Parameters, T: int, sources: Sources) -> Sizes:
    """Gradients divided by L; Δ must be there, since without it every γ is as good."""
    if not sources.Delta > 0:
        raise InvalidParameter("Delta", float(sources.Delta), "a number above 0")
    unit = float(q.L) ** 2
    squares = (float(each) / unit for each in (sources.G2, sources.b2, sources.sigma2))
    return Sizes(float(sources.Delta) / float(q.L) / T, *squares)


def _best_step(setting: Setting, sizes: Sizes, end: float) -> float:
    """Many local steps are slow to try: half as many at about twice the step size are as good a guide."""
    if setting.E > MANY_STEPS:
        fewer = setting.E // 2
        return min(
            end, _best_step(replace(setting, E=fewer), sizes, end * setting.E / fewer) * fewer / setting.E
        )
    return _minimum(cache(lambda step: smallest_bound(setting, step, sizes)), end)


def _minimum(bound: Callable[[float], float], end: float) -> float:
    """Near the minimum on (0, end]: halvings until the bound rises, then golden sections in the logarithm."""
    grid = [end * (1 - 10 * TOLERANCE) * 2.0**-k for k in range(GRID)]
    k = 0
    while k + 1 < GRID and not bound(grid[k + 1]) > bound(grid[k]):
        k += 1
    low, high = grid[min(k + 1, GRID - 1)], grid[max(k - 1, 0)]
    share = (5**0.5 - 1) / 2
    for _ in range(REFINEMENTS):
        left, right = high * (low / high) ** share, low * (high / low) ** share
        low, high = (low, right) if bound(left) < bound(right) else (left, high)
        if high < 1.02 * low:
            break
    return min((low, high, grid[k]), key=bound)


def with_mean_smoothness(q: Parameters, L_f: Scalar | None) -> Parameters:
    """L replaced by the smoothness of f, which is all that E = 1 needs."""
    if L_f is None:
        return q
    checked_size("L_f", L_f, "a finite number above 0 and at most L", open_low=True)
    if L_f > q.L:
        raise InvalidParameter("L_f", L_f, f"at most L = {float(q.L):g}: the mean is as smooth as its parts")
    if q.E > 1:
        raise InvalidParameter("L_f", L_f, "left out when E is above 1 (there the devices' own L counts)")
    return replace(q, L=L_f)


def _empty(q: Parameters, setting: Setting) -> CertifiedRange | None:
    product = Fraction(q.P_b) * Fraction(q.B) ** 2
    if product < 1:
        return None
    run = ", and devices with curvature L and -L and that bias never improve at any gamma"
    shown = (
        setting.theta == 1 and not setting.omega and q.P_b > SMALLEST
    )  # the smallest size may stand for a smaller bias
    reason = f"the bias can undo the mean step{run if shown else ''}"
    why = f"P_b B^2 = {float(product):.4g} is not below 1: {reason}."
    return CertifiedRange(None, "P_b B^2 < 1", why, 0.0, empty=True)


def _search(q: Parameters, setting: Setting, fresh: FreshRound | None) -> CertifiedRange:
    theorem = Fraction(
        supremum("repaired_sharp", q) if fresh is None else fresh_supremum(q, theorem_of(fresh))
    )
    letters = Round(setting, 1.0).size
    if letters > MOST_LETTERS:
        why = f"one round has {letters} vectors, and the search stops at {MOST_LETTERS}"
        return _theorem_a(theorem, f"no certificate: {why}", fresh)
    try:
        step = _numerical_step(setting, float(theorem * Fraction(q.L)))
    except NoSolution as error:
        return _theorem_a(theorem, f"no certificate: {error}", fresh)
    if step <= 0:
        return _theorem_a(theorem, "no certificate: the search found none", fresh)
    return _best(q, setting, theorem, step, fresh)


def theorem_of(fresh: FreshRound) -> Fresh:
    """Theorem S' for this sketch."""
    return Fresh(fresh.sketch.ell, fresh.sketch.omega_L, fresh.kappa, power=fresh.power)


def _numerical_step(setting: Setting, proved: float) -> float:
    """Where descent ends by the solver; A4 may end it before.

    With a sketch no proof goes beyond the exact range at E = 1, and without relative errors that is the
    answer.
    """
    evidence = least_impossible(setting)
    impossible = 2.0 if evidence is None else float(evidence.step)
    if not setting.scales:
        impossible = min(impossible, (1 + 2 * TOLERANCE) / float(setting.mu))
    if setting.omega or setting.v:
        devices = (setting.v, setting.B) if setting.E == 1 else (Fraction(0), Fraction(1))
        end = float(2 / _one_step(1 + setting.omega, *devices))
        if setting.E == 1 and not setting.P_b and not setting.P_n:
            return end
        impossible = min(impossible, end)
    return largest_step(setting, min(proved, impossible), impossible)


def _best(
    q: Parameters, setting: Setting, theorem: Fraction, step: float, fresh: FreshRound | None
) -> CertifiedRange:
    L = Fraction(q.L)
    attempts = (certify_step(setting, h, L, Fraction(q.mu)) for h in _candidates(setting, step, L))
    made = next((each for each in attempts if each is not None), None)
    if made is None:
        numerical = Fraction(step) * Fraction(999, 1000) / L
        if numerical > theorem:
            return _range(q, numerical, "numerical", None, theorem, fresh)
        return _theorem_a(theorem, "no certificate: rounding lost it", fresh)
    if made.gamma < theorem * (1 - 3 * Fraction(TOLERANCE)):
        return _theorem_a(theorem, "the certificate found is smaller", fresh)
    return _range(q, made.gamma, "exact", _complete(made, fresh), theorem, fresh)


def _candidates(setting: Setting, step: float, L: Fraction) -> list[Fraction]:
    """Short decimals below the root, nearest first.

    Where a certificate speaks of one γ, this γ is a float, and the end that A4 sets comes first.
    """
    steps = [_rounded_down(step * (1 - back)) for back in BACK]
    if setting.scales:
        return steps
    cap = [1 / setting.mu] if step * setting.mu >= 1 - 2 * TOLERANCE else []
    return [Fraction(_float_down(each / L)) * L for each in cap + steps]


def _rounded_down(value: float, digits: int = DIGITS) -> Fraction:
    unit = Fraction(10) ** (digits - floor(log10(value)))
    return Fraction(floor(Fraction(value) * unit)) / unit


def _range(
    q: Parameters,
    gamma: Fraction,
    kind: str,
    proof: Certificate | None,
    theorem: Fraction,
    fresh: FreshRound | None,
) -> CertifiedRange:
    end, all_smaller = float(theorem), q.E == 1 or q.mu == 0
    name, condition = _named(fresh)
    below = f"this gamma only, as mu > 0 (below {end:.4g} {name} holds; ask for others one by one)"
    scope = "every smaller gamma" if all_smaller else below
    why = f"Shown by {HOW[kind]}; it covers {scope}. It holds {condition}."
    capped = q.E > 1 and gamma * Fraction(q.mu) > 1 - Fraction(1, 10**12)
    binding = "gamma mu <= 1" if capped else "one-round descent"
    return CertifiedRange(gamma, binding, why, end, kind, all_smaller=all_smaller, proof=proof)


def _theorem_a(theorem: Fraction, reason: str, fresh: FreshRound | None) -> CertifiedRange:
    """Theorem A's (or S') range under its own name, just inside: it is open at its end."""
    name, condition = _named(fresh)
    gamma = theorem * (1 - Fraction(1, 10**9))
    why = f"{name}'s range is given ({reason}). It holds {condition}."
    return CertifiedRange(gamma, name, why, _float_down(gamma))


def _named(fresh: FreshRound | None) -> tuple[str, str]:
    return ("Theorem A", CONDITION) if fresh is None else ("Theorem S'", FRESH_CONDITION)


def _float_down(value: Fraction) -> float:
    number = float(value)
    return number if Fraction(number) <= value else nextafter(number, -inf)
