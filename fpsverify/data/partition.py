"""The four ways Section 6 spreads labelled rows over M devices.

1  IID: every device gets the same number of each class (to within one row).
2  Few classes per device, as evenly as the class sizes allow (one class for binary data and for ten classes
   on ten devices).
3  Dirichlet(0.1): class c's rows are split over devices by proportions p_c ~ Dir_M(0.1).
4  Dirichlet(1).

A draw is a table counts[class, device]; rows are then shuffled within their class and dealt by it. The parts
are disjoint and complete by construction. A draw that leaves a device short is repeated, a bounded number of
times.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator

SCENARIOS = {1: "IID", 2: "few classes per device", 3: "Dirichlet(0.1)", 4: "Dirichlet(1)"}
DIRICHLET_ALPHA = {3: 0.1, 4: 1.0}

Counts = NDArray[np.int64]


def partition(
    labels: ArrayLike,
    M: int,
    scenario: int,
    seed: int,
    classes_per_device: int | None = None,
    min_samples: int = 1,
    max_tries: int = 10_000,
    alpha: float | None = None,
) -> tuple[NDArray[np.int64], ...]:
    """Sorted row numbers of each device. `classes_per_device` (Scenario 2): by default the fewest.

    `alpha`: Dirichlet(alpha), whatever the scenario.
    """
    if np.ndim(labels) != 1:
        raise BadInput("labels", f"shape {np.shape(labels)}", "one label per row")
    classes, class_of_row = np.unique(np.asarray(labels), return_inverse=True)
    sizes = np.bincount(class_of_row, minlength=len(classes)).astype(np.int64)
    _check(sizes, M, scenario, classes_per_device, min_samples)
    rng = numpy_generator(seed, "partition", scenario)
    for _ in range(max_tries):
        if alpha is None:
            counts = _draw_counts(sizes, M, scenario, classes_per_device, rng)
        else:
            counts = dirichlet_counts(sizes, M, alpha, rng)
        if counts.sum(axis=0).min() >= min_samples:
            return _deal(class_of_row, counts, rng)
    raise BadInput(
        "scenario" if alpha is None else "alpha",
        scenario if alpha is None else alpha,
        f"a split of {sizes.sum()} rows over {M} devices with at least {min_samples} rows each; "
        f"none found in {max_tries} tries, use more rows, fewer devices or a smaller min_samples",
    )


def dirichlet(labels: ArrayLike, M: int, alpha: float, seed: int = 1) -> tuple[NDArray[np.int64], ...]:
    """Row numbers of M devices, classes spread by Dirichlet(alpha): the smaller, the less alike."""
    if not 0 < alpha < np.inf:
        raise BadInput("alpha", alpha, "a positive number")
    return partition(labels, M, 1, seed, alpha=alpha)


def class_counts(labels: ArrayLike, parts: tuple[NDArray[np.int64], ...]) -> Counts:
    """counts[class, device] of a finished partition."""
    classes, class_of_row = np.unique(np.asarray(labels), return_inverse=True)
    return np.stack([np.bincount(class_of_row[part], minlength=len(classes)) for part in parts], axis=1)


def _check(
    sizes: NDArray[np.int64], M: int, scenario: int, classes_per_device: int | None, min_samples: int
) -> None:
    if scenario not in SCENARIOS:
        raise BadInput("scenario", scenario, "1, 2, 3 or 4")
    if M < 1:
        raise BadInput("M", M, "at least one device")
    if sizes.sum() < M * max(min_samples, 1):
        raise BadInput("M", M, f"at most {sizes.sum() // max(min_samples, 1)} devices for {sizes.sum()} rows")
    c = classes_per_device
    if c is not None and not (1 <= c <= len(sizes) and c * M >= len(sizes)):
        lowest = ceil(len(sizes) / M)
        raise BadInput("classes_per_device", c, f"{lowest} to {len(sizes)}, so that all classes are used")


def _draw_counts(
    sizes: NDArray[np.int64], M: int, scenario: int, classes_per_device: int | None, rng: np.random.Generator
) -> Counts:
    if scenario == 1:
        return _equal_counts(sizes, M)
    if scenario == 2:
        return _few_class_counts(sizes, M, classes_per_device or ceil(len(sizes) / M), rng)
    return dirichlet_counts(sizes, M, DIRICHLET_ALPHA[scenario], rng)


def _equal_counts(sizes: NDArray[np.int64], M: int) -> Counts:
    """Deal all rows, class after class, round the table: class counts and totals differ by at most one."""
    end = np.cumsum(sizes)
    device = np.arange(M)
    dealt = (end[:, None] + M - 1 - device) // M  # rows of the first `end` that land on each device
    return np.diff(dealt, axis=0, prepend=0)


def _few_class_counts(sizes: NDArray[np.int64], M: int, per_device: int, rng: np.random.Generator) -> Counts:
    """Walk round a shuffled ring of classes, `per_device` places per device; then split each class evenly."""
    C = len(sizes)
    ring, seat = rng.permutation(C), rng.permutation(M)
    counts = np.zeros((C, M), dtype=np.int64)
    place = np.arange(M * per_device)
    holders = np.zeros((C, M), dtype=bool)
    holders[ring[place % C], seat[place // per_device]] = True
    for c in range(C):
        counts[c, holders[c]] = _even(int(sizes[c]), int(holders[c].sum()))
    return counts


def _even(total: int, parts: int) -> NDArray[np.int64]:
    return np.diff(np.arange(parts + 1, dtype=np.int64) * total // parts)


def dirichlet_counts(sizes: NDArray[np.int64], M: int, alpha: float, rng: np.random.Generator) -> Counts:
    """Cuts err by rounding: 4 operations per share, so by less than half a row while size·(M + 1) < 2^50."""
    shares = rng.dirichlet(np.full(M, alpha), size=len(sizes))
    cuts = np.rint(np.cumsum(shares, axis=1) * sizes[:, None]).astype(np.int64)
    return np.diff(cuts, axis=1, prepend=0)


def _deal(
    class_of_row: NDArray[np.int64], counts: Counts, rng: np.random.Generator
) -> tuple[NDArray[np.int64], ...]:
    """Shuffle the rows of each class and hand them out as `counts` says."""
    by_class = np.split(np.argsort(class_of_row, kind="stable"), np.cumsum(counts.sum(axis=1))[:-1])
    hands: list[list[NDArray[np.int64]]] = [[] for _ in range(counts.shape[1])]
    for rows, row_counts in zip(by_class, counts, strict=True):
        pieces = np.split(rng.permutation(rows), np.cumsum(row_counts)[:-1])
        for hand, piece in zip(hands, pieces, strict=True):
            hand.append(piece)
    return tuple(np.sort(np.concatenate(hand)) for hand in hands)
