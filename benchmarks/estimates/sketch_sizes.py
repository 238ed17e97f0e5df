"""How large must the sketch be? Test accuracy at the γ that `advise` gives to each size.

    python -m benchmarks.estimates.sketch_sizes [--only TEXT] [--json FILE]

The demo's network and MNIST with one class per device, in the setting that the book advises: the mean of five
rows, one local step, no proximal term. Without a sketch every device sends all d numbers, through the same
noise, and the k largest are broadcast. A grid of γ shows the best that the size of the book's advice, and no
sketch, can reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.estimates.advised_accuracy import cases
from benchmarks.estimates.own_rates import asked, at_own_rate
from fpsverify.config import RunConfig
from fpsverify.problems.build import build

SENT = (0.02, 0.05, 0.2, 0.5, 1.0)  # numbers in a sketch, over d
KEPT = (0.02, 0.1, 1 / 3, 1.0)  # k over d
COMPARED = (None, 0.2)  # at the best rate of each too


@dataclass(frozen=True)
class Cell:
    """One size: numbers sent and read out, as shares of d; None sends all d numbers as they are."""

    case: str
    config: RunConfig
    sent: float | None
    kept: float

    @property
    def name(self) -> str:
        return f"{self.case}-sent{'all' if self.sent is None else f'{self.sent:g}'}-k{self.kept:.2g}"

    def sized(self, d: int) -> RunConfig:
        change: dict[str, Any] = {"k": round(self.kept * d), "recovery": "mean"}
        if self.sent is None:
            change["compressor"] = "identity"
        else:
            change["buckets"] = round(self.sent * d / self.config.algorithm.rows)
        algorithm = self.config.algorithm.model_copy(update=change)
        local = self.config.local.model_copy(update={"E": 1, "mu": 0.0})
        return self.config.model_copy(update={"algorithm": algorithm, "local": local})


def cells() -> Iterator[Cell]:
    for case, config in cases():
        for sent in (None, *SENT):
            for kept in KEPT:
                yield Cell(case, config, sent, kept)


def measure(cell: Cell, d: int) -> dict[str, Any]:
    config = cell.sized(d)
    sizes = {"d": d, "buckets": config.algorithm.buckets, "k": config.algorithm.k}
    about = {"case": cell.case, "sent": cell.sent, "kept": cell.kept, **sizes}
    return about | at_own_rate(config, grid=cell.sent in COMPARED)


def main() -> int:
    rows, only = asked(__doc__ or "", "sketch_sizes")
    d = {case: build(config).problem.d for case, config in cases()}
    for cell in cells():
        if only in cell.name:
            rows.row(cell.name, partial(measure, cell, d[cell.case]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
