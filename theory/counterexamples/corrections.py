"""Single corrections of Theorem 1: of each fixable error that changes its bound or what it asks for, and of
L1.any, which asks for compressible models.

A correction rescues a run if Theorem 1 with it alone no longer fails on the run: the bound holds, or the
constants or the reading are excluded. The words of a correction are for the line below a run.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from theory.counterexamples.assumption_checks import AssumptionCheck, compressible_models, corrected
from theory.counterexamples.exact_runs import ExactRun
from theory.counterexamples.printed import PrintedParameters, RightSide, at, rho
from theory.counterexamples.refutation import Refutation
from theory.formulas.corrected import (
    RANGE_CORRECTED,
    RESIDUAL_WITH_SELECTION,
    RHO_CORRECTED,
    THEOREM1_CORRECTED,
)
from theory.formulas.paper import TAIL_PAPER
from theory.formulas.sketch import TAIL_INTEGRAL
from theory.papers.fps.letters import tau

QUARTER = Fraction(1, 4)
Bound = Callable[[PrintedParameters, RightSide], Fraction]
Condition = Callable[[PrintedParameters], bool]


@dataclass(frozen=True)
class Correction:
    """What is corrected, by the entry that says so, and which runs it rescues."""

    entry: str
    words: str
    rescues: Callable[[ExactRun], bool]


def _bound(entry: str, words: str, right: Bound) -> Correction:
    """Another right side."""
    return Correction(entry, words, lambda run: _holds(run.refutation, right))


def _holds(found: Refutation, right: Bound) -> bool:
    return found.chance_above(right(found.parameters, found.right)) <= found.parameters.delta


def _condition(entry: str, words: str, met: Condition) -> Correction:
    """A further condition on the constants."""
    return Correction(entry, words, lambda run: not met(run.parameters))


# ---------------------------------------------------------------- other right sides


def over_rho(q: PrintedParameters, right: RightSide) -> Fraction:
    """T1.34: the whole right side over ρ as printed."""
    return right.total / rho(q)


def over_gamma(q: PrintedParameters, right: RightSide) -> Fraction:
    """T1.29: the sketch term over 2γ."""
    return right.total + right.sketch * (1 / (2 * q.gamma) - 1)


def with_tail(q: PrintedParameters, right: RightSide) -> Fraction:
    """L1.7: the integral from k to d, the largest of the three forms that are right."""
    return _with_residual(q, right, 1 / q.c + at(TAIL_INTEGRAL, q))


def with_selection(q: PrintedParameters, right: RightSide) -> Fraction:
    """L1.2: a term for wrong selection, with the tail as printed; where k = d nothing is selected."""
    if q.k == q.d:
        return right.total
    printed = max(at(TAIL_PAPER, q), Fraction(0))
    return _with_residual(q, right, at(RESIDUAL_WITH_SELECTION.subs(tau, sp.Rational(printed)), q))


def with_tail_of_at_least_0(q: PrintedParameters, right: RightSide) -> Fraction:
    """L1.8: a tail factor below 0 counts as 0."""
    return _with_residual(q, right, 1 / q.c + max(at(TAIL_PAPER, q), Fraction(0)))


def _with_residual(q: PrintedParameters, right: RightSide, coefficient: Fraction) -> Fraction:
    return replace(right, sketch=coefficient * q.Lam**2 * q.W).total


# ---------------------------------------------------------------- further conditions


def descent_step(q: PrintedParameters) -> bool:
    return 2 * q.gamma * q.Lam <= 1


def drift_step(q: PrintedParameters) -> bool:
    return _drift(q) <= 1


def corrected_rho(q: PrintedParameters) -> bool:
    return at(RHO_CORRECTED, q) > QUARTER


def corrected_range(q: PrintedParameters) -> bool:
    """T1.22, in the form that it displays, that of T1.22d."""
    return q.gamma * at(RANGE_CORRECTED.slope, q) <= at(RANGE_CORRECTED.upper, q)


def several_steps(q: PrintedParameters) -> bool:
    """M.1: the drift against E gradients, for which a step of a quarter is short enough."""
    return q.E == 1 or 4 * _drift(q) <= 1


def _drift(q: PrintedParameters) -> Fraction:
    return 4 * q.gamma * q.E * q.Lam * q.amplification


# ---------------------------------------------------------------- other readings


def _expected(run: ExactRun) -> bool:
    found = run.refutation
    return sum((p * left for left, p in found.lefts), Fraction(0)) <= found.right.total


def _compressible(run: ExactRun) -> bool:
    return not compressible_models([run.refutation.run], run.parameters).holds


def _kept(run: ExactRun) -> bool:
    """With kept sketches it is another run, which may break an assumption."""
    return not replace(run, persistent=True).refutation.stands


CORRECTIONS = (
    _condition("T1.23", "γ ≤ 1/(2(L+μ))", descent_step),
    _condition("T1.24", "Lemma 2's step size", drift_step),
    _condition("T1.8", "the corrected ρ above 1/4", corrected_rho),
    _condition("T1.22", "the corrected range", corrected_range),
    _bound("T1.34", "the right side over ρ", over_rho),
    _bound("T1.29", "the sketch term over 2γ", over_gamma),
    _bound("L1.7", "the corrected tail", with_tail),
    _bound("L1.8", "a tail of at least 0", with_tail_of_at_least_0),
    _bound("L1.2", "a term for wrong selection", with_selection),
    Correction("L1.any", "compressible models", _compressible),
    Correction("T1.2", "kept sketches", _kept),
    Correction("T1.27", "an expectation on the left", _expected),
    _condition("M.1", "a quarter of Lemma 2's step size for E ≥ 2", several_steps),
)


# ---------------------------------------------------------------- all at once


def all_corrected(run: ExactRun) -> Fraction:
    """The right side with every correction of the bound at once, for E = 1."""
    q, right = run.parameters, run.refutation.right
    return at(THEOREM1_CORRECTED, q, right.optimisation * q.gamma * (q.T + 1))


def all_checks(run: ExactRun, models_too: bool) -> tuple[AssumptionCheck, ...]:
    """What Theorem 1 and its corrections ask for; `models_too` with the power law of the models."""
    q, found = run.parameters, run.refutation
    models = [compressible_models([found.run], q)] if models_too else []
    return (*found.checks, *corrected(q, run.sketch), *models)


def breaks_all(run: ExactRun) -> bool:
    """The left side exceeds the right side with every correction, and more often than δ."""
    return run.refutation.chance_above(all_corrected(run)) > run.parameters.delta


# ---------------------------------------------------------------- one at a time

# Fixable errors whose correction rescues no run, or has no form of its own.
WITHOUT_EFFECT = {
    "L1.10": "asks for a larger sketch; in every run the sketch reads every vector exactly",
    "S.4": "P_b < 1/(6E²B²), which holds where a learning rate is left to choose",
    "S.6": "Assumption 4 with ≤, which is weaker",
    "S.8": "adds G² to Assumption 5, and to the bound a term that the ledger does not fix",
    "S.9": "‖w‖² ≤ W is assumed, as every run does",
    "L2.24": "its correction, Lemma 2' of the repaired theory, gives the bound another form",
}


def rescued_by(run: ExactRun) -> tuple[Correction, ...]:
    """The corrections each of which rescues the run alone."""
    return tuple(each for each in CORRECTIONS if each.rescues(run))


def rescue_text(run: ExactRun) -> str:
    """The same in words; kept sketches apart where they have another answer."""
    answers = dict.fromkeys(_words(each) for each in run.readings)
    return "; kept sketches: ".join(answers)


def _words(run: ExactRun) -> str:
    found = rescued_by(run)
    return ", ".join(f"{each.words} ({each.entry})" for each in found) or "no single correction"
