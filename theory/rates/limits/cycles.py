"""Search for spurious cycles: admissible runs that return to x_0 after K rounds although ∇f(x_0) ≠ 0.

Where such a run exists, no proof can allow the learning rate: f returns to its value and the gradient does
not fall, with G = b = σ = 0. The unknowns are the Gram matrix of the devices' mean letters (with the last
gradient eliminated by x_K = x_0), the Gram matrix of the deviations, and the values of the losses at the KE
points. The solver maximises the slack of all inequalities; rational matrices near its answer are then checked
exactly (`cycle_check`), and only those count.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations

import numpy as np

from theory.rates.descent.program import NoSolution, Program, upper_triangles
from theory.rates.descent.round import Array, Setting, curvature_form, product
from theory.rates.descent.search import root
from theory.rates.limits.cycle_check import GramCycle

DECIMALS = 9


@dataclass(frozen=True)
class Cycle:
    """The letters and points of K rounds with step h, in floats; letter k < KE is the gradient at node k."""

    setting: Setting
    step: float
    rounds: int

    @property
    def nodes(self) -> int:
        return self.rounds * self.setting.E

    @property
    def heads(self) -> list[int]:
        """The broadcasts."""
        return [t * self.setting.E for t in range(self.rounds)]

    @property
    def letters(self) -> int:
        return self.nodes * (2 if self.setting.P_b else 1)

    @cached_property
    def weights(self) -> Array:
        """How much each letter of a round moves the round's end, divided by −h."""
        keep = 1 - self.step * float(self.setting.mu)
        one = np.array([keep ** (self.setting.E - 1 - e) for e in range(self.setting.E)])
        return np.tile(np.tile(one, self.rounds), self.letters // self.nodes)

    @cached_property
    def displacements(self) -> Array:
        """Row k: the coefficients of node k relative to its own broadcast."""
        keep, E = 1 - self.step * float(self.setting.mu), self.setting.E
        rows = np.zeros((self.nodes, self.letters))
        for node in range(self.nodes):
            for past in range(node - node % E, node):
                rows[node, past :: self.nodes] = -self.step * keep ** (node - 1 - past)
        return rows

    @cached_property
    def points(self) -> Array:
        """Row k: the coefficients of node k relative to x_0."""
        rows = self.displacements.copy()
        for node in range(self.nodes):
            for past in range(node - node % self.setting.E):
                rows[node, past :: self.nodes] += -self.step * self.weights[past]
        return rows

    @cached_property
    def closing(self) -> Array:
        """Mean letters as combinations of all of them but the last gradient, which x_K = x_0 eliminates."""
        last = self.nodes - 1
        matrix = np.delete(np.eye(self.letters), last, axis=1)
        matrix[last] = np.delete(-self.weights, last)
        return matrix

    @property
    def free(self) -> list[int]:
        """Letters with a deviation: at B = 1 the gradients at the broadcasts have none."""
        return [k for k in range(self.letters) if self.setting.B > 1 or k not in self.heads]


def widest_cycle(setting: Setting, step: float, rounds: int) -> tuple[float, GramCycle]:
    """The slack of the best cycle (negative: there is none) and its rounded matrices."""
    cycle = Cycle(setting, step, rounds)
    values = _program(cycle).solve()
    means, deviations = cycle.letters - 1, len(cycle.free)
    first = means * (means + 1) // 2
    second = first + deviations * (deviations + 1) // 2
    found = GramCycle(
        setting=setting,
        step=Fraction(step).limit_denominator(10**9),
        rounds=rounds,
        means=_rational_matrix(values[:first], means),
        deviations=_rational_matrix(values[first:second], deviations),
        values=tuple(_rational(v) for v in values[second:-1]),
    )
    return float(values[-1]), found


def _rational(value: float) -> Fraction:
    return Fraction(round(value * 10**DECIMALS), 10**DECIMALS)


def _rational_matrix(triangle: Array, size: int) -> tuple[tuple[Fraction, ...], ...]:
    matrix = [[Fraction(0)] * size for _ in range(size)]
    j, i = np.tril_indices(size)
    for value, row, column in zip(triangle, i, j, strict=True):
        entry = _rational(float(value) / (1.0 if row == column else 2**0.5))
        matrix[row][column] = matrix[column][row] = entry
    return tuple(tuple(row) for row in matrix)


def _program(cycle: Cycle) -> Program:
    """Unknown: both Gram matrices as triangles, the values, the slack t (to be maximised, at most 1)."""
    means, deviations = cycle.letters - 1, len(cycle.free)
    sizes = [means * (means + 1) // 2, deviations * (deviations + 1) // 2, cycle.nodes, 1]
    width = sum(sizes)
    fixed, slack = np.zeros((2, width)), np.eye(width)[-1:]
    fixed[0, 0] = 1.0  # |∇f(x_0)|² = 1
    fixed[1, sizes[0] + sizes[1]] = 1.0  # the value at x_0 is 0
    program = Program(-slack[0])
    program.add("Zero", fixed, np.array([1.0, 0.0]))
    program.add("Nonnegative", _inequalities(cycle))
    program.add("Nonnegative", slack, 1.0)
    program.add_gram(0, means, slack=-1)
    program.add_gram(sizes[0], deviations, slack=-1)
    return program


def _inequalities(cycle: Cycle) -> Array:
    """Rows −(inequality) + t ≤ 0: pairs, spread at the broadcasts, bias."""
    rows = [*_pair_rows(cycle), *_spread_rows(cycle), *_bias_rows(cycle)]
    means, spreads, values = (np.array(each) for each in zip(*rows, strict=True))
    reduced = cycle.closing.T @ means @ cycle.closing
    free = spreads[:, cycle.free][:, :, cycle.free]
    return np.hstack([-upper_triangles(reduced), -upper_triangles(free), -values, np.ones((len(rows), 1))])


def _pair_rows(cycle: Cycle) -> list[tuple[Array, Array, Array]]:
    theta, unit = float(cycle.setting.theta), np.eye(cycle.letters)
    rows = []
    for i, j in permutations(range(cycle.nodes), 2):
        mean, spread = (
            curvature_form(points[i] - points[j], unit[i], unit[j], theta)
            for points in (cycle.points, cycle.displacements)
        )
        rows.append((mean, spread, unit[i, : cycle.nodes] - unit[j, : cycle.nodes]))
    return rows


def _spread_rows(cycle: Cycle) -> list[tuple[Array, Array, Array]]:
    if cycle.setting.B == 1:
        return []
    unit, none = np.eye(cycle.letters), np.zeros(cycle.nodes)
    squares = [product(unit[head], unit[head]) for head in cycle.heads]
    return [(float(cycle.setting.B**2 - 1) * square, -square, none) for square in squares]


def _bias_rows(cycle: Cycle) -> list[tuple[Array, Array, Array]]:
    if not cycle.setting.P_b:
        return []
    unit, none, share = np.eye(cycle.letters), np.zeros(cycle.nodes), float(cycle.setting.P_b)
    forms = [
        share * product(unit[k], unit[k]) - product(unit[k + cycle.nodes], unit[k + cycle.nodes])
        for k in range(cycle.nodes)
    ]
    return [(form, form, none) for form in forms]


def least_cycle(setting: Setting, end: float, rounds: int, tolerance: float) -> GramCycle | None:
    """A proved cycle at a step up to `end`, close to the smallest one that has a cycle; else None."""
    if Cycle(setting, end, rounds).letters < 2:
        return None

    @cache
    def slack(step: float) -> float:
        return widest_cycle(setting, step, rounds)[0]

    try:
        if slack(end) <= 0:
            return None
        high, low = end, 0.9 * end
        while slack(low) > 0:
            high, low = low, 0.5 * low
            if low < 1e-9 * end:  # no solver that can be trusted finds cycles at every step
                return None
        return _first_proved(setting, root(slack, low, high, tolerance), rounds)
    except NoSolution:
        return None


def _first_proved(setting: Setting, step: float, rounds: int) -> GramCycle | None:
    """Close to the smallest step the slack is lost in rounding; a little above it is not."""
    for excess in (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2):
        slack, found = widest_cycle(setting, float(f"{step * (1 + excess):.7g}"), rounds)
        if slack > 0 and found.proves_impossible():
            return found
    return None
