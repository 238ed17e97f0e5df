"""The sketch of a run as a linear map between the model's space and the table, without its matrix.

S has J rows of b buckets; the table is a vector of J·b numbers. For sparse data only the coordinates that
occur are kept: all gradients are 0 elsewhere, so the other columns of S never meet one.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from empirical.observed.protocol import Evidence
from empirical.observed.run_models import SparseModel
from fpsverify.config import AlgorithmConfig
from fpsverify.errors import BadInput
from fpsverify.sketch.sketch import CountSketch, empty

SKETCHED = ("fps",)
UNSKETCHED = ("fedavg", "fedprox")


@dataclass(frozen=True)
class TableOperator:
    """`blank` is the empty sketch, None for the identity; `at` the coordinates of the model's space."""

    blank: CountSketch | None
    at: Tensor

    @property
    def rows(self) -> int:
        """J."""
        return 1 if self.blank is None else self.blank.spec.rows

    @property
    def size(self) -> int:
        """Numbers in the table."""
        return self.at.numel() if self.blank is None else self.blank.table.numel()

    def sketch(self, x: Tensor) -> Tensor:
        """S x as a vector, in float64."""
        if self.blank is None:
            return x.double()
        if self.at.numel() == self.blank.spec.d:
            return self.blank.add(x.double()).table.flatten()
        return self.blank.add_sparse(self.at, x.double()).table.flatten()

    def read(self, table: Tensor) -> Tensor:
        """The mean read-out Sᵀ s/J, in float64."""
        if self.blank is None:
            return table.double()
        held = self.blank.with_table(table.double().reshape(self.blank.table.shape))
        return held.estimate(self.at, rule="mean")


def operator_of(evidence: Evidence, seed: int | None = None) -> TableOperator:
    """With the run's own hash, or one of the same size from another `seed`."""
    if "algorithm" not in evidence.config:
        raise BadInput("config", "no algorithm", "that of a run, whose sketch is known")
    options, model = AlgorithmConfig.model_validate(evidence.config["algorithm"]), evidence.model
    at = model.support if isinstance(model, SparseModel) else torch.arange(evidence.d)
    if options.name in UNSKETCHED or (options.name in SKETCHED and options.compressor == "identity"):
        return TableOperator(None, at)
    if options.name not in SKETCHED:
        raise BadInput("algorithm.name", options.name, " or ".join(SKETCHED + UNSKETCHED))
    like = torch.empty(0, dtype=torch.float64)
    own = empty(options, evidence.d, None, evidence.seed if seed is None else seed, like)
    assert isinstance(own, CountSketch)
    return TableOperator(CountSketch.zeros(own.spec, dtype=torch.float64), at)
