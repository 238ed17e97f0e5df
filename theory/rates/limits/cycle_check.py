"""The exact check of a spurious cycle: rational Gram matrices of an admissible run that goes nowhere.

Two devices suffice. Let the mean letters and the deviations be vectors with the given Gram matrices in
orthogonal spaces; device 1 has mean + deviation, device 2 has mean − deviation. A quadratic form in the
letters then has the same value for both devices, namely mean form + deviation form, so what is checked
below holds for each of them. The pair inequalities are necessary and sufficient for a loss with curvature
in [−θ, 1] through the given points, gradients and values (smooth interpolation), so such losses exist.
After K rounds x returns to x_0, and |∇f(x_0)|² > 0.

For μ = 0 every larger step is impossible too (see `two_curvatures`); for μ > 0 the cycle speaks of one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from theory.rates.descent.check import is_positive_definite
from theory.rates.descent.round import Setting

Matrix = tuple[tuple[Fraction, ...], ...]
Row = list[Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class GramCycle:
    """K rounds at Lγ = step. Letters: the gradients at the KE nodes, then the biases at them if P_b > 0.

    `means` leaves out the last gradient (x_K = x_0 gives it). At B = 1 `deviations` leaves out the gradients
    at the broadcasts.
    """

    setting: Setting
    step: Fraction
    rounds: int
    means: Matrix
    deviations: Matrix
    values: tuple[Fraction, ...]

    @property
    def covers_larger(self) -> bool:
        return self.setting.scales

    def proves_impossible(self) -> bool:
        """Is every inequality satisfied, exactly?"""
        return _shapes_fit(self) and _is_run(self)


def _shapes_fit(cycle: GramCycle) -> bool:
    nodes = cycle.rounds * cycle.setting.E
    letters = nodes * (2 if cycle.setting.P_b else 1)
    free = letters - (cycle.rounds if cycle.setting.B == 1 else 0)
    sizes = (len(cycle.means), len(cycle.deviations), len(cycle.values)) == (letters - 1, free, nodes)
    squares = all(len(row) == len(m) for m in (cycle.means, cycle.deviations) for row in m)
    step = cycle.step > 0 and (cycle.setting.E == 1 or cycle.step * cycle.setting.mu <= 1)
    return sizes and squares and step


def _is_run(cycle: GramCycle) -> bool:
    grams = Grams(cycle)
    definite = is_positive_definite(cycle.means) and is_positive_definite(cycle.deviations)
    moving = grams.mean(grams.letter(0), grams.letter(0)) > 0
    return (
        definite
        and moving
        and all(_pair_holds(cycle, grams, i, j) for i in range(grams.nodes) for j in range(grams.nodes))
        and all(_spread_holds(cycle, grams, t * cycle.setting.E) for t in range(cycle.rounds))
        and all(_bias_holds(cycle, grams, node) for node in range(grams.nodes) if cycle.setting.P_b)
    )


class Grams:
    """Products of combinations of letters, in the means and in the deviations."""

    def __init__(self, cycle: GramCycle) -> None:
        q = cycle.setting
        self.cycle, self.E, self.nodes = cycle, q.E, cycle.rounds * q.E
        self.letters = self.nodes * (2 if q.P_b else 1)
        self.keep = 1 - cycle.step * q.mu
        heads = range(0, self.nodes, q.E)
        self.free = [k for k in range(self.letters) if q.B > 1 or k not in heads]

    def letter(self, k: int) -> Row:
        return [ONE if i == k else ZERO for i in range(self.letters)]

    def moved(self, later: int) -> Fraction:
        """How far a letter has moved its device, `later` steps after its own."""
        return -self.cycle.step * self.keep**later

    def local(self, node: int) -> Row:
        """The node relative to its broadcast: the steps of its round so far."""
        row, first = [ZERO] * self.letters, node - node % self.E
        for past in range(first, node):
            for k in range(past, self.letters, self.nodes):
                row[k] = self.moved(node - 1 - past)
        return row

    def point(self, node: int) -> Row:
        """The mean of the node relative to x_0: all full rounds before it, and its own steps."""
        row, first = self.local(node), node - node % self.E
        for past in range(first):
            for k in range(past, self.letters, self.nodes):
                row[k] = self.moved(self.E - 1 - past % self.E)
        return row

    def mean(self, a: Row, b: Row) -> Fraction:
        return _form(self.cycle.means, self._closed(a), self._closed(b))

    def spread(self, a: Row, b: Row) -> Fraction:
        return _form(self.cycle.deviations, [a[k] for k in self.free], [b[k] for k in self.free])

    def _closed(self, a: Row) -> Row:
        """The last gradient replaced: the weighted sum of all letters is 0, and its own weight is −step."""
        last = self.nodes - 1
        factors = [self.keep ** (self.E - 1 - (k % self.nodes) % self.E) for k in range(self.letters)]
        return [a[k] - a[last] * factors[k] for k in range(self.letters) if k != last]


def _form(matrix: Matrix, a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    right = [(j, v) for j, v in enumerate(b) if v]
    return sum((u * matrix[i][j] * v for i, u in enumerate(a) if u for j, v in right), ZERO)


def _minus(a: Row, b: Row) -> Row:
    return [x - y for x, y in zip(a, b, strict=True)]


def _pair_holds(cycle: GramCycle, grams: Grams, i: int, j: int) -> bool:
    """l + (θ/2)|·|² is convex with curvature at most 1+θ."""
    if i == j:
        return True
    theta, total = cycle.setting.theta, cycle.values[i] - cycle.values[j]
    g_j, dg = grams.letter(j), _minus(grams.letter(i), grams.letter(j))
    for place, form in ((grams.point, grams.mean), (grams.local, grams.spread)):
        dx = _minus(place(i), place(j))
        slope = [a + theta * b for a, b in zip(dg, dx, strict=True)]
        total += theta / 2 * form(dx, dx) - form(g_j, dx) - form(slope, slope) / (2 * (1 + theta))
    return total >= 0


def _spread_holds(cycle: GramCycle, grams: Grams, head: int) -> bool:
    g = grams.letter(head)
    return grams.spread(g, g) <= (cycle.setting.B**2 - 1) * grams.mean(g, g)


def _bias_holds(cycle: GramCycle, grams: Grams, node: int) -> bool:
    g, b = grams.letter(node), grams.letter(node + grams.nodes)
    size = [form(b, b) - cycle.setting.P_b * form(g, g) for form in (grams.mean, grams.spread)]
    return sum(size) <= 0
