"""The sentences of an advice: what each number rests on, what to change, and why."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from empirical.advice import remedies
from empirical.advice.advice import CERTIFIED, TAIL, Advice, Pilot, Rival
from empirical.advice.case import Case
from empirical.advice.limits import FRESH, SENT_WHOLE, SKETCHED, Limits, certified
from empirical.advice.pilots import helps, lowest_at, tail
from empirical.advice.rule import Choice
from empirical.advice.shown import number
from fpsverify.report import names
from theory.rates.descent.certified import CertifiedRange
from theory.theorems import Verdict, could_hold, named, nearest
from theory.theorems import guaranteed as sure

AT_END = f"mean of its last {TAIL} losses"
KINKS = "ReLU has kinks, Assumption 1 fails"


NEEDS = {  # what a reader is told of a condition that is not met
    "everyone": "a part of the devices takes part in a round",
    "smooth": KINKS,
    "all rows": "the curvature was measured on a sample of the rows",
    "fixed mu": "mu changes along the run",
    "no mu": "Theorem C has no proximal term",
    "one step": "at E >= 2 only the table is proved to stay bounded below the edge; the loss may end above "
    "its start",
    "curvature everywhere": "the curvature away from the points seen is not known",
    "noise everywhere": "mini-batch noise was seen at two points only",
    "no fading": "the noise of fading grows with what is sent",
    "quadratic": "the loss is not known to be quadratic",
    "convex": "the loss is not known to be convex",
    "noiseless": "the edge is proved without noise",
    "nothing compressed": "the sketch loses what it merges",
    "mean read-out": "the median is read out",
    "differences": "how much the devices differ along the run is not known",
    "exact edge": "the edge is not exact here",
    "no memory": "devices keep a part of what was lost (memory_share)",
}
RESTS = {
    "Corollary B2": "and below the exact edge",
    "Theorem S": "in expectation over the hashes, with the trace measured",
}
CERTIFICATE = {"exact": "exact certificate", "numerical": "solver only", "none": "Theorem A"}


def guaranteed(case: Case, found: Limits, made: tuple[Pilot, ...] = ()) -> tuple[float | None, str]:
    """The largest γ that a theorem covers at the upper ends of the constants, and which; or why none."""
    best = sure(found.over)
    if best is not None and best.allowed is not None and best.allowed.gamma_max is not None:
        rests = RESTS.get(best.theorem, "L of the whole loss")
        return best.allowed.gamma_max, f"{CERTIFIED}: {theorem(best, found)}, {rests}"
    at = certified(found.over)
    if not case.averaged:
        return None, f"no theorem covers {case.algorithm.name} with these options"
    if at is None and could_hold(found.facts, SENT_WHOLE):
        return None, "no certificate at the measured constants"
    held = f"; {number(at)} if the constants seen here held throughout" if at else ""
    seen = case.all_take_part and not (case.kinked or case.compresses or refuted(made, at))
    return None, f"no theorem: {lacks(case, found)}{held if seen else ''}"


def theorem(verdict: Verdict, found: Limits) -> str:
    """A name that says what the number rests on."""
    if verdict.theorem == "Theorem C":
        return verdict.theorem
    proof = verdict.proof
    return CERTIFICATE[proof.certificate] if isinstance(proof, CertifiedRange) else verdict.theorem


def lacks(case: Case, found: Limits) -> str:
    """All that the nearest theorem lacks."""
    asked = FRESH if case.fresh else SKETCHED if case.compresses else SENT_WHOLE[::-1]
    missing = nearest(named(found.over, name) for name in asked).missing
    missing = tuple(name for name in missing if name != "exact edge") or missing
    k = f"k = {case.config.algorithm.k} of {case.d} coordinates are broadcast"
    return ", ".join(k if name == "k = d" else NEEDS[name] for name in missing if name != "mean")


def edge(case: Case, found: Limits) -> str:
    if case.fresh and not math.isnan(found.L):
        return "a fresh hash has none"
    if found.edge is None:
        looked = "not measured" if math.isnan(found.L) else f"not known for {case.algorithm.name}"
        return f"{looked} with these options"
    everybody = "" if case.all_take_part else ", with all devices"
    blind = ", blind to top-k" if case.cuts else ""
    if found.coarse:
        return f"a lower limit: {_lower_limit(case, found)}{everybody}{blind}"
    known = "exact" if found.edge.exact else "measured"
    return f"{known}{' for this hash' if case.sketched else ''}{everybody}{blind}"


def seen_limit(made: tuple[Pilot, ...]) -> tuple[float | None, str]:
    """Where top-k drops coordinates no edge is known: the pilots' own, below all that did not help."""
    bad = min((each.gamma for each in made if not helps(each)), default=math.inf)
    good = max((each.gamma for each in made if helps(each) and each.gamma < bad), default=None)
    above = "larger not tried" if bad == math.inf else f"{number(bad)} ended above its start"
    return good, f"by pilots, as top-k is seen by nothing else: {above}"


def _lower_limit(case: Case, found: Limits) -> str:
    """Which of the two limits of `coarse_edge` is the smaller one."""
    assert found.edge is not None
    if found.edge.gamma < 2 / (found.L + case.mu) * (1 - 1e-9):
        return "2/(E L_A)"
    return "2/(L + mu)" if case.mu else "2/L"


def _explained_limit(case: Case, found: Limits) -> str:
    name = _lower_limit(case, found)
    whose = "L as the sketch sees it" if case.sketched else "L of the mean loss"
    return f"{name}; L_A is {whose}" if "L_A" in name else name


def recommended(choice: Choice, pilots: int) -> str:
    if choice.gamma is None:
        runs = f"{pilots} pilot runs" if choice.trial is None else "the runs over all rounds"
        return f"none of {runs} lowered the loss"
    told = f"best of {_runs(choice, pilots)}"
    if choice.trial is not None and choice.stiff != "draw":
        told = f"tried over all {choice.trial.rounds[-1]} rounds"
    return told if choice.too_much is None else f"{told}, {lowered(choice)}"


def _runs(choice: Choice, pilots: int) -> str:
    return f"{pilots} pilot runs" + (f" of {choice.best.rounds[-1]} rounds" if choice.best else "")


def lowered(choice: Choice) -> str:
    if choice.stiff == "draw":
        return f"halved, as {number(choice.too_much)} failed on another draw"
    return f"lowered for one stiff {choice.stiff}"


def change(
    case: Case, found: Limits, made: tuple[Pilot, ...], choice: Choice, T: int, plain: Pilot | None = None
) -> tuple[str, ...]:
    """What would help, with numbers; the most important first. `plain`: the best pilot, uncompressed."""
    options, out = case.config.algorithm, []
    if choice.gamma is None and not (case.compresses and choice.turned):
        out.append(remedies.nothing_helps(case))
    if choice.too_much is not None:
        out.append(remedies.stiff(case, choice.stiff, choice.too_much))
    if hardly := remedies.hardly_learns(case, made, choice, T):
        out.append(hardly)
    elif costs := remedies.costs_much(case, choice, plain):
        out.append(costs)
    if remedies.saves_nothing(case):
        out.append(remedies.smaller_sketch(case))
    turned = choice.turned
    if case.compresses and turned is not None and turned.gamma >= (choice.gamma or 0.0):
        lower = ", or lower gamma" if choice.gamma is None else ""
        out.append(
            f"{remedies.milder(case)}{lower}: at gamma = {number(turned.gamma)} the loss turned up after "
            f"round {lowest_at(turned)} of {turned.rounds[-1]}"
        )
    at = found.at_estimates
    lowered = at.edge and at.certified and at.edge < 0.5 * at.certified and not refuted(made, at.certified)
    if case.sketched and not (found.coarse or remedies.saves_nothing(case)) and lowered:
        out.append(
            f"more buckets (now {options.buckets}): the curvature seen here allows {number(at.certified)} "
            f"without the sketch, which lowers the edge to {number(at.edge)}"
        )
    if case.sketched and options.recovery == "median" and not case.fresh:
        out.append('recovery = "mean": its edge is proved for quadratics, the median has none')
    if case.kinked:
        out.append(
            "for a theorem, a smooth activation (tanh, SiLU, GELU): L exists where weights are bounded"
        )
    return tuple(out)


def refuted(made: tuple[Pilot, ...], gamma: float | None) -> bool:
    """Did a pilot at this γ or a smaller one diverge?"""
    return gamma is not None and any(each.diverged and each.gamma <= gamma for each in made)


def _is_certified(found: Limits) -> str:
    """Only where the measured constants bind the whole run is anything certified."""
    whole = replace(found.facts, compression=None)
    holds = could_hold(whole, SENT_WHOLE) if found.omega is None else could_hold(found.facts, FRESH)
    return "is certified" if holds else "would be certified if the curvature seen here held throughout"


def _certified(case: Case, found: Limits, made: tuple[Pilot, ...]) -> str:
    at, over = found.at_estimates.certified, found.over_intervals.certified
    if at is None or refuted(made, at):
        return "."
    how = "without a sketch" if found.omega is None else "with fresh hashes"
    return (
        f"; {how} gamma <= {number(at)} {_is_certified(found)}, and {number(over)} at the upper ends of the "
        "intervals."
    )


def reasons(
    case: Case, found: Limits, made: tuple[Pilot, ...], choice: Choice, where: str
) -> tuple[str, ...]:
    """What was tried first, then what was measured."""
    at, over = found.at_estimates, found.over_intervals
    whose = "the mean loss" if found.mean else "the devices' losses"
    out = _tried(case, choice)
    if choice.gamma is not None and at.edge is not None and choice.gamma > at.edge:
        which = "this lower limit on the edge" if found.coarse else "the edge"
        out.append(
            f"The recommended gamma is above {which}, which takes the loss for a quadratic with the "
            "curvature seen here; where that falls along the run, more is possible, where it rises, less."
        )
    if not math.isnan(found.L):
        out.append(
            f"L, how fast gradients change, is {found.L:.4g} for {whose} at {where}"
            + (" (on a sample of the rows)" if case.sampled else "")
            + (f", relative noise P_n = {found.P_n:.2g}" if found.P_n else "")
            + _certified(case, found, made)
        )
    if found.edge is not None:
        how = found.edge.label.partition("measured otherwise; ")[2]
        what = f"is {number(at.edge)}, at least {number(over.edge)}: {how}."
        if found.coarse:
            what = (
                f"is at least {_explained_limit(case, found)}: {number(at.edge)} at the estimates, "
                f"{number(over.edge)} at the upper ends; {how}; the exact edge for E = {case.E} is "
                "not computed."
            )
        out.append(f"The {names.EDGE} ({names.BEYOND}) {what}")
    if found.omega is not None:
        out.append(
            f"A fresh sketch adds about omega_L = {found.omega:.3g} to L: (trace + L) over the numbers sent. "
            f"For one local step that leaves gamma < {number(2 / (found.L + found.omega))}."
        )
    if case.kinked:
        out.append("Because of the kinks the curvature is that at these points alone.")
    if case.compresses and not case.fresh:
        out.append(f"{names.CONDITION}.")
    return tuple(out)


def compared(found: tuple[Rival, ...]) -> str:
    """Other algorithms at equal numbers sent, the best first."""
    told = (
        f"{each.name} {'no rate helps' if each.loss is None else f'{each.loss:.4g}'} ({each.rounds} rounds)"
        for each in found
    )
    return f"With as many numbers sent the loss ends at: {'; '.join(told)}."


def _tried(case: Case, choice: Choice) -> list[str]:
    """What the pilots, the whole run and other draws have shown."""
    out, best, run, T = [], choice.best, choice.trial, case.config.rounds
    if best is not None:
        out.append(
            f"The pilot at gamma = {number(best.gamma)} brought the loss from {best.losses[0]:.4g} to "
            f"{tail(best):.4g} ({AT_END}) in {best.rounds[-1]} rounds."
        )
    if choice.gamma is not None and run is not None:
        out.append(f"All {T} rounds at gamma = {number(run.gamma)} brought it to {tail(run):.4g} ({AT_END}).")
    elif choice.capped and choice.farthest is not None:
        at = number(choice.farthest.gamma)
        out.append(f"gamma x rounds is what the pilot at gamma = {at} had shown to help.")
    if choice.draws:
        out.append(_on_other_draws(choice))
    return out


def _on_other_draws(choice: Choice) -> str:
    """A range, and not one number: the run that was tried is one draw."""
    ends = sorted(tail(each) for each in (*choice.draws, *([choice.trial] if choice.trial else [])))
    low, high = f"{ends[0]:.4g}", "no number" if math.isinf(ends[-1]) else f"{ends[-1]:.4g}"
    times = f"{len(choice.draws)} more draw{'s' if len(choice.draws) > 1 else ''}"
    return f"With {times} of hash, batches and noise the loss ends at {low} to {high}."


def advice(
    case: Case,
    found: Limits,
    made: tuple[Pilot, ...],
    choice: Choice,
    label: str,
    where: str,
    plain: Pilot | None = None,
) -> Advice:
    """All of it; `label` says what the recommended γ rests on, `where` at which points curvature was seen,
    `plain` what the best pilot reaches without compression."""
    proved, theorem = guaranteed(case, found, made)
    if refuted(made, proved):
        proved, theorem = None, "no theorem: a pilot below the limit diverged"
    border, known = found.at_estimates.edge, edge(case, found)
    by_pilots = case.cuts and len(made) > 1
    if by_pilots:
        border, known = seen_limit(made)
    labels = {"recommended": label, "guaranteed": theorem, "edge": known}
    return Advice(
        recommended=choice.gamma,
        guaranteed=proved,
        edge=border,
        edge_from_below=found.edge is not None and found.coarse and not by_pilots,
        labels=labels,
        change=change(case, found, made, choice, case.config.rounds, plain),
        reasons=reasons(case, found, made, choice, where),
        at_estimates=found.at_estimates,
        over_intervals=found.over_intervals,
        pilots=made,
        draws=choice.draws,
        facts=facts(case, found),
    )


def facts(case: Case, found: Limits) -> dict[str, Any]:
    config = case.config
    measured = {} if math.isnan(found.L) else {"L": found.L, "P_n": found.P_n}
    sizes = {"d": case.d, "M": case.model.M, "E": case.E, "rounds": config.rounds, "seed": config.seed}
    return sizes | measured | {"config": config.model_dump(mode="json", exclude_none=True)}
