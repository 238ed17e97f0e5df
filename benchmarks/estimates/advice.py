"""Does the advice work? Predict γ_max from a short pilot run, then find the γ at which the run breaks.

    python -m benchmarks.estimates.advice [--quick] [--seed 1] [--out runs/advice.jsonl]

One row per problem, appended as soon as it is known; a second call continues where the first stopped.

Runs have 60 rounds. Two criteria, `early` the stricter one, say when a run at γ is unstable:
    both    it stops being finite, or its loss passes 100 times the loss at w_0 (it is stopped there);
    early   in some round after the tenth its loss is above the loss at w_0;
    late    the mean loss of its last 10 rounds is above the loss at w_0, or more than twice the mean of the
            10 rounds before: nothing was learned, or it is running away.
True limits are bracketed by steps of 4 and then bisected on a log scale to within 4^{1/16} < 1.1; the stable
end of the bracket is kept. A prediction is safe if the run at the predicted γ itself is stable by both.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.estimates.advice_problems import parts_of, pilot_setup, problem_configs, problem_of
from benchmarks.estimates.distorted import UNBIASED, DistortedModel
from empirical.answer import compare
from empirical.answer.estimate import estimate
from empirical.observed import recorded
from empirical.observed.protocol import Evidence
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.config import RunConfig
from fpsverify.errors import FpsError
from fpsverify.files import json_safe, make_folder
from fpsverify.runs.loop import rounds, run
from theory.rates.ranges import FORMS

TRIAL_ROUNDS, LAST = 60, 10
STEP, BISECTIONS = 4.0, 4
HOPELESS = 100.0  # times the loss at w_0
LARGEST_GAMMA, SMALLEST_GAMMA = 2.0**20, 2.0**-40


@dataclass(frozen=True)
class Pilot:
    """γ_max by each form, None where the range is empty or unbounded, and the constants it rests on."""

    predicted: dict[str, float | None]
    constants: dict[str, float]
    gamma: float


def pilot_of(name: str, config: RunConfig) -> Pilot:
    evidence = replace(pilot_evidence(name, config), received=lambda t, n: {})
    found = estimate(evidence, replicates=16)
    rates = compare.learning_rates(found.constants, found.scale)
    high = {
        each: getattr(found.constants, each).high for each in ("L", "B", "P_b", "P_n", "b2", "sigma2", "G2")
    }
    return Pilot({form: rates[form]["gamma_max"] for form in FORMS}, high, evidence.gamma)


def pilot_evidence(name: str, config: RunConfig) -> Evidence:
    """From a recorded run; a distorted one, which no config describes, is run in memory."""
    distortion = parts_of(name)[1]
    if not distortion:
        with tempfile.TemporaryDirectory() as place:
            run(config, Path(place) / "pilot")
            return recorded.evidence(Path(place) / "pilot")
    algorithm, setup = problem_of(name, config)
    setup = pilot_setup(setup)
    found = recorded.evidence_in_memory(algorithm, setup, most_iterates=10)
    model = DistortedModel(setup.problem, config.local, distortion)  # type: ignore[arg-type]
    return replace(found, model=model, unbiased=UNBIASED.get(distortion, ""))


@dataclass(frozen=True)
class Bench:
    """One problem, built once; runs differ in γ alone."""

    algorithm: Algorithm
    setup: Setup

    @staticmethod
    def of(config: RunConfig, name: str = "") -> Bench:
        record = config.record.model_copy(update={"verify": False, "evaluate_every": TRIAL_ROUNDS})
        longer = config.model_copy(update={"rounds": TRIAL_ROUNDS, "record": record})
        return Bench(*problem_of(name, longer))

    def losses(self, gamma: float) -> list[float]:
        """f(w̃_0), f(w̃_1), … until the run ends, is not finite or is hopeless."""
        local = self.setup.config.local.model_copy(update={"gamma": gamma})
        setup = replace(self.setup, config=self.setup.config.model_copy(update={"local": local}))
        seen: list[float] = []
        try:
            for _, state, _ in rounds(self.algorithm, setup, self.algorithm.init(setup), 0):
                seen.append(setup.problem.full_gradient(self.algorithm.model(setup, state)).loss)
                if not seen[-1] <= HOPELESS * seen[0]:
                    break
        except FpsError:
            pass  # not finite: the list is short, which every criterion calls unstable
        return seen


def settles_early(losses: list[float]) -> bool:
    return _complete(losses) and bool(np.max(losses[LAST + 1 :]) <= losses[0])


def settles_late(losses: list[float]) -> bool:
    late, before = np.mean(losses[-LAST:]), np.mean(losses[-2 * LAST : -LAST] or losses)
    return _complete(losses) and bool(late <= losses[0] and late <= 2 * before)


def _complete(losses: list[float]) -> bool:
    return len(losses) == TRIAL_ROUNDS + 1 and losses[-1] <= HOPELESS * losses[0]


CRITERIA = {"early": settles_early, "late": settles_late}


def true_limit(is_stable: Callable[[float], bool], start: float) -> float:
    """The largest γ found stable, within a factor 1.1 of an unstable one; ∞: none was unstable."""
    low = high = start
    while is_stable(high):
        low, high = high, STEP * high
        if high > LARGEST_GAMMA:
            return math.inf
    while low == high or not is_stable(low):
        low, high = low / STEP, low
        if low < SMALLEST_GAMMA:
            raise FpsError(f"unstable at every learning rate down to {SMALLEST_GAMMA:g}")
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if is_stable(middle) else (low, middle)
    return low


def _limit_by(
    settles: Callable[[list[float]], bool], losses: Callable[[float], list[float]], start: float
) -> float:
    return true_limit(lambda gamma: settles(losses(gamma)), start)


def examine(name: str, config: RunConfig) -> dict[str, Any]:
    """One row: predictions, whether the run at each of them is stable, and the true limits."""
    start = time.process_time()
    pilot, losses = pilot_of(name, config), cache(Bench.of(config, name).losses)
    row: dict[str, Any] = {
        "name": name,
        "seed": config.seed,
        "config": config.digest(),
        "predicted": pilot.predicted,
        "constants": pilot.constants,
        "pilot_gamma": pilot.gamma,
        "stable_at": {
            form: all(settles(losses(gamma)) for settles in CRITERIA.values()) if gamma else None
            for form, gamma in pilot.predicted.items()
        },
    }
    for criterion, settles in CRITERIA.items():
        row[f"limit_{criterion}"] = _limit_by(settles, losses, config.local.gamma)
    return row | {"seconds": round(time.process_time() - start, 1)}


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Per form: how often there was a prediction, how often it was safe, and limit / prediction."""
    out: dict[str, Any] = {}
    for form in FORMS:
        given = [r for r in rows if r["predicted"][form]]
        out[form] = {"problems": len(rows), "predictions": len(given), "safe": None}
        if given:
            out[form]["safe"] = float(np.mean([r["stable_at"][form] for r in given]))
            out[form] |= {criterion: ratios(given, form, criterion) for criterion in CRITERIA}
    return out


def ratios(rows: list[dict[str, Any]], form: str, criterion: str) -> dict[str, float]:
    """True limit over prediction; a limit that was never reached (stored as null) counts as infinite."""
    found = np.array([(r[f"limit_{criterion}"] or math.inf) / r["predicted"][form] for r in rows])
    return {
        "below_limit": float(np.mean(found >= 1)),
        "smallest": float(found.min()),
        "median": float(np.quantile(found, 0.5, method="higher")),
        "ratio_90": float(np.quantile(found, 0.9, method="higher")),
    }


def stored_rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def collect(path: Path, seed: int, quick: bool, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """All rows, those of `path` first; new ones are appended to it as soon as they are known."""
    done = {(row["name"], row["config"]): row for row in stored_rows(path)}
    rows = []
    for name, config in problem_configs(quick, seed):
        row = done.get((name, config.digest()))
        if row is None:
            row = json_safe(examine(name, config))
            with path.open("a", encoding="utf-8") as handle:
                handle.write(json.dumps(row, allow_nan=False) + "\n")
        say(json.dumps(row))
        rows.append(row)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Predicted against true limits of the learning rate.")
    parser.add_argument("--quick", action="store_true", help="10 problems instead of 84")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/advice.jsonl"))
    args = parser.parse_args()
    torch.set_num_threads(1)
    make_folder(args.out.parent, "--out")
    rows = collect(args.out, args.seed, args.quick, lambda text: print(text, flush=True))
    for form, figures in summary(rows).items():
        print(form, figures)


if __name__ == "__main__":
    main()
