"""One torch thread, wherever a number goes into a record.

A matrix product that is split over threads is summed in another order, so its last bits depend on how many
there are. The products of a round are small: a second thread costs several times the work that it saves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside, torch computes on one thread; afterwards on as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
