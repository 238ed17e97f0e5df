"""Ratios measured in one interleaved run: each round times every contender, with a rotating start."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Work = Callable[[], object]
WARM_UPS = 2
SHORTEST_SAMPLE = 0.005
# Something else on the machine may disturb half a second: short work is sampled for longer than twice that.
LONG_ENOUGH, MOST_ROUNDS = 3.0, 101


@dataclass(frozen=True)
class Ratio:
    """Median and quartiles over rounds of (time of one contender / time of another)."""

    median: float
    low: float
    high: float


def tune_malloc() -> bool:
    """Keep freed memory in the process, so that no contender pays for page faults; glibc only."""
    M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, 1 << 30)) and bool(mallopt(M_TRIM_THRESHOLD, 2**31 - 1))


def interleaved_times(contenders: dict[str, Work]) -> dict[str, np.ndarray]:
    """Time per call: 7 rounds, 15 if they are short, and more until 3 seconds or 101 rounds; short work is
    repeated in a sample.

    Process time: it does not count what other programs do meanwhile.
    """
    for work in list(contenders.values()) * WARM_UPS:
        work()
    once = {name: sample(work, 1) for name, work in contenders.items()}
    repeats = {name: max(1, round(SHORTEST_SAMPLE / max(t, 1e-6))) for name, t in once.items()}
    one_round = sum(once[name] * repeats[name] for name in contenders)
    fewest = 15 if max(once.values()) < 0.05 else 7
    rounds = min(MOST_ROUNDS, max(fewest, int(LONG_ENOUGH / one_round)))
    names = list(contenders)
    times: dict[str, list[float]] = {name: [] for name in names}
    gc.disable()
    try:
        for i in range(rounds):
            start = i % len(names)
            for name in names[start:] + names[:start]:
                times[name].append(sample(contenders[name], repeats[name]))
    finally:
        gc.enable()
    return {name: np.array(t) for name, t in times.items()}


def sample(work: Work, repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - start) / repeats


def ratio(slow: np.ndarray, fast: np.ndarray) -> Ratio:
    """Quartiles of the ratios round by round."""
    low, median, high = np.quantile(slow / fast, [0.25, 0.5, 0.75])
    return Ratio(float(median), float(low), float(high))
