"""Sums that are exact in any order: every value becomes a whole multiple of 2^e, and integers are added.

    S = table + 2^e·Σ round(x·2^-e),      2^e·2^62 > n·max|x|

The exponent e is a function of the largest of the n magnitudes and of n alone, and integers below 2^63 are
added without rounding. So the table is the same bits for every backend, device, number of threads and
partition into blocks, by construction and not by a common order of additions. A sum is rounded three times:
to float64, when the table is added in float64, and to the dtype of the table.

What is lost: a value is off by at most 2^(e - 1) ≤ n·max|x|·2^-61, so by less than 2^-36·max|x| for n ≤ 2^24
and less than 2^-50·max|x| for n ≤ 2^10. A float64 sum is off by up to 2^-53 of itself at every one of its n/b
additions, which is about as much. The noise of the sketch itself is ‖x‖/√b in a row, and the sum of these
errors, if they have random signs, is 10^7 times smaller for n ≤ 2^24: float64 tables are served alike. Whole
numbers stay whole while n·max|x| < 2^61, so their sketches are exact wherever float64 sums were.

NaN and infinity are not whole numbers: one of them among the values makes the whole table NaN, which every
query refuses. So no kernel has to look before it adds, and none has to wait for an accelerator.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

# Sums of n values, in units of the quantum, stay below 2^62.
SUM_BITS = 62
# An exponent that no data have: some value is NaN or infinite.
NOT_FINITE = 1 << 20
# (bits of the fraction, c such that a number with the exponent field E is below 2^(E - c)) by size in bytes.
# That holds for subnormal numbers too (E = 0). They need no finer quantum: 2^e is below the least of them.
LAYOUTS = {4: (23, 126), 8: (52, 1022)}
FLOAT64_FRACTION, FLOAT64_BIAS = 52, 1023
BITS = {4: torch.int32, 8: torch.int64}


@dataclass(frozen=True)
class FixedPoint:
    """The largest magnitude and the quantum 2^e of one vector, (), or of each row of a batch, (M, 1).

    >>> unit = FixedPoint.of(torch.tensor([1.0, -0.75, 2.0**-60]))
    >>> int(unit.exponent), (unit.whole(torch.tensor([0.75, 2.0**-60])) >> 56).tolist()
    (-59, [6, 0])
    """

    peak: Tensor
    exponent: Tensor

    @staticmethod
    def of(x: Tensor) -> FixedPoint:
        peak, (fraction, bias) = largest_magnitude(x), LAYOUTS[x.itemsize]
        field = (peak.view(BITS[x.itemsize]) >> fraction).long()
        return FixedPoint(peak, field - bias + (x.shape[-1].bit_length() - SUM_BITS))

    def whole(self, x: Tensor) -> Tensor:
        """x / 2^e, rounded to int64 (ties to even)."""
        one, other = factors(-self.exponent)
        return x.to(torch.float64, copy=True).mul_(one).mul_(other).round_().long()

    def plus(self, table: Tensor, sums: Tensor) -> Tensor:
        """table + sums·2^e, rounded; NaN if a value was not finite."""
        of_rows = (*factors(self.exponent), self.peak - self.peak)
        one, other, poison = (f[..., None] if f.ndim else f for f in of_rows)
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


def factors(exponent: Tensor) -> tuple[Tensor, Tensor]:
    """2^exponent as two factors in float64, because one may leave its range; exact."""
    half = exponent // 2
    one, other = (
        ((e + FLOAT64_BIAS) << FLOAT64_FRACTION).view(torch.float64) for e in (half, exponent - half)
    )
    return one, other
