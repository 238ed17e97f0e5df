"""Tolerances for rounding, from Higham, "Accuracy and Stability of Numerical Algorithms", chapter 4."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

UNIT = {torch.float32: 2.0**-24, torch.float64: 2.0**-53}


def summation_error(n: int, absolute_sum: float | Tensor, dtype: torch.dtype) -> float | Tensor:
    """|fl(Σ x_i) - Σ x_i| ≤ γ_{n-1} Σ|x_i| in any order of additions, γ_m = m·u / (1 - m·u)."""
    m = max(n - 1, 0) * UNIT[dtype]
    if m >= 0.5:
        raise ValueError(f"no useful bound for {n} additions in {dtype}")
    return absolute_sum * (m / (1 - m))


def assert_within(actual: Tensor, expected: Tensor, bound: Tensor | float, law: str) -> None:
    """|actual - expected| ≤ bound in every entry."""
    excess = (actual.double() - expected.double()).abs() - bound
    worst = int(torch.argmax(excess)) if excess.numel() else 0
    assert not bool((excess > 0).any()) and not bool(excess.isnan().any()), (
        f"{law}: entry {worst} is {actual.flatten()[worst]}, expected {expected.flatten()[worst]}"
    )


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
