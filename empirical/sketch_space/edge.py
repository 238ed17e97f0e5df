"""The edge in sketch space: the learning rate at which a run with its own hash stops being stable.

    K(γ) = S W(γ) Sᵀ/J,   W(γ) = mean_m γ Σ_{j<E} (I − γ(H_m + μ))^j H_m,   edge: λ_max(K(γ)) = 2

At E = 1 it is 2/L_A, L_A = λ_max(S H Sᵀ)/J. It is exact for quadratics with the mean read-out and k = d; for
other losses, the median or k < d it is a measured rule of thumb. What is stable is the table: only at E = 1
is the loss proved to fall below the edge (Corollary B2). H_m are the devices' Hessians at the start
and at sampled iterates of the run; the smallest edge counts. Between those rounds nothing is known.

Cost: about 24 Hessian-vector products per device and point at E = 1, and about 24·E for each of the three to
six γ that are tried at E > 1. Memory: some 50 tables of J·b numbers (E times that at E > 1) and vectors
of length d; no matrix of d by J·b.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from empirical.constants.lanczos import STEPS
from empirical.constants.smoothness import curvature
from empirical.facts import of_config
from empirical.observed.protocol import Evidence, Iterate, Model
from empirical.observed.recorded import evenly
from empirical.sketch_space.crossing import Crossing, crossing
from empirical.sketch_space.round_operator import Products, RoundOperator
from empirical.sketch_space.table_operator import operator_of
from empirical.statistics.intervals import LEVEL
from fpsverify.errors import FpsError
from fpsverify.rng import torch_generator
from theory.facts import lacking
from theory.theorems import EXACT_EDGE

LABEL = "exact for quadratics with the mean read-out and k = d; measured otherwise"
POINTS = 4
ENCLOSURES = 8  # at one point, at most: six of the largest eigenvalue, two of the devices' curvature


@dataclass(frozen=True)
class Edge:
    """low ≤ gamma ≤ high at the points looked at; `t` is the round of the smallest gamma.

    `low` fails with probability at most 5 % over all points. `high` is unstable up to rounding. `exact` says
    that this run is a quadratic with the mean read-out and k = d. `products` counts Hessian-vector products
    (of all devices at once).
    """

    gamma: float
    low: float
    high: float
    t: int
    label: str
    exact: bool
    cause: str
    indefinite: bool
    products: int
    looks: tuple[tuple[int, Crossing], ...]


def edge(evidence: Evidence, points: int = POINTS, steps: int = STEPS) -> Edge:
    """The smallest edge over the start and evenly spaced iterates, `points` of them (at least 3)."""
    chosen = points_of(evidence, points)
    delta, counter = (1 - LEVEL) / (2 * ENCLOSURES * len(chosen)), [0]
    looks: tuple[tuple[int, Crossing], ...] = ()
    for it in chosen:
        guess = 1.05 * looks[-1][1].gamma if looks and math.isfinite(looks[-1][1].gamma) else None
        looks += ((it.t, _at(evidence, it, delta, steps, guess, counter)),)
    t, worst = min(looks, key=lambda look: look[1].gamma)
    low = min(look.low for _, look in looks)
    why = _not_exact(evidence)
    return Edge(
        gamma=worst.gamma,
        low=low,
        high=min(look.high for _, look in looks),
        t=t,
        label=_label(why, worst),
        exact=not why,
        cause=worst.cause,
        indefinite=worst.indefinite,
        products=counter[0],
        looks=looks,
    )


def points_of(evidence: Evidence, points: int = POINTS) -> list[Iterate]:
    """Where the edge is looked at."""
    iterates = sorted(evidence.iterates, key=lambda it: it.t)
    return [iterates[i] for i in evenly(len(iterates), points)]


def _at(
    evidence: Evidence, iterate: Iterate, delta: float, steps: int, guess: float | None, counter: list[int]
) -> Crossing:
    table, model = operator_of(evidence), evidence.model
    operator = RoundOperator(table, _products(model, iterate.w, counter), model.M, evidence.E, evidence.mu)
    generator = torch_generator(evidence.seed, "sketch edge", iterate.t)
    draw = lambda: torch.randn(table.size, generator=generator, dtype=torch.float64)  # noqa: E731
    return crossing(operator, draw, delta, steps, guess)


def _products(model: Model, w: Tensor, counter: list[int]) -> Products:
    at = curvature(model, w.expand(model.M, -1))

    def apply(V: Tensor) -> Tensor:
        counter[0] += 1
        found = at(V.to(w.dtype)).double()
        if not bool(torch.isfinite(found).all()):
            raise FpsError("a Hessian-vector product is not finite")
        return found

    return apply


NOT_EXACT = {
    "quadratic": "the loss is not known to be quadratic",
    "mean read-out": "the median is read out",
    "k = d": "not all coordinates are read out (k < d)",
    "kept table": "the sketch is re-synchronised, or local steps are unsketched one by one",
}


def _not_exact(evidence: Evidence) -> tuple[str, ...]:
    """Which conditions of an exact edge this run does not meet."""
    return lacking(of_config(evidence.config, d=evidence.d, E=evidence.E), EXACT_EDGE)[0]


def _label(why: tuple[str, ...], worst: Crossing) -> str:
    reasons = ", ".join(NOT_EXACT[name] for name in why)
    here = f"measured and not proved here, because {reasons}" if why else "exact here"
    if worst.indefinite:
        here += "; the loss also curves downwards there and falls along it: only overshooting is counted"
    return f"{LABEL}; {here}"


def coarse_edge(evidence: Evidence, largest_curvature: float, points: int = POINTS) -> Edge:
    """A γ below the edge at the same points for a fraction of its cost: min(2/(E L_A), 2/(h + μ)).

    1 − (1 − x)^E ≤ Ex for 0 ≤ x ≤ 2 (Bernoulli), so W(γ) ≤ γE·mean_m H_m while no local step overshoots.
    """
    one, E = edge(replace(evidence, E=1), points), evidence.E
    cap = 2 / (largest_curvature + evidence.mu)
    label = f"a lower limit of the edge for E = {E}: 2/(E L_A), or 2/L if smaller; {one.label}"
    return replace(
        one, gamma=min(one.gamma / E, cap), low=min(one.low / E, cap), high=math.inf, label=label, exact=False
    )
