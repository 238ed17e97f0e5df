"""L: the largest |eigenvalue| of the devices' Hessians along the run, and the smallest L the trajectory
allows.

The theory uses L at broadcasts, on the devices' local paths and between v_t and w̃_t. So at every sampled
round Lanczos looks at w̃_t, at the devices' last local iterates and at v_t (where kept), for every device;
the quotients of gradient differences (`kinks.py`) cover the segments between these points. Rounds that were
not sampled lie between sampled ones: `unseen.py` gives the upper end for them.

At one point: Lanczos from a random start gives Ritz values θ_min, θ_max inside the spectrum. With q steps and
probability at least 1 − 1.648 √d exp(−√ε (2q−1)) (Kuczyński and Woźniakowski 1992, for the matrix shifted
to be positive semidefinite, from either end), each end of the spectrum is within ε·(λ_max − λ_min) of its
Ritz value. So λ_max − λ_min ≤ (θ_max − θ_min)/(1 − 2ε) =: s, and |λ| ≤ max(θ_max, −θ_min) + ε s: an
enclosure, not an asymptotic interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirical.constants.kinks import Kink, search
from empirical.constants.lanczos import ROUNDING, STEPS, enclosure, lanczos
from empirical.observed.protocol import Evidence, Iterate, Model
from empirical.observed.replicates import Tick, local_iterates
from empirical.statistics import unseen
from empirical.statistics.intervals import LEVEL, Interval
from fpsverify.rng import torch_generator


@dataclass(frozen=True)
class Look:
    """Limits of the largest |eigenvalue| over devices at one kind of point of round t."""

    t: int
    kind: str
    low: float
    high: float


@dataclass(frozen=True)
class Smoothness:
    """`pairs`: no smaller L is possible on the segments looked at. `kink`: where the gradient jumps, if it
    does.
    """

    looks: tuple[Look, ...]
    pairs: float
    pair_count: int
    kink: Kink | None
    T: int

    def of_kind(self, kind: str) -> tuple[np.ndarray, np.ndarray]:
        """Rounds and upper limits."""
        found = [(look.t, look.high) for look in self.looks if look.kind == kind]
        return np.array([t for t, _ in found]), np.array([high for _, high in found])

    @property
    def kinds(self) -> list[str]:
        return sorted({look.kind for look in self.looks})

    @property
    def rounds(self) -> list[tuple[int, float, float]]:
        """(t, low, high) of the largest over all kinds of points."""
        at = sorted({look.t for look in self.looks})
        here = [[look for look in self.looks if look.t == t] for t in at]
        return [(t, max(x.low for x in xs), max(x.high for x in xs)) for t, xs in zip(at, here, strict=True)]

    @property
    def L(self) -> Interval:
        """The largest Ritz value or quotient of a pair seen, less what rounding may have added to it; upper
        end for all rounds of the run.
        """
        low = max(self.pairs, *(look.low for look in self.looks))
        high = max(self.pairs, *(self._upper(kind) for kind in self.kinds))
        return Interval(low, low * (1 - ROUNDING), high, self._method())

    def _upper(self, kind: str) -> float:
        """Half of the error is Lanczos', half that of the rounds between."""
        t, high = self.of_kind(kind)
        if not np.all(np.isfinite(high)):
            return math.inf
        return unseen.largest(t, high, self.T, 1 - (1 - LEVEL) / 2 / len(self.kinds)).high

    def _method(self) -> str:
        seen, kinds = len({look.t for look in self.looks}), ", ".join(self.kinds)
        at = f"largest Hessian eigenvalue (Lanczos) at {seen} of {self.T + 1} rounds ({kinds}), and "
        at += f"{self.pair_count} lines between points of the run"
        return at if seen == self.T + 1 else f"{at}; upper end for all rounds"


def measure(evidence: Evidence, tick: Tick, steps: int = STEPS) -> Smoothness:
    """For all devices; together the enclosures fail with probability ≤ 2.5 %."""
    points = [(it.t, kind, W) for it in evidence.iterates for kind, W in _points(evidence, it).items()]
    tails = (1 - LEVEL) / 4 / (len(points) * evidence.model.M)
    looks = []
    for t, kind, W in points:
        tick(f"Hessian at round {t}, {kind}")
        low, high = spectral_norms(evidence.model, W, steps, tails, (evidence.seed, t, kind))
        looks.append(Look(t, kind, float(low.max()), float(high.max())))
    tick("segments between iterates")
    return Smoothness(tuple(looks), *smallest_from_pairs(evidence), evidence.T)


def _points(evidence: Evidence, iterate: Iterate) -> dict[str, Tensor]:
    """(M, d) each: the broadcast, the devices' last local iterates, and v_t as a point of the model's
    space.
    """
    M = evidence.model.M
    points = {"broadcast": iterate.w.expand(M, -1)}
    if evidence.E > 1:
        points["local"] = local_iterates(evidence, iterate, evidence.E - 1)
    if iterate.exact is not None:
        points["v_t"] = iterate.exact.expand(M, -1)
    return points


def spectral_norms(
    model: Model, W: Tensor, steps: int, delta: float, name: tuple[int, int, str]
) -> tuple[np.ndarray, np.ndarray]:
    """Enclosures (low, high) of ‖∇²l_m(W[m])‖ for each device, each failing with probability ≤ 2δ."""
    seed, t, kind = name
    start = torch.randn(W.shape, generator=torch_generator(seed, "lanczos", t, kind), dtype=torch.float64)
    at = curvature(model, W)
    alpha, beta = lanczos(lambda V: at(V.to(W.dtype)).double(), start, steps)
    found = [enclosure(alpha[m], beta[m], model.d, delta) for m in range(model.M)]
    return np.array([f[0] for f in found]), np.array([f[1] for f in found])


def curvature(model: Model, W: Tensor) -> Callable[[Tensor], Tensor]:
    """V ↦ ∇²l_m(W_m)V_m, by the model itself or by central differences of its full gradients."""
    if (at := getattr(model, "curvature_at", None)) is not None:
        found: Callable[[Tensor], Tensor] = at(W)
        return found
    if (own := getattr(model, "hessian_vector_products", None)) is not None:
        return lambda V: own(W, V)
    # Step: (machine epsilon)^{1/3} balances truncation and rounding of a central difference.
    h = torch.finfo(W.dtype).eps ** (1 / 3) * max(1.0, float(W.norm(dim=1).max()))
    return lambda V: (model.full_gradients(W + h * V) - model.full_gradients(W - h * V)) / (2 * h)


def smallest_from_pairs(evidence: Evidence) -> tuple[float, int, Kink | None]:
    """Largest ‖Δ∇l_m‖/‖Δw‖ on segments of the run, their number, and the first kink.

    Each segment is halved towards its steepest part; where that ends in a jump there is no L to find, and
    only
    the whole segments count.
    """
    found = search(evidence)
    kinks = [z.kink for z in found if z.kink is not None]
    largest = max((z.whole if z.kink else max(z.whole, z.steepest) for z in found), default=0.0)
    return largest, len(found), max(kinks, key=lambda k: k.jump) if kinks else None
