"""Advice from a recorded run: its estimated constants, its own hash, and the run itself as the pilot."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

import numpy as np
import torch

from empirical.advice import remedies, words
from empirical.advice.advice import CERTIFIED, UNTRIED, Advice, Pilot
from empirical.advice.case import Case
from empirical.advice.limits import SENT_WHOLE, Limits, fresh_facts, judged, lower_limit, too_costly
from empirical.advice.pilots import fell_and_rose, helps, lowest_at
from empirical.advice.row_pilots import settle
from empirical.advice.rule import Choice, choose
from empirical.advice.shown import number
from empirical.facts import knowing
from empirical.observed.protocol import Evidence
from empirical.observed.run_models import DenseModel, SparseModel
from empirical.sketch_space.edge import Edge, edge
from empirical.statistics.intervals import Interval
from fpsverify import algorithms
from fpsverify import config as configs
from fpsverify.algorithms import Setup
from fpsverify.algorithms.base import sampling_noise
from fpsverify.runs.curves import SMOOTHED
from theory.rates.parameters import SMALLEST, Box, Parameters
from theory.rates.rounding import rounded_down
from theory.theorems import could_hold

NAMES = ("L", "B", "P_b", "P_n")
BEYOND_CHANCE = 2.0  # standard errors: a rise of the loss below that may be noise


class Constants(Protocol):
    """Those of `empirical.answer.compare.Measured` that limit γ."""

    @property
    def L(self) -> Interval: ...
    @property
    def B(self) -> Interval: ...
    @property
    def P_b(self) -> Interval: ...
    @property
    def P_n(self) -> Interval: ...


def from_run(constants: Constants, evidence: Evidence, *, rounds: int | None = None) -> Advice:
    """Advice for another run of `rounds` rounds (default: as many as this one had)."""
    case = case_of_run(evidence)
    at, over = (knowing(case.facts, box_of(constants, case, end)) for end in ("estimate", "high"))
    found = _edge(case, constants, evidence)
    L, P_n = constants.L.estimate, constants.P_n.estimate
    if case.fresh:
        start = min(evidence.iterates, key=lambda it: it.t)
        over = fresh_facts(case, (start.t, start.w), over, L)
    limits = judged(at, over, found, L, P_n, False, too_costly(case))
    run, T = as_pilot(evidence), rounds or evidence.T
    choice, label = _choice(case, limits, run, T)
    settled = settle(case, choice)
    label = label if settled.too_much is None else f"{label}, {words.lowered(settled)}"
    advice = words.advice(case, limits, (run,), settled, label, _looked_at(evidence))
    return advice if helps(run) else replace(advice, change=_smaller_steps(case, run, advice))


def _smaller_steps(case: Case, run: Pilot, advice: Advice) -> tuple[str, ...]:
    """What to change after a run that did not end below its start: first γ, where that is what broke it."""
    others = tuple(each for each in advice.change if each != remedies.nothing_helps(case))
    if advice.edge is not None and run.gamma > advice.edge:
        known = "a lower limit of the edge" if advice.edge_from_below else "the edge"
        edge = rounded_down(advice.edge, 4)
        return f"lower gamma: {number(run.gamma)} is above {known}, {edge}; rounds overshoot there", *others
    if case.noiseless and not case.compresses:
        return "lower gamma: the loss did not end below its start", *others
    return advice.change


def case_of_run(evidence: Evidence) -> Case:
    model, config = evidence.model, configs.parse(evidence.config)
    assert isinstance(model, (DenseModel, SparseModel))
    like = evidence.iterates[0].w
    setup = Setup(config, model.problem, like.dtype, like.device)
    return Case(algorithms.find(config.algorithm.name), setup, model, False)


def box_of(constants: Constants, case: Case, end: str) -> Box | None:
    """The constants at one end; None where one of them has none.

    A part of the devices averages less noise, and differs from all: φ(B² − 1) is added to P_n B²/n.
    """
    values = {name: getattr(getattr(constants, name), end) for name in NAMES}
    if not all(map(math.isfinite, values.values())) or not values["L"] > SMALLEST:
        return None
    values = {name: value if value > SMALLEST else 0.0 for name, value in values.items()}
    part = case.n * sampling_noise(case.model.M, case.n) * (1 - values["B"] ** -2)
    values["P_n"] += part if part > SMALLEST else 0.0
    return Box.point(Parameters(mu=case.mu, E=case.E, M=case.n, **values))


def _edge(case: Case, constants: Constants, evidence: Evidence) -> Edge | None:
    """None without a table that lasts, of which alone an edge is known."""
    if not case.averaged or case.fresh:
        return None
    largest = constants.L.estimate if constants.L.is_open else constants.L.high
    return lower_limit(evidence, constants.L.estimate, largest) if too_costly(case) else edge(evidence)


def as_pilot(evidence: Evidence) -> Pilot:
    """The run's own losses: of every round where recorded, else of the sampled ones."""
    recorded = evidence.series.get("loss")
    if recorded is not None and len(recorded) == evidence.T + 1:
        rounds, losses = range(evidence.T + 1), [float(x) for x in recorded]
        return Pilot(evidence.gamma, tuple(rounds), tuple(losses))
    sampled = sorted(evidence.iterates, key=lambda it: it.t)
    with torch.no_grad():
        losses = [evidence.model.loss(it.w) for it in sampled]
    return Pilot(evidence.gamma, tuple(it.t for it in sampled), tuple(losses))


def _choice(case: Case, found: Limits, run: Pilot, T: int) -> tuple[Choice, str]:
    """The run's own γ where it helped; half of the limits where they are proved and larger, or safer.

    Elsewhere nothing above the run's own γ: it may not have gone far enough to meet the steepest curvature.
    """
    half = found.c / 2 if math.isfinite(found.c) else None
    own = _own(run, T, case.compresses)
    proved = could_hold(found.facts, SENT_WHOLE)
    if not helps(run):
        if proved and half is not None and half < run.gamma:
            return Choice(half, None, 0.0, None, False), f"half of the {CERTIFIED} range; this run went up"
        turned = run if fell_and_rose(run) else None
        return replace(own, turned=turned), "this run did not end below its start; try fps.advise"
    if proved and half is not None and half > run.gamma:
        return Choice(half, run, own.spent, own.turned, False), f"half of the {CERTIFIED} range and the edge"
    if own.capped:
        return own, f"this run's, cut to the {lowest_at(run)} rounds for which it helped"
    return own, "this run's own; fps.advise tries others" if proved else UNTRIED


def _own(run: Pilot, T: int, compresses: bool) -> Choice:
    """The pilot rule for this run alone; a rise that may be noise is no turn."""
    choice = choose((run,), T, compresses)
    if not helps(run) or lowest_at(run) == run.rounds[-1] or _surely_rose(run):
        return choice
    spent = run.gamma * run.rounds[-1]
    capped = compresses and spent / T < run.gamma
    return Choice(spent / T if capped else run.gamma, run, spent, None, capped, farthest=run)


def _surely_rose(run: Pilot) -> bool:
    """Is the mean loss at the end above the lowest one by more than their standard errors allow?"""
    windows = np.lib.stride_tricks.sliding_window_view(run.losses, max(2, len(run.losses) // SMOOTHED))
    means, errors = windows.mean(1), windows.std(1, ddof=1) / math.sqrt(windows.shape[1])
    at = int(means.argmin())
    return bool(means[-1] - means[at] > BEYOND_CHANCE * math.hypot(errors[-1], errors[at]))


def _looked_at(evidence: Evidence) -> str:
    return f"{len(evidence.iterates)} sampled rounds"
