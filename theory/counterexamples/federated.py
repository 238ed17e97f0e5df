"""Federated runs on quadratics in rational arithmetic: local proximal steps, sketch, top-k, broadcast.

Two readings of Algorithm 1's sketch are played. Literal: step 6 sketches w_t − γg with w_t the
broadcast vector of step 10. Persistent: the device's sketch keeps accumulating updates, so what top-k
drops stays in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from theory.counterexamples.exact_sketch import ExactSketch, Table, Vector, squared_norm, top_k
from theory.counterexamples.printed import PrintedParameters
from theory.errors import InvalidParameter


def combine(scale: Fraction, v: Vector, w: Vector) -> Vector:
    """scale·v + w."""
    return tuple(scale * x + y for x, y in zip(v, w, strict=True))


def inner(v: Vector, w: Vector) -> Fraction:
    return sum((x * y for x, y in zip(v, w, strict=True)), Fraction(0))


def average(vectors: list[Vector]) -> Vector:
    return tuple(sum(column, Fraction(0)) / len(vectors) for column in zip(*vectors, strict=True))


@dataclass(frozen=True)
class Quadratic:
    """l(w) = ½ Σ_i curvature_i (w_i − centre_i)²; `along` a vector a, ½ curvature_1 ⟨a, w − centre⟩²/‖a‖²."""

    curvature: Vector
    centre: Vector
    along: Vector = ()

    def gradient(self, w: Vector) -> Vector:
        away = combine(Fraction(-1), self.centre, w)
        if not self.along:
            return tuple(a * x for a, x in zip(self.curvature, away, strict=True))
        share = self.curvature[0] * inner(self.along, away) / squared_norm(self.along)
        return tuple(share * a for a in self.along)

    def value(self, w: Vector) -> Fraction:
        """½⟨∇l(w), w − centre⟩, because l is quadratic and 0 at its centre."""
        return inner(self.gradient(w), combine(Fraction(-1), self.centre, w)) / 2


@dataclass(frozen=True)
class Problem:
    """f = mean of the devices' losses."""

    devices: tuple[Quadratic, ...]

    def gradient(self, w: Vector) -> Vector:
        return average([device.gradient(w) for device in self.devices])

    def value(self, w: Vector) -> Fraction:
        return sum((device.value(w) for device in self.devices), Fraction(0)) / len(self.devices)

    def minimiser(self) -> Vector:
        """Where Σ_m a_m(w − z_m) = 0, coordinate by coordinate (the summed curvature is positive)."""
        if any(device.along for device in self.devices):
            return self._common_centre()
        dimension = range(len(self.devices[0].centre))
        totals = [sum(device.curvature[i] for device in self.devices) for i in dimension]
        weighted = [sum(device.curvature[i] * device.centre[i] for device in self.devices) for i in dimension]
        return tuple(Fraction(v) / t for v, t in zip(weighted, totals, strict=True))

    def _common_centre(self) -> Vector:
        if any(device != self.devices[0] for device in self.devices):
            raise InvalidParameter(
                "devices", self.devices, "like devices, where one is curved along a vector"
            )
        return self.devices[0].centre

    def gap(self, w: Vector) -> Fraction:
        """f(w) − f(w*)."""
        return self.value(w) - self.value(self.minimiser())


@dataclass(frozen=True)
class LocalStep:
    """One local step of one device: where it was, its own gradient, bias and noise."""

    round: int
    device: int
    step: int
    iterate: Vector
    gradient: Vector
    beta: Vector
    zeta: Vector

    @property
    def stochastic_gradient(self) -> Vector:
        return combine(Fraction(1), combine(Fraction(1), self.gradient, self.beta), self.zeta)

    def after(self, gamma: Fraction) -> Vector:
        """The model that the device holds after this step."""
        return combine(-gamma, self.stochastic_gradient, self.iterate)


@dataclass(frozen=True)
class Run:
    """w_0, …, w_T as broadcast and before top-k, every local step, and the reading of the sketch."""

    broadcast: tuple[Vector, ...]
    before_top_k: tuple[Vector, ...]
    steps: tuple[LocalStep, ...]
    persistent: bool = False

    @property
    def readings(self) -> tuple[tuple[Vector, ...], tuple[Vector, ...]]:
        """Both readings of w_t."""
        return self.broadcast, self.before_top_k


NoiseLaw = tuple[tuple[Fraction, Vector], ...]  # (probability, value of ζ), the same in every round
NO_NOISE: NoiseLaw = ((Fraction(1), ()),)


def local_steps(
    problem: Problem, q: PrintedParameters, t: int, m: int, x: Vector, bias: Fraction, zeta: Vector
) -> tuple[Vector, list[LocalStep]]:
    """E steps w ← w − γ(∇l_m(w) + μ(w − x) + β + ζ) of device m from the broadcast x; β = bias·∇."""
    w, steps = x, []
    for e in range(q.E):
        gradient = combine(q.mu, combine(Fraction(-1), x, w), problem.devices[m].gradient(w))
        step = LocalStep(t, m, e, w, gradient, tuple(bias * g for g in gradient), zeta)
        steps.append(step)
        w = step.after(q.gamma)
    return w, steps


def simulate(
    problem: Problem,
    q: PrintedParameters,
    w_0: Vector,
    sketch: ExactSketch,
    bias: Fraction = Fraction(0),
    persistent: bool = False,
    noise: Sequence[Vector] = (),
) -> Run:
    """T rounds of Algorithm 1 from w_0; `noise` has one ζ for each round, or nothing."""
    content: Table = sketch.add({}, w_0)
    zero = tuple(Fraction(0) for _ in w_0)
    exact, x = w_0, top_k(sketch.estimate(content), q.k)
    broadcast, before, steps = [x], [w_0], []
    for t in range(q.T):
        zeta = (noise[t] if noise else ()) or zero
        local = [local_steps(problem, q, t, m, x, bias, zeta) for m in range(len(problem.devices))]
        update = combine(Fraction(-1), x, average([w for w, _ in local]))
        if not persistent:
            content, exact = sketch.add({}, x), x
        content, exact = sketch.add(content, update), combine(Fraction(1), update, exact)
        x = top_k(sketch.estimate(content), q.k)
        broadcast.append(x)
        before.append(exact)
        steps += [step for _, device_steps in local for step in device_steps]
    return Run(tuple(broadcast), tuple(before), tuple(steps), persistent)


def outcomes(
    problem: Problem,
    q: PrintedParameters,
    w_0: Vector,
    sketch: ExactSketch,
    law: NoiseLaw = NO_NOISE,
    bias: Fraction = Fraction(0),
    persistent: bool = False,
) -> list[tuple[Fraction, Run]]:
    """Every sequence of noise of the law: its probability and its run."""
    found = []
    for sequence in product(law, repeat=q.T):
        run = simulate(problem, q, w_0, sketch, bias, persistent, [value for _, value in sequence])
        found.append((prod((p for p, _ in sequence), start=Fraction(1)), run))
    return found


def mean_squared_gradient(problem: Problem, points: tuple[Vector, ...]) -> Fraction:
    """(1/(T+1)) Σ_t ‖∇f(w_t)‖², the left side of (eq:main_thm)."""
    return sum((squared_norm(problem.gradient(w)) for w in points), Fraction(0)) / len(points)
