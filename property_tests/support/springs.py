"""A user's model whose constants are all known, and the evidence of a run on it."""

from dataclasses import dataclass

import torch

from empirical.observed.protocol import Evidence, Iterate


@dataclass(frozen=True)
class Springs:
    """l_m(w) = ½‖w − c_m‖²·L with Gaussian gradient noise of energy P_n‖∇l_m‖² + σ²: all constants known."""

    centres: torch.Tensor
    L: float = 2.0
    P_n: float = 0.25
    sigma2: float = 1.5

    @property
    def d(self):
        return self.centres.shape[1]

    @property
    def M(self):
        return self.centres.shape[0]

    def loss(self, w):
        return float(0.5 * self.L * (w - self.centres).square().sum(1).mean())

    def full_gradients(self, W):
        return self.L * (W - self.centres)

    def gradients(self, W, generator):
        g = self.full_gradients(W)
        scale = ((self.P_n * g.square().sum(1) + self.sigma2) / self.d).sqrt()
        return g + scale[:, None] * torch.from_numpy(generator.standard_normal(tuple(W.shape)))


class Kinked(Springs):
    """Adds ‖w − c_m‖₁: the gradient jumps wherever a coordinate passes that of c_m."""

    def full_gradients(self, W):
        return super().full_gradients(W) + (W - self.centres).sign()


def springs_evidence(model, points=6):
    generator = torch.Generator().manual_seed(1)
    direction = torch.randn(model.d, generator=generator, dtype=torch.float64)
    iterates = tuple(Iterate(t, model.centres.mean(0) + direction * 0.8**t) for t in range(0, 5 * points, 5))
    return Evidence(model, iterates, gamma=0.01, mu=0.0, E=2, T=30, seed=4, series={})


def springs():
    generator = torch.Generator().manual_seed(2)
    return Springs(torch.randn(3, 40, generator=generator, dtype=torch.float64))
