"""What would help a run that learns too little, with numbers."""

from __future__ import annotations

from empirical.advice.advice import Pilot
from empirical.advice.case import Case
from empirical.advice.pilots import tail
from empirical.advice.rule import Choice
from empirical.advice.shown import number
from fpsverify.problems.problem import DenseProblem
from fpsverify.runs.curves import HARDLY

KEPT = 0.8  # of what the same pilot gains without compression: a sketch that keeps less is said to cost


def saves_nothing(case: Case) -> bool:
    """Is the table as large as the model?"""
    options = case.config.algorithm
    return case.sketched and options.rows * options.buckets >= case.d


def smaller_sketch(case: Case) -> str:
    rows, buckets = case.config.algorithm.rows, case.config.algorithm.buckets
    told = f"the sketch: {rows * buckets:,} numbers for {case.d:,} parameters save nothing"
    return f"{told}; take buckets below {-(-case.d // rows):,}, or {case.spelling.whole}"


def milder(case: Case) -> str:
    """What makes the compression milder."""
    options = case.config.algorithm
    k = f"k (now {options.k} of {case.d})" if options.k < case.d and not case.fresh else ""
    buckets = f"buckets (now {options.buckets})" if case.sketched and not saves_nothing(case) else ""
    raised = " or ".join(each for each in (k, buckets) if each)
    found = (f"raise {raised}" if raised else "", case.spelling.whole if saves_nothing(case) else "")
    return ", or ".join(each for each in found if each)


def nothing_helps(case: Case) -> str:
    what = milder(case) if case.compresses else "raise the batch size"
    return f"{what}{_quieter(case)}: the loss did not end below its start"


def hardly_learns(case: Case, made: tuple[Pilot, ...], choice: Choice, T: int) -> str:
    """One run alone cannot tell: its γ may be too small. Several pilots have tried larger ones.

    Where nothing is lost and no noise is added, a run that was not tried to its end may still learn.
    """
    run = choice.trial or choice.best
    if run is None or choice.gamma is None or len(made) < 2:
        return ""
    start, gained = abs(run.losses[0]), run.losses[0] - tail(run)
    if gained >= HARDLY * start:
        return ""
    little = (
        f"it hardly learns ({gained / start:.1%} of the loss in {run.rounds[-1]} rounds, below {HARDLY:.0%})"
    )
    if not (case.compresses or _noisy(case)):
        problem = case.setup.problem
        numbers = isinstance(problem, DenseProblem) and problem.task == "regression"
        scaled = "targets" if numbers else "inputs"
        return f"{little}: take more rounds, or scale the {scaled}" if run.rounds[-1] == T else ""
    what = milder(case) if case.compresses else "raise the batch size"
    return f"{what}{_quieter(case)}: {little}"


def costs_much(case: Case, choice: Choice, plain: Pilot | None) -> str:
    """Where the compression, and not γ, is what holds the loss up."""
    best = choice.best
    if best is None or plain is None:
        return ""
    start, with_it, without = best.losses[0], tail(best), tail(plain)
    if start - with_it >= KEPT * (start - without):
        return ""
    what = "the sketch" if case.sketched else "top-k"
    return (
        f"{milder(case)}: after {best.rounds[-1]} rounds at gamma = {number(best.gamma)} the loss is "
        f"{with_it:.3g}, without {what} {without:.3g}"
    )


def _noisy(case: Case) -> bool:
    return case.config.channel.kind != "ideal" and case.config.channel.sigma > 0


def _quieter(case: Case) -> str:
    return ", or lower the channel noise" if _noisy(case) else ""


def stiff(case: Case, what: str, gamma: float) -> str:
    """What would bear the γ that a single row, device or another draw does not."""
    more = {
        "row": f"larger batches (now {case.config.local.batch}) or features of one scale",
        "device": f"more devices in a round (now {case.n} of {case.model.M}) or features of one scale",
        "draw": milder(case) or "larger batches",
    }
    if what == "draw":
        return f"{more[what]}: with another hash, batches or noise the loss rose at gamma = {number(gamma)}"
    return (
        f"{more[what]}: a single {what}, when it is drawn, drives the model away at gamma = {number(gamma)}"
    )
