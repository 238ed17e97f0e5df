"""How many local steps E, and which proximal weight μ? Test accuracy at the γ that `advise` gives to each.

    python -m benchmarks.estimates.local_work [--only TEXT] [--json FILE]

The demo's network and MNIST with one class per device. μ is 0 or 1/(γE), where γ is the rate advised for
μ = 0: then the proximal term pulls a device back by about as much as it has moved. All cells have the same
number of rounds, so they use the channel equally. A grid of γ shows the best that each cell can reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.estimates.advised_accuracy import cases
from benchmarks.estimates.own_rates import asked, at_own_rate
from fpsverify.config import RunConfig

STEPS, SHARES = (1, 5, 20), (0.0, 1.0)


@dataclass(frozen=True)
class Cell:
    """One choice of E and μ."""

    case: str
    config: RunConfig
    E: int
    share: float

    @property
    def name(self) -> str:
        return f"{self.case}-E{self.E}-share{self.share:g}"

    def with_mu(self, first_gamma: float) -> RunConfig:
        """`first_gamma` is the rate advised for this E without a proximal term."""
        mu = self.share / (first_gamma * self.E)
        return self.config.model_copy(
            update={"local": self.config.local.model_copy(update={"E": self.E, "mu": mu})}
        )


def cells() -> Iterator[Cell]:
    """Those of one E one after the other, the one without a proximal term first."""
    for case, config in cases():
        for E in STEPS:
            for share in SHARES:
                yield Cell(case, config, E, share)


def measure(cell: Cell, first_gamma: float) -> dict[str, Any]:
    config = cell.with_mu(first_gamma)
    about = {"case": cell.case, "E": cell.E, "share": cell.share, "mu": config.local.mu}
    same = bool(cell.share) and cell.E == 1  # one local step starts at the broadcast: μ does nothing
    return about | at_own_rate(config, grid=not same)


def main() -> int:
    (rows, only), first_gamma = asked(__doc__ or "", "local_work"), None
    for cell in cells():
        if only not in cell.name or (cell.share and first_gamma is None):
            continue
        row = rows.row(cell.name, partial(measure, cell, first_gamma or 1.0))
        first_gamma = first_gamma if cell.share else row["gamma"]
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
