"""Tolerances for rounding, from Higham, "Accuracy and Stability of Numerical Algorithms", chapter 4."""

from collections.abc import Callable
from typing import Any

import torch

UNIT = {torch.float32: 2.0**-24, torch.float64: 2.0**-53}


def with_each_number_of_threads(counts: tuple[int, ...], work: Callable[[], Any]) -> list[Any]:
    """What `work` returns with these numbers of torch threads; afterwards there are as many as before."""
    before, found = torch.get_num_threads(), []
    try:
        for count in counts:
            torch.set_num_threads(count)
            found.append(work())
    finally:
        torch.set_num_threads(before)
    return found
