"""Is a symmetric matrix of rationals positive definite? Decided with integers, no rounding.

The pivots of LDLᵀ are quotients of neighbouring leading minors, so all of them are positive exactly when all
leading minors are. The elimination below keeps integers (Bareiss): its pivots are those minors.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def is_positive_definite(matrix: Sequence[Sequence[Fraction | int]]) -> bool:
    """True if and only if every leading minor is positive; the matrix must be symmetric."""
    size = len(matrix)
    if any(matrix[i][j] != matrix[j][i] for i in range(size) for j in range(i)):
        raise ValueError("the matrix is not symmetric")
    rows = _integers(matrix)
    previous = 1
    for k in range(size):
        pivot = rows[k][k]
        if pivot <= 0:
            return False
        for i in range(k + 1, size):
            for j in range(i, size):
                rows[i][j] = (pivot * rows[i][j] - rows[k][i] * rows[k][j]) // previous
        previous = pivot
    return True


def _integers(matrix: Sequence[Sequence[Fraction | int]]) -> list[list[int]]:
    """A positive multiple of the matrix with integer entries."""
    common = lcm(1, *(Fraction(entry).denominator for row in matrix for entry in row))
    return [[int(entry * common) for entry in row] for row in matrix]
