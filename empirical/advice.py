"""Does the advice work? Predict γ_max from a short pilot run, then find the γ at which the run breaks.

    python -m empirical.advice [--quick] [--seed 1] [--out book/results/advice.jsonl]

One row per problem, appended as soon as it is known; a second call continues where the first stopped. A run
at γ counts as unstable if it stops being finite or if its mean loss over the last rounds is above the loss
at w_0. The true limit is bracketed by doubling and then bisected on a log scale; the stable end of the
bracket is kept.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from empirical import compare, recorded
from empirical.estimate import estimate
from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.errors import FpsError
from fpsverify.files import json_safe
from fpsverify.run import prepare, rounds, run
from theory.learning_rate import FORMS

PILOT_ROUNDS, TRIAL_ROUNDS, LAST = 40, 60, 10
BISECTIONS = 6
LARGEST_GAMMA, SMALLEST_GAMMA = 2.0**20, 2.0**-40

PROBLEMS: dict[str, dict[str, Any]] = {
    "synthetic": {
        "problem": {
            "data": "synthetic",
            "objective": "least_squares",
            "samples": 600,
            "features": 100,
            "power_law": 1.0,
        },
        "algorithm": {"rows": 5, "buckets": 60, "k": 50},
    },
    "logistic": {
        "problem": {"data": "blobs", "objective": "logistic", "samples": 600, "features": 12, "classes": 2},
        "algorithm": {"rows": 5, "buckets": 10, "k": 7},
    },
    "softmax": {
        "problem": {"data": "blobs", "objective": "softmax", "samples": 800, "features": 30, "classes": 5},
        "algorithm": {"rows": 5, "buckets": 80, "k": 75},
    },
    "mnist": {
        "problem": {"data": "mnist", "objective": "mlp", "samples": 1000, "hidden": 16},
        "algorithm": {"rows": 5, "buckets": 2500, "k": 2500},
    },
}


def problem_configs(quick: bool, seed: int) -> Iterator[tuple[str, RunConfig]]:
    """4 problems x 3 numbers of local steps x 4 scenarios = 48; quick: 6 of them."""
    for name, parts in PROBLEMS.items():
        for E in (1, 2, 5):
            for scenario in (1, 2, 3, 4):
                if quick and (name == "mnist" or (E, scenario) not in ((1, 1), (5, 2))):
                    continue
                yield f"{name}-E{E}-S{scenario}", _config(parts, E, scenario, seed)


def _config(parts: dict[str, Any], E: int, scenario: int, seed: int) -> RunConfig:
    return configs.parse(
        {
            "seed": seed,
            "rounds": PILOT_ROUNDS,
            "dtype": "float64",
            "problem": {"test_samples": 50, **parts["problem"]},
            "devices": {"M": 5, "scenario": scenario},
            "local": {"E": E, "batch": 16, "gamma": 0.01},
            "algorithm": {"name": "fps", **parts["algorithm"]},
            "channel": {"kind": "gaussian", "sigma": 0.0},
            "record": {"evaluate_every": PILOT_ROUNDS, "checkpoint_every": 10, "verify": True},
        }
    )


def predictions(config: RunConfig) -> dict[str, float | None]:
    """γ_max by each form from a pilot run; None where the range is empty or unbounded."""
    with tempfile.TemporaryDirectory() as place:
        run(config, Path(place) / "pilot")
        evidence = replace(recorded.evidence(Path(place) / "pilot"), received=None)
    found = estimate(evidence, replicates=16)
    rates = compare.learning_rates(found.constants, found.scale)
    return {form: rates[form]["gamma_max"] for form in FORMS}


def is_stable(config: RunConfig, gamma: float) -> bool:
    values = {"local": config.local.model_copy(update={"gamma": gamma}), "rounds": TRIAL_ROUNDS}
    algorithm, setup, _ = prepare(
        config.model_copy(update=values | {"record": config.record.model_copy(update={"verify": False})})
    )
    first = algorithm.init(setup)
    start = setup.problem.full_gradient(algorithm.model(setup, first)).loss
    late = []
    try:
        for t, state, _ in rounds(algorithm, setup, first, 1):
            if t > TRIAL_ROUNDS - LAST:
                late.append(setup.problem.full_gradient(algorithm.model(setup, state)).loss)
    except FpsError:
        return False
    return bool(np.mean(late) <= start)  # NaN compares false


def true_limit(config: RunConfig) -> float:
    """The largest γ found stable, within a factor 2^{1/2^BISECTIONS} of an unstable one; ∞: none was."""
    low, high = config.local.gamma, config.local.gamma
    while is_stable(config, high):
        low, high = high, 2 * high
        if high > LARGEST_GAMMA:
            return math.inf
    while low == high or not is_stable(config, low):
        low, high = low / 2, low
        if low < SMALLEST_GAMMA:
            raise FpsError(f"unstable at every learning rate down to {SMALLEST_GAMMA:g}")
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if is_stable(config, middle) else (low, middle)
    return low


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Per form: how often there was a prediction, how often it was safe, and limit / prediction."""
    out = {}
    for form in FORMS:
        given = [r for r in rows if r["predicted"][form]]
        ratios = np.array([(r["limit"] or math.inf) / r["predicted"][form] for r in given])
        out[form] = {
            "problems": len(rows),
            "predictions": len(given),
            "safe": float(np.mean(ratios >= 1)) if given else None,
            "median_ratio": float(np.median(ratios)) if given else None,
            "ratio_90": float(np.quantile(ratios, 0.9, method="higher")) if given else None,
        }
    return out


def stored_rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> None:
    parser = argparse.ArgumentParser(description="Predicted against true limits of the learning rate.")
    parser.add_argument("--quick", action="store_true", help="6 problems instead of 48")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("book/results/advice.jsonl"))
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    done = {(row["name"], row["seed"]) for row in stored_rows(args.out)}
    for name, config in problem_configs(args.quick, args.seed):
        if (name, args.seed) in done:
            continue
        try:
            row = {
                "name": name,
                "seed": args.seed,
                "predicted": predictions(config),
                "limit": true_limit(config),
            }
        except FpsError as error:
            print(f"{name}: left out ({error})", flush=True)
            continue
        with args.out.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(json_safe(row) | {"config": config.digest()}, allow_nan=False) + "\n")
        print(json.dumps(row), flush=True)
    for form, figures in summary(stored_rows(args.out)).items():
        print(form, figures)


if __name__ == "__main__":
    main()
