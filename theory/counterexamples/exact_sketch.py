"""A count sketch in rational arithmetic: given buckets and signs, median of rows, top-k by estimated size."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from theory.errors import InvalidParameter

Vector = tuple[Fraction, ...]
Table = dict[tuple[int, int], Fraction]  # (row, column) → content; an absent bucket holds 0


def squared_norm(v: Vector) -> Fraction:
    return sum((x * x for x in v), Fraction(0))


@dataclass(frozen=True)
class ExactSketch:
    """bucket[j][i] and sign[j][i] for row j and coordinate i; the number of rows is odd."""

    columns: int
    bucket: tuple[tuple[int, ...], ...]
    sign: tuple[tuple[int, ...], ...]

    @property
    def rows(self) -> int:
        return len(self.bucket)

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def add(self, table: Table, v: Vector) -> Table:
        """The table after inserting v: sketching is linear."""
        result = dict(table)
        for j in range(self.rows):
            for i, value in enumerate(v):
                place = (j, self.bucket[j][i])
                result[place] = result.get(place, Fraction(0)) + self.sign[j][i] * value
        return result

    def estimate(self, table: Table) -> Vector:
        """The median over rows of sign·bucket, coordinate by coordinate."""
        zero = Fraction(0)
        return tuple(
            sorted(self.sign[j][i] * table.get((j, self.bucket[j][i]), zero) for j in range(self.rows))[
                self.rows // 2
            ]
            for i in range(len(self.bucket[0]))
        )


def top_k(v: Vector, k: int) -> Vector:
    """Keep the k largest entries in absolute value; a tie keeps the lower index."""
    kept = set(sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[:k])
    return tuple(x if i in kept else Fraction(0) for i, x in enumerate(v))


def spread_out(rows: int, columns: int, d: int) -> ExactSketch:
    """Rows in which no two coordinates meet (d ≤ columns); signs alternate so that they do matter."""
    bucket = tuple(tuple((i + j) % columns for i in range(d)) for j in range(rows))
    sign = tuple(tuple(1 if (i + j) % 2 == 0 else -1 for i in range(d)) for j in range(rows))
    return ExactSketch(columns, bucket, sign)


def inexact_probability(sketch: ExactSketch) -> Fraction:
    """For random hashes of this shape and d ≤ 2: the chance that the median is not exact for every vector.

    Two coordinates collide in a row with probability 1/columns; the median is exact while fewer than half do.
    """
    d = len(sketch.bucket[0])
    if d > 2:
        raise InvalidParameter("d", d, "at most 2 (the closed form counts one pair)")
    if d == 1:
        return Fraction(0)
    q, half = Fraction(1, sketch.columns), sketch.rows // 2 + 1
    outcomes = range(half, sketch.rows + 1)
    return sum((comb(sketch.rows, j) * q**j * (1 - q) ** (sketch.rows - j) for j in outcomes), Fraction(0))
