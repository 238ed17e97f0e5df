"""Lanczos' method for M symmetric operators at once, and an enclosure of their norms."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from fpsverify.errors import FpsError

STEPS = 24
ROUNDING = 2.0**-20  # relative; a Lanczos vector this small is rounding (the products are float32 at worst)


def lanczos(apply: Callable[[Tensor], Tensor], start: Tensor, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (M, q) and (M, q−1) of M tridiagonal matrices, with full reorthogonalisation."""
    M, d = start.shape
    steps = min(steps, d)
    basis = start.new_empty(M, steps + 1, d)
    basis[:, 0] = start / start.norm(dim=1, keepdim=True)
    alpha, beta = [], []
    for q in range(steps):
        u = apply(basis[:, q])
        if not bool(torch.isfinite(u).all()):
            raise FpsError("a Hessian-vector product is not finite")
        alpha.append((u * basis[:, q]).sum(1))
        for _ in range(2):  # twice is enough: what rounding leaves of the first pass is gone after the second
            u = u - _projection(basis[:, : q + 1], u)
        length = u.norm(dim=1)
        beta.append(length)
        basis[:, q + 1] = u / torch.where(length > 0, length, torch.ones_like(length))[:, None]
    return torch.stack(alpha, 1).numpy(), torch.stack(beta, 1)[:, :-1].numpy()


def _projection(rows: Tensor, u: Tensor) -> Tensor:
    """Of u (M, d) onto the space of orthonormal rows (M, q, d)."""
    return torch.bmm(torch.bmm(u[:, None], rows.transpose(1, 2)), rows)[:, 0]


def enclosure(alpha: np.ndarray, beta: np.ndarray, d: int, delta: float) -> tuple[float, float]:
    """Limits of the norm; see `smoothness.py` for the theorem and its probability 2δ of failure."""
    q = _invariant_after(alpha, beta)
    ritz = np.linalg.eigvalsh(
        np.diag(alpha[:q])  # pragma: no mutate: one triangle is read, and its signs do not matter
        + np.diag(beta[: q - 1], 1)
        + np.diag(beta[: q - 1], -1)
    )
    norm = float(max(ritz[-1], -ritz[0], 0.0))
    if q < len(alpha) or q == d:  # an invariant subspace, which a random start almost surely fills
        return norm, norm * (1 + ROUNDING)
    epsilon = (math.log(1.648 * math.sqrt(d) / delta) / (2 * q - 1)) ** 2
    if epsilon >= 0.5:
        return norm, math.inf
    return norm, norm + epsilon * float(ritz[-1] - ritz[0]) / (1 - 2 * epsilon)


def _invariant_after(alpha: np.ndarray, beta: np.ndarray) -> int:
    """Steps until the recurrence breaks down: later coefficients are rounding."""
    scale = np.abs(alpha).max() + (beta.max() if len(beta) else 0.0)
    small = np.flatnonzero(beta <= ROUNDING * scale)
    return int(small[0]) + 1 if len(small) else len(alpha)
