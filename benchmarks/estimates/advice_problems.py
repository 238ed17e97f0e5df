"""The problems of the advice experiment: six losses, four numbers of local steps, four scenarios, and what is
lost on the way to the server.

    least_squares  synthetic regression; logistic, softmax and relu: two Gaussian blobs and more
    tanh           a two-layer network of one's own on the same blobs
    cnn            a small convolutional network on MNIST, 14 x 14 pixels (without MNIST: on generated images)

Compression, mean or median, channel noise and batch size are dealt out over them so that each meets each.
Further problems have a part of the devices in each round, a proximal term, or least squares without a sketch.
Half of the problems, by the digest of their name, are replaced by held-out ones of the same loss, E and
scenario, with all else drawn anew. The rule was fixed before any of these was run. Whoever changes the rule
after seeing them raises FRESH: they are then drawn once more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import torch
from torch import Tensor, nn

from empirical.advice.case import Case, case_of
from fpsverify import config as configs
from fpsverify.data.generated import blobs
from fpsverify.data.mnist import load_images
from fpsverify.data.partition import partition
from fpsverify.errors import BadInput
from fpsverify.own.federation import Federation
from fpsverify.own.training import run_config
from fpsverify.problems.build import subset
from fpsverify.rng import numpy_generator

LOSSES = ("least_squares", "logistic", "softmax", "relu", "tanh", "cnn")
STEPS, SCENARIOS = (1, 2, 5, 10), (1, 2, 3, 4)
COMPRESSIONS: dict[str, tuple[float, float] | None] = {  # buckets/d and k/d, five rows; None: no sketch
    "none": None,
    "mild": (1 / 2, 1 / 2),
    "whole": (1 / 4, 1.0),
    "few": (1 / 5, 1 / 10),
    "strong": (1 / 20, 1 / 20),
    "severe": (1 / 50, 1.0),
}
M, ROUNDS = 4, 300
FRESH = 2026  # seeds from here on are those of held-out problems
SIGMAS = (0.0, 0.0, 0.003, 0.01)


@dataclass(frozen=True)
class Problem:
    loss: str
    E: int
    scenario: int
    compression: str
    recovery: str
    batch: int
    sigma: float
    seed: int
    mu: float = 0.0
    n: int = M

    @property
    def name(self) -> str:
        read = "" if self.compression == "none" else f"-{self.recovery}"
        noise = f"-noise{self.sigma:g}" if self.sigma else ""
        more = (f"-mu{self.mu:g}" if self.mu else "") + (f"-{self.n}of{M}" if self.n < M else "")
        size = f"{self.compression}{read}-b{self.batch}{noise}{more}"
        return f"{self.loss}-E{self.E}-S{self.scenario}-{size}-{self.seed}"

    @property
    def held_out(self) -> bool:
        return self.seed >= FRESH


def problems() -> Iterator[Problem]:
    for problem in (*_dealt(), *_plain(), *_further()):
        replaced = int(hashlib.sha256(problem.name.encode()).hexdigest(), 16) % 2
        yield _fresh(problem) if replaced else problem


def _fresh(problem: Problem) -> Problem:
    """Of the same loss, E and scenario; a sketch, a proximal term or a part of the devices stay."""
    draw = numpy_generator(FRESH, "held out", problem.name)
    sketches = [name for name in COMPRESSIONS if name != "none"]
    return replace(
        problem,
        compression="none" if problem.compression == "none" else str(draw.choice(sketches)),
        recovery=str(draw.choice(("mean", "median"))),
        batch=16 if problem.loss == "cnn" else int(draw.choice((0, 16))),
        sigma=float(draw.choice(SIGMAS)),
        seed=FRESH + int(draw.integers(10**6)),
    )


def _plain() -> Iterator[Problem]:
    """Least squares without a sketch, where the certified range is compared with the true limit."""
    for i, (E, scenario) in enumerate(product(STEPS, SCENARIOS)):
        batch = (0, 16)[(i + i // 4) % 2]
        yield Problem("least_squares", E, scenario, "none", "mean", batch, 0.0, 3)


def _further() -> Iterator[Problem]:
    """A part of the devices in each round, and a proximal term."""
    sizes = list(COMPRESSIONS)
    for i, loss in enumerate((*LOSSES[:5], *LOSSES[:5])):
        made = Problem(
            loss, STEPS[i % 4], 1 + (i // 2) % 4, sizes[(i + i // 5) % 6], "mean", 16 * (i % 2), 0.0, 4
        )
        yield replace(made, n=1 + i % 2)
        if i < 8:
            yield replace(made, E=STEPS[1 + i % 3], mu=(0.1, 1.0)[i // 2 % 2])


def _dealt() -> Iterator[Problem]:
    """Two of each loss, number of steps and scenario, one for tanh, half a one for the CNN, which take long.

    The rest is dealt out in turn.
    """
    sizes, deal = list(COMPRESSIONS), 0
    for copy, loss, E, scenario in product((0, 1), LOSSES, STEPS, SCENARIOS):
        deal += 1
        if _left_out(loss, E, scenario, copy):
            continue
        yield Problem(
            loss=loss,
            E=E,
            scenario=scenario,
            compression=sizes[(deal + deal // 6 + 3 * copy) % 6],
            recovery=("mean", "median")[(deal // 6 + deal // 3) % 2],
            batch=(0, 16)[(deal // 2 + copy) % 2] if loss != "cnn" else 16,
            sigma=(0.0, 0.0, 0.003)[deal % 3],
            seed=1 + copy,
        )


def _left_out(loss: str, E: int, scenario: int, copy: int) -> bool:
    return (loss in ("tanh", "cnn") and copy > 0) or (loss == "cnn" and (STEPS.index(E) + scenario) % 2 == 0)


def case(problem: Problem) -> Case:
    """Built; γ is a placeholder."""
    federation = _federation(problem)
    if federation is None:
        config = configs.parse(_values(problem))
        return case_of(config)
    return case_of(run_config(federation, **_arguments(problem, federation.d), set=_set(problem)), federation)


DATA: dict[str, dict[str, Any]] = {
    "least_squares": {"data": "synthetic", "samples": 800, "features": 200, "power_law": 0.5},
    "logistic": {"data": "blobs", "samples": 400, "features": 100, "classes": 2},
    "softmax": {"data": "blobs", "samples": 400, "features": 40, "classes": 5},
    "relu": {"data": "blobs", "objective": "mlp", "samples": 400, "features": 30, "classes": 5, "hidden": 16},
}


def _values(problem: Problem) -> dict[str, Any]:
    data = {"objective": problem.loss, "test_samples": 20} | DATA[problem.loss]
    d = {"least_squares": 200, "logistic": 101, "softmax": 205, "relu": 581}[problem.loss]
    local = {"E": problem.E, "batch": problem.batch, "mu": problem.mu}
    algorithm = {"recovery": problem.recovery, "simulate": "averaged", **_sketch(problem, d)}
    return {
        "seed": problem.seed,
        "rounds": ROUNDS,
        "dtype": "float64",
        "problem": data,
        "devices": {"M": M, "scenario": problem.scenario, **_part(problem)},
        "local": local,
        "algorithm": algorithm,
        "channel": {"kind": "gaussian", "sigma": problem.sigma} if problem.sigma else {"kind": "ideal"},
    }


def _part(problem: Problem) -> dict[str, float]:
    return {"participation": problem.n / M} if problem.n < M else {}


def _sketch(problem: Problem, d: int) -> dict[str, Any]:
    share = COMPRESSIONS[problem.compression]
    if share is None:
        return {"compressor": "identity", "k": d}
    return {"rows": 5, "buckets": max(2, round(share[0] * d)), "k": max(1, round(share[1] * d))}


def _arguments(problem: Problem, d: int) -> dict[str, Any]:
    sizes = _sketch(problem, d)
    sketch = None if "rows" not in sizes else (sizes["rows"], sizes["buckets"], sizes["k"])
    noise = problem.sigma or None
    local = {"E": problem.E, "batch": problem.batch, "mu": problem.mu}
    return local | {
        "sketch": sketch,
        "channel": noise,
        "rounds": ROUNDS,
        "seed": problem.seed,
    }


def _set(problem: Problem) -> list[str]:
    part = [f"devices.{name}={value}" for name, value in _part(problem).items()]
    return [f"algorithm.recovery={problem.recovery}", "algorithm.simulate=averaged", *part]


def _federation(problem: Problem) -> Federation | None:
    if problem.loss not in ("tanh", "cnn"):
        return None
    X, y, module = (_images if problem.loss == "cnn" else _blobs)(problem.seed)
    parts = partition(y.numpy(), M, problem.scenario, problem.seed, min_samples=4)
    return Federation(module, nn.functional.cross_entropy, (X, y), parts=[p.tolist() for p in parts])


def _blobs(seed: int) -> tuple[Tensor, Tensor, nn.Module]:
    data = blobs(400, 20, 16, 5, seed=seed)
    torch.manual_seed(seed)
    module = nn.Sequential(nn.Linear(16, 12), nn.Tanh(), nn.Linear(12, 5)).double()
    return data.X, data.y, module


@cache
def images() -> tuple[Tensor, Tensor, str]:
    """600 images of 14 x 14 pixels, and what they are."""
    try:
        data = subset(load_images("mnist"), 600, 20, 1)
    except BadInput:
        data = blobs(600, 20, 196, 10, seed=1)
        return data.X.reshape(-1, 1, 14, 14), data.y, "generated images (MNIST is not there)"
    pixels = data.X.reshape(-1, 1, 28, 28)
    return nn.functional.avg_pool2d(pixels, 2), data.y, "MNIST, 14 x 14"


def _images(seed: int) -> tuple[Tensor, Tensor, nn.Module]:
    X, y, _ = images()
    torch.manual_seed(seed)
    module = nn.Sequential(
        nn.Conv2d(1, 6, 5, stride=2),
        nn.ReLU(),
        nn.Conv2d(6, 8, 3),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(72, 10),
    )
    return X.float(), y, module
