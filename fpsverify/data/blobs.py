"""Gaussian blobs: a small generated classification task for demos and tests, learnt in seconds."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from fpsverify.data.labelled import DenseData
from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator


def blobs(
    N: int = 4000,
    N_test: int = 1000,
    features: int = 64,
    classes: int = 10,
    separation: float = 0.5,
    seed: int = 0,
) -> DenseData:
    """x = c_y + N(0, I) with centres c ~ N(0, separation² I); labels balanced to within one row."""
    if min(N, N_test, features) < 1 or classes < 2:
        raise BadInput("blobs", (N, N_test, features, classes), "positive sizes and at least 2 classes")
    centres = separation * numpy_generator(seed, "blobs", "centres").standard_normal((classes, features))
    X, y = _draw(N, centres, seed, "train")
    X_test, y_test = _draw(N_test, centres, seed, "test")
    return DenseData(
        task="binary" if classes == 2 else "multiclass",
        X=torch.from_numpy(X),
        y=torch.from_numpy(y),
        groups=y,
        X_test=torch.from_numpy(X_test),
        y_test=torch.from_numpy(y_test),
        classes=classes,
        provenance=f"generated: {classes} Gaussian blobs in {features} dimensions, seed {seed}",
        truth=torch.from_numpy(centres),
    )


def _draw(
    n: int, centres: NDArray[np.float64], seed: int, part: str
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    rng = numpy_generator(seed, "blobs", part)
    y = rng.permutation(np.arange(n, dtype=np.int64) % len(centres))
    X = centres[y] + rng.standard_normal((n, centres.shape[1]))
    return X.astype(np.float32), y
