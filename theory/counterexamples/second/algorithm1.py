"""Algorithm 1 once more, written from its text, for quadratic losses in exact numbers.

Every device keeps its own sketch and adds −γg to it after every local step (step 6); the server takes the
mean of the sketches (step 8), reads the median of the rows, and keeps the k largest coordinates (step 9).
"""

from dataclasses import dataclass
from fractions import Fraction
from statistics import median

ZERO = Fraction(0)
Numbers = list[Fraction]
Sketch = dict[tuple[int, int], Fraction]


@dataclass(frozen=True)
class Loss:
    """½ Σ_i steepness_i (w_i − lowest_i)², the loss of one device; or steep in one direction only."""

    steepness: tuple[Fraction, ...]
    lowest: tuple[Fraction, ...]
    direction: tuple[Fraction, ...] = ()

    def slope(self, w: Numbers) -> Numbers:
        away = [x - z for x, z in zip(w, self.lowest, strict=True)]
        return [
            sum((h * x for h, x in zip(row, away, strict=True)), ZERO) for row in self.second_derivatives()
        ]

    def second_derivatives(self) -> list[Numbers]:
        """The diagonal of the steepness, or steepness·uuᵀ/uᵀu for the direction u."""
        u, size = self.direction, range(len(self.lowest))
        if not u:
            return [[self.steepness[i] if i == j else ZERO for j in size] for i in size]
        return [[self.steepness[0] * u[i] * u[j] / squared(list(u)) for j in size] for i in size]


@dataclass(frozen=True)
class Setting:
    """What a run needs: losses, start, rates, and how gradients err (β = bias·∇, ζ given per round)."""

    losses: tuple[Loss, ...]
    start: tuple[Fraction, ...]
    rate: Fraction
    proximal: Fraction
    rounds: int
    epochs: int
    kept: int
    rows: int
    columns: int
    bias: Fraction = ZERO
    never_reset: bool = False


@dataclass(frozen=True)
class Path:
    """Broadcast points, the exact vectors behind the sketches, all models of the devices, and all −γg."""

    broadcast: list[Numbers]
    exact: list[Numbers]
    met: list[Numbers]
    moves: list[Numbers]


def mean(columns: list[Numbers]) -> Numbers:
    return [sum(values, ZERO) / len(columns) for values in zip(*columns, strict=True)]


def squared(v: Numbers) -> Fraction:
    return sum((x * x for x in v), ZERO)


def _insert(sketch: Sketch, v: Numbers, s: Setting) -> None:
    """v → S, with a hash of its own: no two coordinates meet while 3d ≤ columns."""
    for row in range(s.rows):
        for i, x in enumerate(v):
            cell = (row, (3 * i + 2 * row) % s.columns)
            sketch[cell] = sketch.get(cell, ZERO) + (x if (i * row) % 2 == 0 else -x)


def _unsketch(sketches: list[Sketch], s: Setting) -> Numbers:
    """U_k of the mean of the sketches."""
    read: Numbers = []
    for i in range(len(s.start)):
        cells = [(row, (3 * i + 2 * row) % s.columns) for row in range(s.rows)]
        signs = [1 if (i * row) % 2 == 0 else -1 for row in range(s.rows)]
        means = [sum((sk.get(cell, ZERO) for sk in sketches), ZERO) / len(sketches) for cell in cells]
        read.append(median([sign * value for sign, value in zip(signs, means, strict=True)]))
    dropped = sorted(range(len(read)), key=lambda i: (abs(read[i]), -i))[: len(read) - s.kept]
    return [ZERO if i in dropped else x for i, x in enumerate(read)]


def play(s: Setting, noise: tuple[Fraction, ...] = ()) -> Path:
    """`rounds` rounds from the start; ζ of round t is noise[t] on every coordinate."""
    sketches: list[Sketch] = [{} for _ in s.losses]
    behind = [list(s.start) for _ in s.losses]
    for sketch in sketches:
        _insert(sketch, list(s.start), s)
    path = Path([_unsketch(sketches, s)], [list(s.start)], [], [])
    for t in range(s.rounds):
        centre = path.broadcast[-1]
        for m, loss in enumerate(s.losses):
            if not s.never_reset:
                sketches[m], behind[m] = {}, list(centre)
                _insert(sketches[m], centre, s)
            moves = _local(s, loss, centre, noise[t] if noise else ZERO, path.met)
            path.moves.extend(moves)
            for move in moves:
                _insert(sketches[m], move, s)
                behind[m] = [a + b for a, b in zip(behind[m], move, strict=True)]
        path.broadcast.append(_unsketch(sketches, s))
        path.exact.append(mean(behind))
    return path


def _local(s: Setting, loss: Loss, centre: Numbers, zeta: Fraction, met: list[Numbers]) -> list[Numbers]:
    """−γg for each of the E steps on ℓ(w) + μ/2‖w − centre‖²."""
    w, moves = list(centre), []
    for _ in range(s.epochs):
        met.append(w)
        pull = [s.proximal * (x - c) for x, c in zip(w, centre, strict=True)]
        true = [a + b for a, b in zip(loss.slope(w), pull, strict=True)]
        moves.append([-s.rate * ((1 + s.bias) * g + zeta) for g in true])
        w = [x + move for x, move in zip(w, moves[-1], strict=True)]
    met.append(w)
    return moves


def slope_of_mean(s: Setting, w: Numbers) -> Numbers:
    """∇f(w), f the mean of the losses without the proximal term."""
    return mean([loss.slope(w) for loss in s.losses])


def left_side(s: Setting, points: list[Numbers]) -> Fraction:
    """(1/(T+1)) Σ_t ‖∇f(w_t)‖²."""
    return sum((squared(slope_of_mean(s, w)) for w in points), ZERO) / len(points)


def above_minimum(s: Setting, w: Numbers) -> Fraction:
    """f(w) − f(w*), from ∇f alone: f is quadratic with the mean steepness wherever ∇f may point."""
    steep = mean([list(loss.steepness) * (len(loss.direction) or 1) for loss in s.losses])
    return sum((g * g / (2 * a) for g, a in zip(slope_of_mean(s, w), steep, strict=True)), ZERO)
