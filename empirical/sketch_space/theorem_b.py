"""Theorem B against a run with E = 1: its bound with measured ρ, in the norm of the run's own table.

x_t = Sᵀs_t/J is what the mean would read out of the table. ρ² is the mean of ‖∇f(x_t) − ∇f(w̃_t)‖_A² over the
sampled rounds, which stands for that over all rounds. The mini-batch noise enters through
N = ν λ_max(A) (P_n D² + σ²).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirical.constants.lanczos import STEPS, enclosure, lanczos
from empirical.facts import of_config
from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.run_models import DenseModel
from empirical.sketch_space.table_operator import TableOperator, operator_of
from fpsverify.rng import torch_generator
from theory.bounds.terms import corollary_b1
from theory.facts import Known
from theory.theorems import decide, named

FAILURE = 0.01


@dataclass(frozen=True)
class Seen:
    """‖∇f(w̃_t)‖_A² and ‖∇f(x_t) − ∇f(w̃_t)‖_A² at the sampled rounds."""

    gradient: np.ndarray
    moved: np.ndarray


WHY = {
    "one step": "it is for E = 1",
    "kept sketch": "the run has no persistent sketch",
    "kept table": "the run has no persistent sketch",
    "vectors kept": "the run kept no v_t",
    "dense data": "the data are sparse",
    "finite noise": "the noise has no upper limit",
    "edge": "nothing curves",
}


def why_not(evidence: Evidence, edge: float | None, noise: float) -> str:
    """Why Corollary B1 does not speak of this run; empty if it does."""
    seen = {
        "vectors kept": all(it.stored is not None for it in evidence.iterates),
        "dense data": isinstance(evidence.model, DenseModel),
        "finite noise": math.isfinite(noise),
    }
    facts = replace(
        of_config(evidence.config, d=evidence.d, E=evidence.E),
        edge=None if edge is None else Known(edge, edge, edge),
        shown=seen,
    )
    missing = named(decide(facts, only=("Corollary B1",)), "Corollary B1").missing
    return WHY[missing[0]] if missing else ""


def measure(evidence: Evidence, table: TableOperator) -> Seen:
    pairs = [_at(evidence, table, it) for it in evidence.iterates]
    return Seen(np.array([a for a, _ in pairs]), np.array([b for _, b in pairs]))


def _at(evidence: Evidence, table: TableOperator, iterate: Iterate) -> tuple[float, float]:
    assert iterate.stored is not None and iterate.exact is not None
    origin = iterate.exact.double() - iterate.stored.double()
    x = origin + table.read(table.sketch(iterate.stored))
    here, there = (_gradient(evidence, point) for point in (iterate.w, x.to(iterate.w.dtype)))
    return _squared(table, here), _squared(table, there - here)


def _gradient(evidence: Evidence, w: Tensor) -> Tensor:
    return evidence.model.full_gradients(w.expand(evidence.model.M, -1)).double().mean(0)


def _squared(table: TableOperator, g: Tensor) -> float:
    return float(table.sketch(g).square().sum()) / table.rows


def largest_eigenvalue(table: TableOperator, seed: int) -> float:
    """An upper limit of λ_max(A), by Lanczos' method in the table."""
    generator = torch_generator(seed, "largest eigenvalue of the sketch")
    start = torch.randn(1, table.size, generator=generator, dtype=torch.float64)
    alpha, beta = lanczos(lambda V: table.sketch(table.read(V[0]))[None], start, STEPS)
    return enclosure(alpha[0], beta[0], table.size, FAILURE)[1]


def theorem_b(evidence: Evidence, Delta: float, edge: float | None, noise: float) -> dict[str, Any]:
    """`edge` is at most 2/L_A, `noise` at least ν(P_n D² + σ²). Plain values."""
    reason = why_not(evidence, edge, noise)
    if reason or edge is None:
        return {"total": None, "measured": None, "why_not": reason}
    table = operator_of(evidence)
    seen = measure(evidence, table)
    values = {
        "u": 2 * evidence.gamma / edge,
        "rho2": float(seen.moved.mean()),
        "N": noise * largest_eigenvalue(table, evidence.seed) if noise else 0.0,
    }
    total = corollary_b1(**values, Delta=Delta, gamma=evidence.gamma, T=evidence.T)
    why = "" if total is not None else f"gamma is beyond the edge of stability ({edge:.4g})"
    return {"total": total, "measured": float(seen.gradient.mean()), "why_not": why, **values}
