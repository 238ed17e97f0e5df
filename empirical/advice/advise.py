"""`fps.advise`: a learning rate for a problem that was never run, from a few looks and short pilots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from empirical.advice import pilots, words
from empirical.advice.advice import Advice, Pilot
from empirical.advice.case import Case, case_of
from empirical.advice.limits import limits
from empirical.advice.pilots import Made, Say
from empirical.advice.row_pilots import settle
from empirical.advice.rule import ROUNDS, Choice, choose, hardly_moved, ladder
from empirical.advice.trial import tried
from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.own.arguments import settings
from fpsverify.own.federation import Federation
from fpsverify.own.source import given as consented
from fpsverify.own.training import run_config, sections
from fpsverify.problems.build import build
from fpsverify.status import status
from fpsverify.threads import one_thread

if TYPE_CHECKING:
    from fpsverify.own.training import Sketch

FLAT = 1.0  # γ of the first pilot where nothing curves
FEWEST_ROUNDS = 10
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
    pilot: int = ROUNDS,
    progress: Say | None = None,
    trust: bool = False,
) -> Advice:
    """Which learning rate to use; nothing needs to have been run.

    problem      a Federation, or a RunConfig; what is not given below is as in `train`, or as in the config
    rounds       of the run that the advice is for
    pilot        rounds of each pilot
    progress     told what is being done, one line at a time; without it, standard error is told
    trust        run the Python file that a RunConfig names as its problem
    """
    said: dict[str, Any] = {"rounds": rounds, "E": E, "mu": mu, "batch": batch, "seed": seed}
    said |= {"algorithm": algorithm, "participation": participation}
    given = {name: value for name, value in said.items() if value is not None}
    given |= {n: v for n, v in (("sketch", sketch), ("channel", channel)) if v is not _UNSAID}
    if isinstance(pilot, bool) or not isinstance(pilot, int) or pilot < FEWEST_ROUNDS:
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
        return advice_for(case_of(config, federation), pilot, say)


def _changed(
    config: RunConfig, given: dict[str, Any], set: Sequence[str], federation: Federation | None
) -> RunConfig:
    whole = "sketch" in given and given["sketch"] is None
    d = build(config, federation=federation).problem.d if whole else None
    values = config.model_dump(mode="json", exclude_none=True)
    for section, changed in sections(given, d).items():
        values[section] = {**values.get(section, {}), **changed} if isinstance(changed, dict) else changed
    return configs.parse(configs.apply_overrides(values, settings(set)))


def advice_for(case: Case, pilot_rounds: int = ROUNDS, say: Say = lambda line: None) -> Advice:
    """Looks at the start, a pilot at c/2, looks at its end, more pilots, the rule, a trial, what compression
    costs.

    A μ that follows the loss may still rise after a short pilot: then only a whole run can tell. So it is
    where the loss hardly moved and larger steps diverge: the run may leave a plateau for steeper ground.
    """
    T = case.config.rounds
    rounds = T if case.mu_follows else min(pilot_rounds, T)

    def attempt(gamma: float) -> Made:
        return pilots.make(case, gamma, rounds, say)

    say("curvature at the start")
    start = ((0, case.in_model(case.setup.problem.start)),)
    found = limits(case, start)
    first, where = attempt(found.c / 2 if math.isfinite(found.c) else FLAT), "round 0"
    if first.w is not None:
        say("curvature after the pilot")
        before, found = found.c, limits(case, (*start, (rounds, first.w)))
        first = attempt(found.c / 2) if found.c < FALLEN * before else first
        where = f"round 0 and round {rounds}"
    made, whole = ladder(lambda gamma: attempt(gamma).pilot, first.pilot), case.mu_follows
    if rounds < T and (best := hardly_moved(made)) is not None:
        rounds, whole = T, True
        longer = ladder(lambda gamma: attempt(gamma).pilot, attempt(best.gamma).pilot)
        made = (*(pilot for pilot in made if pilot.diverged), *longer)
    say("single rows and devices")
    settled = settle(case, choose(made, T, case.compresses, whole))
    choice, trials = tried(settled, rounds, T, lambda gamma: pilots.make(case, gamma, T, say).pilot)
    plain = _without_compression(case, choice, say)
    label = words.recommended(choice, len(made))
    return words.advice(case, found, (*made, *trials), choice, label, where, plain)


def _without_compression(case: Case, choice: Choice, say: Say) -> Pilot | None:
    """The best pilot once more with nothing lost on the way: the difference is what the compression costs."""
    plain = case.uncompressed() if case.compresses else None
    if plain is None or choice.best is None:
        return None
    say("the same pilot without compression")
    return pilots.make(plain, choice.best.gamma, choice.best.rounds[-1], say).pilot
