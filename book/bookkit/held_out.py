"""What the held-out problems of chapter 11 say, for the sentences of other chapters."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from scipy.stats import beta

from . import results

if TYPE_CHECKING:
    from benchmarks.estimates.advice_problems import Problem

REAL, NETWORKS, KINKED = ("cnn",), ("relu", "tanh", "cnn"), ("relu", "cnn")
WORDS = {
    "least_squares": "least squares",
    "logistic": "logistic regression",
    "softmax": "softmax regression",
    "relu": "a ReLU network",
    "tanh": "a tanh network",
    "cnn": "a CNN on MNIST",
}


def figures(form: str, group: str = "all", rounds: int = 300) -> dict[str, Any]:
    """How often a form's rate was safe, and its regret, over one group of held-out problems."""
    found: dict[str, Any] = _advice()["summary"]["held_out"][group][form][str(rounds)]
    return found


def half_rule() -> str:
    """Markdown: what became of half of the smaller of certified rate and edge where a sketch compresses."""
    half = figures("half", "with a sketch")
    unsafe = half["given"] - half["safe"]
    return (
        "Start pilots at half of the smaller of the two. Do not train with it untested: it was unsafe in "
        f"{unsafe} of {half['given']} held-out problems with a sketch ([chapter 11](advice.md))."
    )


def regret_in_words(form: str, group: str) -> str:
    """Median, nine of ten and worst case, in per cent."""
    at = figures(form, group)["regret"]
    middle, nine, worst = (_percent(at[name]) for name in ("median", "90 %", "max"))
    return f"{middle} in the median, at most {nine} in nine of ten problems, and {worst} in the worst"


def failures_at_most(form: str, group: str = "all", confidence: float = 0.95) -> float:
    """The largest share of failures that so many safe runs leave room for (Clopper and Pearson, one side)."""
    found = figures(form, group)
    return float(beta.ppf(confidence, found["given"] - found["safe"] + 1, found["safe"]))


def problems() -> list[Problem]:
    """The held-out problems themselves."""
    from benchmarks.estimates import advice_problems

    there = {row["problem"] for row in _rows()}
    return [problem for problem in advice_problems.problems() if problem.name in there]


def described() -> str:
    """Who they are: sizes, losses, data, noise."""
    from benchmarks.estimates.advice_problems import ROUNDS, M, case

    them = problems()
    sizes = [case(problem).d for problem in {problem.loss: problem for problem in them}.values()]
    count = lambda *losses: sum(problem.loss in losses for problem in them)  # noqa: E731
    noisy, batches = ([p for p in them if value(p)] for value in (lambda p: p.sigma, lambda p: p.batch))
    sigmas = " or ".join(f"{sigma:g}" for sigma in sorted({problem.sigma for problem in noisy}))
    return (
        f"They are small: d = {min(sizes)} to {max(sizes)}, {M} devices, E = {min(p.E for p in them)} to "
        f"{max(p.E for p in them)}, {ROUNDS} rounds. {count('least_squares')} are least squares, "
        f"{count('logistic', 'softmax')} logistic or softmax regression, {count(*NETWORKS)} networks "
        f"({count(*KINKED)} with ReLU). {count(*REAL)} have real data (MNIST), the others generated. "
        f"{sum(p.compression != 'none' for p in them)} have a sketch, {len(batches)} mini-batches, and "
        f"{len(noisy)} channel noise, of σ = {sigmas} only."
    )


def worst(form: str = "recommended", rounds: int = 300) -> str:
    """The problem with the largest regret, and the rates there."""
    from benchmarks.estimates.advice_table import gamma_of, regret

    row = max(_rows(), key=lambda each: regret(each, form, rounds) or 0.0)
    problem = next(p for p in problems() if p.name == row["problem"])
    given = gamma_of(row, form, rounds)
    assert given is not None
    return (
        f"The worst, with regret {regret(row, form, rounds):.2g}, is {WORDS[problem.loss]} with E = "
        f"{problem.E}{_through(problem)}: {given['gamma']:.2g} was recommended, "
        f"{row['best'][str(rounds)]['gamma']:.2g} is best."
    )


def _through(problem: Problem) -> str:
    from benchmarks.estimates.advice_problems import COMPRESSIONS

    size = COMPRESSIONS[problem.compression]
    if size is None:
        return ""
    buckets, k = ("d" if share == 1 else f"d/{1 / share:.0f}" for share in size)
    return f", read by the {problem.recovery} through 5 rows of {buckets} buckets with k = {k}"


def cost() -> dict[str, float]:
    """Rounds that the pilots of one advice took together, and its seconds: median and maximum."""
    rows = _rows()
    of = {name: [row[name] for row in rows] for name in ("pilot_rounds", "seconds")}
    return {f"{how.__name__}_{name}": how(found) for name, found in of.items() for how in (median, max)}


def _rows() -> list[dict[str, Any]]:
    return [row for row in _advice()["rows"] if row["held_out"]]


def _percent(share: float | None) -> str:
    return "everything" if share is None else f"{100 * share:.2g} %"


def _advice() -> dict[str, Any]:
    found = results.load("advice")
    if found is None:
        raise FileNotFoundError("the result `advice` has not been made")
    return found
