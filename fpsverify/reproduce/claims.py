"""What Section 6 and Appendix D.1-D.3 claim, as data, and the code that judges it from measured results.

Comparisons are paired over trials and decided by a 95 % interval (statistics.py). A claim about several cells
holds if it holds in all of them. It is judged at equal gradient steps and at equal channel uses: if these
disagree, the verdict says so, because the paper does not say which budget it means. So it does if another
reading of the paper (what the rivals send, what a tied score counts as), where it was measured, has another
verdict.

The other tie rule: scores of exactly zero, here counted as no click, count as a click. A run is tested by it
once, at its end. An earlier evaluation has an accuracy by it only if nothing was tied; elsewhere it is
unknown, and so is a verdict that needs it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fpsverify.grids.statistics import compare, interval
from fpsverify.grids.store import final_point
from fpsverify.grids.task import Result
from fpsverify.reproduce.tables import Budget, Results, main_metric

Status = Literal["reproduced", "not reproduced", "depends on the reading", "undecided", "not measured"]
EVERYWHERE = (1, 2, 3, 4)
NOISY = {"mnist": 0.8, "kdd12": 1.0, "kdd10": 1.0, "synthetic": 1.0}


@dataclass(frozen=True)
class Case:
    """One comparison behind a verdict: is FPS better, worse or undecided against `rival`, at this budget?"""

    scenario: int
    rival: str
    outcome: str
    budget: Budget

    def __str__(self) -> str:
        return f"S{self.scenario} {self.rival}: {self.outcome}"


@dataclass(frozen=True)
class Verdict:
    """`cases` are the comparisons that `reason` puts into words, if it consists of such.

    `by_reading` has the verdicts of the readings, or of the budgets, by what these are, if they differ.
    """

    status: Status
    reason: str
    cases: tuple[Case, ...] = ()
    by_reading: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def reproduced_by_some_reading(self) -> bool:
        parts = self.by_reading.values()
        return self.status == "reproduced" or any(part.reproduced_by_some_reading for part in parts)


Judge = Callable[[Results], Verdict]


@dataclass(frozen=True)
class Claim:
    """`text` is the paper's statement in short; `where` the place; `judge` measures it.

    `ours` marks a question of ours that the paper's tables raise and its text does not state.
    """

    name: str
    where: str
    text: str
    judge: Judge
    ours: bool = False

    @property
    def dataset(self) -> str:
        return self.name.partition("-")[0]


def combine(cases: tuple[Case, ...]) -> Verdict:
    """One verdict for "better in every case"."""
    missing = [f"S{c.scenario} {c.rival}" for c in cases if c.outcome == "missing"]
    if missing:
        return Verdict("not measured", f"no two trials for {', '.join(missing)}")
    text = "; ".join(map(str, cases))
    outcomes = {c.outcome for c in cases}
    if outcomes == {"better"}:
        return Verdict("reproduced", text, cases)
    return Verdict("not reproduced" if "worse" in outcomes else "undecided", text, cases)


def over_budgets(judge: Callable[[Results, Budget], Verdict]) -> Judge:
    """Judge at both budgets; agreement is the verdict, disagreement a verdict of its own."""

    def both(results: Results) -> Verdict:
        steps, uses = judge(results, "steps"), judge(results, "uses")
        reason = f"equal gradient steps: {steps.reason} | equal channel uses: {uses.reason}"
        cases = steps.cases + uses.cases
        if steps.status == uses.status:
            return Verdict(steps.status, reason, cases)
        by_budget = {"at equal gradient steps": steps, "at equal channel uses": uses}
        if "not measured" in (steps.status, uses.status):
            return Verdict("not measured", reason, (), by_budget)
        return Verdict(
            "depends on the reading",
            f"{steps.status} at equal gradient steps, {uses.status} at equal channel uses. {reason}",
            cases,
            by_budget,
        )

    return both


def among_readings(default: Verdict, others: Mapping[str, Verdict]) -> Verdict:
    """The default's verdict, unless another reading, at a budget where it was measured, has another one."""
    parts = {name: part for words, v in others.items() for name, part in _by_budget(words, v).items()}
    differing = {words: v for words, v in parts.items() if v.status not in ("not measured", default.status)}
    if default.status == "not measured" or not differing:
        return default
    by_words = {"by the default readings": default, **differing}
    reason = "; ".join(f"{words}: {v.status} ({v.reason})" for words, v in by_words.items())
    return Verdict("depends on the reading", reason, (), by_words)


def _by_budget(words: str, v: Verdict) -> dict[str, Verdict]:
    """A reading that was not measured at both budgets, at each of them."""
    if v.status != "not measured" or not v.by_reading:
        return {words: v}
    return {f"{words}, {budget}": part for budget, part in v.by_reading.items()}


def fps_beats(dataset: str, rivals: tuple[str, ...], scenarios: tuple[int, ...], sigma: float) -> Judge:
    """FPS is significantly better than every rival in every scenario."""

    def judge(results: Results, budget: Budget) -> Verdict:
        cases = []
        for scenario in scenarios:
            for rival in rivals:
                found = results.fps_against(dataset, scenario, sigma, rival, main_metric(dataset), budget)
                cases.append(Case(scenario, rival, found.outcome if found else "missing", budget))
        return combine(tuple(cases))

    return over_budgets(judge)


def all_inside(found: Mapping[str, tuple[float, float, float, float]]) -> Status:
    """Does each 95 % interval (low, high) lie inside its limits? Undecided where one crosses a limit."""
    if all(least <= low and high <= most for low, high, least, most in found.values()):
        return "reproduced"
    outside = any(high < least or low > most for low, high, least, most in found.values())
    return "not reproduced" if outside else "undecided"


def close_to_fps(dataset: str, rival: str, scenarios: tuple[int, ...], sigma: float, within: float) -> Judge:
    """The difference to FPS is at most `within` in every scenario (the margin is the claim's own)."""

    def judge(results: Results, budget: Budget) -> Verdict:
        metric, parts, held = main_metric(dataset), [], {}
        for scenario in scenarios:
            found = results.fps_against(dataset, scenario, sigma, rival, metric, budget)
            if found is None:
                return Verdict("not measured", f"S{scenario} {rival}")
            held[f"S{scenario}"] = found.low, found.high, -within, within
            unit, words = (100, " points") if metric == "accuracy" else (1, "")
            mean, low, high = (f"{unit * x:+.3g}" for x in (found.mean, found.low, found.high))
            parts.append(f"S{scenario} {mean}{words} ({low} … {high})")
        against = f"FPS against {rival}, positive: FPS is better"
        return Verdict(all_inside(held), f"{against}: {'; '.join(parts)}")

    return over_budgets(judge)


def below(dataset: str, labels: tuple[str, ...], scenario: int, sigma: float, limit: float) -> Judge:
    """Every one of the algorithms stays below `limit` in accuracy."""

    def judge(results: Results) -> Verdict:
        parts, held = [], {}
        for label in labels:
            found = interval(list(results.measured(dataset, scenario, sigma, label, "accuracy").values()))
            if found is None or found.low is None or found.high is None:
                return Verdict("not measured", label)
            held[label] = found.low, found.high, -math.inf, math.nextafter(limit, -math.inf)
            span = f"{100 * found.low:.1f} … {100 * found.high:.1f}"
            parts.append(f"{label} {100 * found.mean:.2f} % (95 % interval {span})")
        return Verdict(all_inside(held), "; ".join(parts))

    return judge


def better_with_noise(dataset: str, label: str, scenario: int) -> Judge:
    def judge(results: Results) -> Verdict:
        noisy, clean = (
            results.measured(dataset, scenario, sigma, label, "accuracy") for sigma in (NOISY[dataset], 0.0)
        )
        found = compare(noisy, clean, "accuracy")
        if found is None:
            return Verdict("not measured", label)
        text = f"with noise minus without: {100 * found.mean:+.1f} points"
        if found.outcome == "undecided":
            return Verdict("undecided", text)
        return Verdict("reproduced" if found.outcome == "better" else "not reproduced", text)

    return judge


def rises_then_falls(dataset: str, label: str, scenario: int, sigma: float, points: float) -> Judge:
    """On the curve of a trial the best accuracy exceeds the last one, in the mean by more than `points`."""

    def judge(results: Results) -> Verdict:
        curves = [r["curve"] for r in results.cell(dataset, scenario, sigma, label) if r["status"] == "done"]
        if any(p["accuracy"] is None for curve in curves for p in curve):
            return Verdict("not measured", f"{label} at every evaluation")
        falls = [max(p["accuracy"] for p in curve) - curve[-1]["accuracy"] for curve in curves]
        found = interval(falls)
        if found is None or found.low is None or found.high is None:
            return Verdict("not measured", label)
        text = "fall from the best to the last evaluation: " + ", ".join(f"{100 * x:.1f}" for x in falls)
        span = f" points (95 % interval of the mean {100 * found.low:.1f} … {100 * found.high:.1f})"
        more_than = {label: (found.low, found.high, math.nextafter(points, math.inf), math.inf)}
        return Verdict(all_inside(more_than), text + span)

    return judge


def scores_mean_something(dataset: str, label: str, sigma: float) -> Judge:
    """Is the accuracy decided by the tie rule, with scores that carry no information (AUC near one half)?"""

    def judge(results: Results) -> Verdict:
        parts, informative = [], []
        for scenario in EVERYWHERE:
            cell = [r for r in results.cell(dataset, scenario, sigma, label) if r["status"] == "done"]
            if not cell:
                return Verdict("not measured", f"S{scenario}")
            last = [final_point(r) for r in cell]
            ties, auc = (sum(p[m] or 0.0 for p in last) / len(last) for m in ("ties", "auc"))
            low, high = (
                sum(r[f"accuracy_ties_{rule}"] for r in cell) / len(cell) for rule in ("negative", "positive")
            )
            informative.append(ties < 0.5 and auc > 0.6)
            by_rule = f"accuracy {low:.1%} or {high:.1%} by the tie rule"
            parts.append(f"S{scenario}: ties {ties:.0%}, AUC {auc:.2f}, {by_rule}")
        return Verdict("reproduced" if all(informative) else "not reproduced", "; ".join(parts))

    return judge


AS_CLICKS = "if ties count as a click"


def ties_as_clicks(results: Results) -> Results:
    return Results({key: [_as_clicks(run) for run in cell] for key, cell in results.by_cell.items()})


def _as_clicks(run: Result) -> Result:
    curve = [_known(point) for point in run["curve"]]
    at_the_end = run.get("accuracy_ties_positive")
    if run["status"] == "done" and curve and at_the_end is not None:
        curve[-1] = {**curve[-1], "accuracy": at_the_end}
    return {**run, "curve": curve}


def _known(point: dict[str, Any]) -> dict[str, Any]:
    """Without its accuracy if that hangs on the rule."""
    return {**point, "accuracy": None} if point.get("ties") else point


OTHERS = ("FetchSGD", "BLCD", "Top-k", "FedProx")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "mnist-best-in-noise",
        "Table 2 (MNIST), σ = 0.8",
        "FPS has the highest accuracy in every noisy row",
        fps_beats("mnist", OTHERS, EVERYWHERE, 0.8),
    ),
    Claim(
        "mnist-iid-comparable",
        "Section 6.2",
        "in the noisy IID case FPS and FetchSGD exhibit comparable accuracies (within 10 points)",
        close_to_fps("mnist", "FetchSGD", (1,), 0.8, 0.10),
    ),
    Claim(
        "mnist-blcd-rises-and-falls",
        "Section 6.2",
        "under noise BLCD rises quickly and then declines (by more than 5 points)",
        rises_then_falls("mnist", "BLCD", 1, 0.8, 0.05),
    ),
    Claim(
        "mnist-collapse-of-baselines",
        "Table 2 (MNIST), Scenario 2, σ = 0",
        "without noise all baselines stay below 15 % when each device holds one class",
        below("mnist", OTHERS, 2, 0.0, 0.15),
    ),
    Claim(
        "mnist-fetchsgd-better-with-noise",
        "Table 2 (MNIST), Scenario 2",
        "FetchSGD is better with noise (71.8 %) than without (13.2 %)",
        better_with_noise("mnist", "FetchSGD", 2),
    ),
    Claim(
        "mnist-noise-free-heterogeneous",
        "Table 2 (MNIST), Scenarios 2 and 3, σ = 0",
        "FPS is best without noise under strong heterogeneity",
        fps_beats("mnist", OTHERS, (2, 3), 0.0),
    ),
    Claim(
        "kdd12-best-in-noise",
        "Section 6.1",
        "FPS significantly outperforms FetchSGD and BLCD in all scenarios under noise",
        fps_beats("kdd12", ("FetchSGD", "BLCD"), EVERYWHERE, 1.0),
    ),
    Claim(
        "kdd12-noise-free-comparable",
        "Section 6.1",
        "without noise FetchSGD is comparable to FPS in Scenarios 1 and 4 (within 2 points)",
        close_to_fps("kdd12", "FetchSGD", (1, 4), 0.0, 0.02),
    ),
    Claim(
        "kdd12-blcd-poor",
        "Section 6.1",
        "BLCD performs poorly: below 20 % accuracy in Scenario 1 without noise",
        below("kdd12", ("BLCD",), 1, 0.0, 0.20),
    ),
    Claim(
        "kdd12-others-fail-when-heterogeneous",
        "Section 6.1",
        "FedProx and Top-k stay below 60 % in Scenario 2 without noise",
        below("kdd12", ("FedProx", "Top-k"), 2, 0.0, 0.60),
    ),
    Claim(
        "kdd12-accuracy-means-something",
        "implied by Table 1 (KDD12), σ = 1",
        "the accuracies of FPS near the majority rate reflect learning, not ties",
        scores_mean_something("kdd12", "FPS", 1.0),
        ours=True,
    ),
    Claim(
        "kdd10-best-in-noise",
        "Appendix D.2",
        "FPS significantly outperforms FetchSGD and BLCD in all scenarios under noise",
        fps_beats("kdd10", ("FetchSGD", "BLCD"), EVERYWHERE, 1.0),
    ),
    Claim(
        "kdd10-noise-free-better-than-fetchsgd",
        "Appendix D.2",
        "without noise FPS is better than FetchSGD in all scenarios",
        fps_beats("kdd10", ("FetchSGD",), EVERYWHERE, 0.0),
    ),
    Claim(
        "kdd10-noise-free-blcd-equal",
        "Appendix D.2",
        "without noise BLCD and FPS perform equally well (within 2 points)",
        close_to_fps("kdd10", "BLCD", EVERYWHERE, 0.0, 0.02),
    ),
    Claim(
        "kdd10-accuracy-means-something",
        "implied by Table 3 (KDD10), σ = 1",
        "the accuracies of FPS near the majority rate reflect learning, not ties",
        scores_mean_something("kdd10", "FPS", 1.0),
        ours=True,
    ),
    Claim(
        "synthetic-lowest-loss",
        "Appendix D.1",
        "FPS has the lowest test loss in all scenarios under noise",
        fps_beats("synthetic", ("FetchSGD", "BLCD"), EVERYWHERE, 1.0),
    ),
    Claim(
        "synthetic-blcd-comparable",
        "Appendix D.1",
        "BLCD is comparable to FPS in Scenario 2 (log loss within 0.5)",
        close_to_fps("synthetic", "BLCD", (2,), 1.0, 0.5),
    ),
)


def verdicts(
    results: Results, dataset: str, otherwise: Mapping[str, Results] | None = None
) -> list[tuple[Claim, Verdict]]:
    """Every claim about a data set, by the default readings, the other tie rule and those of `otherwise`
    (words → results).
    """
    found = []
    readings = {AS_CLICKS: ties_as_clicks(results), **(otherwise or {})}
    for claim in CLAIMS:
        if claim.dataset == dataset:
            others = {words: claim.judge(read) for words, read in readings.items()}
            found.append((claim, among_readings(claim.judge(results), others)))
    return found


def render(judged: list[tuple[Claim, Verdict]]) -> str:
    lines = ["| claim | where | verdict | why |", "|---|---|---|---|"]
    lines += [f"| {c.text} | {c.where} | **{v.status}** | {v.reason.replace('|', '/')} |" for c, v in judged]
    return "\n".join(lines)
