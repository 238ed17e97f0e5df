"""Which learning rates are allowed? Five answers side by side, from the paper's range to Theorem A's.

Each answer is a set 0 < γ ≤ γ_max (or < γ_max where `strict`); it is an interval from 0 in every form: linear
conditions `slope·γ ≤ upper` in the closed ones, and see `theorem_a.admits` for the sharp one.

A box of parameters gets the range that is safe everywhere in it. The closed forms are, along each axis,
either decreasing or quasi-concave (`corrected` in P_b, P_n and B, because H falls as they grow: the set
{γ_max ≥ g} is {convex quadratic ≤ concave quadratic}), so their smallest value sits at a corner. The sharp
form decreases in L, B, P_b, P_n and ν; E is enumerated, and the interval of μ is cut into pieces, on each of
which an upper estimate of the condition is used.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import pairwise

import sympy as sp

from theory.errors import InvalidParameter
from theory.formulas import corrected, letters, paper, repaired
from theory.formulas.corrected import LARGEST_P_CORRECTED, LARGEST_P_PAPER, RHO_CORRECTED
from theory.papers.fps import letters as symbols
from theory.rates import theorem_a
from theory.rates.parameters import Box, Parameters, as_float, evaluate, rational
from theory.rates.rounding import rounded_down

FORMS = ("paper", "paper_with_conditions", "corrected", "repaired_closed", "repaired_sharp")
MU_PIECES = 16
MOST_E = 200
SMALLEST_GAMMA = 1e-300  # below it floats lose digits, and at last the number itself


@dataclass(frozen=True)
class Limit:
    """One condition's largest γ: infinite when it asks nothing, 0 or less when it leaves no γ > 0."""

    name: str
    gamma: float
    strict: bool


@dataclass(frozen=True)
class Range:
    """0 < γ ≤ gamma_max (< if strict). None with `empty`: no γ. None with `unbounded`: every γ > 0."""

    gamma_max: float | None
    empty: bool
    unbounded: bool
    strict: bool
    binding: str
    why: str
    guarantee: str
    status: str
    limits: dict[str, float | None]
    at: Parameters

    def contains(self, gamma: float) -> bool:
        """Is γ allowed?"""
        if self.empty or not gamma > 0:
            return False
        if self.gamma_max is None:
            return True
        return gamma < self.gamma_max if self.strict else gamma <= self.gamma_max

    def as_json(self) -> dict[str, object]:
        """Plain values only; no NaN, no infinity."""
        record = asdict(self)
        record["at"] = {k: float(v) if isinstance(v, Fraction) else v for k, v in record["at"].items()}
        return record


def ranges(parameters: Parameters | Box) -> dict[str, Range]:
    """All five ranges, in the order of FORMS."""
    return {form: learning_rate_range(form, parameters) for form in FORMS}


def learning_rate_range(form: str, parameters: Parameters | Box) -> Range:
    """One form's range at a point, or the range safe in a whole box."""
    if form not in FORMS:
        raise InvalidParameter("form", form, f"one of {', '.join(FORMS)}")
    if isinstance(parameters, Parameters):
        return _explain(form, parameters, form_limits(form, parameters))
    if form == "repaired_sharp":
        candidates = list(_sharp_candidates(parameters))
    else:
        candidates = [(q, form_limits(form, q)) for q in parameters.corners()]
    worst, limits = min(candidates, key=lambda candidate: binding(candidate[1]).gamma)
    return _explain(form, worst, limits)


def form_limits(form: str, q: Parameters) -> list[Limit]:
    """Every condition of a form as a limit on γ."""
    if form == "repaired_sharp":
        return sharp_limits(q)
    return [_limit(condition, q) for condition in form_conditions(form, q)]


def form_conditions(form: str, q: Parameters) -> tuple[letters.StepCondition, ...]:
    """The linear conditions behind a closed form."""
    match form:
        case "paper":
            return (paper.GAMMA_RANGE,)
        case "paper_with_conditions":
            return (paper.GAMMA_RANGE, paper.DESCENT_STEP, paper.DRIFT_STEP)
        case "corrected":
            return (corrected.RHO_CORRECTED_QUARTER, paper.DESCENT_STEP, paper.DRIFT_STEP)
        case _:
            return repaired.COROLLARY1_CONDITIONS if q.E == 1 else repaired.COROLLARY2_CONDITIONS


def _limit(condition: letters.StepCondition, q: Parameters) -> Limit:
    values = q.substitution()
    upper, slope = evaluate(condition.upper, values), evaluate(condition.slope, values)
    if upper <= 0:
        return Limit(condition.name, min(as_float(upper), 0.0), condition.strict)
    gamma = math.inf if slope == 0 else _representable(as_float(upper / slope, "gamma_max"))
    return Limit(condition.name, gamma, condition.strict)


def _representable(gamma: float) -> float:
    """A positive limit that underflows must not pass for an empty range."""
    if gamma < SMALLEST_GAMMA:
        expected = (
            "a larger one: P_b B^2 is too close to its limit for floats, or the constants are too large"
        )
        raise InvalidParameter("gamma_max", f"a positive number below {SMALLEST_GAMMA:g}", expected)
    return gamma


def sharp_limits(q: Parameters, mu_low: float | None = None) -> list[Limit]:
    """Theorem A's range: closed at E = 1, where μ has no effect; by bisection, with A4, at E ≥ 2."""
    values = q.substitution()
    slack = evaluate(1 - letters.P, values)
    if slack <= 0:
        return [Limit("P_b B^2 < 1", as_float(slack), True)]
    if q.E == 1:
        small_noise = evaluate(letters.nu * symbols.P_n * symbols.B**2, values) < slack
        return [_limit(repaired.SHARP_E1_SMALL_NOISE if small_noise else repaired.SHARP_E1_LARGE_NOISE, q)]
    a4 = _limit(repaired.A4, q)
    return [Limit("Theorem A", _sharp_supremum(q, a4.gamma, mu_low), True), a4]


def _sharp_supremum(q: Parameters, cap: float, mu_low: float | None) -> float:
    """The γ at which Theorem A's condition stops holding; infinite if it still holds at the cap.

    Any admissible γ has u = LγĒ < 2 (take x = 1 + √α in the condition), and Ē ≥ 1, so γ < 2/L.
    """
    if q.L == 0 or (cap <= 2 / q.L and theorem_a.admits(q, cap, mu_low)):
        return math.inf
    low, high = 0.0, min(cap, 2 / float(q.L))
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if theorem_a.admits(q, middle, mu_low) else (low, middle)
    return _representable(high)


def _sharp_candidates(box: Box) -> list[tuple[Parameters, list[Limit]]]:
    """Estimates from below that together cover the box."""
    if box.high.E - box.low.E >= MOST_E:
        raise InvalidParameter("E", f"{box.low.E}:{box.high.E}", f"an interval of at most {MOST_E} integers")
    low, high = float(box.low.mu), float(box.high.mu)
    pieces = MU_PIECES if high > low else 1
    cuts = [low + (high - low) * i / pieces for i in range(pieces)] + [high]
    worst = replace(box.high, M=box.low.M)
    points = [
        (replace(worst, E=E, mu=top), bottom)
        for E in range(box.low.E, box.high.E + 1)
        for bottom, top in pairwise(cuts)
    ]
    return [(q, sharp_limits(q, bottom)) for q, bottom in points]


def binding(limits: list[Limit]) -> Limit:
    """The condition that leaves the fewest γ; of equal limits a strict one."""
    return min(limits, key=lambda limit: (limit.gamma, not limit.strict))


def supremum(form: str, q: Parameters) -> float:
    """γ_max as a bare number: infinite if unbounded, 0 or less if empty."""
    return binding(form_limits(form, q)).gamma


BINDING = {
    "1/(4E(L+mu)A)": "Lemma 2 asks gamma <= 1/(4E(L+mu)A), A = 1 + 2B^2(P_b+P_n): the smallest limit.",
    "1/(2(L+mu))": "Step (b) of Theorem 1 asks gamma <= 1/(2(L+mu)): the smallest limit.",
    "rho_corrected >= 1/4": "The corrected rho(gamma) falls to 1/4 here; Lemma 2 would allow more.",
    "L gamma < 1": "Corollary 1 asks L gamma < 1.",
    "rho_1 > 0": "Corollary 1 asks rho_1 = 1 - P_b B^2 - L gamma nu P_n B^2 > 0: the noise binds.",
    "drift": "Corollary 2: the drift of the local steps binds, gamma <= (1-P_b B^2)/(8L(E-1)c c_b B).",
    "noise": "Corollary 2: the relative noise binds, gamma <= (1-P_b B^2)/(16 L nu P_n B^2).",
    "proximal": "Corollary 2: the proximal term binds, gamma <= 1/(2 mu (E-1)).",
    "Theorem A": "For larger gamma, Theorem A gives no bound",
    "gamma mu <= 1": "Assumption A4 (gamma mu <= 1) binds before Theorem A's own condition.",
}
LARGEST_P = {  # P_b B² must be below it, else the range is empty
    "paper": LARGEST_P_PAPER,
    "paper_with_conditions": LARGEST_P_PAPER,
    "corrected": LARGEST_P_CORRECTED,
    "repaired_closed": sp.Integer(1),
    "repaired_sharp": sp.Integer(1),
}
GUARANTEE = {
    "paper": "claimed: rho(gamma) > 1/4 and Theorem 1; what follows is only rho(gamma) >= 0",
    "paper_with_conditions": "Lemma 2 and step (b) of Theorem 1 may be used; rho(gamma) may still be 0",
    "corrected": "corrected rho(gamma) >= 1/4, and the hypotheses of Lemma 2 and step (b)",
    "repaired_closed": "Corollary {corollary}: an explicit bound on the mean of E||grad f(w_t)||^2",
    "repaired_sharp": "Theorem A: a finite bound on the mean of E||grad f(w_t)||^2, found by bisection",
}
_SCOPE = "with a sketch only if its residual stays bounded, as it need not when the sketch compresses"
STATUS = {
    "paper": "refuted: neither rho > 1/4 nor the proof's step sizes follow, and Theorem 1 fails inside it",
    "paper_with_conditions": "conditional: Lemma 2 applies; Theorem 1 stays refuted (1/rho, 1/gamma, top-k)",
    "corrected": "valid as algebra on rho; Theorem 1 stays refuted (1/rho, 1/gamma, top-k)",
    "repaired_closed": f"valid under A1-A4 of the repaired theory; {_SCOPE}",
    "repaired_sharp": f"valid under A1-A4 of the repaired theory; {_SCOPE}",
}
REFUTED = ("paper", "paper_with_conditions", "corrected")


def _explain(form: str, q: Parameters, limits: list[Limit]) -> Range:
    limit = binding(limits)
    empty, unbounded = limit.gamma <= 0, limit.gamma == math.inf
    promised = GUARANTEE[form].format(corollary=1 if q.E == 1 else 2)
    refuted = " (also, Theorem 1 is refuted)" if form in REFUTED else ""
    return Range(
        gamma_max=None if empty or unbounded else limit.gamma,
        empty=empty,
        unbounded=unbounded,
        strict=limit.strict,
        binding="none" if unbounded else limit.name,
        why=_why(form, q, limit.name, limit.gamma),
        guarantee="none (the range is empty)" if empty else promised,
        status=f"empty for these constants{refuted}" if empty else STATUS[form],
        limits={each.name: each.gamma if 0 < each.gamma < math.inf else None for each in limits},
        at=q,
    )


def _why(form: str, q: Parameters, name: str, gamma: float) -> str:
    """Why the range ends at γ by the condition `name`, in one or two sentences with computed numbers."""
    if gamma <= 0:
        largest, square = evaluate(LARGEST_P[form], q.substitution()), rational(q.B) ** 2
        now, below = (as_float(each) for each in (rational(q.P_b) * square, largest / square))
        need = f"P_b B^2 must fall below {rounded_down(as_float(largest), 4)} (now {now:.4g})"
        return f"{need}: P_b below {rounded_down(below, 4)}."
    if gamma == math.inf:
        return "No condition limits gamma: L = 0 (affine losses) and no proximal term that matters."
    lever = largest_lever(form, q)
    if lever is None:
        return (
            f"{_why_binding(q, name, gamma)} No single one of E, B, P_b, P_n, mu widens it by more than 1 %."
        )
    allowed = "any gamma" if lever[1] == math.inf else rounded_down(lever[1], 4)
    return f"{_why_binding(q, name, gamma)} Largest lever: {lever[0]} would allow {allowed}."


def _why_binding(q: Parameters, name: str, gamma: float) -> str:
    if name == "Theorem A":
        u, alpha, n = theorem_a.limits(q, gamma)
        terms = (
            f"there L gamma E_bar = {u:.4g}, drift and bias sqrt(alpha) = {alpha**0.5:.4g}, noise n = {n:.4g}"
        )
        return f"{BINDING[name]} ({terms})."
    if name != "eq:gamma_range":
        return BINDING[name]
    values = q.substitution()
    values[symbols.gamma] = evaluate(paper.GAMMA_RANGE.upper / paper.GAMMA_RANGE.slope, values)
    rho, corrected = (as_float(evaluate(each, values)) for each in (paper.RHO_PAPER, RHO_CORRECTED))
    units = "" if q.P_n else " It does not depend on L, so it cannot be right in all units."
    return f"At this gamma rho = {rho:.4g} as printed and {corrected:.4g} corrected (1/4 is claimed).{units}"


def largest_lever(form: str, q: Parameters) -> tuple[str, float] | None:
    """Which single parameter, set to its ideal value, would widen the range most, and to what."""
    ideals = {"E": 1, "B": 1, "P_b": 0, "P_n": 0, "mu": 0}
    widened = {f"{n} = {v}": supremum(form, replace(q, **{n: v})) for n, v in ideals.items()}
    name = max(widened, key=lambda each: widened[each])
    return (name, widened[name]) if widened[name] > supremum(form, q) * 1.01 else None
