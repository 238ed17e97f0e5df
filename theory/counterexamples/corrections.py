"""Theorem 1 with every fixable error corrected, on a run of one local step: entries T1.38 and T1.39."""

from fractions import Fraction

from theory.counterexamples.assumption_checks import AssumptionCheck, compressible_models, corrected
from theory.counterexamples.exact_runs import ExactRun
from theory.counterexamples.printed import at
from theory.formulas.corrected import THEOREM1_CORRECTED


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
