"""Words for a learning-rate range: which condition binds, what would change it, what it guarantees."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from theory.formulas import paper
from theory.formulas.corrected import CORRECTED_REMEDY, PAPER_REMEDY, RHO_CORRECTED
from theory.papers.fps import letters as symbols
from theory.rates import theorem_a
from theory.rates.parameters import Parameters, as_float, evaluate, rational
from theory.rates.rounding import rounded_down

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


def why(form: str, q: Parameters, name: str, gamma: float, supremum: Callable[[Parameters], float]) -> str:
    """Why the range ends at γ by the condition `name`, in one or two sentences with computed numbers."""
    if gamma <= 0:
        return _why_empty(form, q)
    if gamma == math.inf:
        return "No condition limits gamma: L = 0 (affine losses) and no proximal term that matters."
    return f"{_why_binding(q, name, gamma)} {_largest_lever(q, supremum)}"


def guarantee(form: str, q: Parameters, empty: bool) -> str:
    """What the range guarantees."""
    return "none (the range is empty)" if empty else GUARANTEE[form].format(corollary=1 if q.E == 1 else 2)


def status_here(form: str, empty: bool) -> str:
    """The ledger's status of a form, worded for a range that may be empty at these constants."""
    if not empty:
        return STATUS[form]
    return f"empty for these constants{' (also, Theorem 1 is refuted)' if form in REFUTED else ''}"


REMEDY = {
    "paper": PAPER_REMEDY,
    "paper_with_conditions": PAPER_REMEDY,
    "corrected": CORRECTED_REMEDY,
    "repaired_closed": {"y": sp.Integer(1), "B2": 1 / symbols.P_b, "E2": sp.Integer(0)},
    "repaired_sharp": {"y": sp.Integer(1), "B2": 1 / symbols.P_b, "E2": sp.Integer(0)},
}


def _why_empty(form: str, q: Parameters) -> str:
    """An empty range means that P_b B² is too large: by how much, and which E would do."""
    values = q.substitution()
    below = {name: evaluate(expression, values) for name, expression in REMEDY[form].items()}
    now = as_float(rational(q.P_b) * rational(q.B) ** 2)
    steps = largest_integer_with_square_below(below["E2"])
    by_P_b = as_float(below["y"] / rational(q.B) ** 2)
    remedies = [f"P_b below {rounded_down(by_P_b, 4)}"]
    remedies += [f"B below {rounded_down(as_float(sp.sqrt(below['B2'])), 4)}"] if below["B2"] > 1 else []
    remedies += [f"E at most {steps}"] if steps >= 1 else []
    others = "" if steps >= 1 else " No E >= 1 helps."
    need = f"P_b B^2 must fall below {rounded_down(as_float(below['y']), 4)} (now {now:.4g})"
    return f"{need}: {' or '.join(remedies)}.{others}"


def largest_integer_with_square_below(value: sp.Expr) -> int:
    """max{n : n² < value}, exactly; 0 if there is none above 0."""
    return math.isqrt(max(int(sp.ceiling(value)) - 1, 0))


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


def _largest_lever(q: Parameters, supremum: Callable[[Parameters], float]) -> str:
    lever = largest_lever(q, supremum)
    if lever is None:
        return "No single one of E, B, P_b, P_n, mu widens it by more than 1 %."
    name, gamma = lever
    return (
        f"Largest lever: {name} would allow {'any gamma' if gamma == math.inf else rounded_down(gamma, 4)}."
    )


def largest_lever(q: Parameters, supremum: Callable[[Parameters], float]) -> tuple[str, float] | None:
    """Which single parameter, set to its ideal value, would widen the range most, and to what."""
    ideals = {
        "E = 1": replace(q, E=1),
        "B = 1": replace(q, B=1),
        "P_b = 0": replace(q, P_b=0),
        "P_n = 0": replace(q, P_n=0),
        "mu = 0": replace(q, mu=0),
    }
    name, gamma = max(((name, supremum(ideal)) for name, ideal in ideals.items()), key=lambda item: item[1])
    return (name, gamma) if gamma > supremum(q) * 1.01 else None
