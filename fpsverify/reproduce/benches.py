"""The data sets of Section 6 and Appendix D with the sizes that the paper gives, and each profile's work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fpsverify.reproduce.paper import LABELS


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
