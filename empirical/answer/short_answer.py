"""The answer in a few sentences: did it train, does a theorem cover the run, which γ, and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from empirical.advice.from_run import is_certified
from empirical.answer.compare import letters, made_in_python, more_looks
from empirical.answer.outcome import Outcome, colour
from empirical.answer.verdict import BOUND, REPAIRED, Verdict, of_constant, of_theory
from theory.rates.rounding import rounded_down, rounded_up

if TYPE_CHECKING:
    from empirical.advice.advice import Advice
    from empirical.answer.estimate import Estimates

MOST_CHANGES = 3
NEXT = "fpsverify report RUN draws it; --detail prints all of it"
BETTER = "{} (which rate?)"
GROWS = "No theorem covers a longer run: the sketch residual grows."


def short_answer(
    e: Estimates,
    outcome: Outcome,
    verdicts: tuple[Verdict, ...],
    theorem_a: dict[str, Any],
    bound: dict[str, Any],
    advice: Advice | None,
) -> dict[str, Any]:
    """`covered`: does a theorem cover this run (None: cannot tell)? `learned`: did it train?"""
    marks, of_bound = of_theory(verdicts, REPAIRED), of_theory(verdicts, BOUND)
    covered, sentence = _coverage(e.scale.gamma, marks, theorem_a, bound)
    proved = bound["theorem_a"] is not None and not bound["says_nothing"]
    if covered is False and not marks["fails"] and advice and is_certified(e.evidence, advice, e.scale.gamma):
        covered, sentence = True, _certified(e.scale.gamma, theorem_a, advice)
        proved = _no_floor(e)
    if covered is not False and "sketch residual" in of_bound["fails"]:
        sentence = f"{GROWS} {sentence}"
    changes = [
        *(advice.change if advice else ()),
        *_narrower(e, verdicts),
        *_smaller(covered, marks, theorem_a, bound, advice.recommended if advice else None),
    ]
    return {
        "covered": covered,
        "learned": outcome.learned,
        "colour": colour(outcome, covered, proved and not (of_bound["fails"] or of_bound["undecided"])),
        "trained": outcome.words,
        "sentence": f"{outcome.words} {sentence}",
        "used": e.scale.gamma,
        "change": changes[:MOST_CHANGES],
        "next": NEXT if outcome.learned else BETTER.format(_advises(e)),
    }


def _advises(e: Estimates) -> str:
    python = made_in_python(e.evidence.config)
    return "fps.advise with the options of fps.train" if python else "fpsverify advise RUN/config.toml"


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
        why = bound["why_not"].partition("; ")[0]
        return None, f"Cannot tell whether a theorem covers this run: {why}."
    size, empty = rounded_up(bound["theorem_a"], 4), bound["says_nothing"]
    if empty:
        return True, f"Theorem A covers this run, but its bound says nothing: {size}, where {empty}."
    average = bound["measured_average"]
    seen = f" (measured: {average['estimate']:.4g})" if average else ""
    return True, f"Theorem A bounds this run: mean ‖∇f‖² ≤ {size}{seen}."


def _certified(gamma: float, theorem_a: dict[str, Any], advice: Advice) -> str:
    """Above Theorem A's limit the certified range may still hold γ, where nothing is compressed."""
    limit = rounded_down(advice.over_intervals.certified or 0.0, 4)
    return (
        f"γ = {gamma:g} is certified (up to {limit}): without a sketch mean ‖∇f‖² falls to a "
        f"floor. Theorem A, which bounds it, needs γ below {rounded_down(theorem_a['gamma_max'], 4)}."
    )


def _no_floor(e: Estimates) -> bool:
    """Gradient descent falls until the gradient is 0; noise, bias and local drift leave a floor."""
    return e.scale.E == 1 and e.constants.sigma2.high == 0 == e.constants.b2.high


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
    covered: bool | None,
    marks: dict[str, list[str]],
    theorem_a: dict[str, Any],
    bound: dict[str, Any],
    recommended: float | None,
) -> list[str]:
    """To be covered; what trains best is the advice's business. Not where that bound would say nothing."""
    if covered is not False or marks["fails"] or not theorem_a["gamma_max"] or bound["smaller_says_nothing"]:
        return []
    limit = rounded_down(theorem_a["gamma_max"], 4)
    if recommended is not None and recommended < theorem_a["gamma_max"]:
        return [f"the recommended γ in place of the one used: it is below Theorem A's limit {limit} as well"]
    bounded = " and a bounded sketch residual" if bound["residual"] else ""
    unknown = ", and its bound may still say nothing" if bound["smaller_says_nothing"] is None else ""
    return [f"for a proof, γ below {limit} (Theorem A){bounded}; it trains slower{unknown}"]
