"""A count sketch with a hash that is written down, and quadratics that floats hold exactly."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from fpsverify.algorithms import Setup
from fpsverify.objectives import LeastSquares
from fpsverify.problems.problem import DenseProblem
from fpsverify.sketch import sketch
from fpsverify.sketch.hash import WORD_BITS, HashTables, SketchSpec, split_shift
from property_tests.support.quadratics import exact

Hash = Sequence[Sequence[tuple[int, int]]]  # (bucket, sign) of row j and coordinate i


def use(chosen: Hash, patch: pytest.MonkeyPatch) -> None:
    """Every sketch of this shape takes the chosen hash, whatever its seed."""

    def tables(spec: SketchSpec, device: torch.device) -> HashTables:
        assert (spec.rows, spec.d) == (len(chosen), len(chosen[0]))
        shift = split_shift(spec.d)
        T0 = torch.zeros(spec.rows, 1 << shift, dtype=torch.int32)
        T0[:, : spec.d] = torch.tensor([[word(*c, spec.buckets) for c in row] for row in chosen])
        nothing = torch.zeros(spec.rows, 1, dtype=torch.int32), torch.zeros_like(T0)
        return HashTables(spec, shift, T0, *nothing)

    patch.setattr(sketch, "hash_tables", tables)


def word(bucket: int, sign: int, buckets: int) -> int:
    """The smallest rotated word that hashes to this bucket and sign."""
    return -(-(bucket + buckets * (sign < 0)) * 2**WORD_BITS // (2 * buckets))


def setup(X: Tensor, minimiser: Tensor, start: Tensor, *overrides: str) -> Setup:
    """½(w−w*)ᵀ(XᵀX/n)(w−w*) on two equal devices, one full local step a round, no noise."""
    config = exact("devices.M=2", "channel.kind=ideal", *overrides)
    n, d = X.shape
    shards = (np.arange(n), np.arange(n))
    y = X @ minimiser
    problem = DenseProblem(LeastSquares(d), X, y, shards, X, y, "regression", config.seed, start)
    return Setup(config, problem, torch.float64)


def rows_of_G() -> Tensor:
    """64 rows of dyadic numbers with XᵀX/64 = [[1, 1ᵀ], [1, 7I]] in seven coordinates."""
    X = torch.zeros(64, 7, dtype=torch.float64)
    X[0, 0] = 1 / 4
    pairs = [(3 / 8, 9 / 4), (1 / 8, 5 / 4), (0, 1 / 2), (0, 1 / 4), (0, 1 / 4)]
    for i in range(1, 7):
        for j, (first, own) in enumerate(pairs):
            X[5 * i - 4 + j, 0], X[5 * i - 4 + j, i] = first, own
    return 8 * X


def hash_of_G() -> Hash:
    """Coordinate 0 shares bucket 0 of row j, with the opposite sign, with coordinates 2j+1 and 2j+2."""

    def cell(j: int, i: int) -> tuple[int, int]:
        meets = (i - 1) // 2
        if i == 0 or meets == j:
            return 0, 1 if i == 0 else -1
        return (i if meets < j else i - 2), 1

    return [[cell(j, i) for i in range(7)] for j in range(3)]


HASH_OF_M: Hash = [[(0, 1), (0, 1)], [(0, 1), (0, -1)], [(0, 1), (0, 1)]]
