"""One round of FPS on a quadratic, seen in the table, for every learning rate near one that was computed.

E local proximal steps from x on ½⟨w−c, H_m(w−c)⟩ move a device by y_E, where

    y_{e+1} = (1 − γμ) y_e − γ H_m (x − c + y_e),   so   y_E = −γ Σ_{j<E} (I − γ(H_m + μ))^j H_m (x − c).

With W(γ) = mean_m γ Σ_{j<E} (I − γ(H_m + μ))^j H_m (for μ = 0: mean_m [I − (I − γH_m)^E]) and the mean
read-out of all coordinates, the error of the table follows s ← (I − K(γ)) s, K(γ) = S W(γ) Sᵀ / J. K is
symmetric: it is stable exactly if no eigenvalue of K exceeds 2 or is negative.

With P = I − γ₁(H_m + μ) and γ = rγ₁, I − γ(H_m + μ) = (1−r)I + rP. So the E tables S mean_m P^i H_m Sᵀv/J,
which E Hessian-vector products per device give at γ₁, give K(γ)v for all γ. For r in [0, 1] the weights
are those of Bernstein's polynomials: nothing cancels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirical.constants.lanczos import ROUNDING, lanczos
from empirical.sketch_space.table_operator import TableOperator

Products = Callable[[Tensor], Tensor]  # (M, d) → (M, d): row m is H_m V[m]


@dataclass(frozen=True)
class RoundOperator:
    """`products` are those of the devices' Hessians at one point."""

    table: TableOperator
    products: Products
    M: int
    E: int
    mu: float

    def parts(self, v: Tensor, gamma: float) -> Tensor:
        """(E, size): S mean_m P^i H_m Sᵀv/J for i < E, P = I − γ(H_m + μ)."""
        z = self.products(self.table.read(v).expand(self.M, -1))
        found = [self.table.sketch(z.mean(0))]
        for _ in range(self.E - 1):
            z = z - gamma * (self.products(z) + self.mu * z)
            found.append(self.table.sketch(z.mean(0)))
        return torch.stack(found)


def weights(E: int, r: float) -> np.ndarray:
    """c_i with Σ_{j<E} ((1−r)I + rP)^j = Σ_i c_i P^i."""
    return np.array([sum(math.comb(j, i) * (1 - r) ** (j - i) * r**i for j in range(i, E)) for i in range(E)])


@dataclass(frozen=True)
class Projection:
    """K(γ) on the space V that Lanczos' method built at γ₁: (V T_i Vᵀ) for the E parts T_i.

    Its extreme eigenvalues lie inside the spectrum of K(γ), whatever γ is. `size` is the number of table
    entries; `full` says that V holds all that the random start can reach.
    """

    gamma: float
    parts: np.ndarray
    steps: int
    size: int
    full: bool

    def ends(self, gamma: float) -> tuple[float, float]:
        """Smallest and largest Ritz value at γ."""
        c = weights(len(self.parts), gamma / self.gamma)
        G = gamma * np.tensordot(c, self.parts, 1)
        ritz = np.linalg.eigvalsh((G + G.T) / 2)
        return float(ritz[0]), float(ritz[-1])

    def slack(self, delta: float) -> float:
        """ε/(1 − 2ε): at γ₁ the largest eigenvalue is at most θ_max + slack·(θ_max − θ_min), except with
        probability 2δ over the random start (the theorem of `smoothness.py`).
        """
        if self.full:
            return ROUNDING
        epsilon = (math.log(1.648 * math.sqrt(self.size) / delta) / (2 * self.steps - 1)) ** 2
        return epsilon / (1 - 2 * epsilon) if epsilon < 0.5 else math.inf


def project(operator: RoundOperator, gamma: float, start: Tensor, steps: int) -> Projection:
    """Lanczos' method on K(γ) from a random start; costs `steps`·E products per device."""
    vectors: list[Tensor] = []
    tables: list[Tensor] = []

    def apply(V: Tensor) -> Tensor:
        vectors.append(V[0])
        tables.append(operator.parts(V[0], gamma))
        return gamma * tables[-1].sum(0)[None]

    alpha, beta = lanczos(apply, start[None], steps)
    q = reached(alpha[0], beta[0])
    V, T = torch.stack(vectors[:q]), torch.stack(tables[:q], 1)
    parts = torch.einsum("pn,iqn->ipq", V, T).numpy()
    size = start.numel()
    return Projection(gamma, parts, q, size, q < len(alpha[0]) or q == size)


def reached(alpha: np.ndarray, beta: np.ndarray) -> int:
    """Steps until the recurrence breaks down: later vectors are rounding."""
    scale = np.abs(alpha).max() + (beta.max() if len(beta) else 0.0)
    small = np.flatnonzero(beta <= ROUNDING * scale)
    return int(small[0]) + 1 if len(small) else len(alpha)
