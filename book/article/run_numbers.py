"""The exact runs that break Theorem 1, and the example that needs no machine: the range without L."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from book.article.shown import exact, significant
from theory.counterexamples.exact_runs import RUNS
from theory.counterexamples.printed import PrintedParameters, gamma_range, rho
from theory.counterexamples.refutation import Refutation
from theory.rates.rounding import rounded_down

SHOWN = "range-without-L"
RARE = Fraction(1, 2)
EQUATIONS = {"eq:gamma_range": "eq. (11)", "eq:main_thm": "eq. (12)", "eq:step1_fps": "eq. (25)"}


def numbers() -> dict[str, Any]:
    """Every run with its two sides; one run with all its numbers; where gradient descent leaves the range."""
    found = [run.refutation for run in RUNS]
    runs = [_row(run) for run in found]
    plain = [run for run in runs if run["as_printed"]]
    return {
        "runs": runs,
        "plain": len(plain),
        "plain_with_steps": sum(run["steps"] for run in plain),
        "qualified": len(runs) - len(plain),
        "plain_coordinates": max(run.parameters.d for run in found if run.as_printed),
        "compressing": sum(run.parameters.k < run.parameters.d for run in found),
        "dropped": next(run for run in runs if run["name"] == "expectation-dropped"),
        "surely": rounded_down(min(float(run.probability) for run in found if run.probability > RARE), 3),
        "shown": _in_full(next(run for run in found if run.name == SHOWN)),
        "range": without_errors(),
    }


def _row(run: Refutation) -> dict[str, Any]:
    q = run.parameters
    return {
        "name": run.name,
        "falls": with_numbers(run.falls_with),
        "left": exact(run.left),
        "right": exact(run.right.total),
        "ratio": _times(run),
        "probability": exact(run.probability),
        "delta": exact(q.delta),
        "as_printed": run.as_printed,
        "steps": run.meets_appendix_conditions,
    }


def with_numbers(text: str) -> str:
    """The paper's equations by the numbers that its PDF shows."""
    for label, number in EQUATIONS.items():
        text = text.replace(label, number)
    return text


def _times(run: Refutation) -> str:
    """How far the bound is missed; a bound below zero is missed by any run."""
    return significant(float(run.left / run.right.total)) if run.right.total > 0 else "−"


def _in_full(run: Refutation) -> dict[str, Any]:
    q = run.parameters
    return {
        "L": exact(q.L),
        "gamma": exact(q.gamma),
        "P_b": exact(q.P_b),
        "c": exact(q.c),
        "W": exact(q.W),
        "rounds": q.T + 1,
        "range": exact(gamma_range(q)),
        "rho": exact(rho(q)),
        "left": exact(run.left),
        "optimisation": exact(run.right.optimisation),
        "sketch": exact(run.right.sketch),
        "right": exact(run.right.total),
        "ratio": significant(float(run.left / run.right.total)),
        "checks": sum(check.required for check in run.checks),
    }


def without_errors() -> dict[str, str]:
    """E = B = 1, P_b and P_n → 0: what the paper allows for every L, and the L from which it is too much."""
    one, two = (_errorless(Fraction(gamma)) for gamma in (1, 2))
    slope = rho(one) - rho(two)  # ρ is affine in γ
    quarter = (rho(one) + slope - Fraction(1, 4)) / slope
    allowed = gamma_range(one)
    return {
        "gamma": exact(allowed),
        "L": exact(2 / allowed),
        "gamma_quarter": exact(quarter),
        "L_quarter": exact(2 / quarter),
    }


def _errorless(gamma: Fraction) -> PrintedParameters:
    one = Fraction(1)
    return PrintedParameters(L=one, gamma=gamma, T=0, W=one, c=one, P_b=Fraction(0))
