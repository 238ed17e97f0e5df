"""MNIST and Fashion-MNIST as tensors for modules of one's own."""

from __future__ import annotations

from typing import Literal

from torch import Tensor

from fpsverify.data.mnist import load_images
from fpsverify.problems.build import subset

Pair = tuple[Tensor, Tensor]


def images(
    name: Literal["mnist", "fashion"] = "mnist",
    samples: int = 60_000,
    test_samples: int = 10_000,
    seed: int = 1,
) -> tuple[Pair, Pair]:
    """Training and test pairs: pictures (n, 1, 28, 28) in [0, 1] and labels; random subsets by the seed.

    `fpsverify data fetch mnist` gets the files.
    """
    found = subset(load_images(name), samples, test_samples, seed)
    return (found.X.view(-1, 1, 28, 28), found.y), (found.X_test.view(-1, 1, 28, 28), found.y_test)
