"""The letters of FedProx, and the deductions of its Theorem 4.

γ is the inexactness of the local solver here, not a rate. Norms are at w = w^t: a = ‖∇f(w)‖.
"""

import sympy as sp

from theory.letters import Letters, Quantity

QUANTITIES = (
    Quantity("L", "L", "smoothness of every device's loss"),
    Quantity("Lm", "L_-", "the least curvature of a device's loss is at least -L_-"),
    Quantity("mu", r"\mu", "proximal parameter", "> 0"),
    Quantity("mubar", r"\bar\mu", "mu - L_-, how strongly convex a local problem is", "> 0"),
    Quantity("gamma", r"\gamma", "inexactness of the local solver"),
    Quantity("B", "B", "dissimilarity bound at w", ">= 1"),
    Quantity("K", "K", "devices chosen in a round", ">= 1"),
    Quantity("eps", r"\epsilon", "accuracy: a squared gradient norm", "> 0"),
    Quantity("sigma2", r"\sigma^2", "bound on the variance of the gradients over the devices"),
    Quantity("Delta", r"\Delta", "f at the start minus its infimum"),
    Quantity("T", "T", "rounds", ">= 1"),
    Quantity("rho", r"\rho", "the decrease per squared gradient norm"),
    Quantity("a", "a", "|grad f(w)|"),
)
LETTERS = Letters(QUANTITIES)
L, Lm, mu, mubar, gamma, B, K, eps, sigma2, Delta, T, rho, a = (each.symbol for each in QUANTITIES)

b = B * (1 + gamma)
STEP = b / mubar  # |w_k - w| in the mean, over |grad f(w)|
MISS = (L * (1 + gamma) / mubar + gamma) * B  # |M| over |grad f(w)|
ROOT = sp.sqrt(2 * K)


def bracket(mu: sp.Expr = mu, mubar: sp.Expr = mubar, B: sp.Expr = B, gamma: sp.Expr = gamma) -> sp.Expr:
    """The bracket of (8): what the mean over all devices would decrease by. It is ρ of the repair R1."""
    b = B * (1 + gamma)
    return (1 - gamma * B) / mu - L * b / (mubar * mu) - L * b**2 / (2 * mubar**2)


def price(mubar: sp.Expr = mubar, B: sp.Expr = B, gamma: sp.Expr = gamma, root: sp.Expr = ROOT) -> sp.Expr:
    """The bracket of (14), what the choice of K devices costs; `root` is √(2K)."""
    step = B * (1 + gamma) / mubar
    return 2 * step / root + L * step**2 * 2 / root**2 * (2 * root + 2)


def printed(
    mu: sp.Expr = mu, mubar: sp.Expr = mubar, B: sp.Expr = B, gamma: sp.Expr = gamma, root: sp.Expr = ROOT
) -> sp.Expr:
    """ρ of Theorem 4."""
    return bracket(mu, mubar, B, gamma) - price(mubar, B, gamma, root)


POSITIVE = (mu > 0, mubar > 0, L >= 0, gamma >= 0, B >= 0, a >= 0)
