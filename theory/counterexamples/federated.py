"""Federated runs on quadratics in rational arithmetic: local proximal steps, sketch, top-k, broadcast.

Two readings of Algorithm 1's sketch are played. Literal: step 6 sketches w_t − γg with w_t the
broadcast vector of step 10. Persistent: the device's sketch keeps accumulating updates, so what top-k
drops stays in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from theory.counterexamples.exact_sketch import ExactSketch, Table, Vector, squared_norm, top_k
from theory.counterexamples.printed import PrintedParameters


def combine(scale: Fraction, v: Vector, w: Vector) -> Vector:
    """scale·v + w."""
    return tuple(scale * x + y for x, y in zip(v, w, strict=True))


def average(vectors: list[Vector]) -> Vector:
    return tuple(sum(column, Fraction(0)) / len(vectors) for column in zip(*vectors, strict=True))


@dataclass(frozen=True)
class Quadratic:
    """l(w) = ½ Σ_i curvature_i (w_i − centre_i)²."""

    curvature: Vector
    centre: Vector

    def gradient(self, w: Vector) -> Vector:
        return tuple(a * (x - z) for a, x, z in zip(self.curvature, w, self.centre, strict=True))

    def value(self, w: Vector) -> Fraction:
        return (
            sum(
                (a * (x - z) ** 2 for a, x, z in zip(self.curvature, w, self.centre, strict=True)),
                Fraction(0),
            )
            / 2
        )


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
        dimension = range(len(self.devices[0].centre))
        totals = [sum(device.curvature[i] for device in self.devices) for i in dimension]
        weighted = [sum(device.curvature[i] * device.centre[i] for device in self.devices) for i in dimension]
        return tuple(Fraction(v) / t for v, t in zip(weighted, totals, strict=True))

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


@dataclass(frozen=True)
class Run:
    """w_0, …, w_T as broadcast and before top-k, every local step, and the reading of the sketch."""

    broadcast: tuple[Vector, ...]
    before_top_k: tuple[Vector, ...]
    steps: tuple[LocalStep, ...]
    persistent: bool = False


Perturbation = Callable[[int, Vector], tuple[Vector, Vector]]  # (round, own gradient) → (β, ζ)


def exact_gradient(_: int, gradient: Vector) -> tuple[Vector, Vector]:
    zero = tuple(Fraction(0) for _ in gradient)
    return zero, zero


def local_steps(
    problem: Problem, q: PrintedParameters, t: int, m: int, x: Vector, perturb: Perturbation
) -> tuple[Vector, list[LocalStep]]:
    """E steps w ← w − γ(∇l_m(w) + μ(w − x) + β + ζ) of device m from the broadcast x."""
    w, steps = x, []
    for e in range(q.E):
        gradient = combine(q.mu, combine(Fraction(-1), x, w), problem.devices[m].gradient(w))
        step = LocalStep(t, m, e, w, gradient, *perturb(t, gradient))
        steps.append(step)
        w = combine(-q.gamma, step.stochastic_gradient, w)
    return w, steps


def simulate(
    problem: Problem,
    q: PrintedParameters,
    w_0: Vector,
    sketch: ExactSketch,
    perturb: Perturbation = exact_gradient,
    persistent: bool = False,
) -> Run:
    """T rounds of Algorithm 1 from w_0."""
    content: Table = sketch.add({}, w_0)
    exact, x = w_0, top_k(sketch.estimate(content), q.k)
    broadcast, before, steps = [x], [w_0], []
    for t in range(q.T):
        local = [local_steps(problem, q, t, m, x, perturb) for m in range(len(problem.devices))]
        update = combine(Fraction(-1), x, average([w for w, _ in local]))
        if not persistent:
            content, exact = sketch.add({}, x), x
        content, exact = sketch.add(content, update), combine(Fraction(1), update, exact)
        x = top_k(sketch.estimate(content), q.k)
        broadcast.append(x)
        before.append(exact)
        steps += [step for _, device_steps in local for step in device_steps]
    return Run(tuple(broadcast), tuple(before), tuple(steps), persistent)


def mean_squared_gradient(problem: Problem, points: tuple[Vector, ...]) -> Fraction:
    """(1/(T+1)) Σ_t ‖∇f(w_t)‖², the left side of (eq:main_thm)."""
    return sum((squared_norm(problem.gradient(w)) for w in points), Fraction(0)) / len(points)
