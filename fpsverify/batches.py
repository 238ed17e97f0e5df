"""How many rows a mini-batch may have. Rows are drawn with replacement, so more than a device has are legal,
but they tell nothing new, and far more of them fill the memory until the system ends the run without a word.
"""

from __future__ import annotations

from collections.abc import Sequence

from fpsverify.config import LocalConfig, RunConfig
from fpsverify.errors import BadInput

USUAL = LocalConfig().batch  # nobody asked for it, and so few rows fit anywhere: it is never refused


def demand_batch(config: RunConfig, sizes: Sequence[int]) -> None:
    """Refuse a batch that is larger than every device; `sizes`: the rows of each."""
    batch, most = config.local.batch, max(sizes)
    if batch > most and batch != USUAL:
        raise BadInput(
            "local.batch", batch, f"at most {most}, the rows of the largest device; 0 takes all rows"
        )
