"""A cell of a table: one frozen config, all of it decided by (data set, profile, scenario, σ, algorithm).

Budgets. FPS aggregates every 5 local steps, FetchSGD, BLCD and Top-k after every step (Section 6). All
cells of a grid get the same number of *gradient steps* per device; the curve of each run also says where the
others stood when they had used the channel as often as FPS, so both comparisons come from the same runs.

Noise. FPS sends sketches of model displacements; the baselines send gradients (Section 3.1), so that noise
of the same σ enters their model multiplied by γ. The grid `readings` holds the other readings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.reproduce.benches import BENCHES, Bench

FIRST_SEED, TUNING_SEED = 101, 9001
EVALUATIONS = 20  # points on the curve of a run
E_FPS = 5

NAMES = {"FPS": "fps", "FetchSGD": "fetchsgd", "BLCD": "blcd", "Top-k": "topk", "FedProx": "fedprox"}
LOCAL_STEPS = {"FPS": E_FPS, "FedProx": E_FPS}  # all others: 1
TUNED = ("FPS", "FedProx")


@dataclass(frozen=True)
class Cell:
    """One cell: a config with everything fixed but the seed of the trial and, if `mus` is not empty, μ."""

    dataset: str
    scenario: int
    sigma: float
    label: str
    config: RunConfig
    trials: int
    validation: int
    mus: tuple[float, ...] = ()
    reading: str = ""

    @property
    def name(self) -> str:
        parts = [self.dataset, f"S{self.scenario}", f"sigma{self.sigma:g}", NAMES[self.label]]
        return "-".join([*parts, self.reading] if self.reading else parts)

    @property
    def labels(self) -> dict[str, Any]:
        """What the paper's tables find a run by."""
        return {
            "dataset": self.dataset,
            "scenario": self.scenario,
            "sigma": self.sigma,
            "algorithm": self.label,
            "reading": self.reading,
        }

    def trial(self, i: int, mu: float | None) -> RunConfig:
        """The config of trial i. Cells share their seeds, so that trials are pairs across algorithms."""
        return self._with(FIRST_SEED + i, mu, 0)

    def tuning(self, mu: float) -> RunConfig:
        return self._with(TUNING_SEED, mu, self.validation)

    def _with(self, seed: int, mu: float | None, validation: int) -> RunConfig:
        values = self.config.model_dump()
        values["seed"] = seed
        values["problem"]["validation"] = validation
        if mu is not None:
            values["local"]["mu"] = mu
        return configs.parse(values)


def make_cell(
    dataset: str, profile: str, scenario: int, sigma: float, label: str, reading: str = "", *overrides: str
) -> Cell:
    bench = BENCHES[dataset]
    size = bench.sizes[profile]
    E = LOCAL_STEPS.get(label, 1)
    rounds = size.rounds * E_FPS // E
    values = {
        "seed": FIRST_SEED,
        "rounds": rounds,
        "problem": {**bench.problem, "samples": size.samples, "test_samples": size.test_samples},
        "devices": {"M": 10, "scenario": scenario},
        "local": {"E": E, "batch": bench.batch, "gamma": 0.01},
        "algorithm": _algorithm(bench, label),
        "channel": {"kind": "gaussian", "sigma": sigma, "noise_on": "sum"},
        "record": {"evaluate_every": max(1, rounds // EVALUATIONS)},
    }
    config = configs.parse(configs.apply_overrides(values, list(overrides)))
    tuned = label in TUNED and not any(o.startswith("local.mu=") for o in overrides)
    mus = bench.mus if tuned else ()
    return Cell(dataset, scenario, sigma, label, config, size.trials, size.validation, mus, reading)


def _algorithm(bench: Bench, label: str) -> dict[str, Any]:
    options: dict[str, Any] = {"name": NAMES[label]}
    if label in ("FPS", "FetchSGD"):
        sketch: dict[str, Any] = {"rows": bench.rows, "buckets": bench.buckets, "k": bench.k}
        sketch |= {"recovery": "median", "simulate": "averaged"}  # the paper's read-out
        return {**options, **sketch}
    if label == "FedProx":
        return {**options, "transmit": "gradient"}
    return {**options, "k": bench.K if label == "BLCD" else bench.k}
