"""The fixed-point numbers of `fixed_point` as torch tensors, on any device and without waiting for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import torch
from torch import Tensor

from fpsverify.kernels.fixed_point import LAYOUTS, SUM_BITS

FLOAT64_FRACTION, FLOAT64_BIAS = 52, 1023
BITS = {4: torch.int32, 8: torch.int64}
# 1.5·2^52 + z is rounded to a whole number (ties to even), and its bits less these are z, for |z| < 2^51.
SHIFTER, BITS_OF_SHIFTER = 1.5 * 2.0**52, 0x4338 << 48


@dataclass(frozen=True)
class FixedPoint:
    """The quantum 2^e of one vector, or of each row of a batch; both tensors have shape () or (M, 1)."""

    peak: Tensor
    exponent: Tensor
    n: int

    @staticmethod
    def of(x: Tensor) -> FixedPoint:
        peak = largest_magnitude(x)
        fraction, bias = LAYOUTS[x.itemsize]
        field = (peak.view(BITS[x.itemsize]) >> fraction).long()
        n = x.shape[-1]
        return FixedPoint(peak, field - bias + (n.bit_length() - SUM_BITS), n)

    def whole(self, x: Tensor, buffer: Tensor | None = None) -> Tensor:
        """x / 2^e, rounded to int64 (ties to even); in `buffer` (float64), if that is given."""
        z = x.to(torch.float64, copy=True) if buffer is None else buffer[..., : x.shape[-1]].copy_(x)
        *first, last = self.shrinking
        for factor in first:
            z.mul_(factor)
        if not self.n >> SUM_BITS - 51:
            return z.mul_(last).round_().long()
        if isinstance(last, float):
            torch.add(shifter(), z, alpha=last, out=z)
        else:
            z.mul_(last).add_(SHIFTER)
        return z.view(torch.int64).sub_(BITS_OF_SHIFTER)

    @cached_property
    def shrinking(self) -> Sequence[Tensor | float]:
        """2^-e; in one factor for float32, whose quanta are in the range of float64.

        As a number where there is one and it is at hand: that saves an operation per value.
        """
        one, other = factors(-self.exponent)
        if self.peak.dtype == torch.float64:
            return one, other
        at_hand = self.peak.ndim == 0 and self.peak.device.type == "cpu"
        return (float(one * other),) if at_hand else (one * other,)

    def plus(self, table: Tensor, sums: Tensor) -> Tensor:
        """table + sums·2^e, rounded; NaN if a value was not finite."""
        one, other, poison = (
            f[..., None] if f.ndim else f for f in (*factors(self.exponent), self.peak - self.peak)
        )
        return (sums.double().mul_(one).mul_(other).add_(poison) + table).to(table.dtype)


def largest_magnitude(x: Tensor) -> Tensor:
    """max |x| over the last axis, shape () or (M, 1); NaN if there is one, 0 of nothing."""
    if not x.shape[-1]:
        return x.new_zeros(()) if x.ndim == 1 else x.new_zeros(x.shape[0], 1)
    if x.ndim == 1:
        low, high = x.aminmax()  # several times faster than along an axis
    else:
        low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    return torch.maximum(-low, high).abs()


@cache
def shifter() -> Tensor:
    return torch.tensor(SHIFTER, dtype=torch.float64)


def factors(exponent: Tensor) -> tuple[Tensor, Tensor]:
    """2^exponent as two factors, because one may leave the range of float64; exact, by their bits."""
    half = exponent // 2
    return power_of_two(half), power_of_two(exponent - half)


def power_of_two(exponent: Tensor) -> Tensor:
    """2^exponent in float64 for |exponent| < 1023."""
    return ((exponent + FLOAT64_BIAS) << FLOAT64_FRACTION).view(torch.float64)
