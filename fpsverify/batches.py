"""How many rows a mini-batch may have. Rows are drawn with replacement, so more than a device has are legal,
but they tell nothing new, and far more of them fill the memory until the system ends the run without a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from fpsverify.config import LocalConfig, RunConfig
from fpsverify.errors import BadInput

USUAL = LocalConfig().batch  # nobody asked for it, and so few rows fit anywhere: it is never refused


def demand_batch(config: RunConfig, sizes: Sequence[int] = ()) -> None:
    """Refuse a batch that is larger than every device; `sizes`: the rows of each, if they are known."""
    batch, (most, whose) = config.local.batch, _most_rows(config, sizes)
    if batch > max(most, USUAL):
        raise BadInput("local.batch", batch, f"at most {most}, the rows of {whose}; 0 takes all rows")


def _most_rows(config: RunConfig, sizes: Sequence[int]) -> tuple[float, str]:
    """What the largest device has; for data that are not loaded yet, what no device exceeds."""
    rows, devices = config.problem.samples, config.devices
    if sizes:
        return max(sizes), "the largest device"
    if config.problem.data == "own":
        return float("inf"), ""
    if devices.scenario == 1 and not (devices.alpha or devices.partition or config.problem.validation):
        return ceil(rows / devices.M), "the largest device"
    return rows, "all devices together"
