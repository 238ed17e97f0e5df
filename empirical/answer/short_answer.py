"""The answer in a few sentences: does a theorem cover the run, which γ, and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from empirical.advice.from_run import is_certified
from empirical.answer.compare import letters, more_looks
from empirical.answer.verdict import BOUND, REPAIRED, Verdict, of_constant, of_theory
from theory.rates.rounding import rounded_down, rounded_up

if TYPE_CHECKING:
    from empirical.advice.advice import Advice
    from empirical.answer.estimate import Estimates

MOST_CHANGES = 3
NEXT = "fpsverify report RUN draws it; --detail prints all of it"


def short_answer(
    e: Estimates,
    verdicts: tuple[Verdict, ...],
    theorem_a: dict[str, Any],
    bound: dict[str, Any],
    advice: Advice | None,
) -> dict[str, Any]:
    """`covered`: does a theorem cover this run (None: cannot tell)?"""
    marks = of_theory(verdicts, REPAIRED)
    covered, sentence = _coverage(e.scale.gamma, marks, theorem_a, bound)
    if covered is False and not marks["fails"] and advice and is_certified(e.evidence, advice, e.scale.gamma):
        covered, sentence = True, _certified(e.scale.gamma, theorem_a, advice)
    if covered is not False and "sketch residual" in of_theory(verdicts, BOUND)["fails"]:
        sentence = f"No theorem covers a longer run: the sketch residual grows. {sentence}"
    changes = [
        *(advice.change if advice else ()),
        *_narrower(e, verdicts),
        *_smaller(covered, marks, theorem_a, advice.recommended if advice else None),
    ]
    return {
        "covered": covered,
        "sentence": sentence,
        "used": e.scale.gamma,
        "change": changes[:MOST_CHANGES],
        "next": NEXT,
    }


def _coverage(
    gamma: float, marks: dict[str, list[str]], theorem_a: dict[str, Any], bound: dict[str, Any]
) -> tuple[bool | None, str]:
    if marks["fails"]:
        return False, f"No theorem covers this run; what fails: {listed(marks['fails'])}."
    if theorem_a["gamma_max"] is not None and not theorem_a["used_is_inside"]:
        limit = rounded_down(theorem_a["gamma_max"], 4)
        return False, f"No theorem covers this run: γ = {gamma:g} is above Theorem A's limit {limit}."
    if marks["undecided"]:
        return None, f"Cannot tell whether a theorem covers this run; open: {listed(marks['undecided'])}."
    if bound["theorem_a"] is None:
        return None, f"Cannot tell whether a theorem covers this run: {bound['why_not']}."
    average = bound["measured_average"]
    seen = f" (measured: {average['estimate']:.3g})" if average else ""
    return True, f"Theorem A bounds this run: mean ‖∇f‖² ≤ {rounded_up(bound['theorem_a'], 3)}{seen}."


def _certified(gamma: float, theorem_a: dict[str, Any], advice: Advice) -> str:
    """Above Theorem A's limit the certified range may still hold γ, where nothing is compressed."""
    limit = rounded_down(advice.over_intervals.certified or 0.0, 4)
    return (
        f"γ = {gamma:g} is certified (up to {limit}): without a sketch mean ‖∇f‖² falls to a "
        f"floor. Theorem A, which bounds it, needs γ below {rounded_down(theorem_a['gamma_max'], 4)}."
    )


def listed(names: list[str]) -> str:
    """In a reader's words: the number is that of the paper's assumption."""
    words = [f"{n[2:]} (Assumption {n[0]})" if n[0].isdigit() else n for n in names]
    return " and ".join(words).replace(" (repaired)", "")


def _narrower(e: Estimates, verdicts: tuple[Verdict, ...]) -> list[str]:
    """More looks where an interval decides nothing."""
    wide = [n for n in ("sigma2", "G2", "L") if of_constant(verdicts, n)["undecided"]]
    names = [n for n in wide if getattr(e.constants, n).high > 2 * getattr(e.constants, n).estimate]
    if not names:
        return []
    looks = e.constants.looks
    return [f"estimate with {more_looks(looks, e.scale.T)} in place of {looks}, to narrow {letters(names)}"]


def _smaller(
    covered: bool | None, marks: dict[str, list[str]], theorem_a: dict[str, Any], recommended: float | None
) -> list[str]:
    """To be covered; what trains best is the advice's business."""
    if covered is not False or marks["fails"] or not theorem_a["gamma_max"]:
        return []
    limit = rounded_down(theorem_a["gamma_max"], 4)
    if recommended is not None and recommended < theorem_a["gamma_max"]:
        return [f"the recommended γ in place of the one used: it is below Theorem A's limit {limit} as well"]
    return [f"for a proof, γ below {limit} (Theorem A), which trains slower"]
