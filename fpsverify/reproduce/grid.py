"""The grids of Section 6 and Appendix D: what the paper prints, the cells of its tables, their runs.

A cell is one frozen config, all of it decided by (data set, profile, scenario, σ, algorithm). Besides the
tables there are the other readings of the paper's text, and the ablations that it leaves open. A grid is run
in two steps: first the tuning of μ on held-out rows, then the trials with the μ that won.

Budgets. FPS aggregates every 5 local steps, FetchSGD, BLCD and Top-k after every step (Section 6). All
cells of a grid get the same number of *gradient steps* per device; the curve of each run also says where the
others stood when they had used the channel as often as FPS, so both comparisons come from the same runs.

Noise. FPS sends sketches of model displacements; the baselines send gradients (Section 3.1), so that noise
of the same σ enters their model multiplied by γ. The grid `readings` holds the other readings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.grids.executors import Executor
from fpsverify.grids.runner import Progress, opened
from fpsverify.grids.task import Result, Task

LABELS = ("FPS", "FetchSGD", "BLCD", "Top-k", "FedProx")  # the columns of its tables
TABLES = {"mnist": "tab:mnist", "kdd12": "tab:kdd12", "kdd10": "tab:kdd10"}
TRIALS = {"mnist": 3, "kdd12": 5, "kdd10": 5}


@dataclass(frozen=True)
class Printed:
    mean: float
    std: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.std:.2f}"


@lru_cache(maxsize=1)
def _tables() -> dict[tuple[str, int, float, str], Printed]:
    text = files("fpsverify.reproduce").joinpath("paper_tables.json").read_text(encoding="utf-8")
    found = {}
    for dataset, rows in json.loads(text)["tables"].items():
        for row in rows:
            for label in LABELS:
                found[dataset, row["scenario"], row["sigma"], label] = Printed(**row[label])
    return found


def printed(dataset: str, scenario: int, sigma: float, label: str) -> Printed | None:
    """The paper's cell; None where it prints none (Fashion-MNIST, synthetic, other readings)."""
    return _tables().get((dataset, scenario, sigma, label))


@dataclass(frozen=True)
class Size:
    """How much work a profile spends: FPS rounds, trials, rows."""

    rounds: int
    trials: int
    samples: int
    test_samples: int
    validation: int


@dataclass(frozen=True)
class Bench:
    """One data set with the sizes that Section 6 and Appendix D give; `K` are the subcarriers of BLCD."""

    problem: dict[str, Any]
    rows: int
    buckets: int
    k: int
    K: int
    sigmas: tuple[float, ...]
    sizes: dict[str, Size]
    batch: int = 32
    labels: tuple[str, ...] = LABELS
    mus: tuple[float, ...] = (0.0, 0.01, 0.1, 1.0)


IMAGES = {
    "quick": Size(rounds=100, trials=2, samples=60_000, test_samples=10_000, validation=5_000),
    "full": Size(rounds=1000, trials=3, samples=60_000, test_samples=10_000, validation=5_000),
}
CLICKS = {
    "quick": Size(rounds=20, trials=2, samples=5_000, test_samples=5_000, validation=1_000),
    "full": Size(rounds=100, trials=5, samples=20_000, test_samples=5_000, validation=5_000),
}
# K = 20000 and k = 10000 are the largest of the values that Section 6.2 varies. D.1 gives 256 subcarriers
# (5 x 51 = 255 here), no k, no N and no T; it says 10 trials in the text and 5 in the caption: 10 here.
BENCHES = {
    "mnist": Bench({"data": "mnist", "objective": "mlp"}, 5, 4000, 10_000, 20_000, (0.0, 0.8), IMAGES),
    "fashion": Bench({"data": "fashion", "objective": "mlp"}, 5, 4000, 10_000, 20_000, (0.0, 0.8), IMAGES),
    "kdd12": Bench(
        {"data": "kdd12", "objective": "sparse_logistic"}, 5, 204, 200, 1024, (0.0, 1.0), CLICKS, batch=128
    ),
    "kdd10": Bench(
        {"data": "kdd10", "objective": "sparse_logistic"}, 5, 820, 1000, 4096, (0.0, 1.0), CLICKS, batch=128
    ),
    "synthetic": Bench(
        {"data": "synthetic", "objective": "least_squares", "features": 10_000, "power_law": 5.0},
        5,
        51,
        50,
        256,
        (0.0, 1.0),
        {
            "quick": Size(rounds=100, trials=2, samples=2000, test_samples=500, validation=400),
            "full": Size(rounds=1000, trials=10, samples=2000, test_samples=500, validation=400),
        },
        labels=("FPS", "FetchSGD", "BLCD"),
        mus=(0.0, 0.001, 0.01, 0.1),
    ),
}


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


def table_cells(dataset: str, profile: str) -> Iterator[Cell]:
    """The cells of a data set's table in the paper's order."""
    bench = BENCHES[dataset]
    for scenario in (1, 2, 3, 4):
        for sigma in bench.sigmas:
            for label in bench.labels:
                yield make_cell(dataset, profile, scenario, sigma, label)
    if "kdd" in dataset:
        yield from _click_readings(dataset, profile)


def _click_readings(dataset: str, profile: str) -> Iterator[Cell]:
    """The server that knows which coordinates occur, everywhere; where noise enters, in Scenarios 1 and 2.

    In Scenario 1 even uncompressed FedProx without noise learns next to nothing here, in Scenario 2 it does.
    """
    support, sigmas = "algorithm.scan=support", BENCHES[dataset].sigmas
    for scenario in (1, 2, 3, 4):
        for sigma in sigmas:
            for label in ("FPS", "FetchSGD"):
                yield make_cell(dataset, profile, scenario, sigma, label, "scan-support", support)
    for scenario, place in product((1, 2), ("avg", "grad")):
        for scan, extra in (("", ()), ("-scan-support", (support,))):
            options = ("local.mu=0.0", f"channel.noise_on={place}", *extra)
            yield make_cell(dataset, profile, scenario, max(sigmas), "FPS", f"noise-{place}{scan}", *options)


# Each reading changes one option of the table's cell; μ is fixed so that only that option differs.
READINGS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("FPS", "default", ()),
    ("FPS", "noise-avg", ("channel.noise_on=avg",)),
    ("FPS", "noise-grad", ("channel.noise_on=grad",)),
    ("FPS", "noise-grad-accum", ("channel.noise_on=grad", "algorithm.device_sketch=accum")),
    ("FPS", "accum", ("algorithm.device_sketch=accum",)),
    ("FPS", "resync", ("algorithm.device_sketch=resync", "algorithm.simulate=batched")),
    ("FPS", "initial-sketch", ("algorithm.initial_model=sketch",)),
    ("FPS", "initial-zero", ("algorithm.initial_model=zero",)),
    ("FetchSGD", "default", ()),
    ("FetchSGD", "noise-avg", ("channel.noise_on=avg",)),
    ("FetchSGD", "send-update", ("algorithm.transmit=update",)),
    ("FetchSGD", "subtract", ("algorithm.error_feedback=subtract",)),
    ("FetchSGD", "no-momentum", ("algorithm.momentum=0.0",)),
    ("FetchSGD", "momentum-not-masked", ("algorithm.momentum_masking=false",)),
    ("BLCD", "default", ()),
    ("BLCD", "noise-avg", ("channel.noise_on=avg",)),
    ("BLCD", "send-update", ("algorithm.transmit=update",)),
    ("BLCD", "no-memory", ("algorithm.memory=false",)),
    ("Top-k", "default", ()),
    ("Top-k", "noise-avg", ("channel.noise_on=avg",)),
    ("Top-k", "send-update", ("algorithm.transmit=update",)),
    ("Top-k", "no-memory", ("algorithm.memory=false",)),
    ("FedProx", "default", ()),
    ("FedProx", "noise-avg", ("channel.noise_on=avg",)),
    ("FedProx", "send-update", ("algorithm.transmit=update",)),
)


def reading_cells(profile: str) -> Iterator[Cell]:
    """The readings of the paper on noisy MNIST in the mildest and the hardest scenario; in the other two what
    decides who is best, rivals that send updates."""
    for scenario in (1, 2, 3, 4):
        for label, reading, overrides in READINGS:
            if scenario > 2 and reading != "send-update" and (label, reading) != ("FPS", "default"):
                continue
            if "accum" in reading:
                overrides = (*overrides, "algorithm.simulate=batched")
            yield make_cell("mnist", profile, scenario, 0.8, label, reading, "local.mu=0.0", *overrides)


def ablation_cells(profile: str) -> Iterator[Cell]:
    """What the paper leaves open, on noisy MNIST in Scenario 2: E (at equal gradient steps), μ, fixed and
    adaptive, k and K, and sketches that persist, accumulate or are re-synchronised."""
    size = BENCHES["mnist"].sizes[profile]

    def cell(reading: str, *overrides: str) -> Cell:
        base = () if reading.startswith("mu") else ("local.mu=0.0",)
        return make_cell("mnist", profile, 2, 0.8, "FPS", reading, *base, *overrides)

    for E in (1, 2, 5, 10, 20):
        rounds = size.rounds * E_FPS // E
        every = max(1, rounds // EVALUATIONS)
        yield cell(f"E{E}", f"local.E={E}", f"rounds={rounds}", f"record.evaluate_every={every}")
    for mu in BENCHES["mnist"].mus:
        yield cell(f"mu{mu:g}", f"local.mu={mu}")
    for mu in (0.0, 1.0):
        yield cell(f"mu-adaptive-from-{mu:g}", f"local.mu={mu}", "local.mu_step=0.1")
    for k in (2000, 5000, 10_000):
        for K in (5000, 10_000, 20_000):
            yield cell(f"k{k}-K{K}", f"algorithm.k={k}", f"algorithm.buckets={K // 5}")
    for k in (100, 10_000):
        for held in ("persist", "accum", "resync"):
            batched = f"algorithm.simulate={'averaged' if held == 'persist' else 'batched'}"
            yield cell(f"{held}-k{k}", f"algorithm.k={k}", f"algorithm.device_sketch={held}", batched)


GRIDS = (*BENCHES, "readings", "ablations")
PROFILES = ("quick", "full")


def cells(grid: str, profile: str) -> list[Cell]:
    """All cells of a grid."""
    if grid not in GRIDS:
        raise BadInput("grid", grid, "one of " + ", ".join(GRIDS))
    if profile not in PROFILES:
        raise BadInput("--profile", profile, " or ".join(PROFILES))
    if grid in BENCHES:
        return list(table_cells(grid, profile))
    return list(reading_cells(profile) if grid == "readings" else ablation_cells(profile))


@dataclass(frozen=True)
class Outcome:
    """Results of all trials, and the μ that was chosen for each tuned cell; see runner.py for the counts."""

    trials: list[Result]
    tuned: dict[str, float]
    reused: int
    shared: int = 0


def tuning_tasks(cell: Cell) -> list[Task]:
    return [_task(cell, "tuning", i, mu) for i, mu in enumerate(cell.mus)]


def trial_tasks(cell: Cell, mu: float | None) -> list[Task]:
    return [_task(cell, "trial", i, mu) for i in range(cell.trials)]


def _task(cell: Cell, kind: str, number: int, mu: float | None) -> Task:
    config = cell.trial(number, mu) if kind == "trial" else cell.tuning(mu or 0.0)
    return Task(cell.name, kind, number, config, {**cell.labels, "mu": config.local.mu})


def count_tasks(cells: Iterable[Cell]) -> int:
    return sum(len(cell.mus) + cell.trials for cell in cells)


def run_grid(
    cells: list[Cell],
    folder: Path,
    where: Executor | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    other: Iterable[Result] = (),
) -> Outcome:
    """All results of the grid; they are also in `folder`. The options are those of `opened`."""
    with opened(folder, where, resume, progress, other) as grid:
        tuning = grid.run([task for cell in cells for task in tuning_tasks(cell)])
        tuned = {cell.name: best_mu(cell, tuning.results) for cell in cells if cell.mus}
        trials = grid.run([task for cell in cells for task in trial_tasks(cell, tuned.get(cell.name))])
    reused, shared = tuning.reused + trials.reused, tuning.shared + trials.shared
    return Outcome(trials.results, tuned, reused, shared)


def best_mu(cell: Cell, results: list[Result]) -> float:
    """The μ with the best last evaluation on held-out rows; of equals the smallest. Diverged runs lose."""
    mine = sorted((r for r in results if r["cell"] == cell.name), key=lambda r: r["mu"])
    finished = [r for r in mine if r["status"] == "done"]
    if not finished:
        return float(mine[0]["mu"])
    return float(max(finished, key=lambda r: score(r["curve"][-1]))["mu"])


def score(point: dict[str, float]) -> float:
    """What tuning maximises: accuracy, or minus the loss in regression."""
    return point["accuracy"] if "accuracy" in point else -point["test_loss"]
