"""A validation split: rows of the training part stand in for the test part, which is not looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from fpsverify.data.labelled import DenseData, SparseData
from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator


def validation_split(data: DenseData | SparseData, rows: int, seed: int) -> DenseData | SparseData:
    """Evaluate on `rows` random training rows, which are no longer trained on; the test rows are dropped."""
    kept, held = _draw(len(data.groups), rows, seed)
    at, at_held = torch.from_numpy(kept), torch.from_numpy(held)
    provenance = f"{data.provenance}; evaluated on {rows} held-out training rows"
    if isinstance(data, SparseData):
        return replace(data, train=data.train.rows(at), test=data.train.rows(at_held), provenance=provenance)
    return replace(
        data,
        X=data.X[at],
        y=data.y[at],
        groups=data.groups[kept],
        X_test=data.X[at_held],
        y_test=data.y[at_held],
        provenance=provenance,
    )


def _draw(available: int, rows: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sorted row numbers to train on and to evaluate on."""
    if not 1 <= rows < available:
        raise BadInput("problem.validation", rows, f"fewer than the {available} training rows")
    order = numpy_generator(seed, "validation").permutation(available)
    return np.sort(order[rows:]), np.sort(order[:rows])
