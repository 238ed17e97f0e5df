"""FedProx's admissible parameters: ρ as printed, without its terms in K (R1), and with the gain from K (R_K).

Every μ above a least one gives ρ > 0: μ·ρ grows with μ. The best μ has the largest ρ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, sqrt

from theory.errors import InvalidParameter
from theory.formulas.evaluated import compiled
from theory.letters import real
from theory.papers.fedprox.letters import B, L, bracket, gamma, mu, mubar, printed
from theory.papers.fedprox.repairs import k as share
from theory.papers.fedprox.repairs import m as miss
from theory.papers.fedprox.repairs import rho_k

(root,) = real("root")
_PRINTED = compiled(printed(root=root), (L, mu, mubar, gamma, B, root))
_R1 = compiled(bracket(), (L, mu, mubar, gamma, B))
_RK = compiled(rho_k, (L, mu, mubar, gamma, B, share, miss))
LARGEST = 1e12  # of mu/L: beyond it no rho is worth a search
HALVINGS = 200


@dataclass(frozen=True)
class Setting:
    """The constants of Theorem 4 but μ. `N` devices in all, if K of them are drawn without replacement.

    >>> Setting(L=1.0, B=2.0, gamma=0.1, K=10).rho_r1(30.0) > 0
    True
    """

    L: float
    B: float
    gamma: float = 0.0
    K: int = 1
    L_minus: float = 0.0
    N: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("L", 0.0), ("B", 1.0), ("gamma", 0.0), ("L_minus", 0.0), ("K", 1)):
            value = getattr(self, name)
            if not (isfinite(value) and value >= least) or (name == "L" and value == 0):
                raise InvalidParameter(name, value, f"a number {'> 0' if name == 'L' else f'>= {least:g}'}")
        if self.L_minus > self.L:
            raise InvalidParameter("L_minus", self.L_minus, f"at most L = {self.L:g}")
        if self.N is not None and self.N < self.K:
            raise InvalidParameter("N", self.N, f"at least K = {self.K}")

    @property
    def kappa(self) -> float:
        """1/K for draws with replacement, (N−K)/(K(N−1)) without."""
        if self.N is None:
            return 1 / self.K
        return (self.N - self.K) / (self.K * (self.N - 1)) if self.N > 1 else 0.0

    @property
    def possible(self) -> bool:
        """γB < 1: else some losses do not decrease for any μ (FP.R5n)."""
        return self.gamma * self.B < 1

    def rho_printed(self, mu: float) -> float:
        return float(_PRINTED(self.L, mu, mu - self.L_minus, self.gamma, self.B, sqrt(2 * self.K)))

    def rho_r1(self, mu: float) -> float:
        return float(_R1(self.L, mu, mu - self.L_minus, self.gamma, self.B))

    def rho_k(self, mu: float) -> float:
        """R_K, where its condition m ≤ 1 and μ ≥ L(1−κ) hold; −∞ elsewhere."""
        m = self.gamma * self.B + self.L * self.B * (1 + self.gamma) / (mu - self.L_minus)
        if m > 1 or mu < self.L * (1 - self.kappa):
            return -inf
        return float(_RK(self.L, mu, mu - self.L_minus, self.gamma, self.B, self.kappa, m))


@dataclass(frozen=True)
class Admissible:
    """Which μ have ρ > 0, the one with the largest ρ, and that ρ; None where no μ has."""

    name: str
    least: float | None
    best: float | None
    rho: float | None


def admissible(setting: Setting) -> tuple[Admissible, ...]:
    """As printed, by R1, and by R_K.

    >>> [one.best is None for one in admissible(Setting(L=1.0, B=6.0, K=50))]
    [True, False, False]
    """
    rules = (("printed", setting.rho_printed), ("R1", setting.rho_r1), ("R_K", setting.rho_k))
    return tuple(_admissible(name, rule, setting) for name, rule in rules)


def _admissible(name: str, rule: Callable[[float], float], s: Setting) -> Admissible:
    start, end = s.L_minus + 1e-9 * s.L, s.L_minus + LARGEST * s.L
    if not rule(end) > 0:
        return Admissible(name, None, None, None)
    low, high = start, end
    for _ in range(HALVINGS):
        middle = s.L_minus + sqrt((low - s.L_minus) * (high - s.L_minus))
        low, high = (low, middle) if rule(middle) > 0 else (middle, high)
    best = _largest(rule, high, end, s.L_minus)
    return Admissible(name, high, best, rule(best))


def _largest(rule: Callable[[float], float], low: float, high: float, base: float) -> float:
    """Ternary search on a logarithmic scale: ρ rises to its maximum and falls after it."""
    for _ in range(HALVINGS):
        ratio = ((high - base) / (low - base)) ** (1 / 3)
        one, two = base + (low - base) * ratio, base + (low - base) * ratio**2
        low, high = (one, high) if rule(one) < rule(two) else (low, two)
    return low
