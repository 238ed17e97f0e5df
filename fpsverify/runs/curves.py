"""When a curve of losses turned up: one rule for what a run prints, for pilots and for estimates.

And when a run has hardly learned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SMOOTHED = 5  # a running mean over a fifth of the losses: one noisy value is no turn
HARDLY = 0.05  # of the loss at the start: who gains less has hardly learned
RISE = 0.01  # of what the loss fell: less is no turn, and costs no more than that


def lowest_at(rounds: Sequence[int], losses: Sequence[float]) -> int:
    """The round at which the smoothed loss was lowest; the last one if that was near, or little higher."""
    seen = np.array(losses)
    width = max(1, len(seen) // SMOOTHED)
    means = np.convolve(seen, np.ones(width) / width, "valid")
    middle = int(means.argmin()) + width // 2
    near_the_end = means.argmin() >= len(means) - 1 - len(seen) // 10
    level = means[-1] - means.min() <= RISE * (seen[0] - means.min())
    return int(rounds[-1] if near_the_end or level else rounds[middle])
