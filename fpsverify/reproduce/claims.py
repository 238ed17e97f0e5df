"""What Section 6 and Appendix D claim, as data, and the code that judges each claim from measured results.

Comparisons are paired over trials and decided by a 95 % interval (statistics.py). A claim about several cells
holds if it holds in all of them. It is judged at equal gradient steps and at equal channel uses: if these
disagree, the verdict says so, because the paper does not say which budget it means. So it does if another
reading of the paper (what the rivals send, what a tied score counts as), where it was measured, has another
verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from fpsverify.grids.statistics import compare, interval
from fpsverify.grids.store import final_point
from fpsverify.reproduce.budgets import Budget
from fpsverify.reproduce.tables import Results, main_metric

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
    dataset: str
    where: str
    text: str
    judge: Judge
    ours: bool = False


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
