"""Every tolerance of the suite, with its derivation.

Rounding: bounds of Higham, "Accuracy and Stability of Numerical Algorithms", chapter 4. Randomness: exact
tests (Clopper-Pearson, Bernstein, Hoeffding) at a stated false-alarm rate `alpha`; a law that holds is
reported broken with probability at most alpha. Tests are derandomised, so a pass stays a pass.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from scipy import stats
from torch import Tensor

ALPHA = 1e-6
UNIT = {torch.float32: 2.0**-24, torch.float64: 2.0**-53}


def summation_error(n: int, absolute_sum: float | Tensor, dtype: torch.dtype) -> float | Tensor:
    """|fl(Σ x_i) - Σ x_i| ≤ γ_{n-1} Σ|x_i| in any order of additions, γ_m = m·u / (1 - m·u)."""
    m = max(n - 1, 0) * UNIT[dtype]
    if m >= 0.5:
        raise ValueError(f"no useful bound for {n} additions in {dtype}")
    return absolute_sum * (m / (1 - m))


def sketch_error(n: int, absolute_sums: Tensor, dtype: torch.dtype) -> Tensor:
    """Bound on a table entry: n terms added in float64, then one rounding to `dtype`.

    The rounding costs u·|result| ≤ u·(Σ|x| + first error); subnormal results add half the least positive
    number.
    """
    first = summation_error(n + 1, absolute_sums.double(), torch.float64)
    return (
        first
        + UNIT[dtype] * (absolute_sums.double() + first)
        + torch.finfo(dtype).smallest_normal * UNIT[dtype]
    )


def assert_within(actual: Tensor, expected: Tensor, bound: Tensor | float, law: str) -> None:
    """|actual - expected| ≤ bound in every entry."""
    excess = (actual.double() - expected.double()).abs() - bound
    worst = int(torch.argmax(excess)) if excess.numel() else 0
    assert not bool((excess > 0).any()) and not bool(excess.isnan().any()), (
        f"{law}: entry {worst} is {actual.flatten()[worst]}, expected {expected.flatten()[worst]}"
    )


def clopper_pearson(successes: int, trials: int, alpha: float) -> tuple[float, float]:
    """An interval that contains the success probability with probability at least 1 - alpha."""
    low = 0.0 if successes == 0 else float(stats.beta.ppf(alpha / 2, successes, trials - successes + 1))
    high = (
        1.0
        if successes == trials
        else float(stats.beta.ppf(1 - alpha / 2, successes + 1, trials - successes))
    )
    return low, high


def assert_rate_at_most(failures: int, trials: int, bound: float, law: str, alpha: float = ALPHA) -> None:
    """Independent events of probability at most `bound`: the count must not contradict it (one-sided)."""
    low, _ = clopper_pearson(failures, trials, 2 * alpha)
    assert low <= bound, f"{law}: {failures} of {trials} fail, so the rate exceeds {low:.3g} > {bound:.3g}"


def assert_rate_is(failures: int, trials: int, rate: float, law: str, alpha: float = ALPHA) -> None:
    """Independent events of probability exactly `rate` (two-sided)."""
    low, high = clopper_pearson(failures, trials, alpha)
    assert low <= rate <= high, (
        f"{law}: {failures} of {trials}, interval [{low:.3g}, {high:.3g}], law {rate:.3g}"
    )


def hoeffding_radius(n: int, width: float, alpha: float = ALPHA) -> float:
    """The mean of n independent variables in an interval of this width is within the radius of its mean."""
    return width * math.sqrt(math.log(2 / alpha) / (2 * n))


def bernstein_radius(n: int, variance: float, spread: float, alpha: float = ALPHA) -> float:
    """Two-sided Bernstein: n independent variables with this variance and |X - EX| ≤ spread.

    The radius t solves n·t² / (2(variance + spread·t/3)) = log(2/alpha), with equality.
    """
    log = math.log(2 / alpha)
    a = spread * log / (3 * n)
    return a + math.sqrt(a * a + 2 * variance * log / n)


def assert_mean(
    samples: Tensor, mean: float, variance: float, spread: float, law: str, alpha: float = ALPHA
) -> None:
    """Independent samples with the given moments average to `mean` within Bernstein's radius."""
    radius = bernstein_radius(samples.numel(), variance, spread, alpha)
    seen = float(samples.double().mean())
    assert abs(seen - mean) <= radius, (
        f"{law}: mean {seen:.6g} over {samples.numel()}, law {mean:.6g} ± {radius:.3g}"
    )


def assert_uniform(counts: np.ndarray, law: str, alpha: float = ALPHA) -> None:
    """Chi-square test of equal cells. The chi-square law is a limit: at least 100 per cell are asked for."""
    expected = counts.sum() / counts.size
    assert expected >= 100, "too few samples per cell for the chi-square limit"
    statistic = float(((counts - expected) ** 2 / expected).sum())
    low, high = stats.chi2.ppf([alpha / 2, 1 - alpha / 2], counts.size - 1)
    assert low <= statistic <= high, f"{law}: chi-square {statistic:.1f} outside [{low:.1f}, {high:.1f}]"
