"""`fps.advise`: a learning rate for a problem that was never run, from a few looks and short pilots."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from empirical.advice import pilots, words
from empirical.advice.advice import Advice, Pilot
from empirical.advice.case import Case, case_of
from empirical.advice.limits import Limits, limits, unlooked
from empirical.advice.pilots import Made, Say
from empirical.advice.rivals import rivals
from empirical.advice.row_pilots import settle
from empirical.advice.rule import FEWEST_ROUNDS, Choice, choose, ladder, pilot_rounds, scored, tried
from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.own.federation import Federation
from fpsverify.own.source import given as consented
from fpsverify.own.training import run_config, sections, settings
from fpsverify.problems.build import build
from fpsverify.status import status
from fpsverify.threads import one_thread

if TYPE_CHECKING:
    from fpsverify.own.training import Sketch

FLAT = 1.0  # γ of the first pilot where nothing curves
RUNS, RUNS_IF_CHEAP = 4, 3  # what an advice takes, about
LOOKS = 1.0  # of them for curvature and for what is left out of the count of rounds
MOST_DRAWS = 3
FALLEN = 0.75  # of the limits at the start: below it the first pilot is made again at the lower one
_UNSAID: Any = object()


def advise(
    problem: Federation | RunConfig,
    *,
    rounds: int | None = None,
    E: int | None = None,
    mu: float | None = None,
    batch: int | None = None,
    sketch: Sketch | str | None = _UNSAID,
    channel: float | dict[str, Any] | None = _UNSAID,
    seed: int | None = None,
    algorithm: str | None = None,
    participation: float | None = None,
    set: Sequence[str] = (),
    pilot: int | None = None,
    cheap: bool = False,
    compare: bool = False,
    progress: Say | None = None,
    trust: bool = False,
) -> Advice:
    """Which learning rate to use; nothing needs to have been run.

    problem      a Federation, or a RunConfig; what is not given below is as in `train`, or as in the config
    rounds       of the run that the advice is for
    pilot        rounds of each pilot (default: a fourth of the run)
    cheap        without curvature: quicker, and with neither a certified rate nor an edge
    compare      also what fresh hashes, FPS and no sketch reach with as many numbers sent
    progress     told what is being done, one line at a time; without it, standard error is told
    trust        run the Python file that a RunConfig names as its problem
    """
    said: dict[str, Any] = {"rounds": rounds, "E": E, "mu": mu, "batch": batch, "seed": seed}
    said |= {"algorithm": algorithm, "participation": participation}
    given = {name: value for name, value in said.items() if value is not None}
    given |= {n: v for n, v in (("sketch", sketch), ("channel", channel)) if v is not _UNSAID}
    if pilot is not None and (isinstance(pilot, bool) or not isinstance(pilot, int) or pilot < FEWEST_ROUNDS):
        raise BadInput("pilot", pilot, f"a whole number of rounds, at least {FEWEST_ROUNDS}")
    if isinstance(problem, Federation):
        federation: Federation | None = problem
        config = run_config(problem, **given, set=set)
    elif isinstance(problem, RunConfig):
        federation = consented(problem, None, trust) if trust else None
        config = _changed(problem, given, set, federation)
    else:
        raise BadInput("problem", type(problem).__name__, "a Federation or a RunConfig")
    with one_thread(), status(progress) as say:
        case = case_of(config, federation)
        found = advice_for(case, pilot, say, cheap)
        if not compare:
            return found
        ask = lambda other: advice_for(other, None, say, True)  # noqa: E731
        seen = rivals(case, lambda other: case_of(other, federation), ask, say)
        return replace(found, rivals=seen, reasons=(words.compared(seen), *found.reasons))


def _changed(
    config: RunConfig, given: dict[str, Any], set: Sequence[str], federation: Federation | None
) -> RunConfig:
    whole = "sketch" in given and given["sketch"] is None
    d = build(config, federation=federation).problem.d if whole else None
    values = config.model_dump(mode="json", exclude_none=True)
    if given.get("algorithm") not in (None, config.algorithm.name):
        values["algorithm"] = {}  # options of another algorithm mean nothing here
    for section, changed in sections(given, d).items():
        values[section] = {**values.get(section, {}), **changed} if isinstance(changed, dict) else changed
    return configs.parse(configs.apply_overrides(values, settings(set)))


def advice_for(
    case: Case, rounds: int | None = None, say: Say = lambda line: None, cheap: bool = False
) -> Advice:
    """Looks at the start, a pilot at c/2, looks at its end, more pilots, the rule, the run, other draws.

    A μ that follows the loss may still rise after a short pilot: then only whole runs can tell.
    """
    T = case.config.rounds
    rounds = T if case.mu_follows else min(rounds or pilot_rounds(T), T)
    budget = Budget(T * (RUNS_IF_CHEAP if cheap else RUNS - LOOKS))
    say(expected_cost(case, rounds, cheap))
    kept: dict[float, Made] = {}

    def attempt(gamma: float, until: int = rounds) -> Made:
        before = kept.get(gamma)
        known = before if before is not None and before.state is not None else None
        made = pilots.make(case, gamma, until, say, known)
        budget.spent += made.pilot.rounds[-1] - (known.pilot.rounds[-1] if known else 0)
        kept[gamma] = made
        return made

    found, first, where = _without_looks(case, attempt) if cheap else _with_looks(case, attempt, rounds, say)
    made = ladder(lambda gamma: attempt(gamma).pilot, first.pilot)
    say("single rows and devices")
    settled = settle(case, choose(made, T, False, case.mu_follows))
    choice, trials = tried(settled, T, lambda gamma: attempt(gamma, T).pilot, lambda: budget.left >= T)
    choice = _on_other_draws(case, choice, budget, say)
    plain = None if cheap else _without_compression(case, choice, say)
    label = words.recommended(choice, len(made))
    return words.advice(case, found, (*made, *trials), choice, label, where, plain)


@dataclass
class Budget:
    """Rounds that may be spent, and those that were."""

    most: float
    spent: float = 0.0

    @property
    def left(self) -> float:
        return self.most - self.spent


def expected_cost(case: Case, rounds: int, cheap: bool) -> str:
    """What an advice takes, before it is asked for."""
    runs = RUNS_IF_CHEAP if cheap else RUNS
    looks = "no curvature" if cheap else "curvature at two points"
    return (
        f"this takes about as long as 2 to {runs} runs of {case.config.rounds} rounds: pilots of {rounds} "
        f"rounds, {looks}, the whole run" + (", other draws" if case.random else "")
    )


def _with_looks(
    case: Case, attempt: Callable[[float], Made], rounds: int, say: Say
) -> tuple[Limits, Made, str]:
    """The limits, and the first pilot at half of the smaller one; lower where curvature has grown."""
    say("curvature at the start")
    start = ((0, case.in_model(case.setup.problem.start)),)
    found = limits(case, start)
    first = attempt(found.c / 2 if math.isfinite(found.c) else FLAT)
    if first.w is None:
        return found, first, "round 0"
    say("curvature after the pilot")
    before, found = found, limits(case, (*start, (rounds, first.w)))
    c = found.c * before.L / found.L if found.L > 0 else found.c
    first = attempt(c / 2) if c < FALLEN * before.c else first
    return found, first, f"round 0 and round {rounds}"


def _without_looks(case: Case, attempt: Callable[[float], Made]) -> tuple[Limits, Made, str]:
    """The first pilot takes Polyak's step for a loss that can fall to 0, spread over the local steps."""
    at = case.setup.problem.full_gradient(case.setup.problem.start)
    square = sum(at.device_norms_squared) / len(at.device_norms_squared)
    gamma = at.loss / (case.E * square) if square > 0 and at.loss > 0 else FLAT
    return unlooked(case), attempt(gamma), ""


def _on_other_draws(case: Case, choice: Choice, budget: Budget, say: Say) -> Choice:
    """The run at γ with another hash, batches and noise, as often as the budget allows."""
    count = min(MOST_DRAWS, max(1, int(budget.left / case.config.rounds + 0.25)))
    if choice.gamma is None or not case.random:
        return choice
    made = (pilots.make(case, choice.gamma, case.config.rounds, say, draw=i + 1) for i in range(count))
    return scored(choice, tuple(each.pilot for each in made))


def _without_compression(case: Case, choice: Choice, say: Say) -> Pilot | None:
    """The best pilot once more with nothing lost on the way: the difference is what the compression costs."""
    plain = case.uncompressed() if case.compresses else None
    if plain is None or choice.best is None:
        return None
    say("the same pilot without compression")
    return pilots.make(plain, choice.best.gamma, choice.best.rounds[-1], say).pilot
