"""What the held-out problems of chapter 11 say, for the sentences of other chapters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, median_high
from typing import TYPE_CHECKING, Any

from scipy.stats import beta

from benchmarks.estimates import advice_table
from empirical.advice import rule, trial

from . import results

if TYPE_CHECKING:
    from benchmarks.estimates.advice_problems import Problem

REAL, NETWORKS, KINKED = ("cnn",), ("relu", "tanh", "cnn"), ("relu", "cnn")
ROWS = 5  # of every sketch
WORDS = {
    "least_squares": "least squares",
    "logistic": "logistic regression",
    "softmax": "softmax regression",
    "relu": "a ReLU network",
    "tanh": "a tanh network",
    "cnn": "a CNN on MNIST",
}
GROUPS: dict[str, Callable[[dict[str, Any]], bool]] = advice_table.GROUPS | {
    "networks with a sketch": lambda row: row["sketched"] and row["loss"] in NETWORKS
}


def figures(form: str, group: str = "all", rounds: int = 300) -> dict[str, Any]:
    """How often a form's rate was safe, and its regret, over one group of held-out problems."""
    return advice_table.figures([row for row in _rows() if GROUPS[group](row)], form, rounds)


def ending_below(share: float, form: str, group: str = "all", rounds: int = 300) -> int:
    """How many runs at a form's rate end below a share of their first loss."""
    return _ending_below([row for row in _rows() if GROUPS[group](row)], share, form, rounds)


def _ending_below(rows: list[dict[str, Any]], share: float, form: str, rounds: int) -> int:
    found = [(advice_table.gamma_of(row, form, rounds), row["f_0"]) for row in rows]
    ends = [(at[f"loss_{rounds}"], first) for at, first in found if at is not None]
    return sum(loss is not None and loss < share * first for loss, first in ends)


def best_ending_below(share: float, group: str = "all", rounds: int = 300) -> int:
    """In how many problems the best rate ends below a share of the first loss."""
    return sum(_left(row, rounds) < share for row in _rows() if GROUPS[group](row))


@dataclass(frozen=True)
class Size:
    """The held-out problems with one size of sketch: what the best rate left, and what the advice gave up."""

    name: str
    buckets: str
    k: str
    sent: float  # numbers in a sketch, over d
    problems: int
    halved: int  # by the advised rate
    left: float
    regret: dict[str, float]


def by_size(rounds: int = 300) -> list[Size]:
    """From the sketch whose best rate leaves least of the first loss, in the median, to the worst."""
    from benchmarks.estimates.advice_problems import COMPRESSIONS

    of = {problem.name: problem.compression for problem in problems()}
    groups = {
        name: [row for row in _rows() if of[row["problem"]] == name]
        for name, at in COMPRESSIONS.items()
        if at
    }
    return sorted((_size(name, rows, rounds) for name, rows in groups.items()), key=lambda size: size.left)


def _size(name: str, rows: list[dict[str, Any]], rounds: int) -> Size:
    from benchmarks.estimates.advice_problems import COMPRESSIONS

    left = median_high(_left(row, rounds) for row in rows)
    regret = advice_table.figures(rows, "recommended", rounds)["regret"]
    sent = ROWS * (COMPRESSIONS[name] or (0, 0))[0]
    return Size(
        name, *_shares(name), sent, len(rows), _ending_below(rows, 0.5, "recommended", rounds), left, regret
    )


def halved_by_size() -> str:
    """How often the advised rate halved the loss, by how much the sketch compresses."""
    more, same, fewer = map(_halved, _by_numbers())
    return (
        f"in {more} whose sketch has more numbers than the model, in {same} with as many, and in {fewer} "
        f"with at most {_most_of_fewer()} of them"
    )


def halved_with_fewer() -> str:
    """The same for those that send fewer numbers than the model has."""
    halved, of = _halved(_by_numbers()[2]).split(" of ")
    return (
        f"{halved} of the {of} that send at most {_most_of_fewer()} as many numbers as the model has weights"
    )


def _by_numbers() -> tuple[list[Size], ...]:
    """Sizes that send more numbers than the model has, as many, and fewer."""
    groups: tuple[list[Size], ...] = ([], [], [])
    for size in by_size():
        groups[0 if size.sent > 1.001 else 1 if size.sent > 0.999 else 2].append(size)
    return groups


def _halved(group: list[Size]) -> str:
    return f"{sum(s.halved for s in group)} of {sum(s.problems for s in group)}"


def _most_of_fewer() -> str:
    return _share(max(size.sent for size in _by_numbers()[2]))


def _share(of_model: float) -> str:
    """A share of the model's size, in words."""
    return {0.25: "a quarter", 0.2: "a fifth", 0.5: "half"}.get(round(of_model, 3), f"{of_model:.0%}")


def most_weights() -> int:
    """Of the largest problem; all of one loss are alike."""
    from benchmarks.estimates.advice_problems import case

    return max(case(problem).d for problem in {problem.loss: problem for problem in problems()}.values())


def quiet() -> str:
    """Markdown: how small the problems are, and how little their channel disturbs."""
    from benchmarks.estimates.advice_problems import ROUNDS, M

    them, largest = problems(), most_weights()
    noisy = [problem.sigma for problem in them if problem.sigma]
    sigmas = " or ".join(f"{sigma:g}" for sigma in sorted(set(noisy)))
    return (
        f"d up to {largest}, {M} devices, {ROUNDS} rounds; {len(them) - len(noisy)} have no channel noise, "
        f"{len(noisy)} have noise of σ = {sigmas}, and none fading or a power limit"
    )


def read_out_by() -> str:
    """How often the advised rate halved the loss with either read-out, where there is a sketch."""
    of = {problem.name: problem for problem in problems()}
    sketched = [(of[row["problem"]], row) for row in _rows() if row["sketched"]]
    by = {way: [row for problem, row in sketched if problem.recovery == way] for way in ("mean", "median")}
    halved = {way: _ending_below(rows, 0.5, "recommended", 300) for way, rows in by.items()}
    return (
        f"{len(by['mean'])} of those with a sketch are read by the mean (the loss was halved in "
        f"{halved['mean']}), {len(by['median'])} by the median ({halved['median']}); "
        f"{sum(problem.E == 1 for problem, _ in sketched)} have E = 1."
    )


def _left(row: dict[str, Any], rounds: int) -> float:
    share: float = row["best"][str(rounds)]["loss"] / row["f_0"]
    return share


def _shares(compression: str) -> tuple[str, str]:
    """Buckets of a row and k, as parts of d."""
    from benchmarks.estimates.advice_problems import COMPRESSIONS

    buckets, k = (
        "d" if share == 1 else f"d/{1 / share:.0f}" for share in COMPRESSIONS[compression] or (1, 1)
    )
    return buckets, k


def half_rule() -> str:
    """Markdown: what became of half of the smaller of certified rate and edge where a sketch compresses."""
    half = figures("half", "with a sketch")
    unsafe = half["given"] - half["safe"]
    return (
        "Start a pilot at half of the smaller of the certified rate and the edge. Do not train there "
        f"untested: that rate was unsafe in {unsafe} of {half['given']} held-out problems with a sketch "
        "([chapter 11](advice.md))."
    )


def regret_in_words(form: str, group: str) -> str:
    """Median, nine of ten and worst case, in per cent; all of it and more where a run ended too high."""
    at = figures(form, group)["regret"]
    middle, nine, worst = (_percent(at[name]) for name in ("median", "90 %", "max"))
    lost = at["max"] is None or at["max"] > 1
    ended = "all of it in the worst, which ended above its start" if lost else f"{worst} in the worst"
    return f"{middle} in the median, at most {nine} in nine of ten problems, and {ended}"


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
        f"The problems are small: d = {min(sizes)} to {max(sizes)}, {M} devices, "
        f"E = {min(p.E for p in them)} to {max(p.E for p in them)}, {ROUNDS} rounds. "
        f"{count('least_squares')} are least squares, "
        f"{count('logistic', 'softmax')} logistic or softmax regression, {count(*NETWORKS)} networks "
        f"({count(*KINKED)} with ReLU). {count(*REAL)} have real data (MNIST), the others generated. "
        f"{sum(p.compression != 'none' for p in them)} have a sketch, {len(batches)} mini-batches, and "
        f"{len(noisy)} channel noise, of σ = {sigmas} only; the other {len(them) - len(noisy)} have an ideal "
        "channel. "
        f"{read_out_by()}"
    )


def as_advised(rounds: int = 300) -> str:
    """How the problems went whose setting is the one that we advise; with a sketch that saves something."""
    from benchmarks.estimates.advice_problems import COMPRESSIONS

    of = {problem.name: problem for problem in problems()}
    rows = [(of[row["problem"]], row) for row in _rows() if row["sketched"]]
    same = [(p, row) for p, row in rows if (p.recovery, p.E, p.mu) == ("mean", 1, 0.0)]
    small = [row for p, row in same if ROWS * (COMPRESSIONS[p.compression] or (1, 0))[0] < 1]
    found = [row for _, row in same]
    halved, of_small = (_ending_below(each, 0.5, "recommended", rounds) for each in (found, small))
    return (
        f"Of the small test problems {len(found)} have the sketch, the mean, E = 1 and μ = 0 that chapter 13 "
        f"advises: the loss was halved in {halved}. {len(small)} of these send fewer numbers than the model "
        f"has: halved in {of_small}."
    )


def caution(form: str = "recommended", rounds: int = 300) -> str:
    """What the rate costs where some rate halves the loss; regret divides by the first loss and hides it."""
    rows = [row for row in _rows() if row["sketched"] and _left(row, rounds) < 0.5]
    found = [(row, at) for row in rows if (at := advice_table.gamma_of(row, form, rounds))]
    higher = median_high(at[f"loss_{rounds}"] / row["best"][str(rounds)]["loss"] for row, at in found)
    larger = median_high(row["best"][str(rounds)]["gamma"] / at["gamma"] for row, at in found)
    return (
        f"In the {len(rows)} problems with a sketch in which some rate halves the loss, the run ends, in the "
        f"median, at {higher:.2g} times the best loss, and the best γ is {larger:.2g} times the advised one."
    )


def by_read_out(name: str) -> str:
    """How often the advised rate halved the loss with one size of sketch, by the read-out."""
    of = {problem.name: problem for problem in problems()}
    rows = [row for row in _rows() if of[row["problem"]].compression == name]
    by = {way: [r for r in rows if of[r["problem"]].recovery == way] for way in ("mean", "median")}
    return " and ".join(
        f"in {_ending_below(found, 0.5, 'recommended', 300)} of {len(found)} read by the {way}"
        for way, found in by.items()
    )


def worst(form: str = "recommended", rounds: int = 300) -> str:
    """The problem with the largest regret, and the rates there."""
    row = _worst(form, rounds)
    problem = next(p for p in problems() if p.name == row["problem"])
    given, best = advice_table.gamma_of(row, form, rounds), row["best"][str(rounds)]
    assert given is not None
    return (
        f"The {'worst is the same run' if _unsafe(form, rounds) == [row] else 'worst'}, with regret "
        f"{advice_table.regret(row, form, rounds):.2g}: {WORDS[problem.loss]} with E = "
        f"{problem.E}{_through(problem)}: {given['gamma']:.2g} was recommended, {best['gamma']:.2g} is best. "
        f"Even the best rate brings its loss only from {row['f_0']:.2f} to {best['loss']:.2f}: "
        "the sketch is too small, and no rate cures that."
    )


def _worst(form: str, rounds: int) -> dict[str, Any]:
    return max(_rows(), key=lambda row: advice_table.regret(row, form, rounds) or 0.0)


def _unsafe(form: str, rounds: int) -> list[dict[str, Any]]:
    found = [(row, advice_table.gamma_of(row, form, rounds)) for row in _rows()]
    return [row for row, at in found if at and not at[f"safe_{rounds}"]]


def other_draws(group: str = "all", rounds: int = 300) -> tuple[int, int]:
    """Runs at the recommended rate with other hashes, batches and noise: how many were safe, of how many."""
    ends = [end for row in _rows() if GROUPS[group](row) for end in row["fresh"][str(rounds)]]
    return sum(end is not None and end < 1 for end in ends), len(ends)


def worst_of_other_draws() -> str:
    """How the worst of these runs ended."""
    ends = [end for row in _rows() for found in row["fresh"].values() for end in found]
    if None in ends:
        return f"{ends.count(None)} diverged"
    return f"none diverged, and the worst ended {_percent(max(ends) - 1)} above its first loss"


def unsafe(form: str = "recommended", rounds: int = 300) -> str:
    """The problems in which the rate was not safe, how they ended, and why; "" if there are none."""
    told = [_ended(row, advice_table.gamma_of(row, form, rounds), rounds) for row in _unsafe(form, rounds)]
    if not told:
        return ""
    tried = trial.MOST * rule.ROUNDS
    one = f"One run was not safe: {told[0]}." if len(told) == 1 else f"Not safe: {'; '.join(told)}."
    return (
        f"{one} Runs of {rounds} rounds are longer than those that the advice tries to their end "
        f"(at most {tried} rounds; these are safe with their own draws, or no rate is recommended)."
    )


def _ended(row: dict[str, Any], at: dict[str, Any] | None, rounds: int) -> str:
    """How much of its first loss a run had at its end, and the best one."""
    loss, first, best = at and at[f"loss_{rounds}"], row["f_0"], row["best"][str(rounds)]["loss"]
    name = WORDS[next(p for p in problems() if p.name == row["problem"]).loss]
    end = "it diverged" if loss is None else f"it ended {_percent(loss / first - 1)} above its first loss"
    return f"in {name} {end}, and the best rate ends {_percent(1 - best / first)} below it"


def _through(problem: Problem) -> str:
    if problem.compression == "none":
        return ""
    buckets, k = _shares(problem.compression)
    return f", read by the {problem.recovery} through {ROWS} rows of {buckets} buckets with k = {k}"


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
