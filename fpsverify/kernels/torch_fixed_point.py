"""The fixed-point numbers of `fixed_point` as torch tensors, on any device and without waiting for it.

One vector on the CPU is at hand: its quantum is then a Python number, which costs less than a tensor of one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from fpsverify.kernels.fixed_point import LAYOUTS, SUM_BITS

FLOAT64_FRACTION, FLOAT64_BIAS = 52, 1023
BITS = {4: torch.int32, 8: torch.int64}
# 1.5·2^52 + z is rounded to a whole number (ties to even), and its bits less these are z, for |z| < 2^51.
SHIFTER, BITS_OF_SHIFTER = 1.5 * 2.0**52, 0x4338 << 48


@dataclass(frozen=True)
class FixedPoint:
    """The quantum 2^e of one vector, or of each row of a batch: numbers, or tensors of shape () or (M, 1)."""

    peak: Tensor | float
    exponent: Tensor | int
    n: int
    itemsize: int

    @staticmethod
    def of(x: Tensor) -> FixedPoint:
        peak, n = largest_magnitude(x), x.shape[-1]
        if x.ndim == 1 and x.device.type == "cpu":
            number = float(peak)
            return FixedPoint(number, above(number, x.itemsize) + n.bit_length() - SUM_BITS, n, x.itemsize)
        fraction, bias = LAYOUTS[x.itemsize]
        field = (peak.view(BITS[x.itemsize]) >> fraction).long()
        return FixedPoint(peak, field - bias + (n.bit_length() - SUM_BITS), n, x.itemsize)

    def whole(self, x: Tensor, buffer: Tensor | None = None) -> Tensor:
        """x / 2^e, rounded to int64 (ties to even); in `buffer` (float64), if that is given."""
        z = x.to(torch.float64, copy=True) if buffer is None else buffer[..., : x.shape[-1]].copy_(x)
        one, other = factors(-self.exponent)
        if self.itemsize == 4:  # the quanta of float32 are in the range of float64
            one *= other
        else:
            z.mul_(other)
        if not self.n >> SUM_BITS - 51:
            return z.mul_(one).round_().long()
        if isinstance(one, float):
            torch.add(shifter(), z, alpha=one, out=z)
        else:
            z.mul_(one).add_(SHIFTER)
        return z.view(torch.int64).sub_(BITS_OF_SHIFTER)

    def plus(self, table: Tensor, sums: Tensor) -> Tensor:
        """table + sums·2^e, rounded; NaN if a value was not finite."""
        one, other, poison = (
            f[..., None] if isinstance(f, Tensor) and f.ndim else f
            for f in (*factors(self.exponent), self.peak - self.peak)
        )
        return (sums.double().mul_(one).mul_(other).add_(poison) + table).to(table.dtype)


def above(peak: float, itemsize: int) -> int:
    """E with peak < 2^E, the least but for subnormal numbers: as the exponent field of a float says it."""
    least = -LAYOUTS[itemsize][1]
    return max(math.frexp(peak)[1], least) if peak else least


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


def factors(exponent: Tensor | int) -> tuple[Tensor | float, Tensor | float]:
    """2^exponent as two factors, because one may leave the range of float64; exact."""
    half = exponent // 2
    return power_of_two(half), power_of_two(exponent - half)


def power_of_two(exponent: Tensor | int) -> Tensor | float:
    """2^exponent in float64 for |exponent| < 1023."""
    if isinstance(exponent, int):
        return math.ldexp(1.0, exponent)
    return ((exponent + FLOAT64_BIAS) << FLOAT64_FRACTION).view(torch.float64)
