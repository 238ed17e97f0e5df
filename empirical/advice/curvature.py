"""What a few Hessian-vector products tell about one point, and what the certificate makes of it.

L is the largest |eigenvalue| of the devices' Hessians, L_f that of their mean: at E = 1 the proof needs L_f
alone, if all devices take part. A round with n of them descends on the mean loss of these, whose curvature is
at most L, and averages the noise of n devices. Lanczos' method encloses L and L_f. Gradient differences
between devices, and mini-batch noise that does not grow with the gradient, are counted as absolute (G², σ²):
they cost accuracy, not stability, so B = 1.
Noise that does grow with the gradient (P_n) limits γ. It is the slope of the noise between two points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirical.constants.lanczos import STEPS, enclosure, lanczos
from empirical.constants.smoothness import curvature, spectral_norms
from empirical.observed.protocol import Model
from empirical.statistics.intervals import LEVEL
from fpsverify.rng import numpy_generator, torch_generator
from theory.facts import Known
from theory.rates.parameters import SMALLEST, Box, Parameters

REPLICATES, PROBES = 16, 8
LOOKS = 8  # enclosures that share the error of 5 %, at most: two points, devices and mean, from both ends


@dataclass(frozen=True)
class Look:
    """At round t: limits of L (or of L_f); mean over devices of ‖∇l_m‖² and of the noise of a mini-batch."""

    t: int
    L: tuple[float, float]
    gradient: float
    noise: float


@dataclass(frozen=True)
class Constants:
    """What the certificate is asked for; `mean` says that L is that of f alone."""

    L: float
    P_n: float
    mean: bool


def look(model: Model, w: Tensor, t: int, seed: int, noisy: bool, mean: bool) -> Look:
    """`mean`: the Hessian of f is looked at, else those of the devices."""
    W = w.expand(model.M, -1)
    delta = (1 - LEVEL) / (LOOKS * 2 * model.M)
    if mean:
        L = _mean_norm(model, W, seed, t, delta)
    else:
        low, high = spectral_norms(model, W, STEPS, delta, (seed, t, "advice"))
        L = (float(low.max()), float(high.max()))
    gradients = model.full_gradients(W).double()
    noise = _noise(model, W, gradients, seed, t) if noisy else 0.0
    return Look(t, L, float(gradients.square().sum(1).mean()), noise)


def trace(model: Model, w: Tensor, t: int, seed: int, largest: float) -> Known:
    """tr H of the mean loss from Gaussian probes z: X = mean of zᵀHz.

    For H without negative curvature below `largest` it is at most (√(aℓ/N) + √(X + aℓ/N))² with probability
    95 % (a = log 20); elsewhere that is a rule of thumb.
    """
    W, generator = w.expand(model.M, -1), torch_generator(seed, "trace", t)
    at = curvature(model, W)
    z = [torch.randn(model.d, generator=generator, dtype=torch.float64) for _ in range(PROBES)]
    seen = [float(v @ at(v.to(W.dtype).expand(model.M, -1)).double().mean(0)) for v in z]
    X, tail = max(float(np.mean(seen)), 0.0), math.log(20) * largest / PROBES
    return Known(X, 0.0, (math.sqrt(tail) + math.sqrt(X + tail)) ** 2)


def _mean_norm(model: Model, W: Tensor, seed: int, t: int, delta: float) -> tuple[float, float]:
    """Limits of the norm of the mean of the Hessians."""
    generator = torch_generator(seed, "lanczos", t, "mean loss")
    start = torch.randn(1, model.d, generator=generator, dtype=torch.float64)
    at = curvature(model, W)
    apply = lambda V: at(V.to(W.dtype).expand(model.M, -1)).double().mean(0)[None]  # noqa: E731
    alpha, beta = lanczos(apply, start, STEPS)
    return enclosure(alpha[0], beta[0], model.d, delta)


def _noise(model: Model, W: Tensor, gradients: Tensor, seed: int, t: int) -> float:
    """Mean over devices of E‖g − ∇l_m‖² of one mini-batch."""
    found = [
        model.gradients(W, numpy_generator(seed, "advice", t, i)).double() - gradients
        for i in range(REPLICATES)
    ]
    return float(torch.stack(found).square().sum(2).mean())


def relative_noise(looks: tuple[Look, ...]) -> float:
    """P_n: how much the noise falls with the gradient between the first and the last look."""
    first, last = looks[0], looks[-1]
    fall = first.gradient - last.gradient
    return max(0.0, (first.noise - last.noise) / fall) if fall > 0.01 * first.gradient else 0.0


def constants(looks: tuple[Look, ...], mean: bool, end: int) -> Constants:
    """The largest over the looks; `end` = 0: at the estimates, 1: at the upper ends."""
    L = max(each.L[end] for each in looks)
    return Constants(L, relative_noise(looks), mean)


def box(found: Constants, E: int, mu: float, n: int) -> Box | None:
    """The constants for a certificate; None where the curvature has no upper limit or nothing limits γ."""
    if not SMALLEST < found.L < math.inf or not np.isfinite(found.P_n):
        return None
    P_n = found.P_n if found.P_n > SMALLEST else 0.0
    return Box.point(Parameters(L=found.L, mu=mu, E=E, B=1.0, P_b=0.0, P_n=P_n, M=n))
