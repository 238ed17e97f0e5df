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

# Sums of n values, in units of the quantum, stay below 2^62.
SUM_BITS = 62
# An exponent that no data have: some value is NaN or infinite.
NOT_FINITE = 1 << 20
# (bits of the fraction, c such that a number with the exponent field E is below 2^(E - c)) by size in bytes.
# That holds for subnormal numbers too (E = 0). They need no finer quantum: 2^e is below the least of them.
LAYOUTS = {4: (23, 126), 8: (52, 1022)}
