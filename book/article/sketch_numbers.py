"""Why a compressing sketch changes the answer: one quadratic, one hash, two learning rates a tenth apart.

f(w) = ‖w − w*‖²/2 in d dimensions, so L = 1 and gradient descent needs γ < 2. FPS with one device, exact
gradients, E = 1, no noise, mean read-out and k = d is w̃_t = Sᵀs_t/J, s_{t+1} = s_t − γS(w̃_t − w*).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch

from book.article.shown import significant
from fpsverify.rng import torch_generator
from fpsverify.sketching.hashing import SketchSpec
from fpsverify.sketching.sketch import CountSketch
from theory.rates.rounding import rounded_down

D, ROWS, BUCKETS, SEED, ROUNDS = 400, 5, 8, 1, 100
INSIDE, OUTSIDE = 0.95, 1.05


@dataclass(frozen=True)
class Runs:
    """The curvature that the table feels; of each run f and ‖S∇f‖² at every broadcast, over their start."""

    L_A: float
    inside: np.ndarray
    outside: np.ndarray

    @property
    def edge(self) -> float:
        return 2 / self.L_A


@cache
def runs() -> Runs:
    """The two runs, just inside the edge 2/L_A and just outside."""
    S = matrix()
    L_A = float(np.linalg.norm(S, 2)) ** 2 / ROWS
    minimiser = torch.randn(D, generator=torch_generator(SEED, "article minimiser"), dtype=torch.float64)
    inside, outside = (history(S, minimiser.numpy(), factor * 2 / L_A) for factor in (INSIDE, OUTSIDE))
    return Runs(L_A, inside, outside)


def matrix() -> np.ndarray:
    """The sketch as a matrix: column i is the table of the unit vector e_i."""
    spec = SketchSpec(d=D, rows=ROWS, buckets=BUCKETS, seed=SEED)
    empty = CountSketch.zeros(spec, batch=D, dtype=torch.float64)
    return empty.add(torch.eye(D, dtype=torch.float64)).table.reshape(D, -1).numpy().T


def history(S: np.ndarray, minimiser: np.ndarray, gamma: float) -> np.ndarray:
    """Row 0: f. Row 1: the squared gradient as the sketch sees it. Both divided by their first value."""
    table, seen = np.zeros(len(S)), []
    for _ in range(ROUNDS + 1):
        gradient = S.T @ table / ROWS - minimiser
        sketched = S @ gradient
        seen.append((gradient @ gradient, sketched @ sketched))
        table = table - gamma * sketched
    found = np.array(seen).T
    return found / found[:, :1]


def numbers() -> dict[str, Any]:
    """The edge, what Theorem A would allow without a sketch, and how the two runs end."""
    found = runs()
    return {
        "d": D,
        "rows": ROWS,
        "buckets": BUCKETS,
        "seed": SEED,
        "rounds": ROUNDS,
        "L_A": significant(found.L_A),
        "edge": f"{float(rounded_down(found.edge, 3)):#.3g}",
        "inside": significant(INSIDE * found.edge),
        "outside": significant(OUTSIDE * found.edge),
        "inside_end": significant(float(found.inside[1, -1]), 2),
        "outside_end": significant(float(found.outside[1, -1]), 2),
        "loss_end": significant(100 * float(found.inside[0, -1]), 2),
    }
