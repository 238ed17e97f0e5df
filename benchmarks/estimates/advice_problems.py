"""The problems of the advice experiment: ordinary ones by config, distorted ones by name and config."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from benchmarks.estimates.distorted import DISTORTIONS, DistortedProblem, shared_minimiser
from empirical.constants.lanczos import STEPS
from empirical.constants.smoothness import spectral_norms
from empirical.observed.run_models import DenseModel
from fpsverify import config as configs
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.config import RunConfig
from fpsverify.problems.problem import DenseProblem
from fpsverify.runs.loop import prepare

PILOT_ROUNDS, DISTORTED_ROUNDS = 40, 300

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


PROBLEMS_DISTORTED: dict[str, dict[str, Any]] = {
    "shared": {
        "problem": {
            "data": "synthetic",
            "objective": "least_squares",
            "samples": 600,
            "features": 30,
            "power_law": 1.0,
        },
        "algorithm": {"compressor": "identity", "k": 30},
        "batch": 0,  # sampling noise would hide the relative parts: its replicates blur the bias
    },
    "softmax": PROBLEMS["softmax"] | {"algorithm": {"compressor": "identity", "k": 150}},
}
PILOT_STEP = {1: 0.75, 2: 0.25, 5: 0.08}  # Lγ of a distorted pilot: about half of the sharp range at B = 1


def problem_configs(quick: bool, seed: int) -> Iterator[tuple[str, RunConfig]]:
    """48 problems (4 x 3 numbers of local steps x 4 scenarios), 36 distorted ones; quick: 6 and 4 of them."""
    for name, parts in PROBLEMS.items():
        for E in (1, 2, 5):
            for scenario in (1, 2, 3, 4):
                if quick and (name == "mnist" or (E, scenario) not in ((1, 1), (5, 2))):
                    continue
                yield f"{name}-E{E}-S{scenario}", _config(parts, E, scenario, seed)
    yield from distorted_configs(quick, seed)


def distorted_configs(quick: bool, seed: int) -> Iterator[tuple[str, RunConfig]]:
    """Longer pilots, at a γ that fits the problem, and no sketch.

    While Δ/(γT), the residual or an empty range rules the bound, the chosen pairs have P = 0.
    """
    for name in ("shared", "softmax"):
        for distortion in DISTORTIONS:
            for E in (1, 2, 5):
                if quick and (distortion not in ("sparsify", "fading") or E != 2):
                    continue
                scenario = 1 if name == "shared" else 4
                config = _config(PROBLEMS_DISTORTED[name], E, scenario, seed)
                yield f"{name}~{distortion}-E{E}", config.model_copy(update={"rounds": DISTORTED_ROUNDS})


def _config(parts: dict[str, Any], E: int, scenario: int, seed: int) -> RunConfig:
    return configs.parse(
        {
            "seed": seed,
            "rounds": PILOT_ROUNDS,
            "dtype": "float64",
            "problem": {"test_samples": 50, **parts["problem"]},
            "devices": {"M": 5, "scenario": scenario},
            "local": {"E": E, "batch": parts.get("batch", 16), "gamma": 0.01},
            "algorithm": {"name": "fps", **parts["algorithm"]},
            "channel": {"kind": "gaussian", "sigma": 0.0},
            "record": {"evaluate_every": PILOT_ROUNDS, "checkpoint_every": 4, "verify": True},
        }
    )


def parts_of(name: str) -> tuple[str, str]:
    """The problem and its distortion ("" for none) of a name like shared~clip-E2."""
    base, _, distortion = name.partition("-E")[0].partition("~")
    return base, distortion


def problem_of(name: str, config: RunConfig) -> tuple[Algorithm, Setup]:
    algorithm, setup, _ = prepare(config)
    base, distortion = parts_of(name)
    if not distortion:
        return algorithm, setup
    problem = setup.problem
    assert isinstance(problem, DenseProblem)
    problem = shared_minimiser(problem) if base == "shared" else problem
    return algorithm, replace(setup, problem=DistortedProblem.of(problem, distortion))


def pilot_setup(setup: Setup) -> Setup:
    """The distorted problem at γ = PILOT_STEP/L with L at w_0."""
    problem, local = setup.problem, setup.config.local
    assert isinstance(problem, DenseProblem)
    W = problem.start.expand(problem.M, -1)
    _, high = spectral_norms(DenseModel(problem, local), W, STEPS, 0.01, (setup.seed, 0, "pilot"))
    fitting = local.model_copy(update={"gamma": PILOT_STEP[local.E] / float(high.max())})
    return replace(setup, config=setup.config.model_copy(update={"local": fitting}))
