"""The answer in a few sentences: did it train, does a theorem cover the run, which γ, and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from empirical.answer.compare import Measured, box, letters, without_upper_limit
from empirical.answer.outcome import Outcome, colour
from empirical.answer.verdict import BOUND, REPAIRED, Verdict, of_constant, of_theory, shown
from empirical.constants.pairs import Scale
from empirical.facts import of_run
from theory.rates.rounding import rounded_down, rounded_up
from theory.theorems import Verdict as Ruling
from theory.theorems import decide, named

if TYPE_CHECKING:
    from empirical.advice.advice import Advice
    from empirical.answer.estimate import Estimates

MOST_CHANGES = 3
OF_RUNS = ("Theorem A", "descent", "Theorem C", "Theorem S")
NEXT = "fpsverify report RUN draws it; --detail prints all of it"
BETTER = "{} (which rate?)"
GROWS = "No theorem covers a longer run: the sketch residual grows."


def theorems_of_run(
    e: Estimates, constants: Measured, scale: Scale, verdicts: tuple[Verdict, ...]
) -> tuple[Ruling, ...]:
    """Every theorem on this very run, the draw of devices counted as noise."""
    open_ends = without_upper_limit(constants, ("L", "B", "P_b", "P_n"))
    region = None if open_ends else box(constants, scale.mu, scale.E, scale.M)
    residual = True if constants.R2 is not None and not constants.R2.is_open else None
    return decide(of_run(e.evidence, region, residual, shown(verdicts)), scale.gamma, only=OF_RUNS)


def short_answer(
    e: Estimates,
    outcome: Outcome,
    verdicts: tuple[Verdict, ...],
    rulings: tuple[Ruling, ...],
    theorem_a: dict[str, Any],
    bound: dict[str, Any],
    advice: Advice | None,
) -> dict[str, Any]:
    """`covered`: does a theorem cover this run (None: cannot tell)? `learned`: did it train?"""
    marks, of_bound = of_theory(verdicts, REPAIRED), of_theory(verdicts, BOUND)
    covered, sentence = _coverage(e.scale.gamma, rulings, marks, bound)
    theorem = next((r.theorem for r in rulings if r.covers(e.scale.gamma)), None)
    proved = bound["theorem_a"] is not None and not bound["says_nothing"]
    if theorem not in (None, "Theorem A"):
        proved = _no_floor(e)
    if covered is not False and theorem != "Theorem S" and "sketch residual" in of_bound["fails"]:
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
        "next": NEXT if outcome.learned else BETTER.format(e.spelling.which_rate),
    }


def _coverage(
    gamma: float, rulings: tuple[Ruling, ...], marks: dict[str, list[str]], bound: dict[str, Any]
) -> tuple[bool | None, str]:
    a = named(rulings, "Theorem A")
    limit = None if a.allowed is None or a.missing else a.allowed.gamma_max
    if a.covers(gamma) is not True and (other := next((r for r in rulings if r.covers(gamma)), None)):
        return True, _otherwise(gamma, limit, other)
    if a.missing:
        return False, f"No theorem covers this run; what fails: {listed(marks['fails'])}."
    if limit is not None and a.allowed is not None and not a.allowed.contains(gamma):
        return False, (
            f"No theorem covers this run: γ = {gamma:g} is above Theorem A's limit {rounded_down(limit, 4)}."
        )
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


def _otherwise(gamma: float, limit: float | None, other: Ruling) -> str:
    """Another theorem may cover γ, where nothing is compressed."""
    allowed = other.allowed
    alone = allowed is None or not allowed.all_smaller or allowed.gamma_max is None
    reach = "this γ alone" if alone else f"up to {rounded_down(allowed.gamma_max, 4)}"  # type: ignore[union-attr, arg-type]
    below = f" Theorem A, which bounds it, needs γ below {rounded_down(limit, 4)}." if limit else ""
    name = "certified" if other.theorem == "descent" else f"covered by {other.theorem}"
    if other.theorem == "Theorem S":
        return f"γ = {gamma:g} is {name} ({reach}): over the draws of hashes mean ‖∇f‖² falls to a floor."
    return f"γ = {gamma:g} is {name} ({reach}): without a sketch mean ‖∇f‖² falls to a floor.{below}"


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
    return [f"{e.spelling.estimate(looks, e.scale.T)} in place of {looks}, to narrow {letters(names)}"]


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
