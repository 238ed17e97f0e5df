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
from functools import cached_property

import numpy as np

from theory.rates.descent.letters import Array
from theory.rates.descent.setting import Setting
from theory.rates.descent.solve import NoSolution, Program, run_clarabel, upper_triangles
from theory.rates.limits.cycle_check import GramCycle
from theory.rates.root import root

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
    values = run_clarabel(_program(cycle))
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
    program = Program(np.zeros(width), [], [], [])
    program.cost[-1] = -1.0
    fixed = np.zeros((2, width))
    fixed[0, 0] = 1.0  # |∇f(x_0)|² = 1
    fixed[1, sizes[0] + sizes[1]] = 1.0  # the value at x_0 is 0
    _append(program, "zero", fixed, np.array([1.0, 0.0]))
    forms = _inequalities(cycle, width)
    _append(program, "nonnegative", forms, np.zeros(len(forms)))
    cap = np.zeros((1, width))
    cap[0, -1] = 1.0
    _append(program, "nonnegative", cap, np.ones(1))
    _append_matrix(program, 0, means, width)
    _append_matrix(program, sizes[0], deviations, width)
    return program


def _append(program: Program, cone: str, rows: Array, right: Array) -> None:
    program.rows.append(rows)
    program.right.append(right)
    program.cones.append((cone, len(right)))


def _append_matrix(program: Program, start: int, size: int, width: int) -> None:
    """Gram matrix − t·I ⪰ 0."""
    if size:
        count = size * (size + 1) // 2
        rows = np.zeros((count, width))
        rows[:, start : start + count] = -np.eye(count)
        rows[:, -1] = upper_triangles(np.eye(size)[None])[0]
        program.rows.append(rows)
        program.right.append(np.zeros(count))
        program.cones.append(("semidefinite", size))


def _inequalities(cycle: Cycle, width: int) -> Array:
    """Rows −(inequality) + t ≤ 0: pairs, spread at the broadcasts, bias."""
    rows = [*_pair_rows(cycle), *_spread_rows(cycle), *_bias_rows(cycle)]
    forms = np.array(
        [np.concatenate([*_triangles(cycle, mean, spread), value]) for mean, spread, value in rows]
    )
    return np.hstack([-forms, np.ones((len(rows), 1))])


def _triangles(cycle: Cycle, mean: Array, spread: Array) -> list[Array]:
    reduced = cycle.closing.T @ mean @ cycle.closing
    free = spread[np.ix_(cycle.free, cycle.free)]
    return [upper_triangles(form[None])[0] for form in (reduced, free)]


def _outer(a: Array, b: Array) -> Array:
    return (np.outer(a, b) + np.outer(b, a)) / 2


def _pair_rows(cycle: Cycle) -> list[tuple[Array, Array, Array]]:
    theta, unit = float(cycle.setting.theta), np.eye(cycle.letters)
    rows = []
    for i in range(cycle.nodes):
        for j in range(cycle.nodes):
            if i == j:
                continue
            forms = []
            for points in (cycle.points, cycle.displacements):
                dx, dg = points[i] - points[j], unit[i] - unit[j]
                curved = _outer(dg, dg) - theta * _outer(dx, dx) + 2 * theta * _outer(dg, dx)
                forms.append(-_outer(unit[j], dx) - curved / (2 * (1 + theta)))
            value = np.zeros(cycle.nodes)
            value[i], value[j] = 1.0, -1.0
            rows.append((forms[0], forms[1], value))
    return rows


def _spread_rows(cycle: Cycle) -> list[tuple[Array, Array, Array]]:
    if cycle.setting.B == 1:
        return []
    unit, none = np.eye(cycle.letters), np.zeros(cycle.nodes)
    squares = [_outer(unit[head], unit[head]) for head in cycle.heads]
    return [(float(cycle.setting.B**2 - 1) * square, -square, none) for square in squares]


def _bias_rows(cycle: Cycle) -> list[tuple[Array, Array, Array]]:
    if not cycle.setting.P_b:
        return []
    unit, none, share = np.eye(cycle.letters), np.zeros(cycle.nodes), float(cycle.setting.P_b)
    forms = [
        share * _outer(unit[k], unit[k]) - _outer(unit[k + cycle.nodes], unit[k + cycle.nodes])
        for k in range(cycle.nodes)
    ]
    return [(form, form, none) for form in forms]


def least_cycle(setting: Setting, end: float, rounds: int, tolerance: float) -> GramCycle | None:
    """A proved cycle at a step up to `end`, close to the smallest one that has a cycle; else None."""
    if Cycle(setting, end, rounds).letters < 2:
        return None

    def slack(step: float) -> float:
        return widest_cycle(setting, step, rounds)[0]

    try:
        if slack(end) <= 0:
            return None
        high, low = end, 0.9 * end
        while slack(low) > 0:
            high, low = low, 0.7 * low
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
