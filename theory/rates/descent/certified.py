"""Which learning rates are proved to descend? The certified range, with an exact certificate.

The search (`bisection`) is numerical; what it finds is rounded to rationals and called certified only after
the exact verifier (`check`) has accepted it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, inf, log10, nextafter
from typing import Any

from theory.errors import InvalidParameter
from theory.rates.descent.bisection import TOLERANCE, largest_step
from theory.rates.descent.certificate import Certificate
from theory.rates.descent.exact_certificate import certify_step
from theory.rates.descent.letters import Round
from theory.rates.descent.program import NoSolution
from theory.rates.descent.setting import Setting, unit_setting
from theory.rates.limits.two_curvatures import least_impossible
from theory.rates.parameters import SMALLEST, Parameters, Scalar, checked_size
from theory.rates.ranges import supremum

MOST_LETTERS = 31  # E = 30 without errors, E = 10 with bias and noise: seconds; the time grows like E^6
BACK = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
DIGITS = 6
CONDITION = "without a sketch; with one, if the residual stays bounded"
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

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        names = ("gamma_max", "empty", "binding", "why", "certificate", "all_smaller", "theta", "seconds")
        return {name: getattr(self, name) for name in names}


def certified_range(q: Parameters, theta: Scalar = 1) -> CertifiedRange:
    """The largest certified γ, never below Theorem A's but for the tolerance of the search."""
    started = time.perf_counter()
    setting = unit_setting(q, theta)
    found = _empty(q, setting) or _search(q, setting)
    return replace(found, theta=float(setting.theta), seconds=time.perf_counter() - started)


def certify(q: Parameters, gamma: Scalar, theta: Scalar = 1) -> Certificate | None:
    """An exact certificate at this γ, checked; None if none was found (also if the solver is missing)."""
    setting = unit_setting(q, theta)
    step = Fraction(checked_size("gamma", gamma, "a finite number above 0", open_low=True)) * Fraction(q.L)
    if q.E > 1 and step * setting.mu > 1:
        raise InvalidParameter("gamma mu", float(step * setting.mu), "at most 1")
    if Round(setting, 1.0).size > MOST_LETTERS:
        return None
    return certify_step(setting, step, Fraction(q.L), Fraction(q.mu))


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
    shown = setting.theta == 1 and q.P_b > SMALLEST  # the smallest size may stand for a smaller bias
    reason = f"the bias can undo the mean step{run if shown else ''}"
    why = f"P_b B^2 = {float(product):.4g} is not below 1: {reason}."
    return CertifiedRange(None, "P_b B^2 < 1", why, 0.0, empty=True)


def _search(q: Parameters, setting: Setting) -> CertifiedRange:
    theorem = Fraction(supremum("repaired_sharp", q))
    letters = Round(setting, 1.0).size
    if letters > MOST_LETTERS:
        why = f"one round has {letters} vectors, and the search stops at {MOST_LETTERS}"
        return _theorem_a(theorem, f"no certificate: {why}")
    try:
        step = _numerical_step(setting, float(theorem * Fraction(q.L)))
    except NoSolution as error:
        return _theorem_a(theorem, f"no certificate: {error}")
    if step <= 0:
        return _theorem_a(theorem, "no certificate: the search found none")
    return _best(q, setting, theorem, step)


def _numerical_step(setting: Setting, proved: float) -> float:
    """Where descent ends by the solver; A4 may end it before."""
    evidence = least_impossible(setting)
    impossible = 2.0 if evidence is None else float(evidence.step)
    if not setting.scales:
        impossible = min(impossible, (1 + 2 * TOLERANCE) / float(setting.mu))
    return largest_step(setting, min(proved, impossible), impossible)


def _best(q: Parameters, setting: Setting, theorem: Fraction, step: float) -> CertifiedRange:
    L = Fraction(q.L)
    attempts = (certify_step(setting, h, L, Fraction(q.mu)) for h in _candidates(setting, step, L))
    made = next((each for each in attempts if each is not None), None)
    if made is None:
        numerical = Fraction(step) * Fraction(999, 1000) / L
        if numerical > theorem:
            return _range(q, numerical, "numerical", None, theorem)
        return _theorem_a(theorem, "no certificate: rounding lost it")
    if made.gamma < theorem * (1 - 3 * Fraction(TOLERANCE)):
        return _theorem_a(theorem, "the certificate found is smaller")
    return _range(q, made.gamma, "exact", made, theorem)


def _candidates(setting: Setting, step: float, L: Fraction) -> list[Fraction]:
    """Short decimals below the root, nearest first.

    Where a certificate speaks of one γ, this γ is a float, and the end that A4 sets comes first.
    """
    steps = [_rounded_down(step * (1 - back)) for back in BACK]
    if setting.scales:
        return steps
    cap = [1 / setting.mu] if step * setting.mu >= 1 - 2 * TOLERANCE else []
    return [Fraction(_float_down(each / L)) * L for each in cap + steps]


def _rounded_down(value: float) -> Fraction:
    unit = Fraction(10) ** (DIGITS - floor(log10(value)))
    return Fraction(floor(Fraction(value) * unit)) / unit


def _range(
    q: Parameters, gamma: Fraction, kind: str, proof: Certificate | None, theorem: Fraction
) -> CertifiedRange:
    end, all_smaller = float(theorem), q.E == 1 or q.mu == 0
    below = f"this gamma only, as mu > 0 (below {end:.4g} Theorem A holds; ask for others one by one)"
    scope = "every smaller gamma" if all_smaller else below
    why = f"Shown by {HOW[kind]}; it covers {scope}. It holds {CONDITION}."
    capped = q.E > 1 and gamma * Fraction(q.mu) > 1 - Fraction(1, 10**12)
    binding = "gamma mu <= 1" if capped else "one-round descent"
    return CertifiedRange(gamma, binding, why, end, kind, all_smaller=all_smaller, proof=proof)


def _theorem_a(theorem: Fraction, reason: str) -> CertifiedRange:
    """Theorem A's range under its own name, just inside: it is open at its end."""
    gamma = theorem * (1 - Fraction(1, 10**9))
    why = f"Theorem A's range is given ({reason}). It holds {CONDITION}."
    return CertifiedRange(gamma, "Theorem A", why, _float_down(gamma))


def _float_down(value: Fraction) -> float:
    number = float(value)
    return number if Fraction(number) <= value else nextafter(number, -inf)
