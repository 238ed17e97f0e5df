"""Data that is drawn: Gaussian blobs, the regression of Appendix D.1, and clicks with the shape of KDD.

Regression: y = X w + 0.01 n, rows of X from N(0, Σ) with Σ_ii = i^{-p}. Scenarios 2-4 draw half of the rows
from a second distribution, Σ_2 = diag(j_i^{-p}) with j a random permutation of 1 … d; both share w. Two
readings: the paper writes n ∈ R^d, where one noise value per row is meant, n ∈ R^N; and it does not say which
w: here w_i ~ N(0, 1) independently, so that no coordinate is favoured except through Σ.

Clicks: a row is one-hot in each of several categorical fields (user, query, advert, ...) whose vocabularies
grow geometrically and tile 0 … d−1. Within a field the value of rank r has frequency ∝ r^{-zipf}; a random
affine bijection spreads the ranks over the field's block, so an index says nothing about its frequency.
Labels come from a sparse logistic model on the `head` most frequent values of every field; its intercept is
set so that the expected share of positives is that of the real data. Results on it say how algorithms behave
at this size and sparsity, not what the real data set would give.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fpsverify.data.labelled import CsrRows, DenseData, SparseData
from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator
from fpsverify.vectors import SparseVector


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
    X, y = _draw_blobs(N, centres, seed, "train")
    X_test, y_test = _draw_blobs(N_test, centres, seed, "test")
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


def _draw_blobs(
    n: int, centres: NDArray[np.float64], seed: int, part: str
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    rng = numpy_generator(seed, "blobs", part)
    y = rng.permutation(np.arange(n, dtype=np.int64) % len(centres))
    X = centres[y] + rng.standard_normal((n, centres.shape[1]))
    return X.astype(np.float32), y


NOISE_STD = 0.01
ROWS_AT_ONCE = 128


def synthetic_regression(
    N: int = 2000,
    N_test: int = 500,
    d: int = 10_000,
    p: float = 5.0,
    distributions: int = 2,
    seed: int = 0,
) -> DenseData:
    """Train and test rows of one mixture; `distributions` is 1 for Scenario 1 and 2 for Scenarios 2-4."""
    if distributions not in (1, 2):
        raise BadInput("distributions", distributions, "1 or 2")
    if min(N, N_test, d) < 1:
        raise BadInput("N, N_test, d", (N, N_test, d), "positive sizes")
    w = numpy_generator(seed, "synthetic", "w").standard_normal(d)
    stds = standard_deviations(d, p, seed)[:distributions]
    X, y, groups = _draw_regression(N, w, stds, seed, "train")
    X_test, y_test, _ = _draw_regression(N_test, w, stds, seed, "test")
    return DenseData(
        task="regression",
        X=X,
        y=y,
        groups=groups,
        X_test=X_test,
        y_test=y_test,
        classes=0,
        provenance=f"generated: Appendix D.1, d={d}, p={p:g}, {distributions} distribution(s), seed {seed}",
        truth=torch.from_numpy(w),
    )


def standard_deviations(d: int, p: float, seed: int) -> NDArray[np.float64]:
    """Square roots of the diagonals of Σ_1 and Σ_2, (2, d)."""
    first = np.arange(1, d + 1, dtype=np.float64) ** (-p / 2)
    return np.stack([first, first[numpy_generator(seed, "synthetic", "permutation").permutation(d)]])


def _draw_regression(
    N: int, w: NDArray[np.float64], stds: NDArray[np.float64], seed: int, part: str
) -> tuple[Tensor, Tensor, NDArray[np.int64]]:
    """Rows in alternating groups. y is summed without BLAS, whose bits depend on the number of threads."""
    rng = numpy_generator(seed, "synthetic", part)
    groups = np.arange(N, dtype=np.int64) % len(stds)
    X = rng.standard_normal((N, len(w)), dtype=np.float32)
    y = NOISE_STD * rng.standard_normal(N)
    for start in range(0, N, ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        X[rows] *= stds[groups[rows]].astype(np.float32)
        y[rows] += (X[rows] * w).sum(axis=1)
    return torch.from_numpy(X), torch.from_numpy(y.astype(np.float32)), groups


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClickShape:
    """`keep` is the chance that a row has a value in a field (the first field is always there)."""

    name: str
    d: int
    fields: int
    keep: float
    positive_rate: float
    zipf: float = 1.1
    head: int = 20

    def __post_init__(self) -> None:
        if not 1 <= 2 * self.fields <= self.d <= 2**31 - 2:
            raise BadInput("d", self.d, f"at least 2 values for each of {self.fields} fields, at most 2^31-2")
        if not (0 < self.positive_rate < 1 and 0 <= self.keep <= 1):
            raise BadInput("positive_rate, keep", (self.positive_rate, self.keep), "shares between 0 and 1")
        if not (self.zipf > 0 and self.zipf != 1 and self.head >= 1):
            raise BadInput("zipf, head", (self.zipf, self.head), "zipf > 0 and not 1, head at least 1")


CLICK_SHAPES = {
    "kdd12": ClickShape("kdd12", d=54_686_452, fields=11, keep=1.0, positive_rate=0.046),
    "kdd10": ClickShape("kdd10", d=20_216_830, fields=40, keep=0.9, positive_rate=0.86),
}


@dataclass(frozen=True)
class Vocabulary:
    """Field f owns `size` indices from `start` on; its rank r sits at start + (factor·r + shift) mod size."""

    start: Ints
    size: Ints
    factor: Ints
    shift: Ints

    def index(self, ranks: Ints) -> Ints:
        """Ranks (n, fields) from 0, or (fields,)-broadcastable, to coordinates."""
        return self.start + (self.factor * ranks + self.shift) % self.size


def clicks(shape: ClickShape | str, N: int = 20_000, N_test: int = 5_000, seed: int = 0) -> SparseData:
    """Train and test rows of one generated population."""
    shape = _named(shape)
    if min(N, N_test) < 1:
        raise BadInput("N, N_test", (N, N_test), "at least one row each")
    vocabulary = _vocabulary(shape, seed)
    effect = numpy_generator(seed, "clicks", "effects").standard_normal((shape.head, shape.fields))
    parts = [_draw_rows(shape, vocabulary, n, seed, part) for n, part in ((N, "train"), (N_test, "test"))]
    scores = [_scores(ranks, present, effect) for ranks, present in parts]
    intercept = _intercept(np.concatenate(scores), shape.positive_rate)
    train, test = (
        _rows(shape, vocabulary, ranks, present, _labels(z + intercept, seed, part))
        for (ranks, present), z, part in zip(parts, scores, ("train", "test"), strict=True)
    )
    provenance = f"generated: {shape.name}-shaped clicks, d={shape.d}, {shape.fields} fields, seed {seed}"
    return SparseData(train, test, provenance, _truth(shape, vocabulary, effect), intercept)


def field_sizes(d: int, fields: int) -> Ints:
    """Vocabulary sizes: 2 each, and the rest of d shared out geometrically with ratio d^(1/fields)."""
    growth = float(d) ** (np.arange(fields) / fields)
    sizes = 2 + np.floor((d - 2 * fields) * growth / growth.sum()).astype(np.int64)
    sizes[-1] += d - sizes.sum()
    return sizes


def zipf_ranks(u: Floats, size: Ints, s: float) -> Ints:
    """Ranks 0 … size−1 from uniforms u: density ∝ x^{-s} on [1, size+1) by its inverse, rounded down."""
    top = (size + 1.0) ** (1 - s)
    x = (1 - u * (1 - top)) ** (1 / (1 - s))
    return np.clip(x.astype(np.int64) - 1, 0, size - 1)


def _named(shape: ClickShape | str) -> ClickShape:
    if isinstance(shape, ClickShape):
        return shape
    if shape not in CLICK_SHAPES:
        raise BadInput("shape", shape, " or ".join(CLICK_SHAPES))
    return CLICK_SHAPES[shape]


def _vocabulary(shape: ClickShape, seed: int) -> Vocabulary:
    size = field_sizes(shape.d, shape.fields)
    rng = numpy_generator(seed, "clicks", "vocabulary")
    factor = np.array([_coprime(int(s), rng) for s in size], dtype=np.int64)
    return Vocabulary(np.cumsum(size) - size, size, factor, rng.integers(0, size))


def _coprime(size: int, rng: np.random.Generator) -> int:
    """A random factor below `size` that makes r ↦ factor·r mod size a bijection."""
    while True:
        factor = int(rng.integers(1, size))
        if gcd(factor, size) == 1:
            return factor


def _draw_rows(
    shape: ClickShape, vocabulary: Vocabulary, n: int, seed: int, part: str
) -> tuple[Ints, NDArray[np.bool_]]:
    """Rank of each row in each field, and whether the field is present."""
    rng = numpy_generator(seed, "clicks", part, "rows")
    ranks = zipf_ranks(rng.random((n, shape.fields)), vocabulary.size, shape.zipf)
    present = rng.random((n, shape.fields)) < shape.keep
    present[:, 0] = True
    return ranks, present


def _scores(ranks: Ints, present: NDArray[np.bool_], effect: Floats) -> Floats:
    """x·truth: the effects of the head values that a row holds."""
    head, fields = effect.shape
    seen = present & (ranks < head)
    return np.where(seen, effect[np.minimum(ranks, head - 1), np.arange(fields)], 0.0).sum(axis=1)


def _sigmoid(z: Floats) -> Floats:
    return 0.5 * (1 + np.tanh(z / 2))


def _intercept(scores: Floats, rate: float) -> float:
    """The b with mean sigmoid(score + b) = rate, by bisection to the last bit that matters."""
    odds = np.log(rate / (1 - rate))
    low, high = odds - scores.max(), odds - scores.min()
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _sigmoid(scores + middle).mean() < rate else (low, middle)
    return float((low + high) / 2)


def _labels(logits: Floats, seed: int, part: str) -> Ints:
    u = numpy_generator(seed, "clicks", part, "labels").random(len(logits))
    return (u < _sigmoid(logits)).astype(np.int64)


def _rows(
    shape: ClickShape, vocabulary: Vocabulary, ranks: Ints, present: NDArray[np.bool_], labels: Ints
) -> CsrRows:
    """Fields come in order of their blocks, so indices increase strictly within a row."""
    indptr = np.concatenate([[0], np.cumsum(present.sum(axis=1))]).astype(np.int64)
    indices = torch.from_numpy(vocabulary.index(ranks)[present])
    values = torch.ones(indices.shape[0], dtype=torch.float32)
    return CsrRows(shape.d, torch.from_numpy(indptr), indices, values, torch.from_numpy(labels))


def _truth(shape: ClickShape, vocabulary: Vocabulary, effect: Floats) -> SparseVector:
    ranks = np.arange(shape.head)[:, None]
    real = ranks < vocabulary.size
    index = torch.from_numpy(vocabulary.index(ranks)[real])
    return SparseVector.from_pairs(shape.d, index, torch.from_numpy(effect[real]))
